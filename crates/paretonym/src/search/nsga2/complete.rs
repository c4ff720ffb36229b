//! A space that has a skeleton within the budget: the whole front at once.

use super::state::Search;
use crate::front::Archive;
use crate::search::SearchRun;
use crate::search::genetic::{Genome, Judged};
use crate::search::skeleton::{Book, Proof, Skeleton, prove};

impl Search<'_> {
    /// Proves the archive to be the whole front, where the budget allows it.
    pub(super) fn complete(&mut self, skeleton: &Skeleton, limit: u64, run: &SearchRun) -> Proof {
        let proof = prove(skeleton, self.pool, run, limit, self);
        self.stopped |= matches!(proof, Proof::Stopped);
        proof
    }
}

impl Book for Search<'_> {
    fn archive(&mut self) -> &mut Archive {
        &mut self.archive
    }

    fn evaluated(&self) -> u64 {
        self.evaluated
    }

    fn knows(&self, genome: &Genome) -> bool {
        self.seen.contains_key(&genome.fingerprint())
    }

    fn enter(&mut self, genome: &Genome, judged: &Judged) {
        self.seen.insert(genome.fingerprint(), Vec::new());
        self.evaluated += 1;
        self.absorb(genome, judged);
    }

    fn tick_off(&mut self, genome: &Genome) {
        self.seen.insert(genome.fingerprint(), Vec::new());
        self.evaluated += 1;
    }
}
