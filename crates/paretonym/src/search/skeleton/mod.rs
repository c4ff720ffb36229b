//! **Skeleton.** A few recodings whose groups tell those of all others: the whole front of a space of cuts and breaks that
//! can be enumerated, from a small share of its evaluations.
//!
//! A group is a box: a set in each column. So whatever is a sum over groups is a sum over the sets of one column while
//! the others stay as they are, and a partition of a column can be written as a sum and difference of simpler ones: with
//! `F` such a sum, breaks at 2, 5 and 7 are `F(2,5) + F(5,7) - F(5)`, and a cut is what its open nodes add one by one.
//! The simple partitions of all columns, in every combination, are the skeleton. Its [`Profile`]s (how many rows lie in
//! groups of each size and level, and what they lose) give the profile of every recoding, and a profile is all that a
//! problem looks at. What turns out not to be dominated is evaluated like any other recoding, so that nothing is reported
//! that was not counted. Why it holds, and an example: docs/theory/skeleton.md.

mod column;
mod infer;
mod profile;

use column::ColumnSpace;
pub(super) use profile::{Profile, Profiles};

use super::genetic::{Genome, Layout, Pool};
use crate::front::Archive;
use crate::group::Grouping;

/// Spaces up to this size are worked out; each recoding costs about as much as grouping a thousand tuples.
const ENUMERABLE: u64 = 1 << 18;
/// The most groups that the recodings of a skeleton may have together.
const MOST_GROUPS: u64 = 1 << 22;

/// The skeleton of a space of recodings.
pub(super) struct Skeleton {
    /// The columns in the order in which they are worked out: first those whose skeleton saves least.
    columns: Vec<ColumnSpace>,
    bits: usize,
    /// The number of recodings in it.
    pub size: u64,
    /// The number of recodings that it tells of.
    pub space: u64,
}

impl Skeleton {
    /// None where the space is too large to be enumerated, or the skeleton is not much smaller than the space.
    pub fn of(layout: &Layout) -> Option<Self> {
        let space = layout.size().filter(|space| *space <= ENUMERABLE)?;
        let size: u64 = layout.segments.iter().map(column::skeleton_size).product();
        if 2 * size > space {
            return None;
        }
        let mut columns: Vec<ColumnSpace> = layout.segments.iter().map(ColumnSpace::of).collect();
        let groups = columns.iter().try_fold(1u64, |all, column| all.checked_mul(column.skeleton_sets()))?;
        if groups > MOST_GROUPS {
            return None;
        }
        // Compared as fractions; what is worked out first is worked out for the skeletons of all the others.
        let saving = |column: &ColumnSpace| (column.partitions.len() as u64, column.simple.len() as u64);
        columns.sort_by(|a, b| {
            let (a, b) = (saving(a), saving(b));
            (a.0 * b.1).cmp(&(b.0 * a.1))
        });
        Some(Skeleton { columns, bits: layout.bits, size, space })
    }

    /// Its recodings. The last column changes fastest.
    pub fn genomes(&self) -> Vec<Genome> {
        let mut genomes = vec![Genome::zeros(self.bits)];
        for column in &self.columns {
            let with = |genome: &Genome, bits: &Vec<usize>| {
                let mut genome = genome.clone();
                bits.iter().for_each(|bit| genome.set(*bit, true));
                genome
            };
            genomes =
                genomes.iter().flat_map(|genome| column.simple.iter().map(move |bits| with(genome, bits))).collect();
        }
        genomes
    }

    /// The front of the whole space, from the profiles of the skeleton's recodings in their order. None after a
    /// cancellation.
    pub fn front(&self, pool: &Pool, profiles: &Profiles) -> Option<Archive> {
        infer::front(self, pool, profiles)
    }
}

/// What a grouping must tell of its groups, besides being judged.
pub(super) fn profile_of(pool: &Pool, grouping: &Grouping) -> Profile {
    Profile::of(pool.table, pool.problem, grouping)
}
