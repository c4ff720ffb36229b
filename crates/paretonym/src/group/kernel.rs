//! Grouping: from tuples and a recoding to groups. The one place where evaluations spend their time.
//!
//! Each tuple gets a key, the mixed-radix number of its sets; a look-up per fused column and an addition. Where the
//! product of the set counts is small, keys index dense counters (`dense.rs`); otherwise an open-addressing table
//! (`hashed.rs`). All buffers belong to the [`Workspace`] or to the [`Grouping`] that is filled, and are reused.

use std::sync::Arc;

use super::{FrequencyTable, Grouping, Needs, Tuples};
use crate::data::Narrow;
use crate::recode::{ColumnSets, Recoding};

/// Dense counters are used up to this many per input tuple: scanning empty counters costs far less than hashing.
pub(crate) const DENSE_PER_TUPLE: u128 = 16;
/// ...but not past so many, or the number of tuples where that is more: counters take memory, too.
const DENSE_AT_MOST: u128 = 1 << 20;
/// ...and always up to this many.
const DENSE_ALWAYS: u128 = 4096;

/// Entries of a look-up: any code of two bytes has one, so that none needs to be checked.
pub(super) const CODES: usize = 1 << 16;

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
    /// A tuple of each of these groups.
    pub(super) firsts: Vec<u32>,
    pub(super) starts: Vec<u32>,
    pub(super) members: Vec<u32>,
    pub(super) tally: Vec<u64>,
    pub(super) touched: Vec<u32>,
}

/// The rows of a tuple or group: four bytes, or eight where a table has more rows than fit.
pub(super) trait RowCount: Copy + Default + PartialEq + std::ops::AddAssign {
    /// The counts of some tuples.
    fn list(rows: &Narrow) -> &[Self];
    /// An empty list of counts to be filled.
    fn emptied(rows: &mut Narrow) -> &mut Vec<Self>;
    /// The counters of a worker.
    fn counters(workspace: &mut Workspace) -> &mut Vec<Self>;
    /// Whether none of some counters counts anything.
    fn all_zero(counters: &[Self]) -> bool;
    /// A counter may hold the number of a group.
    fn of_group(group: u32) -> Self;
    /// The number of the group that a counter holds.
    fn group(self) -> u32;
}

macro_rules! row_count {
    ($number:ty, $width:ident, $counters:ident) => {
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
                match rows {
                    Narrow::$width(list) => {
                        list.clear();
                        list
                    }
                    _ => unreachable!("it was just made so"),
                }
            }

            fn counters(workspace: &mut Workspace) -> &mut Vec<Self> {
                &mut workspace.$counters
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
row_count!(u32, Four, counters);
row_count!(u64, Eight, wide_counters);

impl Workspace {
    /// Groups the tuples of `input` (the table's own, or the groups of a finer recoding) by a recoding.
    pub fn group(
        &mut self,
        table: &FrequencyTable,
        input: &Tuples,
        recoding: &Recoding,
        needs: Needs,
        out: &mut Grouping,
    ) {
        out.set_columns(table, recoding);
        if out.columns.iter().all(|sets| sets.len() == sets.set_of.len()) {
            return copy(table, input, needs, out);
        }
        let combinations = self.fill_lookups(table, &out.columns);
        match &input.rows {
            Narrow::Eight(_) => self.count_groups::<u64>(input, combinations, needs, out),
            _ => self.count_groups::<u32>(input, combinations, needs, out),
        }
        out.groups.attributes.resize_with(if needs.attributes { input.attributes.len() } else { 0 }, Default::default);
        out.groups.leaf_logs.clear();
        if needs.attributes {
            self.sort_members(out.len(), &out.group_of);
            for (from, to) in input.attributes.iter().zip(&mut out.groups.attributes) {
                self.merge(from, to);
            }
        }
        if needs.leaf_logs {
            let logs = table.logs_of(input);
            out.groups.leaf_logs.resize(out.groups.len(), 0.0);
            for (&group, logs) in out.group_of.iter().zip(logs) {
                out.groups.leaf_logs[group as usize] += logs;
            }
        }
    }

    /// Fills in rows and codes of the groups, and the group of each tuple where anything needs it.
    fn count_groups<R: RowCount>(&mut self, input: &Tuples, combinations: u128, needs: Needs, out: &mut Grouping) {
        let assign = needs.group_of || needs.attributes || needs.leaf_logs;
        let tuples = input.len() as u128;
        let most = DENSE_ALWAYS.max((DENSE_PER_TUPLE * tuples).min(DENSE_AT_MOST.max(tuples)));
        out.groups.fused.resize_with(input.fused.len(), Narrow::default);
        out.groups.fused.iter_mut().zip(&input.fused).for_each(|(codes, from)| codes.become_like(from));
        if combinations <= most {
            self.group_dense::<R>(input, combinations as usize, assign, out);
        } else {
            self.group_hashed::<R>(input, assign, out);
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

/// Groups of a recoding that joins nothing: what is different stays so.
fn copy(table: &FrequencyTable, input: &Tuples, needs: Needs, out: &mut Grouping) {
    let Grouping { groups, group_of, .. } = out;
    groups.fused.clone_from(&input.fused);
    groups.rows.clone_from(&input.rows);
    groups.attributes.clear();
    groups.leaf_logs.clear();
    if needs.attributes {
        groups.attributes.clone_from(&input.attributes);
    }
    if needs.leaf_logs {
        groups.leaf_logs.extend_from_slice(table.logs_of(input));
    }
    group_of.clear();
    if needs.group_of || needs.attributes || needs.leaf_logs {
        group_of.extend(0..input.len() as u32);
    }
}
