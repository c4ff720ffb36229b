//! samarati: the lowest height at which k holds.

use std::collections::BTreeMap;

use rayon::prelude::*;

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
        name: "samarati",
        aliases: &[],
        summary: "baseline: the lowest height of the lattice at which k holds, by halving",
        parameters: &[K_PARAMETER, ETA_PARAMETER],
        reference: "Samarati 2001",
    },
    make: |call| Ok(Box::new(Samarati { asked: Asked::of(call)? })),
};

/// The lowest height of the lattice at which some node keeps k within the budget of suppression, found by halving; of
/// the nodes of that height that do, the problem's front.
///
/// Finds a node of least height, which need not be one of least loss. A [baseline](crate::theory::baselines).
/// [Reference](mod@crate::theory::references): Samarati 2001.
///
/// In the catalogue `samarati`: [definition](crate::theory::definitions#samarati).
pub struct Samarati {
    /// What it is asked.
    pub asked: Asked,
}

impl Optimizer for Samarati {
    fn name(&self) -> &'static str {
        "samarati"
    }

    fn search(&self, table: &FrequencyTable, problem: &dyn Problem, run: &SearchRun) -> Result<Found> {
        let lattice = Lattice::of(table, self.name())?;
        let budget = self.asked.budget(problem, table.rows);
        let top: u32 = lattice.heights.iter().sum();
        let mut found = Found { space: lattice.size(), complete: true, ..Found::default() };
        // The rows below the largest k tell about all smaller ones, so a height is looked at once for all k.
        let ks = self.asked.possible(table.rows);
        let mut seen: BTreeMap<u32, Vec<Looked>> = BTreeMap::new();
        run.watch.phase("looking at heights", None);
        for &k in &ks {
            if run.watch.cancelled() {
                found.complete = false;
                return Ok(found);
            }
            let at = ks.iter().position(|own| *own == k).unwrap_or_default();
            let (mut low, mut high) = (0, top);
            while low < high {
                let middle = (low + high) / 2;
                let nodes = seen.entry(middle).or_insert_with(|| {
                    let looked = look(table, problem, &lattice.heights, middle, &ks, run);
                    run.watch.advance(looked.len() as u64);
                    found.evaluated += looked.len() as u64;
                    looked
                });
                if nodes.iter().any(|(_, below)| below[at] <= budget) {
                    high = middle
                } else {
                    low = middle + 1
                }
                if run.watch.cancelled() {
                    found.complete = false;
                    return Ok(found);
                }
            }
            let nodes = seen.entry(low).or_insert_with(|| {
                let looked = look(table, problem, &lattice.heights, low, &ks, run);
                found.evaluated += looked.len() as u64;
                looked
            });
            if run.watch.cancelled() {
                found.complete = false;
                return Ok(found);
            }
            let mut evaluator = Evaluator::new(table, problem);
            let mut grouping = Grouping::default();
            for (levels, _) in nodes.iter().filter(|(_, below)| below[at] <= budget) {
                let recoding = Recoding::of_levels(levels);
                evaluator.group(&table.tuples, &recoding, &mut grouping);
                take(&mut evaluator, &grouping, &recoding, k, &mut found);
            }
        }
        Ok(found)
    }
}

/// The levels of a node, and its rows in groups below each k.
type Looked = (Vec<u32>, Vec<u64>);

/// Every node of a height with its rows in groups below each k; after a cancellation those that were looked at.
fn look(
    table: &FrequencyTable,
    problem: &dyn Problem,
    heights: &[u32],
    height: u32,
    ks: &[u64],
    run: &SearchRun,
) -> Vec<Looked> {
    let mut nodes = Vec::new();
    list(heights, height, &mut Vec::new(), &mut nodes);
    nodes
        .into_par_iter()
        .map_init(
            || (Evaluator::new(table, problem), Grouping::default()),
            |(evaluator, grouping), levels: Vec<u32>| {
                if run.watch.cancelled() {
                    return None;
                }
                evaluator.group(&table.tuples, &Recoding::of_levels(&levels), grouping);
                let below = ks.iter().map(|k| rows_below(grouping, *k)).collect();
                Some((levels, below))
            },
        )
        .flatten()
        .collect()
}

/// All nodes whose levels sum to a height.
fn list(heights: &[u32], left: u32, levels: &mut Vec<u32>, nodes: &mut Vec<Vec<u32>>) {
    let at = levels.len();
    if at == heights.len() {
        if left == 0 {
            nodes.push(levels.clone());
        }
        return;
    }
    let rest: u32 = heights[at + 1..].iter().sum();
    for level in left.saturating_sub(rest)..=left.min(heights[at]) {
        levels.push(level);
        list(heights, left - level, levels, nodes);
        levels.pop();
    }
}
