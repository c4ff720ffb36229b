//! The writing pass: every row of a table is recoded, kept or left out, and written, in one stream.

pub(crate) mod output;
mod recoder;
mod shuffle;
mod tokens;

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex};

use arrow_array::cast::AsArray;
use arrow_array::types::UInt64Type;
use arrow_array::{Array, ArrayRef, BooleanArray, RecordBatch, UInt32Array, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::take::take;
use paretonym::data::{OnMissing, Source};
use paretonym::engine::Watch;
use paretonym::error::{Error, FileAction, Result};
use paretonym::release::{Fate, KeptGroups, SavedRecoding};

use crate::rows::cells::Cells;
use crate::rows::file;
use crate::rows::pass::{Consumer, Fault};
use crate::rows::table::{Kind, Table};
use output::{Output, OutputColumn, OutputFormat};
use recoder::{ABSENT, Recoder, UNKNOWN};
use shuffle::Shuffle;
use tokens::Tokens;

/// Everything that decides what a release looks like.
pub(crate) struct Writing<'a> {
    pub source: &'a Source,
    pub saved: &'a SavedRecoding,
    pub kept: &'a KeptGroups,
    /// One per column of the table.
    pub fates: &'a [Fate],
    /// Unknown numbers go where the nearest known one goes; otherwise their rows are suppressed.
    pub nearest: bool,
    /// Suppressed rows stay as rows of stars.
    pub stars: bool,
    /// Where the random order comes from; none = the order of the table.
    pub order: Option<[u8; 32]>,
    pub token_key: [u8; 32],
}

/// What became of the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    /// Rows of the table.
    pub read: u64,
    /// Rows that show their groups.
    pub kept: u64,
    /// Rows of suppressed groups.
    pub suppressed: u64,
    /// Rows left out for a missing value.
    pub dropped: u64,
}

/// Writes a release into `path`, which must not exist; its folder also takes what does not fit into memory. The file
/// `rows` gets the number of each row in the table, in the order of the release.
pub(crate) fn write(writing: &Writing, table: &Table, path: &Path, rows: &Path, watch: &dyn Watch) -> Result<Written> {
    let format = OutputFormat::of(path)?;
    let delimiter = match &table.kind {
        Kind::Text(text) => text.dialect.syntax.delimiter,
        Kind::Parquet(_) => b',',
    };
    let projection: Vec<usize> = (0..writing.fates.len()).filter(|at| writing.fates[*at] != Fate::Drop).collect();
    let native = |at: usize| matches!(writing.fates[at], Fate::Keep | Fate::KeepUsed);
    let fields: Vec<Field> = match &table.kind {
        Kind::Text(text) => text.dialect.names.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect(),
        Kind::Parquet(parquet) => parquet.fields(native),
    };
    let numeric = |at: usize| match &table.kind {
        Kind::Text(_) => false,
        Kind::Parquet(_) => fields[at].data_type().is_numeric(),
    };
    let columns: Vec<OutputColumn> = projection
        .iter()
        .map(|&at| match writing.fates[at] {
            Fate::Recode(quasi) => {
                let column = &writing.saved.columns[quasi];
                OutputColumn::Sets { name: column.name.clone(), shown: column.shown_texts(), numeric: numeric(at) }
            }
            Fate::Token => OutputColumn::Cells(Field::new(fields[at].name(), DataType::Utf8, true)),
            _ => OutputColumn::Cells(fields[at].clone()),
        })
        .collect();
    let failed = |error: ArrowError| failed(error, path);
    let file = private_file(path)?;
    let output = Output::new(file, format, delimiter, &columns).map_err(failed)?;
    let rows = BufWriter::with_capacity(1 << 18, private_file(rows)?);
    let mut pipeline = Pipeline::new(writing, table, &projection, &fields, (output, rows));
    if let Some(seed) = writing.order {
        let folder = path.parent().unwrap_or(Path::new("."));
        let shuffle = Shuffle::new(Arc::clone(&pipeline.schema), seed, table.estimated_bytes()?, folder);
        pipeline.shuffle = Some(shuffle.map_err(failed)?);
    }
    match &table.kind {
        Kind::Text(text) => {
            // A pass knows faults of cells only; what goes wrong in writing waits here.
            let trouble = Mutex::new(None);
            let taker = Taker { pipeline, trouble: &trouble };
            let takers = text.pass(&projection, vec![taker], watch);
            if let Some(error) = trouble.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take() {
                return Err(failed(error));
            }
            pipeline = takers?.into_iter().next().map(|taker| taker.pipeline).ok_or(Error::Cancelled)?;
        }
        Kind::Parquet(parquet) => {
            let schema = Arc::new(Schema::new(fields.clone()));
            for batch in parquet.scan(&projection, &schema, watch)? {
                let batch = batch?;
                let read = |at: usize, array: &ArrayRef| match writing.fates[projection[at]] {
                    Fate::Keep => Ok(None),
                    _ => Cells::from_parquet(array).map(Some),
                };
                let cells = batch.columns().iter().enumerate().map(|(at, array)| read(at, array));
                let cells = cells.collect::<Result<Vec<_>, _>>().map_err(failed)?;
                pipeline.take(&cells, batch.columns(), batch.num_rows()).map_err(failed)?;
            }
        }
    }
    pipeline.finish(watch).map_err(|stop| match stop {
        Interrupted::Cancelled => Error::Cancelled,
        Interrupted::Failed(error) => failed(error),
    })
}

