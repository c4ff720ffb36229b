//! Discernibility: how large the crowds are that rows disappear in.

use super::measure_by_sums;
use crate::engine::SizeClass;
use crate::group::{FrequencyTable, Kept, Needs};
use crate::measure::{CatalogEntry, GroupCost, Grouped, Loss, LossEntry, LossParts, PropertyVector, Remaining};

/// Its line in the catalogue.
pub const ENTRY: LossEntry = LossEntry {
    entry: CatalogEntry {
        name: "discernibility",
        aliases: &[],
        summary: "sum of squared group sizes, n for each suppressed row (not normalized)",
        parameters: &[],
        reference: "Bayardo and Agrawal 2005",
    },
    bounded_below: true,
    normalized: false,
    make: |_, _, _| Ok(Box::new(Discernibility)),
};

/// Discernibility: the sum over kept groups of |g|², plus n for each suppressed row. Reported raw; divided by n² it
/// lies in [0, 1].
///
/// It looks at the sizes of groups alone, not at what they show.
///
/// Example: S0's Table 1 recoded as T1 has groups of 2 and 5 rows: 29; as T2 (2, 3, 2): 17.
///
/// Monotone; unsuppressed value is a lower bound. [Reference](mod@crate::theory::references): Bayardo and Agrawal 2005.
///
/// In the catalogue `discernibility`: [definition](crate::theory::definitions#discernibility).
pub struct Discernibility;

measure_by_sums!(Discernibility, Needs::default(), |_: &Discernibility| "discernibility".to_owned());

impl Discernibility {
    fn row_losses(&self, kept: &Kept) -> PropertyVector {
        let rows = &kept.grouping.groups.rows;
        PropertyVector::of_groups(kept, |group| group.map_or(kept.table.rows as f64, |group| rows.get(group) as f64))
    }
}

impl Loss for Discernibility {
    fn sums(&self, _: &FrequencyTable) -> usize {
        1
    }

    fn add(&self, grouped: Grouped, group: usize, sums: &mut [f64]) {
        let rows = grouped.grouping.groups.rows.get(group) as f64;
        sums[0] += rows * rows;
    }

    fn parts(&self, table: &FrequencyTable, sums: &[f64], remaining: Remaining) -> LossParts {
        LossParts { kept: sums[0], suppressed: (table.rows - remaining.rows) as f64 * table.rows as f64 }
    }

    fn group_cost(&self, _: &FrequencyTable) -> GroupCost {
        GroupCost::Squares
    }

    fn knows_classes(&self) -> bool {
        true
    }

    fn add_class(&self, class: &SizeClass, _node: &[u32], sums: &mut [f64]) {
        sums[0] += class.size as f64 * class.rows() as f64;
    }

    fn bounded_below(&self) -> bool {
        true
    }

    /// Sums up to n² are whole numbers.
    fn is_whole(&self, table: &FrequencyTable) -> bool {
        table.rows < 1 << 26
    }

    /// It counts the pairs of rows that cannot be told apart.
    fn is_supermodular(&self) -> bool {
        true
    }
}
