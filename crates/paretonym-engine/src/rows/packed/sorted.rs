//! One pass over a table that packs its rows, sorts and counts them in pieces, and merges the pieces.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::entries::{Entries, EntryReader, EntryWriter};
use super::packing::Packing;
use crate::rows::cells::Cells;
use crate::rows::pass::{Consumer, CountingConsumer, Fault};
use crate::rows::tally::Tally;

/// One worker: what it has packed, and the sorted pieces that it has put aside.
pub(super) struct Packer<'a> {
    tally: Tally<'a>,
    packing: &'a Packing,
    /// Rows that are sorted together.
    at_once: usize,
    packed: Vec<u64>,
    waiting: Vec<u64>,
    /// The same of tuples that came with how often they occur.
    counted: Vec<(u64, u64)>,
    out: EntryWriter,
    /// Where each piece ends.
    ends: Vec<u64>,
    /// A pass knows faults of cells only; what goes wrong in writing waits here.
    trouble: &'a Mutex<Option<io::Error>>,
}

impl<'a> Packer<'a> {
    /// Packs what a tally codes.
    pub fn new(
        tally: Tally<'a>,
        packing: &'a Packing,
        at_once: usize,
        folder: &Path,
        trouble: &'a Mutex<Option<io::Error>>,
    ) -> io::Result<Self> {
        let out = EntryWriter::new(folder)?;
        let (packed, waiting, counted, ends) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Ok(Packer { tally, packing, at_once, packed, waiting, counted, out, ends, trouble })
    }

    fn flush_if_full(&mut self) -> Result<(), Fault> {
        if self.waiting.len() < self.at_once && self.counted.len() < self.at_once {
            return Ok(());
        }
        self.flush().map_err(|error| {
            self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            Fault { row: 0, column: String::new(), value: String::new(), problem: String::new(), too_many: None }
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.waiting.sort_unstable();
        for same in self.waiting.chunk_by(|one, other| one == other) {
            self.out.put(same[0], same.len() as u64)?;
        }
        self.waiting.clear();
        self.ends.push(self.out.len);
        self.counted.sort_unstable();
        for same in self.counted.chunk_by(|one, other| one.0 == other.0) {
            self.out.put(same[0].0, same.iter().map(|(_, rows)| rows).sum())?;
        }
        self.counted.clear();
        self.ends.push(self.out.len);
        Ok(())
    }

    /// The pieces, and where each ends.
    pub fn finish(mut self) -> io::Result<(Entries, Vec<u64>)> {
        self.flush()?;
        Ok((self.out.finish()?, self.ends))
    }
}

impl Consumer for Packer<'_> {
    fn take(&mut self, cells: &[Cells], rows: usize) -> Result<(), Fault> {
        let (codes, rows) = self.tally.codes_of(cells, rows, None)?;
        self.packing.pack(codes, rows, &mut self.packed);
        self.waiting.extend(&self.packed);
        self.flush_if_full()
    }
}

impl CountingConsumer for Packer<'_> {
    fn take_counted(&mut self, cells: &[Cells], times: &[u64]) -> Result<(), Fault> {
        let mut times = times.to_vec();
        let (codes, rows) = self.tally.codes_of(cells, times.len(), Some(&mut times))?;
        self.packing.pack(codes, rows, &mut self.packed);
        self.counted.extend(self.packed.iter().copied().zip(times));
        self.flush_if_full()
    }
}

/// All pieces in one file, sorted; tuples that are in several are counted together.
pub(super) fn merge(pieces: &[(Entries, Vec<u64>)], folder: &Path) -> io::Result<Entries> {
    let mut readers = Vec::new();
    for (entries, ends) in pieces {
        let starts = std::iter::once(0).chain(ends.iter().copied());
        readers.extend(starts.zip(ends).map(|(from, end)| EntryReader::new(entries, from, *end)));
    }
    let mut out = EntryWriter::new(folder)?;
    let mut heads = BinaryHeap::new();
    for (number, reader) in readers.iter_mut().enumerate() {
        heads.extend(reader.next()?.map(|(key, rows)| Reverse((key, number, rows))));
    }
    let mut last: Option<(u64, u64)> = None;
    while let Some(mut head) = heads.peek_mut() {
        let Reverse((key, number, rows)) = *head;
        match &mut last {
            Some((same, sum)) if *same == key => *sum += rows,
            other => {
                if let Some((before, sum)) = other.replace((key, rows)) {
                    out.put(before, sum)?;
                }
            }
        }
        match readers[number].next()? {
            Some((key, rows)) => *head = Reverse((key, number, rows)),
            None => drop(std::collections::binary_heap::PeekMut::pop(head)),
        }
    }
    if let Some((key, sum)) = last {
        out.put(key, sum)?;
    }
    out.finish()
}
