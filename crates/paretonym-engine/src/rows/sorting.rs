//! Tuples in the order of their codes, equal ones joined.

use paretonym::data::MISSING;
use rayon::prelude::*;

/// Sorts tuples and joins equal ones; also gives the final position of each tuple that came in.
pub(crate) fn sort_tuples(tuples: &[u32], counts: &[u64], width: usize) -> (Vec<u32>, Vec<u64>, Vec<u32>) {
    let tuple = |position: usize| &tuples[position * width..(position + 1) * width];
    let order = match packed(tuples, width) {
        Some(mut keys) => {
            keys.par_sort_unstable();
            keys.into_iter().map(|(_, position)| position).collect()
        }
        None => {
            let mut order: Vec<usize> = (0..counts.len()).collect();
            order.par_sort_unstable_by(|left, right| tuple(*left).cmp(tuple(*right)));
            order
        }
    };
    let mut sorted: Vec<u32> = Vec::new();
    let mut sums: Vec<u64> = Vec::new();
    let mut renumbered = vec![0; counts.len()];
    let mut last: Option<usize> = None;
    for position in order {
        match (last, sums.last_mut()) {
            (Some(last), Some(sum)) if tuple(last) == tuple(position) => *sum += counts[position],
            _ => {
                sorted.extend_from_slice(tuple(position));
                sums.push(counts[position]);
            }
        }
        last = Some(position);
        renumbered[position] = u32::try_from(sums.len() - 1).expect("fewer than 2^32 distinct tuples");
    }
    (sorted, sums, renumbered)
}

/// Each tuple as one integer of the same order, with its position, where all codes together need no more than 128
/// bits: sorting those is several times faster than comparing tuples in memory.
fn packed(tuples: &[u32], width: usize) -> Option<Vec<(u128, usize)>> {
    if width == 0 {
        return None;
    }
    let mut largest = vec![0; width];
    for tuple in tuples.chunks_exact(width) {
        for (largest, code) in largest.iter_mut().zip(tuple) {
            // "Missing" comes last, as the largest code does: one more than the others is enough for it.
            if *code != MISSING {
                *largest = (*code).max(*largest);
            }
        }
    }
    let bits: Vec<u32> = largest.iter().map(|largest| 64 - (u64::from(*largest) + 1).leading_zeros()).collect();
    if bits.iter().sum::<u32>() > 128 {
        return None;
    }
    let key = |tuple: &[u32]| {
        tuple.iter().zip(&bits).zip(&largest).fold(0u128, |key, ((code, bits), largest)| {
            key << bits | u128::from((*code).min(largest.saturating_add(1)))
        })
    };
    Some(tuples.chunks_exact(width).enumerate().map(|(position, tuple)| (key(tuple), position)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn wide_tuples_are_not_packed() {
        assert!(packed(&[1 << 30; 5], 5).is_none());
        assert!(packed(&[1 << 30; 4], 4).is_some());
    }

    proptest! {
        #[test]
        fn packing_keeps_the_order(
            tuples in prop::collection::vec(prop_oneof![0u32..5, Just(MISSING), Just(MISSING - 9)], 0..60),
        ) {
            let mut tuples = tuples;
            tuples.truncate(tuples.len() / 3 * 3);
            let mut keys = packed(&tuples, 3).unwrap();
            keys.sort_unstable();
            let tuple = |at: usize| &tuples[at * 3..at * 3 + 3];
            prop_assert!(keys.iter().map(|(_, at)| tuple(*at)).is_sorted());
            for two in keys.windows(2) {
                prop_assert_eq!(two[0].0 == two[1].0, tuple(two[0].1) == tuple(two[1].1));
            }
        }
    }
}
