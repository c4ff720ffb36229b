//! Scores the splits of a node: what the two halves would lose, shown as narrowly as their values allow in all columns.
//!
//! One pass over the tuples of a node scores all of its splits. The values that occur in the node are numbered anew, so
//! that a few machine words say which values of every column occur together with a value; the words of the two sides of
//! a split are the unions of those of their values, and the loss of a side is read off its words. Where that would take
//! too many words, occurring values are counted instead.

use super::grow::Grower;
use super::split_table::{Shows, SplitTable};
use super::wide::{Looked, Tally};

/// A split of a node: the values of a column from `first` to before `end`, as numbered in the node, go left.
#[derive(Clone, Copy)]
pub(super) struct Split {
    pub loss: f64,
    pub smaller: u64,
    pub field: usize,
    pub first: u32,
    pub end: u32,
}

impl Split {
    /// Less loss first, then more even halves, then the earlier column.
    pub(super) fn key(&self) -> (f64, std::cmp::Reverse<u64>, usize, u32, u32) {
        (self.loss, std::cmp::Reverse(self.smaller), self.field, self.first, self.end)
    }

    fn beats(&self, other: &Split) -> bool {
        self.key() < other.key()
    }
}

impl Grower {
    /// One bit per tuple and field.
    pub(super) fn fill_masks(&mut self, split_table: &SplitTable, members: &[u32]) {
        let words = self.words;
        self.masks.clear();
        self.masks.resize(members.len() * words, 0);
        for field in &self.fields {
            let (codes, number) = (&split_table.columns[field.column].codes, &self.number[field.column]);
            for (mask, &tuple) in self.masks.chunks_exact_mut(words).zip(members) {
                let bit = field.shift + number[codes[tuple as usize] as usize];
                mask[field.word + bit as usize / 64] |= 1 << (bit % 64);
            }
        }
    }

    /// Scores all splits in one column.
    pub(super) fn score(
        &mut self,
        split_table: &SplitTable,
        members: &[u32],
        at: usize,
        all: u64,
        floor: u64,
        keep: usize,
    ) {
        let (words, field) = (self.words, &self.fields[at]);
        let column = &split_table.columns[field.column];
        let (codes, number) = (&column.codes, &self.number[field.column]);
        let own = field.leaves.clone();
        let values = own.len();
        self.value_rows.clear();
        self.value_rows.resize(values, 0);
        self.value_masks.clear();
        self.value_masks.resize(values * words, 0);
        for (mask, &tuple) in self.masks.chunks_exact(words).zip(members) {
            let value = number[codes[tuple as usize] as usize] as usize;
            self.value_rows[value] += split_table.table.tuples.rows.get(tuple as usize);
            let to = &mut self.value_masks[value * words..(value + 1) * words];
            to.iter_mut().zip(mask).for_each(|(to, from)| *to |= from);
        }
        // Unions of the values before and behind each place.
        unions(&self.value_masks, values, words, &mut self.before, &mut self.behind);
        let mut side = std::mem::take(&mut self.side);
        side.clear();
        side.resize(2 * words, 0);
        let mut best = Vec::new();
        let mut consider = |first: usize, end: usize, rows: u64, side: &[u64]| {
            let smaller = rows.min(all - rows);
            if smaller < floor {
                return;
            }
            let (inside, outside) = side.split_at(words);
            let loss =
                rows as f64 * self.cover(split_table, inside) + (all - rows) as f64 * self.cover(split_table, outside);
            best.push(Split { loss, smaller, field: at, first: first as u32, end: end as u32 });
        };
        if column.by_order {
            let mut rows = 0;
            for end in 1..values {
                rows += self.value_rows[end - 1];
                side[..words].copy_from_slice(&self.before[end * words..(end + 1) * words]);
                side[words..].copy_from_slice(&self.behind[end * words..(end + 1) * words]);
                consider(0, end, rows, &side);
            }
        } else {
            let leaves = &self.leaves[own];
            for first in 0..values {
                let mut last_end = 0;
                for &(start, behind) in &column.above[leaves[first] as usize] {
                    // A node is met at the first of its occurring leaves, once for all equal sets.
                    if first > 0 && leaves[first - 1] >= start {
                        break;
                    }
                    let end = first + leaves[first..].partition_point(|leaf| *leaf < behind);
                    if end == last_end || end - first == values {
                        continue;
                    }
                    last_end = end;
                    let rows = self.value_rows[first..end].iter().sum();
                    side[..words].fill(0);
                    for mask in self.value_masks[first * words..end * words].chunks_exact(words) {
                        side[..words].iter_mut().zip(mask).for_each(|(to, from)| *to |= from);
                    }
                    for word in 0..words {
                        side[words + word] = self.before[first * words + word] | self.behind[end * words + word];
                    }
                    consider(first, end, rows, &side);
                }
            }
        }
        self.side = side;
        best.into_iter().for_each(|split| self.remember(split, keep));
    }

    /// Keeps a split that is among the best ones.
    fn remember(&mut self, split: Split, keep: usize) {
        let place = self.splits.partition_point(|other| !split.beats(other));
        if place < keep {
            self.splits.insert(place, split);
            self.splits.truncate(keep);
        }
    }

