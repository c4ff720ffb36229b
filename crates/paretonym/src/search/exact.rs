//! **exact.** The whole Pareto front of the lattice, proven, from as few nodes as the bounds allow.
//!
//! Nodes are met from the top down, coarse before fine, and of those equally high the least loss first. A node is skipped
//! when what is known of coarser nodes ([`Ceiling`]) and of its own sets proves that the archive already holds something
//! better than each of its outcomes. Why that is right: docs/theory/exact.md.
//!
//! Where no bound holds (see `Problem::prunable`) every node is evaluated, and a note says so. A lattice too large to
//! enumerate, or a spent budget, gives the best front found and a proven lower bound of the loss at each of its points.

use rayon::prelude::*;

use super::bounds::{Ceiling, Floors};
use super::large::search_large;
use super::{Evaluator, Exhaustive, Found, Lattice, Optimizer, OptimizerEntry, Run};
use crate::error::Result;
use crate::front::{Archive, Outcome};
use crate::group::{FrequencyTable, Grouping};
use crate::measure::Entry;
use crate::problem::Problem;
use crate::recode::Recoding;

/// Its line in the catalogue.
pub const ENTRY: OptimizerEntry = OptimizerEntry {
    entry: Entry {
        name: "exact",
        aliases: &[],
        summary: "the whole front of the lattice of levels, proven, from few nodes",
        parameters: &[],
        reference: "docs/theory/exact.md",
    },
    make: |_| Ok(Box::new(Exact)),
};

/// Lattices up to this size are enumerated; the bounds of every node are then known.
const ENUMERABLE: u64 = 1 << 20;
/// Nodes evaluated together; the archive grows between batches. The number does not depend on the threads.
const BATCH: usize = 8;

/// See the head of this file.
pub struct Exact;

impl Optimizer for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn search(&self, table: &FrequencyTable, problem: &dyn Problem, run: &Run) -> Result<Found> {
        let lattice = Lattice::of(table, self.name())?;
        if let Err(reason) = problem.prunable() {
            let mut found = Exhaustive.search(table, problem, run)?;
            found.notes.push(format!("exact fell back to evaluating every node: {reason}"));
            return Ok(found);
        }
        match lattice.size().filter(|size| *size <= ENUMERABLE) {
            Some(_) => Ok(Sweep::new(table, problem, run, lattice).search()),
            None => Ok(search_large(table, problem, run, &lattice)),
        }
    }
}

/// A search of a lattice whose every node can be looked at.
struct Sweep<'a> {
    table: &'a FrequencyTable,
    problem: &'a dyn Problem,
    run: &'a Run<'a>,
    lattice: Lattice,
    archive: Archive,
    evaluated: u64,
}

/// A node that waits for its turn.
struct Waiting {
    levels: Vec<u32>,
    floor: f64,
    ceiling: Ceiling,
    evaluated: bool,
}

impl<'a> Sweep<'a> {
    fn new(table: &'a FrequencyTable, problem: &'a dyn Problem, run: &'a Run<'a>, lattice: Lattice) -> Self {
        Sweep { table, problem, run, lattice, archive: Archive::new(), evaluated: 0 }
    }

    fn search(mut self) -> Found {
        let size = self.lattice.size();
        self.run.watch.phase("proving the front", size);
        let floors = Floors::new(self.table, self.problem);
        let mut evaluators: Vec<(Evaluator, Grouping)> = Vec::new();
        evaluators.resize_with(BATCH, || (Evaluator::new(self.table, self.problem), Grouping::default()));

        // The bottom first: it alone beats most of what reaches no privacy at all.
        let bottom = vec![0; self.lattice.heights.len()];
        let cutoffs = evaluate(&mut evaluators[0], &bottom);
        self.take(&bottom, &cutoffs);

        let total: u32 = self.lattice.heights.iter().sum();
        let mut above: Vec<(Vec<u32>, Ceiling)> = Vec::new();
        for sum in (1..=total).rev() {
            let mut rank = self.rank(sum, &above, &floors);
            self.run.watch.advance(rank.len() as u64);
            self.run.watch.note(&format!("{} evaluated, {} points", self.evaluated, self.archive.entries().len()));
            self.run.show(self.table, self.problem, &self.archive, self.evaluated);
            let mut next = 0;
            while next < rank.len() {
                let mut batch = Vec::new();
                while next < rank.len() && batch.len() < BATCH {
                    if !rank[next].ceiling.is_beaten(rank[next].floor, &self.archive) {
                        batch.push(next);
                    }
                    next += 1;
                }
                let left = self.run.evaluations.map_or(u64::MAX, |budget| budget.saturating_sub(self.evaluated));
                let stop = left < batch.len() as u64 || self.run.watch.cancelled();
                batch.truncate(if self.run.watch.cancelled() { 0 } else { left.min(BATCH as u64) as usize });
                let cutoffs: Vec<Cutoffs> = batch
                    .par_iter()
                    .zip(&mut evaluators)
                    .map(|(at, evaluator)| evaluate(evaluator, &rank[*at].levels))
                    .collect();
                for (at, cutoffs) in batch.iter().zip(&cutoffs) {
                    let waiting = &mut rank[*at];
                    waiting.ceiling.tighten(&Ceiling::of_cutoffs(&cutoffs.all, waiting.floor));
                    waiting.evaluated = true;
                    self.take(&waiting.levels, cutoffs);
                }
                if stop {
                    return self.stopped(sum, rank, &floors);
                }
            }
            above = rank.into_iter().map(|waiting| (waiting.levels, waiting.ceiling)).collect();
            above.sort_by(|a, b| a.0.cmp(&b.0));
        }
        Found {
            archive: self.archive,
            evaluated: self.evaluated,
            space: size,
            exact: true,
            complete: true,
            ..Found::default()
        }
    }

