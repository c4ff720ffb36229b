//! Cuts of trees that are worth looking at: for every limit what a tree's best pruning loses.

use super::ladder::{distinct, within};
use super::place::worth_doing;
use super::prune::{Priced, Pruner};
use super::tree::Tree;
use crate::engine::Watch;

/// The most limits that a tree is pruned for when levels are not sizes: they may be as many as the nodes.
const LIMITS: usize = 96;

/// A cut worth looking at: of which tree, under which limits, and what it loses.
pub(super) struct Candidate {
    pub tree: usize,
    pub limits: Vec<f64>,
    pub price: f64,
    pub loss: f64,
}

/// The limits that a tree is pruned for: all levels of its nodes, thinned out where there are too many.
pub(super) fn limits(priced: &Priced, by_size: bool) -> Vec<Vec<f64>> {
    let models = priced.costs.len();
    let most =
        if by_size { usize::MAX } else { (LIMITS as f64).powf(1.0 / models as f64).ceil() as usize * models.min(2) };
    let mut all: Vec<Vec<f64>> = vec![Vec::new()];
    for costs in &priced.costs {
        let mut levels = distinct(costs);
        if !priced.missing.is_empty() {
            levels = worth_asking(priced, costs, levels);
        }
        if levels.len() > most {
            let last = levels.len() - 1;
            levels = (0..most).map(|at| levels[at * last / (most - 1)]).collect();
        }
        all =
            all.iter().flat_map(|some| levels.iter().map(move |level| [some.as_slice(), &[*level]].concat())).collect();
    }
    all
}

/// Of the levels of a model, worst first, those from the worst on that a node within the floors has: what is weaker asks
/// for no more.
fn worth_asking(priced: &Priced, costs: &[f64], mut levels: Vec<f64>) -> Vec<f64> {
    let staying = costs.iter().zip(&priced.missing).filter(|(_, missing)| !**missing);
    let worst = staying.map(|(cost, _)| *cost).fold(f64::NEG_INFINITY, f64::max);
    levels.retain(|level| within(*level, worst));
    levels
}

/// How many nodes come into question under some limits; sizes are sorted, so that only these need to be looked at.
pub(super) fn large(tree: &Tree, limits: &[f64], by_size: bool) -> usize {
    if by_size { tree.nodes.partition_point(|node| node.rows as f64 >= -limits[0]) } else { tree.nodes.len() }
}

/// Whether a node satisfies limits.
pub(super) fn fits(priced: &Priced, limits: &[f64], node: usize) -> bool {
    let holds = priced.costs.iter().zip(limits).all(|(costs, limit)| within(costs[node], *limit));
    holds && !priced.missing.get(node).is_some_and(|missing| *missing)
}

/// The cheapest cuts of one tree under all limits.
pub(super) fn candidates(
    at: usize,
    tree: &Tree,
    priced: &Priced,
    budget: u64,
    by_size: bool,
    watch: &dyn Watch,
) -> Vec<Candidate> {
    let mut pruner = Pruner::new(tree, priced);
    let mut found = Vec::new();
    let all = limits(priced, by_size);
    let count = all.len();
    for (place, limits) in all.into_iter().enumerate() {
        if !worth_doing(place, count, watch) {
            continue;
        }
        let large = large(tree, &limits, by_size);
        let fits = |node: usize| fits(priced, &limits, node);
        let nothing = pruner.loss(large, f64::INFINITY, fits);
        found.extend(nothing.map(|loss| Candidate { tree: at, limits: limits.clone(), price: f64::INFINITY, loss }));
        if budget > 0
            && let Some((price, loss)) = pruner.price(large, budget, fits).filter(|(price, _)| price.is_finite())
        {
            found.push(Candidate { tree: at, limits, price, loss });
        }
    }
    found
}

/// Leaves out cuts that another one beats in limits and loss.
pub(super) fn best(mut cuts: Vec<Candidate>) -> Vec<Candidate> {
    cuts.sort_by(|a, b| {
        let order = |a: f64, b: f64| a.total_cmp(&b);
        order(a.limits[0], b.limits[0]).then(order(a.loss, b.loss)).then(a.tree.cmp(&b.tree))
    });
    let mut kept: Vec<Candidate> = Vec::new();
    for cut in cuts {
        let beaten = |other: &Candidate| {
            other.loss <= cut.loss && other.limits.iter().zip(&cut.limits).all(|(other, own)| within(*other, *own))
        };
        // With one limit the last cut that was kept has the least loss so far.
        let found = if cut.limits.len() == 1 { kept.last().is_some_and(beaten) } else { kept.iter().any(beaten) };
        if !found {
            kept.push(cut);
        }
    }
    kept
}
