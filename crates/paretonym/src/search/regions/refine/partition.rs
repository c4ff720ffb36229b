//! A partition of units into clusters of at least so many rows, and the moves of single units: to another cluster, or in
//! exchange for another unit.

use super::cluster::Cluster;
use super::near::Near;
use super::units::Units;
use crate::engine::Watch;

/// A move must save more than this: rounding is no gain.
pub(super) const GAIN: f64 = 1e-9;
/// The most times that all units are looked at.
const PASSES: usize = 50;
/// How many near ones of a moved unit's companions are looked at again.
const WOKEN: usize = 8;

/// No cluster, or no unit.
const NONE: u32 = u32::MAX;

/// What a partition is made from and for.
#[derive(Clone, Copy)]
pub(in crate::search::regions) struct Terms<'a> {
    pub units: &'a Units<'a>,
    pub near: &'a Near,
    /// The fewest rows of a cluster.
    pub least: u64,
    /// The most rows that may be left out.
    pub budget: u64,
    pub watch: &'a dyn Watch,
}

/// Every unit in one cluster. Clusters may be empty; the first is that of the rows which are left out.
pub(in crate::search::regions) struct Partition<'a> {
    pub terms: Terms<'a>,
    pub clusters: Vec<Cluster>,
    /// The cluster of each unit.
    pub at: Vec<u32>,
    /// Clusters that were met already, by the number of the question.
    met: Vec<u32>,
    question: u32,
}

impl<'a> Partition<'a> {
    /// From clusters, none of which leaves rows out.
    pub fn new(terms: Terms<'a>, clusters: Vec<Cluster>) -> Self {
        // A row that shows nothing in any column.
        let domains = terms.units.split_table.table.columns.iter().map(|column| f64::from(column.domain.size()));
        let whole = terms.units.columns.iter().zip(domains).map(|(column, size)| column.weight * (size - 1.0).max(1.0));
        let price = whole.sum();
        let hidden = Cluster::hidden(terms.units, price);
        let clusters: Vec<Cluster> = std::iter::once(hidden).chain(clusters).collect();
        let mut at = vec![0; terms.units.len()];
        for (number, cluster) in clusters.iter().enumerate() {
            cluster.members.iter().for_each(|unit| at[*unit as usize] = number as u32);
        }
        Partition { terms, clusters, at, met: Vec::new(), question: 0 }
    }

    /// The clusters that are shown and hold something.
    pub fn shown(&self) -> impl Iterator<Item = &Cluster> {
        self.clusters[1..].iter().filter(|cluster| !cluster.members.is_empty())
    }

    /// Whether a cluster stays large enough without some rows, or is gone.
    pub fn spares(&self, cluster: u32, rows: u64) -> bool {
        let own = &self.clusters[cluster as usize];
        own.hidden || own.rows == rows || own.rows >= rows + self.terms.least
    }

    /// Whether a unit may join a cluster.
    pub fn takes(&self, cluster: u32, unit: u32) -> bool {
        let own = &self.clusters[cluster as usize];
        let rows = self.terms.units.rows[unit as usize];
        match own.hidden {
            true => rows < self.terms.least && own.rows + rows <= self.terms.budget,
            false => !own.members.is_empty(),
        }
    }

    /// What a cluster's rows pay more with a unit.
    #[inline]
    pub fn cost_of_joining(&self, cluster: u32, unit: u32) -> f64 {
        let own = &self.clusters[cluster as usize];
        let rows = own.rows + self.terms.units.rows[unit as usize];
        rows as f64 * own.with(self.terms.units, unit) - own.loss()
    }

    /// What a cluster's rows pay less without a unit.
    #[inline]
    pub fn gain_of_leaving(&self, cluster: u32, unit: u32) -> f64 {
        let own = &self.clusters[cluster as usize];
        let rows = own.rows - self.terms.units.rows[unit as usize];
        own.loss() - rows as f64 * own.without(self.terms.units, unit)
    }

    /// Moves a unit.
    pub fn put(&mut self, unit: u32, to: u32) {
        let from = std::mem::replace(&mut self.at[unit as usize], to);
        self.clusters[from as usize].take(self.terms.units, unit);
        self.clusters[to as usize].push(self.terms.units, unit);
    }

