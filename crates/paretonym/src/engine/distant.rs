//! What a table is asked whose distinct tuples are too many to be held: a few hundred lines of answer, however many groups
//! there are.

use super::Watch;
use crate::data::CountRequest;
use crate::error::Result;

/// A table that is asked about the nodes of its lattice, one at a time.
pub trait Distant: Send + Sync {
    /// How many groups there are when each column is recoded to a level.
    fn groups(&self, node: &[u32], watch: &dyn Watch) -> Result<u64>;

    /// The same groups by what levels depend on: those that are alike in it are one class.
    fn profile(&self, node: &[u32], looks_at: LooksAt, watch: &dyn Watch) -> Result<Vec<SizeClass>>;
}

/// What the level of a group depends on, from least to most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum LooksAt {
    /// Its rows.
    Rows,
    /// How many values of each sensitive column it has, and the rows of the most frequent one.
    Extent,
    /// How many rows have each of its values, whichever these are.
    Counts,
    /// The values.
    #[default]
    Values,
}

/// Groups of one size, and alike inside where that was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SizeClass {
    /// Rows of each of them.
    pub size: u64,
    /// How many there are.
    pub groups: u64,
    /// Per quasi column: the sum over their rows of the values that a cell covers beside its own. Whole numbers, so that no
    /// engine rounds them.
    pub covered: Vec<u64>,
    /// Per sensitive column, where it was asked for: how many rows of each of them have each value. Counts that only the extent
    /// was asked of stand for all others of the same extent.
    pub counts: Vec<Vec<u64>>,
}

impl SizeClass {
    /// Rows of all of them.
    pub fn rows(&self) -> u64 {
        self.size * self.groups
    }

    /// Counts of so many values that make up a group of so many rows, the most frequent of which has `most` of them.
    pub fn of_extent(size: u64, most: u64, values: u64) -> Vec<u64> {
        let others = values.saturating_sub(1);
        let rest = size - most;
        let share = |other: u64| rest / others + u64::from(other < rest % others);
        std::iter::once(most).chain((0..others).map(share)).collect()
    }
}

/// What a distant table is to know of its columns.
#[derive(Clone, Debug, Default)]
pub struct DistantRequest {
    /// The quasi columns, coded one by one as the levels below know them, and the attributes, whose missing values count.
    pub count: CountRequest,
    /// Per quasi column and level, what becomes of each code; that of a missing cell is the last.
    pub levels: Vec<Vec<Vec<LevelCode>>>,
    /// The attributes that levels depend on, as positions among the attributes; none where sizes decide.
    pub sensitive: Vec<usize>,
}

/// What becomes of a code at a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LevelCode {
    /// Its set.
    pub set: u32,
    /// The values that a cell of this set covers beside its own.
    pub covered: u32,
}

impl DistantRequest {
    /// Whether a column shows a single set at a level: it divides nothing.
    pub fn is_one_set(&self, column: usize, level: u32) -> bool {
        let codes = &self.levels[column][level as usize];
        codes.iter().all(|code| code.set == codes[0].set)
    }
}

#[cfg(test)]
mod tests {
    use super::SizeClass;

    #[test]
    fn counts_have_the_extent_that_they_stand_for() {
        assert_eq!(SizeClass::of_extent(10, 4, 4), [4, 2, 2, 2]);
        assert_eq!(SizeClass::of_extent(9, 4, 3), [4, 3, 2]);
        assert_eq!(SizeClass::of_extent(7, 7, 1), [7]);
    }
}
