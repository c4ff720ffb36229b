//! Grouping: from tuples and a recoding to groups. The one place where evaluations spend their time.
//!
//! Each tuple gets a key, the mixed-radix number of its sets; a look-up per fused column and an addition. Where the
//! product of the set counts is small, keys index dense counters (`dense.rs`); otherwise an open-addressing table
//! (`hashed.rs`). All buffers belong to the [`Workspace`] or to the [`Grouping`] that is filled, and are reused. What tuples
//! hold beside their rows is added up some tuples at a time (`merging.rs`): lists as long as the input would take as much
//! memory as the table.

use std::sync::Arc;

use super::{FrequencyTable, Grouping, Needs, Tuples};
use crate::data::Narrow;
use crate::recode::{ColumnSets, Recoding};

/// Dense counters are used up to this many per input tuple: scanning empty counters costs far less than hashing.
pub(crate) const DENSE_PER_TUPLE: u128 = 16;
/// ...but not past so many, or half the number of tuples where that is more: counters take memory, too.
const DENSE_AT_MOST: u128 = 1 << 20;
/// ...and always up to this many.
const DENSE_ALWAYS: u128 = 4096;

/// Entries of a look-up: any code of two bytes has one, so that none needs to be checked.
pub(super) const CODES: usize = 1 << 16;

/// Tuples whose keys are worked out at once, where they are written down at all.
pub(super) const CHUNK: usize = 1 << 15;

/// Buffers of one worker.
#[derive(Default)]
pub struct Workspace {
    /// Per fused column: leaf code → part of the key. At least [`CODES`] entries, those past the codes of no meaning.
    pub(super) lookups: Vec<Vec<u32>>,
    /// Per fused column: part of the key → one leaf code with that part.
    pub(super) shown: Vec<Vec<u32>>,
    /// Per fused column: how many parts there are.
    pub(super) radix: Vec<u32>,
    /// Look-up and shown codes of the columns behind one.
    behind: Vec<u32>,
    parts: Vec<u32>,
    /// Per fused column: how many codes there are.
    pub(super) filled: Vec<usize>,
    pub(super) keys: Vec<u32>,
    pub(super) counters: Vec<u32>,
    /// Counters of tables of 2^32 rows and more.
    pub(super) wide_counters: Vec<u64>,
    /// Keys too large for counters.
    pub(super) wide_keys: Vec<u64>,
    pub(super) slots: Vec<u32>,
    pub(super) group_keys: Vec<u64>,
    /// Keys of groups that have counters.
    pub(super) counted_keys: Vec<u32>,
    /// A tuple of each of these groups.
    pub(super) firsts: Vec<u32>,
    /// Where the tuples of each part of an input start, and the tuples of some parts, part by part.
    pub(super) part_starts: Vec<u32>,
    pub(super) parted: Vec<u32>,
    /// Where the next tuple of each of these parts goes.
    pub(super) part_places: Vec<u32>,
    /// The group of each tuple of a part, counted from the first of the part.
    pub(super) part_groups: Vec<u32>,
    /// Where the tuples of each group start, and the tuples, group by group.
    pub(super) starts: Vec<u32>,
    pub(super) members: Vec<u32>,
    /// Rows by group and value.
    pub(super) value_counters: Vec<u32>,
    pub(super) wide_value_counters: Vec<u64>,
    pub(super) tally: Vec<u64>,
    pub(super) touched: Vec<u32>,
}

/// What is grouped, and the groups.
pub(super) struct Making<'a> {
    pub table: &'a FrequencyTable,
    pub input: &'a Tuples,
    pub needs: Needs,
    /// No more groups than this are of use.
    pub most: usize,
    /// The logarithms of the tuples, where they are needed.
    pub logs: &'a [f64],
    pub groups: &'a mut Tuples,
    /// The group of each tuple, where it is needed.
    pub group_of: &'a mut Vec<u32>,
}