/// A new file that only its owner may read.
fn private_file(path: &Path) -> Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|source| Error::File { action: FileAction::Write, path: path.to_owned(), source })
}

/// Why writing ended early.
enum Interrupted {
    /// The user has had enough.
    Cancelled,
    Failed(ArrowError),
}

impl From<ArrowError> for Interrupted {
    fn from(error: ArrowError) -> Self {
        Interrupted::Failed(error)
    }
}

/// An error of writing.
fn failed(error: ArrowError, path: &Path) -> Error {
    let written = |source| Error::File { action: FileAction::Write, path: path.to_owned(), source };
    match error {
        ArrowError::IoError(_, source) => written(source),
        // The writer of Parquet tells failures of the disk as texts.
        error @ (ArrowError::ParquetError(_) | ArrowError::ExternalError(_)) => written(io::Error::other(error)),
        // Cells of a kind that has no text.
        error @ ArrowError::CastError(_) => file::table(path, format!("cannot be written: {error}")),
        other => Error::internal(format!("{}: cannot be written: {other}", path.display())),
    }
}

/// From batches of the table to batches of the release.
struct Pipeline<'a> {
    writing: &'a Writing<'a>,
    /// Per column of the release: its fate.
    fates: Vec<Fate>,
    recoders: Vec<Recoder<'a>>,
    tokens: Vec<Option<Tokens>>,
    codes: Vec<u32>,
    /// Set numbers and cells.
    schema: SchemaRef,
    output: Output,
    /// The number of each row that is written.
    rows: BufWriter<File>,
    shuffle: Option<Shuffle>,
    null_is_empty: bool,
    written: Written,
}

