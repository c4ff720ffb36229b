//! What everybody may know of a recoding: the sets that a release shows, and nothing that it does not show. What a later
//! table needs besides (which value goes into which set, values that were not shown) stays in the private part of the
//! release, which the random id leads to.

use serde::{Deserialize, Serialize};

use super::saved::{SavedRecoding, Shown};
use super::{Certificate, KeptGroups};
use crate::data::Kind;
use crate::error::{Error, Result};

/// The value of `format` in a public recoding.
pub const PUBLIC_RECODING_FORMAT: &str = "paretonym-recoding/2";

/// What recoding.json beside a release holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublicRecoding {
    /// [`PUBLIC_RECODING_FORMAT`].
    pub format: String,
    /// The program that wrote it.
    pub program: String,
    /// The random id of the release: its private part has that name.
    pub id: String,
    /// Size of the smallest group in the release.
    pub k: u64,
    /// The recoded columns.
    pub columns: Vec<PublicColumn>,
}

/// What a recoded column shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublicColumn {
    /// Its name.
    pub name: String,
    /// How its values relate.
    pub kind: Kind,
    /// Whether its cells show labels of sets, or medians.
    pub shown: Shown,
    /// The sets that occur in the release, in the order of the column.
    pub sets: Vec<PublicSet>,
}

/// A set that the release shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PublicSet {
    /// What it is called.
    pub label: String,
    /// The median that stands for it in the release, where medians are shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
}

impl PublicRecoding {
    /// The public part of a recoding, given the groups that the release shows.
    pub fn of(saved: &SavedRecoding, kept: &KeptGroups) -> Self {
        let columns = saved.columns.iter().enumerate().map(|(at, column)| {
            let shown = column.sets.iter().enumerate().filter(|(set, _)| kept.shows(at, *set));
            let sets = shown.map(|(_, set)| PublicSet {
                label: set.label.clone(),
                median: set.median.filter(|_| column.shown == Shown::Median),
            });
            PublicColumn { name: column.name.clone(), kind: column.kind, shown: column.shown, sets: sets.collect() }
        });
        PublicRecoding {
            format: PUBLIC_RECODING_FORMAT.to_owned(),
            program: saved.program.clone(),
            id: saved.id.clone(),
            k: saved.k,
            columns: columns.collect(),
        }
    }

    /// The id in the text of a recoding that is the public part of one; none where the text is that of a whole recoding.
    pub fn id_in(text: &str, place: &str) -> Result<Option<String>> {
        let wrong = |problem: String| Error::Table { place: place.to_owned(), problem };
        #[derive(Deserialize)]
        struct Head {
            format: String,
            #[serde(default)]
            id: String,
        }
        let head: Head = serde_json::from_str(text).map_err(|error| {
            wrong(format!(
                "this is not a recoding of paretonym ({error}); give the FILE.recoding.json that `release` wrote"
            ))
        })?;
        if head.format != PUBLIC_RECODING_FORMAT {
            return Ok(None);
        }
        match is_id(&head.id) {
            true => Ok(Some(head.id)),
            false => Err(wrong(format!("{:?} is not the id of a release", head.id))),
        }
    }
}

/// Whether a text has the form of a random id, so that it may be a part of a path.
pub fn is_id(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// A share or distance for everybody: never less than it is, in hundredths. What compares a release with rows that were
/// left out would tell these rows if it were exact.
pub fn rounded_up(value: f64) -> f64 {
    // What rounding of sums left over the last digit is no reason to go up.
    let hundredths = (value * 100.0 - 1e-9).ceil();
    if hundredths.is_finite() { (hundredths / 100.0).max(0.0) } else { value }
}

/// A number of rows for everybody: never less than it is, one digit and zeros.
pub fn rounded_up_rows(rows: u64) -> u64 {
    let step = 10u64.saturating_pow(rows.checked_ilog10().unwrap_or(0)).max(10);
    rows.div_ceil(step).saturating_mul(step)
}

impl Certificate {
    /// Rounds what compares the release with rows that are not in it.
    pub fn rounded(mut self) -> Self {
        let map = |values: &mut std::collections::BTreeMap<String, f64>| {
            values.values_mut().for_each(|value| *value = rounded_up(*value));
        };
        self.t.iter_mut().for_each(map);
        map(&mut self.losses);
        self.losses.retain(|_, loss| *loss <= 1.0);
        (self.gl, self.sl) = (rounded_up(self.gl), rounded_up(self.sl));
        self.left_out = rounded_up(self.left_out);
        self.suppressed = rounded_up_rows(self.suppressed);
        self.dropped_for_missing = rounded_up_rows(self.dropped_for_missing);
        if let Some(again) = &mut self.reapplied {
            again.failure = None;
            again.unknown_rows = rounded_up_rows(again.unknown_rows);
            again.moved_rows = rounded_up_rows(again.moved_rows);
            again.moved_values.values_mut().for_each(|values| *values = rounded_up_rows(*values));
            if let Some(fresh) = &mut again.fresh {
                (fresh.gl, fresh.sl, fresh.loss) = (rounded_up(fresh.gl), rounded_up(fresh.sl), rounded_up(fresh.loss));
                fresh.ratio = rounded_up(fresh.ratio);
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_figures_are_never_too_small() {
        assert_eq!([0.0, 0.25, 0.251, 0.3, 0.1 + 0.2, 1.0].map(rounded_up), [0.0, 0.25, 0.26, 0.3, 0.3, 1.0]);
        assert_eq!([0, 1, 10, 13, 242, 2641, 9001].map(rounded_up_rows), [0, 10, 10, 20, 300, 3000, 10_000]);
        assert_eq!(rounded_up_rows(u64::MAX), u64::MAX);
    }

    #[test]
    fn an_id_cannot_lead_elsewhere() {
        assert!(is_id("0123456789abcdef0123456789abcdef"));
        for other in ["", "..", "0123456789ABCDEF0123456789abcdef", "../../etc/0123456789abcdef012345"] {
            assert!(!is_id(other));
        }
        let text = r#"{"format": "paretonym-recoding/2", "id": "../x"}"#;
        assert!(PublicRecoding::id_in(text, "x").is_err());
        assert_eq!(PublicRecoding::id_in(r#"{"format": "paretonym-recoding/1"}"#, "x").unwrap(), None);
    }
}