/// The rows of a tuple or group: four bytes, or eight where a table has more rows than fit.
pub(super) trait RowCount: Copy + Default + PartialEq + std::ops::AddAssign {
    /// The counts of some tuples.
    fn list(rows: &Narrow) -> &[Self];
    /// An empty list of counts to be filled.
    fn emptied(rows: &mut Narrow) -> &mut Vec<Self>;
    /// The list of counts as it is.
    fn list_mut(rows: &mut Narrow) -> &mut Vec<Self>;
    /// The counters of a worker.
    fn counters(workspace: &mut Workspace) -> &mut Vec<Self>;
    /// Its counters of rows by group and value.
    fn value_counters(workspace: &mut Workspace) -> &mut Vec<Self>;
    /// So many rows.
    fn of_rows(rows: u64) -> Self;
    /// The rows counted.
    fn rows(self) -> u64;
    /// Whether none of some counters counts anything.
    fn all_zero(counters: &[Self]) -> bool;
    /// A counter may hold the number of a group.
    fn of_group(group: u32) -> Self;
    /// The number of the group that a counter holds.
    fn group(self) -> u32;
}

macro_rules! row_count {
    ($number:ty, $width:ident, $counters:ident, $value_counters:ident) => {
        impl RowCount for $number {
            fn list(rows: &Narrow) -> &[Self] {
                match rows {
                    Narrow::$width(list) => list,
                    _ => unreachable!("tuples of a table and its groups count rows in the same width"),
                }
            }

            fn emptied(rows: &mut Narrow) -> &mut Vec<Self> {
                if !matches!(rows, Narrow::$width(_)) {
                    *rows = Narrow::$width(Vec::new());
                }
                rows.clear();
                Self::list_mut(rows)
            }

            fn list_mut(rows: &mut Narrow) -> &mut Vec<Self> {
                match rows {
                    Narrow::$width(list) => list,
                    _ => unreachable!("tuples of a table and its groups count rows in the same width"),
                }
            }

            fn counters(workspace: &mut Workspace) -> &mut Vec<Self> {
                &mut workspace.$counters
            }

            fn value_counters(workspace: &mut Workspace) -> &mut Vec<Self> {
                &mut workspace.$value_counters
            }

            #[inline]
            fn of_rows(rows: u64) -> Self {
                rows as $number
            }

            #[inline]
            fn rows(self) -> u64 {
                self.into()
            }

            #[inline]
            fn all_zero(counters: &[Self]) -> bool {
                counters.iter().fold(0, |all, own| all | own) == 0
            }

            fn of_group(group: u32) -> Self {
                group.into()
            }

            fn group(self) -> u32 {
                self as u32
            }
        }
    };
}
row_count!(u32, Four, counters, value_counters);
row_count!(u64, Eight, wide_counters, wide_value_counters);

impl Workspace {
    /// Groups the tuples of `input` (the table's own, or the groups of a finer recoding) by a recoding.
    pub fn group(
        &mut self,
        table: &FrequencyTable,
        input: &Arc<Tuples>,
        recoding: &Recoding,
        needs: Needs,
        out: &mut Grouping,
    ) {
        self.group_at_most(usize::MAX, table, input, recoding, needs, out);
    }

    /// The same, given up as soon as there turn out to be more groups than are of use; whether there are no more. Where it
    /// is given up, what was filled is of no meaning.
    pub(crate) fn group_at_most(
        &mut self,
        most: usize,
        table: &FrequencyTable,
        input: &Arc<Tuples>,
        recoding: &Recoding,
        needs: Needs,
        out: &mut Grouping,
    ) -> bool {
        out.set_columns(table, recoding);
        out.group_of.clear();
        if out.columns.iter().all(|sets| sets.len() == sets.set_of.len()) {
            share(table, input, needs, out);
            return input.len() <= most;
        }
        let combinations = self.fill_lookups(table, &out.columns);
        let groups = Tuples::afresh(&mut out.groups);
        groups.fused.resize_with(input.fused.len(), Narrow::default);
        groups.fused.iter_mut().zip(&input.fused).for_each(|(codes, from)| codes.become_like(from));
        groups.attributes.resize_with(if needs.attributes { input.attributes.len() } else { 0 }, Default::default);
        groups.attributes.iter_mut().for_each(|held| {
            held.clear();
            held.offsets.push(0);
        });
        groups.leaf_logs.clear();
        let logs = if needs.leaf_logs { table.logs_of(input) } else { &[] };
        let making = Making { table, input, needs, most, logs, groups, group_of: &mut out.group_of };
        match &input.rows {
            Narrow::Eight(_) => self.count_groups::<u64>(combinations, making),
            _ => self.count_groups::<u32>(combinations, making),
        }
    }

