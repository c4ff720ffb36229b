//! The front of the whole space from the profiles of its skeleton: column by column, each partition of a column is added
//! up from the simple ones, for the skeletons of the columns after it.

use rayon::prelude::*;

use super::column::Partition;
use super::profile::{Adder, Judgeable, Numbered, Profiles};
use super::{Skeleton, with};
use crate::front::Archive;
use crate::problem::Scratch;
use crate::search::genetic::{Genome, Pool};

/// So many of the first columns are cut into tasks for all threads.
const PARALLEL_COLUMNS: usize = 2;

/// The front of the whole space, from the profiles of the skeleton's recodings in their order. None after a cancellation.
pub(super) fn front(skeleton: &Skeleton, pool: &Pool, profiles: &Profiles) -> Option<Archive> {
    let walk = Walk { skeleton, pool, profiles };
    walk.side_by_side(0, &Genome::zeros(skeleton.bits), &profiles.all)
}

struct Walk<'a, 'p> {
    skeleton: &'a Skeleton,
    pool: &'a Pool<'p>,
    profiles: &'a Profiles,
}

/// The buffers of one worker.
struct Worker<'a> {
    adder: Adder<'a>,
    scratch: Scratch,
    archive: Archive,
}

impl Walk<'_, '_> {
    /// All partitions of the columns from one on, given the profiles of their skeleton, in parallel.
    fn side_by_side(&self, column: usize, genome: &Genome, given: &[Numbered]) -> Option<Archive> {
        let mut worker =
            Worker { adder: Adder::new(self.profiles), scratch: Scratch::default(), archive: Archive::new() };
        if column >= PARALLEL_COLUMNS || column + 1 >= self.skeleton.columns.len() {
            return self.one_by_one(column, genome, given, &mut worker).then_some(worker.archive);
        }
        let task = |partition: &Partition| {
            let mut adder = Adder::new(self.profiles);
            let left = self.worked_out(column, partition, given, &mut adder);
            self.side_by_side(column + 1, &with(genome, &partition.bits), &left)
        };
        let parts: Vec<Option<Archive>> = self.skeleton.columns[column].partitions.par_iter().map(task).collect();
        let mut archive = Archive::new();
        for part in parts {
            archive.merge(part?);
        }
        Some(archive)
    }

    /// The same on this thread. False after a cancellation.
    fn one_by_one(&self, column: usize, genome: &Genome, given: &[Numbered], worker: &mut Worker) -> bool {
        if self.pool.cancelled() {
            return false;
        }
        let Some(space) = self.skeleton.columns.get(column) else {
            self.judge(genome, given[0].clone(), worker);
            return true;
        };
        let last = column + 1 == self.skeleton.columns.len();
        for partition in &space.partitions {
            let genome = with(genome, &partition.bits);
            let mut left = self.worked_out(column, partition, given, &mut worker.adder);
            if last {
                self.judge(&genome, left.swap_remove(0), worker);
            } else if !self.one_by_one(column + 1, &genome, &left, worker) {
                return false;
            }
        }
        if last {
            self.pool.advance(space.partitions.len());
        }
        true
    }

    /// The profiles of the skeleton of the columns after one, with this column partitioned in one way.
    fn worked_out(&self, column: usize, partition: &Partition, given: &[Numbered], adder: &mut Adder) -> Vec<Numbered> {
        let after = given.len() / self.skeleton.columns[column].simple.len();
        let terms =
            |at: usize| partition.terms.iter().map(move |(simple, times)| (&given[simple * after + at], *times));
        (0..after).map(|at| adder.sum(terms(at))).collect()
    }

    fn judge(&self, genome: &Genome, profile: Numbered, worker: &mut Worker) {
        let (table, layout) = (self.pool.table, self.pool.layout);
        let pieces = Judgeable::new(table, self.profiles, profile);
        let (mut recoding, archive) = (None, &mut worker.archive);
        self.pool.problem.outcomes(&pieces, &mut worker.scratch, &mut |outcome| {
            if !archive.dominates(&outcome.point) {
                archive.insert(&outcome, recoding.get_or_insert_with(|| layout.decode(table, genome)));
            }
        });
    }
}
