//! Tables in Parquet files: row groups are read in parallel, texts as positions in a dictionary, so that each distinct
//! text of a row group is coded once.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use paretonym::data::Source;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::ParquetMetaData;
use rayon::prelude::*;

use crate::rows::cells::{Cells, is_readable};
use crate::rows::file;
use crate::rows::guard::guarded;
use crate::rows::pass::{Consumer, Trouble, earliest};
use crate::rows::text::dialect::check_names;

/// Rows per batch.
const BATCH: usize = 8192;

/// Rows per batch of a scan, which are spread over many files.
const SCAN_BATCH: usize = 1 << 16;

/// A table in a Parquet file.
pub(crate) struct ParquetTable {
    path: PathBuf,
    pub names: Vec<String>,
    metadata: ArrowReaderMetadata,
    /// The columns as the file describes them.
    described: Arc<Schema>,
    /// The rows before each row group.
    before: Vec<u64>,
    rows: u64,
}

impl ParquetTable {
    /// Reads the description at the end of a file.
    pub fn open(source: &Source) -> Result<Self> {
        let path = source.path.clone();
        let file = file::open(&path)?;
        let damaged = |problem: String| file::table(&path, format!("cannot be read as Parquet: {problem}"));
        let load = |options| sound(|| ArrowReaderMetadata::load(&file, options));
        // Some writers embed a description of Arrow types that does not fit; the file can be read without.
        let plain = || load(ArrowReaderOptions::new().with_skip_arrow_metadata(true));
        let described = load(ArrowReaderOptions::new()).or_else(|_| plain()).map_err(damaged)?;
        check_extent(described.metadata(), file::size(&path)?).map_err(damaged)?;
        let names: Vec<String> = described.schema().fields().iter().map(|field| field.name().clone()).collect();
        check_names(&names, &path.display().to_string())?;
        if source.columns.as_ref().is_some_and(|columns| *columns != names) {
            let problem = format!("a Parquet file names its columns itself ({}); remove `columns`", names.join(", "));
            return Err(file::table(&path, problem));
        }
        let fields: Vec<Field> = described.schema().fields().iter().map(|field| as_dictionary(field)).collect();
        let schema = Arc::clone(described.schema());
        let options = ArrowReaderOptions::new().with_schema(Arc::new(Schema::new(fields)));
        let typed = sound(|| ArrowReaderMetadata::try_new(Arc::clone(described.metadata()), options));
        let metadata = typed.unwrap_or(described);
        let mut rows = 0;
        let mut before = Vec::new();
        for group in metadata.metadata().row_groups() {
            before.push(rows);
            rows += group.num_rows().max(0) as u64;
        }
        if rows == 0 {
            return Err(file::table(&path, "holds no rows"));
        }
        Ok(ParquetTable { path, names, metadata, described: schema, before, rows })
    }

    /// Whether the cells of a column can be read.
    pub fn is_readable(&self, position: usize) -> bool {
        is_readable(self.metadata.schema().field(position).data_type())
    }

    /// The fields of all columns: texts as dictionaries, but for those that are to be read as they are. Dictionaries
    /// are a way of storing, not a type, and are always unpacked there.
    pub fn fields(&self, native: impl Fn(usize) -> bool) -> Vec<Field> {
        let plain = |field: &Field| match field.data_type() {
            DataType::Dictionary(_, value) => field.clone().with_data_type((**value).clone()),
            _ => field.clone(),
        };
        let fields = self.described.fields().iter().enumerate();
        fields.map(|(at, field)| if native(at) { plain(field) } else { as_dictionary(field) }).collect()
    }

