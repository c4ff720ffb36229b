//! Height: Sweeney's precision turned round.

use super::measure_by_sums;
use crate::engine::SizeClass;
use crate::error::{Error, Result};
use crate::group::{FrequencyTable, Kept, Needs};
use crate::measure::{CatalogEntry, Grouped, Knowledge, Loss, LossEntry, LossParts, PropertyVector, Remaining};
use crate::recode::Family;

/// Its line in the catalogue.
pub const ENTRY: LossEntry = LossEntry {
    entry: CatalogEntry {
        name: "precision",
        aliases: &["height"],
        summary: "mean of level over height (levels only)",
        parameters: &[],
        reference: "Sweeney 2002",
    },
    bounded_below: true,
    normalized: true,
    make: |table, _, _| Ok(Box::new(Precision::new(table)?)),
};

/// Height (Sweeney's precision turned round): the mean over kept rows and columns of level / height; a suppressed row
/// pays 1. For levels only.
///
/// It depends on how many levels a hierarchy happens to have, not on what they join.
///
/// Example: two columns of heights 4 and 2 at levels 1 and 1: (1/4 + 1/2) / 2 = 0.375.
///
/// Monotone; unsuppressed value is a lower bound. [Reference](mod@crate::theory::references): Sweeney 2002.
///
/// In the catalogue `precision`: [definition](crate::theory::definitions#precision).
pub struct Precision(());

impl Precision {
    /// For a table whose columns are all recoded by levels.
    pub fn new(table: &FrequencyTable) -> Result<Self> {
        match table.columns.iter().find(|column| column.family != Family::Levels) {
            None => Ok(Precision(())),
            Some(column) => Err(Error::study(format!(
                "the loss precision is defined for levels only, and column {:?} is recoded by {}; choose loss = \"general\" or recode = \"levels\"",
                column.name,
                column.family.name()
            ))),
        }
    }

    fn row_losses(&self, kept: &Kept) -> PropertyVector {
        let columns = kept.table.columns.len() as f64;
        let shares = kept
            .grouping
            .levels
            .iter()
            .zip(&kept.table.columns)
            .map(|(level, column)| f64::from(level.expect("levels only")) / column.hierarchy.height() as f64);
        let loss = shares.sum::<f64>() / columns;
        PropertyVector::of_groups(kept, |group| if group.is_some() { loss } else { 1.0 })
    }
}

measure_by_sums!(Precision, Needs::default(), |_: &Precision| "precision".to_owned());

impl Loss for Precision {
    fn sums(&self, table: &FrequencyTable) -> usize {
        table.columns.len()
    }

    fn add(&self, grouped: Grouped, group: usize, sums: &mut [f64]) {
        let rows = grouped.grouping.groups.rows.get(group) as f64;
        for (sum, level) in sums.iter_mut().zip(&grouped.grouping.levels) {
            *sum += rows * f64::from(level.expect("levels only"));
        }
    }

    fn add_all(&self, grouped: Grouped, sums: &mut [f64]) {
        for (sum, level) in sums.iter_mut().zip(&grouped.grouping.levels) {
            *sum += grouped.table.rows as f64 * f64::from(level.expect("levels only"));
        }
    }

    fn parts(&self, table: &FrequencyTable, sums: &[f64], remaining: Remaining) -> LossParts {
        let rows = table.rows as f64;
        let shares = sums.iter().zip(&table.columns).map(|(sum, column)| sum / column.hierarchy.height() as f64);
        LossParts {
            kept: shares.sum::<f64>() / (rows * sums.len() as f64),
            suppressed: (table.rows - remaining.rows) as f64 / rows,
        }
    }

    fn knows_classes(&self) -> bool {
        true
    }

    fn add_class(&self, class: &SizeClass, node: &[u32], sums: &mut [f64]) {
        sums.iter_mut().zip(node).for_each(|(sum, level)| *sum += class.rows() as f64 * f64::from(*level));
    }

    fn levels_only(&self) -> bool {
        true
    }

    fn bounded_below(&self) -> bool {
        true
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Sets
    }
}
