//! Evaluates nodes of the lattice side by side, each rolled up from the smallest finer grouping at hand.

use std::sync::Arc;

use rayon::prelude::*;

use super::{Buffers, RollupSource, Views, is_distant, judge_distant};
use crate::front::Outcome;
use crate::group::{FrequencyTable, Tuples};
use crate::measure::Grouped;
use crate::problem::Problem;
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
    let mut cutoffs = Cutoffs { all: Vec::new(), counts: Vec::new() };
    problem.cutoffs(&Grouped { table, grouping }, scratch, &mut |outcome, counts| {
        cutoffs.all.push(outcome);
        cutoffs.counts.push(counts);
    });
    cutoffs
}

/// What an evaluated node can do.
pub(in crate::search) struct Cutoffs {
    /// Every cut-off, none first.
    pub all: Vec<Outcome>,
    /// Whether each is an outcome under the problem's rule.
    pub counts: Vec<bool>,
}

impl Cutoffs {
    /// Those that the problem's rule allows.
    pub fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.all.iter().zip(&self.counts).filter(|(_, counts)| **counts).map(|(outcome, _)| outcome)
    }
}
