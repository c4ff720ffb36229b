//! Rows by tuple and value. Most tables have few sensitive values, so that a short row of counters per tuple does; they
//! are one look into memory where a hash table takes several. Where there are so many tuples that this would take much
//! memory, most of them have but one value, which is kept beside the tuple; what else there is is written down row by row,
//! and added up when it becomes long.

use foldhash::fast::RandomState;
use hashbrown::HashMap;
use paretonym::data::Narrow;

/// Values with counters of their own, where it is not known how many there are.
const VALUES: u32 = 32;

/// The most values with counters of their own.
const MOST_VALUES: u32 = 1 << 10;

/// Counters in all, of a byte each: what stays close at hand.
const COUNTERS: u32 = 1 << 21;

/// Rows written down before they are added up, or as many as there are sums where these are more.
const WRITTEN: usize = 1 << 21;

/// Rows that are alike and no more than these are written down one by one.
const FEW: u64 = 2;

/// What a full counter stands for.
const FULL: u64 = 1 << u8::BITS;

/// Counts pairs.
#[derive(Clone)]
pub(crate) struct Pairs {
    /// Values with counters of their own.
    values: u32,
    /// Tuples with counters of their own.
    tuples: u32,
    dense: Vec<u8>,
    /// Counters that were full, and the rows that they stood for then.
    full: HashMap<u32, u64, RandomState>,
    /// Of all further tuples: the place of the value that was met first, and its rows.
    firsts: Narrow,
    first_rows: Vec<u8>,
    /// One pair for each further row.
    written: Vec<u64>,
    /// Pairs of which more rows came at once.
    counted: Vec<(u64, u64)>,
    /// Pairs in ascending order, and the rows of each.
    sums: Vec<(u64, u64)>,
}

impl Pairs {
    /// Where the number of values is known, or not.
    pub fn new(values: Option<usize>) -> Self {
        let values = values.map_or(VALUES, |values| values.clamp(1, MOST_VALUES as usize) as u32);
        Pairs {
            values,
            tuples: COUNTERS / values,
            dense: Vec::new(),
            full: HashMap::default(),
            firsts: Narrow::default(),
            first_rows: Vec::new(),
            written: Vec::new(),
            counted: Vec::new(),
            sums: Vec::new(),
        }
    }

    /// Counts one row.
    #[inline]
    pub fn add(&mut self, tuple: u32, value: u32) {
        if tuple < self.tuples && value < self.values {
            let at = (tuple * self.values + value) as usize;
            if at >= self.dense.len() {
                self.make_room(tuple);
            }
            self.dense[at] = self.dense[at].wrapping_add(1);
            if self.dense[at] == 0 {
                self.empty(at as u32);
            }
            return;
        }
        self.add_further(tuple, value);
    }

    /// Counts rows that are alike.
    pub fn add_many(&mut self, tuple: u32, value: u32, rows: u64) {
        if tuple < self.tuples && value < self.values {
            let at = (tuple * self.values + value) as usize;
            if at >= self.dense.len() {
                self.make_room(tuple);
            }
            let sum = u64::from(self.dense[at]) + rows;
            self.dense[at] = (sum % FULL) as u8;
            if sum >= FULL {
                *self.full.entry(at as u32).or_insert(0) += sum - sum % FULL;
            }
            return;
        }
        if rows <= FEW {
            return (0..rows).for_each(|_| self.add_further(tuple, value));
        }
        self.counted.push((u64::from(tuple) << 32 | u64::from(value), rows));
        if self.counted.len() >= WRITTEN.max(self.sums.len()) {
            self.add_up();
        }
    }

    // Apart from the rest, which is so short that it can be made part of a loop.
    #[cold]
    fn make_room(&mut self, tuple: u32) {
        self.dense.resize((tuple as usize + 1) * self.values as usize, 0);
    }

    #[cold]
    fn empty(&mut self, counter: u32) {
        *self.full.entry(counter).or_insert(0) += FULL;
    }

