//! Tuples in the order of their codes, with eight bytes of memory a tuple.

use super::Narrow;

/// The largest digit that is sorted by at once.
const DIGIT_BITS: u32 = 16;

/// Where each tuple of the sorted order comes from, the first column counting most. Equal tuples stay in their order.
///
/// Sorts by the last columns first and keeps the order of equals, so that no key is ever put together. Neighbouring
/// columns of few codes are taken as one digit.
pub fn sorted_order(columns: &[Narrow], tuples: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..tuples as u32).collect();
    let mut sorted = vec![0; tuples];
    let mut starts = Vec::new();
    let mut end = columns.len();
    while end > 0 {
        let (mut first, mut bits) = (end - 1, columns[end - 1].bits());
        while bits <= DIGIT_BITS && first > 0 && bits + columns[first - 1].bits() <= DIGIT_BITS {
            first -= 1;
            bits += columns[first].bits();
        }
        let widths: Vec<(&Narrow, u32)> = columns[first..end].iter().map(|codes| (codes, codes.bits())).collect();
        // A single column may need several digits.
        for shift in (0..bits.max(1)).step_by(DIGIT_BITS as usize) {
            let digit = |tuple: usize| {
                let key = widths.iter().fold(0u64, |key, (codes, bits)| key.unbounded_shl(*bits) | codes.get(tuple));
                (key >> shift) as usize & ((1 << DIGIT_BITS) - 1)
            };
            by_digit(&order, digit, &mut starts, &mut sorted);
            std::mem::swap(&mut order, &mut sorted);
        }
        end = first;
    }
    order
}

/// Sorts by one digit, equals staying in order.
fn by_digit(order: &[u32], digit: impl Fn(usize) -> usize, starts: &mut Vec<u32>, sorted: &mut [u32]) {
    starts.clear();
    for &tuple in order {
        let digit = digit(tuple as usize);
        if digit >= starts.len() {
            starts.resize(digit + 1, 0);
        }
        starts[digit] += 1;
    }
    let mut before = 0;
    for start in starts.iter_mut() {
        before += std::mem::replace(start, before);
    }
    for &tuple in order {
        let place = &mut starts[digit(tuple as usize)];
        sorted[*place as usize] = tuple;
        *place += 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn tuples_come_in_the_order_of_their_codes(
            tuples in prop::collection::vec((0u64..4, 0u64..70_000, 0u64..3, 0u64..300, prop_oneof![0..3u64, Just(u64::MAX)]), 0..60),
        ) {
            let columns: [Narrow; 5] = [
                tuples.iter().map(|tuple| tuple.0).collect(),
                tuples.iter().map(|tuple| tuple.1).collect(),
                tuples.iter().map(|tuple| tuple.2).collect(),
                tuples.iter().map(|tuple| tuple.3).collect(),
                tuples.iter().map(|tuple| tuple.4).collect(),
            ];
            let order = sorted_order(&columns, tuples.len());
            prop_assert!(order.iter().map(|at| (tuples[*at as usize], *at)).is_sorted());
            let mut places = order;
            places.sort_unstable();
            prop_assert!(places.into_iter().eq(0..tuples.len() as u32));
        }
    }
}