    /// Fills in the groups; whether there are few enough.
    fn count_groups<R: RowCount>(&mut self, combinations: u128, making: Making) -> bool {
        let tuples = making.input.len() as u128;
        let most = DENSE_ALWAYS.max((DENSE_PER_TUPLE * tuples).min(DENSE_AT_MOST.max(tuples / 2)));
        if combinations <= most {
            self.group_dense::<R>(combinations as usize, making)
        } else {
            self.group_hashed::<R>(making)
        }
    }

    /// Gives back lists of more bytes than this that can be as long as the input. The counters stay: filling them with zeros
    /// takes longer.
    pub(crate) fn release_large(&mut self, bytes: usize) {
        let lists = [&mut self.members, &mut self.starts, &mut self.counted_keys];
        for list in lists.into_iter().filter(|list| list.capacity() * size_of::<u32>() > bytes) {
            *list = Vec::new();
        }
    }

    /// Prepares the look-ups of all fused columns; returns how many combinations of sets there can be.
    fn fill_lookups(&mut self, table: &FrequencyTable, columns: &[Arc<ColumnSets>]) -> u128 {
        let fused = &table.fusion.members;
        self.lookups.resize_with(fused.len(), || vec![0; CODES]);
        self.shown.resize_with(fused.len(), Vec::new);
        self.radix.clear();
        self.filled.clear();
        let mut combinations = 1u128;
        for (at, members) in fused.iter().enumerate() {
            let (lookup, shown) = (&mut self.lookups[at], &mut self.shown[at]);
            // From the last column, which varies fastest, to the first: what is known of those behind is repeated for each
            // leaf, and for each set.
            let (mut radix, mut filled) = (1u32, 1);
            self.behind.clear();
            self.behind.push(0);
            shown.clear();
            shown.push(0);
            for (depth, &column) in members.iter().enumerate().rev() {
                let sets = &columns[column];
                let leaves = sets.set_of.len();
                if lookup.len() < filled * leaves {
                    lookup.resize(filled * leaves, 0);
                }
                for (block, set) in lookup.chunks_exact_mut(filled).zip(&sets.set_of) {
                    let base = set * radix;
                    block.iter_mut().zip(&self.behind).for_each(|(part, behind)| *part = base + behind);
                }
                self.parts.clear();
                for first in &sets.first[..sets.len()] {
                    let base = first * filled as u32;
                    self.parts.extend(shown.iter().map(|code| base + code));
                }
                std::mem::swap(shown, &mut self.parts);
                radix *= sets.len() as u32;
                filled *= leaves;
                if depth > 0 {
                    self.behind.clear();
                    self.behind.extend_from_slice(&lookup[..filled]);
                }
            }
            self.radix.push(radix);
            self.filled.push(filled);
            combinations = combinations.saturating_mul(u128::from(radix));
        }
        combinations
    }
}

/// Groups of a recoding that joins nothing: what was grouped, as it is.
fn share(table: &FrequencyTable, input: &Arc<Tuples>, needs: Needs, out: &mut Grouping) {
    if needs.group_of {
        out.group_of.extend(0..input.len() as u32);
    }
    if !needs.leaf_logs || !input.leaf_logs.is_empty() {
        out.groups = Arc::clone(input);
        return;
    }
    // A table keeps its logarithms elsewhere.
    let groups = Tuples::afresh(&mut out.groups);
    groups.fused.clone_from(&input.fused);
    groups.rows.clone_from(&input.rows);
    groups.attributes.clear();
    if needs.attributes {
        groups.attributes.clone_from(&input.attributes);
    }
    groups.leaf_logs.clear();
    groups.leaf_logs.extend_from_slice(table.logs_of(input));
}
