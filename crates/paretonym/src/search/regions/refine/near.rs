//! For each unit some that are near: those that cost a row least where the two are a cluster.
//!
//! To compare all pairs would take too long. Units that lie beside each other in one of several sorted orders are a first
//! guess; then whoever is near a near one is looked at, a few times over.

use rayon::prelude::*;

use super::units::Units;
use crate::engine::Watch;

/// Near ones that are kept of each unit.
pub(in crate::search::regions) const NEAR: usize = 24;
/// The most orders that the first guess is made from, and how far it looks in each, before and behind.
const ORDERS: usize = 12;
const WINDOW: usize = 8;
/// How often near ones of near ones are looked at.
const ROUNDS: usize = 3;

/// The near ones of all units, nearest first.
pub(in crate::search::regions) struct Near {
    lists: Vec<Vec<(f64, u32)>>,
}

impl Near {
    /// Looks for them, after a stop less far. The work grows with the units, not with their pairs.
    pub fn new(units: &Units, watch: &dyn Watch) -> Self {
        let count = units.len();
        let width = units.columns.len();
        let orders = ORDERS.min(width);
        let mut guesses: Vec<Vec<u32>> = vec![Vec::new(); count];
        for order in (0..orders).take_while(|order| *order == 0 || !watch.cancelled()) {
            let first = order * width / orders;
            let mut sorted: Vec<u32> = (0..count as u32).collect();
            let key = |unit: u32| {
                let codes = units.codes(unit);
                codes[first..].iter().chain(&codes[..first])
            };
            sorted.par_sort_unstable_by(|a, b| key(*a).cmp(key(*b)).then(a.cmp(b)));
            for (at, unit) in sorted.iter().enumerate() {
                let around = at.saturating_sub(WINDOW)..(at + WINDOW + 1).min(count);
                guesses[*unit as usize].extend(sorted[around].iter().filter(|other| *other != unit));
            }
        }
        let best = |unit: u32, others: &mut Vec<u32>| {
            others.sort_unstable();
            others.dedup();
            let mut near: Vec<(f64, u32)> = others.iter().map(|other| (units.distance(unit, *other), *other)).collect();
            near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            near.truncate(NEAR);
            near
        };
        let mut lists: Vec<Vec<(f64, u32)>> =
            guesses.into_par_iter().enumerate().map(|(unit, mut others)| best(unit as u32, &mut others)).collect();
        for _ in (0..ROUNDS).take_while(|_| !watch.cancelled()) {
            let next = lists.par_iter().enumerate().map(|(unit, own)| {
                let further = own.iter().flat_map(|(_, near)| &lists[*near as usize]).map(|(_, other)| *other);
                let mut others: Vec<u32> = further.chain(own.iter().map(|(_, near)| *near)).collect();
                others.retain(|other| *other != unit as u32);
                best(unit as u32, &mut others)
            });
            lists = next.collect();
        }
        Near { lists }
    }

    /// The near ones of a unit.
    pub fn of(&self, unit: u32) -> impl Iterator<Item = u32> {
        self.lists[unit as usize].iter().map(|(_, other)| *other)
    }
}
