//! Joins the workers' tallies into one count. Which worker met what first is chance, so everything is sorted by value:
//! the result is the same whatever the number of threads.

use paretonym::data::{AttributeCount, CountRequest, Counted, Dictionary, Distribution, MISSING, Part};
use rayon::prelude::*;

use crate::rows::dictionaries::dictionary;
use crate::rows::sorting::sort_tuples;
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
        Distribution::of_sorted(counts.len(), found.into_iter())
    };
    let attributes = attributes.iter().enumerate().map(count_values).collect();
    let column = |at: usize| tuples.iter().skip(at).step_by(quasi.len()).copied().collect();
    Counted {
        rows,
        dropped,
        dictionaries,
        tuples: (0..quasi.len()).map(column).collect(),
        counts: counts.iter().copied().collect(),
        attributes,
    }
}
