//! Rows by tuple and value. Most tables have few sensitive values, so that a short row of counters per tuple does; they
//! are one look into memory where a hash table takes several. Where there are so many tuples that this would take much
//! memory, most of them have but one value, which is kept beside the tuple; what else there is goes into a hash table.

use foldhash::fast::RandomState;
use hashbrown::HashMap;

/// Values with counters of their own, where it is not known how many there are.
const VALUES: u32 = 32;

/// The most values with counters of their own.
const MOST_VALUES: u32 = 1 << 10;

/// Counters in all.
const COUNTERS: u32 = 1 << 22;

/// Counts pairs.
#[derive(Clone)]
pub(crate) struct Pairs {
    /// Values with counters of their own.
    values: u32,
    /// Tuples with counters of their own.
    tuples: u32,
    /// The rows of each, but for full counters, which are in the hash table: short ones stay close at hand.
    dense: Vec<u8>,
    /// Of all further tuples: the value that was met first, and its rows.
    firsts: Vec<(u32, u32)>,
    others: HashMap<u64, u64, RandomState>,
}

impl Pairs {
    /// Where the number of values is known, or not.
    pub fn new(values: Option<usize>) -> Self {
        let values = values.map_or(VALUES, |values| values.clamp(1, MOST_VALUES as usize) as u32);
        let tuples = COUNTERS / values;
        Pairs { values, tuples, dense: Vec::new(), firsts: Vec::new(), others: HashMap::default() }
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
                self.add_other(tuple, value, 1 << u8::BITS);
            }
            return;
        }
        self.add_further(tuple, value);
    }

    #[inline(never)]
    fn add_further(&mut self, tuple: u32, value: u32) {
        if tuple >= self.tuples {
            let at = (tuple - self.tuples) as usize;
            if at >= self.firsts.len() {
                self.firsts.resize(at + 1, (0, 0));
            }
            let (first, rows) = &mut self.firsts[at];
            if *rows == 0 {
                *first = value;
            }
            if *first == value && *rows < u32::MAX {
                *rows += 1;
                return;
            }
        }
        self.add_other(tuple, value, 1);
    }

    // Apart from the rest, which is so short that it can be made part of a loop.
    #[cold]
    fn add_other(&mut self, tuple: u32, value: u32, rows: u64) {
        *self.others.entry(u64::from(tuple) << 32 | u64::from(value)).or_insert(0) += rows;
    }

    #[cold]
    fn make_room(&mut self, tuple: u32) {
        self.dense.resize((tuple as usize + 1) * self.values as usize, 0);
    }

    /// How many pairs there are at most.
    pub fn len(&self) -> usize {
        let counted = self.dense.iter().filter(|rows| **rows > 0).count();
        counted + self.firsts.iter().filter(|(_, rows)| *rows > 0).count() + self.others.len()
    }

    /// Calls `take` with every value that occurs, in any order and as often as it likes.
    pub fn each_value(&self, mut take: impl FnMut(u32)) {
        let of_counter = |at: usize| at as u32 % self.values;
        self.dense.iter().enumerate().filter(|(_, rows)| **rows > 0).for_each(|(at, _)| take(of_counter(at)));
        self.firsts.iter().filter(|(_, rows)| *rows > 0).for_each(|(value, _)| take(*value));
        self.others.keys().for_each(|key| take(*key as u32));
    }

    /// Tuple, value and rows of every pair; a pair may come twice.
    pub fn into_entries(self) -> impl Iterator<Item = (u32, u32, u64)> {
        let (values, tuples) = (self.values, self.tuples);
        let dense = self.dense.into_iter().enumerate().filter(|(_, rows)| *rows > 0);
        let dense = dense.map(move |(at, rows)| (at as u32 / values, at as u32 % values, u64::from(rows)));
        let firsts = self.firsts.into_iter().zip(tuples..).filter(|((_, rows), _)| *rows > 0);
        let firsts = firsts.map(|((value, rows), tuple)| (tuple, value, u64::from(rows)));
        let others = self.others.into_iter().map(|(key, rows)| ((key >> 32) as u32, key as u32, rows));
        dense.chain(firsts).chain(others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_wherever_they_lie() {
        const FAR: u32 = COUNTERS / VALUES;
        for known in [None, Some(3), Some(40), Some(1 << 20)] {
            let mut pairs = Pairs::new(known);
            for (tuple, value) in [(0, 0), (0, 0), (3, VALUES), (FAR, 1), (3, 31), (7, u32::MAX), (0, 0), (FAR, 2)] {
                pairs.add(tuple, value);
            }
            let mut entries: Vec<_> = pairs.into_entries().collect();
            entries.sort_unstable();
            assert_eq!(entries, [(0, 0, 3), (3, 31, 1), (3, VALUES, 1), (7, u32::MAX, 1), (FAR, 1, 1), (FAR, 2, 1)]);
        }
    }

    #[test]
    fn counters_that_were_full_are_not_lost() {
        for rows in [255, 256, 257, 70_000] {
            let mut pairs = Pairs::new(None);
            (0..rows).for_each(|_| pairs.add(5, 7));
            pairs.add(5, 8);
            let mut counted = [0; 2];
            pairs.into_entries().for_each(|(_, value, rows)| counted[value as usize - 7] += rows);
            assert_eq!(counted, [rows, 1]);
        }
    }
}
