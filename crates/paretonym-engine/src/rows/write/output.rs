//! The formats of a release: separated text and Parquet, by the extension of the file.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray, UInt32Array};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use arrow_select::take::take;
use paretonym::error::{Error, Result};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

/// What a suppressed cell shows in a text.
pub(crate) const STAR: &str = "*";

/// Rows per row group of a Parquet file.
const ROW_GROUP: usize = 1 << 18;

/// The format of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutputFormat {
    /// Separated text; the separator where the extension alone decides it.
    Text(Option<u8>),
    /// Parquet.
    Parquet,
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
        /// What each set shows.
        shown: Vec<String>,
        /// Whether the original column held numbers, so that numbers may stay numbers.
        numeric: bool,
    },
    /// Cells as they come.
    Cells(Field),
}

impl OutputColumn {
    fn name(&self) -> &str {
        match self {
            OutputColumn::Sets { name, .. } => name,
            OutputColumn::Cells(field) => field.name(),
        }
    }
}

/// Writes batches whose columns are set numbers or cells.
pub(crate) enum Output {
    Text { file: BufWriter<File>, delimiter: u8, columns: Vec<TextColumn>, line: Vec<u8> },
    Parquet { writer: Box<ArrowWriter<File>>, schema: SchemaRef, columns: Vec<Option<ArrayRef>> },
}

/// How a column becomes text.
pub(crate) enum TextColumn {
    /// The text of each set, quoted where that is needed.
    Sets(Vec<Vec<u8>>),
    Cells,
}

impl Output {
    /// Begins a file.
    pub fn new(file: File, format: OutputFormat, delimiter: u8, columns: &[OutputColumn]) -> Result<Self, ArrowError> {
        match format {
            OutputFormat::Parquet => Output::parquet(file, columns),
            OutputFormat::Text(own) => Output::text(file, own.unwrap_or(delimiter), columns),
        }
    }

    fn text(file: File, delimiter: u8, columns: &[OutputColumn]) -> Result<Self, ArrowError> {
        let mut file = BufWriter::with_capacity(1 << 18, file);
        let mut line = Vec::new();
        for (at, column) in columns.iter().enumerate() {
            if at > 0 {
                line.push(delimiter);
            }
            quote(column.name(), delimiter, &mut line);
        }
        line.push(b'\n');
        file.write_all(&line)?;
        let quoted = |text: &String| {
            let mut bytes = Vec::new();
            quote(text, delimiter, &mut bytes);
            bytes
        };
        let columns = columns.iter().map(|column| match column {
            OutputColumn::Sets { shown, .. } => {
                TextColumn::Sets(shown.iter().map(quoted).chain([STAR.as_bytes().to_vec()]).collect())
            }
            OutputColumn::Cells(_) => TextColumn::Cells,
        });
        Ok(Output::Text { file, delimiter, columns: columns.collect(), line })
    }

    fn parquet(file: File, columns: &[OutputColumn]) -> Result<Self, ArrowError> {
        let mut fields = Vec::new();
        let mut shown = Vec::new();
        for column in columns {
            match column {
                OutputColumn::Cells(field) => {
                    fields.push(field.clone().with_nullable(true));
                    shown.push(None);
                }
                OutputColumn::Sets { name, shown: texts, numeric } => {
                    let values = values(texts, *numeric);
                    fields.push(Field::new(name, values.data_type().clone(), true));
                    shown.push(Some(values));
                }
            }
        }
        let schema = Arc::new(Schema::new(fields));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(ROW_GROUP))
            .build();
        let writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties))?;
        Ok(Output::Parquet { writer: Box::new(writer), schema, columns: shown })
    }

    /// Appends rows.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        match self {
            Output::Parquet { writer, schema, columns } => {
                let arrays = batch.columns().iter().zip(columns.iter()).map(|(array, shown)| match shown {
                    Some(values) => take(values, array.as_primitive::<UInt32Type>(), None),
                    None => Ok(Arc::clone(array)),
                });
                let arrays = arrays.collect::<Result<Vec<_>, _>>()?;
                Ok(writer.write(&RecordBatch::try_new(Arc::clone(schema), arrays)?)?)
            }
            Output::Text { file, delimiter, columns, line } => {
                let arrays = batch
                    .columns()
                    .iter()
                    .zip(columns.iter())
                    .map(|(array, column)| {
                        Ok(match column {
                            TextColumn::Sets(texts) => {
                                BatchColumn::Sets(texts, array.as_primitive::<UInt32Type>().clone())
                            }
                            TextColumn::Cells => {
                                BatchColumn::Cells(cast(array, &DataType::Utf8)?.as_string::<i32>().clone())
                            }
                        })
                    })
                    .collect::<Result<Vec<BatchColumn>, ArrowError>>()?;
                for row in 0..batch.num_rows() {
                    line.clear();
                    for (at, shown) in arrays.iter().enumerate() {
                        if at > 0 {
                            line.push(*delimiter);
                        }
                        match shown {
                            BatchColumn::Sets(texts, codes) => {
                                line.extend_from_slice(&texts[codes.value(row) as usize])
                            }
                            BatchColumn::Cells(texts) if texts.is_null(row) => {}
                            BatchColumn::Cells(texts) => quote(texts.value(row), *delimiter, line),
                        }
                    }
                    if line.is_empty() {
                        line.extend_from_slice(b"\"\"");
                    }
                    line.push(b'\n');
                    file.write_all(line)?;
                }
                Ok(())
            }
        }
    }

    /// Ends the file and brings it to the disk.
    pub fn finish(self) -> Result<(), ArrowError> {
        let file = match self {
            Output::Text { file, .. } => file.into_inner().map_err(io::IntoInnerError::into_error)?,
            Output::Parquet { writer, .. } => writer.into_inner()?,
        };
        Ok(file.sync_all()?)
    }
}

