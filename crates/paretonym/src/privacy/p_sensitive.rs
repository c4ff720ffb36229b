//! p-sensitive k-anonymity: the number of sensitive values in groups that are large enough.

use super::{ATTRIBUTES, measure_by_level, sensitive_columns};
use crate::engine::LooksAt;
use crate::error::Result;
use crate::group::{FrequencyTable, GroupView};
use crate::measure::{Behaviour, CatalogEntry, Letter, Parameter, Privacy, PrivacyEntry, Sense, Takes};

/// Its line in the catalogue.
pub const ENTRY: PrivacyEntry = PrivacyEntry {
    entry: CatalogEntry {
        name: "p-sensitive",
        aliases: &["p-sensitive-k"],
        summary: "distinct sensitive values in a group of at least k rows",
        parameters: &[Parameter {
            name: "k",
            default: "1",
            takes: Takes::Whole(0, u32::MAX as u64),
            summary: "smaller groups have the worst level, 0",
        }],
        reference: "Truta and Vinay 2006",
    },
    behaviour: Behaviour::PerRow,
    letter: Letter::Other("p-sensitive"),
    sense: Sense::Max,
    sensitive: true,
    make: |table, call| Ok(Box::new(PSensitive::new(table, call.number("k", 1)?)?)),
};

/// p-sensitive k-anonymity: the level of a group is the number of its distinct sensitive values; groups of fewer than
/// k rows have the worst level, 0. The minimum over the sensitive columns. More is better.
///
/// Example, k = 3: a group of three rows with two values: 2; a group of two rows: 0.
///
/// Monotone: per row. [Reference](mod@crate::theory::references): Truta and Vinay 2006.
///
/// In the catalogue `p-sensitive`: [definition](crate::theory::definitions#p-sensitive).
pub struct PSensitive {
    columns: Vec<usize>,
    k: u32,
}

impl PSensitive {
    /// For all sensitive columns of a table.
    pub fn new(table: &FrequencyTable, k: u32) -> Result<Self> {
        Ok(PSensitive { columns: sensitive_columns(table, "p-sensitive")?, k })
    }
}

measure_by_level!(PSensitive, Sense::Max, ATTRIBUTES, |model: &PSensitive| format!("p-sensitive(k={})", model.k));

impl Privacy for PSensitive {
    fn level(&self, group: GroupView) -> f64 {
        if group.rows() < u64::from(self.k) {
            return 0.0;
        }
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
