//! Too many combinations for counters: an open-addressing table from key to group.
//!
//! A large input is first parted by the sets of one column, so that each table is small enough for the caches and none is
//! as large as the input.

use std::ops::Range;

use super::kernel::{Making, RowCount};
use super::{Tuples, Workspace};
use crate::data::Narrow;

/// Inputs of fewer tuples are not parted.
const PARTED_FROM: usize = 1 << 16;

/// Tuples that are listed at once, or half of the input where that is more.
const LISTED: usize = 1 << 20;

/// Some tuples of an input.
#[derive(Clone)]
pub(super) enum Chosen<'a> {
    Range(Range<usize>),
    Listed(&'a [u32]),
}

impl Chosen<'_> {
    pub fn len(&self) -> usize {
        match self {
            Chosen::Range(range) => range.len(),
            Chosen::Listed(list) => list.len(),
        }
    }

    #[inline]
    pub fn tuple(&self, at: usize) -> usize {
        match self {
            Chosen::Range(range) => range.start + at,
            Chosen::Listed(list) => list[at] as usize,
        }
    }
}

impl Workspace {
    /// Groups by a table of keys; whether there are few enough groups. They are numbered in the order in which their first
    /// tuples are met.
    pub(super) fn group_hashed<R: RowCount>(&mut self, mut making: Making) -> bool {
        let input = making.input;
        R::emptied(&mut making.groups.rows);
        if making.needs.group_of {
            making.group_of.resize(input.len(), 0);
        }
        let widest = (0..self.radix.len()).max_by_key(|at| (self.radix[*at], std::cmp::Reverse(*at)));
        let Some(column) = widest.filter(|_| input.len() >= PARTED_FROM) else {
            self.group_some::<R>(&Chosen::Range(0..input.len()), &mut making);
            return making.groups.len() <= making.most;
        };
        let codes = &input.fused[column];
        let in_order = self.part(codes, column);
        let starts = std::mem::take(&mut self.part_starts);
        let mut parted = std::mem::take(&mut self.parted);
        let (mut part, mut few) = (0, true);
        while few && part + 1 < starts.len() {
            let first = part;
            part += 1;
            if in_order {
                let range = starts[first] as usize..starts[part] as usize;
                self.group_some::<R>(&Chosen::Range(range), &mut making);
            } else {
                let most = LISTED.max(codes.len() / 2);
                while part + 1 < starts.len() && (starts[part + 1] - starts[first]) as usize <= most {
                    part += 1;
                }
                self.list(codes, column, &starts[first..=part], first, &mut parted);
                for ends in starts[first..=part].windows(2) {
                    let range = (ends[0] - starts[first]) as usize..(ends[1] - starts[first]) as usize;
                    self.group_some::<R>(&Chosen::Listed(&parted[range]), &mut making);
                }
            }
            few = making.groups.len() <= making.most;
        }
        (self.part_starts, self.parted) = (starts, parted);
        few
    }

    /// Finds out where the tuples of each part of one column's codes would start if they came part by part; whether they do.
    fn part(&mut self, codes: &Narrow, column: usize) -> bool {
        let starts = &mut self.part_starts;
        starts.clear();
        starts.resize(self.radix[column] as usize + 1, 0);
        let (mut last, mut in_order) = (0, true);
        each_part(codes, &self.lookups[column], |_, part| {
            starts[part as usize + 1] += 1;
            in_order &= part >= last;
            last = part;
        });
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        in_order
    }

    /// Lists the tuples of neighbouring parts, from `first` on, part by part.
    fn list(&mut self, codes: &Narrow, column: usize, starts: &[u32], first: usize, parted: &mut Vec<u32>) {
        let (start, end) = (starts[0], starts[starts.len() - 1]);
        let places = &mut self.part_places;
        places.clear();
        places.extend(starts[..starts.len() - 1].iter().map(|own| own - start));
        parted.clear();
        parted.resize((end - start) as usize, 0);
        each_part(codes, &self.lookups[column], |tuple, part| {
            if let Some(place) = places.get_mut((part as usize).wrapping_sub(first)) {
                parted[*place as usize] = tuple;
                *place += 1;
            }
        });
    }

