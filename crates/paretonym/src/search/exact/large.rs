//! Lattices too large to enumerate: the best front that a budget allows, with a proven lower bound of the loss at each of
//! its points.
//!
//! For a wanted privacy, every evaluated node that does not reach it rules out all finer nodes. The least loss among the
//! nodes that are not ruled out is a lower bound; it is found best-first from the bottom, each step climbing just above a
//! node that rules the current one out. Evaluating the node found either reaches the wanted privacy at the bound, or gives
//! a node that misses it; made as coarse as can be, that rules out most. In between, paths up from the bound and steps down
//! from where they reach the wanted privacy find better solutions.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use rayon::prelude::*;

use crate::front::{Archive, FrontEntry};
use crate::group::FrequencyTable;
use crate::problem::Problem;
use crate::recode::Recoding;
use crate::search::lattice::{Ceiling, LossFloor, Node, Rollup, unsuppressed};
use crate::search::{Found, Lattice, SearchRun};

/// Evaluations where the study sets no budget.
const DEFAULT_BUDGET: u64 = 20_000;
/// Nodes evaluated together. The number does not depend on the threads.
const BATCH: usize = 8;
/// Steps of one search for the least loss that is not ruled out: while searching, and for the final bounds.
const STEPS: usize = 100;
const FINAL_STEPS: usize = 1600;

/// Nodes ruled out in one go at a target, and nodes that rule others out that one search looks at.
const WALLS: usize = 4;
const MOST_WALLS: usize = 500;

/// Searches within the budget of a run.
pub(super) fn search_large(table: &FrequencyTable, problem: &dyn Problem, run: &SearchRun, lattice: &Lattice) -> Found {
    let budget = run.evaluations.unwrap_or(DEFAULT_BUDGET);
    run.watch.phase("searching a large lattice", Some(budget));
    let mut large = Large {
        table,
        problem,
        lattice,
        run,
        left: budget,
        bench: Rollup::new(table, problem, run),
        floors: LossFloor::new(table, problem),
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
        archive: large.archive.into(),
        regions: None,
    }
}