    /// A new cluster without units; its number.
    pub fn open(&mut self) -> u32 {
        self.clusters.push(Cluster::new(self.terms.units, Vec::new()));
        self.clusters.len() as u32 - 1
    }

    /// The clusters of units that are near one, each once, without one of them.
    pub fn around(&mut self, unit: u32, but: u32, found: &mut Vec<u32>) {
        found.clear();
        self.met.resize(self.clusters.len(), 0);
        self.question += 1;
        self.met[but as usize] = self.question;
        if self.terms.budget > 0 && but != 0 {
            found.push(0);
        }
        self.met[0] = self.question;
        for near in self.terms.near.of(unit) {
            let cluster = self.at[near as usize];
            if std::mem::replace(&mut self.met[cluster as usize], self.question) != self.question {
                found.push(cluster);
            }
        }
    }

    /// Moves units to where they cost less, one at a time, until none does or there were enough passes. With `swaps`, units
    /// that cannot leave alone may be exchanged for one of a cluster nearby with at most so many units.
    pub fn relocate(&mut self, swaps: Option<usize>) {
        let units = self.terms.units;
        let mut awake = vec![true; units.len()];
        let mut around = Vec::new();
        for _ in 0..PASSES {
            let mut changed = false;
            for unit in 0..units.len() as u32 {
                if !std::mem::take(&mut awake[unit as usize]) {
                    continue;
                }
                if unit % 1024 == 0 && self.terms.watch.cancelled() {
                    return;
                }
                let from = self.at[unit as usize];
                self.around(unit, from, &mut around);
                let (to, back) = match self.best_move(unit, &around) {
                    NONE => match swaps.and_then(|most| self.best_swap(unit, &around, most)) {
                        Some(swap) => swap,
                        None => continue,
                    },
                    to => (to, NONE),
                };
                changed = true;
                if back == NONE {
                    self.put(unit, to);
                } else {
                    self.exchange(unit, back);
                }
                for cluster in [from, to].into_iter().filter(|cluster| *cluster != 0) {
                    for &member in &self.clusters[cluster as usize].members {
                        awake[member as usize] = true;
                        self.terms.near.of(member).take(WOKEN).for_each(|near| awake[near as usize] = true);
                    }
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// The cluster where a unit saves most, or none.
    fn best_move(&self, unit: u32, around: &[u32]) -> u32 {
        let from = self.at[unit as usize];
        if !self.spares(from, self.terms.units.rows[unit as usize]) {
            return NONE;
        }
        let gain = self.gain_of_leaving(from, unit);
        let (mut most, mut best) = (GAIN, NONE);
        for &to in around.iter().filter(|to| self.takes(**to, unit)) {
            let saved = gain - self.cost_of_joining(to, unit);
            if saved > most {
                (most, best) = (saved, to);
            }
        }
        best
    }

    /// The cluster and its unit that saves most in the place of a unit, which takes that one's.
    fn best_swap(&self, unit: u32, around: &[u32], most: usize) -> Option<(u32, u32)> {
        let Terms { units, least, .. } = self.terms;
        let from = self.at[unit as usize];
        let own = &self.clusters[from as usize];
        if own.hidden || own.members.len() > most || self.gain_of_leaving(from, unit) <= GAIN {
            return None;
        }
        let rows = units.rows[unit as usize];
        let (mut saved, mut best) = (GAIN, None);
        for &to in around {
            let other = &self.clusters[to as usize];
            if other.hidden || other.members.len() > most {
                continue;
            }
            for &back in &other.members {
                let others = units.rows[back as usize];
                let (left, right) = (own.rows - rows + others, other.rows - others + rows);
                if left < least || right < least {
                    continue;
                }
                let won = own.loss() + other.loss() - left as f64 * own.swapped(units, unit, back);
                if won <= saved {
                    continue;
                }
                let won = won - right as f64 * other.swapped(units, back, unit);
                if won > saved {
                    (saved, best) = (won, Some((to, back)));
                }
            }
        }
        best
    }

    /// Puts each of two units into the other's cluster.
    pub fn exchange(&mut self, one: u32, other: u32) {
        let (from, to) = (self.at[one as usize], self.at[other as usize]);
        self.clusters[from as usize].replace(self.terms.units, one, other);
        self.clusters[to as usize].replace(self.terms.units, other, one);
        self.at.swap(one as usize, other as usize);
    }
}
