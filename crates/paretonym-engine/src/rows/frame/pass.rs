//! Passes over a table in memory: each part goes to one of the consumers.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Schema};
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use rayon::prelude::*;

use super::Frame;
use super::texts::positions_of;
use crate::rows::cells::Cells;
use crate::rows::file;
use crate::rows::pass::{Consumer, Trouble, earliest};

/// Rows per batch: few enough to stay close while they are looked at column after column.
const BATCH: usize = 1 << 13;

/// A part of the frame in the hands of a worker, and which of its rows are taken next.
struct Part<'f> {
    number: usize,
    batch: &'f RecordBatch,
    /// The texts that its dictionaries list.
    listed: &'f [Option<StringArray>],
    /// Its first row in the batch, and how many it has.
    rows: (usize, usize),
    /// The rows that are taken next, counted from its first.
    next: (usize, usize),
    /// Per column: its texts as positions in a list, once somebody has asked for them.
    texts: Vec<Option<(Int32Array, StringArray)>>,
}

impl Part<'_> {
    /// The cells of a column in the rows that are taken next.
    fn array(&self, column: usize) -> ArrayRef {
        self.batch.column(column).slice(self.rows.0 + self.next.0, self.next.1)
    }

    /// The same as positions in a list of texts; none where they are no texts.
    fn positions(&mut self, column: usize) -> Result<Option<(Int32Array, StringArray)>, ArrowError> {
        if let Some(texts) = &self.listed[column] {
            return Ok(Some((positions(&self.array(column))?, texts.clone())));
        }
        if self.texts[column].is_none() {
            self.texts[column] = positions_of(&self.batch.column(column).slice(self.rows.0, self.rows.1));
        }
        let some = |(keys, texts): &(Int32Array, StringArray)| (keys.slice(self.next.0, self.next.1), texts.clone());
        Ok(self.texts[column].as_ref().map(some))
    }

    /// The cells of a column, as coders know them.
    fn cells(&mut self, column: usize) -> Result<Cells<'static>, ArrowError> {
        match self.positions(column)? {
            Some((keys, texts)) => Ok(Cells::Dictionary(keys, texts)),
            None => Cells::from_arrow(&self.array(column)),
        }
    }

    /// The cells of a column in a type: their own, or a dictionary of texts.
    fn typed(&mut self, column: usize, kind: &DataType) -> Result<ArrayRef, ArrowError> {
        let array = self.array(column);
        match (kind, array.data_type()) {
            (DataType::Dictionary(..), _) => {
                let no_text = || ArrowError::CastError(format!("{} is no text", array.data_type()));
                let (keys, texts) = self.positions(column)?.ok_or_else(no_text)?;
                Ok(Arc::new(DictionaryArray::try_new(keys, Arc::new(texts))?))
            }
            // A dictionary is a way of storing.
            (_, DataType::Dictionary(..)) => {
                let dictionary = array.as_any_dictionary();
                arrow_select::take::take(dictionary.values().as_ref(), dictionary.keys(), None)
            }
            _ => Ok(array),
        }
    }
}

impl Frame {
    /// Hands all rows to the consumers, one of which works on each thread that is free; the columns of `projection`,
    /// which must ascend.
    pub(crate) fn pass(
        &self,
        projection: &[usize],
        consumers: &mut [&mut dyn Consumer],
        watch: &dyn Watch,
    ) -> Result<()> {
        self.check_readable(projection)?;
        let place = self.source().name();
        let read = |consumer: &mut &mut dyn Consumer, part: &mut Part, row: u64| {
            let damaged = |error: ArrowError| {
                let problem = format!("cannot be read: {error}");
                Trouble { file: 0, line: row, error: Error::Table { place: file::at_row(&place, row + 1), problem } }
            };
            let cells = projection.iter().map(|column| part.cells(*column));
            let cells = cells.collect::<Result<Vec<_>, _>>().map_err(damaged)?;
            if part.next.0 == 0 {
                consumer.part(part.number);
            }
            consumer.take(&cells, part.next.1).map_err(|fault| {
                let line = row + fault.row as u64 + 1;
                Trouble { file: 0, line, error: fault.into_error(&place, line) }
            })
        };
        self.each_batch(consumers, read, &place, watch)
    }

