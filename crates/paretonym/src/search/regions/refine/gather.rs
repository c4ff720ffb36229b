//! Clusters from the bottom: those that are too small join the one that costs least, the cheapest first.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::cluster::Cluster;
use super::partition::Terms;

/// Two clusters that might become one: what their rows would pay more, and how often each had changed when that was said.
struct Offer {
    cost: f64,
    pair: [u32; 2],
    changes: [u32; 2],
}

impl PartialEq for Offer {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Offer {}

impl PartialOrd for Offer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Offer {
    fn cmp(&self, other: &Self) -> Ordering {
        self.cost.total_cmp(&other.cost).then(self.pair.cmp(&other.pair)).then(self.changes.cmp(&other.changes))
    }
}

/// Clusters as they grow.
struct Gathering<'a> {
    terms: Terms<'a>,
    clusters: Vec<Cluster>,
    at: Vec<u32>,
    changes: Vec<u32>,
    met: Vec<u32>,
    question: u32,
}

/// Clusters are gathered in stages, each to so many times the rows of the one before: where large ones took in small ones
/// one by one, each step would take a look at all their units.
const STAGE: u64 = 8;

/// Clusters of at least as many rows as the terms ask for.
pub(super) fn gathered(terms: Terms) -> Vec<Cluster> {
    let count = terms.units.len();
    let mut gathering = Gathering {
        terms,
        clusters: (0..count as u32).map(|unit| Cluster::new(terms.units, vec![unit])).collect(),
        at: (0..count as u32).collect(),
        changes: vec![0; count],
        met: vec![0; count],
        question: 0,
    };
    let mut stages = vec![terms.least];
    while stages[0] >= 2 * STAGE {
        stages.insert(0, stages[0] / STAGE);
    }
    for least in stages {
        gathering.terms.least = least;
        gathering.stage();
    }
    gathering.join_rest();
    gathering.clusters.retain(|cluster| !cluster.members.is_empty());
    gathering.clusters
}

impl Gathering<'_> {
    /// Joins clusters until none is too small that has others near.
    fn stage(&mut self) {
        let mut offers: BinaryHeap<Reverse<Offer>> = BinaryHeap::new();
        for cluster in 0..self.clusters.len() as u32 {
            offers.extend(self.offer(cluster).map(Reverse));
        }
        while let Some(Reverse(Offer { pair: [own, other], changes, .. })) = offers.pop() {
            if self.changes[own as usize] != changes[0] {
                continue;
            }
            let changed = if self.changes[other as usize] == changes[1] { self.join(own, other) } else { own };
            if !self.terms.watch.cancelled() {
                offers.extend(self.offer(changed).map(Reverse));
            }
        }
    }

    /// The cheapest that a cluster might join, unless it has rows enough.
    fn offer(&mut self, cluster: u32) -> Option<Offer> {
        let own = &self.clusters[cluster as usize];
        if own.members.is_empty() || own.rows >= self.terms.least {
            return None;
        }
        self.question += 1;
        self.met[cluster as usize] = self.question;
        let mut best: Option<(f64, u32)> = None;
        for near in own.members.iter().flat_map(|unit| self.terms.near.of(*unit)) {
            let other = self.at[near as usize];
            if std::mem::replace(&mut self.met[other as usize], self.question) == self.question {
                continue;
            }
            let them = &self.clusters[other as usize];
            let cost = own.joined(self.terms.units, them) - own.loss() - them.loss();
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, other));
            }
        }
        let (cost, other) = best?;
        let changes = [cluster, other].map(|one| self.changes[one as usize]);
        Some(Offer { cost, pair: [cluster, other], changes })
    }

    /// Makes one cluster of two; the number of what is left.
    fn join(&mut self, own: u32, other: u32) -> u32 {
        let larger = self.clusters[own as usize].members.len() >= self.clusters[other as usize].members.len();
        let (to, from) = if larger { (own, other) } else { (other, own) };
        let gone = std::mem::replace(&mut self.clusters[from as usize], Cluster::new(self.terms.units, Vec::new()));
        gone.members.iter().for_each(|unit| self.at[*unit as usize] = to);
        let members = [std::mem::take(&mut self.clusters[to as usize].members), gone.members].concat();
        self.clusters[to as usize] = Cluster::new(self.terms.units, members);
        self.changes[own as usize] += 1;
        self.changes[other as usize] += 1;
        to
    }

    /// What is still too small has nobody near: it joins whatever costs least of all.
    fn join_rest(&mut self) {
        let mut own = 0;
        while (own as usize) < self.clusters.len() && !self.terms.watch.cancelled() {
            let small = &self.clusters[own as usize];
            if small.members.is_empty() || small.rows >= self.terms.least {
                own += 1;
                continue;
            }
            let others = (0..self.clusters.len() as u32)
                .filter(|other| *other != own && !self.clusters[*other as usize].members.is_empty());
            let cost = |other: u32| {
                let them = &self.clusters[other as usize];
                small.joined(self.terms.units, them) - them.loss()
            };
            match others.map(|other| (cost(other), other)).min_by(|a, b| a.0.total_cmp(&b.0)) {
                // Where that is still too small, it is looked at again, and none is left out.
                Some((_, other)) => own = own.min(self.join(own, other)),
                None => own += 1,
            }
        }
    }
}
