//! Tuples in the order of their codes, equal ones joined.

use paretonym::data::{Distribution, Narrow, sorted_order};

/// Tuples in any order, some of which may be equal.
pub(crate) struct LooseTuples {
    /// Codes, column by column.
    pub columns: Vec<Narrow>,
    /// Rows of each.
    pub counts: Narrow,
    /// Per attribute: rows of each by value.
    pub attributes: Vec<Distribution>,
}

/// Sorts tuples and joins equal ones. Each list goes when its successor is made.
pub(crate) fn sort_tuples(loose: LooseTuples) -> LooseTuples {
    let LooseTuples { mut columns, counts, attributes } = loose;
    assert!(u32::try_from(counts.len()).is_ok(), "fewer than 2^32 distinct tuples");
    let order = sorted_order(&columns, counts.len());
    let same =
        |left: u32, right: u32| columns.iter().all(|codes| codes.get(left as usize) == codes.get(right as usize));
    // Where each distinct tuple begins in the order, and where the last one ends.
    let mut starts: Vec<u32> = Vec::new();
    for at in 0..order.len() {
        if at == 0 || !same(order[at - 1], order[at]) {
            starts.push(at as u32);
        }
    }
    starts.push(order.len() as u32);
    let distinct = starts.len() - 1;

    for codes in &mut columns {
        let mut sorted = codes.alike();
        sorted.reserve_exact(distinct);
        starts[..distinct].iter().for_each(|start| sorted.push(codes.get(order[*start as usize] as usize)));
        *codes = sorted;
    }
    let tuples = || starts.windows(2).map(|ends| &order[ends[0] as usize..ends[1] as usize]);
    let mut sums = counts.alike();
    sums.reserve_exact(distinct);
    tuples().for_each(|equal| sums.push(equal.iter().map(|tuple| counts.get(*tuple as usize)).sum()));
    drop(counts);
    let attributes = attributes.into_iter().map(|held| joined(&held, tuples())).collect();
    LooseTuples { columns, counts: sums, attributes }
}

/// The values of equal tuples together.
fn joined<'a>(held: &Distribution, tuples: impl ExactSizeIterator<Item = &'a [u32]>) -> Distribution {
    let mut all = Distribution { values: held.values.alike(), counts: held.counts.alike(), ..Distribution::empty() };
    all.offsets.reserve_exact(tuples.len());
    all.values.reserve_exact(held.values.len());
    all.counts.reserve_exact(held.counts.len());
    let mut met: Vec<(u32, u64)> = Vec::new();
    for equal in tuples {
        met.extend(equal.iter().flat_map(|tuple| held.of(*tuple as usize).iter()));
        all.push_group(&mut met);
        met.clear();
    }
    all
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use paretonym::data::{AttributeCount, MISSING};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equal_tuples_are_joined_and_the_others_sorted(
            rows in prop::collection::vec((prop_oneof![0u32..3, Just(MISSING), Just(MISSING - 9)], 0u32..3, 0u32..4, 1u64..1 << 33), 0..60),
        ) {
            let entry = |(tuple, row): (usize, &(u32, u32, u32, u64))| AttributeCount { tuple: tuple as u32, value: row.2, count: row.3 };
            let loose = LooseTuples {
                columns: vec![rows.iter().map(|row| row.0).collect(), rows.iter().map(|row| row.1).collect()],
                counts: rows.iter().map(|row| row.3).collect(),
                attributes: vec![Distribution::of_sorted(rows.len(), rows.iter().enumerate().map(entry))],
            };
            let mut expected: BTreeMap<(u32, u32), BTreeMap<u32, u64>> = BTreeMap::new();
            for (a, b, value, count) in &rows {
                *expected.entry((*a, *b)).or_default().entry(*value).or_default() += count;
            }
            let sorted = sort_tuples(loose);
            prop_assert_eq!(sorted.counts.len(), expected.len());
            for (at, ((a, b), values)) in expected.into_iter().enumerate() {
                prop_assert_eq!([sorted.columns[0].get(at), sorted.columns[1].get(at)], [u64::from(a), u64::from(b)]);
                prop_assert_eq!(sorted.counts.get(at), values.values().sum::<u64>());
                prop_assert!(sorted.attributes[0].of(at).iter().eq(values));
            }
        }
    }
}
