//! Small files of every kind, written to a folder and read back: what is counted, and what is said about files that
//! cannot be.

mod columnar;
mod mistakes;

mod profiles;
mod several;
mod text;
mod working;

use std::path::PathBuf;

use arrow_array::{ArrayRef, RecordBatch};
use paretonym::data::{ColumnRequest, CountRequest, Counted, Dictionary, Encoding, MISSING, Part, Source};
use paretonym::engine::{Engine, Unwatched};
use paretonym::error::Result;
use paretonym_engine::Embedded;

/// A folder of files that goes away with the test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> Source {
        let path: PathBuf = self.0.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        Source::at(path)
    }

    fn parquet(&self, name: &str, columns: Vec<(&str, ArrayRef)>, rows_per_group: usize) -> Source {
        let path = self.0.path().join(name);
        let batch =
            RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, column)| (name, column, true)))
                .unwrap();
        let file = std::fs::File::create(&path).unwrap();
        let properties = parquet::file::properties::WriterProperties::builder()
            .set_max_row_group_row_count(Some(rows_per_group))
            .build();
        let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        Source::at(path)
    }
}

fn quasi(name: &str, encoding: Encoding) -> ColumnRequest {
    ColumnRequest { name: name.into(), part: Part::Quasi, encoding }
}

fn attribute(name: &str, encoding: Encoding) -> ColumnRequest {
    ColumnRequest { name: name.into(), part: Part::Attribute, encoding }
}

fn labels(labels: &[&str]) -> Encoding {
    Encoding::Labels(labels.iter().map(|label| label.to_string()).collect())
}

fn count(source: &Source, columns: &[ColumnRequest]) -> Result<Counted> {
    Embedded.count(source, &CountRequest { columns: columns.to_vec(), at_most: None, part: None }, &Unwatched)
}

/// Counts all columns as texts and spells the tuples out.
fn texts(source: &Source) -> Vec<(Vec<String>, u64)> {
    let names = Embedded.columns(source).unwrap();
    let columns: Vec<ColumnRequest> = names.iter().map(|name| quasi(name, Encoding::Text)).collect();
    spell(&count(source, &columns).unwrap())
}

fn spell(counted: &Counted) -> Vec<(Vec<String>, u64)> {
    let word = |(dictionary, code): (&Dictionary, u32)| match dictionary {
        _ if code == MISSING => "MISSING".to_owned(),
        Dictionary::Text(texts) => texts[code as usize].clone(),
        Dictionary::Numbers(numbers) => numbers[code as usize].to_string(),
        Dictionary::Declared => code.to_string(),
    };
    let words = |tuple: usize| counted.dictionaries.iter().zip(counted.tuple(tuple)).map(word).collect();
    counted.counts.iter().enumerate().map(|(tuple, count)| (words(tuple), count)).collect()
}

fn tuple(cells: &[&str], count: u64) -> (Vec<String>, u64) {
    (cells.iter().map(|cell| cell.to_string()).collect(), count)
}

fn message(result: Result<impl std::fmt::Debug>) -> String {
    result.unwrap_err().to_string()
}

#[track_caller]
fn assert_says(message: &str, parts: &[&str]) {
    for part in parts {
        assert!(message.contains(part), "{part:?} is not in: {message}");
    }
}
