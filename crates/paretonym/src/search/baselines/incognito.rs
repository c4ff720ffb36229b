//! incognito: all lowest nodes that keep k.

use std::collections::HashMap;

use super::{Asked, ETA_PARAMETER, K_PARAMETER, rows_below, take};
use crate::error::{Error, Result};
use crate::group::{FrequencyTable, Grouping};
use crate::measure::CatalogEntry;
use crate::problem::Problem;
use crate::recode::Recoding;
use crate::search::{Evaluator, Found, Lattice, Optimizer, OptimizerEntry, SearchRun};

/// The most columns and nodes that are looked at: sets of columns double with each column.
const MOST_COLUMNS: usize = 20;
const MOST_NODES: u64 = 50_000_000;

/// Its line in the catalogue.
pub const ENTRY: OptimizerEntry = OptimizerEntry {
    entry: CatalogEntry {
        name: "incognito",
        aliases: &[],
        summary: "baseline: all lowest nodes of the lattice that keep k, from small sets of columns to large",
        parameters: &[K_PARAMETER, ETA_PARAMETER],
        reference: "LeFevre et al. 2005",
    },
    make: |call| Ok(Box::new(Incognito { asked: Asked::of(call)? })),
};

/// All full-domain recodings that keep k within the budget of suppression, found from small sets of columns to large
/// ones: a node can keep k only if it does so without any one of its columns, and whatever lies above a node that
/// keeps k does too. The lowest of them are judged.
///
/// Complete for the lattice: with nothing suppressed it finds the least loss for its k. A
/// [baseline](crate::theory::baselines). [Reference](mod@crate::theory::references): LeFevre et al. 2005.
///
/// In the catalogue `incognito`: [definition](crate::theory::definitions#incognito).
pub struct Incognito {
    /// What it is asked.
    pub asked: Asked,
}

impl Optimizer for Incognito {
    fn name(&self) -> &'static str {
        "incognito"
    }

    fn search(&self, table: &FrequencyTable, problem: &dyn Problem, run: &SearchRun) -> Result<Found> {
        let lattice = Lattice::of(table, self.name())?;
        let size = lattice.size().unwrap_or(u64::MAX);
        if lattice.heights.len() > MOST_COLUMNS || size > MOST_NODES {
            return Err(Error::study(format!(
                "incognito looks at every set of columns, and {} columns with {size} nodes are too many; use fewer levels, or optimizer = \"exact\"",
                lattice.heights.len()
            )));
        }
        let mut found = Found { space: lattice.size(), complete: true, ..Found::default() };
        for k in self.asked.possible(table.rows) {
            run.watch.phase("looking at sets of columns", Some(1 << lattice.heights.len()));
            let mut search = Search {
                table,
                heights: &lattice.heights,
                evaluator: Evaluator::new(table, problem),
                k,
                budget: self.asked.budget(problem, table.rows),
                known: HashMap::new(),
                evaluated: 0,
            };
            let all = (1u32 << lattice.heights.len()) - 1;
            let mut sets: Vec<u32> = (1..=all).collect();
            sets.sort_by_key(|set| (set.count_ones(), *set));
            for set in sets {
                if run.watch.cancelled() {
                    found.complete = false;
                    return Ok(found);
                }
                search.look(set, run);
                run.watch.advance(1);
            }
            if run.watch.cancelled() {
                found.complete = false;
                return Ok(found);
            }
            let mut grouping = Grouping::default();
            for levels in search.lowest(all) {
                let recoding = Recoding::of_levels(&levels);
                search.evaluator.group(&table.tuples, &recoding, &mut grouping);
                take(&mut search.evaluator, &grouping, &recoding, k, &mut found);
            }
            found.evaluated += search.evaluated;
        }
        Ok(found)
    }
}

/// The search for one k.
struct Search<'a> {
    table: &'a FrequencyTable,
    heights: &'a [u32],
    evaluator: Evaluator<'a>,
    k: u64,
    budget: u64,
    /// Per set of columns: whether each of its nodes, in mixed radix, keeps k.
    known: HashMap<u32, Vec<bool>>,
    evaluated: u64,
}

impl Search<'_> {
    /// The columns of a set.
    fn columns(&self, set: u32) -> Vec<usize> {
        (0..self.heights.len()).filter(|column| set >> column & 1 == 1).collect()
    }

    /// Finds out which nodes of a set of columns keep k. Columns outside are hidden, as at their top level.
    fn look(&mut self, set: u32, run: &SearchRun) {
        let columns = self.columns(set);
        let sizes: Vec<usize> = columns.iter().map(|column| self.heights[*column] as usize + 1).collect();
        let count: usize = sizes.iter().product();
        let mut strides = vec![1; columns.len()];
        for at in (0..columns.len().saturating_sub(1)).rev() {
            strides[at] = strides[at + 1] * sizes[at + 1];
        }
        let mut keeps = vec![false; count];
        // The tuples of these columns alone, from which all nodes of the set are rolled up.
        let mut levels = self.heights.to_vec();
        columns.iter().for_each(|column| levels[*column] = 0);
        let (mut base, mut grouping) = (Grouping::default(), Grouping::default());
        self.evaluator.group(&self.table.tuples, &Recoding::of_levels(&levels), &mut base);
        for node in 0..count {
            if run.watch.cancelled() {
                return;
            }
            let digit = |at: usize| node / strides[at] % sizes[at];
            // Nodes below come first in mixed radix.
            if (0..columns.len()).any(|at| digit(at) > 0 && keeps[node - strides[at]]) {
                keeps[node] = true;
                continue;
            }
            let possible = columns.len() == 1
                || (0..columns.len()).all(|without| {
                    let part = &self.known[&(set & !(1 << columns[without]))];
                    let others = (0..columns.len()).filter(|at| *at != without);
                    part[others.fold(0, |code, at| code * sizes[at] + digit(at))]
                });
            if !possible {
                continue;
            }
            columns.iter().enumerate().for_each(|(at, column)| levels[*column] = digit(at) as u32);
            self.evaluator.group(&base.groups, &Recoding::of_levels(&levels), &mut grouping);
            keeps[node] = rows_below(&grouping, self.k) <= self.budget;
            self.evaluated += u64::from(columns.len() == self.heights.len());
        }
        self.known.insert(set, keeps);
    }

    /// The nodes of a set that keep k while no node one level below does.
    fn lowest(&self, set: u32) -> Vec<Vec<u32>> {
        let keeps = &self.known[&set];
        let sizes: Vec<usize> = self.heights.iter().map(|height| *height as usize + 1).collect();
        let levels_of = |mut node: usize| {
            let mut levels = vec![0; sizes.len()];
            for at in (0..sizes.len()).rev() {
                levels[at] = (node % sizes[at]) as u32;
                node /= sizes[at];
            }
            levels
        };
        let is_lowest = |node: &usize| {
            let levels = levels_of(*node);
            let mut stride = 1;
            (0..sizes.len()).rev().all(|at| {
                let below = levels[at] > 0 && keeps[*node - stride];
                stride *= sizes[at];
                !below
            })
        };
        (0..keeps.len()).filter(|node| keeps[*node]).filter(is_lowest).map(levels_of).collect()
    }
}
