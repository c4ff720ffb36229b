//! exhaustive: every recoding.
//!
//! In a lattice of levels, columns are nested loops, the one with most values outermost. A node's groups are rolled up
//! from the node one level below it in the innermost column that is not at its bottom, so that most nodes are made
//! from a few hundred groups rather than from the tuples.

use rayon::prelude::*;

use super::lattice::Rollup;
use super::{Evaluator, Found, Lattice, Optimizer, OptimizerEntry, SearchRun, skeleton};
use crate::error::Result;
use crate::front::Archive;
use crate::group::{FrequencyTable, Grouping};
use crate::measure::CatalogEntry;
use crate::problem::Problem;
use crate::recode::{ColumnRecoding, Recoding};

/// The outer loops are cut into at least this many tasks; the number does not depend on the threads.
const TASKS: u64 = 64;

/// Its line in the catalogue.
pub const ENTRY: OptimizerEntry = OptimizerEntry {
    entry: CatalogEntry {
        name: "exhaustive",
        aliases: &[],
        summary: "every recoding; exact",
        parameters: &[],
        reference: "S3 (its yardstick)",
    },
    make: |_| Ok(Box::new(Exhaustive)),
};

/// Every recoding: exact, and the yardstick of all others. A lattice is evaluated node by node, cuts and breaks from a
/// [skeleton](crate::theory::skeleton) of them.
///
/// For spaces of up to a million or so; [`Exact`](super::Exact) gives the same front for less.
///
/// In the catalogue `exhaustive`: [definition](crate::theory::definitions#exhaustive).
pub struct Exhaustive;

impl Optimizer for Exhaustive {
    fn name(&self) -> &'static str {
        "exhaustive"
    }

    fn asks_for_nodes(&self) -> bool {
        true
    }

    fn search(&self, table: &FrequencyTable, problem: &dyn Problem, run: &SearchRun) -> Result<Found> {
        if !table.is_lattice() {
            return skeleton::search_everything(table, problem, run);
        }
        let lattice = Lattice::of(table, self.name())?;
        if table.distant.is_some() {
            return Ok(one_by_one(table, problem, run, &lattice));
        }
        let mut order: Vec<usize> = (0..table.columns.len()).collect();
        order.sort_by_key(|column| (std::cmp::Reverse(table.columns[*column].domain.len()), *column));
        let nodes_in = |column: usize| u64::from(lattice.heights[column]) + 1;
        let (mut outer, mut tasks) = (0, 1);
        while outer < order.len() && tasks < TASKS {
            tasks *= nodes_in(order[outer]);
            outer += 1;
        }
        run.watch.phase("evaluating recodings", lattice.size());

        // With a budget, the nodes of the first tasks are evaluated and the others are not, on any number of threads.
        let inner: u64 = order[outer..].iter().fold(1u64, |size, column| size.saturating_mul(nodes_in(*column)));
        let budget = run.evaluations.unwrap_or(u64::MAX);
        let parts: Vec<(Archive, u64)> = (0..tasks)
            .into_par_iter()
            .map(|task| {
                let mut levels = vec![0; order.len()];
                let mut rest = task;
                for &column in order[..outer].iter().rev() {
                    levels[column] = (rest % nodes_in(column)) as u32;
                    rest /= nodes_in(column);
                }
                let left = budget.saturating_sub(task.saturating_mul(inner));
                let mut walk = Walk {
                    evaluator: Evaluator::new(table, problem),
                    inner: &order[outer..],
                    heights: &lattice.heights,
                    recoding: Recoding::of_levels(&levels),
                    archive: Archive::new(),
                    evaluated: 0,
                    budget: left,
                    run,
                };
                if left > 0 && !run.watch.cancelled() {
                    let mut first = Grouping::default();
                    let recoding = walk.recoding.clone();
                    walk.evaluator.group(&table.tuples, &recoding, &mut first);
                    walk.visit(0, &first, &mut vec![Default::default(); order.len() - outer]);
                }
                (walk.archive, walk.evaluated)
            })
            .collect();

        let mut found = Found { space: lattice.size(), ..Found::default() };
        let mut front = Archive::new();
        for (archive, evaluated) in parts {
            front.merge(archive);
            found.evaluated += evaluated;
        }
        found.archive = front.into();
        found.complete = Some(found.evaluated) == found.space;
        found.exact = found.complete;
        Ok(found)
    }
}

/// Every node of a table whose tuples are not here, coarse ones first.
fn one_by_one(table: &FrequencyTable, problem: &dyn Problem, run: &SearchRun, lattice: &Lattice) -> Found {
    run.watch.phase("evaluating recodings", lattice.size());
    let mut found = Found { space: lattice.size(), ..Found::default() };
    let (mut rollup, mut archive) = (Rollup::new(table, problem, run), Archive::new());
    let mut node = Some(lattice.heights.clone());
    while let Some(levels) = node {
        let spent = run.evaluations.is_some_and(|budget| found.evaluated >= budget);
        let Some(cutoffs) = rollup.evaluate(std::slice::from_ref(&levels)).pop().flatten().filter(|_| !spent) else {
            break;
        };
        let recoding = Recoding::of_levels(&levels);
        cutoffs.outcomes().for_each(|outcome| archive.insert(outcome, &recoding));
        found.evaluated += 1;
        run.watch.advance(1);
        node = next_below(levels, &lattice.heights);
    }
    found.archive = archive.into();
    found.complete = Some(found.evaluated) == found.space;
    found.exact = found.complete;
    found
}

/// The node after another, from the top down.
fn next_below(mut node: Vec<u32>, heights: &[u32]) -> Option<Vec<u32>> {
    let last = (0..node.len()).rev().find(|column| node[*column] > 0)?;
    node[last] -= 1;
    node[last + 1..].copy_from_slice(&heights[last + 1..]);
    Some(node)
}

/// One task: the inner loops below one setting of the outer ones.
struct Walk<'a> {
    evaluator: Evaluator<'a>,
    inner: &'a [usize],
    heights: &'a [u32],
    recoding: Recoding,
    archive: Archive,
    evaluated: u64,
    budget: u64,
    run: &'a SearchRun<'a>,
}

impl Walk<'_> {
    /// All nodes that differ from the current one in the inner columns from `depth` on.
    fn visit(&mut self, depth: usize, current: &Grouping, buffers: &mut [[Grouping; 2]]) {
        if self.evaluated >= self.budget || self.run.watch.cancelled() {
            return;
        }
        let Some((pair, deeper)) = buffers.split_first_mut() else {
            self.evaluator.archive(current, &self.recoding, &mut self.archive);
            self.evaluated += 1;
            self.run.watch.advance(1);
            self.run.show_part(self.evaluator.problem, &self.archive);
            return;
        };
        let column = self.inner[depth];
        self.visit(depth + 1, current, deeper);
        for level in 1..=self.heights[column] {
            // On the way back from a stop nothing more is grouped.
            if self.run.watch.cancelled() {
                break;
            }
            self.recoding.columns[column] = ColumnRecoding::Level(level);
            let [odd, even] = pair;
            let (from, to) = match level {
                1 => (current, odd),
                level if level % 2 == 0 => (&*odd, even),
                _ => (&*even, odd),
            };
            self.evaluator.group(&from.groups, &self.recoding, to);
            self.visit(depth + 1, to, deeper);
        }
        self.recoding.columns[column] = ColumnRecoding::Level(0);
    }
}
