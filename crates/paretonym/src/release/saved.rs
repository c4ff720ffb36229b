//! The mapping of every value: all that is needed to recode a table the same way again. It tells values that a release does
//! not show, and is kept in the private part of a release.

use std::collections::HashMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::check::contradiction;
use crate::data::{Dictionary, Encoding, Kind};
use crate::error::{Error, Result};
use crate::recode::LeafRun;
use crate::study::Study;

/// The value of `format` in a whole recoding.
pub const RECODING_FORMAT: &str = "paretonym-private-recoding/2";

/// What earlier versions wrote: whole recodings beside the release. They can still be used.
const EARLIER_FORMAT: &str = "paretonym-recoding/1";

/// A recoding that can be applied to a table without the search that found it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedRecoding {
    /// [`RECODING_FORMAT`].
    pub format: String,
    /// The program that wrote it.
    pub program: String,
    /// The random id of the release that it was made for; empty in recodings of earlier versions.
    #[serde(default)]
    pub id: String,
    /// The number of the solution in its front.
    pub solution: u32,
    /// Size of the smallest group in the release that it was made for.
    pub k: u64,
    /// The study behind it.
    pub study: Study,
    /// The quasi columns.
    pub columns: Vec<SavedColumn>,
    /// Where the recoding differs from region to region.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regions: Option<SavedRegions>,
}

/// The boxes of a local recoding. A row lies in the first box whose sets hold all its values, unless it is an exception.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedRegions {
    /// Whether a combination of values may lie in several boxes. A release of the table that they were found for then
    /// need not take the first.
    pub overlap: bool,
    /// Per box and column, the position of the set that it shows.
    pub boxes: Vec<Vec<u32>>,
    /// Tuples that lie in another box than the first that holds them, or in none: the code of each value, and the box.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<(Vec<u32>, Option<u32>)>,
}

/// How one quasi column is recoded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedColumn {
    /// Its name in the table.
    pub name: String,
    /// How its values relate.
    pub kind: Kind,
    /// What its cells show.
    pub shown: Shown,
    /// The number of values in its domain.
    pub domain: u32,
    /// The sets that are shown.
    pub sets: Vec<SavedSet>,
    /// Which value goes into which set. A value that occurred in suppressed rows only is not listed, unless the study
    /// declares it.
    pub mapping: Mapping,
    /// Local recodings: the values that boxes are made of, in the order of the domain. The mapping then leads to these
    /// rather than to sets.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub leaves: Vec<String>,
    /// The label of a missing cell, where missing is a value of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<String>,
}

/// What the cells of a recoded column show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// The label of the set.
    #[default]
    Labels,
    /// The median of the released entries in the set (S4 section 2); numeric columns only.
    Median,
}

/// A set of values that are shown as one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedSet {
    /// What it is called.
    pub label: String,
    /// How many values of the domain it covers.
    pub values: u32,
    /// What a cell that shows it costs, from 0 (the value itself) to 1 (any value).
    pub loss: f64,
    /// The median of its released entries, for numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median: Option<f64>,
    /// Local recodings: the values that it stands for, as runs of positions among the leaves, both ends included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub holds: Vec<LeafRun>,
}

/// Which value goes into which set, by its label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
pub enum Mapping {
    /// Texts.
    Values {
        /// In the order of the domain.
        values: Vec<MappedValue>,
    },
    /// Single numbers.
    Numbers {
        /// Ascending.
        numbers: Vec<MappedNumber>,
    },
    /// Intervals of numbers.
    Bins {
        /// Ascending, each beginning where the one before ends.
        bins: Vec<MappedBin>,
        /// Whether the last interval includes its upper end.
        closed: bool,
    },
}

impl Mapping {
    /// The labels that it leads to, in its order.
    pub fn labels(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        match self {
            Mapping::Values { values } => Box::new(values.iter().map(|one| one.label.as_str())),
            Mapping::Numbers { numbers } => Box::new(numbers.iter().map(|one| one.label.as_str())),
            Mapping::Bins { bins, .. } => Box::new(bins.iter().map(|one| one.label.as_str())),
        }
    }
}

/// A text and its set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MappedValue {
    /// The text.
    pub value: String,
    /// The label of its set.
    pub label: String,
}

/// A number and its set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MappedNumber {
    /// The number.
    pub value: f64,
    /// The label of its set.
    pub label: String,
}

/// An interval and its set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MappedBin {
    /// Its lower end, which belongs to it; null where it has none.
    #[serde(serialize_with = "finite_end", deserialize_with = "lower_end")]
    pub from: f64,
    /// Its upper end, which does not; null where it has none.
    #[serde(serialize_with = "finite_end", deserialize_with = "upper_end")]
    pub to: f64,
    /// The label of its set.
    pub label: String,
}

