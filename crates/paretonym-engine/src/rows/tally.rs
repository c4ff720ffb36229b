//! One worker's count of distinct tuples.

use std::hash::BuildHasher;

use foldhash::quality::FixedState;
use paretonym::data::{CountRequest, Encoding, MISSING, Narrow, OnMissing, Part, Source, TuplePart};

use crate::rows::cells::Cells;
use crate::rows::coder::{Coder, INVALID};
use crate::rows::interner::Interner;
use crate::rows::pairs::Pairs;
use crate::rows::pass::{Consumer, CountingConsumer, Fault};
use crate::rows::tuple_numbers::TupleNumbers;

/// Counts rows by the codes of their quasi columns, and per tuple the values of each attribute.
pub(crate) struct Tally<'a> {
    source: &'a Source,
    request: &'a CountRequest,
    /// Per coded column, quasi columns first: the position in the request, and in the batches of the pass.
    places: Vec<(usize, usize)>,
    /// How many of the places are quasi.
    quasi: usize,
    coders: Vec<Coder<'a>>,
    /// The codes of a batch, column by column.
    codes: Vec<Vec<u32>>,
    tuples: TupleNumbers,
    /// The tuple of each row of a batch.
    numbers: Vec<u32>,
    counts: Vec<u16>,
    /// Tuples whose count was full, once for each time that it was.
    full: Vec<u32>,
    /// Tuples of which many rows came at once, and what of these the counts cannot hold.
    more: Vec<(u32, u64)>,
    /// Per attribute: rows by tuple and value.
    attributes: Vec<Pairs>,
    rows: u64,
    dropped: u64,
}

/// What a tally holds in the end. Codes are the worker's own.
pub(crate) struct Tallied {
    /// Rows counted.
    pub rows: u64,
    /// Rows left out.
    pub dropped: u64,
    /// Texts and numbers by code, per column of the request.
    pub dictionaries: Vec<(Interner, Vec<f64>)>,
    /// The tuples of quasi codes.
    pub tuples: TupleNumbers,
    /// Rows per tuple.
    pub counts: Narrow,
    /// Per attribute: rows by tuple and value.
    pub attributes: Vec<Pairs>,
}

impl<'a> Tally<'a> {
    /// Counts nothing yet. `slots` says where in a batch each requested column is.
    pub fn new(source: &'a Source, request: &'a CountRequest, slots: &[usize], null_is_empty: bool) -> Self {
        let of = |part| {
            let columns = request.columns.iter().enumerate().filter(move |(_, column)| column.part == part);
            columns.map(|(position, _)| (position, slots[position]))
        };
        let quasi = of(Part::Quasi).count();
        let places: Vec<(usize, usize)> = of(Part::Quasi).chain(of(Part::Attribute)).collect();
        let coder = |(position, _): &(usize, usize)| {
            Coder::new(&request.columns[*position].encoding, source.cell_rule(), null_is_empty)
        };
        let pairs = |(position, _): &(usize, usize)| match &request.columns[*position].encoding {
            Encoding::Labels(labels) => Pairs::new(Some(labels.len())),
            Encoding::Bins { edges, .. } => Pairs::new(Some(edges.len())),
            Encoding::Known { codes, .. } => Pairs::new(Some(codes.len())),
            // Without tuples there is but one row of counters, which may be long.
            Encoding::Text | Encoding::Numbers => Pairs::new((quasi == 0).then_some(usize::MAX)),
        };
        let known = |(position, _): &(usize, usize)| match &request.columns[*position].encoding {
            Encoding::Labels(labels) => Some(labels.len()),
            Encoding::Bins { edges, .. } => Some(edges.len()),
            Encoding::Known { .. } | Encoding::Text | Encoding::Numbers => None,
        };
        Tally {
            source,
            request,
            quasi,
            coders: places.iter().map(coder).collect(),
            codes: vec![Vec::new(); places.len()],
            tuples: TupleNumbers::new(places[..quasi].iter().map(known)),
            numbers: Vec::new(),
            counts: Vec::new(),
            full: Vec::new(),
            more: Vec::new(),
            attributes: places[quasi..].iter().map(pairs).collect(),
            rows: 0,
            dropped: 0,
            places,
        }
    }

