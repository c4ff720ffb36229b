//! Joins the workers' tallies into one count. Which worker met what first is chance, so everything is sorted by value:
//! the result is the same whatever the number of threads.
//!
//! Tables of millions of tuples pass here. What a worker counted goes as soon as it is written down in fewer bytes.

use paretonym::data::{CountRequest, Counted, Dictionary, Distribution, Encoding, MISSING, Narrow, Part};

use crate::rows::dictionaries::dictionary;
use crate::rows::sorting::{LooseTuples, sort_tuples};
use crate::rows::tally::Tallied;

/// One count from many tallies.
pub(crate) fn merge(tallies: Vec<Tallied>, request: &CountRequest) -> Counted {
    let positions = |part| {
        let columns = request.columns.iter().enumerate().filter(move |(_, column)| column.part == part);
        columns.map(|(position, _)| position).collect::<Vec<usize>>()
    };
    let (quasi, attributes) = (positions(Part::Quasi), positions(Part::Attribute));
    let (rows, dropped) = tallies.iter().fold((0, 0), |sum, tally| (sum.0 + tally.rows, sum.1 + tally.dropped));

    let mut dictionaries = vec![Dictionary::Declared; request.columns.len()];
    // Per column and worker: from the worker's codes to the final ones.
    let mut recodings: Vec<Vec<Vec<u32>>> = vec![Vec::new(); request.columns.len()];
    for (place, &position) in quasi.iter().enumerate() {
        let each_code = |tally: &Tallied, take: &mut dyn FnMut(u32)| {
            tally.tuples.each_code(place, take);
        };
        (dictionaries[position], recodings[position]) =
            dictionary(&tallies, position, &request.columns[position].encoding, each_code);
    }
    for (place, &position) in attributes.iter().enumerate() {
        let each_code = |tally: &Tallied, take: &mut dyn FnMut(u32)| {
            tally.attributes[place].each_value(take);
        };
        (dictionaries[position], recodings[position]) =
            dictionary(&tallies, position, &request.columns[position].encoding, each_code);
    }

    let codes = |position: &usize| {
        let known = match (&dictionaries[*position], &request.columns[*position].encoding) {
            (Dictionary::Text(texts), _) => texts.len(),
            (Dictionary::Numbers(numbers), _) => numbers.len(),
            (_, Encoding::Labels(labels)) => labels.len(),
            (_, Encoding::Bins { edges, .. }) => edges.len(),
            (_, Encoding::Known { codes, .. }) => codes.len(),
            _ => 0,
        };
        Narrow::up_to(known as u64)
    };
    let mut loose = LooseTuples {
        columns: quasi.iter().map(codes).collect(),
        counts: Narrow::default(),
        attributes: attributes.iter().map(|at| Distribution { values: codes(at), ..Distribution::empty() }).collect(),
    };
    make_room(&mut loose, &tallies);
    for (worker, tally) in tallies.into_iter().enumerate() {
        let recode = |position: usize| move_codes(&recodings[position], worker);
        add(
            &mut loose,
            tally,
            &quasi.iter().map(|at| recode(*at)).collect::<Vec<_>>(),
            &attributes.iter().map(|at| recode(*at)).collect::<Vec<_>>(),
        );
    }
    let LooseTuples { columns: tuples, counts, attributes } = sort_tuples(loose);
    Counted { rows, dropped, dictionaries, tuples, counts, attributes }
}

/// Makes room for all that was counted, and no more: lists that grow on their own grow to twice what they need.
fn make_room(loose: &mut LooseTuples, tallies: &[Tallied]) {
    let tuples = tallies.iter().map(|tally| tally.counts.len()).sum();
    loose.counts.reserve_exact(tuples);
    loose.columns.iter_mut().for_each(|codes| codes.reserve_exact(tuples));
    for (place, held) in loose.attributes.iter_mut().enumerate() {
        let entries = tallies.iter().map(|tally| tally.attributes[place].len()).sum();
        held.offsets.reserve_exact(tuples);
        held.values.reserve_exact(entries);
        held.counts.reserve_exact(entries);
    }
}

/// From a worker's codes of one column to the final ones.
fn move_codes(recodings: &[Vec<u32>], worker: usize) -> impl Fn(u32) -> u32 {
    let recoding = recodings.get(worker);
    move |code| match recoding {
        Some(recoding) if code != MISSING => recoding[code as usize],
        _ => code,
    }
}

/// Adds what one worker counted, in the final codes.
fn add(loose: &mut LooseTuples, tally: Tallied, quasi: &[impl Fn(u32) -> u32], attributes: &[impl Fn(u32) -> u32]) {
    let Tallied { tuples, counts, attributes: entries, dictionaries, .. } = tally;
    drop(dictionaries);
    let count = counts.len();
    counts.iter().for_each(|rows| loose.counts.push(rows));
    for ((place, column), recode) in loose.columns.iter_mut().enumerate().zip(quasi) {
        tuples.each_code(place, |code| column.push(u64::from(recode(code))));
    }
    drop(tuples);
    for ((entries, held), recode) in entries.into_iter().zip(&mut loose.attributes).zip(attributes) {
        entries.each_tuple(count, |met| {
            met.iter_mut().for_each(|(value, _)| *value = recode(*value));
            held.push_group(met);
        });
    }
}