    /// Hands all rows to workers as Arrow holds them, in the types of a schema that [`Frame::fields`] made.
    pub(crate) fn scan<W: Send>(
        &self,
        projection: &[usize],
        schema: &Arc<Schema>,
        mut workers: Vec<W>,
        take: impl Fn(&mut W, usize, &RecordBatch) -> Result<()> + Sync,
        watch: &dyn Watch,
    ) -> Result<Vec<W>> {
        let place = self.source().name();
        let expected = Arc::new(Schema::new(projection.iter().map(|at| schema.field(*at).clone()).collect::<Vec<_>>()));
        let read = |worker: &mut W, part: &mut Part, row: u64| {
            let mut made = || {
                let columns = projection.iter().zip(expected.fields());
                let columns = columns.map(|(column, field)| part.typed(*column, field.data_type()));
                RecordBatch::try_new(Arc::clone(&expected), columns.collect::<Result<Vec<_>, _>>()?)
            };
            let odd = |error: ArrowError| file::table(&place, format!("cannot be read: {error}"));
            let taken = made().map_err(odd).and_then(|batch| take(worker, part.number, &batch));
            taken.map_err(|error| Trouble { file: 0, line: row, error })
        };
        self.each_batch(&mut workers, read, &place, watch)?;
        Ok(workers)
    }

    /// Hands out all rows, part by part and batch by batch.
    fn each_batch<W: Send>(
        &self,
        workers: &mut [W],
        take: impl Fn(&mut W, &mut Part, u64) -> Result<(), Trouble> + Sync,
        place: &Path,
        watch: &dyn Watch,
    ) -> Result<()> {
        watch.phase(&file::reading(place, 1), Some(self.rows));
        let next = AtomicUsize::new(0);
        // As in files: parts before a faulty one must still be looked at, those behind it need not.
        let faulty = AtomicUsize::new(usize::MAX);
        let work = |worker: &mut W| -> Option<Trouble> {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let (batch, first, length, before) = *self.parts.get(number)?;
                let mut part = Part {
                    number,
                    batch: &self.batches[batch],
                    listed: &self.listed[batch],
                    rows: (first, length),
                    next: (0, 0),
                    texts: vec![None; self.names.len()],
                };
                for start in (0..length).step_by(BATCH) {
                    if faulty.load(Ordering::Relaxed) < number {
                        return None;
                    }
                    if watch.cancelled() {
                        return Some(Trouble { file: 0, line: u64::MAX, error: Error::Cancelled });
                    }
                    part.next = (start, BATCH.min(length - start));
                    if let Err(trouble) = take(worker, &mut part, before + start as u64) {
                        faulty.fetch_min(number, Ordering::Relaxed);
                        return Some(trouble);
                    }
                    watch.advance(part.next.1 as u64);
                }
            }
        };
        let troubles = workers.par_iter_mut().with_max_len(1).map(work).collect();
        earliest(troubles).map_or(Ok(()), Err)
    }

    /// Refuses columns whose cells cannot be read.
    fn check_readable(&self, projection: &[usize]) -> Result<()> {
        let Some(column) = projection.iter().find(|column| !self.is_readable(**column)) else { return Ok(()) };
        let field = self.schema.field(*column);
        let problem = format!(
            "column {:?} holds {}; only texts, numbers, truth values, dates and times can be read: leave the column out, or \
             convert it",
            field.name(),
            field.data_type()
        );
        Err(file::table(&self.source().name(), problem))
    }
}

/// The positions of a dictionary, in the width that coders know.
pub(super) fn positions(array: &ArrayRef) -> Result<Int32Array, ArrowError> {
    let keys = array.as_any_dictionary().keys();
    macro_rules! narrow {
        ($($kind:ident => $own:ty),*) => {
            match keys.data_type() {
                DataType::Int32 => keys.as_primitive::<Int32Type>().clone(),
                $(DataType::$kind => keys.as_primitive::<$own>().unary(|key| key as i32),)*
                other => return Err(ArrowError::CastError(format!("positions of type {other}"))),
            }
        };
    }
    Ok(narrow!(Int8 => Int8Type, Int16 => Int16Type, Int64 => Int64Type, UInt8 => UInt8Type, UInt16 => UInt16Type,
               UInt32 => UInt32Type, UInt64 => UInt64Type))
}
