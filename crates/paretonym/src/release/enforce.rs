//! What every group of a release must reach: groups that do not are suppressed.

use std::collections::BTreeMap;

use super::{Claim, KeptGroups, Reapplication, SavedRecoding};
use crate::catalog;
use crate::error::{Error, Result};
use crate::group::{FrequencyTable, Grouping, Needs, Workspace};
use crate::measure::Privacy;
use crate::privacy::{FrequencyL, K, TCloseness};
use crate::recode::Recoding;
use crate::settings::within;

/// Levels that real-valued distances may miss without being worse.
const SLACK: f64 = 1e-12;

/// What every group of the new release must reach.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enforce {
    /// Rows.
    pub k: u64,
    /// Frequency l-diversity.
    pub l: Option<f64>,
    /// t-closeness.
    pub t: Option<f64>,
}

impl Enforce {
    /// Demands that nothing can be held against, such as NaN, would be met by every group.
    pub fn validate(&self) -> Result<()> {
        if self.k == 0 {
            return Err(Error::study("k must be at least 1"));
        }
        if let Some(l) = self.l.filter(|l| !(l.is_finite() && *l >= 1.0)) {
            return Err(Error::study(format!("l is a number of values from 1 on, not {l}")));
        }
        if let Some(t) = self.t.filter(|t| !(0.0..=1.0).contains(t)) {
            return Err(Error::study(format!("t is a distance from 0 to 1, not {t}")));
        }
        Ok(())
    }
}

/// Suppresses what does not reach the wanted levels.
pub(super) fn enforced(
    saved: &SavedRecoding,
    table: FrequencyTable,
    enforce: Enforce,
    outside: &[u32],
) -> Result<Reapplication> {
    let mut grouping = Grouping::default();
    let as_is = Recoding::of_levels(&vec![0; outside.len()]);
    Workspace::default().group(&table, &table.tuples, &as_is, Needs::ALL, &mut grouping);
    let protected = table.sensitive().next().is_some();
    if !protected && (enforce.l.is_some() || enforce.t.is_some()) {
        return Err(Error::study("l and t protect sensitive columns, and the recoding's study has none"));
    }
    let (frequency, closeness) =
        if protected { (Some(FrequencyL::new(&table)?), Some(TCloseness::new(&table)?)) } else { (None, None) };
    // What the study holds to be fit for publication holds for later tables too.
    let floors = catalog::floors(&saved.study.search, &table)?;
    let mut kept = KeptGroups::default();
    let (mut rows, mut unknown, mut lost, mut smallest) = (0u64, 0u64, 0.0, u64::MAX);
    let (mut l, mut t) = (f64::INFINITY, 0.0f64);
    for group in 0..grouping.len() {
        let sets: Vec<u32> = (0..outside.len()).map(|column| grouping.set(&table, group, column) as u32).collect();
        let view = grouping.groups.view(group);
        let own = view.rows();
        if sets.iter().zip(outside).any(|(set, outside)| set == outside) {
            unknown += own;
            continue;
        }
        let own_l = frequency.as_ref().map(|model| model.level(view));
        let own_t = closeness.as_ref().map(|model| model.level(view));
        let fails = floors.as_ref().is_some_and(|floors| floors.misses(view))
            || K.level(view) < enforce.k as f64
            || enforce.l.is_some_and(|least| own_l.is_some_and(|own| own + SLACK < least))
            || enforce.t.is_some_and(|most| own_t.is_some_and(|own| own > most + SLACK));
        if fails {
            continue;
        }
        kept.insert(&sets);
        rows += own;
        smallest = smallest.min(own);
        lost += own as f64 * saved.group_loss(&sets);
        l = l.min(own_l.unwrap_or(f64::INFINITY));
        t = t.max(own_t.unwrap_or(0.0));
    }
    if kept.is_empty() {
        return Err(Error::study(format!(
            "no group of the table reaches k = {}{}{}; lower the demands, or explore the table on its own",
            enforce.k,
            if enforce.l.is_some() || enforce.t.is_some() { " together with l and t" } else { "" },
            match within(&saved.study.search.at_least, &saved.study.search.at_most) {
                Some(floors) => format!(" within the study's {floors}"),
                None => String::new(),
            }
        )));
    }
    let claim = Claim {
        rows,
        suppressed: table.rows - rows,
        groups: kept.len() as u64,
        k: smallest,
        l: protected.then_some(l),
        l_form: protected.then(|| catalog::diversity(&[]).0.to_owned()),
        t: protected.then_some(t),
        gl: lost / table.rows as f64,
        sl: (table.rows - rows) as f64 / table.rows as f64,
    };
    Ok(Reapplication { kept, claim, table, unknown, moved: BTreeMap::new(), moved_rows: 0 })
}
