//! The writing pass: every row of a table is recoded, kept or left out, and written, in one stream.

pub(crate) mod output;
mod pipeline;
mod recoder;
mod shuffle;
mod tokens;

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;
use std::sync::{Arc, Mutex};

use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use paretonym::data::Source;
use paretonym::engine::Watch;
use paretonym::error::{Error, FileAction, Result};
use paretonym::release::{Fate, KeptGroups, SavedRecoding};

use crate::rows::cells::Cells;
use crate::rows::file;
use crate::rows::table::{Table, TableFile};
use output::{Output, OutputColumn, OutputFormat};
use pipeline::{Interrupted, Pipeline, Taker};
use recoder::Lookup;
use shuffle::Shuffle;

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
    let delimiter = match &table.file {
        TableFile::Text(text) => text.dialect.syntax.delimiter,
        TableFile::Parquet(_) => b',',
    };
    let projection: Vec<usize> = (0..writing.fates.len()).filter(|at| writing.fates[*at] != Fate::Drop).collect();
    let native = |at: usize| matches!(writing.fates[at], Fate::Keep | Fate::KeepUsed);
    let fields: Vec<Field> = match &table.file {
        TableFile::Text(text) => text.dialect.names.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect(),
        TableFile::Parquet(parquet) => parquet.fields(native),
    };
    let columns = output_columns(writing, table, &projection, &fields);
    let failed = |error: ArrowError| failed(error, path);
    let file = private_file(path)?;
    let output = Output::new(file, format, delimiter, &columns).map_err(failed)?;
    let rows = BufWriter::with_capacity(1 << 18, private_file(rows)?);
    let lookups: Vec<Lookup> = writing.saved.columns.iter().map(Lookup::new).collect();
    let mut pipeline = Pipeline::new(writing, &lookups, table, &projection, &fields, (output, rows));
    if let Some(seed) = writing.order {
        let folder = path.parent().unwrap_or(Path::new("."));
        let shuffle = Shuffle::new(Arc::clone(&pipeline.schema), seed, table.estimated_bytes()?, folder);
        pipeline.shuffle = Some(shuffle.map_err(failed)?);
    }
    match &table.file {
        TableFile::Text(text) => {
            // A pass knows faults of cells only; what goes wrong in writing waits here.
            let trouble = Mutex::new(None);
            let taker = Taker { pipeline, trouble: &trouble };
            let takers = text.pass(&projection, vec![taker], watch);
            if let Some(error) = trouble.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take() {
                return Err(failed(error));
            }
            pipeline = takers?.into_iter().next().map(|taker| taker.pipeline).ok_or(Error::Cancelled)?;
        }
        TableFile::Parquet(parquet) => {
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

/// The columns of a release of a table with these fields.
fn output_columns(writing: &Writing, table: &Table, projection: &[usize], fields: &[Field]) -> Vec<OutputColumn> {
    let numeric = |at: usize| match &table.file {
        TableFile::Text(_) => false,
        TableFile::Parquet(_) => fields[at].data_type().is_numeric(),
    };
    projection
        .iter()
        .map(|&at| match writing.fates[at] {
            Fate::Recode(quasi) => {
                let column = &writing.saved.columns[quasi];
                OutputColumn::Sets { name: column.name.clone(), shown: column.shown_texts(), numeric: numeric(at) }
            }
            Fate::Token => OutputColumn::Cells(Field::new(fields[at].name(), DataType::Utf8, true)),
            _ => OutputColumn::Cells(fields[at].clone()),
        })
        .collect()
}

/// A new file that only its owner may read.
fn private_file(path: &Path) -> Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|source| Error::File { action: FileAction::Write, path: path.to_owned(), source })
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use arrow_array::{RecordBatch, StringArray};

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
