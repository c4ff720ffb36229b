//! Lattices whose every node can be looked at.
//!
//! Nodes are met from the top down, coarse before fine, and of those equally high the least loss first. A node is
//! skipped when what is known of coarser nodes ([`Ceiling`]), and of its own sets or of finer nodes ([`LossFloor`]),
//! proves that the archive already holds something better than each of its outcomes.

use std::collections::HashMap;

use crate::front::Archive;
use crate::group::FrequencyTable;
use crate::problem::Problem;
use crate::recode::Recoding;
use crate::search::lattice::{Ceiling, LossFloor, Rollup};
use crate::search::{Found, Lattice, SearchRun};

/// Nodes evaluated together; the archive grows between batches. The number does not depend on the threads.
const BATCH: usize = 8;
/// With a budget, nodes that could better the front by less than this share of the whole loss come last: wherever the
/// search stops after that, no bound is further off.
const COARSE_MARGIN: f64 = 0.02;

/// By what nodes are skipped.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bounds {
    /// By everything that is known of levels and losses.
    All,
    /// By floors alone, which leave a node and all finer ones nothing.
    Floors,
}

/// A search of a lattice whose every node can be looked at.
pub(super) struct Sweep<'a> {
    table: &'a FrequencyTable,
    problem: &'a dyn Problem,
    run: &'a SearchRun<'a>,
    lattice: Lattice,
    bench: Rollup<'a>,
    bounds: Bounds,
    floors: LossFloor,
    archive: Archive,
    /// The evaluated nodes.
    known: HashMap<Vec<u32>, Ceiling>,
}

/// A node of a rank, and what is known of it.
struct Waiting {
    levels: Vec<u32>,
    floor: f64,
    ceiling: Ceiling,
    evaluated: bool,
}

/// The budget is spent, or the user has had enough.
struct Stopped;

impl<'a> Sweep<'a> {
    pub fn new(
        table: &'a FrequencyTable,
        problem: &'a dyn Problem,
        run: &'a SearchRun<'a>,
        lattice: Lattice,
        bounds: Bounds,
    ) -> Self {
        let floors = match bounds {
            Bounds::All => LossFloor::new(table, problem),
            Bounds::Floors => LossFloor::Unknown,
        };
        Sweep {
            table,
            problem,
            run,
            lattice,
            bench: Rollup::new(table, problem, run),
            bounds,
            floors,
            archive: Archive::new(),
            known: HashMap::new(),
        }
    }

    pub fn search(mut self) -> Found {
        let proven = self.prove();
        let (evaluated, space) = (self.known.len() as u64, self.lattice.size());
        let mut found = Found { evaluated, space, exact: true, complete: true, ..Found::default() };
        if proven.is_err() {
            (found.exact, found.complete) = (false, false);
            let note = match self.bounds {
                Bounds::All => "stopped before the front was proven; each solution has a lower bound of the loss",
                Bounds::Floors => "stopped before the front was proven",
            };
            found.notes.push(note.to_owned());
            if self.bounds == Bounds::All {
                found.bounds = self.bounds_of_points();
            }
        }
        Found { archive: self.archive.into(), ..found }
    }

    fn prove(&mut self) -> Result<(), Stopped> {
        // The bottom first: it alone beats most of what reaches no privacy at all. The top is always a point of the front.
        if self.starts_at_the_bottom() {
            self.take(vec![vec![0; self.lattice.heights.len()]]);
        }
        let top = self.lattice.heights.clone();
        self.evaluate(&[top])?;
        let room = self.run.evaluations.map_or(usize::MAX, |budget| budget as usize / 4);
        let lessons = self.floors.lessons(room);
        self.run.watch.phase("bounding losses", None);
        for some in lessons.chunks(BATCH) {
            self.evaluate(some)?;
        }
        if self.run.evaluations.is_some() && self.bounds == Bounds::All {
            self.run.watch.phase("bounding the front", self.lattice.size());
            let losses = self.archive.entries().iter().filter_map(|entry| entry.point.costs().last().copied());
            self.pass(COARSE_MARGIN * losses.fold(0.0, f64::max))?;
        }
        self.run.watch.phase("proving the front", self.lattice.size());
        self.pass(0.0)
    }

    /// Within floors the bottom is hardly ever of use, unless losses are learned from it.
    fn starts_at_the_bottom(&self) -> bool {
        self.problem.floors().is_none() || matches!(self.floors, LossFloor::Learned(_))
    }

    /// The sums of levels from the top down, without those of nodes that were evaluated at the start.
    fn sums(&self) -> impl Iterator<Item = u32> + use<> {
        let total: u32 = self.lattice.heights.iter().sum();
        (u32::from(self.starts_at_the_bottom())..=total).rev()
    }

