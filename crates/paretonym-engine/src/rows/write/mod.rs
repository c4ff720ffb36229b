//! The writing pass: every row of a table is recoded, kept or left out, and written, on all threads.
//!
//! Rows are read side by side and wait, in buckets, for their place ([`pipeline`], [`spill`]); then the buckets are encoded side
//! by side and written one after the other ([`drain`]). Nothing in the file depends on the number of threads.

mod drain;
mod nested;
mod number_list;
pub(crate) mod output;
mod pieces;
mod pipeline;
pub(crate) mod recoder;
mod remembered;
mod shuffle;
mod spill;
mod store;
mod taker;
mod texts;
pub(crate) mod tokens;
mod turns;

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use paretonym::data::Source;
use paretonym::engine::Watch;
use paretonym::error::{Error, FileAction, Result};
use paretonym::release::{Fate, KeptGroups, SavedRecoding};

use crate::rows::cells::Cells;
use crate::rows::columnar::described::bare;
use crate::rows::file;
use crate::rows::pass::as_consumers;
use crate::rows::table::{Table, TableFile};
use drain::{Interrupted, drain};
pub(crate) use number_list::NumberList;
use output::{Batches, OutputColumn, OutputFormat, ROW_GROUP, begin, begin_in_memory};
use pipeline::{Pipeline, Way};
use recoder::Lookup;
use shuffle::Order;
use spill::Spilled;
use taker::Taker;
use tokens::Tokens;

/// A bucket has about half as many bytes as this: each thread holds a few.
const BUCKET: u64 = 48 << 20;

/// The most buckets.
const MOST_BUCKETS: u64 = 512;

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
    /// The rows that are expected to be written, and how many rows of the table they come from.
    pub expected: (u64, u64),
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

impl Written {
    fn add(&mut self, other: Written) {
        self.read += other.read;
        self.kept += other.kept;
        self.suppressed += other.suppressed;
        self.dropped += other.dropped;
    }
}

/// Where a release is written.
#[derive(Clone, Copy)]
pub(crate) struct Draft<'a> {
    /// Its file; none where it stays in memory.
    pub release: Option<&'a Path>,
    pub rows: RowNumbers<'a>,
}

/// Where the number of each row in the table goes.
#[derive(Clone, Copy)]
pub(crate) enum RowNumbers<'a> {
    File(&'a Path),
    Memory,
    Forgotten,
}

/// What was written.
pub(crate) struct Made {
    pub written: Written,
    /// The release, where it is in memory.
    pub batches: Option<Batches>,
    /// The number of each row in the table, in the order of the release; where they are in memory.
    pub rows: Option<NumberList>,
}

/// Writes a release into files, which must not exist; the folder of the release also takes what does not fit into memory. Both
/// can be read back then, and may not have reached the disk ([`bring_to_disk`]).
pub(crate) fn write(writing: &Writing, table: &Table, draft: Draft, watch: &dyn Watch) -> Result<Made> {
    let format = draft.release.map_or(Ok(OutputFormat::Memory), OutputFormat::of)?;
    let table_path = table.path();
    let path = draft.release.unwrap_or(table_path);
    let delimiter = match &table.file {
        TableFile::Text(text) => text.dialect.syntax.delimiter,
        TableFile::Parquet(_) | TableFile::Database(_) | TableFile::Frame(_) => b',',
    };
    let projection: Vec<usize> = (0..writing.fates.len()).filter(|at| writing.fates[*at] != Fate::Drop).collect();
    let kept = |at: usize| matches!(writing.fates[at], Fate::Keep | Fate::KeepUsed);
    let (fields, read) = fields(table, kept)?;
    if let OutputFormat::Text(_) = format {
        check_text(table, &fields, &projection, kept)?;
    }
    let columns: Vec<OutputColumn> =
        projection.iter().map(|&at| output_column(writing, table, &fields[at], &read[at], at)).collect();
    let failed = |error: ArrowError| failed(error, path);
    let (sheet, output) = match draft.release {
        Some(path) => begin(private_file(path)?, format, delimiter, &columns).map_err(failed)?,
        None => begin_in_memory(&columns),
    };
    let mut file = match draft.rows {
        RowNumbers::File(path) => Some(private_file(path)?),
        _ => None,
    };
    let lookups: Vec<Lookup> = writing.saved.columns.iter().map(Lookup::new).collect();
    let order = Order::new(writing.order, buckets(writing, table, format)?);
    let token =
        |at: &usize| (writing.fates[*at] == Fate::Token).then(|| Tokens::new(&writing.token_key, fields[*at].name()));
    let way = Way {
        writing,
        fates: projection.iter().map(|at| writing.fates[*at]).collect(),
        tokens: projection.iter().map(token).collect(),
        lookups: &lookups,
        null_is_empty: table.null_is_empty(),
        order: &order,
        sheet: &sheet,
        folder: draft.release.map(|path| path.parent().unwrap_or(Path::new("."))),
    };
    let mut written = Written::default();
    let mut spills = Vec::new();
    for pipeline in read_rows(&way, table, &projection, &Arc::new(Schema::new(read)), path, watch)? {
        let (spill, own) = pipeline.finish().map_err(failed)?;
        spills.push(spill);
        written.add(own);
    }
    drop(way);
    let encoder = sheet.into_encoder();
    let mut nowhere = io::sink();
    let mut rows = matches!(draft.rows, RowNumbers::Memory).then(|| NumberList::new(writing.expected.0, written.read));
    let numbers: &mut (dyn io::Write + Send) = match (&mut file, &mut rows) {
        (Some(file), _) => file,
        (None, Some(rows)) => rows,
        (None, None) => &mut nowhere,
    };
    let drained = drain(&Spilled::new(spills), &order, &encoder, (output, numbers), watch);
    let batches = drained.map_err(|stop| match stop {
        Interrupted::Cancelled => Error::Cancelled,
        Interrupted::Failed(error) => failed(error),
    })?;
    Ok(Made { written, batches, rows })
}

