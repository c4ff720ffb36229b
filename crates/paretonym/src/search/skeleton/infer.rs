//! The front of the whole space from the profiles of its skeleton: column by column, each partition of a column is added
//! up from the simple ones, for the skeletons of the columns after it.

use rayon::prelude::*;

use super::column::Partition;
use super::profile::{Adder, Judgeable, Numbered, Profiles};
use super::{Skeleton, with};
use crate::front::Archive;
use crate::problem::Scratch;
use crate::search::genetic::{Genome, Pool};

/// The work is cut into tasks until there are so many; the number does not depend on the threads.
const TASKS: usize = 64;
/// So many partitions of the last column are one task.
const TOGETHER: usize = 256;

/// The front of the whole space, from the profiles of the skeleton's recodings in their order. None after a cancellation.
pub(super) fn front(skeleton: &Skeleton, pool: &Pool, profiles: &Profiles) -> Option<Archive> {
    let walk = Walk { skeleton, pool, profiles };
    walk.side_by_side(0, 1, &Genome::zeros(skeleton.bits), &profiles.all)
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

impl<'a> Walk<'a, '_> {
    fn worker(&self) -> Worker<'a> {
        Worker { adder: Adder::new(self.profiles), scratch: Scratch::default(), archive: Archive::new() }
    }

    /// All partitions of the columns from one on, given the profiles of their skeleton, in parallel until there are
    /// enough tasks.
    fn side_by_side(&self, column: usize, tasks: usize, genome: &Genome, given: &[Numbered]) -> Option<Archive> {
        let partitions = &self.skeleton.columns[column].partitions;
        let task = |some: &[Partition]| {
            let mut worker = self.worker();
            self.one_by_one(column, some, genome, given, &mut worker).then_some(worker.archive)
        };
        let parts: Vec<Option<Archive>> = if tasks >= TASKS {
            vec![task(partitions)]
        } else if column + 1 == self.skeleton.columns.len() {
            partitions.par_chunks(TOGETHER).map(task).collect()
        } else {
            let tasks = tasks * partitions.len();
            let deeper = |adder: &mut Adder, partition: &Partition| {
                let left = self.worked_out(column, partition, given, adder);
                self.side_by_side(column + 1, tasks, &with(genome, &partition.bits), &left)
            };
            partitions.par_iter().map_init(|| Adder::new(self.profiles), deeper).collect()
        };
        let mut archive = Archive::new();
        for part in parts {
            archive.merge(part?);
        }
        Some(archive)
    }

    /// Some partitions of a column with all of those after it, on this thread. False after a cancellation.
    fn one_by_one(
        &self,
        column: usize,
        partitions: &[Partition],
        genome: &Genome,
        given: &[Numbered],
        worker: &mut Worker,
    ) -> bool {
        let next = self.skeleton.columns.get(column + 1);
        for some in partitions.chunks(TOGETHER) {
            if self.pool.cancelled() {
                return false;
            }
            for partition in some {
                let genome = with(genome, &partition.bits);
                let mut left = self.worked_out(column, partition, given, &mut worker.adder);
                match next {
                    None => self.judge(&genome, left.swap_remove(0), worker),
                    Some(next) if self.one_by_one(column + 1, &next.partitions, &genome, &left, worker) => {}
                    Some(_) => return false,
                }
            }
            if next.is_none() {
                self.pool.advance(some.len());
            }
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
