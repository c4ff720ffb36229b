//! Cheapest paths from the first leaf of a column to the last, run by run.

use super::{Prices, Runs};

/// Paths to one leaf that are kept side by side in an exact search; past so many the best that multipliers found is taken.
const MOST_PATHS: usize = 4096;
/// Multipliers that are tried for one limit; each closes in on the last, and a few do.
const MULTIPLIERS: usize = 40;
/// Costs that differ by less are the same.
const ROUNDING: f64 = 1e-9;
/// One over the least difference of weights that counts, where these are no whole numbers.
const FRACTIONS: f64 = 1e3;

/// A partition of a column and what it comes to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Route {
    /// The sum of its runs' costs.
    pub cost: f64,
    /// The sum of its runs' weights.
    pub weight: f64,
    /// The leaf behind each of its runs.
    pub ends: Vec<u32>,
}

impl Route {
    /// The one of least `cost + price × weight`; of equals the one of the longest runs.
    pub fn cheapest(runs: &Runs, prices: &Prices, price: f64) -> Self {
        let value = |run: usize| prices.cost[run] + price * prices.weight[run];
        if !runs.levels.is_empty() {
            let routes = runs.levels.iter().rev().map(|level| Route::along(runs, prices, level));
            let best = routes.reduce(|best, next| {
                let least = |route: &Route| route.cost + price * route.weight;
                if least(&next) < least(&best) { next } else { best }
            });
            return best.unwrap_or_default();
        }
        let (_, chosen) = to_go(runs, value);
        let mut path = Vec::new();
        let mut leaf = 0;
        while leaf < runs.leaves() {
            path.push(chosen[leaf]);
            leaf = runs.ends[chosen[leaf] as usize] as usize;
        }
        Route::along(runs, prices, &path)
    }

    /// One of the least cost whose weight is at most `most`; none where there is none that costs less than `below`.
    pub fn cheapest_within(runs: &Runs, prices: &Prices, most: f64, below: f64) -> Option<Self> {
        let below = if below.is_finite() { below - ROUNDING * below.abs().max(1.0) } else { below };
        if !runs.levels.is_empty() {
            let fitting = runs.levels.iter().rev().map(|level| Route::along(runs, prices, level));
            let fitting = fitting.filter(|route| route.weight <= most && route.cost < below);
            return fitting.reduce(|best, next| if next.cost < best.cost { next } else { best });
        }
        let mut outside = Route::cheapest(runs, prices, 0.0);
        if outside.cost >= below {
            return None;
        }
        if outside.weight <= most {
            return Some(outside);
        }
        let mut price = dear(prices);
        let mut inside = Route::cheapest(runs, prices, price);
        if inside.weight > most {
            return None;
        }
        for _ in 0..MULTIPLIERS {
            price = (inside.cost - outside.cost) / (outside.weight - inside.weight);
            let next = Route::cheapest(runs, prices, price);
            let value = |route: &Route| route.cost + price * route.weight;
            if value(&next) >= value(&inside) - ROUNDING * value(&inside).abs().max(1.0) {
                break;
            }
            if next.weight <= most { inside = next } else { outside = next }
        }
        // What costs `below` and more is of no use, nor is what costs no less than what is known.
        let known = (inside.cost < below).then_some(inside);
        let below = known.as_ref().map_or(below, |route| route.cost - ROUNDING * route.cost.abs().max(1.0));
        if outside.cost + price * (outside.weight - most) >= below {
            return known;
        }
        exactly_within(runs, prices, most, below, price).or(known)
    }

    /// Calls `take` with those that are best for some price of weight, from the least cost to the least weight.
    pub fn each_trade_off(runs: &Runs, prices: &Prices, take: &mut dyn FnMut(Route)) {
        if !runs.levels.is_empty() {
            return runs.levels.iter().for_each(|level| take(Route::along(runs, prices, level)));
        }
        let largest = prices.weight.iter().map(|weight| weight.abs()).fold(1.0, f64::max) * runs.leaves() as f64;
        let cheap = Route::cheapest(runs, prices, ROUNDING / largest);
        let light = Route::cheapest(runs, prices, dear(prices));
        take(cheap.clone());
        between(runs, prices, &cheap, &light, take);
        if light != cheap {
            take(light);
        }
    }

