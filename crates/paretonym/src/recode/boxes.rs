//! Finds the box that a tuple lies in.

use super::Run;

/// For each leaf of each column a bit per box: a tuple's box is what is left when the bits of its leaves are combined.
pub struct BoxIndex {
    words: usize,
    /// Per column: leaf × words.
    bits: Vec<Vec<u64>>,
}

impl BoxIndex {
    /// For boxes that hold `runs(box, column)` of the leaves of each column.
    pub fn new<'a>(columns: usize, boxes: usize, runs: impl Fn(usize, usize) -> &'a [Run]) -> Self {
        let words = boxes.div_ceil(64);
        let bits = (0..columns).map(|column| {
            let ends = (0..boxes).flat_map(|at| runs(at, column)).map(|run| run.1 as usize + 1);
            let mut table = vec![0u64; ends.max().unwrap_or(0) * words];
            for at in 0..boxes {
                for (first, last) in runs(at, column) {
                    for leaf in *first as usize..=*last as usize {
                        table[leaf * words + at / 64] |= 1 << (at % 64);
                    }
                }
            }
            table
        });
        BoxIndex { words, bits: bits.collect() }
    }

    /// The first box that holds a tuple of leaves.
    pub fn first(&self, leaves: &[u32]) -> Option<usize> {
        (0..self.words).find_map(|word| {
            let mut left = u64::MAX;
            for (table, leaf) in self.bits.iter().zip(leaves) {
                left &= table.get(*leaf as usize * self.words + word).copied().unwrap_or(0);
            }
            (left != 0).then(|| word * 64 + left.trailing_zeros() as usize)
        })
    }
}
