//! Rows by their codes.

use std::collections::{BTreeMap, HashMap};

use crate::data::{AttributeCount, CountRequest, Counted, Dictionary, Distribution, Part};

/// Counts rows by their codes.
pub(super) struct Tally {
    quasi: Vec<usize>,
    attributes: Vec<usize>,
    pub(super) rows: u64,
    pub(super) dropped: u64,
    tuple_of: HashMap<Vec<u32>, u32>,
    tuples: Vec<u32>,
    counts: Vec<u64>,
    /// Per attribute column: rows by tuple and value.
    values: Vec<BTreeMap<(u32, u32), u64>>,
}

impl Tally {
    pub(super) fn new(request: &CountRequest) -> Self {
        let part =
            |part: Part| (0..request.columns.len()).filter(move |at| request.columns[*at].part == part).collect();
        let attributes: Vec<usize> = part(Part::Attribute);
        Tally {
            quasi: part(Part::Quasi),
            values: vec![BTreeMap::new(); attributes.len()],
            attributes,
            rows: 0,
            dropped: 0,
            tuple_of: HashMap::new(),
            tuples: Vec::new(),
            counts: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, codes: &[u32]) {
        self.rows += 1;
        let own: Vec<u32> = self.quasi.iter().map(|at| codes[*at]).collect();
        let next = self.counts.len() as u32;
        let tuple = *self.tuple_of.entry(own).or_insert_with_key(|own| {
            self.tuples.extend(own);
            self.counts.push(0);
            next
        });
        self.counts[tuple as usize] += 1;
        for (values, at) in self.values.iter_mut().zip(&self.attributes) {
            *values.entry((tuple, codes[*at])).or_default() += 1;
        }
    }

    pub(super) fn counted(self, dictionaries: Vec<Dictionary>) -> Counted {
        let tuples = self.counts.len();
        let column = |at: usize| self.tuples.iter().skip(at).step_by(self.quasi.len()).copied().collect();
        let entry = |((tuple, value), count)| AttributeCount { tuple, value, count };
        let distribution =
            |values: BTreeMap<(u32, u32), u64>| Distribution::of_sorted(tuples, values.into_iter().map(entry));
        Counted {
            rows: self.rows,
            dropped: self.dropped,
            dictionaries,
            tuples: (0..self.quasi.len()).map(column).collect(),
            counts: self.counts.into_iter().collect(),
            attributes: self.values.into_iter().map(distribution).collect(),
        }
    }
}
