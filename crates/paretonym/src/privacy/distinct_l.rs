//! **Distinct l-diversity.** Level = number of distinct sensitive values in the group; the minimum over the sensitive
//! columns.
//!
//! Example: ten rows with values 4, 3, 2, 1 times: 4.
//! Monotone: per row. Reference: Machanavajjhala et al. 2007.

use super::{ATTRIBUTES, measure_by_level, sensitive_columns};
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
        reference: "Machanavajjhala et al. 2007",
    },
    behaviour: Behaviour::PerRow,
    letter: Letter::L(Diversity::Distinct),
    make: |table, _| Ok(Box::new(DistinctL::new(table)?)),
};

/// See the head of this file.
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
        let distinct = self.columns.iter().map(|column| group.attribute(*column).0.len());
        distinct.min().unwrap_or_default() as f64
    }

    fn behaviour(&self) -> Behaviour {
        Behaviour::PerRow
    }

    fn letter(&self) -> Letter {
        ENTRY.letter
    }
}
