//! k-anonymity: the size of a group.

use super::measure_by_level;
use crate::engine::LooksAt;
use crate::group::{GroupView, Needs};
use crate::measure::{Behaviour, CatalogEntry, Letter, Privacy, PrivacyEntry, Sense};

/// Its line in the catalogue.
pub const ENTRY: PrivacyEntry = PrivacyEntry {
    entry: CatalogEntry {
        name: "k",
        aliases: &["k-anonymity"],
        summary: "every group has at least k rows",
        parameters: &[],
        reference: "Samarati and Sweeney 1998; S0 Def. 1 to 3",
    },
    behaviour: Behaviour::PerRow,
    letter: Letter::K,
    sense: Sense::Max,
    sensitive: false,
    make: |_, _| Ok(Box::new(K)),
};

/// k-anonymity: the level of a group is the number of its rows. More is better.
///
/// A row looks like at least k - 1 others. Nothing is said of what a group has in common: see
/// [`FrequencyL`](super::FrequencyL) and [`TCloseness`](super::TCloseness) for columns that are sensitive.
///
/// Example: S0's Table 1 recoded as T1 has groups of 2 and 5 rows: k = 2, weighted-k = 29/7.
///
/// Monotone: per row. [Reference](mod@crate::theory::references): Samarati and Sweeney 1998; S0 Def. 1 to 3.
///
/// In the catalogue `k`: [definition](crate::theory::definitions#k).
pub struct K;

measure_by_level!(K, Sense::Max, Needs::default(), |_: &K| "k".to_owned());

impl Privacy for K {
    fn level(&self, group: GroupView) -> f64 {
        group.rows() as f64
    }

    fn counts_rows(&self) -> bool {
        true
    }

    fn looks_at(&self) -> LooksAt {
        LooksAt::Rows
    }

    fn behaviour(&self) -> Behaviour {
        Behaviour::PerRow
    }

    fn letter(&self) -> Letter {
        ENTRY.letter
    }
}
