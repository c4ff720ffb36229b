//! Lattices too large to enumerate: the best front that a budget allows, with a proven lower bound of the loss at each of
//! its points.
//!
//! For a wanted privacy, every evaluated node that does not reach it rules out all finer nodes. The least loss among the
//! nodes that are not ruled out is a lower bound; it is found best-first from the bottom, each step climbing just above a
//! node that rules the current one out. Evaluating the node found (and, by bisection, nodes above it) either reaches the
//! wanted privacy at the bound, or rules out more.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use rayon::prelude::*;

use super::bounds::{Ceiling, Floors};
use super::exact::{Cutoffs, evaluate};
use super::{Evaluator, Found, Lattice, Run};
use crate::front::Archive;
use crate::group::{FrequencyTable, Grouping};
use crate::problem::Problem;
use crate::recode::Recoding;

/// Evaluations where the study sets no budget.
const DEFAULT_BUDGET: u64 = 20_000;
/// Targets worked on together. The number does not depend on the threads.
const BATCH: usize = 8;
/// Steps of one search for the least loss that is not ruled out: while searching, and for the final bounds.
const STEPS: usize = 400;
const FINAL_STEPS: usize = 20_000;

type Node = Vec<u32>;

/// Searches within the budget of a run.
pub(super) fn search_large(table: &FrequencyTable, problem: &dyn Problem, run: &Run, lattice: &Lattice) -> Found {
    let budget = run.evaluations.unwrap_or(DEFAULT_BUDGET);
    run.watch.phase("searching a large lattice", Some(budget));
    let mut large = Large {
        lattice,
        floors: Floors::new(table, problem),
        archive: Archive::new(),
        known: HashMap::new(),
        order: Vec::new(),
    };
    let mut workers: Vec<(Evaluator, Grouping)> = Vec::new();
    workers.resize_with(BATCH, || (Evaluator::new(table, problem), Grouping::default()));

    // One path from the bottom to the top, each step the cheapest: its levels are the targets.
    let bottom = vec![0; lattice.heights.len()];
    for node in large.path_up(&bottom, f64::INFINITY) {
        if large.known.len() as u64 >= budget || (run.watch.cancelled() && !large.known.is_empty()) {
            break;
        }
        let cutoffs = evaluate(&mut workers[0], &node);
        large.take(node, &cutoffs);
        run.watch.advance(1);
    }
    let mut targets: Vec<Vec<f64>> = large.order.iter().map(|node| large.known[node].best.clone()).collect();
    targets.sort_by(|a, b| b.partial_cmp(a).unwrap_or(std::cmp::Ordering::Equal));
    targets.dedup();

    loop {
        let mut progress = false;
        for batch in targets.chunks(BATCH) {
            let spent = large.known.len() as u64;
            if spent >= budget || run.watch.cancelled() {
                progress = false;
                break;
            }
            let share = ((budget - spent) as usize).div_ceil(batch.len());
            let pursue =
                |(target, worker): (&Vec<f64>, &mut (Evaluator, Grouping))| large.pursue(target, worker, share);
            let found: Vec<Vec<(Node, Cutoffs)>> = batch.par_iter().zip(&mut workers).map(pursue).collect();
            for (node, cutoffs) in found.into_iter().flatten() {
                if (large.known.len() as u64) < budget && !large.known.contains_key(&node) {
                    large.take(node, &cutoffs);
                    run.watch.advance(1);
                    progress = true;
                }
            }
            run.watch.note(&format!("{} points", large.archive.entries().len()));
            run.show(table, problem, &large.archive, large.known.len() as u64);
        }
        if !progress {
            break;
        }
    }
    let bounds = large.archive.entries().par_iter().map(|entry| {
        let (privacy, loss) = entry.point.costs().split_at(entry.point.costs().len() - 1);
        large.least_open(privacy, FINAL_STEPS).map_or(loss[0], |(_, floor)| floor.min(loss[0]))
    });
    let bounds = bounds.collect();
    let size = lattice.size().map_or("more than 2^63".to_owned(), |size| size.to_string());
    Found {
        evaluated: large.known.len() as u64,
        space: lattice.size(),
        exact: false,
        complete: false,
        bounds,
        notes: vec![format!(
            "a lattice of {size} nodes is too large to prove the front: each solution has a lower bound of the loss"
        )],
        archive: large.archive,
        regions: None,
    }
}

struct Large<'a> {
    lattice: &'a Lattice,
    floors: Floors,
    archive: Archive,
    known: HashMap<Node, Ceiling>,
    /// The known nodes in the order of their evaluation.
    order: Vec<Node>,
}

