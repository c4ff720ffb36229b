//! Packed tuples grouped under a node. They are sorted by one column first, and a set of that column is a run of its leaves: the
//! groups of one such set are counted, looked at and forgotten before the next.

use std::hash::BuildHasher;
use std::io;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use paretonym::engine::{DistantRequest, Watch};

use super::entries::{Entries, EntryReader, decoded};
use super::packing::{PackedColumn, Packing};

/// Counters that lie in a row rather than in a hash table, at most; more would not stay close to the processor.
const MOST_DENSE: u64 = 1 << 22;

/// Entries between two looks at whether somebody wants to stop.
const PATIENCE: u64 = 1 << 20;

/// What a node makes of packed tuples.
pub(super) struct NodeGroups<'a> {
    packing: &'a Packing,
    /// Per column and leaf, its set.
    set_of: Vec<Vec<u32>>,
    /// Per column, how far apart its sets are in the number of a group; the first column is no part of it.
    strides: Vec<u64>,
    sets: Vec<u64>,
    /// Where groups have few numbers, these.
    dense: Option<usize>,
    most: u64,
}

/// The groups of one set of the first column.
#[derive(Default)]
struct Run {
    dense: Vec<u32>,
    met: Vec<u32>,
    /// Rows of groups that have no counter, or that it could not hold.
    sparse: HashMap<u64, u64, FixedState>,
}

/// A part of a run: groups by the hash of their numbers.
#[derive(Clone, Copy)]
struct RunPart {
    number: u64,
    of: u64,
}

impl<'a> NodeGroups<'a> {
    /// At most so many groups are held at a time.
    pub fn new(packing: &'a Packing, request: &DistantRequest, node: &[u32], most: u64) -> Self {
        let set_of = |(at, column): (usize, &PackedColumn)| {
            let codes = &request.levels[at][node[at] as usize];
            column.by_leaf(|code| codes[code].set)
        };
        let set_of: Vec<Vec<u32>> = packing.columns.iter().enumerate().map(set_of).collect();
        let sets: Vec<u64> =
            set_of.iter().map(|sets| sets.iter().max().map_or(1, |last| u64::from(*last) + 1)).collect();
        let mut numbers = 1;
        let mut strides = vec![0; sets.len()];
        for column in (0..sets.len()).filter(|column| *column != packing.first) {
            strides[column] = numbers;
            numbers *= sets[column];
        }
        let dense = (numbers <= MOST_DENSE.min(most.saturating_mul(4))).then_some(numbers as usize);
        NodeGroups { packing, set_of, strides, sets, dense, most }
    }

    /// The set of a column in a group.
    pub fn set(&self, column: usize, (first, number): (u32, u64)) -> u32 {
        match column == self.packing.first {
            true => first,
            false => match (u32::try_from(number), u32::try_from(self.strides[column])) {
                // Half as long to divide.
                (Ok(number), Ok(stride)) => number / stride % self.sets[column] as u32,
                _ => (number / self.strides[column] % self.sets[column]) as u32,
            },
        }
    }

    /// Tells every group, by the set of the first column and its number, with its rows. False where somebody wants to stop.
    pub fn each(
        &self,
        entries: &Entries,
        watch: &dyn Watch,
        take: &mut dyn FnMut((u32, u64), u64) -> io::Result<()>,
    ) -> io::Result<bool> {
        let mut run = Run { dense: vec![0; self.dense.unwrap_or(0)], ..Run::default() };
        let mut reader = EntryReader::new(entries, 0, entries.len);
        let mut parts = 1;
        let mut looked = 0;
        while reader.position() < entries.len {
            let start = reader.position();
            if start - looked > PATIENCE {
                looked = start;
                if watch.cancelled() {
                    return Ok(false);
                }
            }
            let mut first = self.count(&mut reader, RunPart { number: 0, of: parts }, &mut run)?;
            // The first part tells whether the others will fit.
            while first.is_none() {
                run.sparse.clear();
                parts *= 2;
                reader.turn_to(start);
                first = self.count(&mut reader, RunPart { number: 0, of: parts }, &mut run)?;
            }
            let first = first.unwrap_or_default();
            run.tell(first, self.dense.is_some(), take)?;
            for number in 1..parts {
                reader.turn_to(start);
                self.count(&mut reader, RunPart { number, of: parts }, &mut run)?;
                run.tell(first, self.dense.is_some(), take)?;
            }
        }
        Ok(true)
    }

    /// Counts the groups of the next set of the first column, and tells that set; none where there are too many.
    fn count(&self, reader: &mut EntryReader, part: RunPart, run: &mut Run) -> io::Result<Option<u32>> {
        let first = &self.packing.columns[self.packing.first];
        let first_sets = &self.set_of[self.packing.first];
        let others: Vec<(&PackedColumn, Vec<u64>)> = (0..self.strides.len())
            .filter(|column| *column != self.packing.first)
            .map(|column| {
                let moved = self.set_of[column].iter().map(|set| u64::from(*set) * self.strides[column]);
                (&self.packing.columns[column], moved.collect())
            })
            .collect();
        let number = |key: u64| others.iter().map(|(column, moved)| moved[column.leaf(key)]).sum::<u64>();
        let mut set = None;
        loop {
            let some = reader.some()?;
            if some.is_empty() {
                return Ok(set);
            }
            let (mut taken, mut whole) = (0, true);
            for (key, rows) in decoded(some) {
                let own = first_sets[first.leaf(key)];
                if *set.get_or_insert(own) != own {
                    whole = false;
                    break;
                }
                taken += 1;
                run.add(number(key), rows, self.dense.is_some(), part);
            }
            reader.took(taken);
            if part.number == 0 && self.dense.is_none() && run.sparse.len() as u64 > self.most {
                return Ok(None);
            }
            if !whole {
                return Ok(set);
            }
        }
    }
}

impl Run {
    fn add(&mut self, number: u64, rows: u64, dense: bool, part: RunPart) {
        if dense {
            let counter = &mut self.dense[number as usize];
            if *counter == 0 {
                self.met.push(number as u32);
            }
            match counter.checked_add(rows as u32) {
                Some(sum) => *counter = sum,
                None => *self.sparse.entry(number).or_default() += rows,
            }
        } else if part.of == 1 || FixedState::default().hash_one(number) % part.of == part.number {
            *self.sparse.entry(number).or_default() += rows;
        }
    }

    /// Tells the groups, and forgets them. Nothing depends on their order.
    fn tell(
        &mut self,
        first: u32,
        dense: bool,
        take: &mut dyn FnMut((u32, u64), u64) -> io::Result<()>,
    ) -> io::Result<()> {
        if !dense {
            return self.sparse.drain().try_for_each(|(number, rows)| take((first, number), rows));
        }
        for number in self.met.drain(..) {
            let more = if self.sparse.is_empty() { None } else { self.sparse.get(&u64::from(number)).copied() };
            let rows = u64::from(self.dense[number as usize]) + more.unwrap_or_default();
            self.dense[number as usize] = 0;
            take((first, u64::from(number)), rows)?;
        }
        self.sparse.clear();
        Ok(())
    }
}
