//! Too many combinations for counters: an open-addressing table from key to group.
//!
//! A large input is first parted by the sets of one column, so that each table is small enough for the caches and none is
//! as large as the input.

use super::kernel::RowCount;
use super::{Grouping, Tuples, Workspace};
use crate::data::Narrow;

/// Inputs of fewer tuples are not parted.
const PARTED_FROM: usize = 1 << 16;

impl Workspace {
    /// Groups by a table of keys. Groups are numbered in the order in which their first tuples are met.
    pub(super) fn group_hashed<R: RowCount>(&mut self, input: &Tuples, assign: bool, out: &mut Grouping) {
        let mut groups = Groups {
            sums: R::emptied(&mut out.groups.rows),
            fused: &mut out.groups.fused,
            group_of: &mut out.group_of,
        };
        groups.group_of.clear();
        if assign {
            groups.group_of.resize(input.len(), 0);
        }
        let widest = (0..self.radix.len()).max_by_key(|at| (self.radix[*at], std::cmp::Reverse(*at)));
        match widest.filter(|_| input.len() >= PARTED_FROM) {
            None => self.group_some(input, None, &mut groups),
            Some(column) => {
                self.part(&input.fused[column], column);
                let (starts, members) = (std::mem::take(&mut self.starts), std::mem::take(&mut self.members));
                for part in starts.windows(2) {
                    self.group_some(input, Some(&members[part[0] as usize..part[1] as usize]), &mut groups);
                }
                (self.starts, self.members) = (starts, members);
            }
        }
    }

    /// Lists the tuples by the parts of one column's codes.
    fn part(&mut self, codes: &Narrow, column: usize) {
        let lookup = &self.lookups[column];
        let part = |tuple: usize| lookup[codes.get(tuple) as usize] as usize;
        self.starts.clear();
        self.starts.resize(self.radix[column] as usize + 1, 0);
        (0..codes.len()).for_each(|tuple| self.starts[part(tuple) + 1] += 1);
        for at in 1..self.starts.len() {
            self.starts[at] += self.starts[at - 1];
        }
        self.members.clear();
        self.members.resize(codes.len(), 0);
        for tuple in 0..codes.len() {
            let place = &mut self.starts[part(tuple)];
            self.members[*place as usize] = tuple as u32;
            *place += 1;
        }
        // Every start has moved to the next part's; move them back.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    /// Groups all tuples, or some that look like none of the others.
    fn group_some<R: RowCount>(&mut self, input: &Tuples, some: Option<&[u32]>, groups: &mut Groups<R>) {
        let exact = self.fill_wide_keys(input, some);
        let rows = R::list(&input.rows);
        let capacity = (2 * self.wide_keys.len()).next_power_of_two().max(16);
        self.slots.clear();
        self.slots.resize(capacity, 0);
        self.group_keys.clear();
        self.firsts.clear();
        let (mask, shift) = (capacity - 1, 64 - capacity.trailing_zeros());
        let before = groups.sums.len();
        for (at, &key) in self.wide_keys.iter().enumerate() {
            let tuple = some.map_or(at, |some| some[at] as usize);
            let mut slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize;
            let group = loop {
                let found = self.slots[slot] as usize;
                if found == 0 {
                    self.group_keys.push(key);
                    self.firsts.push(tuple as u32);
                    self.slots[slot] = self.group_keys.len() as u32;
                    groups.sums.push(R::default());
                    break self.group_keys.len() - 1;
                }
                let same = || exact || self.look_alike(input, tuple, self.firsts[found - 1] as usize);
                if self.group_keys[found - 1] == key && same() {
                    break found - 1;
                }
                slot = (slot + 1) & mask;
            };
            groups.sums[before + group] += rows[tuple];
            if !groups.group_of.is_empty() {
                groups.group_of[tuple] = (before + group) as u32;
            }
        }
        for (codes, from) in groups.fused.iter_mut().zip(&input.fused) {
            match (codes, from) {
                (Narrow::Two(codes), Narrow::Two(from)) => {
                    codes.extend(self.firsts.iter().map(|tuple| from[*tuple as usize]));
                }
                (codes, from) => self.firsts.iter().for_each(|tuple| codes.push(from.get(*tuple as usize))),
            }
        }
    }

    /// The mixed-radix numbers of the sets of some tuples, or what is left of them in a word; whether they are whole. Where
    /// they are not, equal keys may stand for different sets.
    fn fill_wide_keys(&mut self, input: &Tuples, some: Option<&[u32]>) -> bool {
        let keys = &mut self.wide_keys;
        keys.clear();
        keys.resize(some.map_or(input.len(), <[u32]>::len), 0);
        let mut exact = Some(1u64);
        for ((codes, lookup), &radix) in input.fused.iter().zip(&self.lookups).zip(&self.radix) {
            let radix = u64::from(radix);
            exact = exact.and_then(|all| all.checked_mul(radix));
            let add = |key: &mut u64, part: u32| *key = key.wrapping_mul(radix).wrapping_add(u64::from(part));
            match (codes, some) {
                (Narrow::Two(codes), None) => {
                    keys.iter_mut().zip(codes).for_each(|(key, code)| add(key, lookup[*code as usize]));
                }
                (Narrow::Two(codes), Some(some)) => {
                    let codes = some.iter().map(|tuple| codes[*tuple as usize]);
                    keys.iter_mut().zip(codes).for_each(|(key, code)| add(key, lookup[code as usize]));
                }
                (codes, some) => keys.iter_mut().enumerate().for_each(|(at, key)| {
                    let tuple = some.map_or(at, |some| some[at] as usize);
                    add(key, lookup[codes.get(tuple) as usize]);
                }),
            }
        }
        exact.is_some()
    }

    /// Whether two tuples have the same sets.
    fn look_alike(&self, input: &Tuples, one: usize, other: usize) -> bool {
        let part = |codes: &Narrow, lookup: &[u32], tuple: usize| lookup[codes.get(tuple) as usize];
        let mut columns = input.fused.iter().zip(&self.lookups);
        columns.all(|(codes, lookup)| part(codes, lookup, one) == part(codes, lookup, other))
    }
}

/// The groups that are found.
struct Groups<'a, R> {
    sums: &'a mut Vec<R>,
    fused: &'a mut [Narrow],
    /// As long as the input where it is asked for.
    group_of: &'a mut Vec<u32>,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::data::{Domain, Kind};
    use crate::group::{FrequencyTable, Grouping, Needs, Workspace};
    use crate::recode::{BreakBits, ColumnRecoding, Family, QuasiColumn, Recoding};
    use crate::taxonomy::Hierarchy;

