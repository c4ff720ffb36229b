//! Non-uniform entropy: hiding a rare value costs more than hiding a frequent one.

use super::measure_by_sums;
use crate::group::{FrequencyTable, Kept, Needs};
use crate::measure::{CatalogEntry, Grain, Grouped, Knowledge, Loss, LossEntry, LossParts, PropertyVector, Remaining};

/// Its line in the catalogue.
pub const ENTRY: LossEntry = LossEntry {
    entry: CatalogEntry {
        name: "entropy",
        aliases: &["non-uniform-entropy"],
        summary: "ln of how much more frequent a set is than the value it hides",
        parameters: &[],
        reference: "Gionis and Tassa 2009",
    },
    bounded_below: true,
    normalized: true,
    make: |table, _, _| Ok(Box::new(Entropy::new(table))),
};

/// Non-uniform entropy: a cell costs ln(count(set) / count(leaf)), counts in the original table, a suppressed one ln(n
/// / count(leaf)); the sum is divided by what it would be with everything suppressed.
///
/// To hide a rare value among frequent ones costs much, the other way round little.
///
/// Example: a column with values a, a, b shown as one set, nothing else: 1.
///
/// Monotone; unsuppressed value is a lower bound. [Reference](mod@crate::theory::references): Gionis and Tassa 2009.
///
/// In the catalogue `entropy`: [definition](crate::theory::definitions#entropy).
pub struct Entropy {
    /// The sum with everything suppressed.
    everything: f64,
}

impl Entropy {
    /// For a table.
    pub fn new(table: &FrequencyTable) -> Self {
        // Rows that are all equal have nothing to lose; rounding must not make it something.
        let alike = |rows: &Vec<u64>| rows.iter().filter(|rows| **rows > 0).count() == 1;
        if table.leaf_rows.iter().all(alike) {
            return Entropy { everything: 0.0 };
        }
        let leaves: f64 = table.leaf_logs().iter().sum();
        Entropy { everything: fully_hidden(table, table.rows as f64) - leaves }
    }

    fn row_losses(&self, kept: &Kept) -> PropertyVector {
        let table = kept.table;
        let grouped = Grouped { table, grouping: kept.grouping };
        let shown: Vec<f64> = (0..kept.grouping.len()).map(|group| set_logs(grouped, group)).collect();
        let hidden = fully_hidden(table, 1.0);
        // A row's own loss as a share of the mean loss with everything suppressed, so that the mean of the vector is
        // the score.
        let scale = self.everything / table.rows as f64;
        let logs = table.leaf_logs();
        let groups = kept.grouping.group_of.iter().map(|group| *group as usize);
        let values = groups.enumerate().map(|(tuple, group)| {
            let own = logs[tuple] / table.tuples.rows.get(tuple) as f64;
            let shown = if kept.suppressed.groups[group] { hidden } else { shown[group] };
            if scale > 0.0 { (shown - own) / scale } else { 0.0 }
        });
        PropertyVector { grain: Grain::Tuple, values: values.collect() }
    }
}

/// Rows times the sum over columns of ln n: what hidden rows show.
fn fully_hidden(table: &FrequencyTable, rows: f64) -> f64 {
    rows * table.columns.len() as f64 * (table.rows as f64).ln()
}

/// The sum over columns of ln(count(set)) that a row of a group shows.
fn set_logs(grouped: Grouped, group: usize) -> f64 {
    if let Some(local) = &grouped.grouping.local {
        let columns = 0..grouped.table.columns.len();
        return columns.map(|column| (local.rows(group, column) as f64).ln()).sum();
    }
    let columns = grouped.grouping.columns.iter().enumerate();
    columns.map(|(column, sets)| (sets.rows[grouped.grouping.set(grouped.table, group, column)] as f64).ln()).sum()
}

measure_by_sums!(Entropy, Needs { leaf_logs: true, ..Needs::default() }, |_: &Entropy| "entropy".to_owned());

impl Loss for Entropy {
    /// What kept rows show, and what they would show if they were hidden; both above their leaves.
    fn sums(&self, _: &FrequencyTable) -> usize {
        2
    }

    fn add(&self, grouped: Grouped, group: usize, sums: &mut [f64]) {
        let view = grouped.grouping.groups.view(group);
        let rows = view.rows() as f64;
        sums[0] += rows * set_logs(grouped, group) - view.leaf_logs();
        sums[1] += fully_hidden(grouped.table, rows) - view.leaf_logs();
    }

    fn add_all(&self, grouped: Grouped, sums: &mut [f64]) {
        if grouped.grouping.local.is_some() {
            return (0..grouped.grouping.len()).for_each(|group| self.add(grouped, group, sums));
        }
        let hidden = fully_hidden(grouped.table, grouped.table.rows as f64);
        let shown = grouped.grouping.columns.iter().flat_map(|sets| &sets.rows);
        let shown: f64 = shown.filter(|rows| **rows > 0).map(|rows| *rows as f64 * (*rows as f64).ln()).sum();
        sums[0] += shown - (hidden - self.everything);
        sums[1] += self.everything;
    }

    fn parts(&self, _: &FrequencyTable, sums: &[f64], remaining: Remaining) -> LossParts {
        if self.everything <= 0.0 || remaining.rows == 0 {
            return LossParts { kept: 0.0, suppressed: if remaining.rows == 0 { 1.0 } else { 0.0 } };
        }
        LossParts { kept: sums[0] / self.everything, suppressed: (self.everything - sums[1]) / self.everything }
    }

    fn bounded_below(&self) -> bool {
        true
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Sets
    }
}
