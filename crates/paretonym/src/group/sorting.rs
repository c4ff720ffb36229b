//! Tuples in the order of their codes, with eight bytes of memory a tuple.

use crate::data::Narrow;

/// Where each tuple of the sorted order comes from. Sorts by the last column first and keeps the order of equals, so that
/// no key is ever put together.
pub(super) fn sorted_order(columns: &[Narrow], tuples: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..tuples as u32).collect();
    let mut sorted = vec![0; tuples];
    let mut starts = Vec::new();
    for codes in columns.iter().rev() {
        let mut pass = |digit: &dyn Fn(usize) -> usize| {
            by_digit(&order, digit, &mut starts, &mut sorted);
            std::mem::swap(&mut order, &mut sorted);
        };
        match codes {
            Narrow::One(codes) => pass(&|tuple| codes[tuple].into()),
            Narrow::Two(codes) => pass(&|tuple| codes[tuple].into()),
            _ => {
                for shift in [0, 16] {
                    pass(&|tuple| (codes.get(tuple) >> shift & 0xffff) as usize);
                }
            }
        }
    }
    order
}

/// Sorts by one digit below 2^16, equals staying in order.
fn by_digit(order: &[u32], digit: &dyn Fn(usize) -> usize, starts: &mut Vec<u32>, sorted: &mut [u32]) {
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
            tuples in prop::collection::vec((0u64..4, 0u64..70_000, 0u64..300), 0..60),
        ) {
            let columns: [Narrow; 3] = [
                tuples.iter().map(|tuple| tuple.0).collect(),
                tuples.iter().map(|tuple| tuple.1).collect(),
                tuples.iter().map(|tuple| tuple.2).collect(),
            ];
            let order = sorted_order(&columns, tuples.len());
            prop_assert!(order.iter().map(|at| tuples[*at as usize]).is_sorted());
            let mut places = order;
            places.sort_unstable();
            prop_assert!(places.into_iter().eq(0..tuples.len() as u32));
        }
    }
}
