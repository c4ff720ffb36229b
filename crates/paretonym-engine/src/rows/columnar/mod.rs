//! Tables in Parquet files: row groups are read in parallel, texts as positions in a dictionary, so that each distinct
//! text of a row group is coded once.

pub(crate) mod described;
mod pass;
mod scan;

use std::path::PathBuf;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};
use paretonym::data::Source;
use paretonym::error::Result;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::basic::{ConvertedType, Encoding};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

use crate::rows::cells::is_readable;
use crate::rows::file;
use crate::rows::guard::guarded;
use crate::rows::text::dialect::check_names;

/// A table in a Parquet file.
pub(crate) struct ParquetTable {
    path: PathBuf,
    pub names: Vec<String>,
    metadata: ArrowReaderMetadata,
    /// The columns as the file describes them.
    described: Arc<Schema>,
    /// Which columns the file stores as texts and as nothing else.
    texts: Vec<bool>,
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
        let texts = texts(&described);
        let fields = described.schema().fields().iter().zip(&texts);
        let fields: Vec<Field> = fields.map(|(field, texts)| as_dictionary(field, *texts)).collect();
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
        Ok(ParquetTable { path, names, metadata, described: schema, texts, before, rows })
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
        fields.map(|(at, field)| if native(at) { plain(field) } else { as_dictionary(field, self.texts[at]) }).collect()
    }

    /// Whether all pages of a column refer to a list of its distinct values, in every row group: it is short then.
    pub fn is_listed(&self, position: usize) -> bool {
        // Not every writer tells. Positions take little room, values much.
        let short = |chunk: &ColumnChunkMetaData| chunk.uncompressed_size() / chunk.num_values().max(1) < 4;
        let listed = |chunk: &ColumnChunkMetaData| only_positions(chunk).unwrap_or_else(|| short(chunk));
        self.chunks(position).all(|chunk| chunk.dictionary_page_offset().is_some() && listed(chunk))
    }

    /// Whether whoever wrote the file began a list of the distinct values of a column, and found that there are too many.
    pub fn is_unlisted(&self, position: usize) -> bool {
        let given_up = |chunk: &ColumnChunkMetaData| only_positions(chunk) == Some(false);
        self.chunks(position).any(|chunk| chunk.dictionary_page_offset().is_some() && given_up(chunk))
    }

    /// What the file says of a column, for each row group; of its first part where it is nested.
    fn chunks(&self, position: usize) -> impl Iterator<Item = &ColumnChunkMetaData> {
        let schema = self.metadata.parquet_schema();
        let leaf = (0..schema.num_columns()).find(|leaf| schema.get_column_root_idx(*leaf) == position);
        let groups = self.metadata.metadata().row_groups().iter();
        groups.filter_map(move |group| leaf.and_then(|leaf| group.columns().get(leaf)))
    }

    /// About how many bytes the rows take in memory.
    pub fn estimated_bytes(&self) -> u64 {
        let groups = self.metadata.metadata().row_groups();
        let stored = groups.iter().map(|group| group.total_byte_size().max(0) as u64).fold(0, u64::saturating_add);
        // What dictionaries save on the disk is spent again in memory.
        stored.saturating_mul(3).max(self.rows.saturating_mul(8 * self.names.len() as u64))
    }
}

/// Whether the pages of a column hold nothing but positions in a list; none where the file does not say.
fn only_positions(chunk: &ColumnChunkMetaData) -> Option<bool> {
    let pages = chunk.page_encoding_stats_mask()?;
    Some(pages.is_only(Encoding::RLE_DICTIONARY) || pages.is_only(Encoding::PLAIN_DICTIONARY))
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

/// Which columns hold plain texts. Some kinds of text, JSON for one, cannot be read as dictionaries of texts.
fn texts(described: &ArrowReaderMetadata) -> Vec<bool> {
    let schema = described.parquet_schema();
    let mut texts = vec![false; described.schema().fields().len()];
    for leaf in 0..schema.num_columns() {
        texts[schema.get_column_root_idx(leaf)] = schema.column(leaf).converted_type() == ConvertedType::UTF8;
    }
    texts
}

/// Plain texts are to be read as dictionaries; dictionaries of anything else as what they hold.
fn as_dictionary(field: &Field, is_plain: bool) -> Field {
    let is_text =
        |kind: &DataType| is_plain && matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
    let texts = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    match field.data_type() {
        kind if is_text(kind) => field.clone().with_data_type(texts()),
        DataType::Dictionary(_, value) if is_text(value) => field.clone().with_data_type(texts()),
        DataType::Dictionary(_, value) => field.clone().with_data_type((**value).clone()),
        _ => field.clone(),
    }
}