    /// The partition of some runs that follow each other.
    fn along(runs: &Runs, prices: &Prices, path: &[u32]) -> Self {
        let sum = |list: &[f64]| path.iter().map(|run| list[*run as usize]).sum();
        let ends = path.iter().map(|run| runs.ends[*run as usize]).collect();
        Route { cost: sum(&prices.cost), weight: sum(&prices.weight), ends }
    }
}

/// A price for which no saving is worth any weight.
fn dear(prices: &Prices) -> f64 {
    let costs = prices.cost.iter().map(|cost| cost.abs()).sum::<f64>() + 1.0;
    // Weights that are no whole numbers differ by less than 1.
    costs * if prices.weight.iter().all(|weight| weight.fract() == 0.0) { 1.0 } else { FRACTIONS }
}

/// What is best for some price between those of two others.
fn between(runs: &Runs, prices: &Prices, left: &Route, right: &Route, take: &mut dyn FnMut(Route)) {
    let lighter = left.weight - right.weight;
    if lighter <= 0.0 || right.cost <= left.cost {
        return;
    }
    let price = (right.cost - left.cost) / lighter;
    let middle = Route::cheapest(runs, prices, price);
    let value = |route: &Route| route.cost + price * route.weight;
    if value(&middle) >= value(left) - ROUNDING * value(left).abs().max(1.0) {
        return;
    }
    between(runs, prices, left, &middle, take);
    take(middle.clone());
    between(runs, prices, &middle, right, take);
}

/// The least value from each leaf to the end, and the run to take there.
fn to_go(runs: &Runs, value: impl Fn(usize) -> f64) -> (Vec<f64>, Vec<u32>) {
    let leaves = runs.leaves();
    let (mut least, mut chosen) = (vec![f64::INFINITY; leaves + 1], vec![0u32; leaves]);
    least[leaves] = 0.0;
    for leaf in (0..leaves).rev() {
        for run in runs.from(leaf).rev() {
            let all = value(run) + least[runs.ends[run] as usize];
            if all < least[leaf] {
                (least[leaf], chosen[leaf]) = (all, run as u32);
            }
        }
    }
    (least, chosen)
}

/// A path to a leaf: what it has spent, the run it came by, and the path before.
#[derive(Clone, Copy)]
struct Step {
    cost: f64,
    weight: f64,
    run: u32,
    before: u32,
}

/// The cheapest path within a limit that costs less than `below`, from all that neither cost nor weigh more than others and can
/// still come to that. The price is that of the multipliers' bound. None also where there are too many of them.
fn exactly_within(runs: &Runs, prices: &Prices, most: f64, below: f64, price: f64) -> Option<Route> {
    let leaves = runs.leaves();
    let (bound, _) = to_go(runs, |run| prices.cost[run] + price * prices.weight[run]);
    let (lightest, _) = to_go(runs, |run| prices.weight[run]);
    let mut steps: Vec<Vec<Step>> = vec![Vec::new(); leaves + 1];
    steps[0].push(Step { cost: 0.0, weight: 0.0, run: u32::MAX, before: 0 });
    for leaf in 0..leaves {
        for run in runs.from(leaf) {
            let end = runs.ends[run] as usize;
            for at in 0..steps[leaf].len() {
                let from = steps[leaf][at];
                let (cost, weight) = (from.cost + prices.cost[run], from.weight + prices.weight[run]);
                let hopeless = cost + price * (weight - most) + bound[end] >= below;
                if !hopeless && weight + lightest[end] <= most {
                    steps[end].push(Step { cost, weight, run: run as u32, before: at as u32 });
                }
            }
        }
        let next = &mut steps[leaf + 1];
        next.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(a.weight.total_cmp(&b.weight)));
        let mut lightest = f64::INFINITY;
        next.retain(|step| {
            let kept = step.weight < lightest;
            lightest = lightest.min(step.weight);
            kept
        });
        if next.len() > MOST_PATHS {
            return None;
        }
    }
    let starts = |run: u32| (0..leaves).rev().find(|leaf| runs.from(*leaf).contains(&(run as usize))).expect("a leaf");
    // Ahead of the end the bound lends what is left of the limit, so that some of what arrives is of no use.
    let mut step = *steps[leaves].first().filter(|step| step.cost < below)?;
    let mut path = Vec::new();
    while step.run != u32::MAX {
        path.push(step.run);
        step = steps[starts(step.run)][step.before as usize];
    }
    path.reverse();
    Some(Route::along(runs, prices, &path))
}
