//! Joins the workers' tallies into one count. Which worker met what first is chance, so everything is sorted by value:
//! the result is the same whatever the number of threads.

use paretonym::data::{AttributeCount, CountRequest, Counted, Dictionary, Encoding, MISSING, Part};
use rayon::prelude::*;

use crate::rows::tally::Tallied;

/// One count from many tallies.
pub(crate) fn merge(tallies: Vec<Tallied>, request: &CountRequest) -> Counted {
    let positions = |part| {
        let columns = request.columns.iter().enumerate().filter(move |(_, column)| column.part == part);
        columns.map(|(position, _)| position).collect::<Vec<usize>>()
    };
    let (quasi, attributes) = (positions(Part::Quasi), positions(Part::Attribute));
    let mut dictionaries = vec![Dictionary::Declared; request.columns.len()];
    // Per column and worker: from the worker's codes to the final ones.
    let mut recodings: Vec<Vec<Vec<u32>>> = vec![Vec::new(); request.columns.len()];
    for (position, column) in request.columns.iter().enumerate() {
        let place = match column.part {
            Part::Quasi => quasi.iter().position(|other| *other == position),
            Part::Attribute => attributes.iter().position(|other| *other == position),
        };
        let Some(place) = place else { continue };
        let codes = |tally: &Tallied| -> Vec<u32> {
            match column.part {
                Part::Quasi => tally.tuples.iter().skip(place).step_by(quasi.len()).copied().collect(),
                Part::Attribute => tally.attributes[place].iter().map(|(_, value, _)| *value).collect(),
            }
        };
        (dictionaries[position], recodings[position]) = dictionary(&tallies, position, &column.encoding, codes);
    }

    let recode = |position: usize, worker: usize, code: u32| match recodings[position].get(worker) {
        Some(recoding) if code != MISSING => recoding[code as usize],
        _ => code,
    };
    let (rows, dropped) = tallies.iter().fold((0, 0), |sum, tally| (sum.0 + tally.rows, sum.1 + tally.dropped));
    let mut tuples = Vec::new();
    let mut counts = Vec::new();
    let mut firsts = Vec::new();
    for (worker, tally) in tallies.iter().enumerate() {
        firsts.push(counts.len());
        counts.extend_from_slice(&tally.counts);
        let places = quasi.iter().cycle();
        tuples.extend(tally.tuples.iter().zip(places).map(|(code, position)| recode(*position, worker, *code)));
    }
    let (tuples, counts, renumbered) = sort_tuples(&tuples, &counts, quasi.len());

    let count_values = |(place, position): (usize, &usize)| {
        let of_worker = |(worker, tally): (usize, &Tallied)| {
            let renumber = |(tuple, value, count): &(u32, u32, u64)| AttributeCount {
                tuple: renumbered[firsts[worker] + *tuple as usize],
                value: recode(*position, worker, *value),
                count: *count,
            };
            tally.attributes[place].iter().map(renumber).collect::<Vec<_>>()
        };
        let mut found: Vec<AttributeCount> = tallies.iter().enumerate().flat_map(of_worker).collect();
        found.par_sort_unstable();
        found.dedup_by(|next, kept| {
            let same = (next.tuple, next.value) == (kept.tuple, kept.value);
            kept.count += if same { next.count } else { 0 };
            same
        });
        found
    };
    let attributes = attributes.iter().enumerate().map(count_values).collect();
    Counted { rows, dropped, dictionaries, tuples, counts, attributes }
}

/// The sorted dictionary of one column, and per worker the final code of each of its codes. Values that occur only in
/// rows that were left out are not in it.
fn dictionary(
    tallies: &[Tallied],
    position: usize,
    encoding: &Encoding,
    codes: impl Fn(&Tallied) -> Vec<u32>,
) -> (Dictionary, Vec<Vec<u32>>) {
    let used = |tally: &Tallied, values: usize| {
        let mut used = vec![false; values];
        for code in codes(tally) {
            if code != MISSING {
                used[code as usize] = true;
            }
        }
        used
    };
    match encoding {
        Encoding::Labels(_) | Encoding::Bins { .. } | Encoding::Known { .. } => (Dictionary::Declared, Vec::new()),
        Encoding::Text => {
            let texts: Vec<Vec<Option<&str>>> = tallies
                .iter()
                .map(|tally| {
                    let texts = &tally.dictionaries[position].0;
                    let used = used(tally, texts.len());
                    (0..texts.len()).map(|code| used[code].then(|| texts.get(code as u32))).collect()
                })
                .collect();
            let (sorted, recodings) = join(&texts, |left, right| left.cmp(right));
            (Dictionary::Text(sorted.into_iter().map(str::to_owned).collect()), recodings)
        }
        Encoding::Numbers => {
            let numbers: Vec<Vec<Option<f64>>> = tallies
                .iter()
                .map(|tally| {
                    let numbers = &tally.dictionaries[position].1;
                    let used = used(tally, numbers.len());
                    numbers.iter().zip(used).map(|(number, used)| used.then_some(*number)).collect()
                })
                .collect();
            let (sorted, recodings) = join(&numbers, |left, right| left.total_cmp(right));
            (Dictionary::Numbers(sorted), recodings)
        }
    }
}

/// The distinct values of all workers in order, and per worker the position of each of its values.
fn join<T: Copy + Send>(
    values: &[Vec<Option<T>>],
    order: impl Fn(&T, &T) -> std::cmp::Ordering + Sync,
) -> (Vec<T>, Vec<Vec<u32>>) {
    let mut sorted: Vec<T> = values.iter().flatten().flatten().copied().collect();
    sorted.par_sort_unstable_by(&order);
    sorted.dedup_by(|next, kept| order(next, kept).is_eq());
    let place = |value: &Option<T>| match value {
        Some(value) => sorted.partition_point(|other| order(other, value).is_lt()) as u32,
        None => MISSING,
    };
    let recodings = values.iter().map(|values| values.iter().map(place).collect()).collect();
    (sorted, recodings)
}

/// Sorts tuples and joins equal ones; also gives the final position of each tuple that came in.
fn sort_tuples(tuples: &[u32], counts: &[u64], width: usize) -> (Vec<u32>, Vec<u64>, Vec<u32>) {
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
