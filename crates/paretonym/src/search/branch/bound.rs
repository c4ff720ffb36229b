//! A lower bound of the loss of all recodings of a span, and what follows from it for each question.
//!
//! Why it holds: docs/theory/branch.md. In short: a row that is suppressed when one column alone is recoded and all others stay as
//! coarse as they may is suppressed in the end; so each column can be charged for the rows that it loses, a share of what
//! suppressing them costs, and for all others their cells. What the columns would pay at least, each on its own, adds up to a bound.

use super::ground::Ground;
use super::grouped::Grouped;
use super::part::{Answer, Part, Price, Slice};
use super::sheet::Sheet;
use super::span::{Question, Span};
use super::view::ColumnView;
use crate::search::genetic::Genome;

/// Prices of suppressing one more row that are tried, at most.
const PRICES: usize = 6;
/// Below this a price is taken for nothing.
const SMALL_PRICE: f64 = 0.02;
/// How much less a question counts for what yes would cost than for what no would.
const YES: f64 = 0.1;

/// What is known of a span.
pub(super) struct Insight {
    /// What its recodings lose at least, in rows.
    pub bound: f64,
    /// The price of suppressing one more row that gave this bound.
    pub price: f64,
    /// The question to ask next; none where all are answered.
    pub next: Option<Price>,
    /// What every column would choose on its own.
    pub cheapest: Genome,
}

/// The buffers of one worker.
pub(super) struct Bounder<'g, 'a> {
    ground: &'g Ground<'a>,
    /// What every group that is kept has at least.
    wanted: u64,
    views: Vec<ColumnView>,
    /// By column and coarse set: its cell, and the part that it belongs to.
    sets: Vec<Vec<(f64, Option<usize>)>>,
    parts: Vec<(usize, Part)>,
    grouped: Grouped,
    /// Rows that every recoding of the span suppresses.
    lost: u64,
    /// What is paid whatever the open columns do.
    settled: f64,
    pieces: Vec<(u32, u64, f64)>,
    inverses: Vec<f64>,
    chosen: Vec<ColumnView>,
    counts: Vec<u64>,
    suppressing: Vec<u64>,
}

impl<'g, 'a> Bounder<'g, 'a> {
    pub fn new(ground: &'g Ground<'a>, wanted: u64) -> Self {
        let columns = ground.table.columns.len();
        Bounder {
            ground,
            wanted,
            views: vec![ColumnView::default(); columns],
            sets: vec![Vec::new(); columns],
            parts: Vec::new(),
            grouped: Grouped::default(),
            lost: 0,
            settled: 0.0,
            pieces: Vec::new(),
            inverses: Vec::new(),
            chosen: vec![ColumnView::default(); columns],
            counts: Vec::new(),
            suppressing: Vec::new(),
        }
    }

    /// Bounds what the recodings of a span lose, and takes from it those that cannot lose less than the limit. None where
    /// nothing is left. The shares of the sheet follow what is found.
    pub fn look(&mut self, span: &mut Span, sheet: &mut Sheet, price: f64, limit: f64) -> Option<Insight> {
        let (mut price, mut ascended) = (price, false);
        loop {
            self.group(span, sheet);
            self.charge(sheet);
            if self.lost > self.ground.budget {
                return None;
            }
            price = self.dearest(span, price, limit)?;
            let mut prices = Vec::new();
            let (bound, cheapest) = {
                let mut cheapest = span.coarsest.clone();
                let (bound, _) = self.solve(price, &mut cheapest, Some(&mut prices));
                (bound, cheapest)
            };
            if bound >= limit {
                return None;
            }
            let (changed, next) = self.answer(span, &prices, limit - bound)?;
            let moved = !std::mem::replace(&mut ascended, true) && self.lean(sheet, &cheapest);
            if !moved && !changed {
                return Some(Insight { bound, price, next, cheapest });
            }
        }
    }

