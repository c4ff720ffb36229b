//! A space that has a skeleton within the budget: the whole front at once.

use super::state::Search;
use crate::front::Archive;
use crate::search::Run;
use crate::search::genetic::{Genome, Judged, Pool};
use crate::search::skeleton::{Book, Proof, Skeleton, prove};

impl Search<'_> {
    /// How the archive was proven to be the whole front; none where the budget did not allow it.
    pub(super) fn complete(&mut self, skeleton: &Skeleton, limit: u64, run: &Run) -> Option<String> {
        match prove(skeleton, self.pool, run, limit, self) {
            Proof::Whole(how) => Some(how),
            Proof::Unfinished | Proof::TooLarge | Proof::Disagrees => None,
            Proof::Stopped => {
                self.stopped = true;
                None
            }
        }
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
        self.seen.contains_key(genome)
    }

    fn enter(&mut self, genome: &Genome, judged: &Judged, _pool: &Pool) {
        self.seen.insert(genome.clone(), Vec::new());
        self.evaluated += 1;
        self.absorb(genome, judged);
    }
}