    /// Leaves out the rows of a batch that are not to be counted, and their times; how many stay.
    fn choose(&mut self, cells: &[Cells], rows: usize, times: Option<&mut Vec<u64>>) -> Result<usize, Fault> {
        // Refused and missing cells have the largest codes, whose first bit no other has. All bits together are found faster
        // than the first code that is large.
        let bits = |codes: &Vec<u32>| codes.iter().fold(0, |bits, code| bits | code);
        if self.codes.iter().all(|codes| bits(codes) >> (u32::BITS - 1) == 0) {
            return Ok(rows);
        }
        let mut chosen = Vec::with_capacity(rows);
        for row in 0..rows {
            let has = |wanted: u32| self.codes.iter().any(|codes| codes[row] == wanted);
            let stays = match self.source.on_missing {
                OnMissing::DropRow if has(MISSING) => {
                    self.dropped += times.as_ref().map_or(1, |times| times[row]);
                    false
                }
                OnMissing::Error if has(MISSING) => return Err(self.fault(cells, row)),
                _ if has(INVALID) => return Err(self.fault(cells, row)),
                _ => true,
            };
            chosen.push(stays);
        }
        for codes in &mut self.codes {
            let mut stays = chosen.iter();
            codes.retain(|_| stays.next().is_none_or(|stays| *stays));
        }
        if let Some(times) = times {
            let mut stays = chosen.iter();
            times.retain(|_| stays.next().is_none_or(|stays| *stays));
        }
        Ok(chosen.iter().filter(|stays| **stays).count())
    }

    /// What is wrong with a row: the first refused cell in the order of the request.
    fn fault(&self, cells: &[Cells], row: usize) -> Fault {
        let codes: Vec<u32> = self.codes.iter().map(|codes| codes[row]).collect();
        let refused = |code: u32| code == INVALID || (code == MISSING && self.source.on_missing == OnMissing::Error);
        let place = (0..codes.len())
            .filter(|place| refused(codes[*place]))
            .min_by_key(|place| self.places[*place].0)
            .expect("a row is refused because of a cell");
        let (position, slot) = self.places[place];
        let value = cells[slot].show(row);
        let problem = match codes[place] {
            MISSING => "which means missing; correct it, or set `on_missing` to \"drop-row\" or \"value\"".to_owned(),
            _ => self.coders[place].problem(&value),
        };
        Fault { row, column: self.request.columns[position].name.clone(), value, problem, too_many: None }
    }

    /// Ends the count.
    pub fn finish(mut self) -> Tallied {
        let mut dictionaries: Vec<_> =
            self.places.iter().zip(self.coders).map(|((position, _), coder)| (*position, coder)).collect();
        dictionaries.sort_by_key(|(position, _)| *position);
        self.tuples.settle();
        self.attributes.iter_mut().for_each(Pairs::settle);
        let largest = self.counts.iter().max().copied().unwrap_or_default();
        let mut counts = Narrow::up_to(largest.into());
        counts.reserve_exact(self.counts.len());
        self.counts.into_iter().for_each(|count| counts.push(count.into()));
        let full = self.full.into_iter().map(|tuple| (tuple, 1 << u16::BITS));
        for (tuple, rows) in full.chain(self.more) {
            counts.set(tuple as usize, counts.get(tuple as usize) + rows);
        }
        Tallied {
            rows: self.rows,
            dropped: self.dropped,
            dictionaries: dictionaries.into_iter().map(|(_, coder)| coder.into_dictionary()).collect(),
            tuples: self.tuples,
            counts,
            attributes: self.attributes,
        }
    }
}

