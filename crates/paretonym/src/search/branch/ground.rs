//! What all hunts of a search share.

use super::sheet::Sheet;
use crate::group::FrequencyTable;
use crate::measure::GroupCost;
use crate::problem::{Problem, budget_rows};
use crate::search::genetic::{Layout, Pool};

/// Questions about columns are kept as bits of a number.
const MOST_COLUMNS: usize = 64;
/// All runs of neighbouring leaves are charged: so many leaves give a hundred thousand runs.
const MOST_LEAVES: usize = 512;

/// The table, the problem, and what follows from them.
pub(super) struct Ground<'a> {
    pub table: &'a FrequencyTable,
    pub problem: &'a dyn Problem,
    pub layout: &'a Layout,
    pub pool: &'a Pool<'a>,
    /// How many rows may be suppressed.
    pub budget: u64,
    pub sheet: Sheet,
}

impl<'a> Ground<'a> {
    /// For a problem of which [`why_not`] finds nothing to say.
    pub fn new(pool: &'a Pool<'a>) -> Self {
        let (table, problem, layout) = (pool.table, pool.problem, pool.layout);
        let eta = problem.budget().map_or(0.0, |budget| budget.eta);
        let budget = if problem.may_suppress() { budget_rows(eta, table.rows) } else { 0 };
        Ground { table, problem, layout, pool, budget, sheet: Sheet::of(table) }
    }

    /// What a row loses in a column by showing some leaves.
    pub fn cell(&self, column: usize, first: usize, end: usize) -> f64 {
        self.problem.loss().cell(self.table, column, first..end)
    }
}

/// Why recodings of a table cannot be searched this way; none where they can.
pub(super) fn why_not(table: &FrequencyTable, problem: &dyn Problem) -> Option<String> {
    let models = problem.models();
    if problem.budget().is_none() || problem.objectives().len() != 2 || models.len() != 1 || !models[0].counts_rows() {
        return Some("it proves fronts of k against a loss, for the problem max-suppression".to_owned());
    }
    if table.distant.is_some() {
        return Some("it needs the distinct tuples of the table".to_owned());
    }
    if problem.loss().group_cost(table) != GroupCost::Cells {
        return Some(format!("the loss {} is not a sum of cells", problem.loss().name()));
    }
    if table.columns.len() > MOST_COLUMNS {
        return Some(format!("it takes at most {MOST_COLUMNS} columns"));
    }
    let wide = table
        .columns
        .iter()
        .find(|column| column.family == crate::recode::Family::Breaks && column.domain.len() > MOST_LEAVES);
    wide.map(|column| {
        format!("column {:?} has {} values to break between, more than {MOST_LEAVES}", column.name, column.domain.len())
    })
}
