//! Local recodings for one k at a time, from the bottom up and improved by local search.
//!
//! Trees cut boxes that do not overlap, and what they join at the bottom was parted at the top. Here tuples are gathered
//! into clusters, each of which shows as little as its own tuples demand; then they move: alone, in exchange, several at
//! once ([`slabs`]), into new clusters ([`found`]), and in the best way of a few ([`exact`]). Boxes may overlap, but each
//! tuple is shown one way.
//!
//! The work is bounded by counts: how many cells the tuples have, times for how many k they are improved.

mod cluster;
mod exact;
mod found;
mod gather;
mod near;
mod partition;
mod slabs;
#[cfg(test)]
mod tests;
mod units;

use rayon::prelude::*;

use self::exact::{FEW, best_partition};
use self::gather::gathered;
use self::near::Near;
use self::partition::{Partition, Terms};
pub(super) use self::units::Units;
use super::ladder::ASKED_FOR;
use super::split_table::SplitTable;
use crate::engine::Watch;

/// Tuples times columns times k's, at most. Where not even one k is left, nothing is improved.
const CELL_RUNGS: usize = 6 << 20;
/// The k's that come first where there are too many.
const FIRST: [u64; 10] = [10, 5, 25, 50, 100, 3, 250, 2, 500, 1000];
/// Numbers that the clusters of one k may take, at most, when every tuple is one.
const ROOM: usize = 1 << 24;
/// Each k is so many times the one before, from [`CLOSE`] on; below, all are there.
const STEP: f64 = 1.5;
const CLOSE: u64 = 10;
/// How often slabs move and clusters are founded.
const ROUNDS: usize = 3;
/// The most clusters that are tried to be founded in a round.
const TRIES: usize = 2000;
/// Tuples are exchanged between clusters of at most so many.
const EXCHANGED: usize = 48;
/// Few tuples are divided anew by looking at all partitions, up to this k; how many tuples at a time, and up to which size
/// of a table it may be as many as [`FEW`].
const SMALL_K: u64 = 8;
const ANEW: usize = 8;
const SMALL_TABLE: usize = 256;

/// A partition of the tuples: the clusters that are shown, and tuples that are left out.
pub(super) struct Refined {
    /// Those whose rows pay least first.
    pub clusters: Vec<Vec<u32>>,
    pub hidden: Vec<u32>,
}

/// Whether a table is small enough.
pub(super) fn can_refine(split_table: &SplitTable) -> bool {
    let (tuples, width) = (split_table.rows.len(), split_table.columns.len());
    let leaves: usize = split_table.table.columns.iter().map(|column| column.domain.len()).sum();
    let room = 2 * leaves.div_ceil(64) + 3 * width;
    tuples.saturating_mul(width) <= CELL_RUNGS && tuples.saturating_mul(room) <= ROOM
}

/// The k's that a table of so many cells is improved for.
fn rungs(cells: usize, rows: u64, least: u64) -> Vec<u64> {
    let (mut all, mut k) = (ASKED_FOR.map(|k| k as u64).to_vec(), 2u64);
    while 2 * k <= rows {
        all.push(k);
        k = if k < CLOSE { k + 1 } else { (k as f64 * STEP) as u64 };
    }
    all.retain(|k| *k >= least && 2 * *k <= rows);
    all.sort_unstable();
    all.dedup();
    let most = CELL_RUNGS / cells.max(1);
    if all.len() > most {
        let first: Vec<u64> = FIRST.into_iter().filter(|k| all.contains(k)).take(most).collect();
        all.retain(|k| first.contains(k));
    }
    all
}

/// Partitions for a ladder of k's from `least` on; after a stop only those that were ready. With a budget each comes twice.
pub(super) fn refined(split_table: &SplitTable, least: u64, budget: u64, watch: &dyn Watch) -> Vec<Refined> {
    let units = Units::of_tuples(split_table);
    let rungs = rungs(units.len() * units.columns.len(), split_table.table.rows, least);
    watch.phase("improving regions", Some(rungs.len() as u64));
    if rungs.is_empty() || watch.cancelled() {
        return Vec::new();
    }
    let near = Near::new(&units, watch);
    let found: Vec<Vec<Refined>> = rungs
        .par_iter()
        .with_max_len(1)
        .map(|k| {
            let found = improved(Terms { units: &units, near: &near, least: *k, budget: 0, watch }, budget);
            watch.advance(1);
            if watch.cancelled() { Vec::new() } else { found }
        })
        .collect();
    found.into_iter().flatten().collect()
}

/// The partitions for one k: with all tuples shown, and, where there is a budget, with some left out.
fn improved(terms: Terms, budget: u64) -> Vec<Refined> {
    let units = terms.units;
    let mut partition = Partition::new(terms, Vec::new());
    if units.len() <= FEW {
        let all: Vec<u32> = (0..units.len() as u32).collect();
        let parts = best_partition(terms, &all, f64::INFINITY).unwrap_or_default();
        partition = Partition::new(terms, parts.into_iter().map(|part| cluster::Cluster::new(units, part)).collect());
    } else if !terms.watch.cancelled() {
        partition = Partition::new(terms, gathered(terms));
        partition.split();
        partition.relocate(None);
        partition.split();
        for round in 0..ROUNDS {
            partition.move_slabs();
            partition.split();
            partition.relocate(None);
            partition.found(TRIES, 7 * round);
            partition.relocate(None);
        }
        partition.move_slabs();
        partition.relocate(Some(EXCHANGED));
        if terms.least <= SMALL_K {
            partition.divide_anew(if units.len() <= SMALL_TABLE { FEW } else { ANEW });
            partition.relocate(Some(EXCHANGED));
        }
    }
    let mut found = vec![written(&partition)];
    if budget > 0 {
        partition.terms.budget = budget;
        partition.relocate(None);
        partition.move_slabs();
        partition.split();
        partition.relocate(None);
        found.push(written(&partition));
    }
    found
}

/// What is kept of a partition.
fn written(partition: &Partition) -> Refined {
    let mut clusters: Vec<&cluster::Cluster> = partition.shown().collect();
    clusters.sort_by(|a, b| a.cell.total_cmp(&b.cell).then(a.members.cmp(&b.members)));
    let sorted = |members: &[u32]| {
        let mut members = members.to_vec();
        members.sort_unstable();
        members
    };
    Refined {
        clusters: clusters.into_iter().map(|cluster| sorted(&cluster.members)).collect(),
        hidden: sorted(&partition.clusters[0].members),
    }
}
