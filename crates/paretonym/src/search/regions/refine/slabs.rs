//! Moves of several units at once: all that hold one end of a cluster, so that the rest shows less.
//!
//! A single unit often cannot help: another one holds the same end of an interval, or the same value of a set. A slab is
//! everything in a cluster that has the first or the last leaf of an ordered column, one value of a set, or lies beside one
//! child of a taxonomy node. Its units go to wherever each costs least.

use super::cluster::{Cluster, Summary};
use super::partition::{GAIN, Partition};
use super::units::Charge;
use crate::search::regions::split_table::Shows;

/// With at most so many clusters, all of them are looked at for the units of a slab, otherwise those nearby.
const ALL: usize = 1024;

impl Partition<'_> {
    /// Moves slabs that save something, going through all clusters once.
    pub fn move_slabs(&mut self) {
        let mut around = Vec::new();
        for cluster in 1..self.clusters.len() as u32 {
            for column in 0..self.terms.units.columns.len() {
                while !self.terms.watch.cancelled() && self.move_slab(cluster, column, &mut around) {}
            }
        }
    }

    /// Moves one slab of a cluster; whether there was one worth it.
    fn move_slab(&mut self, cluster: u32, column: usize, around: &mut Vec<u32>) -> bool {
        let units = self.terms.units;
        for (first, last, inside) in self.slabs(cluster, column) {
            let in_slab = |unit: &u32| (first..=last).contains(&units.codes(*unit)[column]) == inside;
            let own = &self.clusters[cluster as usize];
            let slab: Vec<u32> = own.members.iter().copied().filter(in_slab).collect();
            let rows: u64 = slab.iter().map(|unit| units.rows[*unit as usize]).sum();
            if slab.is_empty() || slab.len() > own.members.len() / 2 + 1 || own.rows < rows + self.terms.least {
                continue;
            }
            let rest = own.members.iter().copied().filter(|unit| !in_slab(unit)).collect();
            let rest = Cluster::new(units, rest);
            let gain = own.loss() - rest.loss();
            if gain > GAIN && self.distribute(&slab, cluster, gain, around) {
                self.clusters[cluster as usize] = rest;
                return true;
            }
        }
        false
    }

    /// The slabs of a cluster in a column: runs of leaves, and whether what lies inside goes, or what lies outside.
    fn slabs(&self, cluster: u32, column: usize) -> Vec<(u32, u32, bool)> {
        let units = self.terms.units;
        let members = &self.clusters[cluster as usize].members;
        let mut leaves: Vec<u32> = members.iter().map(|unit| units.codes(*unit)[column]).collect();
        leaves.sort_unstable();
        leaves.dedup();
        let [low, .., high] = leaves[..] else { return Vec::new() };
        let one = |leaf: u32| (leaf, leaf, true);
        match &units.columns[column].charge {
            Charge::Set(_) | Charge::Capped(..) => leaves.iter().copied().map(one).collect(),
            Charge::Ends(_) if units.split_table.columns[column].shows == Shows::Interval => vec![one(low), one(high)],
            Charge::Ends(_) => {
                let shown = units.split_table.node(column, low, high);
                let mut children: Vec<(u32, u32, bool)> = Vec::new();
                for &leaf in &leaves {
                    let above = &units.split_table.columns[column].above[leaf as usize];
                    let below = above.iter().take_while(|(start, end)| (*start, end - 1) != shown).last();
                    let (start, end) = below.copied().unwrap_or((leaf, leaf + 1));
                    if children.last() != Some(&(start, end - 1, false)) {
                        children.push((start, end - 1, false));
                    }
                }
                children
            }
        }
    }

    /// Puts units of a cluster to wherever each costs least, if that costs less than some gain in all; the cluster itself
    /// is left as it is.
    fn distribute(&mut self, slab: &[u32], from: u32, gain: f64, around: &mut Vec<u32>) -> bool {
        let units = self.terms.units;
        let mut left = gain - GAIN;
        let mut placed: Vec<(u32, u32)> = Vec::with_capacity(slab.len());
        let mut before: Vec<(u32, Summary)> = Vec::new();
        for &unit in slab {
            if self.clusters.len() <= ALL {
                around.clear();
                around.extend((0..self.clusters.len() as u32).filter(|to| *to != from));
            } else {
                self.around(unit, from, around);
            }
            let rows = units.rows[unit as usize] as f64;
            let (mut least, mut best) = (left, None);
            for &to in around.iter() {
                // A row pays what the cluster's rows pay, at least.
                if rows * self.clusters[to as usize].cell < least && self.takes(to, unit) {
                    let cost = self.cost_of_joining(to, unit);
                    if cost < least {
                        (least, best) = (cost, Some(to));
                    }
                }
            }
            let Some(to) = best else {
                before.into_iter().for_each(|(to, summary)| self.clusters[to as usize].restore(summary));
                return false;
            };
            left -= least;
            if before.iter().all(|(known, _)| *known != to) {
                before.push((to, self.clusters[to as usize].summary()));
            }
            self.clusters[to as usize].push(units, unit);
            placed.push((unit, to));
        }
        placed.into_iter().for_each(|(unit, to)| self.at[unit as usize] = to);
        true
    }
}
