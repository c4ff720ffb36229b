//! Grouping: from tuples and a recoding to groups. The one place where evaluations spend their time.
//!
//! Each tuple gets a key, the mixed-radix number of its sets; a look-up per fused column and an addition. Where the
//! product of the set counts is small, keys index dense counters; otherwise an open-addressing table. All buffers
//! belong to the [`Workspace`] or to the [`Grouping`] that is filled, and are reused.

use std::sync::Arc;

use super::{Distribution, FrequencyTable, LocalSets, Tuples};
use crate::recode::{ColumnRecoding, ColumnSets, Recoding};

/// Dense counters are used up to this many per input tuple: scanning empty counters costs far less than hashing.
const DENSE_PER_TUPLE: u128 = 16;
/// ...and always up to this many.
const DENSE_ALWAYS: u128 = 4096;

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
    /// The groups. They can be grouped further by any coarser recoding.
    pub groups: Tuples,
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

/// Buffers of one worker.
#[derive(Default)]
pub struct Workspace {
    /// Per fused column: leaf code → part of the key.
    lookups: Vec<Vec<u32>>,
    /// Per fused column: part of the key → one leaf code with that part.
    shown: Vec<Vec<u32>>,
    /// Per fused column: how many parts there are.
    radix: Vec<u32>,
    keys: Vec<u32>,
    wide_keys: Vec<u64>,
    counters: Vec<u32>,
    slots: Vec<u32>,
    first: Vec<u32>,
    group_keys: Vec<u64>,
    starts: Vec<u32>,
    members: Vec<u32>,
    tally: Vec<u32>,
    touched: Vec<u32>,
}

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
        let combinations = self.fill_lookups(table, &out.columns);
        let assign = needs.group_of || needs.attributes || needs.leaf_logs;
        if combinations <= DENSE_ALWAYS.max(DENSE_PER_TUPLE * input.len() as u128) {
            self.group_dense(input, combinations as usize, assign, out);
        } else {
            self.group_hashed(input, out);
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
            out.groups.leaf_logs.resize(out.groups.rows.len(), 0.0);
            for (&group, logs) in out.group_of.iter().zip(&input.leaf_logs) {
                out.groups.leaf_logs[group as usize] += logs;
            }
        }
    }

    /// Prepares the look-ups of all fused columns; returns how many combinations of sets there can be.
    fn fill_lookups(&mut self, table: &FrequencyTable, columns: &[Arc<ColumnSets>]) -> u128 {
        let fused = &table.fusion.members;
        self.lookups.resize_with(fused.len(), Vec::new);
        self.shown.resize_with(fused.len(), Vec::new);
        self.radix.clear();
        let mut combinations = 1u128;
        for (at, members) in fused.iter().enumerate() {
            let (lookup, shown) = (&mut self.lookups[at], &mut self.shown[at]);
            lookup.clear();
            shown.clear();
            let mut radix = 1u32;
            for (depth, &column) in members.iter().enumerate() {
                let sets = &columns[column];
                let (count, leaves) = (sets.len() as u32, sets.set_of.len() as u32);
                radix *= count;
                if depth == 0 {
                    lookup.extend_from_slice(&sets.set_of);
                    shown.extend_from_slice(&sets.first[..count as usize]);
                    continue;
                }
                // Grow in place from the back: entry i becomes the block [i * leaves, (i + 1) * leaves).
                let before = lookup.len();
                lookup.resize(before * leaves as usize, 0);
                for i in (0..before).rev() {
                    let base = lookup[i] * count;
                    let block = &mut lookup[i * leaves as usize..(i + 1) * leaves as usize];
                    block.iter_mut().zip(&sets.set_of).for_each(|(cell, set)| *cell = base + set);
                }
                let before = shown.len();
                shown.resize(before * count as usize, 0);
                for i in (0..before).rev() {
                    let base = shown[i] * leaves;
                    let block = &mut shown[i * count as usize..(i + 1) * count as usize];
                    block.iter_mut().zip(&sets.first).for_each(|(cell, first)| *cell = base + first);
                }
            }
            self.radix.push(radix);
            combinations = combinations.saturating_mul(u128::from(radix));
        }
        combinations
    }

    /// Keys small enough to index counters.
    fn group_dense(&mut self, input: &Tuples, combinations: usize, assign: bool, out: &mut Grouping) {
        let mut weight = 1u32;
        for (lookup, radix) in self.lookups.iter_mut().zip(&self.radix).rev() {
            if weight > 1 {
                lookup.iter_mut().for_each(|part| *part *= weight);
            }
            weight *= radix;
        }
        if self.counters.len() < combinations {
            self.counters.resize(combinations, 0);
        }
        let counters = &mut self.counters[..combinations];
        if assign {
            dense_keys(&self.lookups, &input.fused, &mut self.keys);
            for (&key, rows) in self.keys.iter().zip(&input.rows) {
                counters[key as usize] += rows;
            }
        } else {
            count_dense(&self.lookups, &input.fused, &input.rows, counters);
        }
        out.groups.rows.clear();
        self.group_keys.clear();
        for (key, counter) in counters.iter_mut().enumerate() {
            if *counter > 0 {
                out.groups.rows.push(*counter);
                self.group_keys.push(key as u64);
                // From here on the counter holds the group, for the tuples to look it up.
                *counter = out.groups.rows.len() as u32 - 1;
            }
        }
        out.group_of.clear();
        if assign {
            out.group_of.extend(self.keys.iter().map(|key| counters[*key as usize]));
        }
        self.group_keys.iter().for_each(|key| counters[*key as usize] = 0);
        self.decode_keys(&mut out.groups.fused);
    }

    /// One leaf code per group and fused column, from the digits of the group's key.
    fn decode_keys(&mut self, fused: &mut Vec<Vec<u32>>) {
        fused.resize_with(self.radix.len(), Vec::new);
        for (at, codes) in fused.iter_mut().enumerate().rev() {
            let (shown, radix) = (&self.shown[at], self.radix[at]);
            codes.clear();
            codes.extend(self.group_keys.iter_mut().map(|key| {
                let (rest, part) = (*key as u32 / radix, *key as u32 % radix);
                *key = u64::from(rest);
                shown[part as usize]
            }));
        }
    }

    /// Too many combinations for counters: an open-addressing table from key to group.
    fn group_hashed(&mut self, input: &Tuples, out: &mut Grouping) {
        self.wide_keys.clear();
        self.wide_keys.resize(input.len(), 0);
        let mut bound = 1u64;
        for (at, codes) in input.fused.iter().enumerate() {
            let radix = u64::from(self.radix[at]);
            bound = match bound.checked_mul(radix) {
                Some(bound) => bound,
                None => {
                    // The digits so far fill a word: number the distinct prefixes and go on with those numbers.
                    let prefixes = self.intern(&mut out.group_of);
                    self.wide_keys.iter_mut().zip(&out.group_of).for_each(|(key, id)| *key = u64::from(*id));
                    u64::from(prefixes) * radix
                }
            };
            let lookup = &self.lookups[at];
            for (key, code) in self.wide_keys.iter_mut().zip(codes) {
                *key = *key * radix + u64::from(lookup[*code as usize]);
            }
        }
        let groups = self.intern(&mut out.group_of) as usize;
        out.groups.rows.clear();
        out.groups.rows.resize(groups, 0);
        for (&group, rows) in out.group_of.iter().zip(&input.rows) {
            out.groups.rows[group as usize] += rows;
        }
        out.groups.fused.resize_with(input.fused.len(), Vec::new);
        for (codes, from) in out.groups.fused.iter_mut().zip(&input.fused) {
            codes.clear();
            codes.extend(self.first.iter().map(|tuple| from[*tuple as usize]));
        }
    }

    /// Numbers the distinct wide keys in order of appearance; remembers the first tuple of each.
    fn intern(&mut self, ids: &mut Vec<u32>) -> u32 {
        let capacity = (2 * self.wide_keys.len()).next_power_of_two().max(16);
        self.slots.clear();
        self.slots.resize(capacity, 0);
        self.group_keys.clear();
        self.first.clear();
        ids.clear();
        let (mask, shift) = (capacity - 1, 64 - capacity.trailing_zeros());
        for (tuple, &key) in self.wide_keys.iter().enumerate() {
            let mut slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize;
            let id = loop {
                let found = self.slots[slot];
                if found == 0 {
                    self.group_keys.push(key);
                    self.first.push(tuple as u32);
                    self.slots[slot] = self.group_keys.len() as u32;
                    break self.slots[slot] - 1;
                }
                if self.group_keys[found as usize - 1] == key {
                    break found - 1;
                }
                slot = (slot + 1) & mask;
            };
            ids.push(id);
        }
        self.group_keys.len() as u32
    }

    /// Lists the tuples of each group one after the other.
    fn sort_members(&mut self, groups: usize, group_of: &[u32]) {
        self.starts.clear();
        self.starts.resize(groups + 1, 0);
        group_of.iter().for_each(|group| self.starts[*group as usize + 1] += 1);
        for group in 0..groups {
            self.starts[group + 1] += self.starts[group];
        }
        self.members.clear();
        self.members.resize(group_of.len(), 0);
        for (tuple, &group) in group_of.iter().enumerate() {
            let place = &mut self.starts[group as usize];
            self.members[*place as usize] = tuple as u32;
            *place += 1;
        }
        // Every start has moved to the next group's; move them back.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    /// Adds up the value counts of the tuples of each group.
    fn merge(&mut self, from: &Distribution, to: &mut Distribution) {
        to.clear();
        to.offsets.push(0);
        let largest = from.values.iter().max().map_or(0, |value| *value as usize + 1);
        if self.tally.len() < largest {
            self.tally.resize(largest, 0);
        }
        for group in self.starts.windows(2) {
            for &tuple in &self.members[group[0] as usize..group[1] as usize] {
                let (values, counts) = from.of(tuple as usize);
                for (&value, &count) in values.iter().zip(counts) {
                    let tally = &mut self.tally[value as usize];
                    if *tally == 0 {
                        self.touched.push(value);
                    }
                    *tally += count;
                }
            }
            self.touched.sort_unstable();
            for value in self.touched.drain(..) {
                to.values.push(value);
                to.counts.push(std::mem::take(&mut self.tally[value as usize]));
            }
            to.offsets.push(to.values.len() as u32);
        }
    }
}

