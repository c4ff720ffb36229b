//! The least loss at a wanted privacy, by halving boxes of nodes.
//!
//! A box is everything between two nodes, the finest and the coarsest of it. Nothing in it is more private than the coarsest
//! or loses less than the finest, so that two evaluations bound all of it. Before a box is halved it is made smaller from
//! both ends: levels too coarse to pay and levels too fine to be private enough go. Why that holds: docs/theory/exact.md.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::large::{Aim, Known, Large};
use super::walls::{Evaluated, RuledOut};
use crate::search::lattice::{LossFloor, Node};

/// Nodes of earlier targets that are asked before anything is evaluated.
const REMEMBERED: usize = 1 << 13;

/// Boxes that wait to be halved, the least bound first.
pub(super) type Waiting = BinaryHeap<Reverse<NodeBox>>;

/// The nodes between two.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeBox {
    /// No node of the box loses less.
    bound: Ordered,
    /// The finest node.
    low: Node,
    /// The coarsest node.
    high: Node,
    /// Columns of which the finest level, all others at their coarsest, is known to do.
    fits: Vec<bool>,
}

/// A search for one target.
pub(super) struct Hunt<'l, 'a> {
    large: &'l mut Large<'a>,
    /// The privacy wanted, as costs.
    target: &'l [f64],
    aim: Aim,
    walls: Evaluated,
    good: Evaluated,
}

impl<'l, 'a> Hunt<'l, 'a> {
    /// With what is known of all nodes evaluated so far.
    pub fn new(large: &'l mut Large<'a>, target: &'l [f64], aim: Aim) -> Self {
        let heights = &large.lattice.heights;
        let (mut walls, mut good) = (Evaluated::new(heights), Evaluated::new(heights));
        // The coarsest rule out most, the finest vouch for most.
        let extra = |known: &Known| known.ceiling.extra_for(target);
        for known in large.by_height().rev().filter(|known| extra(known) > 0.0).take(REMEMBERED) {
            walls.push(&known.node, extra(known));
        }
        for known in large.by_height().filter(|known| extra(known).is_finite()).take(REMEMBERED) {
            good.push(&known.node, extra(known));
        }
        Hunt { large, target, aim, walls, good }
    }

    /// The whole lattice, where anything in it can be of use.
    pub fn whole(&mut self) -> Waiting {
        let heights = self.large.lattice.heights.clone();
        let columns = heights.len();
        let whole = NodeBox {
            bound: Ordered(f64::NEG_INFINITY),
            low: vec![0; columns],
            high: heights,
            fits: vec![false; columns],
        };
        self.shrunk(whole).map(Reverse).into_iter().collect()
    }

    /// A bound of the loss at the target, from the boxes that are left of the lattice. What is evaluated on the way goes to
    /// the archive. Where the evaluations end first, boxes are left.
    pub fn bound(&mut self, waiting: &mut Waiting) -> f64 {
        while let Some(Reverse(best)) = waiting.pop() {
            if best.bound.0 >= self.limit() {
                break;
            }
            // The least bound of all that is left.
            if self.large.stopped() {
                let bound = best.bound.0;
                waiting.push(Reverse(best));
                return bound;
            }
            if best.low == best.high {
                continue;
            }
            for half in self.halves(best) {
                waiting.extend(self.shrunk(half).map(Reverse));
            }
        }
        waiting.clear();
        self.limit().min(self.large.least_known(self.target))
    }

    /// Whatever loses so much or more is of no use.
    fn limit(&self) -> f64 {
        self.large.limit(self.target, self.aim)
    }

    /// Makes a box smaller from both ends; none where nothing is left. Where the budget ends, the box as it is.
    fn shrunk(&mut self, mut own: NodeBox) -> Option<NodeBox> {
        loop {
            self.climb(&mut own).ok()?;
            let floor = self.large.floor(&own.low);
            if floor >= self.limit() {
                return None;
            }
            own.bound = own.bound.max(Ordered(floor));
            self.large.evaluate(std::slice::from_ref(&own.high));
            let Some(known) = self.large.of(&own.high) else { return Some(own) };
            let (extra, limit) = (known.ceiling.extra_for(self.target), self.limit());
            if floor + extra >= limit {
                self.walls.push(&own.high, extra);
                return None;
            }
            own.bound = own.bound.max(Ordered(floor + extra));
            if self.lowered(&mut own, limit - extra) || self.raised(&mut own, floor, extra) {
                continue;
            }
            return Some(own);
        }
    }

    /// Raises the lower corner by what evaluated nodes rule out.
    fn climb(&mut self, own: &mut NodeBox) -> Result<(), RuledOut> {
        loop {
            let left = self.limit() - self.large.floors.of(&own.low);
            if left <= 0.0 {
                return Err(RuledOut);
            }
            let raised = self.walls.climb(&mut own.low, &own.high, left)?;
            raised.iter().for_each(|column| own.fits[*column] = false);
            if raised.is_empty() {
                return Ok(());
            }
        }
    }

