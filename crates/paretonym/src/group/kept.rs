//! A grouping at a cut-off: what stays and what is suppressed.

use super::{Distribution, FrequencyTable, Grouping, Tuples};
use crate::data::Narrow;

/// Which groups of a grouping are suppressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suppressed {
    /// One flag per group.
    pub groups: Vec<bool>,
    /// Their rows.
    pub rows: u64,
}

impl Suppressed {
    /// None of `groups` groups.
    pub fn none(groups: usize) -> Self {
        Suppressed { groups: vec![false; groups], rows: 0 }
    }

    /// Those that a rule names.
    pub fn by(grouping: &Grouping, gone: impl Fn(usize) -> bool) -> Self {
        let groups: Vec<bool> = (0..grouping.len()).map(gone).collect();
        let rows = groups.iter().zip(grouping.groups.rows.iter()).filter(|(gone, _)| **gone).map(|(_, rows)| rows);
        Suppressed { rows: rows.sum(), groups }
    }
}

/// What a release would hold.
#[derive(Clone, Copy, Debug)]
pub struct Kept<'a> {
    /// The original table.
    pub table: &'a FrequencyTable,
    /// Its groups.
    pub grouping: &'a Grouping,
    /// The groups that are not released.
    pub suppressed: &'a Suppressed,
}

impl<'a> Kept<'a> {
    /// The groups that stay.
    pub fn groups(&self) -> impl Iterator<Item = usize> + 'a {
        let gone = &self.suppressed.groups;
        (0..gone.len()).filter(|group| !gone[*group])
    }

    /// The rows that stay.
    pub fn rows(&self) -> u64 {
        self.table.rows - self.suppressed.rows
    }

    /// The suppressed rows as the one fully generalized group that they are to a property vector.
    pub fn suppressed_group(&self) -> Option<Tuples> {
        if self.suppressed.rows == 0 {
            return None;
        }
        let gone = || (0..self.grouping.len()).filter(|group| self.suppressed.groups[*group]);
        let attributes = self.grouping.groups.attributes.iter().enumerate().map(|(at, distribution)| {
            let mut tally = vec![0u64; self.table.attributes[at].domain.len()];
            for group in gone() {
                distribution.of(group).iter().for_each(|(value, count)| tally[value as usize] += count);
            }
            let mut all = Distribution::empty();
            let held = tally.into_iter().enumerate().filter(|(_, count)| *count > 0);
            held.for_each(|(value, count)| all.push(value as u32, count));
            all.end_group();
            all
        });
        Some(Tuples {
            fused: vec![Narrow::default(); self.grouping.groups.fused.len()],
            rows: std::iter::once(self.suppressed.rows).collect(),
            attributes: attributes.collect(),
            leaf_logs: vec![gone().map(|group| self.grouping.groups.leaf_logs.get(group).unwrap_or(&0.0)).sum()],
        })
    }
}
