//! **Skeleton.** A few recodings whose groups tell those of all others: the whole front of a space of cuts and breaks that
//! can be enumerated, from a share of them that depends on its columns.
//!
//! A group is a box: a set in each column. So whatever is a sum over groups is a sum over the sets of one column while
//! the others stay as they are, and a partition of a column can be written as a sum and difference of simpler ones: with
//! `F` such a sum, breaks at 2, 5 and 7 are `F(2,5) + F(5,7) - F(5)`, and a cut is what its open nodes add one by one.
//! The simple partitions of all columns, in every combination, are the skeleton. Their profiles (how many rows lie in
//! groups of each size and level, and what they lose) give the profile of every recoding, and a profile is all that a
//! problem looks at. What turns out not to be dominated is evaluated like any other recoding, so that nothing is reported
//! that was not counted. Why it holds, and an example: docs/theory/skeleton.md.

mod column;
mod infer;
mod profile;
mod prove;
mod search;
mod walk;

use column::ColumnSpace;
pub(super) use prove::{Book, Proof, prove};
pub(super) use search::{enumerable, search, search_everything, too_many};

use super::genetic::{Dice, Genome, Layout, Segment};

/// Spaces of more recodings than this are not worked out. A million take seconds where groups are of few kinds.
const ENUMERABLE: u64 = 1 << 20;
/// Nor are columns of more partitions: each is listed.
const MOST_PARTITIONS: u64 = 1 << 16;

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
    /// About how many evaluations a proof takes; none where the space is too large to be enumerated.
    pub fn evaluations(layout: &Layout) -> Option<u64> {
        let (size, space) = sizes(layout)?;
        // Beside the skeleton there must be room for what is on the front.
        Some((size + size / 16).min(space))
    }

    /// None where the space is too large to be enumerated, or a proof is not likely to fit into so many evaluations. The
    /// skeleton of levels alone is the whole space.
    pub fn of(layout: &Layout, evaluations: u64) -> Option<Self> {
        let (size, space) = sizes(layout)?;
        if Skeleton::evaluations(layout)? > evaluations {
            return None;
        }
        let mut columns: Vec<ColumnSpace> = layout.segments.iter().map(ColumnSpace::of).collect();
        // Compared as fractions; what is worked out first is worked out for the skeletons of all the others.
        let saving = |column: &ColumnSpace| (column.partitions.len() as u64, column.simple.len() as u64);
        columns.sort_by(|a, b| {
            let (a, b) = (saving(a), saving(b));
            (a.0 * b.1).cmp(&(b.0 * a.1))
        });
        Some(Skeleton { columns, bits: layout.bits, size, space })
    }

    /// A random recoding of those that it tells of.
    fn random(&self, dice: &mut Dice) -> Genome {
        let zeros = Genome::zeros(self.bits);
        self.columns
            .iter()
            .fold(zeros, |genome, column| with(&genome, &column.partitions[dice.below(column.partitions.len())].bits))
    }

    /// Every recoding, as a skeleton that has to tell of no others. None where there are too many.
    pub fn everything(layout: &Layout) -> Option<Self> {
        let (_, space) = sizes(layout)?;
        let columns = layout.segments.iter().map(|segment| ColumnSpace::of(segment).all_simple()).collect();
        Some(Skeleton { columns, bits: layout.bits, size: space, space })
    }
}

/// The number of recodings in the skeleton and in all, where they are few enough.
fn sizes(layout: &Layout) -> Option<(u64, u64)> {
    let listed = |segment: &Segment| segment.size().is_some_and(|size| size <= MOST_PARTITIONS);
    let space = layout.size().filter(|space| *space <= ENUMERABLE && layout.segments.iter().all(listed))?;
    Some((layout.segments.iter().map(column::skeleton_size).product(), space))
}

/// A chromosome with more bits that are one.
fn with(genome: &Genome, bits: &[usize]) -> Genome {
    let mut genome = genome.clone();
    bits.iter().for_each(|bit| genome.set(*bit, true));
    genome
}
