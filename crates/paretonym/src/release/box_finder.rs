//! Which box of a saved local recoding a tuple lies in, or is nearest to.

use super::SavedRecoding;
use super::saved::SavedColumn;
use crate::data::Kind;
use crate::recode::{BoxIndex, LeafRun};

/// Finds the box of a saved recoding that a tuple lies in.
pub struct BoxFinder<'a> {
    columns: &'a [SavedColumn],
    boxes: &'a [Vec<u32>],
    index: BoxIndex,
}

impl<'a> BoxFinder<'a> {
    /// None where the recoding is not local.
    pub fn new(saved: &'a SavedRecoding) -> Option<Self> {
        let (columns, boxes) = (&saved.columns, &saved.regions.as_ref()?.boxes);
        let runs = |at: usize, column: usize| columns[column].sets[boxes[at][column] as usize].holds.as_slice();
        let index = BoxIndex::new(columns.len(), boxes.len(), runs);
        Some(BoxFinder { columns, boxes, index })
    }

    /// The sets of the first box that holds a tuple of codes.
    pub fn holding(&self, codes: &[u32]) -> Option<&'a [u32]> {
        self.index.first(codes).map(|at| self.boxes[at].as_slice())
    }

    /// The sets of the box that is nearest to a tuple of codes: the sum over columns of the way to its values, as a share
    /// of the domain where values have an order, and a whole one where they have none.
    pub fn nearest(&self, codes: &[u32]) -> Option<&'a [u32]> {
        let distance = |sets: &[u32]| -> f64 {
            let columns = self.columns.iter().zip(sets).zip(codes);
            columns.map(|((column, set), code)| way(column, &column.sets[*set as usize].holds, *code)).sum()
        };
        let boxes = self.boxes.iter().map(|sets| (distance(sets), sets));
        boxes.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, sets)| sets.as_slice())
    }
}

/// How far a value is from the values of a set.
fn way(column: &SavedColumn, runs: &[LeafRun], code: u32) -> f64 {
    let apart = |(first, last): &LeafRun| first.saturating_sub(code).max(code.saturating_sub(*last));
    let least = runs.iter().map(apart).min().unwrap_or(u32::MAX);
    match column.kind {
        Kind::Categorical => f64::from(least.min(1)),
        _ => f64::from(least) / (column.leaves.len() as f64 - 1.0).max(1.0),
    }
}
