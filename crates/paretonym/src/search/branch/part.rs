//! What the sets of a column would cost: the part of a bound that one column decides.
//!
//! A *part* is a coarse set of a column that may still be cut, or a whole column where levels decide for all sets at once. For
//! every set that it may be cut into, rows of groups that stay are charged their cell, and rows of groups that would be too
//! small their share in what suppressing them costs. The cheapest of all ways of cutting is found by dynamic programming; so is,
//! for every question about the part, the cheapest way with either answer.

use super::chain::Chain;
use super::runs::RunTable;
use super::span::Question;
use super::tree::TreeTable;
use super::view::ColumnView;
use crate::group::FrequencyTable;
use crate::recode::Family;
use crate::search::genetic::{Genome, Segment};

/// A group as one column sees it.
pub(super) struct Slice<'a> {
    /// The rows of the group by piece of the part, and the sums of their shares.
    pub pieces: &'a [(u32, u64, f64)],
    /// What suppressing a row costs beyond what its cells can cost at most.
    pub surplus: f64,
    /// A group of fewer rows is suppressed.
    pub wanted: u64,
}

/// What a row loses in a column by showing some of its leaves.
pub(super) type Cell<'a> = &'a dyn Fn(usize, usize) -> f64;

/// What a question about a part would cost: how much more than the best if the answer is no, and if it is yes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Price {
    pub question: Question,
    pub no: f64,
    pub yes: f64,
}

/// Where a dynamic programme writes what it finds.
pub(super) struct Answer<'a> {
    /// The cost of the cheapest way, those of all parts added up.
    pub cost: f64,
    /// The shares of suppressed rows in it.
    pub shares: f64,
    /// The recoding that takes the cheapest way everywhere.
    pub cheapest: &'a mut Genome,
    /// What each open question would cost; only where asked for.
    pub prices: Option<&'a mut Vec<Price>>,
}

/// A charge: what is paid in any case, and what is paid times the price of suppressing one more row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Charge {
    pub fixed: f64,
    pub shares: f64,
}

impl Charge {
    #[inline]
    pub fn at(self, price: f64) -> f64 {
        self.fixed + price * self.shares
    }
}

/// The charges of a part.
pub(super) enum Part {
    Runs(RunTable),
    Tree(TreeTable),
    Chain(Chain),
}

impl Part {
    /// An empty part for a coarse set of a column; for levels, the set is of no importance.
    pub fn new(table: &FrequencyTable, column: usize, segment: &Segment, view: &ColumnView, set: usize) -> Self {
        match segment.family {
            Family::Breaks => Part::Runs(RunTable::new(column, segment, view, set)),
            Family::Cuts => Part::Tree(TreeTable::new(column, segment, view, set)),
            Family::Levels => Part::Chain(Chain::new(table, column, view)),
        }
    }

    /// The number of the first piece that belongs to it.
    pub fn first_piece(&self) -> usize {
        match self {
            Part::Runs(runs) => runs.first,
            Part::Tree(tree) => tree.first,
            Part::Chain(_) => 0,
        }
    }

    /// Charges the rows of a group.
    pub fn add(&mut self, slice: &Slice) {
        match self {
            Part::Runs(runs) => runs.add(slice),
            Part::Tree(tree) => tree.add(slice),
            Part::Chain(chain) => chain.add(slice),
        }
    }

    /// Once all groups are charged.
    pub fn close(&mut self, view: &ColumnView, cell: Cell) {
        match self {
            Part::Runs(runs) => runs.close(view, cell),
            Part::Tree(tree) => tree.close(view, cell),
            Part::Chain(chain) => chain.close(view, cell),
        }
    }

    /// The cheapest way of cutting it, at a price of suppressing one more row.
    pub fn solve(&self, segment: &Segment, view: &ColumnView, price: f64, answer: &mut Answer) {
        match self {
            Part::Runs(runs) => runs.solve(segment, view, price, answer),
            Part::Tree(tree) => tree.solve(segment, price, answer),
            Part::Chain(chain) => chain.solve(segment, price, answer),
        }
    }
}

/// What is charged for one set: its rows, and of those that would be suppressed the rows and what they pay for it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub rows: f64,
    pub lost: f64,
    pub extra: f64,
    pub shares: f64,
}

impl Tally {
    /// Counts rows of a group that is suppressed if it has no more than these.
    #[inline]
    pub fn count(&mut self, rows: u64, shares: f64, slice: &Slice) {
        self.rows += rows as f64;
        if rows < slice.wanted {
            self.lost += rows as f64;
            self.extra += shares * slice.surplus;
            self.shares += shares;
        }
    }

    /// The charge, where kept rows pay `cell` and suppressed ones `most` and their share.
    pub fn charge(self, cell: f64, most: f64) -> Charge {
        Charge { fixed: (self.rows - self.lost) * cell + self.lost * most + self.extra, shares: self.shares }
    }
}
