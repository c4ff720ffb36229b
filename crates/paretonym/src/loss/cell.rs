//! The loss of one cell: how much of its domain the set that it shows covers.

use serde::{Deserialize, Serialize};

use crate::group::FrequencyTable;
use crate::measure::{Call, Grouped};
use crate::recode::{ColumnSets, QuasiColumn, Run};

/// How a numeric cell is charged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NumericForm {
    /// (|set| - 1) / (|domain| - 1), as for every other column (S0 eq. 3).
    #[default]
    Leaves,
    /// (upper - lower) / (max - min) (S4).
    Interval,
}

impl NumericForm {
    /// How GL is counted in a study with this loss: as its general loss counts, by leaves where it is another one.
    pub fn of_study(loss: &str) -> Self {
        let general = Call::parse(loss).ok().filter(|call| super::general::ENTRY.entry.is_called(&call.name));
        match general.as_ref().and_then(|call| call.text("numeric")) {
            Some("interval") => NumericForm::Interval,
            _ => NumericForm::Leaves,
        }
    }
}

/// The loss of a cell that shows some leaves of a column, given as runs in order: from 0, one value, to 1, any value.
pub fn cell_loss(column: &QuasiColumn, runs: &[Run], form: NumericForm) -> f64 {
    let (part, whole) = match (&column.domain.bounds, form, runs) {
        (Some(bounds), NumericForm::Interval, [(first, _), ..]) => {
            (width(&bounds[*first as usize..=runs[runs.len() - 1].1 as usize]), width(bounds))
        }
        _ => {
            let leaves: u64 = runs.iter().map(|(first, last)| u64::from(last - first) + 1).sum();
            (leaves as f64 - 1.0, column.domain.len() as f64 - 1.0)
        }
    };
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// What a set of a column costs before it is divided by [`full`]: a whole number of leaves, or a width.
#[inline]
pub fn covered(table: &FrequencyTable, column: usize, sets: &ColumnSets, set: usize, form: NumericForm) -> f64 {
    if form == NumericForm::Interval
        && let Some(bounds) = &table.columns[column].domain.bounds
    {
        return width(&bounds[sets.first[set] as usize..sets.first[set + 1] as usize]);
    }
    f64::from(sets.size(set)) - 1.0
}

/// The same for what a group shows in a column, table-wide or local.
fn covered_by(grouped: Grouped, group: usize, column: usize, form: NumericForm) -> f64 {
    let Grouped { table, grouping } = grouped;
    let Some(local) = &grouping.local else {
        let set = grouping.set(table, group, column);
        return covered(table, column, &grouping.columns[column], set, form);
    };
    match (&table.columns[column].domain.bounds, form) {
        (Some(bounds), NumericForm::Interval) => {
            let (first, last) = local.span(group, column);
            width(&bounds[first as usize..=last as usize])
        }
        _ => f64::from(local.leaves(group, column)) - 1.0,
    }
}

/// What the whole domain of a column costs; 1 where it is a single leaf, so that its cells cost 0.
pub fn full(table: &FrequencyTable, column: usize, form: NumericForm) -> f64 {
    let domain = &table.columns[column].domain;
    let full = match (&domain.bounds, form) {
        (Some(bounds), NumericForm::Interval) => width(bounds),
        _ => domain.len() as f64 - 1.0,
    };
    if full > 0.0 { full } else { 1.0 }
}

/// From the lowest to the highest bound; leaves for "missing" have no place on the line.
fn width(bounds: &[(f64, f64)]) -> f64 {
    let low = bounds.iter().map(|bound| bound.0).fold(f64::INFINITY, f64::min);
    let high = bounds.iter().map(|bound| bound.1).fold(f64::NEG_INFINITY, f64::max);
    if high > low { high - low } else { 0.0 }
}

/// Adds rows × covered leaves of one group, column by column.
pub fn add_group(grouped: Grouped, group: usize, form: NumericForm, sums: &mut [f64]) {
    let rows = f64::from(grouped.grouping.groups.rows[group]);
    for (column, sum) in sums.iter_mut().enumerate() {
        *sum += rows * covered_by(grouped, group, column, form);
    }
}

/// The same for some groups.
pub fn add_groups(grouped: Grouped, groups: &[u32], form: NumericForm, sums: &mut [f64]) {
    let Grouped { table, grouping } = grouped;
    if grouping.local.is_some() || form == NumericForm::Interval {
        return groups.iter().for_each(|group| add_group(grouped, *group as usize, form, sums));
    }
    let rows = &grouping.groups.rows;
    for (column, sum) in sums.iter_mut().enumerate() {
        let sets = &grouping.columns[column];
        let mut covered = 0u64;
        table.each_leaf(&grouping.groups, groups, column, |group, leaf| {
            covered += u64::from(rows[group]) * u64::from(sets.size(sets.set_of[leaf] as usize) - 1);
        });
        *sum += covered as f64;
    }
}

/// The same for all groups at once: the rows of each set are known without them.
pub fn add_all_groups(grouped: Grouped, form: NumericForm, sums: &mut [f64]) {
    if grouped.grouping.local.is_some() {
        return (0..grouped.grouping.len()).for_each(|group| add_group(grouped, group, form, sums));
    }
    for (column, sum) in sums.iter_mut().enumerate() {
        let sets = &grouped.grouping.columns[column];
        let covered = |set: usize| covered(grouped.table, column, sets, set, form);
        *sum += (0..sets.len()).map(|set| sets.rows[set] as f64 * covered(set)).sum::<f64>();
    }
}

/// The cell losses of one group, each times its weight, summed.
pub fn group_loss(grouped: Grouped, group: usize, form: NumericForm, weight: impl Fn(usize) -> f64) -> f64 {
    let columns = 0..grouped.table.columns.len();
    columns
        .map(|column| weight(column) * covered_by(grouped, group, column, form) / full(grouped.table, column, form))
        .sum()
}