    /// Takes levels from the upper corner that lose too much even where all other columns are at their finest.
    fn lowered(&self, own: &mut NodeBox, limit: f64) -> bool {
        let mut lowered = false;
        for column in 0..own.low.len() {
            let mut corner = own.low.clone();
            corner[column] = own.high[column];
            while own.high[column] > own.low[column] && self.large.floors.of(&corner) >= limit {
                own.high[column] -= 1;
                corner[column] -= 1;
                lowered = true;
            }
        }
        if lowered {
            own.fits.fill(false);
        }
        lowered
    }

    /// Takes levels from the lower corner that miss the target, or pay too much for it, even where all other columns are at
    /// their coarsest.
    fn raised(&mut self, own: &mut NodeBox, floor: f64, extra: f64) -> bool {
        let mut asked: Vec<(usize, Node)> = Vec::new();
        for column in (0..own.low.len()).filter(|column| own.low[*column] < own.high[*column]) {
            if own.fits[column] {
                continue;
            }
            let mut node = own.high.clone();
            node[column] = own.low[column];
            if self.good.reached(&node, self.limit() - floor) {
                own.fits[column] = true;
            } else {
                asked.push((column, node));
            }
        }
        let first = self.enough(own, &mut asked, self.limit() - floor - extra);
        let rest = asked.split_off(first);
        let mut raised = self.ask(own, floor, asked);
        if self.large.floors.of(&own.low) + extra < self.limit() {
            raised |= self.ask(own, floor, rest);
        }
        raised
    }

    /// Puts those columns first of which the next level adds most, and says how many of them would do to rule the box out:
    /// then the others need not be asked.
    fn enough(&self, own: &NodeBox, asked: &mut [(usize, Node)], left: f64) -> usize {
        let LossFloor::Sum { levels, .. } = &self.large.floors else { return asked.len() };
        let gain = |column: usize| {
            let (adds, level) = (&levels[column], own.low[column] as usize);
            adds[level + 1] - adds[level]
        };
        asked.sort_by(|a, b| gain(b.0).total_cmp(&gain(a.0)).then(a.0.cmp(&b.0)));
        let mut sum = 0.0;
        let reaches = asked.iter().position(|(column, _)| {
            sum += gain(*column);
            sum >= left
        });
        reaches.map_or(asked.len(), |at| at + 1)
    }

    /// Evaluates nodes, each the coarsest with a column at its finest level; where one does not do, the level goes.
    fn ask(&mut self, own: &mut NodeBox, floor: f64, asked: Vec<(usize, Node)>) -> bool {
        let nodes: Vec<Node> = asked.iter().map(|(_, node)| node.clone()).collect();
        self.large.evaluate(&nodes);
        let (left, mut raised) = (self.limit() - floor, false);
        for (column, node) in asked {
            let Some(known) = self.large.of(&node) else { continue };
            let extra = known.ceiling.extra_for(self.target);
            if extra >= left {
                self.walls.push(&node, extra);
                own.low[column] += 1;
                raised = true;
            } else {
                self.good.push(&node, extra);
                own.fits[column] = true;
            }
        }
        raised
    }

    /// Halves a box in the column in which its ends differ most, near the middle.
    fn halves(&self, own: NodeBox) -> [NodeBox; 2] {
        let weight = |column: usize, level: u32| match &self.large.floors {
            LossFloor::Sum { levels, .. } => levels[column][level as usize],
            LossFloor::Learned(_) | LossFloor::Unknown => {
                f64::from(level) / f64::from(self.large.lattice.heights[column])
            }
        };
        let width = |column: usize| weight(column, own.high[column]) - weight(column, own.low[column]);
        let open = (0..own.low.len()).filter(|column| own.low[*column] < own.high[*column]);
        let column = open.max_by(|a, b| width(*a).total_cmp(&width(*b))).expect("two nodes differ somewhere");
        let middle = weight(column, own.low[column]) + width(column) / 2.0;
        let off = |level: u32| (weight(column, level) + weight(column, level + 1) - 2.0 * middle).abs();
        let levels = own.low[column]..own.high[column];
        let split = levels.min_by(|a, b| off(*a).total_cmp(&off(*b))).expect("the column has two levels or more");
        let mut fine = NodeBox {
            bound: own.bound,
            low: own.low.clone(),
            high: own.high.clone(),
            fits: vec![false; own.fits.len()],
        };
        fine.high[column] = split;
        let mut coarse = own;
        coarse.low[column] = split + 1;
        coarse.fits[column] = false;
        [fine, coarse]
    }
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