    /// Goes through the lattice from the top down; evaluates every node that could better the front by more than a margin.
    fn pass(&mut self, margin: f64) -> Result<(), Stopped> {
        let whole = self.floors.is_whole();
        let mut above = Vec::new();
        for sum in self.sums() {
            let mut rank = self.rank(sum, &above);
            if rank.iter().all(|waiting| waiting.ceiling.is_closed()) {
                break;
            }
            self.run.watch.advance(rank.len() as u64);
            self.run.watch.note(&format!("{} evaluated, {} points", self.known.len(), self.archive.entries().len()));
            self.run.show(self.table, self.problem, &self.archive, self.known.len() as u64);
            let mut next = 0;
            while next < rank.len() {
                let mut batch = Vec::new();
                while next < rank.len() && batch.len() < BATCH {
                    let waiting = &rank[next];
                    if !waiting.evaluated && !waiting.ceiling.is_beaten(waiting.floor + margin, &self.archive, whole) {
                        batch.push(next);
                    }
                    next += 1;
                }
                let nodes: Vec<Vec<u32>> = batch.iter().map(|at| rank[*at].levels.clone()).collect();
                self.evaluate(&nodes)?;
                for at in batch {
                    let waiting = &mut rank[at];
                    waiting.ceiling.tighten(&self.known[&waiting.levels]);
                }
            }
            above = sorted(rank);
        }
        Ok(())
    }

    /// All nodes whose levels add up to `sum`, the least loss first, with what the nodes above and they themselves tell.
    fn rank(&self, sum: u32, above: &[(Vec<u32>, Ceiling)]) -> Vec<Waiting> {
        let mut rank: Vec<Waiting> = nodes_of_sum(&self.lattice.heights, sum)
            .into_iter()
            .map(|levels| {
                let mut ceiling = self.inherited(&levels, above);
                let own = self.known.get(&levels);
                own.iter().for_each(|own| ceiling.tighten(own));
                ceiling.steps.shrink_to_fit();
                Waiting { floor: self.floors.of(&levels), ceiling, evaluated: own.is_some(), levels }
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
        if ceiling.best.is_empty() { Ceiling::open(self.width()) } else { ceiling }
    }

    /// How many privacy objectives there are, where the last objective is a loss.
    fn width(&self) -> usize {
        self.problem.objectives().len() - 1
    }

    /// Evaluates nodes that are not known yet, as many as the budget allows.
    fn evaluate(&mut self, nodes: &[Vec<u32>]) -> Result<(), Stopped> {
        let mut nodes = nodes.to_vec();
        nodes.retain(|node| !self.known.contains_key(node));
        if self.run.watch.cancelled() {
            return Err(Stopped);
        }
        let left = self.run.evaluations.map_or(u64::MAX, |budget| budget.saturating_sub(self.known.len() as u64));
        let stop = left < nodes.len() as u64;
        nodes.truncate(left.min(nodes.len() as u64) as usize);
        self.take(nodes);
        if stop || self.run.watch.cancelled() { Err(Stopped) } else { Ok(()) }
    }

    /// Evaluates nodes and keeps what they give.
    fn take(&mut self, nodes: Vec<Vec<u32>>) {
        let cutoffs = self.bench.evaluate(&nodes);
        for (node, cutoffs) in nodes.into_iter().zip(cutoffs) {
            let Some(cutoffs) = cutoffs else { continue };
            let recoding = Recoding::of_levels(&node);
            cutoffs.outcomes().for_each(|outcome| self.archive.insert(outcome, &recoding));
            self.floors.learn(&node, cutoffs.unsuppressed);
            let ceiling = match self.bounds {
                Bounds::Floors if !cutoffs.ruled_out => Ceiling::open(self.width()),
                _ => Ceiling::of_cutoffs(&cutoffs, self.width(), self.problem.floors().is_some()),
            };
            self.known.insert(node, ceiling);
        }
    }

    /// For each point of the front the least that any node not yet dealt with could lose there.
    fn bounds_of_points(&self) -> Vec<f64> {
        let entries = self.archive.entries();
        let mut bounds: Vec<f64> = entries.iter().map(|entry| *entry.point.costs().last().expect("a loss")).collect();
        let whole = self.floors.is_whole();
        let mut above = Vec::new();
        for sum in self.sums() {
            let rank = self.rank(sum, &above);
            let open = rank.iter().filter(|waiting| {
                !waiting.evaluated && !waiting.ceiling.is_beaten(waiting.floor, &self.archive, whole)
            });
            for waiting in open {
                for (entry, bound) in entries.iter().zip(&mut bounds) {
                    let privacy = &entry.point.costs()[..entry.point.costs().len() - 1];
                    if waiting.ceiling.best.iter().zip(privacy).all(|(best, own)| best <= own) {
                        *bound = bound.min(waiting.floor + waiting.ceiling.extra(privacy[0]));
                    }
                }
            }
            above = sorted(rank);
        }
        bounds
    }
}

/// A rank as the next one looks it up.
fn sorted(rank: Vec<Waiting>) -> Vec<(Vec<u32>, Ceiling)> {
    let mut known: Vec<_> = rank.into_iter().map(|waiting| (waiting.levels, waiting.ceiling)).collect();
    known.sort_by(|a, b| a.0.cmp(&b.0));
    known
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
