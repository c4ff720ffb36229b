//! The loss of one cell: how much of its domain the set that it shows covers.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::data::{Domain, Narrow};
use crate::measure::{Call, Grouped};
use crate::recode::{ColumnSets, LeafRun, QuasiColumn};

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

/// What some leaves of a column cost before that is divided by [`full`]: a whole number of values, or a width.
#[inline]
pub fn covered(column: &QuasiColumn, first: usize, end: usize, form: NumericForm) -> f64 {
    if form == NumericForm::Interval && column.domain.bounds.is_some() {
        return column.domain.span(first, end).map_or(0.0, |(low, high)| high - low);
    }
    f64::from(column.domain.values(first, end)) - 1.0
}

/// The same for what a group shows in a column, table-wide or local.
fn covered_by(grouped: Grouped, group: usize, at: usize, form: NumericForm) -> f64 {
    let Grouped { table, grouping } = grouped;
    let column = &table.columns[at];
    let Some(local) = &grouping.local else {
        let (sets, set) = (&grouping.columns[at], grouping.set(table, group, at));
        return covered(column, sets.first[set] as usize, sets.first[set + 1] as usize, form);
    };
    match (&column.domain.bounds, form) {
        (Some(_), NumericForm::Interval) => {
            let (first, last) = local.span(group, at);
            covered(column, first as usize, last as usize + 1, form)
        }
        _ => f64::from(local.values(group, at)) - 1.0,
    }
}

/// What the whole domain of a column costs; 1 where it is a single value, so that its cells cost 0.
pub fn full(column: &QuasiColumn, form: NumericForm) -> f64 {
    let full = covered(column, 0, column.domain.len(), form);
    if full > 0.0 { full } else { 1.0 }
}

/// The loss of a cell that shows neighbouring leaves, from 0 (one value) to 1 (any value).
pub fn share(column: &QuasiColumn, leaves: Range<usize>, form: NumericForm) -> f64 {
    covered(column, leaves.start, leaves.end, form) / full(column, form)
}

/// The loss of a cell that shows some runs of leaves, from 0 (one value) to 1 (any value).
pub fn cell_loss(column: &QuasiColumn, runs: &[LeafRun], form: NumericForm) -> f64 {
    let (Some(first), Some(last)) = (runs.first(), runs.last()) else { return 0.0 };
    let part = match (runs, &column.domain.bounds, form) {
        // An interval is as wide as its ends lie apart, whatever it leaves out between them.
        ([_], _, _) | (_, Some(_), NumericForm::Interval) => {
            covered(column, first.0 as usize, last.1 as usize + 1, form)
        }
        _ => {
            let values = runs.iter().map(|(first, last)| column.domain.values(*first as usize, *last as usize + 1));
            f64::from(values.sum::<u32>()) - 1.0
        }
    };
    part / full(column, form)
}

/// A column's part in GL: the losses of its kept cells over all rows, from the kept rows of each of its sets. GL is the mean
/// of it over the columns.
pub fn column_loss(column: &QuasiColumn, sets: &ColumnSets, kept: &[u64], all: u64, form: NumericForm) -> f64 {
    let lost = |set: usize| cell_loss(column, &[(sets.first[set], sets.first[set + 1] - 1)], form) * kept[set] as f64;
    (0..sets.len()).map(lost).sum::<f64>() / all as f64
}

/// Adds rows × covered leaves of one group, column by column.
pub fn add_group(grouped: Grouped, group: usize, form: NumericForm, sums: &mut [f64]) {
    let rows = grouped.grouping.groups.rows.get(group) as f64;
    for (column, sum) in sums.iter_mut().enumerate() {
        *sum += rows * covered_by(grouped, group, column, form);
    }
}

/// The same for some groups.
pub fn add_groups(grouped: Grouped, groups: &[u32], form: NumericForm, sums: &mut [f64]) {
    let grouping = grouped.grouping;
    if grouping.local.is_some() || form == NumericForm::Interval {
        return groups.iter().for_each(|group| add_group(grouped, *group as usize, form, sums));
    }
    match &grouping.groups.rows {
        Narrow::Four(rows) => add_leaves(grouped, groups, |group| u64::from(rows[group]), sums),
        rows => add_leaves(grouped, groups, |group| rows.get(group), sums),
    }
}

/// Adds rows × covered leaves of some groups of a table-wide recoding, column by column.
fn add_leaves(grouped: Grouped, groups: &[u32], rows: impl Fn(usize) -> u64, sums: &mut [f64]) {
    let Grouped { table, grouping } = grouped;
    for (column, sum) in sums.iter_mut().enumerate() {
        let sets = &grouping.columns[column];
        let mut covered = 0u64;
        match &table.columns[column].domain {
            Domain { within: None, .. } => table.each_leaf(&grouping.groups, groups, column, |group, leaf| {
                covered += rows(group) * u64::from(sets.size(sets.set_of[leaf] as usize) - 1);
            }),
            domain => table.each_leaf(&grouping.groups, groups, column, |group, leaf| {
                let set = sets.set_of[leaf] as usize;
                let values = domain.values(sets.first[set] as usize, sets.first[set + 1] as usize);
                covered += rows(group) * u64::from(values - 1);
            }),
        }
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
        let quasi = &grouped.table.columns[column];
        let covered = |set: usize| covered(quasi, sets.first[set] as usize, sets.first[set + 1] as usize, form);
        *sum += (0..sets.len()).map(|set| sets.rows[set] as f64 * covered(set)).sum::<f64>();
    }
}

/// The cell losses of one group, each times its weight, summed.
pub fn group_loss(grouped: Grouped, group: usize, form: NumericForm, weight: impl Fn(usize) -> f64) -> f64 {
    let columns = 0..grouped.table.columns.len();
    columns
        .map(|column| {
            weight(column) * covered_by(grouped, group, column, form) / full(&grouped.table.columns[column], form)
        })
        .sum()
}
