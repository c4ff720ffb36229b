//! Evaluates nodes that are asked for together because they lie close to each other: what they have in common is grouped
//! first, and they are rolled up from there.
//!
//! The finest level of each column among some nodes makes a node that is finer than all of them. Its groups are few compared
//! with the tuples, and halves of the nodes have still fewer in common. Such groupings are kept for the nodes that are asked
//! for next, as long as there is room; which ones there are depends on the nodes asked for and not on the threads.

use std::sync::Arc;

use rayon::prelude::*;

use super::lending::Lender;
use super::rollup::{Cutoffs, judge};
use super::{Node, is_distant, is_finer, judge_distant};
use crate::group::{FrequencyTable, Grouping, Needs, Tuples};
use crate::problem::Problem;
use crate::recode::Recoding;
use crate::search::SearchRun;

/// From fewer groups than this every node is made directly.
const SMALL: usize = 512;
/// Groupings hold together at most this share of the tuples of the table, and this many groups beside.
const MOST_SHARE: usize = 4;
const MOST_BESIDE: usize = 1 << 19;
/// More of them take too long to look through.
const MOST_BASES: usize = 256;

/// Groupings to roll up from, and whoever evaluates.
pub(in crate::search) struct Bases<'a> {
    table: &'a FrequencyTable,
    problem: &'a dyn Problem,
    run: &'a SearchRun<'a>,
    lender: Lender,
    kept: Vec<Base>,
    clock: u64,
}

struct Base {
    node: Node,
    grouping: Arc<Grouping>,
    used: u64,
}

impl<'a> Bases<'a> {
    /// None yet.
    pub fn new(table: &'a FrequencyTable, problem: &'a dyn Problem, run: &'a SearchRun<'a>) -> Self {
        Bases { table, problem, run, lender: Lender::default(), kept: Vec::new(), clock: 0 }
    }

    /// Evaluates nodes. None for those that came after a cancellation.
    pub fn evaluate(&mut self, nodes: &[Node]) -> Vec<Option<Cutoffs>> {
        if nodes.iter().any(|node| is_distant(self.table, node)) {
            return nodes.iter().map(|node| self.distant_or_here(node)).collect();
        }
        let Some(common) = in_common(nodes) else { return Vec::new() };
        self.clock += 1;
        let finer = self.kept.iter_mut().filter(|base| is_finer(&base.node, &common));
        let base = finer.min_by_key(|base| base.grouping.len());
        let source = base.map(|base| {
            base.used = self.clock;
            Arc::clone(&base.grouping)
        });
        let from = source.as_ref().map_or(&self.table.tuples, |grouping| &grouping.groups);
        if nodes.len() == 1 || from.len() < SMALL {
            return nodes.par_iter().map(|node| self.one(node, from)).collect();
        }
        let made = self.group(&common, from);
        let found = self.halves(nodes, &made.groups);
        if 4 * made.len() <= 3 * from.len() {
            self.keep(common, made);
        }
        found
    }

    /// A node of a table whose tuples are not here: by asking, or from the groups that are.
    fn distant_or_here(&self, node: &Node) -> Option<Cutoffs> {
        if self.run.watch.cancelled() {
            return None;
        }
        match is_distant(self.table, node) {
            true => judge_distant(self.table, self.problem, node, self.run.watch),
            false => self.one(node, &self.table.tuples),
        }
    }

    fn halves(&self, nodes: &[Node], from: &Arc<Tuples>) -> Vec<Option<Cutoffs>> {
        if nodes.len() <= 2 || from.len() < SMALL {
            return nodes.par_iter().map(|node| self.one(node, from)).collect();
        }
        let (left, right) = nodes.split_at(nodes.len() / 2);
        let half = |nodes: &[Node]| match in_common(nodes) {
            Some(common) if nodes.len() > 1 => self.halves(nodes, &self.group(&common, from).groups),
            _ => self.halves(nodes, from),
        };
        let (mut found, rest) = rayon::join(|| half(left), || half(right));
        found.extend(rest);
        found
    }

    fn one(&self, node: &Node, from: &Arc<Tuples>) -> Option<Cutoffs> {
        let own = || self.lender.lend(|buffers| judge(self.table, self.problem, node, from, buffers));
        (!self.run.watch.cancelled()).then(own)
    }

    fn group(&self, node: &Node, from: &Arc<Tuples>) -> Grouping {
        let mut grouping = Grouping::default();
        let needs = Needs { group_of: false, ..self.problem.needs() };
        let recoding = Recoding::of_levels(node);
        self.lender.lend(|own| own.workspace.group(self.table, from, &recoding, needs, &mut grouping));
        grouping
    }

    /// Keeps a grouping, and lets go of those that were not used for longest until all fit.
    fn keep(&mut self, node: Node, grouping: Grouping) {
        self.kept.push(Base { node, grouping: Arc::new(grouping), used: self.clock });
        let most = self.table.tuples.len() / MOST_SHARE + MOST_BESIDE;
        let mut groups: usize = self.kept.iter().map(|base| base.grouping.len()).sum();
        while groups > most || self.kept.len() > MOST_BASES {
            let oldest = (0..self.kept.len()).min_by_key(|at| self.kept[*at].used).expect("there is one");
            groups -= self.kept.remove(oldest).grouping.len();
        }
    }
}

/// The coarsest node that is finer than all of some nodes.
fn in_common(nodes: &[Node]) -> Option<Node> {
    let finest = |mut common: Node, node: &Node| {
        common.iter_mut().zip(node).for_each(|(level, own)| *level = (*level).min(*own));
        common
    };
    let (first, others) = nodes.split_first()?;
    Some(others.iter().fold(first.clone(), finest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nodes_have_in_common_is_finer_than_each() {
        let nodes = [vec![2, 0, 3], vec![1, 4, 3], vec![2, 2, 5]];
        let common = in_common(&nodes).unwrap();
        assert_eq!(common, [1, 0, 3]);
        assert!(nodes.iter().all(|node| is_finer(&common, node)) && !is_finer(&nodes[0], &nodes[1]));
        assert_eq!(in_common(&[]), None);
    }
}
