//! NWP: the general loss with a weight per column.

use std::ops::Range;

use super::{NumericForm, cell, measure_by_sums};
use crate::engine::SizeClass;
use crate::group::{FrequencyTable, Kept, Needs};
use crate::measure::{
    CatalogEntry, GroupCost, Grouped, Knowledge, Loss, LossEntry, LossParts, Parameter, PropertyVector, Remaining,
    Takes,
};

/// Its line in the catalogue.
pub const ENTRY: LossEntry = LossEntry {
    entry: CatalogEntry {
        name: "weighted",
        aliases: &["nwp"],
        summary: "general loss with a weight per column",
        parameters: &[Parameter {
            name: "numeric",
            default: "leaves",
            takes: Takes::OneOf(&["leaves", "interval"]),
            summary: "how numeric cells are charged: by leaves, or interval: by width",
        }],
        reference: "S1 section 3",
    },
    bounded_below: true,
    normalized: true,
    make: |_, call, _| {
        Ok(Box::new(Weighted {
            numeric: call.choice("numeric", &[("leaves", NumericForm::Leaves), ("interval", NumericForm::Interval)])?,
        }))
    },
};

/// Normalized weighted penalty (NWP): cell loss times the column's weight, averaged over rows; the weights of the
/// quasi columns sum to 1. A suppressed row pays 1.
///
/// For tables of which some columns matter more than others. Equal weights give the general loss.
///
/// Monotone; unsuppressed value is a lower bound. [Reference](mod@crate::theory::references): S1 section 3.
///
/// In the catalogue `weighted`: [definition](crate::theory::definitions#weighted).
#[derive(Default)]
pub struct Weighted {
    /// How numeric cells are charged.
    pub numeric: NumericForm,
}

measure_by_sums!(Weighted, Needs::default(), |loss: &Weighted| match loss.numeric {
    NumericForm::Leaves => "weighted".to_owned(),
    NumericForm::Interval => "weighted(numeric=interval)".to_owned(),
});

impl Weighted {
    fn row_losses(&self, kept: &Kept) -> PropertyVector {
        let grouped = Grouped { table: kept.table, grouping: kept.grouping };
        let weight = |column: usize| kept.table.columns[column].weight;
        let losses: Vec<f64> =
            (0..kept.grouping.len()).map(|group| cell::group_loss(grouped, group, self.numeric, weight)).collect();
        PropertyVector::of_groups(kept, |group| group.map_or(1.0, |group| losses[group]))
    }
}

impl Loss for Weighted {
    fn sums(&self, table: &FrequencyTable) -> usize {
        table.columns.len()
    }

    fn add(&self, grouped: Grouped, group: usize, sums: &mut [f64]) {
        cell::add_group(grouped, group, self.numeric, sums);
    }

    fn add_some(&self, grouped: Grouped, groups: &[u32], sums: &mut [f64]) {
        cell::add_groups(grouped, groups, self.numeric, sums);
    }

    fn add_all(&self, grouped: Grouped, sums: &mut [f64]) {
        cell::add_all_groups(grouped, self.numeric, sums);
    }

    fn parts(&self, table: &FrequencyTable, sums: &[f64], remaining: Remaining) -> LossParts {
        let weighted = sums
            .iter()
            .enumerate()
            .map(|(column, sum)| table.columns[column].weight * sum / cell::full(&table.columns[column], self.numeric));
        let rows = table.rows as f64;
        LossParts { kept: weighted.sum::<f64>() / rows, suppressed: (table.rows - remaining.rows) as f64 / rows }
    }

    fn knows_classes(&self) -> bool {
        self.numeric == NumericForm::Leaves
    }

    fn add_class(&self, class: &SizeClass, _node: &[u32], sums: &mut [f64]) {
        sums.iter_mut().zip(&class.covered).for_each(|(sum, covered)| *sum += *covered as f64);
    }

    fn group_cost(&self, _: &FrequencyTable) -> GroupCost {
        GroupCost::Cells
    }

    fn cell(&self, table: &FrequencyTable, column: usize, leaves: Range<usize>) -> f64 {
        table.columns[column].weight * cell::share(&table.columns[column], leaves, self.numeric)
    }

    fn cell_weights(&self, table: &FrequencyTable) -> Option<Vec<f64>> {
        Some(table.columns.iter().map(|column| column.weight).collect())
    }

    fn bounded_below(&self) -> bool {
        true
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Sets
    }
}
