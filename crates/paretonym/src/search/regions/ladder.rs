//! The ladder: to which floors trees are grown.

use super::prune::Priced;
use crate::measure::SAME_LEVEL;

/// Each tree is grown to a floor this many times that of the one before.
const STEP: f64 = 1.1;
/// The most better floors that a tree tries to keep before its own.
const RESERVE: usize = 2;
/// Up to so many levels of a model, each has a tree of its own.
const FEW_LEVELS: usize = 16;
/// Sizes that publishers ask for: a tree of their own serves them best.
pub(super) const ASKED_FOR: [f64; 6] = [25.0, 50.0, 100.0, 250.0, 500.0, 1000.0];

/// What both halves of every split of a tree must satisfy.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Floor {
    /// The fewest rows.
    pub rows: u64,
    /// The largest cost in every model; empty where only rows matter. There may be several such floors, the last of which is
    /// the one that must hold. Splits that keep an earlier one are taken before others, however much less these lose: what
    /// they keep is needed further down.
    pub tiers: Vec<Vec<f64>>,
}

impl Floor {
    /// Where only rows matter.
    pub fn of_rows(rows: u64) -> Self {
        Floor { rows, tiers: Vec::new() }
    }

    /// Whether anything but the rows matters.
    pub fn looks_inside(&self) -> bool {
        !self.tiers.is_empty()
    }
}

/// Whether a cost is no worse than a limit.
pub(super) fn within(cost: f64, limit: f64) -> bool {
    cost <= limit + SAME_LEVEL * limit.abs().max(1.0)
}

/// The distinct values of some costs, worst first.
pub(super) fn distinct(costs: &[f64]) -> Vec<f64> {
    let mut levels = costs.to_vec();
    levels.sort_by(|a, b| b.total_cmp(a));
    levels.dedup_by(|a, b| within(*b, *a));
    levels
}

/// The floors of the trees where levels are sizes: 3, 4, 5 and on in steps that grow, up to half the table, and the
/// sizes that people ask for.
pub(super) fn sizes(rows: u64) -> Vec<Floor> {
    let (mut floors, mut k) = (ASKED_FOR.to_vec(), 3.0f64);
    while 2.0 * k <= rows as f64 {
        floors.push(k);
        k = (k * STEP).floor().max(k + 1.0);
    }
    floors.retain(|k| 2.0 * k <= rows as f64);
    floors.sort_by(f64::total_cmp);
    floors.dedup();
    floors.into_iter().map(|k| Floor::of_rows(k as u64)).collect()
}

/// The floors of the trees for other levels: places among those of the first tree that lie further and further apart. A
/// box that just holds a level can hardly be split further, so that each floor comes once alone and, where there is one
/// model, also behind better ones that are kept as long as possible.
pub(super) fn ladder(priced: &Priced) -> Vec<Floor> {
    let tiers = tiers(priced);
    tiers.into_iter().map(|tiers| Floor { rows: 1, tiers }).collect()
}

fn tiers(priced: &Priced) -> Vec<Vec<Vec<f64>>> {
    let rungs = |costs: &[f64], step: f64| {
        let levels = distinct(costs);
        // Few levels, as of l, are all asked for.
        let step = if levels.len() <= FEW_LEVELS { 1.0 } else { step };
        let (mut rungs, mut place) = (Vec::new(), 1.0f64);
        while (place as usize) < levels.len() {
            rungs.push(levels[place as usize]);
            place = (place * step).max(place + 1.0);
        }
        rungs
    };
    match priced.costs.as_slice() {
        [costs] => {
            let rungs = rungs(costs, 1.5);
            let tiers = |at: usize, reserve: usize| {
                let better = (at + 1..=at + reserve).rev().filter_map(|other| rungs.get(other));
                better.chain([&rungs[at]]).map(|limit| vec![*limit]).collect::<Vec<_>>()
            };
            let mut floors: Vec<Vec<Vec<f64>>> = (0..rungs.len())
                .flat_map(|at| (0..=RESERVE).map(move |reserve| (at, reserve)))
                .map(|(at, reserve)| tiers(at, reserve))
                .collect();
            floors.dedup();
            floors
        }
        models => {
            let mut floors: Vec<Vec<f64>> = vec![Vec::new()];
            for costs in models {
                let own = rungs(costs, 3.0);
                floors = floors
                    .iter()
                    .flat_map(|floor| own.iter().map(move |limit| [floor.as_slice(), &[*limit]].concat()))
                    .collect();
            }
            floors.into_iter().map(|limits| vec![limits]).collect()
        }
    }
}