    /// The tuples as the finest recoding of the span shows them, without those that are lost.
    pub fn rolled_up(&self, sheet: &Sheet) -> Sheet {
        let stretch = |group: usize| (self.grouped.starts[group], self.grouped.starts[group + 1]);
        let kept: Vec<(u32, u32)> =
            (0..self.grouped.len()).filter(|group| self.grouped.rows[*group] >= self.wanted).map(stretch).collect();
        sheet.rolled_up(&self.views, &self.grouped.order, &kept, self.lost)
    }

    /// Groups by the coarsest recoding, with an empty part for everything that is open.
    fn group(&mut self, span: &Span, sheet: &Sheet) {
        let Ground { table, layout, .. } = self.ground;
        self.parts.clear();
        for (column, segment) in layout.segments.iter().enumerate() {
            let view = &mut self.views[column];
            view.fill(table, column, segment, span);
            let levels = segment.family == crate::recode::Family::Levels;
            self.sets[column].clear();
            let mut whole = None;
            for set in 0..view.coarse.len() {
                let (first, end) = view.coarse.leaves(set, set + 1);
                let (from, to) = view.pieces_of(set);
                let open = if levels { !view.is_settled() } else { to - from > 1 };
                let part = open.then(|| match whole {
                    Some(part) if levels => part,
                    _ => {
                        self.parts.push((column, Part::new(table, column, segment, view, set)));
                        self.parts.len() - 1
                    }
                });
                whole = part;
                self.sets[column].push((self.ground.cell(column, first, end), part));
            }
        }
        self.grouped.fill(sheet, &self.views);
    }

    /// Charges every group.
    fn charge(&mut self, sheet: &Sheet) {
        let columns = self.views.len();
        (self.lost, self.settled) = (sheet.lost, 0.0);
        let mut open: Vec<(usize, usize)> = Vec::with_capacity(columns);
        for group in 0..self.grouped.len() {
            let rows = self.grouped.rows[group];
            if rows < self.wanted {
                self.lost += rows;
                continue;
            }
            let tuples = self.grouped.tuples(group);
            let mut surplus = 1.0;
            open.clear();
            for column in 0..columns {
                let set = self.views[column].coarse.of[sheet.leaves[column][tuples[0] as usize] as usize];
                let (cell, part) = self.sets[column][set as usize];
                surplus -= cell;
                match part {
                    Some(part) => open.push((column, part)),
                    None => self.settled += rows as f64 * cell,
                }
            }
            if open.is_empty() {
                continue;
            }
            self.inverses.clear();
            self.inverses.extend(tuples.iter().map(|tuple| {
                let all: u32 = open.iter().map(|(column, _)| u32::from(sheet.shares[*column][*tuple as usize])).sum();
                if all == 0 { 0.0 } else { 1.0 / f64::from(all) }
            }));
            let even = 1.0 / open.len() as f64;
            for (column, part) in &open {
                let (pieces, shares) = (&self.views[*column].pieces, &sheet.shares[*column]);
                let part = &mut self.parts[*part].1;
                let first = part.first_piece() as u32;
                self.pieces.clear();
                self.pieces.extend(tuples.iter().zip(&self.inverses).map(|(tuple, inverse)| {
                    let tuple = *tuple as usize;
                    let rows = sheet.rows[tuple];
                    let share = if *inverse == 0.0 { even } else { f64::from(shares[tuple]) * inverse };
                    (pieces.of[sheet.leaves[*column][tuple] as usize] - first, rows, rows as f64 * share)
                }));
                part.add(&Slice { pieces: &self.pieces, surplus, wanted: self.wanted });
            }
        }
        self.settled += self.lost as f64;
        for (column, part) in &mut self.parts {
            part.close(&self.views[*column], &|first, end| self.ground.cell(*column, first, end));
        }
    }

    /// The bound at a price of suppressing one more row, and how many rows beyond the budget would be.
    fn solve(&self, price: f64, cheapest: &mut Genome, prices: Option<&mut Vec<Price>>) -> (f64, f64) {
        let beyond = self.lost as f64 - self.ground.budget as f64;
        let mut answer = Answer { cost: self.settled, shares: 0.0, cheapest, prices };
        for (column, part) in &self.parts {
            part.solve(&self.ground.layout.segments[*column], &self.views[*column], price, &mut answer);
        }
        let beyond = beyond + answer.shares;
        // Of the shares the parts have charged the price already.
        (answer.cost + price * (self.lost as f64 - self.ground.budget as f64), beyond)
    }

