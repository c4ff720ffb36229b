//! The sets of one column at both ends of a span.

use super::span::Span;
use crate::group::FrequencyTable;
use crate::recode::Family;
use crate::search::genetic::Segment;

/// A partition of the leaves of a column into runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    /// The run of each leaf.
    pub of: Vec<u32>,
    /// The first leaf of each run, and the number of leaves at the end.
    pub first: Vec<u32>,
}

impl Runs {
    fn fill(&mut self, leaves: usize, apart: impl Fn(usize) -> bool) {
        self.of.clear();
        self.first.clear();
        for leaf in 0..leaves {
            if leaf == 0 || apart(leaf - 1) {
                self.first.push(leaf as u32);
            }
            self.of.push(self.first.len() as u32 - 1);
        }
        self.first.push(leaves as u32);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// The leaves of some neighbouring runs, as first and end.
    pub fn leaves(&self, first: usize, end: usize) -> (usize, usize) {
        (self.first[first] as usize, self.first[end] as usize)
    }
}

/// One column of a span.
#[derive(Clone, Debug, Default)]
pub(super) struct ColumnView {
    /// The sets of the coarsest recoding.
    pub coarse: Runs,
    /// Those of the finest, from here on called *pieces*: no recoding of the span tells their leaves apart.
    pub pieces: Runs,
    /// Levels: that of the finest and that of the coarsest recoding.
    pub levels: (usize, usize),
}

impl ColumnView {
    /// Fills in a column of a span.
    pub fn fill(&mut self, table: &FrequencyTable, column: usize, segment: &Segment, span: &Span) {
        let leaves = table.columns[column].domain.len();
        let start = segment.bits.start;
        if segment.family == Family::Levels {
            let level = |ones: usize| segment.bits.len() - ones;
            let bits = || segment.bits.clone();
            self.levels = (level(span.finest.ones(bits())), level(span.coarsest.ones(bits())));
            let sets = |level: usize| &table.levels[column][level].set_of;
            let (fine, coarse) = (sets(self.levels.0), sets(self.levels.1));
            self.pieces.fill(leaves, |leaf| fine[leaf] != fine[leaf + 1]);
            self.coarse.fill(leaves, |leaf| coarse[leaf] != coarse[leaf + 1]);
            return;
        }
        self.coarse.fill(leaves, |leaf| span.coarsest.get(start + leaf));
        self.pieces.fill(leaves, |leaf| span.finest.get(start + leaf));
    }

    /// The pieces of a coarse set, as first and end.
    pub fn pieces_of(&self, set: usize) -> (usize, usize) {
        let (first, end) = self.coarse.leaves(set, set + 1);
        (self.pieces.of[first] as usize, self.pieces.of[end - 1] as usize + 1)
    }

    /// Whether both ends of the span are the same.
    pub fn is_settled(&self) -> bool {
        self.coarse.len() == self.pieces.len()
    }
}
