//! Distinct l-diversity: the number of sensitive values.

use super::{ATTRIBUTES, measure_by_level, sensitive_columns};
use crate::engine::LooksAt;
use crate::error::Result;
use crate::group::{FrequencyTable, GroupView};
use crate::measure::{Behaviour, CatalogEntry, Diversity, Letter, Privacy, PrivacyEntry, Sense};

/// Its line in the catalogue.
pub const ENTRY: PrivacyEntry = PrivacyEntry {
    entry: CatalogEntry {
        name: "distinct-l",
        aliases: &["distinct"],
        summary: "distinct sensitive values in a group",
        parameters: &[],
        reference: "Machanavajjhala et al. 2006",
    },
    behaviour: Behaviour::PerRow,
    letter: Letter::L(Diversity::Distinct),
    sense: Sense::Max,
    sensitive: true,
    make: |table, _| Ok(Box::new(DistinctL::new(table)?)),
};

/// Distinct l-diversity: the level of a group is the number of its distinct sensitive values; the minimum over the
/// sensitive columns. More is better.
///
/// The weakest form of l, since one value may outnumber all others, and the only one whose level never falls for any
/// row.
///
/// Example: ten rows with values 4, 3, 2, 1 times: 4.
///
/// Monotone: per row. [Reference](mod@crate::theory::references): Machanavajjhala et al. 2006.
///
/// In the catalogue `distinct-l`: [definition](crate::theory::definitions#distinct-l).
pub struct DistinctL {
    columns: Vec<usize>,
}

impl DistinctL {
    /// For all sensitive columns of a table.
    pub fn new(table: &FrequencyTable) -> Result<Self> {
        Ok(DistinctL { columns: sensitive_columns(table, "distinct-l")? })
    }
}

measure_by_level!(DistinctL, Sense::Max, ATTRIBUTES, |_: &DistinctL| "distinct-l".to_owned());

impl Privacy for DistinctL {
    fn level(&self, group: GroupView) -> f64 {
        let distinct = self.columns.iter().map(|column| group.attribute(*column).len());
        distinct.min().unwrap_or_default() as f64
    }

    fn looks_at(&self) -> LooksAt {
        LooksAt::Extent
    }

    fn behaviour(&self) -> Behaviour {
        Behaviour::PerRow
    }

    fn letter(&self) -> Letter {
        ENTRY.letter
    }
}