    /// The price with the largest bound, as far as a few tries tell. None where a bound reaches the limit.
    fn dearest(&self, span: &Span, start: f64, limit: f64) -> Option<f64> {
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let (mut best, mut price) = ((f64::NEG_INFINITY, start), start);
        let mut unused = span.coarsest.clone();
        for _ in 0..PRICES {
            let (bound, beyond) = self.solve(price, &mut unused, None);
            if bound >= limit {
                return None;
            }
            if bound > best.0 {
                best = (bound, price);
            }
            if beyond > 0.0 {
                low = price;
                price = match (high.is_finite(), price == 0.0) {
                    (true, _) => (low + high) / 2.0,
                    (false, true) => 0.25,
                    (false, false) => price * 2.0,
                };
            } else if price == 0.0 {
                break;
            } else {
                high = price;
                price = if low == 0.0 && high < SMALL_PRICE { 0.0 } else { (low + high) / 2.0 };
            }
        }
        Some(best.1)
    }

    /// Answers the questions of which one answer costs too much; whether there were any, and which to ask next. None where
    /// both answers to one do.
    fn answer(&self, span: &mut Span, prices: &[Price], slack: f64) -> Option<(bool, Option<Price>)> {
        let layout = self.ground.layout;
        let (mut changed, mut next, mut most) = (false, None, f64::NEG_INFINITY);
        for price in prices {
            match (price.no >= slack, price.yes >= slack) {
                (true, true) => return None,
                (true, false) => span.demand(layout, price.question),
                (false, true) => span.forbid(layout, price.question),
                (false, false) => {
                    let weight = price.no + YES * price.yes;
                    if weight > most {
                        (next, most) = (Some(*price), weight);
                    }
                    continue;
                }
            }
            changed = true;
        }
        Some((changed, next))
    }

    /// Moves the shares of each tuple towards the columns whose own choice suppresses it. False where nothing moves.
    fn lean(&mut self, sheet: &mut Sheet, cheapest: &Genome) -> bool {
        let Ground { table, layout, .. } = self.ground;
        let chosen = Span { coarsest: cheapest.clone(), finest: cheapest.clone() };
        for (column, segment) in layout.segments.iter().enumerate() {
            self.chosen[column].fill(table, column, segment, &chosen);
        }
        let mut moved = false;
        for group in (0..self.grouped.len()).filter(|group| self.grouped.rows[*group] >= self.wanted) {
            let tuples = self.grouped.tuples(group);
            self.suppressing.clear();
            self.suppressing.resize(tuples.len(), 0);
            let mut open = 0u64;
            for (column, leaves) in sheet.leaves.iter().enumerate() {
                let set = self.views[column].coarse.of[leaves[tuples[0] as usize] as usize];
                if self.sets[column][set as usize].1.is_none() {
                    continue;
                }
                open |= 1 << column;
                let runs = &self.chosen[column].coarse;
                self.counts.resize(self.counts.len().max(runs.len()), 0);
                let run = |tuple: u32| runs.of[leaves[tuple as usize] as usize] as usize;
                tuples.iter().for_each(|tuple| self.counts[run(*tuple)] += sheet.rows[*tuple as usize]);
                for (tuple, suppressing) in tuples.iter().zip(&mut self.suppressing) {
                    *suppressing |= u64::from(self.counts[run(*tuple)] < self.wanted) << column;
                }
                tuples.iter().for_each(|tuple| self.counts[run(*tuple)] = 0);
            }
            for (tuple, suppressing) in tuples.iter().zip(&self.suppressing) {
                if *suppressing != 0 && *suppressing != open {
                    sheet.lean(*tuple as usize, open, *suppressing);
                    moved = true;
                }
            }
        }
        moved
    }
}

/// A question, for whoever asks it.
impl Price {
    /// The answer that costs less.
    pub fn likely(&self) -> bool {
        self.yes <= self.no
    }

    /// The question.
    pub fn asked(&self) -> Question {
        self.question
    }
}