    #[inline(never)]
    fn add_further(&mut self, tuple: u32, value: u32) {
        if tuple >= self.tuples {
            let at = (tuple - self.tuples) as usize;
            while at >= self.first_rows.len() {
                self.firsts.push(0);
                self.first_rows.push(0);
            }
            if self.first_rows[at] == 0 {
                self.firsts.set(at, place(value));
            }
            if self.first_rows[at] < u8::MAX && self.firsts.get(at) == place(value) {
                self.first_rows[at] += 1;
                return;
            }
        }
        self.written.push(u64::from(tuple) << 32 | u64::from(value));
        if self.written.len() >= WRITTEN.max(self.sums.len()) {
            self.add_up();
        }
    }

    /// Adds the rows that are written down to the sums.
    fn add_up(&mut self) {
        let mut written = std::mem::take(&mut self.written);
        written.sort_unstable();
        self.add_to_sums(written.chunk_by(|left, right| left == right).map(|same| (same[0], same.len() as u64)));
        written.clear();
        self.written = written;
        let mut counted = std::mem::take(&mut self.counted);
        counted.sort_unstable();
        self.add_to_sums(
            counted
                .chunk_by(|left, right| left.0 == right.0)
                .map(|same| (same[0].0, same.iter().map(|(_, rows)| rows).sum())),
        );
    }

    /// Adds pairs, which ascend, to the sums.
    fn add_to_sums(&mut self, entries: impl Iterator<Item = (u64, u64)>) {
        let mut before = std::mem::take(&mut self.sums).into_iter().peekable();
        let mut sums: Vec<(u64, u64)> = Vec::new();
        for (pair, rows) in entries {
            while let Some(sum) = before.next_if(|sum| sum.0 < pair) {
                sums.push(sum);
            }
            let known = before.next_if(|sum| sum.0 == pair).map_or(0, |sum| sum.1);
            sums.push((pair, known + rows));
        }
        sums.extend(before);
        self.sums = sums;
    }

    /// No row comes any more: only what was counted stays in memory.
    pub fn settle(&mut self) {
        if !self.counted.is_empty() {
            self.add_up();
        }
        self.dense.shrink_to_fit();
        self.firsts.shrink_to_fit();
        self.first_rows.shrink_to_fit();
        self.written.sort_unstable();
        self.written.shrink_to_fit();
    }

    /// How many pairs there are at most.
    pub fn len(&self) -> usize {
        let counted = self.dense.iter().filter(|rows| **rows > 0).count() + self.full.len();
        counted + self.first_rows.len() + self.written.len() + self.counted.len() + self.sums.len()
    }

    /// Calls `take` with every value that occurs, in any order and as often as it likes.
    pub fn each_value(&self, mut take: impl FnMut(u32)) {
        let of_counter = |at: usize| at as u32 % self.values;
        self.dense.iter().enumerate().filter(|(_, rows)| **rows > 0).for_each(|(at, _)| take(of_counter(at)));
        self.full.keys().for_each(|at| take(of_counter(*at as usize)));
        let firsts = self.firsts.iter().zip(&self.first_rows).filter(|(_, rows)| **rows > 0);
        firsts.for_each(|(place, _)| take(value(place)));
        let sums = self.sums.iter().chain(&self.counted).map(|(pair, _)| pair);
        self.written.iter().chain(sums).for_each(|pair| take(*pair as u32));
    }

    /// Calls `take` with the values of each of so many tuples, in their order, and with the rows of each value; a value may
    /// come twice, and the list may be changed.
    pub fn each_tuple(mut self, tuples: usize, mut take: impl FnMut(&mut Vec<(u32, u64)>)) {
        self.settle();
        let mut dense = self.dense.chunks_exact(self.values as usize);
        let mut full: Vec<(u32, u64)> = self.full.drain().collect();
        full.sort_unstable();
        let mut full = full.into_iter().peekable();
        let mut firsts = self.firsts.iter().zip(&self.first_rows);
        let mut written = self.written.iter().peekable();
        let mut sums = self.sums.iter().peekable();
        let mut held = Vec::new();
        for tuple in 0..tuples as u64 {
            held.clear();
            if tuple < u64::from(self.tuples) {
                let counters = dense.next().into_iter().flatten().enumerate().filter(|(_, rows)| **rows > 0);
                held.extend(counters.map(|(value, rows)| (value as u32, u64::from(*rows))));
                while let Some((at, rows)) = full.next_if(|(at, _)| u64::from(at / self.values) == tuple) {
                    held.push((at % self.values, rows));
                }
            } else if let Some((place, rows)) = firsts.next().filter(|(_, rows)| **rows > 0) {
                held.push((value(place), u64::from(*rows)));
            }
            while let Some(pair) = written.next_if(|pair| **pair >> 32 == tuple) {
                held.push((*pair as u32, 1));
            }
            while let Some((pair, rows)) = sums.next_if(|(pair, _)| *pair >> 32 == tuple) {
                held.push((*pair as u32, *rows));
            }
            take(&mut held);
        }
    }

