//! Evaluates nodes of the lattice side by side, each rolled up from the smallest finer grouping at hand.

use rayon::prelude::*;

use super::{RollupSource, Views};
use crate::front::Outcome;
use crate::group::{FrequencyTable, Grouping};
use crate::problem::Problem;
use crate::recode::Recoding;
use crate::search::{Evaluator, SearchRun};

/// An evaluator with a grouping to fill.
type Worker<'a> = (Evaluator<'a>, Grouping);

/// Workers and what they share.
pub(in crate::search) struct Rollup<'a> {
    table: &'a FrequencyTable,
    run: &'a SearchRun<'a>,
    workers: Vec<Worker<'a>>,
    views: Views<'a>,
}

impl<'a> Rollup<'a> {
    /// With a number of workers that must not depend on the threads.
    pub fn new(table: &'a FrequencyTable, problem: &'a dyn Problem, run: &'a SearchRun<'a>, workers: usize) -> Self {
        let worker = || (Evaluator::new(table, problem), Grouping::default());
        Rollup {
            table,
            run,
            workers: std::iter::repeat_with(worker).take(workers).collect(),
            views: Views::new(table, problem.needs()),
        }
    }

    /// Evaluates nodes, any number of them. None for those that came after a cancellation.
    pub fn evaluate(&mut self, nodes: &[Vec<u32>]) -> Vec<Option<Cutoffs>> {
        let mut found = Vec::with_capacity(nodes.len());
        for some in nodes.chunks(self.workers.len()) {
            let nodes: Vec<&[u32]> = some.iter().map(Vec::as_slice).collect();
            let sources = self.views.sources(&nodes);
            let (table, watch) = (self.table, self.run.watch);
            let evaluate = |((node, source), worker): ((&&[u32], &RollupSource), &mut Worker<'a>)| {
                if watch.cancelled() {
                    return None;
                }
                let (evaluator, grouping) = worker;
                evaluator.group(source.tuples(table), &Recoding::of_levels(node), grouping);
                Some(Cutoffs::of(evaluator, grouping))
            };
            found.par_extend(nodes.par_iter().zip(&sources).zip(&mut self.workers).map(evaluate));
        }
        found
    }
}

/// What an evaluated node can do.
pub(in crate::search) struct Cutoffs {
    /// Every cut-off, none first.
    pub all: Vec<Outcome>,
    /// Whether each is an outcome under the problem's rule.
    pub counts: Vec<bool>,
}

impl Cutoffs {
    fn of(evaluator: &mut Evaluator, grouping: &Grouping) -> Self {
        let mut cutoffs = Cutoffs { all: Vec::new(), counts: Vec::new() };
        evaluator.cutoffs(grouping, &mut |outcome, counts| {
            cutoffs.all.push(outcome);
            cutoffs.counts.push(counts);
        });
        cutoffs
    }

    /// Those that the problem's rule allows.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.all.iter().zip(&self.counts).filter(|(_, counts)| **counts).map(|(outcome, _)| outcome)
    }
}