impl Tally<'_> {
    /// Leaves out the rows of other parts, and their times; how many stay.
    fn take_part(&mut self, part: &TuplePart, rows: usize, times: Option<&mut Vec<u64>>) -> usize {
        for (codes, missing) in self.codes.iter_mut().zip(&part.missing) {
            let Some(missing) = missing else { continue };
            codes.iter_mut().filter(|code| **code == MISSING).for_each(|code| *code = *missing);
        }
        let quasi = &self.codes[..self.quasi];
        let of =
            |row: usize| FixedState::default().hash_one(quasi.iter().map(|codes| codes[row]).collect::<Vec<u32>>());
        let chosen: Vec<bool> = (0..rows).map(|row| of(row) % part.of == part.number).collect();
        for codes in &mut self.codes {
            let mut stays = chosen.iter();
            codes.retain(|_| stays.next().is_none_or(|stays| *stays));
        }
        if let Some(times) = times {
            let mut stays = chosen.iter();
            times.retain(|_| stays.next().is_none_or(|stays| *stays));
        }
        chosen.iter().filter(|stays| **stays).count()
    }

    /// The codes of a batch, column by column and quasi columns first, and how many of its rows stay; the times of others go.
    pub fn codes_of(
        &mut self,
        cells: &[Cells],
        rows: usize,
        times: Option<&mut Vec<u64>>,
    ) -> Result<(&[Vec<u32>], usize), Fault> {
        self.code(cells, rows);
        let rows = self.choose(cells, rows, times)?;
        Ok((&self.codes[..self.quasi], rows))
    }

    /// Stops where there are more distinct tuples than may be counted.
    fn check_few(&self) -> Result<(), Fault> {
        let most = self.request.at_most.filter(|most| self.tuples.len() as u64 > *most);
        most.map_or(Ok(()), |most| Err(Fault::too_many(most)))
    }

    /// Codes the cells of a batch.
    fn code(&mut self, cells: &[Cells], rows: usize) {
        for ((codes, coder), (_, slot)) in self.codes.iter_mut().zip(&mut self.coders).zip(&self.places) {
            codes.resize(rows, 0);
            coder.fill(&cells[*slot], codes.iter_mut());
        }
    }
}

impl CountingConsumer for Tally<'_> {
    fn take_counted(&mut self, cells: &[Cells], times: &[u64]) -> Result<(), Fault> {
        self.code(cells, times.len());
        let mut times = times.to_vec();
        let mut rows = self.choose(cells, times.len(), Some(&mut times))?;
        if let Some(part) = &self.request.part {
            rows = self.take_part(part, rows, Some(&mut times));
        }
        let (quasi, attributes) = self.codes.split_at(self.quasi);
        self.tuples.number(quasi, rows, &mut self.numbers);
        self.check_few()?;
        self.counts.resize(self.tuples.len(), 0);
        for (tuple, times) in self.numbers.iter().zip(&times) {
            let count = &mut self.counts[*tuple as usize];
            let sum = u64::from(*count) + times;
            *count = sum as u16;
            if sum > u64::from(u16::MAX) {
                self.more.push((*tuple, sum - u64::from(*count)));
            }
        }
        for (pairs, values) in self.attributes.iter_mut().zip(attributes) {
            let counted = self.numbers.iter().zip(values).zip(&times);
            counted.for_each(|((tuple, value), times)| pairs.add_many(*tuple, *value, *times));
        }
        self.rows += times.iter().sum::<u64>();
        Ok(())
    }
}

impl Consumer for Tally<'_> {
    fn take(&mut self, cells: &[Cells], rows: usize) -> Result<(), Fault> {
        self.code(cells, rows);
        let mut rows = self.choose(cells, rows, None)?;
        if let Some(part) = &self.request.part {
            rows = self.take_part(part, rows, None);
        }
        let (quasi, attributes) = self.codes.split_at(self.quasi);
        self.tuples.number(quasi, rows, &mut self.numbers);
        self.check_few()?;
        self.counts.resize(self.tuples.len(), 0);
        for tuple in &self.numbers {
            let count = &mut self.counts[*tuple as usize];
            *count = count.wrapping_add(1);
            if *count == 0 {
                self.full.push(*tuple);
            }
        }
        for (pairs, values) in self.attributes.iter_mut().zip(attributes) {
            self.numbers.iter().zip(values).for_each(|(tuple, value)| pairs.add(*tuple, *value));
        }
        self.rows += rows as u64;
        Ok(())
    }
}
