//! Lattices too large to enumerate: the best front that a budget allows, with a proven lower bound of the loss at each of
//! its points.
//!
//! For a wanted privacy, every evaluated node that does not reach it rules out all finer nodes. The least loss among the
//! nodes that are not ruled out is a lower bound; it is found best-first from the bottom, each step climbing just above a
//! node that rules the current one out. Evaluating the node found (and, by bisection, nodes above it) either reaches the
//! wanted privacy at the bound, or rules out more.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use super::bench::Bench;
use super::bounds::{Ceiling, unsuppressed};
use super::floors::Floors;
use super::{Found, Lattice, Run};
use crate::front::{Archive, Entry};
use crate::group::FrequencyTable;
use crate::problem::Problem;
use crate::recode::Recoding;

/// Evaluations where the study sets no budget.
const DEFAULT_BUDGET: u64 = 20_000;
/// Nodes evaluated together. The number does not depend on the threads.
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
        run,
        left: budget,
        bench: Bench::new(table, problem, BATCH),
        floors: Floors::new(table, problem),
        archive: Archive::new(),
        known: HashMap::new(),
        order: Vec::new(),
    };
    large.search();
    let bounds = large.bounds();
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
    run: &'a Run<'a>,
    /// Evaluations left.
    left: u64,
    bench: Bench<'a>,
    floors: Floors,
    archive: Archive,
    known: HashMap<Node, Ceiling>,
    /// The known nodes in the order of their evaluation.
    order: Vec<Node>,
}

impl Large<'_> {
    fn search(&mut self) {
        let bottom = vec![0; self.lattice.heights.len()];
        self.evaluate(&[bottom.clone(), self.lattice.heights.clone()]);
        let lessons = self.floors.lessons((self.left / 4) as usize);
        lessons.chunks(BATCH).for_each(|some| self.evaluate(some));
        // One path from the bottom to the top, each step the cheapest, gives the first targets.
        self.path_up(&bottom, f64::INFINITY).chunks(BATCH).for_each(|some| self.evaluate(some));
        loop {
            let before = self.known.len();
            let targets: Vec<Vec<f64>> = self.archive.entries().iter().map(|entry| privacy(entry).to_vec()).collect();
            for target in &targets {
                self.pursue(target);
                self.run.watch.note(&format!("{} points", self.archive.entries().len()));
                if self.stopped() {
                    return;
                }
            }
            if self.known.len() == before {
                return;
            }
        }
    }

    fn stopped(&self) -> bool {
        self.left == 0 || self.run.watch.cancelled()
    }

    /// Evaluates those of some nodes that are not known yet, as many as the budget allows. The first node always is.
    fn evaluate(&mut self, nodes: &[Node]) {
        let mut nodes: Vec<Node> = nodes.iter().filter(|node| !self.known.contains_key(*node)).cloned().collect();
        let most = if self.run.watch.cancelled() { 0 } else { self.left };
        nodes.truncate(most.max(u64::from(self.known.is_empty())).min(BATCH as u64) as usize);
        self.left = self.left.saturating_sub(nodes.len() as u64);
        self.run.watch.advance(nodes.len() as u64);
        let cutoffs = self.bench.evaluate(&nodes);
        for (node, cutoffs) in nodes.into_iter().zip(cutoffs) {
            let recoding = Recoding::of_levels(&node);
            cutoffs.outcomes().for_each(|outcome| self.archive.insert(outcome, &recoding));
            self.floors.learn(&node, unsuppressed(&cutoffs.all));
            self.known.insert(node.clone(), Ceiling::of_cutoffs(&cutoffs.all));
            self.order.push(node);
        }
    }

    /// Whether a node reaches a target; one that is not known does not.
    fn reaches(&self, node: &Node, target: &[f64]) -> bool {
        self.known.get(node).is_some_and(|ceiling| reached(&ceiling.best, target))
    }

    /// Looks for a node that reaches the target with less loss than known.
    fn pursue(&mut self, target: &[f64]) {
        let Some((start, floor)) = self.least_open(target, STEPS) else { return };
        let known_loss = self.least_known(target);
        if floor >= known_loss {
            return;
        }
        // The first node of the path that reaches the target; levels only grow along it, so all of a batch at once.
        let path = self.path_up(&start, known_loss);
        let (mut low, mut high) = (0, path.len());
        while low < high && !self.stopped() {
            let step = (high - low).div_ceil(BATCH);
            let probes: Vec<usize> = (low..high).step_by(step).collect();
            let nodes: Vec<Node> = probes.iter().map(|at| path[*at].clone()).collect();
            self.evaluate(&nodes);
            let first = probes.iter().position(|at| self.reaches(&path[*at], target));
            match first {
                Some(0) => high = low,
                Some(at) => (low, high) = (probes[at - 1] + 1, probes[at]),
                None => low = probes[probes.len() - 1] + 1,
            }
        }
        let Some(mut node) = path.get(low).filter(|node| self.reaches(node, target)).cloned() else { return };
        // Whatever can be refined without losing the target is; what saves most first.
        while let Some(finer) = self.refined(&node, target) {
            node = finer;
        }
    }

    /// The cheapest node one step finer that reaches a target.
    fn refined(&mut self, node: &Node, target: &[f64]) -> Option<Node> {
        let mut finer: Vec<Node> = (0..node.len())
            .filter(|column| node[*column] > 0)
            .map(|column| {
                let mut finer = node.clone();
                finer[column] -= 1;
                finer
            })
            .filter(|finer| !self.ruled_out(finer, target))
            .collect();
        finer.sort_by(|a, b| self.floors.of(a).total_cmp(&self.floors.of(b)));
        for some in finer.chunks(BATCH) {
            self.evaluate(some);
            if let Some(finer) = some.iter().find(|finer| self.reaches(finer, target)) {
                return Some(finer.clone());
            }
        }
        None
    }

    /// Whether a coarser node is known to miss a target.
    fn ruled_out(&self, node: &Node, target: &[f64]) -> bool {
        let coarser = |wall: &Node| node.iter().zip(wall).all(|(own, wall)| own <= wall);
        self.order.iter().any(|wall| coarser(wall) && !self.reaches(wall, target))
    }

    /// For each point of the front a proven lower bound of the loss at its privacy.
    fn bounds(&self) -> Vec<f64> {
        let bound = |entry: &Entry| {
            let loss = *entry.point.costs().last().expect("a loss");
            self.least_open(privacy(entry), FINAL_STEPS).map_or(loss, |(_, floor)| floor.min(loss))
        };
        self.archive.entries().iter().map(bound).collect()
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

/// The privacy of a point, as costs.
fn privacy(entry: &Entry) -> &[f64] {
    let costs = entry.point.costs();
    &costs[..costs.len() - 1]
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
