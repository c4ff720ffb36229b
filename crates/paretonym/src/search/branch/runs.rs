//! Breaks: every run of neighbouring pieces may become a set.

use super::part::{Answer, Cell, Charge, Price, Slice};
use super::span::Question;
use super::view::ColumnView;
use crate::search::genetic::Segment;

/// The charges of all runs of pieces of one coarse set.
pub(super) struct RunTable {
    column: usize,
    set: usize,
    /// Its first piece.
    pub first: usize,
    /// How many pieces it has.
    length: usize,
    /// By piece: the rows of all groups.
    rows: Vec<f64>,
    /// By start and end: of suppressed rows the number, what they pay beyond cells, and their shares.
    lost: Vec<f64>,
    extra: Vec<f64>,
    shares: Vec<f64>,
    /// By start and end, once closed.
    charges: Vec<Charge>,
    before: Vec<(u64, f64)>,
}

impl RunTable {
    pub fn new(column: usize, _: &Segment, view: &ColumnView, set: usize) -> Self {
        let (first, end) = view.pieces_of(set);
        let length = end - first;
        let cells = (length + 1) * (length + 1);
        RunTable {
            column,
            set,
            first,
            length,
            rows: vec![0.0; length],
            lost: vec![0.0; cells],
            extra: vec![0.0; cells],
            shares: vec![0.0; cells],
            charges: Vec::new(),
            before: vec![(0, 0.0); length + 1],
        }
    }

    /// Only runs that are too small are visited: those that grow from any start until the group would stay.
    pub fn add(&mut self, slice: &Slice) {
        let length = self.length;
        self.before.iter_mut().for_each(|before| *before = (0, 0.0));
        for (piece, rows, shares) in slice.pieces {
            let next = &mut self.before[*piece as usize + 1];
            next.0 += rows;
            next.1 += shares;
            self.rows[*piece as usize] += *rows as f64;
        }
        for end in 1..=length {
            self.before[end].0 += self.before[end - 1].0;
            self.before[end].1 += self.before[end - 1].1;
        }
        for start in 0..length {
            let (rows, shares) = self.before[start];
            let line = start * (length + 1);
            for end in start + 1..=length {
                let here = self.before[end].0 - rows;
                if here >= slice.wanted {
                    break;
                }
                let share = self.before[end].1 - shares;
                self.lost[line + end] += here as f64;
                self.extra[line + end] += share * slice.surplus;
                self.shares[line + end] += share;
            }
        }
    }

    pub fn close(&mut self, view: &ColumnView, cell: Cell) {
        let length = self.length;
        let (first, end) = view.coarse.leaves(self.set, self.set + 1);
        let most = cell(first, end);
        self.charges.clear();
        self.charges.resize((length + 1) * (length + 1), Charge::default());
        for start in 0..length {
            let mut rows = 0.0;
            for end in start + 1..=length {
                rows += self.rows[end - 1];
                let at = start * (length + 1) + end;
                let (from, to) = view.pieces.leaves(self.first + start, self.first + end);
                let lost = self.lost[at];
                let fixed = (rows - lost) * cell(from, to) + lost * most + self.extra[at];
                self.charges[at] = Charge { fixed, shares: self.shares[at] };
            }
        }
    }

    pub fn solve(&self, segment: &Segment, view: &ColumnView, price: f64, answer: &mut Answer) {
        let length = self.length;
        let charge = |start: usize, end: usize| self.charges[start * (length + 1) + end];
        // The cheapest way up to each piece, and where its last run starts.
        let mut up_to = vec![(f64::INFINITY, 0); length + 1];
        up_to[0].0 = 0.0;
        for end in 1..=length {
            for start in 0..end {
                let cost = up_to[start].0 + charge(start, end).at(price);
                if cost < up_to[end].0 {
                    up_to[end] = (cost, start);
                }
            }
        }
        let best = up_to[length].0;
        answer.cost += best;
        let gap = |piece: usize| view.pieces.first[self.first + piece] as usize - 1;
        let mut end = length;
        while end > 0 {
            let start = up_to[end].1;
            answer.shares += charge(start, end).shares;
            if start > 0 {
                answer.cheapest.set(segment.bits.start + gap(start), true);
            }
            end = start;
        }
        let Some(prices) = &mut answer.prices else { return };
        let mut from = vec![f64::INFINITY; length + 1];
        from[length] = 0.0;
        for start in (0..length).rev() {
            for end in start + 1..=length {
                from[start] = from[start].min(charge(start, end).at(price) + from[end]);
            }
        }
        // No break before a piece: the cheapest way with a run that goes across.
        let mut across = vec![f64::INFINITY; length + 1];
        for (start, (before, _)) in up_to.iter().enumerate().take(length) {
            let mut least = f64::INFINITY;
            for end in (start + 2..=length).rev() {
                least = least.min(before + charge(start, end).at(price) + from[end]);
                across[end - 1] = across[end - 1].min(least);
            }
        }
        for piece in 1..length {
            prices.push(Price {
                question: Question { column: self.column, about: gap(piece) },
                no: across[piece] - best,
                yes: up_to[piece].0 + from[piece] - best,
            });
        }
    }
}
