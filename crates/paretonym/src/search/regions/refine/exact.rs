//! The best partition of a few units, found by looking at all of them: the best one of every subset is a cluster with the
//! subset's first unit, and the best partition of what is left.

use super::cluster::{Cluster, Cover};
use super::partition::{GAIN, Partition, Terms};

/// The best partition of at most so many units is found at once.
pub(in crate::search::regions) const FEW: usize = 12;

/// Clusters of at least so many rows that lose least, if they lose less than `below`.
pub(super) fn best_partition(terms: Terms, members: &[u32], below: f64) -> Option<Vec<Vec<u32>>> {
    let units = terms.units;
    let all = 1usize << members.len();
    let mut covers: Vec<Cover> = Vec::with_capacity(all);
    covers.push(Cover::empty(units));
    for subset in 1..all {
        let mut cover = covers[subset & (subset - 1)].clone();
        cover.add(units, members[subset.trailing_zeros() as usize]);
        covers.push(cover);
    }
    let large = |cover: &Cover| cover.rows >= terms.least;
    let alone: Vec<f64> =
        covers.iter().map(|cover| if large(cover) { cover.loss(units) } else { f64::INFINITY }).collect();
    let (mut best, mut chosen) = (vec![f64::INFINITY; all], vec![0usize; all]);
    best[0] = 0.0;
    for subset in (1..all).filter(|subset| large(&covers[*subset])) {
        let first = subset & subset.wrapping_neg();
        let others = subset ^ first;
        let mut some = others;
        loop {
            let cluster = some | first;
            let loss = alone[cluster] + best[subset ^ cluster];
            if loss < best[subset] {
                (best[subset], chosen[subset]) = (loss, cluster);
            }
            if some == 0 {
                break;
            }
            some = (some - 1) & others;
        }
    }
    if best[all - 1] >= below {
        return None;
    }
    let (mut left, mut clusters) = (all - 1, Vec::new());
    while left != 0 {
        let cluster = chosen[left];
        clusters.push((0..members.len()).filter(|at| cluster >> at & 1 == 1).map(|at| members[at]).collect());
        left ^= cluster;
    }
    Some(clusters)
}

impl Partition<'_> {
    /// Divides the units of each cluster and of clusters nearby anew, at most so many units at a time.
    pub fn divide_anew(&mut self, most: usize) {
        let units = self.terms.units;
        let mut around = Vec::new();
        for cluster in 1..self.clusters.len() as u32 {
            let own = &self.clusters[cluster as usize];
            if own.members.is_empty() || own.members.len() >= most || self.terms.watch.cancelled() {
                continue;
            }
            // Those that are near most of its units first.
            let mut votes: Vec<(u32, u32)> = Vec::new();
            for unit in own.members.clone() {
                self.around(unit, cluster, &mut around);
                for &other in around.iter().filter(|other| **other != 0) {
                    match votes.iter_mut().find(|(known, _)| *known == other) {
                        Some((_, count)) => *count += 1,
                        None => votes.push((other, 1)),
                    }
                }
            }
            votes.sort_by_key(|(other, count)| (std::cmp::Reverse(*count), *other));
            let mut some = vec![cluster];
            let mut count = self.clusters[cluster as usize].members.len();
            for (other, _) in votes {
                let more = self.clusters[other as usize].members.len();
                if count + more <= most {
                    some.push(other);
                    count += more;
                }
            }
            let members: Vec<u32> =
                some.iter().flat_map(|one| self.clusters[*one as usize].members.iter().copied()).collect();
            let loss: f64 = some.iter().map(|one| self.clusters[*one as usize].loss()).sum();
            let Some(parts) = best_partition(self.terms, &members, loss - GAIN) else { continue };
            some.iter().for_each(|one| self.clusters[*one as usize] = Cluster::new(units, Vec::new()));
            let mut free = some.into_iter();
            for part in parts {
                let to = match free.next() {
                    Some(to) => to,
                    None => self.open(),
                };
                part.iter().for_each(|unit| self.at[*unit as usize] = to);
                self.clusters[to as usize] = Cluster::new(units, part);
            }
        }
    }
}
