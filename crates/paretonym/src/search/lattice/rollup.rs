//! Evaluates nodes of the lattice side by side, each rolled up from the smallest finer grouping at hand.

use std::sync::Arc;

use rayon::prelude::*;

use super::{Buffers, RollupSource, Views, is_distant, judge_distant};
use crate::front::Outcome;
use crate::group::{FrequencyTable, Tuples};
use crate::measure::Grouped;
use crate::problem::{Pieces, Problem, Scratch};
use crate::recode::Recoding;
use crate::search::SearchRun;

/// Nodes whose sources are looked for together. The number does not depend on the threads.
const SIDE_BY_SIDE: usize = 8;

/// What views take of the memory of the table: nodes come in no order that views follow, and those that are made again and again
/// take time.
const TENTHS: usize = 6;

/// The views of a search and whoever evaluates from them.
pub(in crate::search) struct Rollup<'a> {
    table: &'a FrequencyTable,
    problem: &'a dyn Problem,
    run: &'a SearchRun<'a>,
    views: Views<'a>,
}

impl<'a> Rollup<'a> {
    /// Without any view yet.
    pub fn new(table: &'a FrequencyTable, problem: &'a dyn Problem, run: &'a SearchRun<'a>) -> Self {
        Rollup { table, problem, run, views: Views::new(table, problem.needs(), TENTHS) }
    }

    /// Evaluates nodes, any number of them. None for those that came after a cancellation.
    pub fn evaluate(&mut self, nodes: &[Vec<u32>]) -> Vec<Option<Cutoffs>> {
        if self.table.distant.is_some() {
            return nodes.iter().map(|node| self.one_by_one(node)).collect();
        }
        let mut found = Vec::with_capacity(nodes.len());
        for some in nodes.chunks(SIDE_BY_SIDE) {
            let nodes: Vec<&[u32]> = some.iter().map(Vec::as_slice).collect();
            let sources = self.views.sources(&nodes);
            let evaluate = |(node, source): (&&[u32], &RollupSource)| {
                let own = || {
                    self.views.lend(|buffers| judge(self.table, self.problem, node, source.tuples(self.table), buffers))
                };
                (!self.run.watch.cancelled()).then(own)
            };
            found.par_extend(nodes.par_iter().zip(&sources).map(evaluate));
        }
        found
    }
}

impl Rollup<'_> {
    /// A node of a table whose tuples are not here: from the groups that are, or by asking.
    fn one_by_one(&mut self, node: &[u32]) -> Option<Cutoffs> {
        if self.run.watch.cancelled() {
            return None;
        }
        if is_distant(self.table, node) {
            return judge_distant(self.table, self.problem, node, self.run.watch);
        }
        let source = self.views.sources(&[node]).pop()?;
        let own = self.views.lend(|buffers| judge(self.table, self.problem, node, source.tuples(self.table), buffers));
        Some(own)
    }
}

/// Groups a finer grouping, or the tuples, by a node, and asks the problem.
pub(super) fn judge(
    table: &FrequencyTable,
    problem: &dyn Problem,
    node: &[u32],
    from: &Arc<Tuples>,
    buffers: &mut Buffers,
) -> Cutoffs {
    let Buffers { workspace, grouping, scratch } = buffers;
    workspace.group(table, from, &Recoding::of_levels(node), problem.needs(), grouping);
    let grouped = Grouped { table, grouping };
    cutoffs_of(problem, &grouped, scratch, || problem.rules_out(grouped))
}

/// What pieces can do; `rules_out` tells whether floors leave nothing, here and in whatever is finer.
pub(super) fn cutoffs_of(
    problem: &dyn Problem,
    pieces: &dyn Pieces,
    scratch: &mut Scratch,
    rules_out: impl FnOnce() -> bool,
) -> Cutoffs {
    let (mut all, mut counts, mut apart) = (Vec::new(), Vec::new(), Vec::new());
    problem.cutoffs(pieces, scratch, &mut |outcome, own| {
        all.push(outcome);
        counts.push(own);
    });
    if !problem.cutoffs_are_outcomes() && !all.is_empty() {
        problem.outcomes(pieces, scratch, &mut |outcome| apart.push(outcome));
    }
    let (unsuppressed, ruled_out) = match problem.floors() {
        None => (least_loss(&all), false),
        // What misses a floor is suppressed at every cut-off.
        Some(_) => {
            let reached = !apart.is_empty() || counts.contains(&true);
            (scratch.whole_loss(pieces, problem.loss()), !reached && rules_out())
        }
    };
    Cutoffs { all, counts, apart, unsuppressed, ruled_out }
}

/// The least loss of some outcomes: where losses are bounded below, that with nothing suppressed.
fn least_loss(outcomes: &[Outcome]) -> f64 {
    let losses = outcomes.iter().map(|outcome| outcome.point.costs()[outcome.point.costs().len() - 1]);
    losses.fold(f64::INFINITY, f64::min)
}

/// What an evaluated node can do.
pub(in crate::search) struct Cutoffs {
    /// Every cut-off, none first.
    pub all: Vec<Outcome>,
    /// Whether each is an outcome under the problem's rule.
    counts: Vec<bool>,
    /// Outcomes that are not among the cut-offs.
    apart: Vec<Outcome>,
    /// The loss with nothing suppressed.
    pub unsuppressed: f64,
    /// Whether neither the node nor any finer one has an outcome.
    pub ruled_out: bool,
}

impl Cutoffs {
    /// Those that the problem's rule allows.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        let own = self.all.iter().zip(&self.counts).filter(|(_, counts)| **counts).map(|(outcome, _)| outcome);
        own.chain(&self.apart)
    }
}
