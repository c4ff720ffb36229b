//! (alpha,k)-anonymity: the largest share of one sensitive value.

use super::{ATTRIBUTES, measure_by_level, rows_beyond, sensitive_columns};
use crate::engine::LooksAt;
use crate::error::Result;
use crate::group::{FrequencyTable, GroupView};
use crate::measure::{Behaviour, CatalogEntry, Letter, Parameter, Privacy, PrivacyEntry, Sense, Takes};

/// Its line in the catalogue.
pub const ENTRY: PrivacyEntry = PrivacyEntry {
    entry: CatalogEntry {
        name: "alpha",
        aliases: &["alpha-k"],
        summary: "largest share of one sensitive value in a group",
        parameters: &[Parameter {
            name: "k",
            default: "1",
            takes: Takes::Whole(0, u32::MAX as u64),
            summary: "smaller groups have the worst level, 1",
        }],
        reference: "Wong et al. 2006",
    },
    behaviour: Behaviour::WorstGroup,
    letter: Letter::Other("alpha"),
    sense: Sense::Min,
    sensitive: true,
    make: |table, call| Ok(Box::new(Alpha::new(table, call.number("k", 1)?)?)),
};

/// (alpha,k)-anonymity: the level of a group is the largest relative frequency of one sensitive value; groups of fewer
/// than k rows have the worst level, 1. The maximum over the sensitive columns. Less is better.
///
/// Example: ten rows with values 4, 3, 2, 1 times: alpha = 0.4.
///
/// Monotone: the table's worst level, while nothing is suppressed.
/// [Reference](mod@crate::theory::references): Wong et al. 2006.
///
/// In the catalogue `alpha`: [definition](crate::theory::definitions#alpha).
pub struct Alpha {
    columns: Vec<usize>,
    k: u32,
}

impl Alpha {
    /// For all sensitive columns of a table.
    pub fn new(table: &FrequencyTable, k: u32) -> Result<Self> {
        Ok(Alpha { columns: sensitive_columns(table, "alpha")?, k })
    }
}

measure_by_level!(Alpha, Sense::Min, ATTRIBUTES, |model: &Alpha| format!("alpha(k={})", model.k));

impl Privacy for Alpha {
    fn level(&self, group: GroupView) -> f64 {
        if group.rows() < u64::from(self.k) {
            return 1.0;
        }
        let most = self.columns.iter().filter_map(|column| group.attribute(*column).counts().max()).max();
        most.unwrap_or_default() as f64 / group.rows() as f64
    }

    /// Where no value has more than a share of any part, none has more of the whole.
    fn least_lost(&self, group: GroupView, level: f64) -> u64 {
        let most = |rows: u64| (rows as f64 * level * (1.0 + 1e-9) + 1e-6) as u64;
        let lost = |column: &usize| rows_beyond(group.attribute(*column).counts(), most);
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
