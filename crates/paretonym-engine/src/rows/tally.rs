//! One worker's count of distinct tuples.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use hashbrown::{HashMap, HashTable};
use paretonym::data::{CountRequest, Encoding, MISSING, OnMissing, Part, Source};

use crate::rows::cells::Cells;
use crate::rows::coder::{Coder, INVALID};
use crate::rows::interner::Interner;
use crate::rows::packed::pack;
use crate::rows::pairs::Pairs;
use crate::rows::pass::{Consumer, Fault};

/// Counts rows by the codes of their quasi columns, and per tuple the values of each attribute.
pub(crate) struct Tally<'a> {
    source: &'a Source,
    request: &'a CountRequest,
    /// Per place of a coded row, quasi columns first: the position in the request, and in the batches of the pass.
    places: Vec<(usize, usize)>,
    /// How many of the places are quasi.
    quasi: usize,
    coders: Vec<Coder<'a>>,
    codes: Vec<u32>,
    hasher: RandomState,
    /// Tuples that can be packed, by their number.
    packed: HashMap<u64, u32, RandomState>,
    /// All other tuples.
    table: HashTable<u32>,
    /// Codes of the distinct tuples, one after the other.
    tuples: Vec<u32>,
    counts: Vec<u64>,
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
    /// Quasi codes, tuple after tuple.
    pub tuples: Vec<u32>,
    /// Rows per tuple.
    pub counts: Vec<u64>,
    /// Per attribute: tuple, value, rows.
    pub attributes: Vec<Vec<(u32, u32, u64)>>,
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
        Tally {
            source,
            request,
            quasi,
            coders: places.iter().map(coder).collect(),
            codes: Vec::new(),
            hasher: RandomState::default(),
            packed: HashMap::default(),
            table: HashTable::new(),
            tuples: Vec::new(),
            counts: Vec::new(),
            attributes: places[quasi..].iter().map(pairs).collect(),
            rows: 0,
            dropped: 0,
            places,
        }
    }

    /// The number of a tuple, which gets one where it is new.
    fn tuple(&mut self, key: &[u32]) -> u32 {
        let quasi = self.quasi;
        let Tally { packed, table, tuples, counts, hasher, .. } = self;
        let next = u32::try_from(counts.len()).expect("fewer than 2^32 distinct tuples");
        let tuple = match pack(key) {
            Some(number) => *packed.entry(number).or_insert(next),
            None => {
                let of = |id: u32| id as usize * quasi..(id as usize + 1) * quasi;
                let hash = hasher.hash_one(key);
                match table.find(hash, |id| tuples[of(*id)] == *key) {
                    Some(id) => *id,
                    None => {
                        // The tuple itself is added below; until then only others are hashed anew.
                        table.insert_unique(hash, next, |id| hasher.hash_one(&tuples[of(*id)]));
                        next
                    }
                }
            }
        };
        if tuple == next {
            tuples.extend_from_slice(key);
            counts.push(0);
        }
        tuple
    }

    /// Counts one row of codes, none of which is refused.
    fn count(&mut self, row: &[u32]) {
        let quasi = self.quasi;
        let tuple = self.tuple(&row[..quasi]);
        self.counts[tuple as usize] += 1;
        for (attribute, value) in self.attributes.iter_mut().zip(&row[quasi..]) {
            attribute.add(tuple, *value);
        }
        self.rows += 1;
    }

    /// What is wrong with a row: the first refused cell in the order of the request.
    fn fault(&self, cells: &[Cells], row: usize, codes: &[u32]) -> Fault {
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
        Fault { row, column: self.request.columns[position].name.clone(), value, problem }
    }

    /// Ends the count.
    pub fn finish(self) -> Tallied {
        let mut dictionaries: Vec<_> =
            self.places.iter().zip(self.coders).map(|((position, _), coder)| (*position, coder)).collect();
        dictionaries.sort_by_key(|(position, _)| *position);
        Tallied {
            rows: self.rows,
            dropped: self.dropped,
            dictionaries: dictionaries.into_iter().map(|(_, coder)| coder.into_dictionary()).collect(),
            tuples: self.tuples,
            counts: self.counts,
            attributes: self.attributes.into_iter().map(|pairs| pairs.into_entries().collect()).collect(),
        }
    }
}

impl Consumer for Tally<'_> {
    fn take(&mut self, cells: &[Cells], rows: usize) -> Result<(), Fault> {
        let width = self.places.len();
        let mut codes = std::mem::take(&mut self.codes);
        codes.resize(rows * width, 0);
        for place in 0..width {
            let slot = self.places[place].1;
            self.coders[place].fill(&cells[slot], &mut codes, place, width);
        }
        let drop_missing = self.source.on_missing == OnMissing::DropRow;
        let keep_missing = self.source.on_missing == OnMissing::Value;
        for row in 0..rows {
            let codes = &codes[row * width..(row + 1) * width];
            if codes.iter().all(|code| *code < INVALID) {
                self.count(codes);
            } else if drop_missing && codes.contains(&MISSING) {
                self.dropped += 1;
            } else if keep_missing && !codes.contains(&INVALID) {
                self.count(codes);
            } else {
                return Err(self.fault(cells, row, codes));
            }
        }
        self.codes = codes;
        Ok(())
    }
}
