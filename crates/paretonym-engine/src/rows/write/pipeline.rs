//! From batches of the table to rows that wait for their place in the release: each row is recoded, and kept or left out.
//! Every worker has a pipeline of its own.

use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef};
use arrow_schema::{ArrowError, DataType};
use paretonym::data::OnMissing;
use paretonym::release::Fate;

use super::output::{Collector, SetNumbers, Sheet, Shown};
use super::recoder::{ABSENT, Lookup, Recoder, UNKNOWN};
use super::remembered::Remembered;
use super::shuffle::Order;
use super::spill::{Place, Spill};
use super::store::{Picked, Store};
use super::tokens::Tokens;
use super::{Writing, Written};
use crate::rows::cells::Cells;
use crate::rows::missing::MissingCells;

/// Rows of a chunk: so many that the rows of a bucket in it are read from the disk at once.
const CHUNK_ROWS: u32 = 1 << 16;

/// Bytes of a chunk.
const CHUNK_BYTES: usize = 8 << 20;

/// What all workers share.
pub(super) struct Way<'a> {
    pub writing: &'a Writing<'a>,
    /// Per column of the release: its fate.
    pub fates: Vec<Fate>,
    /// Per column of the release: what makes its tokens.
    pub tokens: Vec<Option<Tokens>>,
    pub lookups: &'a [Lookup<'a>],
    pub null_is_empty: bool,
    pub order: &'a Order,
    pub sheet: &'a Sheet,
    /// Where files may be put; none where there are to be none.
    pub folder: Option<&'a Path>,
}

/// The way of the rows that one worker reads.
pub(super) struct Pipeline<'a> {
    way: &'a Way<'a>,
    recoders: Vec<Recoder<'a>>,
    missing: MissingCells<'a>,
    remembered: Option<Remembered>,
    codes: Vec<u32>,
    collector: Collector<'a>,
    /// Where the rows of the chunk come from.
    place: Place,
    /// Rows of the chunk, whether they stay or not.
    read: u32,
    stores: Vec<Store>,
    /// The position in the chunk of each row that stays.
    numbers: Vec<u32>,
    bytes: Vec<u8>,
    spill: Spill,
    written: Written,
}

impl<'a> Pipeline<'a> {
    pub fn new(way: &'a Way<'a>) -> Self {
        let rule = way.writing.source.cell_rule();
        let recoder = |lookup| Recoder::new(lookup, rule, way.writing.nearest, way.null_is_empty);
        Pipeline {
            recoders: way.lookups.iter().map(recoder).collect(),
            missing: MissingCells::new(rule, way.null_is_empty),
            remembered: Remembered::new(way.writing.saved),
            codes: Vec::new(),
            collector: way.sheet.collector(),
            place: Place { part: 0, chunk: 0 },
            read: 0,
            stores: way.sheet.stores(),
            numbers: Vec::new(),
            bytes: Vec::new(),
            spill: Spill::new(way.folder),
            written: Written::default(),
            way,
        }
    }

    /// Takes the next rows of a block or row group, both as cells (where they are looked at) and as they are.
    pub fn take(
        &mut self,
        part: usize,
        cells: &[Option<Cells>],
        arrays: &[ArrayRef],
        rows: usize,
    ) -> Result<(), ArrowError> {
        if part != self.place.part {
            self.put_aside()?;
            self.place = Place { part, chunk: 0 };
        }
        let (chosen, stars) = self.choose(cells, rows);
        let picked = Picked { rows: &chosen, stars: stars.as_deref() };
        let width = self.recoders.len();
        let codes = std::mem::take(&mut self.codes);
        let shown = self.way.fates.iter().enumerate().map(|(at, fate)| match fate {
            Fate::Recode(quasi) => {
                let star = self.way.writing.saved.columns[*quasi].sets.len() as u32;
                Ok(Shown::Sets(SetNumbers { table: &codes, column: *quasi, width, star }))
            }
            Fate::Token => match (&self.way.tokens[at], &cells[at]) {
                (Some(tokens), Some(cells)) => Ok(Shown::Cells(Arc::new(tokens.of(cells, rows)))),
                _ => Err(ArrowError::InvalidArgumentError("a column to be replaced was not read".to_owned())),
            },
            _ => Ok(match arrays[at].data_type() {
                DataType::Dictionary(..) => {
                    let listed = arrays[at].as_dictionary::<Int32Type>();
                    Shown::Texts(listed.keys(), listed.values().as_string::<i32>())
                }
                _ => Shown::Cells(Arc::clone(&arrays[at])),
            }),
        });
        let shown = shown.collect::<Result<Vec<Shown>, _>>()?;
        self.collector.collect(&shown, picked, &mut self.stores)?;
        drop(shown);
        self.codes = codes;
        self.numbers.extend(chosen.iter().map(|row| self.read + row));
        self.read += rows as u32;
        if self.read >= CHUNK_ROWS || self.stores.iter().map(Store::size).sum::<usize>() >= CHUNK_BYTES {
            self.put_aside()?;
        }
        Ok(())
    }

