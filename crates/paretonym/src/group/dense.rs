//! Keys small enough to index counters.

use std::ops::Range;

use super::kernel::{CHUNK, CODES, Making, RowCount};
use super::{Tuples, Workspace};
use crate::data::Narrow;

/// Counters that are looked at together.
const BLOCK: usize = 16;

impl Workspace {
    /// Groups by counters, one for each combination of sets; whether there are few enough groups.
    pub(super) fn group_dense<R: RowCount>(&mut self, combinations: usize, mut making: Making) -> bool {
        self.weigh_lookups();
        let mut counters = std::mem::take(R::counters(self));
        if counters.len() < combinations {
            counters.resize(combinations, R::default());
        }
        let input = making.input;
        let rows = R::list(&input.rows);
        // Few keys are written down once for all that is done with them.
        let written = making.needs.each_tuple() && input.len() <= CHUNK;
        if written {
            self.fill_keys(input, 0..input.len());
            self.keys.iter().zip(rows).for_each(|(key, rows)| counters[*key as usize] += *rows);
        } else {
            self.count_dense(input, rows, &mut counters);
        }

        let sums = R::emptied(&mut making.groups.rows);
        self.counted_keys.clear();
        // Most counters are empty: many are passed over at once.
        for (block, some) in counters[..combinations].chunks_mut(BLOCK).enumerate() {
            if R::all_zero(some) {
                continue;
            }
            for (at, counter) in some.iter_mut().enumerate() {
                if *counter != R::default() {
                    sums.push(*counter);
                    self.counted_keys.push((block * BLOCK + at) as u32);
                    // From here on the counter holds the group, for the tuples to look it up.
                    *counter = R::of_group(sums.len() as u32 - 1);
                }
            }
        }
        let few = sums.len() <= making.most;
        if few && making.needs.each_tuple() {
            self.add_counted(&counters, written, &mut making);
        }
        self.counted_keys.iter().for_each(|key| counters[*key as usize] = R::default());
        *R::counters(self) = counters;
        if few {
            self.decode_keys(&mut making.groups.fused);
        }
        few
    }

    /// Multiplies the parts of each column by what they count in a key.
    fn weigh_lookups(&mut self) {
        let mut weight = 1u32;
        for ((lookup, radix), filled) in self.lookups.iter_mut().zip(&self.radix).zip(&self.filled).rev() {
            if weight > 1 {
                lookup[..*filled].iter_mut().for_each(|part| *part *= weight);
            }
            weight *= radix;
        }
    }

    /// The keys of some tuples: the sums of their parts.
    pub(super) fn fill_keys(&mut self, input: &Tuples, some: Range<usize>) {
        self.keys.clear();
        self.keys.resize(some.len(), 0);
        for (lookup, codes) in self.lookups.iter().zip(&input.fused) {
            let keys = self.keys.iter_mut();
            match codes {
                Narrow::Two(codes) => {
                    let lookup = fixed(lookup);
                    keys.zip(&codes[some.clone()]).for_each(|(key, code)| *key += lookup[*code as usize]);
                }
                Narrow::Four(codes) => {
                    keys.zip(&codes[some.clone()]).for_each(|(key, code)| *key += lookup[*code as usize]);
                }
                codes => keys.zip(some.clone()).for_each(|(key, at)| *key += lookup[codes.get(at) as usize]),
            }
        }
    }

