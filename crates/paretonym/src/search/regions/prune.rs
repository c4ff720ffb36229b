//! From a grown tree to recodings: for every limit the cheapest way of cutting the tree, found from the small nodes up.
//!
//! A node is cut if showing it as one region loses no more than the best cuts of its halves do together. With a budget, a
//! node below the limit may be suppressed instead: its rows then pay what suppressed rows pay, times a price that is
//! raised until the budget holds. (Choosing what to suppress is a knapsack; a price finds the choices on the convex hull of
//! what a budget can buy, so other budgets may leave a few rows unused.)

use std::sync::Arc;

use super::tree::{NONE, Tree};
use crate::group::{FrequencyTable, Grouping, LocalSets, gather};
use crate::measure::{Grouped, Loss, Remaining};
use crate::problem::Problem;

/// Halvings of the search for the price of suppression.
const HALVINGS: usize = 12;
/// The largest price, in multiples of what a suppressed row pays.
const DEAREST: f64 = 64.0;

/// What each node of a tree costs.
pub struct Priced {
    /// Loss as a region.
    keep: Vec<f64>,
    /// Loss when suppressed.
    hide: Vec<f64>,
    /// Cost in each privacy model of the problem.
    pub costs: Vec<Vec<f64>>,
    /// Whether it misses one of the problem's floors, so that no limit lets it stay; empty where there are none.
    pub missing: Vec<bool>,
}

/// A way of cutting a tree.
pub struct Cut {
    /// Its regions, including the suppressed ones, as nodes of the tree.
    pub nodes: Vec<u32>,
}

impl Priced {
    /// Asks the problem's measures about every node. Takes what the nodes show: it is large, and no longer needed.
    pub fn new(table: &FrequencyTable, tree: &mut Tree, problem: &dyn Problem, loss: &dyn Loss) -> Self {
        let needs = loss.needs().or(problem.needs());
        let facts = std::mem::take(&mut tree.facts);
        let lists = tree.nodes.iter().map(|node| &tree.order[node.start as usize..node.end as usize]);
        let width = table.columns.len();
        let grouping = Grouping {
            groups: Arc::new(gather(table, lists, needs)),
            levels: vec![None; width],
            local: Some(LocalSets::new(width, facts)),
            ..Grouping::default()
        };
        let grouped = Grouped { table, grouping: &grouping };
        let nodes = tree.nodes.len();
        let mut total = vec![0.0; loss.sums(table)];
        let leaves = (0..nodes).filter(|node| tree.nodes[*node].children[0] == NONE);
        leaves.for_each(|node| loss.add(grouped, node, &mut total));
        let (mut keep, mut hide) = (Vec::with_capacity(nodes), Vec::with_capacity(nodes));
        let mut share = vec![0.0; total.len()];
        for (node, rows) in grouping.groups.rows.iter().enumerate() {
            share.fill(0.0);
            loss.add(grouped, node, &mut share);
            let alone = Remaining { rows: table.rows, groups: 1, smallest: rows };
            keep.push(loss.parts(table, &share, alone).kept);
            let rest: Vec<f64> = total.iter().zip(&share).map(|(total, share)| total - share).collect();
            let without = Remaining { rows: table.rows - rows, groups: 1, smallest: rows };
            hide.push(loss.parts(table, &rest, without).suppressed);
        }
        let models = problem.models();
        let costs = models.iter().map(|model| (0..nodes).map(|node| model.cost(grouping.groups.view(node))).collect());
        let floors = problem.floors().into_iter();
        let missing = floors.flat_map(|floors| (0..nodes).map(|node| floors.misses(grouping.groups.view(node))));
        Priced { keep, hide, costs: costs.collect(), missing: missing.collect() }
    }
}

/// Prunes one tree; buffers are reused from limit to limit.
pub struct Pruner<'a> {
    tree: &'a Tree,
    priced: &'a Priced,
    /// Least loss of each node, and whether it is the node's own.
    best: Vec<f64>,
    own: Vec<bool>,
}

impl<'a> Pruner<'a> {
    /// For a priced tree.
    pub fn new(tree: &'a Tree, priced: &'a Priced) -> Self {
        Pruner { tree, priced, best: vec![0.0; tree.nodes.len()], own: vec![true; tree.nodes.len()] }
    }

    /// The least loss with regions that satisfy `fits` among the first `large` nodes, which must be all that can. Nodes
    /// that do not fit cost `price` times their suppression; none where the root cannot be cut so.
    pub fn loss(&mut self, large: usize, price: f64, fits: impl Fn(usize) -> bool) -> Option<f64> {
        for node in (0..large).rev() {
            let [left, right] = self.tree.nodes[node].children;
            let halves = if left == NONE {
                f64::INFINITY
            } else {
                self.value(left as usize, large, price) + self.value(right as usize, large, price)
            };
            let alone = if fits(node) { self.priced.keep[node] } else { self.hidden(node, price) };
            self.own[node] = alone <= halves;
            self.best[node] = alone.min(halves);
        }
        let root = self.value(0, large, price);
        root.is_finite().then_some(root)
    }

    fn hidden(&self, node: usize, price: f64) -> f64 {
        if price.is_finite() { price * self.priced.hide[node] } else { f64::INFINITY }
    }

    fn value(&self, node: usize, large: usize, price: f64) -> f64 {
        if node < large { self.best[node] } else { self.hidden(node, price) }
    }

    /// The cut behind the last call of [`Pruner::loss`].
    pub fn cut(&self, large: usize) -> Cut {
        let (mut nodes, mut open) = (Vec::new(), vec![0]);
        while let Some(node) = open.pop() {
            if node as usize >= large || self.own[node as usize] {
                nodes.push(node);
            } else {
                open.extend(self.tree.nodes[node as usize].children);
            }
        }
        nodes.sort_unstable();
        Cut { nodes }
    }

    /// Rows that the last cut suppresses, and its loss at their true price.
    fn suppressed(&self, large: usize, fits: impl Fn(usize) -> bool) -> (u64, f64) {
        let (mut rows, mut loss) = (0, 0.0);
        for node in self.cut(large).nodes {
            if (node as usize) < large && fits(node as usize) {
                loss += self.priced.keep[node as usize];
            } else {
                rows += self.tree.nodes[node as usize].rows;
                loss += self.priced.hide[node as usize];
            }
        }
        (rows, loss)
    }

    /// The price at which a budget of suppressed rows holds, and the loss then; infinite where nothing may be suppressed.
    pub fn price(&mut self, large: usize, budget: u64, fits: impl Fn(usize) -> bool + Copy) -> Option<(f64, f64)> {
        let nothing = self.loss(large, f64::INFINITY, fits).map(|loss| (f64::INFINITY, loss));
        if budget == 0 {
            return nothing;
        }
        let mut best = nothing;
        let (mut low, mut high) = (1.0, DEAREST);
        for step in 0..HALVINGS {
            let price = if step == 0 { 1.0 } else { (low * high).sqrt() };
            self.loss(large, price, fits)?;
            let (rows, loss) = self.suppressed(large, fits);
            if rows > budget {
                low = price;
                continue;
            }
            if best.is_none_or(|(_, least)| loss < least) {
                best = Some((price, loss));
            }
            if step == 0 || rows == budget {
                break;
            }
            high = price;
        }
        best
    }
}