    /// All nodes whose levels add up to `sum`, the least loss first, with what the nodes above tell of them.
    fn rank(&self, sum: u32, above: &[(Vec<u32>, Ceiling)], floors: &Floors) -> Vec<Waiting> {
        let mut rank: Vec<Waiting> = nodes_of_sum(&self.lattice.heights, sum)
            .into_iter()
            .map(|levels| {
                let ceiling = self.inherited(&levels, above);
                Waiting { floor: floors.of(&levels), ceiling, levels, evaluated: false }
            })
            .collect();
        rank.sort_by(|a, b| a.floor.total_cmp(&b.floor).then(a.levels.cmp(&b.levels)));
        rank
    }

    /// What the nodes one level coarser in one column tell of a node.
    fn inherited(&self, levels: &[u32], above: &[(Vec<u32>, Ceiling)]) -> Ceiling {
        let mut ceiling = Ceiling::default();
        let mut up = levels.to_vec();
        for column in 0..levels.len() {
            up[column] += 1;
            if let Ok(at) = above.binary_search_by(|(node, _)| node.as_slice().cmp(&up)) {
                ceiling.tighten(&above[at].1);
            }
            up[column] -= 1;
        }
        if ceiling.best.is_empty() {
            ceiling.best = vec![f64::NEG_INFINITY; self.problem.objectives().len() - 1];
        }
        ceiling
    }

    fn take(&mut self, levels: &[u32], cutoffs: &Cutoffs) {
        let recoding = Recoding::of_levels(levels);
        cutoffs.outcomes().for_each(|outcome| self.archive.insert(outcome, &recoding));
        self.evaluated += 1;
    }

    /// The front so far, with a bound at each of its points: the least that any node not yet dealt with could lose there.
    fn stopped(self, sum: u32, mut open: Vec<Waiting>, floors: &Floors) -> Found {
        let entries = self.archive.entries();
        let mut bounds: Vec<f64> = entries.iter().map(|entry| *entry.point.costs().last().expect("a loss")).collect();
        for lower in (1..=sum).rev() {
            for waiting in &open {
                if waiting.evaluated || waiting.ceiling.is_beaten(waiting.floor, &self.archive) {
                    continue;
                }
                for (entry, bound) in entries.iter().zip(&mut bounds) {
                    let privacy = &entry.point.costs()[..entry.point.costs().len() - 1];
                    if waiting.ceiling.best.iter().zip(privacy).all(|(best, own)| best <= own) {
                        *bound = bound.min(waiting.floor + waiting.ceiling.extra(privacy[0]));
                    }
                }
            }
            let mut known: Vec<(Vec<u32>, Ceiling)> =
                open.into_iter().map(|waiting| (waiting.levels, waiting.ceiling)).collect();
            known.sort_by(|a, b| a.0.cmp(&b.0));
            open = if lower > 1 { self.rank(lower - 1, &known, floors) } else { Vec::new() };
        }
        Found {
            evaluated: self.evaluated,
            space: self.lattice.size(),
            exact: false,
            complete: false,
            bounds,
            notes: vec!["stopped before the front was proven; each solution has a lower bound of the loss".to_owned()],
            archive: self.archive,
            regions: None,
        }
    }
}

/// What an evaluated node can do.
pub(super) struct Cutoffs {
    /// Every cut-off, none first.
    pub all: Vec<Outcome>,
    /// Whether each is an outcome under the problem's rule.
    pub counts: Vec<bool>,
}

impl Cutoffs {
    /// Those that the problem's rule allows.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.all.iter().zip(&self.counts).filter(|(_, counts)| **counts).map(|(outcome, _)| outcome)
    }
}

/// Evaluates a node.
pub(super) fn evaluate((evaluator, grouping): &mut (Evaluator, Grouping), levels: &[u32]) -> Cutoffs {
    evaluator.group(&evaluator.table.tuples, &Recoding::of_levels(levels), grouping);
    let mut cutoffs = Cutoffs { all: Vec::new(), counts: Vec::new() };
    evaluator.cutoffs(grouping, &mut |outcome, counts| {
        cutoffs.all.push(outcome);
        cutoffs.counts.push(counts);
    });
    cutoffs
}

/// All level vectors with a given sum, in lexicographic order.
fn nodes_of_sum(heights: &[u32], sum: u32) -> Vec<Vec<u32>> {
    fn extend(heights: &[u32], left: u32, prefix: &mut Vec<u32>, nodes: &mut Vec<Vec<u32>>) {
        let Some((height, rest)) = heights.split_first() else {
            nodes.push(prefix.clone());
            return;
        };
        let room: u32 = rest.iter().sum();
        for level in left.saturating_sub(room)..=(*height).min(left) {
            prefix.push(level);
            extend(rest, left - level, prefix, nodes);
            prefix.pop();
        }
    }
    let mut nodes = Vec::new();
    if sum <= heights.iter().sum() {
        extend(heights, sum, &mut Vec::new(), &mut nodes);
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_is_met_once() {
        let heights = [2, 1, 3];
        let mut nodes: Vec<Vec<u32>> = (0..=6).flat_map(|sum| nodes_of_sum(&heights, sum)).collect();
        nodes.sort();
        nodes.dedup();
        assert_eq!(nodes.len(), 3 * 2 * 4);
        assert!(nodes_of_sum(&heights, 7).is_empty());
    }
}
