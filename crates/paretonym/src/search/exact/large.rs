//! Lattices too large to enumerate: the whole front where the bounds suffice to prove it, and otherwise the best front that a
//! fixed number of evaluations gives, with a proven lower bound of the loss at each of its points.
//!
//! For one wanted privacy after the other, the least loss is hunted down ([`Hunt`]): first as far as a bound that is near
//! enough, then to the last bit. With one privacy objective, the next target is in the end whatever is more private than the
//! point found, so that no point of the front is left out.

use std::collections::HashMap;

use super::boxes::{Hunt, Waiting};
use crate::front::{Archive, FrontEntry};
use crate::group::FrequencyTable;
use crate::problem::Problem;
use crate::recode::Recoding;
use crate::search::lattice::{Bases, Ceiling, LossFloor, Node};
use crate::search::{Found, Lattice, SearchRun};

/// Evaluations where the study sets no budget.
const DEFAULT_BUDGET: u64 = 200_000;
/// One pass over the front after the other. A little less than 3 %, so that no rounded gap is above it.
const PASSES: [Aim; 4] = [ROUGH, Aim::Within(0.0299), Aim::Less, Aim::Equal];
/// The pass that gives every point some bound before any of them takes much.
const ROUGH: Aim = Aim::Within(0.3);
/// Nodes evaluated together, at most.
const TOGETHER: usize = 32;
/// Losses closer than this may be equal.
const SLACK: f64 = 1e-11;
/// One hunt may take this part of the evaluations left, and in any case so many.
const SHARE: u64 = 8;
const LEAST_ALLOWANCE: u64 = 64;
/// Boxes of unfinished hunts that are kept; those of further hunts are made again.
const MOST_BOXES: usize = 1 << 17;
/// Steps that are kept of a node's ceiling.
const STEPS: usize = 32;

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
        allowance: budget,
        cut: false,
        bench: Bases::new(table, problem, run),
        floors: LossFloor::new(table, problem),
        archive: Archive::new(),
        places: HashMap::new(),
        known: Vec::new(),
        by_height: Vec::new(),
        bounds: Vec::new(),
        unfinished: Vec::new(),
    };
    let (proven, ended) = large.search();
    let mut found = Found {
        evaluated: large.known.len() as u64,
        space: lattice.size(),
        exact: proven,
        complete: ended,
        ..Found::default()
    };
    if !proven {
        let size = lattice.size().map_or("more than 2^63".to_owned(), |size| size.to_string());
        found.notes.push(format!(
            "a lattice of {size} nodes is too large to prove the front: each solution has a lower bound of the loss"
        ));
    } else if !ended {
        found.notes.push("the front is proven, but not every recoding that ties with a solution was met".to_owned());
    }
    found.bounds = large.archive.entries().iter().map(|entry| large.bound_of(entry)).collect();
    Found { archive: large.archive.into(), ..found }
}

/// What a hunt looks for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Aim {
    /// Whatever saves more than this share of the loss.
    Within(f64),
    /// Whatever loses less.
    Less,
    /// What loses the same, too: it counts among the alternatives of a point.
    Equal,
}

/// What an evaluated node tells.
pub(super) struct Known {
    pub node: Node,
    /// Of all finer nodes.
    pub ceiling: Ceiling,
    /// Of all coarser nodes: what they lose at least.
    floor: f64,
}

/// What a search knows.
pub(super) struct Large<'a> {
    table: &'a FrequencyTable,
    problem: &'a dyn Problem,
    pub lattice: &'a Lattice,
    run: &'a SearchRun<'a>,
    /// Evaluations left, and left for the hunt that is under way.
    left: u64,
    allowance: u64,
    /// Whether a hunt of this pass ended because its allowance did.
    cut: bool,
    bench: Bases<'a>,
    pub floors: LossFloor,
    archive: Archive,
    /// Where each evaluated node is among those known.
    places: HashMap<Node, u32>,
    known: Vec<Known>,
    /// The sums of their levels and their places, the finest first; those evaluated since the last hunt began are missing.
    by_height: Vec<(u32, u32)>,
    /// Privacy, as costs, and what anything as private loses at least.
    bounds: Vec<(Vec<f64>, f64)>,
    /// Targets whose hunts were cut short in this pass, and the boxes that are left of each: a hunt goes on from there.
    unfinished: Vec<(Vec<f64>, Waiting)>,
}