    /// Adds the rows of each tuple to the counter of its key, without writing the keys down where that can be helped.
    fn count_dense<R: RowCount>(&mut self, input: &Tuples, rows: &[R], counters: &mut [R]) {
        let lookup = |at: usize| fixed(&self.lookups[at]);
        let last = rows.len().saturating_sub(1);
        match input.fused.as_slice() {
            [Narrow::Two(a)] => {
                let la = lookup(0);
                let key = |x: u16| la[x as usize] as usize;
                for ((x, y), (left, right)) in in_halves(a).zip(in_halves(rows)) {
                    counters[key(*x)] += *left;
                    counters[key(*y)] += *right;
                }
                if rows.len() % 2 == 1 {
                    counters[key(a[last])] += rows[last];
                }
            }
            [Narrow::Two(a), Narrow::Two(b)] => {
                let (la, lb) = (lookup(0), lookup(1));
                let key = |x: u16, y: u16| (la[x as usize] + lb[y as usize]) as usize;
                for ((x, y), (left, right)) in in_halves(a).zip(in_halves(b)).zip(in_halves(rows)) {
                    counters[key(*x.0, *y.0)] += *left;
                    counters[key(*x.1, *y.1)] += *right;
                }
                if rows.len() % 2 == 1 {
                    counters[key(a[last], b[last])] += rows[last];
                }
            }
            [Narrow::Two(a), Narrow::Two(b), Narrow::Two(c)] => {
                let (la, lb, lc) = (lookup(0), lookup(1), lookup(2));
                let key = |x: u16, y: u16, z: u16| (la[x as usize] + lb[y as usize] + lc[z as usize]) as usize;
                let codes = in_halves(a).zip(in_halves(b)).zip(in_halves(c));
                for (((x, y), z), (left, right)) in codes.zip(in_halves(rows)) {
                    counters[key(*x.0, *y.0, *z.0)] += *left;
                    counters[key(*x.1, *y.1, *z.1)] += *right;
                }
                if rows.len() % 2 == 1 {
                    counters[key(a[last], b[last], c[last])] += rows[last];
                }
            }
            _ => {
                for (chunk, rows) in rows.chunks(CHUNK).enumerate() {
                    self.fill_keys(input, chunk * CHUNK..chunk * CHUNK + rows.len());
                    self.keys.iter().zip(rows).for_each(|(key, rows)| counters[*key as usize] += *rows);
                }
            }
        }
    }

    /// One leaf code per group and fused column, from the digits of the group's key.
    fn decode_keys(&mut self, fused: &mut [Narrow]) {
        for (at, codes) in fused.iter_mut().enumerate().rev() {
            let (shown, radix) = (&self.shown[at], self.radix[at]);
            let divided = Divisor::new(radix);
            let digits = self.counted_keys.iter_mut().map(|key| {
                let rest = divided.quotient(*key);
                let part = *key - rest * radix;
                *key = rest;
                shown[part as usize]
            });
            match codes {
                Narrow::Two(codes) => codes.extend(digits.map(|code| code as u16)),
                codes => digits.for_each(|code| codes.push(u64::from(code))),
            }
        }
    }
}

/// The first with the first of the second half, and so on; of an odd number the last is left over. Neighbours mostly fall
/// into one group, so that the next would have to wait for the counter of the one before.
#[inline]
fn in_halves<T>(list: &[T]) -> impl Iterator<Item = (&T, &T)> {
    let (first, second) = list.split_at(list.len() / 2);
    first.iter().zip(second)
}

/// Divides by the same number again and again: a product with its reciprocal in 64 bits is exact for numbers of 32 bits
/// (Lemire, Kaser and Kurz 2019).
struct Divisor {
    reciprocal: Option<u64>,
}

impl Divisor {
    fn new(number: u32) -> Self {
        Divisor { reciprocal: (number > 1).then(|| u64::MAX / u64::from(number) + 1) }
    }

    #[inline]
    fn quotient(&self, number: u32) -> u32 {
        match self.reciprocal {
            Some(reciprocal) => ((u128::from(reciprocal) * u128::from(number)) >> 64) as u32,
            None => number,
        }
    }
}

/// A look-up that has an entry for any code of two bytes.
#[inline]
fn fixed(lookup: &[u32]) -> &[u32; CODES] {
    lookup[..CODES].try_into().expect("look-ups have that many entries")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Divisor;

    proptest! {
        #[test]
        fn products_divide(number: u32, by in prop_oneof![1u32..5000, 1u32..=u32::MAX], less in 0u32..3) {
            let near = (number / by * by).wrapping_sub(less);
            for number in [number, near, u32::MAX - less] {
                prop_assert_eq!(Divisor::new(by).quotient(number), number / by);
            }
        }
    }
}
