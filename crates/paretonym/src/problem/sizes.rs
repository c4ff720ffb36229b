//! Cut-offs where the level of a group is its number of rows: sizes are counted rather than sorted.

use super::{Pieces, Scratch};
use crate::data::Narrow;

/// Sizes that are counted. The groups that a budget can lose are mostly far smaller.
const COUNTED: usize = 512;

/// Pieces of each small size, and their rows.
#[derive(Default)]
pub(crate) struct SizeCounts {
    pieces: Vec<u32>,
    rows: Vec<u64>,
}

impl Scratch {
    /// Does what [`Scratch::find_cutoffs`] does, without costs, where the cost of a piece is its size below zero. False,
    /// with nothing found, where the budget reaches beyond the sizes that are counted.
    pub(crate) fn find_cutoffs_by_size(&mut self, pieces: &dyn Pieces, budget: u64) -> bool {
        let (sizes, rows) = (pieces.sizes(), pieces.rows());
        let SizeCounts { pieces: counts, rows: sums } = &mut self.size_counts;
        counts.clear();
        counts.resize(COUNTED, 0);
        sums.clear();
        sums.resize(COUNTED, 0);
        let mut count = |size: u64, rows: u64| {
            if size < COUNTED as u64 {
                counts[size as usize] += 1;
                sums[size as usize] += rows;
            }
        };
        match (sizes, rows) {
            (Narrow::Four(sizes), Narrow::Four(rows)) => {
                sizes.iter().zip(rows).for_each(|(size, rows)| count(u64::from(*size), u64::from(*rows)));
            }
            _ => sizes.iter().zip(rows.iter()).for_each(|(size, rows)| count(size, rows)),
        }

        self.order.clear();
        self.cutoffs.clear();
        let (mut gone, mut end) = (0u64, 0usize);
        let met = (0..COUNTED).filter(|size| counts[*size] > 0);
        let mut next = None;
        for size in met {
            self.cutoffs.push((end, -(size as f64)));
            gone += sums[size];
            if gone > budget {
                next = Some(size);
                break;
            }
            end += counts[size] as usize;
        }
        let Some(next) = next else { return false };
        if end == 0 {
            return true;
        }
        // From here on the counts say where the pieces of each size go.
        let mut start = 0;
        for count in &mut counts[..next] {
            start += std::mem::replace(count, start);
        }
        self.order.resize(end, (0.0, 0));
        let mut place = |piece: usize, size: u64| {
            if size < next as u64 {
                let to = &mut counts[size as usize];
                self.order[*to as usize] = (-(size as f64), piece as u32);
                *to += 1;
            }
        };
        match sizes {
            Narrow::Four(sizes) => {
                sizes.iter().enumerate().for_each(|(piece, size)| place(piece, u64::from(*size)));
            }
            sizes => sizes.iter().enumerate().for_each(|(piece, size)| place(piece, size)),
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::group::FrequencyTable;
    use crate::measure::{Loss, Privacy};

    struct Sizes {
        rows: Narrow,
        sizes: Narrow,
    }

    impl Pieces for Sizes {
        fn table(&self) -> &FrequencyTable {
            unreachable!("cut-offs follow from sizes")
        }
        fn rows(&self) -> &Narrow {
            &self.rows
        }
        fn sizes(&self) -> &Narrow {
            &self.sizes
        }
        fn costs(&self, _: usize, _: &dyn Privacy, out: &mut Vec<f64>) {
            out.extend(self.sizes.iter().map(|size| -(size as f64)));
        }
        fn add(&self, _: &dyn Loss, _: &[u32], _: &mut [f64]) {}
        fn add_all(&self, _: &dyn Loss, _: &mut [f64]) {}
    }

    proptest! {
        #[test]
        fn counting_finds_what_sorting_finds(
            pieces in prop::collection::vec((prop_oneof![1u64..6, 1u64..700], 1u64..4), 1..40),
            share in 0.0f64..1.0,
            wide: bool,
        ) {
            let mut own = Sizes {
                rows: pieces.iter().map(|(size, times)| size * times).collect(),
                sizes: pieces.iter().map(|(size, _)| *size).collect(),
            };
            if !wide {
                own.rows = Narrow::Four(own.rows.iter().map(|rows| rows as u32).collect());
                own.sizes = Narrow::Four(own.sizes.iter().map(|size| size as u32).collect());
            }
            let all: u64 = own.rows.iter().sum();
            let budget = ((share * share * all as f64) as u64).min(all - 1);
            let (mut counted, mut sorted) = (Scratch::default(), Scratch::default());
            sorted.costs.extend(own.sizes.iter().map(|size| -(size as f64)));
            sorted.find_cutoffs(&own, budget);
            if counted.find_cutoffs_by_size(&own, budget) {
                prop_assert_eq!(&counted.cutoffs, &sorted.cutoffs);
                let gone = counted.cutoffs[counted.cutoffs.len() - 1].0;
                prop_assert_eq!(&counted.order[..], &sorted.order[..gone]);
            } else {
                let small = pieces.iter().filter(|(size, _)| *size < COUNTED as u64);
                prop_assert!(small.map(|(size, times)| size * times).sum::<u64>() <= budget);
            }
        }
    }
}
