//! General loss: how much of its domain a cell covers.

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
        name: "general",
        aliases: &["lm"],
        summary: "mean share of its domain that a cell covers, suppressed rows paying 1",
        parameters: &[Parameter {
            name: "numeric",
            default: "leaves",
            takes: Takes::OneOf(&["leaves", "interval"]),
            summary: "how numeric cells are charged: by leaves, or interval: by width",
        }],
        reference: "S0 eq. 3 to 5; S4 3.1",
    },
    bounded_below: true,
    normalized: true,
    make: |_, call, _| {
        Ok(Box::new(General {
            numeric: call.choice("numeric", &[("leaves", NumericForm::Leaves), ("interval", NumericForm::Interval)])?,
        }))
    },
};

/// General loss: GL = sum of cell losses of kept rows / (n × columns), SL = suppressed rows / n; loss = GL + SL. The
/// usual choice.
///
/// A cell costs (|set| - 1) / (|domain| - 1); `general(numeric=interval)` charges numeric cells (upper - lower) /
/// (max - min). LM of S4 is loss × columns.
///
/// Example: S0's Table 1 recoded as T1: 13/30; with two rows suppressed GL = 1/3, SL = 2/7, loss = 13/21.
///
/// Monotone; unsuppressed value is a lower bound. [Reference](mod@crate::theory::references): S0 eq. 3 to 5; S4 3.1.
///
/// In the catalogue `general`: [definition](crate::theory::definitions#general).
#[derive(Default)]
pub struct General {
    /// How numeric cells are charged.
    pub numeric: NumericForm,
}

measure_by_sums!(General, Needs::default(), |loss: &General| match loss.numeric {
    NumericForm::Leaves => "general".to_owned(),
    NumericForm::Interval => "general(numeric=interval)".to_owned(),
});

impl General {
    fn row_losses(&self, kept: &Kept) -> PropertyVector {
        let grouped = Grouped { table: kept.table, grouping: kept.grouping };
        let share = 1.0 / kept.table.columns.len() as f64;
        let losses: Vec<f64> =
            (0..kept.grouping.len()).map(|group| cell::group_loss(grouped, group, self.numeric, |_| share)).collect();
        PropertyVector::of_groups(kept, |group| group.map_or(1.0, |group| losses[group]))
    }
}

impl Loss for General {
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
        let cells = sums.iter().enumerate().map(|(column, sum)| sum / cell::full(&table.columns[column], self.numeric));
        let rows = table.rows as f64;
        LossParts {
            kept: cells.sum::<f64>() / (rows * sums.len() as f64),
            suppressed: (table.rows - remaining.rows) as f64 / rows,
        }
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
        cell::share(&table.columns[column], leaves, self.numeric) / table.columns.len() as f64
    }

    fn cell_weights(&self, table: &FrequencyTable) -> Option<Vec<f64>> {
        Some(vec![1.0 / table.columns.len() as f64; table.columns.len()])
    }

    fn is_general(&self) -> bool {
        true
    }

    fn weighted(&self) -> Option<Box<dyn Loss>> {
        (self.numeric == NumericForm::default()).then(|| Box::new(super::Weighted::default()) as Box<dyn Loss>)
    }

    fn bounded_below(&self) -> bool {
        true
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Sets
    }
}