enum BatchColumn<'a> {
    Sets(&'a [Vec<u8>], UInt32Array),
    Cells(StringArray),
}

/// What the sets show, as numbers where all of it is numbers and was before, and what a suppressed cell shows.
fn values(texts: &[String], numeric: bool) -> ArrayRef {
    let whole: Option<Vec<i64>> = texts.iter().map(|text| text.parse().ok()).collect();
    let real: Option<Vec<f64>> = texts.iter().map(|text| text.parse().ok()).collect();
    match (whole, real) {
        (Some(whole), _) if numeric => Arc::new(Int64Array::from_iter(whole.into_iter().map(Some).chain([None]))),
        (None, Some(real)) if numeric => Arc::new(Float64Array::from_iter(real.into_iter().map(Some).chain([None]))),
        _ => Arc::new(StringArray::from_iter_values(texts.iter().map(String::as_str).chain([STAR]))),
    }
}

/// Appends a cell, in quotes where it needs them.
pub(crate) fn quote(text: &str, delimiter: u8, line: &mut Vec<u8>) {
    let special = |byte: &u8| *byte == delimiter || matches!(byte, b'"' | b'\n' | b'\r');
    if !text.as_bytes().iter().any(special) {
        line.extend_from_slice(text.as_bytes());
        return;
    }
    line.push(b'"');
    for byte in text.bytes() {
        if byte == b'"' {
            line.push(b'"');
        }
        line.push(byte);
    }
    line.push(b'"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A cell that a reader may take for something else, or none at all.
    fn cells() -> impl Strategy<Value = Option<String>> {
        prop::option::weighted(0.9, "[ab,;|\t\"\n\r é*'-]{0,5}")
    }

    /// Writes rows of text, the first column as sets, and reads them with a library that knows nothing of ours.
    fn there_and_back(rows: &[Vec<Option<String>>], names: &[String], delimiter: u8) -> Vec<Vec<String>> {
        let shown: Vec<String> = rows.iter().map(|row| row[0].clone().unwrap_or_default()).collect();
        let mut columns = vec![OutputColumn::Sets { name: names[0].clone(), shown, numeric: false }];
        let cells = names[1..].iter().map(|name| OutputColumn::Cells(Field::new(name, DataType::Utf8, true)));
        columns.extend(cells);
        let mut arrays: Vec<ArrayRef> = vec![Arc::new(UInt32Array::from_iter_values(0..rows.len() as u32))];
        let texts = |at: usize| rows.iter().map(|row| row[at].clone()).collect::<StringArray>();
        arrays.extend((1..names.len()).map(|at| Arc::new(texts(at)) as ArrayRef));
        let numbered = arrays.iter().enumerate().map(|(at, array)| (at.to_string(), Arc::clone(array), true));
        let batch = RecordBatch::try_from_iter_with_nullable(numbered).unwrap();

        let file = tempfile::NamedTempFile::new().unwrap();
        let mut output = Output::new(file.reopen().unwrap(), OutputFormat::Text(None), delimiter, &columns).unwrap();
        output.write(&batch).unwrap();
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
