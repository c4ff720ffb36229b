//! From batches of the table to batches of the release: each row is recoded, kept or left out, shuffled and put.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::sync::{Arc, Mutex};

use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{ArrayRef, RecordBatch, UInt32Array, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::take::take;
use paretonym::data::OnMissing;
use paretonym::engine::Watch;
use paretonym::release::Fate;

use super::output::Output;
use super::recoder::{ABSENT, Lookup, Recoder, UNKNOWN};
use super::shuffle::Shuffle;
use super::tokens::Tokens;
use super::{Writing, Written};
use crate::rows::cells::Cells;
use crate::rows::missing::MissingCells;
use crate::rows::pass::{Consumer, Fault};
use crate::rows::table::Table;

/// Why writing ended early.
pub(super) enum Interrupted {
    /// The user has had enough.
    Cancelled,
    Failed(ArrowError),
}

impl From<ArrowError> for Interrupted {
    fn from(error: ArrowError) -> Self {
        Interrupted::Failed(error)
    }
}

/// The way of the rows.
pub(super) struct Pipeline<'a> {
    writing: &'a Writing<'a>,
    /// Per column of the release: its fate.
    fates: Vec<Fate>,
    recoders: Vec<Recoder<'a>>,
    tokens: Vec<Option<Tokens>>,
    codes: Vec<u32>,
    /// Set numbers and cells.
    pub schema: SchemaRef,
    output: Output,
    /// The number of each row that is written.
    rows: BufWriter<File>,
    pub shuffle: Option<Shuffle>,
    missing: MissingCells<'a>,
    written: Written,
}

impl<'a> Pipeline<'a> {
    pub fn new(
        writing: &'a Writing<'a>,
        lookups: &'a [Lookup<'a>],
        table: &Table,
        projection: &[usize],
        fields: &[Field],
        (output, rows): (Output, BufWriter<File>),
    ) -> Self {
        let null_is_empty = table.null_is_empty();
        let rule = writing.source.cell_rule();
        let recoder = |lookup| Recoder::new(lookup, rule, writing.nearest, null_is_empty);
        let field = |at: &usize| match writing.fates[*at] {
            Fate::Recode(_) => Field::new(fields[*at].name(), DataType::UInt32, false),
            Fate::Token => Field::new(fields[*at].name(), DataType::Utf8, true),
            _ => fields[*at].clone().with_nullable(true),
        };
        let token = |at: &usize| {
            (writing.fates[*at] == Fate::Token).then(|| Tokens::new(&writing.token_key, fields[*at].name()))
        };
        Pipeline {
            writing,
            fates: projection.iter().map(|at| writing.fates[*at]).collect(),
            recoders: lookups.iter().map(recoder).collect(),
            tokens: projection.iter().map(token).collect(),
            codes: Vec::new(),
            // The number of the row comes last, and goes into a file of its own.
            schema: Arc::new(Schema::new(projection.iter().map(field).chain([row_field()]).collect::<Vec<_>>())),
            output,
            rows,
            shuffle: None,
            missing: MissingCells::new(rule, null_is_empty),
            written: Written::default(),
        }
    }

    /// Takes the next rows, both as cells (where they are looked at) and as they are.
    pub fn take(&mut self, cells: &[Option<Cells>], arrays: &[ArrayRef], rows: usize) -> Result<(), ArrowError> {
        let width = self.recoders.len();
        let mut codes = std::mem::take(&mut self.codes);
        codes.resize(rows * width, 0);
        let mut absent = vec![false; rows];
        for (at, fate) in self.fates.iter().enumerate() {
            match (fate, &cells[at]) {
                (Fate::Recode(quasi), Some(cells)) => self.recoders[*quasi].fill(cells, &mut codes, *quasi, width),
                (Fate::KeepUsed, Some(cells)) => self.missing.mark(cells, &mut absent),
                _ => {}
            }
        }
        let drop_missing = self.writing.source.on_missing == OnMissing::DropRow;
        let mut chosen: Vec<u32> = Vec::with_capacity(rows);
        let mut starred = false;
        for (row, codes) in codes.chunks_exact_mut(width).enumerate() {
            if drop_missing && (absent[row] || codes.contains(&ABSENT)) {
                self.written.dropped += 1;
                continue;
            }
            let known = !codes.iter().any(|code| matches!(*code, ABSENT | UNKNOWN));
            if known && self.writing.kept.show(codes) {
                self.written.kept += 1;
            } else {
                self.written.suppressed += 1;
                if !self.writing.stars {
                    continue;
                }
                starred = true;
                codes[0] = ABSENT;
            }
            chosen.push(row as u32);
        }
        let first = self.written.read;
        self.written.read += rows as u64;

        let (order, ends) = match &mut self.shuffle {
            Some(shuffle) => shuffle.scatter(&chosen),
            None => (chosen, Vec::new()),
        };
        let is_star = |row: &u32| codes[*row as usize * width] == ABSENT;
        let picked = UInt32Array::from(order.clone());
        // A row of stars takes nothing from the table.
        let cells_picked: UInt32Array = match starred {
            true => order.iter().map(|row| (!is_star(row)).then_some(*row)).collect(),
            false => picked,
        };
        let columns = self.fates.iter().enumerate().map(|(at, fate)| -> Result<ArrayRef, ArrowError> {
            match fate {
                Fate::Recode(quasi) => {
                    let star = self.writing.saved.columns[*quasi].sets.len() as u32;
                    let code = |row: &u32| if is_star(row) { star } else { codes[*row as usize * width + quasi] };
                    Ok(Arc::new(order.iter().map(code).collect::<UInt32Array>()))
                }
                Fate::Token => match (&self.tokens[at], &cells[at]) {
                    (Some(tokens), Some(cells)) => take(&tokens.of(cells, rows), &cells_picked, None),
                    _ => Err(ArrowError::InvalidArgumentError("a column to be replaced was not read".to_owned())),
                },
                _ => take(&arrays[at], &cells_picked, None),
            }
        });
        let mut columns = columns.collect::<Result<Vec<ArrayRef>, _>>()?;
        columns.push(Arc::new(order.iter().map(|row| first + u64::from(*row)).collect::<UInt64Array>()));
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns)?;
        self.codes = codes;
        match &mut self.shuffle {
            Some(shuffle) => shuffle.put(&batch, &ends),
            None => put(&mut self.output, &mut self.rows, &batch),
        }
    }

    pub fn finish(mut self, watch: &dyn Watch) -> Result<Written, Interrupted> {
        if let Some(shuffle) = self.shuffle.take() {
            watch.phase("writing", Some(self.written.kept));
            shuffle.drain(|batch| {
                if watch.cancelled() {
                    return Err(Interrupted::Cancelled);
                }
                watch.advance(batch.num_rows() as u64);
                Ok(put(&mut self.output, &mut self.rows, &batch)?)
            })?;
        }
        self.output.finish()?;
        let rows = self.rows.into_inner().map_err(|error| ArrowError::from(error.into_error()))?;
        rows.sync_all().map_err(ArrowError::from)?;
        Ok(self.written)
    }
}

