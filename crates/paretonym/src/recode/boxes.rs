//! Finds the box that a tuple lies in.

use super::LeafRun;

/// For each stretch of leaves of each column a bit per box: a tuple's box is what is left when the bits of its leaves are
/// combined. No box begins or ends within a stretch, so that memory grows with the boxes and not with the leaves.
pub struct BoxIndex {
    words: usize,
    columns: Vec<Stretches>,
}

struct Stretches {
    /// The first leaf of each stretch; behind the last one lies nothing.
    starts: Vec<u32>,
    /// Stretch × words.
    bits: Vec<u64>,
}

impl BoxIndex {
    /// For boxes that hold `runs(box, column)` of the leaves of each column.
    pub fn new<'a>(columns: usize, boxes: usize, runs: impl Fn(usize, usize) -> &'a [LeafRun]) -> Self {
        let words = boxes.div_ceil(64);
        let stretches = |column: usize| {
            let all = || (0..boxes).flat_map(|at| runs(at, column));
            let mut starts: Vec<u32> = all().flat_map(|(first, last)| [*first, last.saturating_add(1)]).collect();
            starts.sort_unstable();
            starts.dedup();
            let place = |leaf: u32| starts.partition_point(|start| *start < leaf);
            let mut bits = vec![0u64; starts.len() * words];
            for at in 0..boxes {
                for (first, last) in runs(at, column) {
                    for stretch in place(*first)..place(last.saturating_add(1)) {
                        bits[stretch * words + at / 64] |= 1 << (at % 64);
                    }
                }
            }
            Stretches { starts, bits }
        };
        BoxIndex { words, columns: (0..columns).map(stretches).collect() }
    }

    /// The first box that holds a tuple of leaves.
    pub fn first(&self, leaves: &[u32]) -> Option<usize> {
        let places = self.columns.iter().zip(leaves).map(|(column, leaf)| {
            let at = column.starts.partition_point(|start| start <= leaf).checked_sub(1)?;
            Some(&column.bits[at * self.words..(at + 1) * self.words])
        });
        let rows: Vec<&[u64]> = places.collect::<Option<_>>()?;
        (0..self.words).find_map(|word| {
            let left = rows.iter().fold(u64::MAX, |left, row| left & row[word]);
            (left != 0).then(|| word * 64 + left.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_far_away_takes_no_memory() {
        let boxes: [[&[LeafRun]; 2]; 3] = [
            [&[(0, 2), (7, 7)], &[(0, 9)]],
            [&[(3, 6)], &[(0, 4)]],
            [&[(3, 6), (4_000_000_000, u32::MAX - 1)], &[(5, 9)]],
        ];
        let index = BoxIndex::new(2, 3, |at, column| boxes[at][column]);
        let find = |left, right| index.first(&[left, right]);
        assert_eq!((find(0, 0), find(7, 9), find(8, 9), find(2, 10)), (Some(0), Some(0), None, None));
        assert_eq!(
            (find(3, 4), find(6, 5), find(4_000_000_001, 5), find(4_000_000_001, 4)),
            (Some(1), Some(2), Some(2), None)
        );
        assert!(index.columns.iter().all(|column| column.bits.len() < 10));
    }
}