    /// Recodes rows; those that are written, and which of them show only stars, if any does.
    fn choose(&mut self, cells: &[Option<Cells>], rows: usize) -> (Vec<u32>, Option<Vec<bool>>) {
        let width = self.recoders.len();
        let writing = self.way.writing;
        self.codes.resize(rows * width, 0);
        let mut absent = vec![false; rows];
        for (fate, cells) in self.way.fates.iter().zip(cells) {
            match (fate, cells) {
                (Fate::Recode(quasi), Some(cells)) => self.recoders[*quasi].fill(cells, &mut self.codes, *quasi, width),
                (Fate::KeepUsed, Some(cells)) => self.missing.mark(cells, &mut absent),
                _ => {}
            }
        }
        let drop_missing = writing.source.on_missing == OnMissing::DropRow;
        let mut chosen: Vec<u32> = Vec::with_capacity(rows);
        let mut stars: Option<Vec<bool>> = None;
        for (row, codes) in self.codes.chunks_exact_mut(width).enumerate() {
            let answer = self.remembered.as_mut().and_then(|answers| answers.stays(codes, writing.kept));
            if drop_missing && (absent[row] || answer.is_none() && codes.contains(&ABSENT)) {
                self.written.dropped += 1;
                continue;
            }
            let kept = answer.unwrap_or_else(|| {
                let known = !codes.iter().any(|code| matches!(*code, ABSENT | UNKNOWN));
                known && writing.kept.show(codes)
            });
            if kept {
                self.written.kept += 1;
            } else {
                self.written.suppressed += 1;
                if !writing.stars {
                    continue;
                }
            }
            if !kept || stars.is_some() {
                stars.get_or_insert_with(|| vec![false; chosen.len()]).push(!kept);
            }
            chosen.push(row as u32);
        }
        self.written.read += rows as u64;
        (chosen, stars)
    }

    /// Puts the rows of a chunk aside, each in its bucket.
    fn put_aside(&mut self) -> Result<(), ArrowError> {
        if self.read == 0 {
            return Ok(());
        }
        let (order, ends) = self.way.order.scatter(self.place, self.numbers.len());
        let starts: Vec<Vec<usize>> = self.stores.iter().map(Store::starts).collect();
        self.bytes.clear();
        let mut buckets = Vec::with_capacity(ends.len());
        let mut start = 0;
        for end in ends {
            let rows = &order[start..end as usize];
            if !rows.is_empty() {
                for (store, starts) in self.stores.iter().zip(&starts) {
                    store.write(rows, starts, &mut self.bytes)?;
                }
                rows.iter().for_each(|row| self.bytes.extend_from_slice(&self.numbers[*row as usize].to_le_bytes()));
            }
            let length = u32::try_from(self.bytes.len());
            let length = length.map_err(|_| ArrowError::InvalidArgumentError("rows of 4 GiB".to_owned()))?;
            buckets.push((rows.len() as u32, length));
            start = end as usize;
        }
        self.spill.put(self.place, self.read, &self.bytes, buckets).map_err(ArrowError::from)?;
        self.stores = self.way.sheet.stores();
        self.numbers.clear();
        self.read = 0;
        self.place.chunk += 1;
        Ok(())
    }

    /// When all rows are read.
    pub fn finish(mut self) -> Result<(Spill, Written), ArrowError> {
        self.put_aside()?;
        Ok((self.spill, self.written))
    }
}
