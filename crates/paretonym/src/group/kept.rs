//! A grouping at a cut-off: what stays and what is suppressed.

use super::{Distribution, FrequencyTable, Grouping, Tuples};

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
        let rows = groups.iter().zip(&grouping.groups.rows).filter(|(gone, _)| **gone).map(|(_, r)| u64::from(*r));
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
            let mut tally = vec![0u32; self.table.attributes[at].domain.len()];
            for group in gone() {
                let (values, counts) = distribution.of(group);
                values.iter().zip(counts).for_each(|(value, count)| tally[*value as usize] += count);
            }
            let values: Vec<u32> = (0..tally.len() as u32).filter(|value| tally[*value as usize] > 0).collect();
            let counts: Vec<u32> = values.iter().map(|value| tally[*value as usize]).collect();
            Distribution { offsets: vec![0, values.len() as u32], values, counts }
        });
        Some(Tuples {
            fused: vec![Vec::new(); self.grouping.groups.fused.len()],
            rows: vec![self.suppressed.rows as u32],
            attributes: attributes.collect(),
            leaf_logs: vec![gone().map(|group| self.grouping.groups.leaf_logs.get(group).unwrap_or(&0.0)).sum()],
        })
    }
}