    /// Scores all splits in all columns by counting.
    pub(super) fn score_wide(&mut self, split_table: &SplitTable, members: &[u32], all: u64, floor: u64, keep: usize) {
        let mut tally = std::mem::take(&mut self.tally);
        let mut found = Vec::new();
        let node = Looked { split_table, fields: &self.fields, leaves: &self.leaves, number: &self.number };
        tally.count(node, members);
        for (at, field) in self.fields.iter().enumerate() {
            let column = &split_table.columns[field.column];
            let (codes, number) = (&column.codes, &self.number[field.column]);
            let values = field.leaves.len();
            let mut value_rows = vec![0u64; values];
            for &tuple in members {
                value_rows[number[codes[tuple as usize] as usize] as usize] +=
                    split_table.table.tuples.rows.get(tuple as usize);
            }
            tally.sort(node, members, field);
            let mut consider = |first: usize, end: usize, rows: u64, tally: &mut Tally| {
                let smaller = rows.min(all - rows);
                if smaller >= floor {
                    let [inside, outside] = tally.cover(node);
                    let loss = rows as f64 * inside + (all - rows) as f64 * outside;
                    found.push(Split { loss, smaller, field: at, first: first as u32, end: end as u32 });
                }
            };
            if column.by_order {
                let mut rows = 0;
                for end in 1..values {
                    rows += value_rows[end - 1];
                    tally.take(node, end - 1, end);
                    consider(0, end, rows, &mut tally);
                }
                tally.give_back(node, 0, values - 1);
                continue;
            }
            let leaves = &self.leaves[field.leaves.clone()];
            for first in 0..values {
                let (mut taken, mut rows) = (first, 0);
                for &(start, behind) in &column.above[leaves[first] as usize] {
                    // A node is met at the first of its occurring leaves, once for all equal sets.
                    if first > 0 && leaves[first - 1] >= start {
                        break;
                    }
                    let end = first + leaves[first..].partition_point(|leaf| *leaf < behind);
                    if end == taken || end - first == values {
                        continue;
                    }
                    tally.take(node, taken, end);
                    rows += value_rows[taken..end].iter().sum::<u64>();
                    taken = end;
                    consider(first, end, rows, &mut tally);
                }
                tally.give_back(node, first, taken);
            }
        }
        self.tally = tally;
        found.into_iter().for_each(|split| self.remember(split, keep));
    }

    /// What a row loses that shows the values of a mask.
    fn cover(&self, split_table: &SplitTable, mask: &[u64]) -> f64 {
        let mut loss = 0.0;
        for field in &self.fields {
            let column = &split_table.columns[field.column];
            let leaves = &self.leaves[field.leaves.clone()];
            let covered = if leaves.len() <= 64 {
                let bits = mask[field.word] >> field.shift & (u64::MAX >> (64 - leaves.len()));
                let (low, high) = (bits.trailing_zeros() as usize, 63 - bits.leading_zeros() as usize);
                match column.shows {
                    Shows::Set(most) if bits.count_ones() <= most => bits.count_ones() - 1,
                    Shows::Interval => column.values_beyond(leaves[low], leaves[high]),
                    Shows::Set(_) | Shows::Node => {
                        let (first, last) = split_table.node(field.column, leaves[low], leaves[high]);
                        column.values_beyond(first, last)
                    }
                }
            } else {
                wide_cover(split_table, field.column, leaves, &mask[field.word..field.word + leaves.len().div_ceil(64)])
            };
            loss += column.weight * f64::from(covered);
        }
        loss
    }
}

/// Values covered beyond the first, for a column with more of them than a word has bits.
fn wide_cover(split_table: &SplitTable, column: usize, leaves: &[u32], bits: &[u64]) -> u32 {
    let own = &split_table.columns[column];
    if let Shows::Set(most) = own.shows {
        let count = bits.iter().map(|word| word.count_ones()).sum::<u32>();
        if count <= most {
            return count - 1;
        }
    }
    let occurs = |word: &usize| bits[*word] != 0;
    let (Some(low), Some(high)) = ((0..bits.len()).find(occurs), (0..bits.len()).rfind(occurs)) else { return 0 };
    let first = leaves[low * 64 + bits[low].trailing_zeros() as usize];
    let last = leaves[high * 64 + 63 - bits[high].leading_zeros() as usize];
    if own.shows == Shows::Interval {
        return own.values_beyond(first, last);
    }
    let (first, last) = split_table.node(column, first, last);
    own.values_beyond(first, last)
}

/// The union of the masks before each place, and of those from it on.
fn unions(masks: &[u64], values: usize, words: usize, before: &mut Vec<u64>, behind: &mut Vec<u64>) {
    for union in [&mut *before, &mut *behind] {
        union.clear();
        union.resize((values + 1) * words, 0);
    }
    for at in 0..values * words {
        before[at + words] = before[at] | masks[at];
    }
    for at in (0..values * words).rev() {
        behind[at] = behind[at + words] | masks[at];
    }
}