impl Large<'_> {
    fn take(&mut self, node: Node, cutoffs: &Cutoffs) {
        let recoding = Recoding::of_levels(&node);
        cutoffs.outcomes().for_each(|outcome| self.archive.insert(outcome, &recoding));
        self.known.insert(node.clone(), Ceiling::of_cutoffs(&cutoffs.all, self.floors.of(&node)));
        self.order.push(node);
    }

    /// Looks for a node that reaches the target with less loss than known; returns what it evaluated on the way.
    fn pursue(&self, target: &[f64], worker: &mut (Evaluator, Grouping), most: usize) -> Vec<(Node, Cutoffs)> {
        let mut seen: Vec<(Node, Cutoffs)> = Vec::new();
        let Some((start, floor)) = self.least_open(target, STEPS) else { return seen };
        let known_loss = self.least_known(target);
        if floor >= known_loss {
            return seen;
        }
        let mut reaches = |node: &Node| {
            if let Some(ceiling) = self.known.get(node) {
                return reached(&ceiling.best, target);
            }
            if let Some((_, cutoffs)) = seen.iter().find(|(own, _)| own == node) {
                return reached(&Ceiling::of_cutoffs(&cutoffs.all, 0.0).best, target);
            }
            if seen.len() >= most {
                return false;
            }
            let cutoffs = evaluate(worker, node);
            let good = reached(&Ceiling::of_cutoffs(&cutoffs.all, 0.0).best, target);
            seen.push((node.clone(), cutoffs));
            good
        };
        // The first node of the path that reaches the target; levels only grow along it.
        let path = self.path_up(&start, known_loss);
        let (mut low, mut high) = (0, path.len());
        while low < high {
            let middle = (low + high) / 2;
            if reaches(&path[middle]) { high = middle } else { low = middle + 1 }
        }
        let Some(mut node) = path.get(low).cloned() else { return seen };
        // Whatever can be refined without losing the target is; what saves most first.
        loop {
            let mut finer: Vec<Node> = (0..node.len())
                .filter(|column| node[*column] > 0)
                .map(|column| {
                    let mut finer = node.clone();
                    finer[column] -= 1;
                    finer
                })
                .collect();
            finer.sort_by(|a, b| self.floors.of(a).total_cmp(&self.floors.of(b)));
            match finer.into_iter().find(|finer| reaches(finer)) {
                Some(finer) => node = finer,
                None => return seen,
            }
        }
    }

    /// The least loss of an archived point that reaches a target.
    fn least_known(&self, target: &[f64]) -> f64 {
        let good = self.archive.entries().iter().filter(|entry| reached(entry.point.costs(), target));
        good.filter_map(|entry| entry.point.costs().last().copied()).fold(f64::INFINITY, f64::min)
    }

    /// From a node to the top, each step the cheapest, as long as the loss stays below a limit.
    fn path_up(&self, node: &Node, limit: f64) -> Vec<Node> {
        let mut path = vec![node.clone()];
        loop {
            let last = &path[path.len() - 1];
            let coarser =
                (0..last.len()).filter(|column| last[*column] < self.lattice.heights[*column]).map(|column| {
                    let mut coarser = last.clone();
                    coarser[column] += 1;
                    (self.floors.of(&coarser), coarser)
                });
            match coarser.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))) {
                Some((floor, coarser)) if floor < limit => path.push(coarser),
                _ => return path,
            }
        }
    }

    /// The least loss with nothing suppressed among nodes that may reach a target, and the node that has it; after
    /// `steps` steps a lower bound of it, and the last node looked at. None where every node is ruled out.
    fn least_open(&self, target: &[f64], steps: usize) -> Option<(Node, f64)> {
        let walls: Vec<&Node> = self.order.iter().filter(|node| !reached(&self.known[*node].best, target)).collect();
        let bottom = vec![0; self.lattice.heights.len()];
        let mut met: HashSet<Node> = HashSet::new();
        let mut heap = BinaryHeap::new();
        heap.push(Reverse((Ordered(self.floors.of(&bottom)), bottom)));
        let mut step = 0;
        while let Some(Reverse((floor, node))) = heap.pop() {
            step += 1;
            let wall = walls.iter().rev().find(|wall| node.iter().zip(wall.iter()).all(|(own, wall)| own <= wall));
            let Some(wall) = wall.filter(|_| step < steps) else { return Some((node, floor.0)) };
            for column in 0..node.len() {
                if wall[column] < self.lattice.heights[column] {
                    let mut above = node.clone();
                    above[column] = wall[column] + 1;
                    if met.insert(above.clone()) {
                        heap.push(Reverse((Ordered(self.floors.of(&above)), above)));
                    }
                }
            }
        }
        None
    }
}

/// Whether the first costs are no larger than those wanted.
fn reached(costs: &[f64], target: &[f64]) -> bool {
    costs.iter().zip(target).all(|(own, wanted)| own <= wanted)
}

/// A loss that can be compared.
#[derive(Clone, Copy, PartialEq)]
struct Ordered(f64);

impl Eq for Ordered {}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
