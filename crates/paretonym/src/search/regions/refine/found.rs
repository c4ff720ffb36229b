//! New clusters: from units that others can spare, or from one that is large enough for two.

use super::cluster::{Cluster, Cover};
use super::partition::{GAIN, Partition};

/// Units that may make up a new cluster are those nearest to its first: so many times as many as it needs, and a few.
const POOL: f64 = 3.0;
const POOL_AT_LEAST: usize = 8;
/// The most units that are looked at to choose these, in all tries together, where all units are looked at.
const TRIED_PAIRS: usize = 8_000_000;
/// Units that are looked at while clusters grow, in all tries together, about.
const LOOKED_AT: f64 = 4e6;
/// Up to so many, they are looked for among near ones of near ones.
const NEAR_POOL: usize = 160;
/// Columns with more values in a cluster do not split it: each place between two of them takes a look at all values.
const MOST_VALUES: usize = 256;

impl Partition<'_> {
    /// Tries to found clusters around up to so many units, beginning with those whose rows pay most, from place `first` on.
    pub fn found(&mut self, tries: usize, first: usize) {
        let units = self.terms.units;
        let count = units.len();
        let mut seeds: Vec<u32> = (0..count as u32).collect();
        let cell = |unit: u32| self.clusters[self.at[unit as usize] as usize].cell;
        seeds.sort_by(|a, b| cell(*b).total_cmp(&cell(*a)).then(a.cmp(b)));
        let needed = self.needed() as f64;
        let tries = if self.pool_size() <= NEAR_POOL { tries } else { tries.min(TRIED_PAIRS / count) };
        let tries = tries.min((LOOKED_AT / (needed * (needed * POOL + POOL_AT_LEAST as f64))) as usize);
        if tries == 0 {
            return;
        }
        let step = count.div_ceil(tries);
        for seed in seeds.into_iter().skip(first % step).step_by(step) {
            if self.terms.watch.cancelled() {
                return;
            }
            let from = self.at[seed as usize];
            if from != 0 && self.has_more(from, seed) {
                self.found_around(seed);
            }
        }
    }

    /// How many units make up a cluster, about.
    fn needed(&self) -> usize {
        let units = self.terms.units;
        let mean = units.split_table.table.rows as f64 / units.len() as f64;
        (self.terms.least as f64 / mean).ceil() as usize
    }

    /// How many units a new cluster chooses from.
    fn pool_size(&self) -> usize {
        (self.needed() as f64 * POOL) as usize + POOL_AT_LEAST
    }

    /// Whether a cluster stays large enough without a unit.
    fn has_more(&self, cluster: u32, unit: u32) -> bool {
        let own = &self.clusters[cluster as usize];
        own.hidden || own.rows >= self.terms.units.rows[unit as usize] + self.terms.least
    }

    /// The units nearest to one that others can spare, nearest first.
    fn pool(&self, seed: u32) -> Vec<u32> {
        let units = self.terms.units;
        let most = self.pool_size();
        let spared = |unit: &u32| *unit != seed && self.has_more(self.at[*unit as usize], *unit);
        let mut pool: Vec<(f64, u32)> = if most <= NEAR_POOL {
            let near = || self.terms.near.of(seed);
            let mut some: Vec<u32> = near().chain(near().flat_map(|unit| self.terms.near.of(unit))).collect();
            some.sort_unstable();
            some.dedup();
            some.retain(spared);
            some.into_iter().map(|unit| (units.distance(seed, unit), unit)).collect()
        } else {
            let all = (0..units.len() as u32).filter(spared);
            all.map(|unit| (units.distance(seed, unit), unit)).collect()
        };
        let order = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        if pool.len() > most {
            pool.select_nth_unstable_by(most, order);
            pool.truncate(most);
        }
        pool.sort_unstable_by(order);
        pool.into_iter().map(|(_, unit)| unit).collect()
    }

    /// Founds a cluster around a unit if that saves something.
    fn found_around(&mut self, seed: u32) {
        let units = self.terms.units;
        let pool = self.pool(seed);
        // What each saves where it is now, as long as its cluster does not change.
        let mut pool: Vec<(u32, f64)> =
            pool.into_iter().map(|unit| (unit, self.gain_of_leaving(self.at[unit as usize], unit))).collect();
        let new = self.open();
        let (mut moved, mut saved) = (Vec::new(), 0.0);
        let mut next = Some(seed);
        while let Some(unit) = next {
            let from = self.at[unit as usize];
            saved += self.gain_of_leaving(from, unit);
            self.put(unit, new);
            moved.push((unit, from));
            if self.clusters[new as usize].rows >= self.terms.least {
                break;
            }
            pool.retain_mut(|(other, gain)| {
                if self.at[*other as usize] != from {
                    return true;
                }
                *gain = self.gain_of_leaving(from, *other);
                self.has_more(from, *other)
            });
            let mut best: Option<(f64, usize)> = None;
            for (at, &(other, gain)) in pool.iter().enumerate() {
                let cost = (self.cost_of_joining(new, other) - gain) / units.rows[other as usize] as f64;
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, at));
                }
            }
            next = best.map(|(_, at)| pool.remove(at).0);
        }
        let own = &self.clusters[new as usize];
        if own.rows < self.terms.least || saved - own.loss() <= GAIN {
            moved.into_iter().rev().for_each(|(unit, from)| self.put(unit, from));
            self.clusters.pop();
        }
    }

    /// Splits clusters that have rows for two where that saves something.
    pub fn split(&mut self) {
        let mut at = 1;
        while at < self.clusters.len() && !self.terms.watch.cancelled() {
            let own = &self.clusters[at];
            let half = if own.rows >= 2 * self.terms.least { self.best_half(own) } else { None };
            let Some(half) = half else {
                at += 1;
                continue;
            };
            let new = self.open();
            half.iter().for_each(|unit| self.at[*unit as usize] = new);
            let stays = |unit: &u32| self.at[*unit as usize] != new;
            let rest = self.clusters[at].members.iter().copied().filter(stays).collect();
            self.clusters[at] = Cluster::new(self.terms.units, rest);
            self.clusters[new as usize] = Cluster::new(self.terms.units, half);
        }
    }

    /// The units on one side of the split of a cluster that saves most: at a place in the order of a column, or a taxonomy
    /// node against the rest.
    fn best_half(&self, cluster: &Cluster) -> Option<Vec<u32>> {
        let (units, least) = (self.terms.units, self.terms.least);
        let mut best = (cluster.loss() - GAIN, None);
        for column in 0..units.columns.len() {
            let leaf = |unit: u32| units.codes(unit)[column];
            let mut sorted = cluster.members.clone();
            sorted.sort_by_key(|unit| (leaf(*unit), *unit));
            let values: Vec<&[u32]> = sorted.chunk_by(|a, b| leaf(*a) == leaf(*b)).collect();
            let covers: Vec<Cover> = values
                .iter()
                .map(|members| {
                    let mut cover = Cover::empty(units);
                    members.iter().for_each(|unit| cover.add(units, *unit));
                    cover
                })
                .collect();
            let mut consider = |inside: std::ops::Range<usize>| {
                let (mut one, mut other) = (Cover::empty(units), Cover::empty(units));
                for (at, cover) in covers.iter().enumerate() {
                    if inside.contains(&at) { one.join(cover) } else { other.join(cover) }
                }
                if one.rows >= least && other.rows >= least {
                    let loss = one.loss(units) + other.loss(units);
                    if loss < best.0 {
                        best = (loss, Some(values[inside].concat()));
                    }
                }
            };
            if values.len() > MOST_VALUES {
                continue;
            }
            if units.split_table.columns[column].by_order {
                (1..values.len()).for_each(|end| consider(0..end));
                continue;
            }
            for first in 0..values.len() {
                let mut known = first;
                for (start, end) in &units.split_table.columns[column].above[leaf(values[first][0]) as usize] {
                    let before = first > 0 && leaf(values[first - 1][0]) >= *start;
                    let behind = first + values[first..].partition_point(|members| leaf(members[0]) < *end);
                    if before {
                        break;
                    }
                    if behind > known && behind - first < values.len() {
                        known = behind;
                        consider(first..behind);
                    }
                }
            }
        }
        best.1
    }
}