impl<'a> Pipeline<'a> {
    fn new(
        writing: &'a Writing<'a>,
        table: &Table,
        projection: &[usize],
        fields: &[Field],
        (output, rows): (Output, BufWriter<File>),
    ) -> Self {
        let null_is_empty = table.null_is_empty();
        let source = writing.source;
        let recoder = |column| Recoder::new(column, source, writing.nearest, null_is_empty);
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
            recoders: writing.saved.columns.iter().map(recoder).collect(),
            tokens: projection.iter().map(token).collect(),
            codes: Vec::new(),
            // The number of the row comes last, and goes into a file of its own.
            schema: Arc::new(Schema::new(projection.iter().map(field).chain([row_field()]).collect::<Vec<_>>())),
            output,
            rows,
            shuffle: None,
            null_is_empty,
            written: Written::default(),
        }
    }

    /// Takes the next rows, both as cells (where they are looked at) and as they are.
    fn take(&mut self, cells: &[Option<Cells>], arrays: &[ArrayRef], rows: usize) -> Result<(), ArrowError> {
        let width = self.recoders.len();
        let mut codes = std::mem::take(&mut self.codes);
        codes.resize(rows * width, 0);
        let mut absent = vec![false; rows];
        for (at, fate) in self.fates.iter().enumerate() {
            match (fate, &cells[at]) {
                (Fate::Recode(quasi), Some(cells)) => self.recoders[*quasi].fill(cells, &mut codes, *quasi, width),
                (Fate::KeepUsed, Some(cells)) => self.mark_missing(cells, &mut absent),
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

    /// Marks the rows in which a used column is missing.
    fn mark_missing(&self, cells: &Cells, absent: &mut [bool]) {
        let missing = &self.writing.source.missing;
        let means_missing = |text: &str| missing.iter().any(|missing| missing.trim() == text.trim());
        let null = !self.null_is_empty || means_missing("");
        let nulls = |array: &dyn Array, absent: &mut [bool]| {
            if null && array.null_count() > 0 {
                (0..array.len()).filter(|row| array.is_null(*row)).for_each(|row| absent[row] = true);
            }
        };
        match cells {
            Cells::Text(texts) => {
                nulls(texts, absent);
                for (row, text) in texts.iter().enumerate() {
                    absent[row] |= text.is_some_and(means_missing);
                }
            }
            Cells::Dictionary(keys, texts) => {
                nulls(keys, absent);
                let gone: BooleanArray = (0..texts.len())
                    .map(|at| Some(if texts.is_null(at) { null } else { means_missing(texts.value(at)) }))
                    .collect();
                if gone.true_count() > 0 {
                    for (row, key) in keys.iter().enumerate() {
                        absent[row] |= key.is_some_and(|key| gone.value(key as usize));
                    }
                }
            }
            Cells::Integers(integers) => {
                nulls(integers, absent);
                let odd = missing.iter().any(|text| text.trim().parse::<i64>().is_ok());
                (0..integers.len()).filter(|_| odd).for_each(|row| absent[row] |= means_missing(&cells.show(row)));
            }
            Cells::Floats(floats) => {
                nulls(floats, absent);
                let odd = missing.iter().any(|text| text.trim().parse::<f64>().is_ok());
                (0..floats.len()).filter(|_| odd).for_each(|row| absent[row] |= means_missing(&cells.show(row)));
            }
        }
    }

    fn finish(mut self, watch: &dyn Watch) -> Result<Written, Interrupted> {
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
struct Taker<'a, 't> {
    pipeline: Pipeline<'a>,
    trouble: &'t Mutex<Option<ArrowError>>,
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use arrow_array::StringArray;

    #[test]
    fn a_full_disk_is_nobodys_input() {
        for format in [OutputFormat::Text(None), OutputFormat::Parquet] {
            let full = File::options().write(true).open("/dev/full").unwrap();
            let column = OutputColumn::Cells(Field::new("a", DataType::Utf8, true));
            let schema = Arc::new(Schema::new(vec![Field::new("a", DataType::Utf8, true)]));
            let write = || {
                let mut output = Output::new(full, format, b',', &[column])?;
                let cells = StringArray::from_iter_values((0..100_000).map(|row| row.to_string()));
                output.write(&RecordBatch::try_new(schema, vec![Arc::new(cells)])?)?;
                output.finish()
            };
            let error = failed(write().unwrap_err(), Path::new("out"));
            assert!(matches!(error, Error::File { action: FileAction::Write, .. }) && !error.is_input(), "{error}");
        }
    }
}
