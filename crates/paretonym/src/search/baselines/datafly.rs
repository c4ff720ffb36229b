//! datafly: the column with most values goes up.

use super::{Asked, ETA_PARAMETER, K_PARAMETER, rows_below, take};
use crate::error::Result;
use crate::group::{FrequencyTable, Grouping};
use crate::measure::CatalogEntry;
use crate::problem::Problem;
use crate::recode::Recoding;
use crate::search::{Evaluator, Found, Lattice, Optimizer, OptimizerEntry, SearchRun};

/// Its line in the catalogue.
pub const ENTRY: OptimizerEntry = OptimizerEntry {
    entry: CatalogEntry {
        name: "datafly",
        aliases: &[],
        summary: "baseline: generalizes the column with most values until k holds",
        parameters: &[K_PARAMETER, ETA_PARAMETER],
        reference: "Sweeney 2002",
    },
    make: |call| Ok(Box::new(Datafly { asked: Asked::of(call)? })),
};

/// Generalizes the column with the most distinct values by one level, again and again, until the rows in groups
/// smaller than k fit the budget of suppression.
///
/// Greedy, and blind to loss: a [baseline](crate::theory::baselines). [Reference](mod@crate::theory::references):
/// Sweeney 2002, section 4.
///
/// In the catalogue `datafly`: [definition](crate::theory::definitions#datafly).
pub struct Datafly {
    /// What it is asked.
    pub asked: Asked,
}

impl Optimizer for Datafly {
    fn name(&self) -> &'static str {
        "datafly"
    }

    fn search(&self, table: &FrequencyTable, problem: &dyn Problem, run: &SearchRun) -> Result<Found> {
        let lattice = Lattice::of(table, self.name())?;
        let budget = self.asked.budget(problem, table.rows);
        let mut evaluator = Evaluator::new(table, problem);
        let mut grouping = Grouping::default();
        let mut found = Found { space: lattice.size(), complete: true, ..Found::default() };
        let mut levels = vec![0; lattice.heights.len()];
        // A larger k starts from a smaller one's answer: the way up is the same.
        for k in self.asked.possible(table.rows).into_iter().rev() {
            loop {
                if run.watch.cancelled() {
                    found.complete = false;
                    return Ok(found);
                }
                let recoding = Recoding::of_levels(&levels);
                evaluator.group(&table.tuples, &recoding, &mut grouping);
                found.evaluated += 1;
                let next = widest(table, &grouping, &lattice.heights);
                if rows_below(&grouping, k) <= budget || next.is_none() {
                    take(&mut evaluator, &grouping, &recoding, k, &mut found);
                    break;
                }
                if let Some((column, level)) = next {
                    levels[column] = level + 1;
                }
            }
        }
        Ok(found)
    }
}

/// The column with the most values among the groups that can still be generalized, and its level.
fn widest(table: &FrequencyTable, grouping: &Grouping, heights: &[u32]) -> Option<(usize, u32)> {
    let level = |column: usize| grouping.levels[column].unwrap_or(heights[column]);
    let open = (0..heights.len()).filter(|column| level(*column) < heights[*column]);
    let values = |column: usize| {
        let mut seen = vec![false; grouping.columns[column].len()];
        (0..grouping.len()).for_each(|group| seen[grouping.set(table, group, column)] = true);
        seen.iter().filter(|seen| **seen).count()
    };
    open.map(|column| (values(column), std::cmp::Reverse(column))).max().map(|(_, column)| (column.0, level(column.0)))
}
