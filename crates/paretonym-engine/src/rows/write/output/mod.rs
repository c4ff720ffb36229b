//! The formats of a release: separated text and Parquet, by the extension of the file.

mod columnar;
mod pages;
mod runs;
mod text;

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, Field, SchemaRef};
use paretonym::error::{Error, Result};
use parquet::file::writer::SerializedFileWriter;

use super::store::{Picked, Store};
use super::texts::TextNumbers;
pub(super) use columnar::ROW_GROUP;
use columnar::{ParquetEncoder, ParquetSheet, RowGroup};
pub(crate) use text::quote;
use text::{LineMaker, TextSheet};

/// What a suppressed cell shows in a text.
pub(crate) const STAR: &str = "*";

/// The format of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    /// Separated text; the separator where the extension alone decides it.
    Text(Option<u8>),
    /// Parquet.
    Parquet,
    /// No file, but batches in memory.
    Memory,
}

impl OutputFormat {
    /// By the extension of a file.
    pub fn of(path: &Path) -> Result<Self> {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        match extension.as_deref() {
            Some("csv" | "txt" | "data") => Ok(OutputFormat::Text(None)),
            Some("tsv" | "tab") => Ok(OutputFormat::Text(Some(b'\t'))),
            Some("parquet" | "pq") => Ok(OutputFormat::Parquet),
            _ => Err(Error::study(format!(
                "{}: the extension decides the format of a release; use .csv, .tsv or .parquet",
                path.display()
            ))),
        }
    }
}

/// A column of the release.
pub(crate) enum OutputColumn {
    /// Sets by number, and what each of them shows; the number behind the last set is a suppressed cell.
    Sets {
        /// Its name.
        name: String,
        /// What each set shows; none where no row shows it.
        shown: Vec<Option<String>>,
        /// Whether the original column held numbers, so that numbers may stay numbers.
        numeric: bool,
    },
    /// Texts that come as positions in a list of them.
    Texts(Field),
    /// Cells as they come.
    Cells {
        field: Field,
        /// Whether a list of the distinct values is worth trying.
        listed: bool,
    },
}

impl OutputColumn {
    fn name(&self) -> &str {
        match self {
            OutputColumn::Sets { name, .. } => name,
            OutputColumn::Texts(field) | OutputColumn::Cells { field, .. } => field.name(),
        }
    }
}

/// A column of a batch, in a form that its [`OutputColumn`] announced.
pub(super) enum Shown<'a> {
    Sets(SetNumbers<'a>),
    Texts(&'a Int32Array, &'a StringArray),
    Cells(ArrayRef),
}

/// The sets of a column in a row-major table.
#[derive(Clone, Copy)]
pub(super) struct SetNumbers<'a> {
    pub table: &'a [u32],
    pub column: usize,
    pub width: usize,
    /// The number of no set.
    pub star: u32,
}

impl<'a> SetNumbers<'a> {
    fn get(&self, row: usize, star: bool) -> u32 {
        if star { self.star } else { self.table[row * self.width + self.column] }
    }

    /// Those of picked rows.
    fn of(self, picked: Picked<'a>) -> impl Iterator<Item = u32> + 'a {
        let star = move |at: usize| picked.stars.is_some_and(|stars| stars[at]);
        picked.rows.iter().enumerate().map(move |(at, row)| self.get(*row as usize, star(at)))
    }
}

/// What rows look like while they wait for their place.
pub(super) enum Sheet {
    Text(TextSheet),
    Parquet(ParquetSheet),
}

/// Collects rows on one thread.
pub(super) enum Collector<'a> {
    Text(LineMaker<'a>),
    Parquet(Vec<Option<TextNumbers<'a>>>),
}

/// Makes the parts of a file from rows that have found their place.
pub(super) enum Encoder {
    Text,
    Parquet(Box<ParquetEncoder>),
}

/// Rows as they stand in the file.
pub(super) enum Encoded {
    Text(Vec<u8>),
    Parquet(Vec<RowGroup>),
}

/// A file that is being written, or a table in memory that is being made.
pub(super) enum Output {
    Text(File),
    Parquet(Box<SerializedFileWriter<File>>),
    Memory(SchemaRef, Vec<RecordBatch>),
}

/// A table in memory.
pub(crate) type Batches = (SchemaRef, Vec<RecordBatch>);

/// Begins a table in memory.
pub(super) fn begin_in_memory(columns: &[OutputColumn]) -> (Sheet, Output) {
    let (sheet, schema) = columnar::begin_in_memory(columns);
    (Sheet::Parquet(sheet), Output::Memory(schema, Vec::new()))
}

/// Begins a file.
pub(super) fn begin(
    mut file: File,
    format: OutputFormat,
    delimiter: u8,
    columns: &[OutputColumn],
) -> Result<(Sheet, Output), ArrowError> {
    Ok(match format {
        OutputFormat::Memory => begin_in_memory(columns),
        OutputFormat::Parquet => {
            let (sheet, writer) = columnar::begin(file, columns)?;
            (Sheet::Parquet(sheet), Output::Parquet(Box::new(writer)))
        }
        OutputFormat::Text(own) => {
            let sheet = TextSheet::new(own.unwrap_or(delimiter), columns);
            file.write_all(&sheet.header(columns))?;
            (Sheet::Text(sheet), Output::Text(file))
        }
    })
}

impl Sheet {
    /// Room for the rows of a chunk.
    pub fn stores(&self) -> Vec<Store> {
        match self {
            Sheet::Text(_) => vec![Store::text()],
            Sheet::Parquet(sheet) => sheet.stores(),
        }
    }

    /// What a worker needs for collecting rows.
    pub fn collector(&self) -> Collector<'_> {
        match self {
            Sheet::Text(sheet) => Collector::Text(sheet.line_maker()),
            Sheet::Parquet(sheet) => Collector::Parquet(sheet.appender()),
        }
    }

    /// When all rows are collected.
    pub fn into_encoder(self) -> Encoder {
        match self {
            Sheet::Text(_) => Encoder::Text,
            Sheet::Parquet(sheet) => Encoder::Parquet(Box::new(sheet.into_encoder())),
        }
    }
}

impl Collector<'_> {
    /// Collects picked rows of a batch.
    pub fn collect(&mut self, shown: &[Shown], picked: Picked, stores: &mut [Store]) -> Result<(), ArrowError> {
        match self {
            Collector::Text(lines) => lines.append(shown, picked, &mut stores[0]),
            Collector::Parquet(numbers) => columnar::collect(numbers, shown, picked, stores),
        }
    }
}