    /// Tuple, value and rows of every pair; a pair may come twice.
    pub fn into_entries(self) -> impl Iterator<Item = (u32, u32, u64)> {
        let (values, tuples) = (self.values, self.tuples);
        let dense = self.dense.into_iter().enumerate().filter(|(_, rows)| *rows > 0);
        let dense = dense.map(|(at, rows)| (at as u32, u64::from(rows))).chain(self.full);
        let dense = dense.map(move |(at, rows)| (at / values, at % values, rows));
        let firsts = self.first_rows.into_iter().enumerate().filter(|(_, rows)| *rows > 0);
        let first = move |(at, rows): (usize, u8)| (tuples + at as u32, value(self.firsts.get(at)), u64::from(rows));
        let others = self.written.into_iter().map(|pair| (pair, 1)).chain(self.sums).chain(self.counted);
        let others = others.map(|(pair, rows)| ((pair >> 32) as u32, pair as u32, rows));
        dense.chain(firsts.map(first)).chain(others)
    }
}

/// The place of a value among small numbers: "missing", the largest number, is the smallest here.
fn place(value: u32) -> u64 {
    u64::from(value.wrapping_add(1))
}

/// The value of a place.
fn value(place: u64) -> u32 {
    (place as u32).wrapping_sub(1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The rows of every pair, as each way of asking tells them.
    fn told(pairs: &Pairs, tuples: usize) -> [BTreeMap<(u32, u32), u64>; 2] {
        let (mut by_tuple, mut by_entry) = (BTreeMap::new(), BTreeMap::new());
        let mut next = 0;
        pairs.clone().each_tuple(tuples, |held| {
            held.drain(..).for_each(|(value, rows)| *by_tuple.entry((next, value)).or_insert(0) += rows);
            next += 1;
        });
        assert_eq!(next as usize, tuples);
        for (tuple, value, rows) in pairs.clone().into_entries() {
            *by_entry.entry((tuple, value)).or_insert(0) += rows;
        }
        [by_tuple, by_entry]
    }

    #[test]
    fn pairs_are_counted_wherever_they_lie() {
        const FAR: u32 = COUNTERS / VALUES;
        for known in [None, Some(3), Some(40), Some(1 << 20)] {
            let mut pairs = Pairs::new(known);
            let mut expected = BTreeMap::new();
            let rows =
                [(0, 0), (0, 0), (3, VALUES), (FAR, 1), (3, 31), (7, u32::MAX), (0, 0), (FAR, 2), (FAR, 1), (FAR, 2)];
            for (tuple, value) in rows {
                pairs.add(tuple, value);
                *expected.entry((tuple, value)).or_insert(0) += 1;
            }
            let [by_tuple, by_entry] = told(&pairs, FAR as usize + 2);
            assert_eq!(by_tuple, expected);
            assert_eq!(by_entry, expected);
            assert!(pairs.len() >= expected.len());
            let mut values = Vec::new();
            pairs.each_value(|value| values.push(value));
            values.sort_unstable();
            values.dedup();
            assert_eq!(values, [0, 1, 2, 31, VALUES, u32::MAX]);
        }
    }

    #[test]
    fn counters_run_over_and_long_lists_are_added_up() {
        let mut pairs = Pairs::new(Some(2));
        let far = COUNTERS;
        let mut expected = BTreeMap::new();
        for row in 0..3 * WRITTEN as u32 {
            let (tuple, value) = if row % 8 == 0 { (1, 1) } else { (far + row % 2, row % 5) };
            pairs.add(tuple, value);
            *expected.entry((tuple, value)).or_insert(0) += 1;
        }
        assert!(!pairs.sums.is_empty() && !pairs.full.is_empty());
        let [by_tuple, by_entry] = told(&pairs, far as usize + 2);
        assert_eq!(by_tuple, expected);
        assert_eq!(by_entry, expected);
    }
}