    /// Groups some tuples that look like none of the others.
    fn group_some<R: RowCount>(&mut self, some: &Chosen, making: &mut Making) {
        let input = making.input;
        let exact = self.fill_wide_keys(input, some);
        let rows = R::list(&input.rows);
        let capacity = (2 * self.wide_keys.len()).next_power_of_two().max(16);
        self.slots.clear();
        self.slots.resize(capacity, 0);
        self.group_keys.clear();
        self.firsts.clear();
        self.part_groups.clear();
        let (mask, shift) = (capacity - 1, 64 - capacity.trailing_zeros());
        let sums = R::list_mut(&mut making.groups.rows);
        let (before, each_tuple) = (sums.len(), making.needs.each_tuple());
        for (at, &key) in self.wide_keys.iter().enumerate() {
            let tuple = some.tuple(at);
            let mut slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize;
            let group = loop {
                let found = self.slots[slot] as usize;
                if found == 0 {
                    self.group_keys.push(key);
                    self.firsts.push(tuple as u32);
                    self.slots[slot] = self.group_keys.len() as u32;
                    sums.push(R::default());
                    break self.group_keys.len() - 1;
                }
                let same = || exact || self.look_alike(input, tuple, self.firsts[found - 1] as usize);
                if self.group_keys[found - 1] == key && same() {
                    break found - 1;
                }
                slot = (slot + 1) & mask;
            };
            sums[before + group] += rows[tuple];
            if each_tuple {
                self.part_groups.push(group as u32);
            }
        }
        for (codes, from) in making.groups.fused.iter_mut().zip(&input.fused) {
            match (codes, from) {
                (Narrow::Two(codes), Narrow::Two(from)) => {
                    codes.extend(self.firsts.iter().map(|tuple| from[*tuple as usize]));
                }
                (codes, from) => self.firsts.iter().for_each(|tuple| codes.push(from.get(*tuple as usize))),
            }
        }
        if each_tuple {
            self.add_part(some, before, making);
        }
    }

    /// The mixed-radix numbers of the sets of some tuples, or what is left of them in a word; whether they are whole. Where
    /// they are not, equal keys may stand for different sets.
    fn fill_wide_keys(&mut self, input: &Tuples, some: &Chosen) -> bool {
        let keys = &mut self.wide_keys;
        keys.clear();
        keys.resize(some.len(), 0);
        let mut exact = Some(1u64);
        for ((codes, lookup), &radix) in input.fused.iter().zip(&self.lookups).zip(&self.radix) {
            let radix = u64::from(radix);
            exact = exact.and_then(|all| all.checked_mul(radix));
            let add = |key: &mut u64, part: u32| *key = key.wrapping_mul(radix).wrapping_add(u64::from(part));
            match (codes, some) {
                (Narrow::Two(codes), Chosen::Range(range)) => {
                    let codes = &codes[range.clone()];
                    keys.iter_mut().zip(codes).for_each(|(key, code)| add(key, lookup[*code as usize]));
                }
                (Narrow::Two(codes), Chosen::Listed(list)) => {
                    let codes = list.iter().map(|tuple| codes[*tuple as usize]);
                    keys.iter_mut().zip(codes).for_each(|(key, code)| add(key, lookup[code as usize]));
                }
                (codes, some) => keys.iter_mut().enumerate().for_each(|(at, key)| {
                    add(key, lookup[codes.get(some.tuple(at)) as usize]);
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

/// Calls `take` with each tuple and the part of its code.
#[inline]
fn each_part(codes: &Narrow, lookup: &[u32], mut take: impl FnMut(u32, u32)) {
    match codes {
        Narrow::Two(codes) => (0..).zip(codes).for_each(|(tuple, code)| take(tuple, lookup[*code as usize])),
        codes => (0..).zip(codes.iter()).for_each(|(tuple, code)| take(tuple, lookup[code as usize])),
    }
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
