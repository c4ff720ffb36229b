//! What a table is asked whose distinct tuples are too many to be held: a few hundred lines of answer, however many groups
//! there are.

use super::Watch;
use crate::data::CountRequest;
use crate::error::Result;

/// A table that is asked about the nodes of its lattice, one at a time.
pub trait Distant: Send + Sync {
    /// How many groups there are when each column is recoded to a level.
    fn groups(&self, node: &[u32], watch: &dyn Watch) -> Result<u64>;

    /// The same groups by their sizes.
    fn profile(&self, node: &[u32], watch: &dyn Watch) -> Result<Vec<SizeClass>>;
}

/// The groups of one size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SizeClass {
    /// Rows of each of them.
    pub size: u64,
    /// How many there are.
    pub groups: u64,
    /// Per quasi column: the sum over their rows of the values that a cell covers beside its own. Whole numbers, so that no
    /// engine rounds them.
    pub covered: Vec<u64>,
}

impl SizeClass {
    /// Rows of all of them.
    pub fn rows(&self) -> u64 {
        self.size * self.groups
    }
}

/// What a distant table is to know of its columns.
#[derive(Clone, Debug, Default)]
pub struct DistantRequest {
    /// The quasi columns, coded one by one as the levels below know them, and the attributes, whose missing values count.
    pub count: CountRequest,
    /// Per quasi column and level, what becomes of each code; that of a missing cell is the last.
    pub levels: Vec<Vec<Vec<LevelCode>>>,
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