/// The columns of a table as they are described, and as they are read; some are kept as they are.
fn fields(table: &Table, kept: impl Fn(usize) -> bool + Copy) -> Result<(Vec<Field>, Vec<Field>)> {
    Ok(match &table.file {
        TableFile::Text(_) => {
            let text = |name| Field::new(name, DataType::Utf8, true);
            let fields: Vec<Field> = table.names().iter().map(text).collect();
            (fields.clone(), fields)
        }
        TableFile::Parquet(parquet) => {
            let bare = |fields: Vec<Field>| fields.iter().map(bare).collect::<Vec<Field>>();
            let read = bare(parquet.fields(|at| kept(at) && !parquet.is_listed(at)));
            parquet.check_types(&Schema::new(read.clone()), kept)?;
            (bare(parquet.fields(kept)), read)
        }
        TableFile::Database(database) => {
            let fields: Vec<Field> = database.fields().iter().map(bare).collect();
            (fields.clone(), fields)
        }
        TableFile::Frame(frame) => {
            let bare = |described| frame.fields(described, kept).iter().map(bare).collect::<Vec<Field>>();
            (bare(true), bare(false))
        }
    })
}

/// Reads all rows, which wait in the pipelines for their place.
fn read_rows<'a>(
    way: &'a Way<'a>,
    table: &Table,
    projection: &[usize],
    schema: &Arc<Schema>,
    path: &Path,
    watch: &dyn Watch,
) -> Result<Vec<Pipeline<'a>>> {
    let failed = |error: ArrowError| failed(error, path);
    let pipelines: Vec<Pipeline> = (0..rayon::current_num_threads()).map(|_| Pipeline::new(way)).collect();
    match &table.file {
        TableFile::Text(text) => {
            // A pass knows faults of cells only; what goes wrong in writing waits here.
            let trouble = Mutex::new(None);
            let taker = |pipeline| Taker { pipeline, part: 0, trouble: &trouble };
            let mut takers: Vec<Taker> = pipelines.into_iter().map(taker).collect();
            let passed = text.pass(projection, &mut as_consumers(&mut takers), watch);
            if let Some(error) = trouble.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take() {
                return Err(failed(error));
            }
            passed?;
            Ok(takers.into_iter().map(|taker| taker.pipeline).collect())
        }
        file => {
            let take = |pipeline: &mut Pipeline, group: usize, batch: &RecordBatch| {
                let read = |(fate, array): (&Fate, &ArrayRef)| match fate {
                    Fate::Keep => Ok(None),
                    _ => Cells::from_arrow(array).map(Some),
                };
                let cells = way.fates.iter().zip(batch.columns()).map(read);
                let cells = cells.collect::<Result<Vec<_>, _>>().map_err(failed)?;
                pipeline.take(group, &cells, batch.columns(), batch.num_rows()).map_err(failed)
            };
            match file {
                TableFile::Parquet(parquet) => parquet.scan(projection, schema, pipelines, take, watch),
                TableFile::Database(database) => database.scan(projection, schema, pipelines, take, watch),
                TableFile::Frame(frame) => frame.scan(projection, schema, pipelines, take, watch),
                TableFile::Text(_) => Err(Error::internal("text is not read in batches of Arrow")),
            }
        }
    }
}

