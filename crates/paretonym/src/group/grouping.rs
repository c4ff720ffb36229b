//! What a recoding makes of a table.

use std::sync::Arc;

use super::{FrequencyTable, LocalSets, Tuples};
use crate::recode::{ColumnRecoding, ColumnSets, Recoding};

/// What a grouping must know beside the number of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Value counts of the attributes.
    pub attributes: bool,
    /// Sums of the logarithms of leaf counts.
    pub leaf_logs: bool,
    /// The group of each input tuple.
    pub group_of: bool,
}

impl Needs {
    /// Everything.
    pub const ALL: Needs = Needs { attributes: true, leaf_logs: true, group_of: true };

    /// Whether every tuple must be looked at again once the groups are known.
    pub(super) fn each_tuple(self) -> bool {
        self.attributes || self.leaf_logs || self.group_of
    }

    /// What either needs.
    pub fn or(self, other: Needs) -> Needs {
        Needs {
            attributes: self.attributes || other.attributes,
            leaf_logs: self.leaf_logs || other.leaf_logs,
            group_of: self.group_of || other.group_of,
        }
    }
}

/// What a recoding makes of a table.
#[derive(Clone, Debug, Default)]
pub struct Grouping {
    /// The sets of each column.
    pub columns: Vec<Arc<ColumnSets>>,
    /// The level of each column; `None` where it is not recoded by levels.
    pub levels: Vec<Option<u32>>,
    /// The groups. They can be grouped further by any coarser recoding. Those of a recoding that joins nothing are what was
    /// grouped: there is no second copy, and they may know more than was asked for.
    pub groups: Arc<Tuples>,
    /// The group of each input tuple, where asked for.
    pub group_of: Vec<u32>,
    /// What each group shows, where the recoding is local; `columns` is empty then.
    pub local: Option<LocalSets>,
}

impl Grouping {
    /// The number of groups.
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether there is no group.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The set that a group shows in a column.
    #[inline]
    pub fn set(&self, table: &FrequencyTable, group: usize, column: usize) -> usize {
        self.columns[column].set_of[table.leaf(&self.groups, group, column) as usize] as usize
    }

    /// Takes over the sets of a recoding: shared for levels, filled in place for cuts and breaks. The groups stay as
    /// they are, so that this alone serves measures that need the sets only.
    pub fn set_columns(&mut self, table: &FrequencyTable, recoding: &Recoding) {
        self.local = None;
        self.columns.resize_with(recoding.columns.len(), Default::default);
        self.levels.clear();
        for (column, recoded) in recoding.columns.iter().enumerate() {
            let slot = &mut self.columns[column];
            if let ColumnRecoding::Level(level) = recoded {
                let cached = &table.levels[column][*level as usize];
                if !Arc::ptr_eq(slot, cached) {
                    *slot = Arc::clone(cached);
                }
                self.levels.push(Some(*level));
                continue;
            }
            if Arc::get_mut(slot).is_none() {
                *slot = Arc::default();
            }
            let sets = Arc::get_mut(slot).expect("it is ours alone");
            recoded.fill(&table.columns[column], &table.leaf_rows[column], sets);
            self.levels.push(None);
        }
    }
}