/// JSON has no infinity.
fn finite_end<S: Serializer>(end: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    end.is_finite().then_some(*end).serialize(serializer)
}

fn lower_end<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or(f64::NEG_INFINITY))
}

fn upper_end<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
}

/// What happens to a value that the recoding does not know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unknown {
    /// It is an error.
    #[default]
    Error,
    /// It goes where the nearest known number goes.
    Nearest,
    /// Its row is suppressed.
    Suppress,
}

impl SavedRecoding {
    /// Reads recoding.json. `place` names it in errors.
    pub fn from_json(text: &str, place: &str) -> Result<Self> {
        let wrong = |problem: String| Error::Table { place: place.to_owned(), problem };
        let saved: SavedRecoding = serde_json::from_str(text).map_err(|error| {
            wrong(format!(
                "this is not a recoding of paretonym ({error}); give the FILE.recoding.json that `release` wrote"
            ))
        })?;
        if saved.format != RECODING_FORMAT && saved.format != EARLIER_FORMAT {
            return Err(wrong(format!(
                "format {:?}, but this program reads {RECODING_FORMAT:?}; release the table again, or use the version \
                 that wrote it",
                saved.format
            )));
        }
        match contradiction(&saved) {
            None => Ok(saved),
            Some(what) => Err(wrong(format!("{what}; it was edited or damaged: release the solution again"))),
        }
    }

    /// The mean cell loss of a group, given by the set that it shows in each column.
    pub fn group_loss(&self, sets: &[u32]) -> f64 {
        let losses = self.columns.iter().zip(sets).map(|(column, set)| column.sets[*set as usize].loss);
        losses.sum::<f64>() / self.columns.len() as f64
    }
}

impl SavedColumn {
    /// What the mapping leads to, by code: sets, or single values where the recoding is local.
    pub fn codes(&self) -> impl Iterator<Item = &str> {
        let sets = self.sets.iter().map(|set| set.label.as_str()).filter(|_| self.leaves.is_empty());
        self.leaves.iter().map(String::as_str).chain(sets)
    }

    /// The code of a label that the mapping leads to.
    pub fn code(&self, label: &str) -> Option<u32> {
        self.codes().position(|own| own == label).map(|at| at as u32)
    }

    /// The code of a missing cell, where missing is a value of its own.
    pub fn missing_code(&self) -> Option<u32> {
        self.missing.as_deref().and_then(|label| self.code(label))
    }

    /// How a pass over the rows finds the codes of this mapping: by an encoding, and, where that numbers bins, the code of
    /// each bin.
    pub fn encoding(&self) -> (Encoding, Option<Vec<u32>>) {
        let place: HashMap<&str, u32> = self.codes().enumerate().map(|(at, label)| (label, at as u32)).collect();
        let codes: Vec<u32> = self.mapping.labels().map(|label| place[label]).collect();
        match &self.mapping {
            Mapping::Values { values } => {
                let values = Dictionary::Text(values.iter().map(|one| one.value.clone()).collect());
                (Encoding::Known { values, codes }, None)
            }
            Mapping::Numbers { numbers } => {
                let values = Dictionary::Numbers(numbers.iter().map(|one| one.value).collect());
                (Encoding::Known { values, codes }, None)
            }
            Mapping::Bins { bins, closed } => {
                let edges = bins.iter().map(|bin| bin.from).chain(bins.last().map(|bin| bin.to)).collect();
                (Encoding::Bins { edges, closed: *closed }, Some(codes))
            }
        }
    }

    /// What a cell of each set shows.
    pub fn shown_texts(&self) -> Vec<String> {
        let shown = |set: &SavedSet| match (self.shown, set.median) {
            (Shown::Median, Some(median)) => crate::data::format_number(median),
            _ => set.label.clone(),
        };
        self.sets.iter().map(shown).collect()
    }

    /// The number that is nearest to a given one among those that the mapping knows, and its label. None where the
    /// mapping is not one of numbers.
    pub fn nearest(&self, number: f64) -> Option<&str> {
        match &self.mapping {
            Mapping::Values { .. } => None,
            Mapping::Numbers { numbers } => {
                let distance = |one: &&MappedNumber| (one.value - number).abs();
                let nearest = numbers.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
                nearest.map(|one| one.label.as_str())
            }
            Mapping::Bins { bins, .. } => {
                let distance = |bin: &&MappedBin| (bin.from - number).max(number - bin.to).max(0.0);
                let nearest = bins.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
                nearest.map(|bin| bin.label.as_str())
            }
        }
    }
}
