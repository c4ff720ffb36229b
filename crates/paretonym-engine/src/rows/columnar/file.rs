//! One Parquet file of a table, as it describes itself.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};
use paretonym::data::Source;
use paretonym::error::Result;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::basic::{ConvertedType, Encoding};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData};

use super::described::bare;
use super::sound;
use crate::rows::cells::is_readable;
use crate::rows::file;
use crate::rows::text::dialect::check_names;

/// A Parquet file.
pub(crate) struct ParquetFile {
    pub path: PathBuf,
    pub names: Vec<String>,
    pub metadata: ArrowReaderMetadata,
    /// The columns as the file describes them.
    described: Arc<Schema>,
    /// Which columns the file stores as texts and as nothing else.
    texts: Vec<bool>,
    /// The rows before each row group.
    pub before: Vec<u64>,
    pub rows: u64,
    /// Where each column of the table is in the file.
    pub own: Vec<usize>,
}

/// How the columns of a pass are read from a file.
pub(crate) struct Arrangement {
    /// Their positions in the file.
    pub roots: Vec<usize>,
    /// Where each of them comes among those that are read; none where they come in the order of the pass.
    pub slots: Option<Vec<usize>>,
}

impl Arrangement {
    /// What was read, in the order of the pass.
    pub fn sorted<T: Clone>(&self, read: Vec<T>) -> Vec<T> {
        match &self.slots {
            None => read,
            Some(slots) => slots.iter().map(|slot| read[*slot].clone()).collect(),
        }
    }
}

impl ParquetFile {
    /// Reads the description at the end of a file.
    pub fn open(source: &Source, path: &Path) -> Result<Self> {
        let file = file::open(path)?;
        let damaged = |problem: String| file::table(path, format!("cannot be read as Parquet: {problem}"));
        let load = |options| sound(|| ArrowReaderMetadata::load(&file, options));
        // Some writers embed a description of Arrow types that does not fit; the file can be read without.
        let plain = || load(ArrowReaderOptions::new().with_skip_arrow_metadata(true));
        let described = load(ArrowReaderOptions::new()).or_else(|_| plain()).map_err(damaged)?;
        check_extent(described.metadata(), file::size(path)?).map_err(damaged)?;
        let names: Vec<String> = described.schema().fields().iter().map(|field| field.name().clone()).collect();
        check_names(&names, &path.display().to_string())?;
        if source.columns.as_ref().is_some_and(|columns| *columns != names) {
            let problem = format!("a Parquet file names its columns itself ({}); remove `columns`", names.join(", "));
            return Err(file::table(path, problem));
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
        let own = (0..names.len()).collect();
        Ok(ParquetFile { path: path.to_owned(), names, metadata, described: schema, texts, before, rows, own })
    }

    /// Whether the cells of a column of the table can be read.
    pub fn is_readable(&self, column: usize) -> bool {
        is_readable(self.field(column).data_type())
    }

    /// A column of the table as a pass reads it.
    pub fn field(&self, column: usize) -> &Field {
        self.metadata.schema().field(self.own[column])
    }

    /// A column of the table as it is, or with texts as dictionaries. Dictionaries are a way of storing, not a type, and are
    /// unpacked where they hold anything else, and wherever a column is wanted as it is.
    pub fn field_as(&self, column: usize, native: bool) -> Field {
        let at = self.own[column];
        let field = self.described.field(at);
        match field.data_type() {
            _ if !native => as_dictionary(field, self.texts[at]),
            DataType::Dictionary(_, value) => field.clone().with_data_type((**value).clone()),
            _ => field.clone(),
        }
    }

    /// The type with which a column is read where the table has `wanted`: the same, or texts of the same kind; none where this
    /// file holds something else.
    pub fn shared_type(&self, column: usize, wanted: &DataType) -> Option<DataType> {
        let is_text = |kind: &DataType| matches!(kind, DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View);
        let is_binary =
            |kind: &DataType| matches!(kind, DataType::Binary | DataType::LargeBinary | DataType::BinaryView);
        let same = |native| {
            let own = bare(&self.field_as(column, native));
            let own = own.data_type();
            own == wanted || (is_text(own) && is_text(wanted)) || (is_binary(own) && is_binary(wanted))
        };
        (same(true) || same(false)).then(|| wanted.clone())
    }

    /// The fields of the file as they are to be read where the table's are `wanted`.
    pub fn schema_like(&self, wanted: &Schema) -> Schema {
        let mut fields: Vec<Option<Field>> = vec![None; self.own.len()];
        for (column, at) in self.own.iter().enumerate() {
            let own = bare(&self.field_as(column, false));
            let shared = self.shared_type(column, wanted.field(column).data_type());
            fields[*at] = Some(match shared {
                Some(kind) => own.with_data_type(kind),
                None => own,
            });
        }
        Schema::new(fields.into_iter().flatten().collect::<Vec<Field>>())
    }

    /// How some columns of the table are read, which ascend.
    pub fn arrangement(&self, projection: &[usize]) -> Arrangement {
        let roots: Vec<usize> = projection.iter().map(|column| self.own[*column]).collect();
        let slots = (!roots.is_sorted()).then(|| {
            let rank = |root: &usize| roots.iter().filter(|other| *other < root).count();
            roots.iter().map(rank).collect()
        });
        Arrangement { roots, slots }
    }

    /// Whether all pages of a column refer to a list of its distinct values, in every row group: it is short then.
    pub fn is_listed(&self, column: usize) -> bool {
        // Not every writer tells. Positions take little room, values much.
        let short = |chunk: &ColumnChunkMetaData| chunk.uncompressed_size() / chunk.num_values().max(1) < 4;
        let listed = |chunk: &ColumnChunkMetaData| only_positions(chunk).unwrap_or_else(|| short(chunk));
        self.chunks(column).all(|chunk| chunk.dictionary_page_offset().is_some() && listed(chunk))
    }

    /// Whether whoever wrote the file began a list of the distinct values of a column, and found that there are too many.
    pub fn is_unlisted(&self, column: usize) -> bool {
        let given_up = |chunk: &ColumnChunkMetaData| only_positions(chunk) == Some(false);
        self.chunks(column).any(|chunk| chunk.dictionary_page_offset().is_some() && given_up(chunk))
    }

    /// What the file says of a column, for each row group; of its first part where it is nested.
    fn chunks(&self, column: usize) -> impl Iterator<Item = &ColumnChunkMetaData> {
        let (schema, root) = (self.metadata.parquet_schema(), self.own[column]);
        let leaf = (0..schema.num_columns()).find(|leaf| schema.get_column_root_idx(*leaf) == root);
        let groups = self.metadata.metadata().row_groups().iter();
        groups.filter_map(move |group| leaf.and_then(|leaf| group.columns().get(leaf)))
    }

    /// The bytes of its columns before they were compressed.
    pub fn stored_bytes(&self) -> u64 {
        let groups = self.metadata.metadata().row_groups();
        groups.iter().map(|group| group.total_byte_size().max(0) as u64).fold(0, u64::saturating_add)
    }
}

/// Whether the pages of a column hold nothing but positions in a list; none where the file does not say.
fn only_positions(chunk: &ColumnChunkMetaData) -> Option<bool> {
    let pages = chunk.page_encoding_stats_mask()?;
    Some(pages.is_only(Encoding::RLE_DICTIONARY) || pages.is_only(Encoding::PLAIN_DICTIONARY))
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
