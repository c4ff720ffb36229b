//! Levels: one of a few partitions for the whole column.

use super::part::{Answer, Cell, Charge, Price, Slice, Tally};
use super::span::Question;
use super::view::ColumnView;
use crate::group::FrequencyTable;
use crate::search::genetic::Segment;

/// The sets of one level.
struct Level {
    /// The set of each piece.
    of: Vec<u32>,
    /// The leaves of each set, as first and end.
    leaves: Vec<(u32, u32)>,
}

/// The charges of the levels of a column that are left.
pub(super) struct Chain {
    column: usize,
    /// The finest level that is left.
    lowest: usize,
    levels: Vec<Level>,
    /// By level and set.
    tallies: Vec<Vec<Tally>>,
    charges: Vec<Charge>,
    /// By level and set: rows and shares of the group that is being charged.
    counts: Vec<Vec<(u64, f64)>>,
    touched: Vec<u32>,
}

impl Chain {
    pub fn new(table: &FrequencyTable, column: usize, view: &ColumnView) -> Self {
        let (lowest, highest) = view.levels;
        let level = |level: usize| {
            let sets = &table.levels[column][level];
            let of = (0..view.pieces.len()).map(|piece| sets.set_of[view.pieces.first[piece] as usize]).collect();
            let leaves = sets.first.windows(2).map(|pair| (pair[0], pair[1])).collect();
            Level { of, leaves }
        };
        let levels: Vec<Level> = (lowest..=highest).map(level).collect();
        let tallies = levels.iter().map(|level| vec![Tally::default(); level.leaves.len()]).collect();
        let counts = levels.iter().map(|level| vec![(0, 0.0); level.leaves.len()]).collect();
        Chain { column, lowest, levels, tallies, charges: Vec::new(), counts, touched: Vec::new() }
    }

    pub fn add(&mut self, slice: &Slice) {
        for ((level, counts), tallies) in self.levels.iter().zip(&mut self.counts).zip(&mut self.tallies) {
            for (piece, rows, shares) in slice.pieces {
                let set = level.of[*piece as usize];
                let count = &mut counts[set as usize];
                if count.0 == 0 {
                    self.touched.push(set);
                }
                count.0 += rows;
                count.1 += shares;
            }
            for set in self.touched.drain(..) {
                let (rows, shares) = std::mem::take(&mut counts[set as usize]);
                tallies[set as usize].count(rows, shares, slice);
            }
        }
    }

    pub fn close(&mut self, view: &ColumnView, cell: Cell) {
        let cell = |leaves: &(u32, u32)| cell(leaves.0 as usize, leaves.1 as usize);
        self.charges.clear();
        for (level, tallies) in self.levels.iter().zip(&self.tallies) {
            let mut charge = Charge::default();
            for (leaves, tally) in level.leaves.iter().zip(tallies).filter(|(_, tally)| tally.rows > 0.0) {
                let around = view.coarse.of[leaves.0 as usize] as usize;
                let (first, end) = view.coarse.leaves(around, around + 1);
                let own = tally.charge(cell(leaves), cell(&(first as u32, end as u32)));
                charge.fixed += own.fixed;
                charge.shares += own.shares;
            }
            self.charges.push(charge);
        }
    }

    pub fn solve(&self, segment: &Segment, price: f64, answer: &mut Answer) {
        let costs: Vec<f64> = self.charges.iter().map(|charge| charge.at(price)).collect();
        let best = (0..costs.len()).min_by(|a, b| costs[*a].total_cmp(&costs[*b])).expect("a level is left");
        answer.cost += costs[best];
        answer.shares += self.charges[best].shares;
        let level = self.lowest + best;
        answer.cheapest.fill(segment.bits.start..segment.bits.end - level, true);
        let Some(prices) = &mut answer.prices else { return };
        let least = |costs: &[f64]| costs.iter().copied().fold(f64::INFINITY, f64::min);
        for at in 1..costs.len() {
            let question = Question { column: self.column, about: self.lowest + at };
            prices.push(Price {
                question,
                no: least(&costs[at..]) - costs[best],
                yes: least(&costs[..at]) - costs[best],
            });
        }
    }
}