    /// The rows in order, in large batches; the columns of `projection` of a schema that [`ParquetTable::fields`] made.
    pub fn scan<'s>(
        &'s self,
        projection: &[usize],
        schema: &Arc<Schema>,
        watch: &'s dyn Watch,
    ) -> Result<impl Iterator<Item = Result<RecordBatch>> + 's> {
        watch.phase(&format!("reading {}", file::file_name(&self.path)), Some(self.rows));
        let damaged = |problem: String| file::table(&self.path, format!("cannot be read: {problem}"));
        let options = ArrowReaderOptions::new().with_schema(Arc::clone(schema));
        let metadata = sound(|| ArrowReaderMetadata::try_new(Arc::clone(self.metadata.metadata()), options));
        let metadata = metadata.map_err(damaged)?;
        let mask = ProjectionMask::roots(metadata.parquet_schema(), projection.iter().copied());
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file::open(&self.path)?, metadata);
        let reader = reader.with_projection(mask).with_batch_size(SCAN_BATCH);
        let mut batches = Some(sound(|| reader.build()).map_err(damaged)?);
        Ok(std::iter::from_fn(move || {
            if watch.cancelled() {
                batches = None;
                return Some(Err(Error::Cancelled));
            }
            let reader = batches.as_mut()?;
            let batch = sound(|| reader.next().transpose()).transpose()?;
            if batch.is_err() {
                // What panicked is not asked again.
                batches = None;
            }
            let batch = batch.map_err(damaged);
            batch.iter().for_each(|batch| watch.advance(batch.num_rows() as u64));
            Some(batch)
        }))
    }

    /// About how many bytes the rows take in memory.
    pub fn estimated_bytes(&self) -> u64 {
        let groups = self.metadata.metadata().row_groups();
        let stored = groups.iter().map(|group| group.total_byte_size().max(0) as u64).fold(0, u64::saturating_add);
        // What dictionaries save on the disk is spent again in memory.
        stored.saturating_mul(3).max(self.rows.saturating_mul(8 * self.names.len() as u64))
    }

    /// Hands all rows to the consumers, one of which works on each thread that is free; the columns of `projection`,
    /// which must ascend.
    pub fn pass<C: Consumer>(&self, projection: &[usize], consumers: Vec<C>, watch: &dyn Watch) -> Result<Vec<C>> {
        for position in projection {
            let field = self.metadata.schema().field(*position);
            if !self.is_readable(*position) {
                let (name, kind) = (field.name(), field.data_type());
                let problem = format!(
                    "column {name:?} holds {kind}; only texts, numbers, truth values, dates and times can be \
                     read: leave the column out, or convert it"
                );
                return Err(file::table(&self.path, problem));
            }
        }
        watch.phase(&format!("reading {}", file::file_name(&self.path)), Some(self.rows));
        let next = AtomicUsize::new(0);
        // As in text: groups before a faulty one must still be looked at, those behind it need not.
        let faulty = AtomicUsize::new(usize::MAX);
        let worked: Vec<(C, Option<Trouble>)> = consumers
            .into_par_iter()
            .with_max_len(1)
            .map(|mut consumer| {
                loop {
                    let group = next.fetch_add(1, Ordering::Relaxed);
                    if group >= self.before.len() || group > faulty.load(Ordering::Relaxed) {
                        return (consumer, None);
                    }
                    if let Err(trouble) = self.read(group, projection, &mut consumer, &faulty, watch) {
                        faulty.fetch_min(group, Ordering::Relaxed);
                        return (consumer, Some(trouble));
                    }
                }
            })
            .collect();
        let (consumers, troubles) = worked.into_iter().unzip();
        match earliest(troubles) {
            Some(error) => Err(error),
            None => Ok(consumers),
        }
    }

    /// Hands the rows of one row group to a consumer.
    fn read(
        &self,
        group: usize,
        projection: &[usize],
        consumer: &mut impl Consumer,
        faulty: &AtomicUsize,
        watch: &dyn Watch,
    ) -> Result<(), Trouble> {
        let nowhere = |error| Trouble { line: u64::MAX, error };
        let mut row = self.before[group];
        let file: File = file::open(&self.path).map_err(nowhere)?;
        let mask = ProjectionMask::roots(self.metadata.parquet_schema(), projection.iter().copied());
        let damaged = |error: &dyn std::fmt::Display, row: u64| {
            let place = file::at_row(&self.path, row + 1);
            Trouble { line: row + 1, error: Error::Table { place, problem: format!("cannot be read: {error}") } }
        };
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone())
            .with_projection(mask)
            .with_row_groups(vec![group])
            .with_batch_size(BATCH);
        let mut batches = sound(|| reader.build()).map_err(|error| damaged(&error, row))?;
        loop {
            let next = sound(|| {
                let Some(batch) = batches.next().transpose()? else { return Ok(None) };
                let cells = batch.columns().iter().map(Cells::from_parquet).collect::<Result<Vec<_>, _>>()?;
                Ok::<_, ArrowError>(Some((batch.num_rows(), cells)))
            });
            let Some((rows, cells)) = next.map_err(|error| damaged(&error, row))? else { return Ok(()) };
            if watch.cancelled() {
                return Err(nowhere(Error::Cancelled));
            }
            if faulty.load(Ordering::Relaxed) < group {
                return Ok(());
            }
            consumer.take(&cells, rows).map_err(|fault| {
                let line = row + fault.row as u64 + 1;
                Trouble { line, error: fault.into_error(&self.path, line) }
            })?;
            row += rows as u64;
            watch.advance(rows as u64);
        }
    }
}

/// Runs a step of the Parquet library, which fails or panics where a file is damaged.
fn sound<T, E: std::fmt::Display>(step: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match guarded(step) {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(panic) => Err(format!("the file is damaged ({panic})")),
    }
}

/// What a file says of its parts must lie within it, before anything is made as large as it says.
fn check_extent(metadata: &ParquetMetaData, size: u64) -> Result<(), String> {
    let within = |start: i64, length: i64| {
        let end = u64::try_from(start).ok().zip(u64::try_from(length).ok()).and_then(|(at, long)| at.checked_add(long));
        end.is_some_and(|end| end <= size)
    };
    let mut rows = 0i64;
    for group in metadata.row_groups() {
        rows =
            rows.checked_add(group.num_rows()).filter(|_| group.num_rows() >= 0).ok_or("its rows cannot be counted")?;
        for chunk in group.columns() {
            let start =
                chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset()).min(chunk.data_page_offset());
            if !within(start, chunk.compressed_size()) || chunk.uncompressed_size() < 0 || chunk.num_values() < 0 {
                return Err("its columns lie outside of the file: it is damaged, or was cut off".to_owned());
            }
        }
    }
    Ok(())
}

/// Texts are to be read as dictionaries; dictionaries of anything else as what they hold.
fn as_dictionary(field: &Field) -> Field {
    let is_text = |kind: &DataType| matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
    let texts = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    match field.data_type() {
        kind if is_text(kind) => field.clone().with_data_type(texts()),
        DataType::Dictionary(_, value) if is_text(value) => field.clone().with_data_type(texts()),
        DataType::Dictionary(_, value) => field.clone().with_data_type((**value).clone()),
        _ => field.clone(),
    }
}