struct Large<'a> {
    table: &'a FrequencyTable,
    problem: &'a dyn Problem,
    lattice: &'a Lattice,
    run: &'a SearchRun<'a>,
    /// Evaluations left.
    left: u64,
    bench: Rollup<'a>,
    floors: LossFloor,
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
        let mut steps = STEPS;
        loop {
            let before = self.known.len();
            let targets: Vec<Vec<f64>> = self.archive.entries().iter().map(|entry| privacy(entry).to_vec()).collect();
            for target in &targets {
                self.pursue(target, steps);
                self.run.watch.note(&format!("{} points", self.archive.entries().len()));
                self.run.show(self.table, self.problem, &self.archive, self.known.len() as u64);
                if self.stopped() {
                    return;
                }
            }
            if self.known.len() == before {
                if steps >= FINAL_STEPS {
                    return;
                }
                steps *= 4;
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
            let Some(cutoffs) = cutoffs else { continue };
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

    /// Raises the bound at a target and looks for a node that reaches it with less loss than known.
    fn pursue(&mut self, target: &[f64], steps: usize) {
        for _ in 0..WALLS {
            let Some((node, floor)) = self.least_open(target, steps) else { return };
            if floor >= self.least_known(target) || self.stopped() {
                return;
            }
            self.evaluate(std::slice::from_ref(&node));
            if self.reaches(&node, target) {
                return;
            }
            self.build_wall(node, target);
        }
        if let Some((node, _)) = self.least_open(target, steps) {
            self.descend(&node, target);
        }
    }

    /// From a node that misses a target to a node as coarse as can be that misses it too: it rules out most.
    fn build_wall(&mut self, node: Node, target: &[f64]) {
        let columns: Vec<usize> =
            (0..node.len()).filter(|column| node[*column] < self.lattice.heights[*column]).collect();
        let guilty = self.guilty(&node, target, &[], false, &columns);
        let mut wall = self.lattice.heights.clone();
        guilty.iter().for_each(|column| wall[*column] = node[*column]);
        for column in guilty {
            while wall[column] + 1 < self.lattice.heights[column] {
                wall[column] += 1;
                self.evaluate(std::slice::from_ref(&wall));
                if !self.misses(&wall, target) {
                    wall[column] -= 1;
                    break;
                }
            }
        }
    }

    /// Of some columns of a node that misses a target, a smallest choice that misses it together with those held, all
    /// others at the top: halves are tried first, as in the search for a minimal set of conflicting constraints.
    fn guilty(&mut self, node: &Node, target: &[f64], held: &[usize], grown: bool, some: &[usize]) -> Vec<usize> {
        if grown {
            let mut coarse = self.lattice.heights.clone();
            held.iter().for_each(|column| coarse[*column] = node[*column]);
            self.evaluate(std::slice::from_ref(&coarse));
            if self.misses(&coarse, target) {
                return Vec::new();
            }
        }
        if some.len() <= 1 {
            return some.to_vec();
        }
        let (left, right) = some.split_at(some.len() / 2);
        let from_right = self.guilty(node, target, &[held, left].concat(), true, right);
        let more = !from_right.is_empty();
        let from_left = self.guilty(node, target, &[held, from_right.as_slice()].concat(), more, left);
        [from_left, from_right].concat()
    }

    /// Looks for a node that reaches the target with less loss than known, above one that may.
    fn descend(&mut self, start: &Node, target: &[f64]) {
        // The first node of the path that reaches the target; levels only grow along it, so all of a batch at once.
        let path = self.path_up(start, self.least_known(target));
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

    /// Whether a node is known to miss a target.
    fn misses(&self, node: &Node, target: &[f64]) -> bool {
        self.known.get(node).is_some_and(|ceiling| !reached(&ceiling.best, target))
    }

    /// Whether a coarser node is known to miss a target.
    fn ruled_out(&self, node: &Node, target: &[f64]) -> bool {
        self.order.iter().any(|wall| finer(node, wall) && self.misses(wall, target))
    }

    /// For each point of the front a proven lower bound of the loss at its privacy.
    fn bounds(&self) -> Vec<f64> {
        // Any number of steps gives a bound; whoever stops the search gets one soon.
        let steps = if self.run.watch.cancelled() { STEPS } else { FINAL_STEPS };
        let bound = |entry: &FrontEntry| {
            let loss = *entry.point.costs().last().expect("a loss");
            self.least_open(privacy(entry), steps).map_or(loss, |(_, floor)| floor.min(loss))
        };
        self.archive.entries().par_iter().map(bound).collect()
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

    /// A lower bound of the loss with nothing suppressed among nodes that may reach a target, and the node where the search
    /// for it ended: if that is open, the bound is its loss. None where every node is ruled out.
    fn least_open(&self, target: &[f64], steps: usize) -> Option<(Node, f64)> {
        // The coarsest rule out most, and any choice of them gives a lower bound.
        let mut walls: Vec<&Node> = self.order.iter().filter(|node| self.misses(node, target)).collect();
        walls.sort_by_key(|wall| Reverse(wall.iter().sum::<u32>()));
        walls.truncate(MOST_WALLS);
        let bottom = vec![0; self.lattice.heights.len()];
        let mut met: HashSet<Node> = HashSet::new();
        let mut heap = BinaryHeap::new();
        heap.push(Reverse((Ordered(self.floors.of(&bottom)), true, bottom)));
        let mut step = 0;
        while let Some(Reverse((bound, fresh, node))) = heap.pop() {
            if fresh {
                // Detours are worked out only for nodes that come to the front.
                let detoured = self.with_detours(&node, &walls);
                if detoured > bound.0 {
                    heap.push(Reverse((Ordered(detoured), false, node)));
                    continue;
                }
            }
            step += 1;
            let wall = walls.iter().find(|wall| finer(&node, wall));
            let Some(wall) = wall.filter(|_| step < steps) else { return Some((node, bound.0)) };
            for column in 0..node.len() {
                if wall[column] < self.lattice.heights[column] {
                    let mut above = node.clone();
                    above[column] = wall[column] + 1;
                    if met.insert(above.clone()) {
                        // What bounds a node bounds all that is reached from it.
                        heap.push(Reverse((Ordered(self.floors.of(&above).max(bound.0)), true, above)));
                    }
                }
            }
        }
        None
    }

    /// What a node loses at least once it is raised above all walls: walls that hold different columns down must each be
    /// climbed, in their cheapest column.
    fn with_detours(&self, node: &Node, walls: &[&Node]) -> f64 {
        let floor = self.floors.of(node);
        let LossFloor::Sum { levels, .. } = &self.floors else { return floor };
        let heights = &self.lattice.heights;
        let mut climbs: Vec<(f64, &Node)> = Vec::new();
        for wall in walls.iter().filter(|wall| finer(node, wall)) {
            let cost =
                |column: usize| levels[column][wall[column] as usize + 1] - levels[column][node[column] as usize];
            let open = (0..node.len()).filter(|column| wall[*column] < heights[*column]);
            climbs.push((open.map(cost).fold(f64::INFINITY, f64::min), wall));
        }
        climbs.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
        let mut climbed = vec![false; node.len()];
        let mut detour = 0.0;
        for (cost, wall) in climbs {
            let held = || (0..node.len()).filter(|column| wall[*column] < heights[*column]);
            if held().all(|column| !climbed[column]) {
                held().for_each(|column| climbed[column] = true);
                detour += cost;
            }
        }
        // Sums of floats in another order must not lift the bound above the loss.
        floor + detour * (1.0 - 1e-12)
    }
}

/// Whether no column of a node is above that of another.
fn finer(node: &Node, other: &Node) -> bool {
    node.iter().zip(other).all(|(own, other)| own <= other)
}

/// The privacy of a point, as costs.
fn privacy(entry: &FrontEntry) -> &[f64] {
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