impl Large<'_> {
    /// Whether the front is proven, and whether every pass came to its end.
    fn search(&mut self) -> (bool, bool) {
        let top = self.lattice.heights.clone();
        // Within floors the bottom is hardly ever of use, unless losses are learned from it.
        match (self.problem.floors(), &self.floors) {
            (Some(_), LossFloor::Sum { .. }) => self.evaluate(&[top]),
            _ => self.evaluate(&[vec![0; top.len()], top]),
        }
        let lessons = self.floors.lessons((self.left / 4) as usize);
        self.evaluate(&lessons);
        let one = self.problem.objectives().len() == 2;
        let mut proven = false;
        for aim in PASSES {
            self.cut = true;
            self.unfinished.clear();
            while std::mem::take(&mut self.cut) {
                if one && aim != ROUGH {
                    self.sweep(aim)
                } else {
                    self.visit(aim)
                }
                if self.is_over() {
                    return (proven, false);
                }
            }
            proven |= one && aim == Aim::Less;
        }
        (proven, proven)
    }

    /// From the least private point of the front to the most private, each as good as is aimed at. What rules nodes out for
    /// one target rules them out for all that are more private.
    fn sweep(&mut self, aim: Aim) {
        let mut target = f64::INFINITY;
        while !self.is_over() {
            self.hunt(&[target], aim);
            let reached = self.archive.entries().iter().rfind(|entry| entry.point.costs()[0] <= target);
            let Some(next) = reached else { return };
            target = next.point.costs()[0].next_down();
        }
    }

    /// Every point of the front, the most private first because few nodes are as private, and those found on the way.
    fn visit(&mut self, aim: Aim) {
        let mut met = std::collections::HashSet::new();
        loop {
            let targets = self.archive.entries().iter().map(|entry| privacy(entry).to_vec());
            let bits = |target: &[f64]| target.iter().map(|cost| cost.to_bits()).collect::<Vec<_>>();
            let fresh: Vec<Vec<f64>> = targets.filter(|target| met.insert(bits(target))).collect();
            if fresh.is_empty() {
                return;
            }
            for target in fresh {
                self.hunt(&target, aim);
                if self.is_over() {
                    return;
                }
            }
        }
    }

    /// Bounds the loss at a target, and betters what is known there.
    fn hunt(&mut self, target: &[f64], aim: Aim) {
        if aim != Aim::Equal && self.bound_at(target) >= self.limit(target, aim) {
            return;
        }
        for place in self.by_height.len()..self.known.len() {
            self.by_height.push((self.known[place].node.iter().sum(), place as u32));
        }
        self.by_height.sort();
        // No target takes so much that the others starve.
        self.allowance = (self.left / SHARE).max(LEAST_ALLOWANCE).min(self.left);
        let left = self.unfinished.iter().position(|(other, _)| other == target);
        let left = left.map(|at| self.unfinished.swap_remove(at).1);
        let mut hunt = Hunt::new(self, target, aim);
        let mut waiting = left.unwrap_or_else(|| hunt.whole());
        let bound = hunt.bound(&mut waiting);
        self.cut |= self.allowance == 0;
        let kept: usize = self.unfinished.iter().map(|(_, boxes)| boxes.len()).sum();
        if !waiting.is_empty() && kept + waiting.len() <= MOST_BOXES {
            self.unfinished.push((target.to_vec(), waiting));
        }
        self.allowance = self.left;
        self.bounds.push((target.to_vec(), bound));
        self.run.watch.note(&format!("{} points", self.archive.entries().len()));
        self.run.show(self.table, self.problem, &self.archive, self.known.len() as u64);
    }

    /// Whether the hunt ends.
    pub fn stopped(&self) -> bool {
        self.allowance == 0 || self.is_over()
    }

    /// Whether the whole search ends.
    fn is_over(&self) -> bool {
        self.left == 0 || self.run.watch.cancelled()
    }

    /// Evaluates those of some nodes that are not known yet, as many as the budget allows. The first of all always is.
    pub fn evaluate(&mut self, nodes: &[Node]) {
        let mut nodes: Vec<Node> = nodes.iter().filter(|node| !self.places.contains_key(*node)).cloned().collect();
        if nodes.is_empty() {
            return;
        }
        let most = if self.run.watch.cancelled() { 0 } else { self.left.min(self.allowance) };
        nodes.truncate(most.max(u64::from(self.known.is_empty())) as usize);
        self.left = self.left.saturating_sub(nodes.len() as u64);
        self.allowance = self.allowance.saturating_sub(nodes.len() as u64);
        self.run.watch.advance(nodes.len() as u64);
        let cutoffs: Vec<_> = nodes.chunks(TOGETHER).flat_map(|some| self.bench.evaluate(some)).collect();
        for (node, cutoffs) in nodes.into_iter().zip(cutoffs) {
            let Some(cutoffs) = cutoffs else { continue };
            let recoding = Recoding::of_levels(&node);
            cutoffs.outcomes().for_each(|outcome| self.archive.insert(outcome, &recoding));
            let floor = cutoffs.unsuppressed;
            self.floors.learn(&node, floor);
            let width = self.problem.objectives().len() - 1;
            let ceiling = Ceiling::of_cutoffs(&cutoffs, width, self.problem.floors().is_some()).thinned(STEPS);
            self.places.insert(node.clone(), self.known.len() as u32);
            self.known.push(Known { node, ceiling, floor: self.floors.of_loss(floor) });
        }
    }

    /// What is known of a node that was evaluated.
    pub fn of(&self, node: &Node) -> Option<&Known> {
        self.places.get(node).map(|place| &self.known[*place as usize])
    }

    /// All nodes that were evaluated before the hunt began, the finest first.
    pub fn by_height(&self) -> impl DoubleEndedIterator<Item = &Known> {
        self.by_height.iter().map(|(_, place)| &self.known[*place as usize])
    }

    /// Whatever loses so much or more at a target is of no use.
    pub fn limit(&self, target: &[f64], aim: Aim) -> f64 {
        let least = self.least_known(target);
        match aim {
            _ if least.is_infinite() => least,
            Aim::Within(share) => least - share * least.abs(),
            Aim::Less => least - SLACK * least.abs().max(1.0),
            Aim::Equal => least + SLACK * least.abs().max(1.0),
        }
    }

    /// What a node and all coarser ones lose at least. Where only groups tell, the node is evaluated if it can be.
    pub fn floor(&mut self, node: &Node) -> f64 {
        if let LossFloor::Learned(_) = self.floors {
            self.evaluate(std::slice::from_ref(node));
            return self.of(node).map_or(f64::NEG_INFINITY, |known| known.floor).max(self.floors.of(node));
        }
        self.floors.of(node)
    }

    /// The least loss of an archived point that reaches a target.
    pub fn least_known(&self, target: &[f64]) -> f64 {
        let entries = self.archive.entries();
        let end = entries.partition_point(|entry| entry.point.costs()[0] <= target[0]);
        let start = if target.len() == 1 { end.saturating_sub(1) } else { 0 };
        let good = entries[start..end].iter().filter(|entry| reached(entry.point.costs(), target));
        good.filter_map(|entry| entry.point.costs().last().copied()).fold(f64::INFINITY, f64::min)
    }

    /// What anything that reaches a target is known to lose at least.
    fn bound_at(&self, target: &[f64]) -> f64 {
        let weaker = self.bounds.iter().filter(|(other, _)| reached(target, other));
        weaker.map(|(_, bound)| *bound).fold(f64::NEG_INFINITY, f64::max)
    }

    /// For a point of the front a proven lower bound of the loss at its privacy.
    fn bound_of(&self, entry: &FrontEntry) -> f64 {
        let loss = *entry.point.costs().last().expect("a loss");
        let bottom = self.floors.of(&vec![0; self.lattice.heights.len()]);
        self.bound_at(privacy(entry)).max(bottom).min(loss)
    }
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
