//! l-diversity by frequency: the share of the most frequent sensitive value.

use super::{ATTRIBUTES, measure_by_level, rows_beyond, sensitive_columns};
use crate::engine::LooksAt;
use crate::error::Result;
use crate::group::{FrequencyTable, GroupView};
use crate::measure::{Behaviour, CatalogEntry, Diversity, Letter, Privacy, PrivacyEntry, SAME_LEVEL, Sense};

/// Its line in the catalogue.
pub const ENTRY: PrivacyEntry = PrivacyEntry {
    entry: CatalogEntry {
        name: "frequency-l",
        aliases: &["l", "l-diversity"],
        summary: "group size over the count of its most frequent sensitive value, rounded down",
        parameters: &[],
        reference: "S0 Def. 4",
    },
    behaviour: Behaviour::WorstGroup,
    letter: Letter::L(Diversity::Frequency),
    sense: Sense::Max,
    sensitive: true,
    make: |table, _| Ok(Box::new(FrequencyL::new(table)?)),
};

/// l-diversity by frequency: the level of a group is its rows over the count of its most frequent sensitive value,
/// rounded down; the minimum over the sensitive columns. More is better.
///
/// No value makes up more than one l-th of a group. The usual form of l, and what a front's `l` means where its study
/// names no other.
///
/// Example: ten rows with values 4, 3, 2, 1 times: floor(10 / 4) = 2.
///
/// Monotone: the table's worst level, while nothing is suppressed.
/// [Reference](mod@crate::theory::references): S0 Def. 4.
///
/// In the catalogue `frequency-l`: [definition](crate::theory::definitions#frequency-l).
pub struct FrequencyL {
    columns: Vec<usize>,
}

impl FrequencyL {
    /// For all sensitive columns of a table.
    pub fn new(table: &FrequencyTable) -> Result<Self> {
        Ok(FrequencyL { columns: sensitive_columns(table, "frequency-l")? })
    }
}

measure_by_level!(FrequencyL, Sense::Max, ATTRIBUTES, |_: &FrequencyL| "frequency-l".to_owned());

impl Privacy for FrequencyL {
    fn level(&self, group: GroupView) -> f64 {
        let most = |column: &usize| group.attribute(*column).counts().max().unwrap_or(1);
        let level = self.columns.iter().map(|column| group.rows() / most(column)).min();
        level.unwrap_or_default() as f64
    }

    /// Where every part has l times the rows of its most frequent value, so has the whole.
    fn least_lost(&self, group: GroupView, level: f64) -> u64 {
        let times = ((level - SAME_LEVEL * level.max(1.0)).ceil() as u64).max(1);
        let lost = |column: &usize| rows_beyond(group.attribute(*column).counts(), |rows| rows / times);
        self.columns.iter().map(lost).max().unwrap_or_default()
    }

    fn looks_at(&self) -> LooksAt {
        LooksAt::Extent
    }

    fn behaviour(&self) -> Behaviour {
        Behaviour::WorstGroup
    }

    fn letter(&self) -> Letter {
        ENTRY.letter
    }
}