impl Encoder {
    /// Room for the rows of a bucket.
    pub fn stores(&self) -> Vec<Store> {
        match self {
            Encoder::Text => vec![Store::text()],
            Encoder::Parquet(encoder) => encoder.stores(),
        }
    }

    /// Takes rows back that were put aside.
    pub fn read(&self, stores: &mut [Store], rows: usize, from: &mut &[u8]) -> Result<(), ArrowError> {
        match self {
            Encoder::Text => stores[0].read(rows, from),
            Encoder::Parquet(encoder) => encoder.read(stores, rows, from),
        }
    }

    /// The rows in an order, as they stand in the file.
    pub fn encode(&self, stores: &[Store], order: &[u32]) -> Result<Encoded, ArrowError> {
        Ok(match self {
            Encoder::Text => Encoded::Text(stores[0].texts_in_order(order)),
            Encoder::Parquet(encoder) => Encoded::Parquet(encoder.encode(stores, order)?),
        })
    }
}

impl Output {
    /// Appends rows.
    pub fn put(&mut self, rows: Encoded) -> Result<(), ArrowError> {
        match (self, rows) {
            (Output::Text(file), Encoded::Text(lines)) => Ok(file.write_all(&lines)?),
            (Output::Parquet(writer), Encoded::Parquet(groups)) => {
                Ok(groups.into_iter().try_for_each(|group| columnar::append(writer, group))?)
            }
            (Output::Memory(schema, batches), Encoded::Parquet(groups)) => {
                for group in groups {
                    let RowGroup::Batch(batch) = group else { continue };
                    *schema = batch.schema();
                    batches.push(batch);
                }
                Ok(())
            }
            _ => Err(ArrowError::InvalidArgumentError("rows of another format".to_owned())),
        }
    }

    /// Ends the file; a table in memory is handed out.
    pub fn finish(self) -> Result<Option<Batches>, ArrowError> {
        match self {
            Output::Text(_) => Ok(None),
            Output::Parquet(writer) => Ok(writer.close().map(|_| None)?),
            Output::Memory(schema, batches) => Ok(Some((schema, batches))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_schema::DataType;
    use proptest::prelude::*;

    use super::*;

    /// A cell that a reader may take for something else, or none at all.
    fn cells() -> impl Strategy<Value = Option<String>> {
        prop::option::weighted(0.9, "[ab,;|\t\"\n\r é*'-]{0,5}")
    }

    /// Writes rows of text, the first column as sets, and reads them with a library that knows nothing of ours.
    fn there_and_back(rows: &[Vec<Option<String>>], names: &[String], delimiter: u8) -> Vec<Vec<String>> {
        let shown: Vec<String> = rows.iter().map(|row| row[0].clone().unwrap_or_default()).collect();
        let mut columns = vec![OutputColumn::Sets {
            name: names[0].clone(),
            shown: shown.into_iter().map(Some).collect(),
            numeric: false,
        }];
        let cells = names[1..]
            .iter()
            .map(|name| OutputColumn::Cells { field: Field::new(name, DataType::Utf8, true), listed: true });
        columns.extend(cells);
        let table: Vec<u32> = (0..rows.len() as u32).collect();
        let mut shown = vec![Shown::Sets(SetNumbers { table: &table, column: 0, width: 1, star: rows.len() as u32 })];
        let texts = |at: usize| rows.iter().map(|row| row[at].clone()).collect::<StringArray>();
        shown.extend((1..names.len()).map(|at| Shown::Cells(Arc::new(texts(at)))));

        let file = tempfile::NamedTempFile::new().unwrap();
        let (sheet, mut output) = begin(file.reopen().unwrap(), OutputFormat::Text(None), delimiter, &columns).unwrap();
        let mut stores = sheet.stores();
        let picked = Picked { rows: &table, stars: None };
        sheet.collector().collect(&shown, picked, &mut stores).unwrap();
        output.put(sheet.into_encoder().encode(&stores, &table).unwrap()).unwrap();
        output.finish().unwrap();
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).has_headers(false).from_path(&file).unwrap();
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            delimiter in prop::sample::select(b",;\t|".to_vec()),
            names in prop::collection::vec("[a-c,;|\t\"\n\r ]{1,4}", 1..4),
            rows in prop::collection::vec(prop::collection::vec(cells(), 3), 1..8),
        ) {
            let rows: Vec<Vec<Option<String>>> =
                rows.into_iter().map(|row| row.into_iter().take(names.len()).collect()).collect();
            let read = there_and_back(&rows, &names, delimiter);
            let shown = rows.iter().map(|row| row.iter().map(|cell| cell.clone().unwrap_or_default()).collect());
            let expected: Vec<Vec<String>> = [names].into_iter().chain(shown).collect();
            prop_assert_eq!(read, expected);
        }
    }
}
