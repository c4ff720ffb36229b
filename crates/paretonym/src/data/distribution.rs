//! How often each value of a column occurs with each tuple or group.

use super::{Narrow, Offsets};

/// Value counts of many tuples or groups in compressed rows: most of a fine recoding have one or two values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distribution {
    /// Where each group's entries start, and their number at the end.
    pub offsets: Offsets,
    /// Value codes, ascending within a group.
    pub values: Narrow,
    /// Rows with that value.
    pub counts: Narrow,
}

/// How often a value of an attribute occurs together with a tuple.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AttributeCount {
    /// Position of the tuple.
    pub tuple: u32,
    /// Code of the value, or [`super::MISSING`].
    pub value: u32,
    /// Rows.
    pub count: u64,
}

impl Distribution {
    /// Of no group yet.
    pub fn empty() -> Self {
        Distribution { offsets: std::iter::once(0).collect(), ..Distribution::default() }
    }

    /// Of `tuples` tuples, from entries sorted by tuple and value; those of the same tuple and value are joined.
    pub fn of_sorted(tuples: usize, entries: impl Iterator<Item = AttributeCount>) -> Self {
        let mut found = Distribution::empty();
        found.extend_sorted(tuples, entries);
        found
    }

    /// Adds tuples until there are `tuples` of them, from entries of these sorted by tuple and value; those of the same
    /// tuple and value are joined.
    pub fn extend_sorted(&mut self, tuples: usize, entries: impl Iterator<Item = AttributeCount>) {
        let mut last = None;
        for entry in entries {
            if last == Some((entry.tuple, entry.value)) {
                let at = self.counts.len() - 1;
                self.counts.set(at, self.counts.get(at) + entry.count);
                continue;
            }
            last = Some((entry.tuple, entry.value));
            while self.offsets.len() <= entry.tuple as usize {
                self.end_group();
            }
            self.push(entry.value, entry.count);
        }
        while self.offsets.len() <= tuples {
            self.end_group();
        }
    }

    /// Adds a value to the group at the end.
    #[inline]
    pub fn push(&mut self, value: u32, count: u64) {
        self.values.push(u64::from(value));
        self.counts.push(count);
    }

    /// Adds a group of these values and counts, in any order; those of the same value are joined.
    pub fn push_group(&mut self, held: &mut [(u32, u64)]) {
        if held.len() > 1 {
            held.sort_unstable();
        }
        for same in held.chunk_by(|left, right| left.0 == right.0) {
            self.push(same[0].0, same.iter().map(|(_, count)| count).sum());
        }
        self.end_group();
    }

    /// Ends the group at the end.
    #[inline]
    pub fn end_group(&mut self) {
        self.offsets.push(u32::try_from(self.values.len()).expect("fewer than 2^32 values in all groups"));
    }

    /// The values of one group and their counts.
    #[inline]
    pub fn of(&self, group: usize) -> ValueCounts<'_> {
        let (start, end) = (self.offsets.get(group), self.offsets.get(group + 1));
        ValueCounts { of: self, start, end }
    }

    /// Tuple, value and rows of every entry.
    pub fn entries(&self) -> impl Iterator<Item = AttributeCount> + '_ {
        (0..self.offsets.len().saturating_sub(1)).flat_map(|tuple| {
            self.of(tuple).iter().map(move |(value, count)| AttributeCount { tuple: tuple as u32, value, count })
        })
    }

    /// The memory that the counts take, in bytes.
    pub fn bytes(&self) -> usize {
        self.offsets.bytes() + self.values.bytes() + self.counts.bytes()
    }

    /// Empties it, keeping the memory.
    pub fn clear(&mut self) {
        self.offsets.clear();
        self.values.clear();
        self.counts.clear();
    }
}

/// The values of one group, ascending, and how many rows have each.
#[derive(Clone, Copy, Debug)]
pub struct ValueCounts<'a> {
    of: &'a Distribution,
    start: usize,
    end: usize,
}

impl<'a> ValueCounts<'a> {
    /// How many values there are.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Each value and its rows.
    #[inline]
    pub fn iter(self) -> impl ExactSizeIterator<Item = (u32, u64)> + Clone + 'a {
        (self.start..self.end).map(move |at| (self.of.values.get(at) as u32, self.of.counts.get(at)))
    }

    /// The rows of each value.
    #[inline]
    pub fn counts(self) -> impl ExactSizeIterator<Item = u64> + Clone + 'a {
        (self.start..self.end).map(move |at| self.of.counts.get(at))
    }

    /// The rows of one value; 0 where it does not occur.
    pub fn rows(self, value: u32) -> u64 {
        let (mut low, mut high) = (self.start, self.end);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.of.values.get(middle).cmp(&u64::from(value)) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return self.of.counts.get(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_joined() {
        let entry = |tuple, value, count| AttributeCount { tuple, value, count };
        let given = [entry(1, 0, 2), entry(1, 7, u64::from(u32::MAX)), entry(1, 7, 2), entry(3, 300, 1)];
        let found = Distribution::of_sorted(5, given.into_iter());
        assert_eq!(found.offsets, [0, 0, 2, 2, 3, 3].into_iter().collect());
        let joined = [given[0], entry(1, 7, (1 << 32) + 1), given[3]];
        assert_eq!(found.entries().collect::<Vec<_>>(), joined);
        assert_eq!((found.of(1).rows(7), found.of(1).rows(3), found.of(4).rows(0)), ((1 << 32) + 1, 0, 0));
        assert_eq!(found.of(1).counts().collect::<Vec<_>>(), [2, (1 << 32) + 1]);
        assert!(found.of(4).is_empty() && found.of(1).len() == 2);
    }
}
