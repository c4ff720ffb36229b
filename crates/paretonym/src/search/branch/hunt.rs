//! The least loss at one wanted level, or a bound of it: spans are halved by questions until nothing is left of them.

use std::collections::HashSet;
use std::sync::Arc;

use super::bound::Bounder;
use super::ground::Ground;
use super::sheet::Sheet;
use super::span::Span;
use crate::front::Archive;
use crate::search::genetic::{Genome, Judged};

/// Of so many spans one has what its columns would choose evaluated.
const EVALUATED: u64 = 4;
/// A sheet is made anew when so much of what the last one told apart is not told apart any more.
const ROLLED: f64 = 0.85;

/// A span that waits.
struct Waiting {
    span: Span,
    sheet: Arc<Sheet>,
    /// The ones of the finest recoding when the sheet was made.
    told_apart: usize,
    price: f64,
    bound: f64,
}

/// A hunt that is under way.
pub(super) struct Hunt {
    /// What every group that is kept has at least.
    pub wanted: u64,
    /// Whatever loses so much, in rows, is of no use.
    pub limit: f64,
    waiting: Vec<Waiting>,
    met: HashSet<u128>,
    /// Spans looked at.
    spans: u64,
}

/// What a hunt did.
#[derive(Default)]
pub(super) struct Caught {
    /// Recodings that were evaluated, with what came of them.
    pub evaluated: Vec<(Genome, Judged)>,
    /// Spans looked at, and recodings evaluated beside them. A span of one recoding is one evaluation.
    pub evaluations: u64,
}

impl Hunt {
    /// Among all recodings.
    pub fn new(ground: &Ground, wanted: u64, limit: f64) -> Self {
        let span = Span::whole(ground.layout);
        let told_apart = span.finest.ones(0..ground.layout.bits);
        let sheet = Arc::new(ground.sheet.clone());
        let waiting = vec![Waiting { span, sheet, told_apart, price: 0.0, bound: 0.0 }];
        Hunt { wanted, limit, waiting, met: HashSet::new(), spans: 0 }
    }

    /// Whether nothing waits any more.
    pub fn is_over(&self) -> bool {
        self.waiting.is_empty()
    }

    /// What every recoding with the wanted level is known to lose at least, in rows.
    pub fn bound(&self) -> f64 {
        self.waiting.iter().map(|waiting| waiting.bound).fold(self.limit, f64::min)
    }

    /// The memory that waits with it, in bytes.
    pub fn bytes(&self) -> usize {
        let sheets = self.waiting.iter().map(|waiting| waiting.sheet.bytes() / Arc::strong_count(&waiting.sheet));
        sheets.sum::<usize>() + self.met.len() * size_of::<u128>()
    }

    /// Goes on for so many evaluations at most. `within` is the share of the least known loss that may be left open.
    pub fn go_on(&mut self, ground: &Ground, archive: &Archive, allowance: u64, within: f64) -> Caught {
        let mut bounder = Bounder::new(ground, self.wanted);
        let mut caught = Caught::default();
        while caught.evaluations < allowance && !ground.pool.cancelled() {
            let Some(Waiting { mut span, mut sheet, mut told_apart, price, bound }) = self.waiting.pop() else { break };
            if bound >= self.limit {
                continue;
            }
            caught.evaluations += 1;
            self.spans += 1;
            ground.pool.advance(1);
            let own = Arc::make_mut(&mut sheet);
            let Some(insight) = bounder.look(&mut span, own, price, self.limit) else { continue };
            let Some(next) = insight.next else {
                // All questions are answered.
                debug_assert!(span.is_single());
                self.evaluate(ground, archive, span.coarsest, within, &mut caught);
                continue;
            };
            if self.spans % EVALUATED == 1 && caught.evaluations < allowance {
                caught.evaluations += 1;
                self.evaluate(ground, archive, insight.cheapest, within, &mut caught);
            }
            let ones = span.finest.ones(0..ground.layout.bits);
            if (ones as f64) < ROLLED * told_apart as f64 {
                sheet = Arc::new(bounder.rolled_up(&sheet));
                told_apart = ones;
            }
            let (mut yes, mut no) = (span.clone(), span);
            yes.demand(ground.layout, next.asked());
            no.forbid(ground.layout, next.asked());
            let mut wait = |span: Span, more: f64| {
                let (sheet, bound) = (Arc::clone(&sheet), insight.bound + more);
                self.waiting.push(Waiting { span, sheet, told_apart, price: insight.price, bound });
            };
            // The last is next.
            if next.likely() {
                wait(no, next.no);
                wait(yes, next.yes);
            } else {
                wait(yes, next.yes);
                wait(no, next.no);
            }
        }
        caught
    }

    /// Evaluates a recoding, unless it was; what it reaches may lower the limit.
    fn evaluate(&mut self, ground: &Ground, archive: &Archive, genome: Genome, within: f64, caught: &mut Caught) {
        if !self.met.insert(genome.fingerprint()) {
            return;
        }
        let judged = ground.pool.evaluate_one(&genome, archive);
        for outcome in &judged.outcomes {
            let costs = outcome.point.costs();
            if costs[0] <= -(self.wanted as f64) {
                self.limit = self.limit.min(super::limit(costs[1], within) * ground.table.rows as f64);
            }
        }
        caught.evaluated.push((genome, judged));
    }
}
