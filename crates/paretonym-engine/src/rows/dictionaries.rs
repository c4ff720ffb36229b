//! The values that all workers met, as one sorted list per column.

use paretonym::data::{Dictionary, Encoding, MISSING};
use rayon::prelude::*;

use crate::rows::tally::Tallied;

/// The sorted dictionary of one column, and per worker the final code of each of its codes; none where the codes are final
/// already. Values that occur only in rows that were left out are not in it: `each_code` shows every code of a worker that
/// occurs in the others.
pub(crate) fn dictionary(
    tallies: &[Tallied],
    position: usize,
    encoding: &Encoding,
    each_code: impl Fn(&Tallied, &mut dyn FnMut(u32)),
) -> (Dictionary, Vec<Vec<u32>>) {
    let used = |tally: &Tallied, values: usize| {
        let mut used = vec![false; values];
        each_code(tally, &mut |code| {
            if code != MISSING {
                used[code as usize] = true;
            }
        });
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