    fn column(at: usize, leaves: usize) -> QuasiColumn {
        let labels: Vec<String> = (0..leaves).map(|leaf| format!("{leaf:06}")).collect();
        QuasiColumn {
            name: format!("c{at}"),
            hierarchy: Hierarchy::flat(&labels),
            domain: Domain::of_labels(Kind::Ordinal, labels),
            family: Family::Breaks,
            weight: 1.0,
        }
    }

    /// Distinct tuples that look random, in columns of some numbers of leaves.
    fn table(sizes: &[usize], tuples: usize, times: u64) -> FrequencyTable {
        let mut state = 7u64;
        let mut next = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % below as u64) as u32
        };
        let mut found = BTreeMap::new();
        for _ in 0..tuples {
            let leaves: Vec<u32> = sizes.iter().map(|size| next(*size)).collect();
            *found.entry(leaves).or_insert(0) += times * u64::from(1 + next(3));
        }
        let leaves: Vec<u32> = found.keys().flatten().copied().collect();
        let counts: Vec<u64> = found.values().copied().collect();
        let columns = sizes.iter().enumerate().map(|(at, size)| column(at, *size)).collect();
        FrequencyTable::new(columns, Vec::new(), &leaves, &counts, &[], 0).unwrap()
    }

    /// Groups by whatever way the kernel takes, and by a sorted map.
    fn compare(table: &FrequencyTable, step: usize) {
        let breaks = |column: &QuasiColumn| {
            let gaps = 1..column.domain.len();
            ColumnRecoding::Breaks(BreakBits::from_flags(gaps.map(|gap| gap % step == 0)))
        };
        let recoding = Recoding { columns: table.columns.iter().map(breaks).collect() };
        let mut grouping = Grouping::default();
        let mut workspace = Workspace::default();
        for needs in [Needs::default(), Needs { group_of: true, ..Needs::default() }] {
            workspace.group(table, &table.tuples, &recoding, needs, &mut grouping);
            let sets = |leaf: u32| leaf / step as u32;
            let mut expected: BTreeMap<Vec<u32>, u64> = BTreeMap::new();
            let shown = |tuple: usize| -> Vec<u32> {
                (0..table.columns.len()).map(|column| sets(table.leaf(&table.tuples, tuple, column))).collect()
            };
            for tuple in 0..table.tuples.len() {
                *expected.entry(shown(tuple)).or_default() += table.tuples.rows.get(tuple);
            }
            let found: BTreeMap<Vec<u32>, u64> = (0..grouping.len())
                .map(|group| {
                    let set = |column: usize| grouping.set(table, group, column) as u32;
                    ((0..table.columns.len()).map(set).collect(), grouping.groups.rows.get(group))
                })
                .collect();
            assert_eq!(found.len(), grouping.len(), "no group comes twice");
            assert!(found == expected, "{} groups, not {}", found.len(), expected.len());
            for (tuple, group) in grouping.group_of.iter().enumerate() {
                let set = |column: usize| grouping.set(table, *group as usize, column) as u32;
                assert_eq!(shown(tuple), (0..table.columns.len()).map(set).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn large_inputs_are_parted() {
        let table = table(&[1500, 900, 700], 90_000, 1);
        assert!(table.tuples.len() > super::PARTED_FROM);
        [1, 2, 300].into_iter().for_each(|step| compare(&table, step));
    }

    #[test]
    fn codes_and_counts_may_be_wide() {
        let table = table(&[70_000, 80, 90], 5_000, 1 << 33);
        [1, 7, 20_000].into_iter().for_each(|step| compare(&table, step));
    }

    #[test]
    fn digits_need_not_fit_into_a_word() {
        let table = table(&[1500; 7], 3_000, 1);
        [1, 2, 700].into_iter().for_each(|step| compare(&table, step));
    }
}
