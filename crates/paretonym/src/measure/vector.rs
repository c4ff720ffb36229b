//! One value per row of the original table, stored once per distinct kind of row.

use crate::group::{FrequencyTable, Kept};

use super::Privacy;

/// The finest thing in which two rows can differ for a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grain {
    /// Rows of one tuple share a value.
    Tuple,
    /// Rows of one tuple with one value of this attribute share a value.
    Attribute(usize),
}

/// A value per row, rows that share it stored together in the order of the table's tuples.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyVector {
    /// What shares a value.
    pub grain: Grain,
    /// The values.
    pub values: Vec<f64>,
}

impl PropertyVector {
    /// One value per tuple, from its group; `None` for suppressed tuples.
    pub fn of_groups(kept: &Kept, value: impl Fn(Option<usize>) -> f64) -> Self {
        let groups = kept.grouping.group_of.iter().map(|group| *group as usize);
        let values = groups.map(|group| value((!kept.suppressed.groups[group]).then_some(group))).collect();
        PropertyVector { grain: Grain::Tuple, values }
    }

    /// One value per tuple and attribute value, from the group and the value.
    pub fn of_values(kept: &Kept, attribute: usize, value: impl Fn(Option<usize>, u32) -> f64) -> Self {
        let distribution = &kept.table.tuples.attributes[attribute];
        let mut values = Vec::with_capacity(distribution.values.len());
        for (tuple, &group) in kept.grouping.group_of.iter().enumerate() {
            let group = (!kept.suppressed.groups[group as usize]).then_some(group as usize);
            values.extend(distribution.of(tuple).iter().map(|(code, _)| value(group, code)));
        }
        PropertyVector { grain: Grain::Attribute(attribute), values }
    }

    /// The level of each row's group; suppressed rows have that of the one group they form.
    pub fn of_levels(privacy: &(impl Privacy + ?Sized), kept: &Kept) -> Self {
        let gone = kept.suppressed_group().map(|group| privacy.level(group.view(0)));
        let levels: Vec<f64> =
            (0..kept.grouping.len()).map(|group| privacy.level(kept.grouping.groups.view(group))).collect();
        PropertyVector::of_groups(kept, |group| group.map_or(gone.unwrap_or(f64::NAN), |group| levels[group]))
    }

    /// Calls `each(tuple, rows, value)` for every stored value.
    pub fn for_each(&self, table: &FrequencyTable, mut each: impl FnMut(usize, u64, f64)) {
        match self.grain {
            Grain::Tuple => {
                let rows = table.tuples.rows.iter();
                rows.zip(&self.values).enumerate().for_each(|(tuple, (rows, value))| each(tuple, rows, *value));
            }
            Grain::Attribute(attribute) => {
                let distribution = &table.tuples.attributes[attribute];
                for tuple in 0..table.tuples.len() {
                    let range = distribution.offsets.get(tuple)..distribution.offsets.get(tuple + 1);
                    range.for_each(|at| each(tuple, distribution.counts.get(at), self.values[at]));
                }
            }
        }
    }
}