/// The key of each tuple: the sum of its parts.
fn dense_keys(lookups: &[Vec<u32>], fused: &[Vec<u32>], keys: &mut Vec<u32>) {
    keys.clear();
    keys.extend(fused[0].iter().map(|code| lookups[0][*code as usize]));
    for (lookup, codes) in lookups.iter().zip(fused).skip(1) {
        keys.iter_mut().zip(codes).for_each(|(key, code)| *key += lookup[*code as usize]);
    }
}

/// Adds the rows of each tuple to the counter of its key, without writing the keys down.
fn count_dense(lookups: &[Vec<u32>], fused: &[Vec<u32>], rows: &[u32], counters: &mut [u32]) {
    match (lookups, fused) {
        ([a], [fa]) => {
            for (&x, rows) in fa.iter().zip(rows) {
                counters[a[x as usize] as usize] += rows;
            }
        }
        ([a, b], [fa, fb]) => {
            for ((&x, &y), rows) in fa.iter().zip(fb).zip(rows) {
                counters[(a[x as usize] + b[y as usize]) as usize] += rows;
            }
        }
        ([a, b, c], [fa, fb, fc]) => {
            for (((&x, &y), &z), rows) in fa.iter().zip(fb).zip(fc).zip(rows) {
                counters[(a[x as usize] + b[y as usize] + c[z as usize]) as usize] += rows;
            }
        }
        _ => {
            for (tuple, rows) in rows.iter().enumerate() {
                let parts = lookups.iter().zip(fused).map(|(lookup, codes)| lookup[codes[tuple] as usize]);
                counters[parts.sum::<u32>() as usize] += rows;
            }
        }
    }
}
