//! Rows that are equal in every quasi column, with what they share. The distinct tuples of a table and the groups of a
//! recoding are the same kind of thing, so that a grouping can be grouped further.

use std::sync::Arc;

use super::Distribution;
use crate::data::{Narrow, ValueCounts};

/// Distinct tuples or groups, column by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuples {
    /// Leaf codes, several columns fused into one number; a group shows one of its tuples.
    pub fused: Vec<Narrow>,
    /// Rows: four bytes each where the table has fewer than 2^32 of them, eight otherwise.
    pub rows: Narrow,
    /// Value counts per attribute; empty where they were not asked for.
    pub attributes: Vec<Distribution>,
    /// Sum over rows and columns of ln(rows of the leaf); empty where it was not asked for. A table works it out when it
    /// is: [`super::FrequencyTable::leaf_logs`].
    pub leaf_logs: Vec<f64>,
}

impl Tuples {
    /// The number of tuples or groups.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Tuples to write to: those of a list that nobody else looks at, or their copy.
    pub(super) fn alone(shared: &mut Arc<Tuples>) -> &mut Tuples {
        Arc::make_mut(shared)
    }

    /// A list to be filled from its beginning: this one, and its memory, where nobody else looks at it.
    pub(super) fn afresh(shared: &mut Arc<Tuples>) -> &mut Tuples {
        if Arc::get_mut(shared).is_none() {
            *shared = Arc::default();
        }
        Arc::make_mut(shared)
    }

    /// The memory that they take, in bytes.
    pub fn bytes(&self) -> usize {
        let attributes = self.attributes.iter().map(Distribution::bytes).sum::<usize>();
        let codes = self.fused.iter().map(Narrow::bytes).sum::<usize>();
        codes + self.rows.bytes() + attributes + self.leaf_logs.len() * size_of::<f64>()
    }

    /// One of them.
    pub fn view(&self, index: usize) -> GroupView<'_> {
        GroupView { tuples: self, index }
    }
}

/// One group, as the privacy models see it.
#[derive(Clone, Copy, Debug)]
pub struct GroupView<'a> {
    /// Where it lies.
    pub tuples: &'a Tuples,
    /// Its position.
    pub index: usize,
}

impl<'a> GroupView<'a> {
    /// Its rows.
    #[inline]
    pub fn rows(self) -> u64 {
        self.tuples.rows.get(self.index)
    }

    /// The values of an attribute and their counts.
    #[inline]
    pub fn attribute(self, attribute: usize) -> ValueCounts<'a> {
        self.tuples.attributes[attribute].of(self.index)
    }

    /// See [`Tuples::leaf_logs`].
    pub fn leaf_logs(self) -> f64 {
        self.tuples.leaf_logs[self.index]
    }
}