/// The column that holds the number of a row.
fn row_field() -> Field {
    Field::new("row", DataType::UInt64, false)
}

/// Writes rows into the release, and their numbers into a file of their own.
fn put(output: &mut Output, numbers: &mut BufWriter<File>, batch: &RecordBatch) -> Result<(), ArrowError> {
    if let Some(rows) = batch.columns().last() {
        for row in rows.as_primitive::<UInt64Type>().values() {
            numbers.write_all(&row.to_le_bytes())?;
        }
    }
    output.write(batch)
}

/// A pipeline as a pass over text feeds it.
pub(super) struct Taker<'a, 't> {
    pub pipeline: Pipeline<'a>,
    pub trouble: &'t Mutex<Option<ArrowError>>,
}

impl Consumer for Taker<'_, '_> {
    fn take(&mut self, cells: &[Cells], rows: usize) -> Result<(), Fault> {
        let arrays: Vec<ArrayRef> = cells
            .iter()
            .map(|cells| match cells {
                Cells::Text(texts) => Arc::new(texts.clone()) as ArrayRef,
                Cells::Dictionary(_, texts) => Arc::new(texts.clone()),
                Cells::Integers(integers) => Arc::new(integers.clone()),
                Cells::Floats(floats) => Arc::new(floats.clone()),
            })
            .collect();
        let cells: Vec<Option<Cells>> = cells
            .iter()
            .map(|cells| match cells {
                Cells::Text(texts) => Some(Cells::Text(texts.clone())),
                _ => None,
            })
            .collect();
        self.pipeline.take(&cells, &arrays, rows).map_err(|error| {
            if let Ok(mut trouble) = self.trouble.lock() {
                *trouble = Some(error);
            }
            Fault { row: 0, column: String::new(), value: String::new(), problem: "could not be written".to_owned() }
        })
    }
}
