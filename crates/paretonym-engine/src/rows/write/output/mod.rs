//! The formats of a release: separated text and Parquet, by the extension of the file.

mod columnar;
mod text;

use std::fs::File;
use std::path::Path;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Field};
use paretonym::error::{Error, Result};

use columnar::ParquetOutput;
use text::TextOutput;
pub(crate) use text::quote;

/// What a suppressed cell shows in a text.
pub(crate) const STAR: &str = "*";

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
    Text(TextOutput),
    Parquet(Box<ParquetOutput>),
}

impl Output {
    /// Begins a file.
    pub fn new(file: File, format: OutputFormat, delimiter: u8, columns: &[OutputColumn]) -> Result<Self, ArrowError> {
        Ok(match format {
            OutputFormat::Parquet => Output::Parquet(Box::new(ParquetOutput::new(file, columns)?)),
            OutputFormat::Text(own) => Output::Text(TextOutput::new(file, own.unwrap_or(delimiter), columns)?),
        })
    }

    /// Appends rows.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        match self {
            Output::Parquet(output) => output.write(batch),
            Output::Text(output) => output.write(batch),
        }
    }

    /// Ends the file and brings it to the disk.
    pub fn finish(self) -> Result<(), ArrowError> {
        let file = match self {
            Output::Text(output) => output.finish()?,
            Output::Parquet(output) => output.finish()?,
        };
        Ok(file.sync_all()?)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, StringArray, UInt32Array};
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
