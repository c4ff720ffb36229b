//! Which box of a saved local recoding a tuple lies in, or is nearest to.

use std::collections::HashMap;

use super::SavedRecoding;
use super::saved::SavedColumn;
use crate::data::Kind;
use crate::recode::{BoxIndex, LeafRun};

/// Finds the box of a saved recoding that a tuple lies in.
pub struct BoxFinder<'a> {
    columns: &'a [SavedColumn],
    boxes: &'a [Vec<u32>],
    index: BoxIndex,
    exceptions: HashMap<&'a [u32], Option<u32>>,
}

impl<'a> BoxFinder<'a> {
    /// None where the recoding is not local.
    pub fn new(saved: &'a SavedRecoding) -> Option<Self> {
        let regions = saved.regions.as_ref()?;
        let (columns, boxes) = (&saved.columns, &regions.boxes);
        let runs = |at: usize, column: usize| columns[column].sets[boxes[at][column] as usize].holds.as_slice();
        let index = BoxIndex::new(columns.len(), boxes.len(), runs);
        let exceptions = regions.exceptions.iter().map(|(codes, region)| (codes.as_slice(), *region)).collect();
        Some(BoxFinder { columns, boxes, index, exceptions })
    }

    /// The sets of the box that a tuple of codes lies in: the first that holds it, unless it is an exception.
    pub fn holding(&self, codes: &[u32]) -> Option<&'a [u32]> {
        let known = self.exceptions.get(codes).map(|region| region.map(|region| region as usize));
        known.unwrap_or_else(|| self.index.first(codes)).map(|at| self.boxes[at].as_slice())
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