/// Whether the columns of a release can be written as text, and read again.
fn check_text(table: &Table, fields: &[Field], projection: &[usize], kept: impl Fn(usize) -> bool) -> Result<()> {
    let mut names = HashSet::new();
    for &at in projection {
        let name = fields[at].name();
        let problem = if name.trim().is_empty() || name.trim() != name || name.starts_with('\u{feff}') {
            "its name is empty, or has spaces or a mark around it, which are lost in text".to_owned()
        } else if !names.insert(name) {
            "another column has the same name".to_owned()
        } else if kept(at) && !table.is_readable(at) {
            format!("it holds {}, which has no text", fields[at].data_type())
        } else {
            continue;
        };
        let advice = "release as .parquet, or leave the column out";
        return Err(file::table(
            table.path(),
            format!("column {name:?} cannot be written as text: {problem}; {advice}"),
        ));
    }
    Ok(())
}

/// How many buckets the rows are spread over. Those of a Parquet file become row groups, which everybody can count: they
/// must not tell how many rows were left out, nor much of what columns were. So their number follows from the rows that are
/// written and, roughly, from how wide they are.
fn buckets(writing: &Writing, table: &Table, format: OutputFormat) -> Result<usize> {
    let (written, read) = writing.expected;
    let bytes = table.estimated_bytes(read)?;
    let buckets = match format {
        // Lines are wider than cells: what one thread holds of them stays small.
        OutputFormat::Text(_) => bytes.div_ceil(BUCKET / 8),
        OutputFormat::Parquet | OutputFormat::Memory => {
            let width = (bytes / read.max(1)).next_power_of_two();
            written.div_ceil(ROW_GROUP as u64).max(written.saturating_mul(width).div_ceil(BUCKET))
        }
    };
    Ok(buckets.clamp(1, MOST_BUCKETS) as usize)
}

/// A column of a release: a column of the table as it is described, and as it is read.
fn output_column(writing: &Writing, table: &Table, field: &Field, read: &Field, at: usize) -> OutputColumn {
    let parquet = match &table.file {
        TableFile::Text(_) | TableFile::Database(_) | TableFile::Frame(_) => None,
        TableFile::Parquet(parquet) => Some(parquet),
    };
    match writing.fates[at] {
        Fate::Recode(quasi) => {
            let column = &writing.saved.columns[quasi];
            let numeric = match &table.file {
                TableFile::Text(_) => false,
                TableFile::Parquet(parquet) => parquet.is_numeric(at),
                TableFile::Database(_) => field.data_type().is_numeric(),
                TableFile::Frame(frame) => frame.is_numeric(at),
            };
            // What no row shows must not show in the type of the column either.
            let text = |(set, text)| writing.kept.shows(quasi, set).then_some(text);
            let shown = column.shown_texts().into_iter().enumerate().map(text).collect();
            OutputColumn::Sets { name: column.name.clone(), shown, numeric }
        }
        Fate::Token => OutputColumn::Cells { field: Field::new(field.name(), DataType::Utf8, true), listed: true },
        _ if matches!(read.data_type(), DataType::Dictionary(..)) => OutputColumn::Texts(field.clone()),
        _ => {
            let listed = !parquet.is_some_and(|parquet| parquet.is_unlisted(at));
            OutputColumn::Cells { field: field.clone(), listed }
        }
    }
}

/// A new file that only its owner may read.
fn private_file(path: &Path) -> Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(|source| Error::File { action: FileAction::Write, path: path.to_owned(), source })
}

/// Waits until the disk holds what was written into a file.
pub(crate) fn bring_to_disk(path: &Path) -> Result<()> {
    let synced = File::options().write(true).open(path).and_then(|file| file.sync_all());
    synced.map_err(|source| Error::File { action: FileAction::Write, path: path.to_owned(), source })
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
    use arrow_array::StringArray;
    use output::Shown;
    use store::Picked;

    #[test]
    fn a_full_disk_is_nobodys_input() {
        for format in [OutputFormat::Text(None), OutputFormat::Parquet] {
            let full = File::options().write(true).open("/dev/full").unwrap();
            let column = OutputColumn::Cells { field: Field::new("a", DataType::Utf8, true), listed: true };
            let write = || {
                let (sheet, mut output) = begin(full, format, b',', &[column])?;
                let cells = StringArray::from_iter_values((0..100_000).map(|row| row.to_string()));
                let rows: Vec<u32> = (0..100_000).collect();
                let mut stores = sheet.stores();
                let picked = Picked { rows: &rows, stars: None };
                sheet.collector().collect(&[Shown::Cells(Arc::new(cells))], picked, &mut stores)?;
                output.put(sheet.into_encoder().encode(&stores, &rows)?)?;
                output.finish()
            };
            let error = failed(write().unwrap_err(), Path::new("out"));
            assert!(matches!(error, Error::File { action: FileAction::Write, .. }) && !error.is_input(), "{error}");
        }
    }
}
