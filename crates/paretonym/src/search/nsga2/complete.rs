//! The end of a search whose space has a skeleton: the whole front at once.

use super::state::Search;
use crate::front::{Archive, Entry};
use crate::search::Run;
use crate::search::genetic::Genome;
use crate::search::skeleton::{Profiles, Skeleton, profile_of};

/// Recodings evaluated together; the archive grows between batches. The number does not depend on the threads.
const BATCH: usize = 1024;
/// What was worked out and what was counted are the same where they differ by less.
const ROUNDING: f64 = 1e-9;

impl Search<'_> {
    /// Evaluates the skeleton, works out the front of all recodings, and evaluates whatever is on it. How it was proven;
    /// none where the budget was too small for that, or the user has had enough.
    pub(super) fn complete(&mut self, skeleton: &Skeleton, limit: u64, run: &Run) -> Option<String> {
        let pool = self.pool;
        let mut profiles = Profiles::new(pool.table, pool.problem.loss());
        for genomes in skeleton.genomes().chunks(BATCH) {
            let judged = pool.evaluate_and(genomes, &self.archive, |grouping| profile_of(pool, grouping));
            let mut batch = Vec::with_capacity(genomes.len());
            for (genome, judged) in genomes.iter().zip(judged) {
                let Some((judged, profile)) = judged else {
                    self.stopped = true;
                    return None;
                };
                if self.seen.insert(genome.clone(), Vec::new()).is_none() {
                    self.evaluated += 1;
                    self.absorb(genome, &judged);
                }
                batch.push(profile);
            }
            profiles.extend(batch.into_iter());
            run.show(pool.table, pool.problem, &self.archive, self.evaluated);
        }
        run.watch.phase("working out all recodings", Some(skeleton.space));
        let Some(front) = skeleton.front(pool, &profiles) else {
            self.stopped = true;
            return None;
        };
        run.watch.phase("evaluating the front", Some(front.entries().len() as u64));
        let mut genomes: Vec<Genome> = Vec::new();
        for entry in front.entries() {
            let genome = pool.layout.encode(pool.table, &entry.recoding);
            if self.evaluated + (genomes.len() as u64) < limit && self.seen.insert(genome.clone(), Vec::new()).is_none() {
                genomes.push(genome);
            }
        }
        let members = self.evaluate(genomes);
        if self.stopped {
            return None;
        }
        self.survive(members);
        if !self.agrees_with(&front) {
            return None;
        }
        // Recodings that reach the same point were worked out too.
        self.archive.set_alternatives(front.entries().iter().map(|entry| entry.alternatives));
        Some(format!(
            "The groups of {} recodings told the front of all {}; its solutions were then evaluated.",
            skeleton.size, skeleton.space
        ))
    }

    fn agrees_with(&self, front: &Archive) -> bool {
        let close = |a: &f64, b: &f64| (a - b).abs() <= ROUNDING * a.abs().max(1.0);
        let same = |(own, other): (&Entry, &Entry)| {
            own.point.costs().iter().zip(other.point.costs()).all(|(own, other)| close(own, other))
        };
        let (own, other) = (self.archive.entries(), front.entries());
        own.len() == other.len() && own.iter().zip(other).all(same)
    }
}
