//! Releases of a table in several Parquet files: the rows of one file with all of them, and one type per column.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Int64Array, LargeStringArray, RecordBatch, StringArray};
use paretonym::data::Source;
use paretonym::engine::Unwatched;
use paretonym::error::Result;
use paretonym::study::Study;
use paretonym_engine::folder::{OpenRun, explore};
use paretonym_engine::read_columns;
use paretonym_engine::release::private::PrivatePart;
use paretonym_engine::release::{ReleaseOptions, Released, recoding_beside, release};
use parquet::arrow::ArrowWriter;

const ROWS: i64 = 900;

fn write(path: &Path, columns: Vec<(&str, ArrayRef)>) {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties =
        parquet::file::properties::WriterProperties::builder().set_max_row_group_row_count(Some(40)).build();
    let file = std::fs::File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

/// Rows from one number to another: an age, a number that tells each row apart and a text.
fn columns(from: i64, to: i64) -> Vec<(&'static str, ArrayRef)> {
    let ages = Int64Array::from_iter_values((from..to).map(|row| 20 + row * 37 % 40));
    let numbers = Int64Array::from_iter_values(from..to);
    let texts = StringArray::from_iter_values((from..to).map(|row| format!("t{}", row % 3)));
    vec![("age", Arc::new(ages)), ("number", Arc::new(numbers)), ("text", Arc::new(texts))]
}

fn study(path: &Path) -> Study {
    let text = format!(
        "data = {{ path = {path:?} }}\ncolumns = [{}]\n",
        "{ name = \"age\", role = \"quasi\", kind = \"numeric\", widths = [5, 10, 20] },
         { name = \"number\", role = \"insensitive\" }, { name = \"text\", role = \"insensitive\" }"
            .replace('\n', " ")
    );
    Study::from_toml(&text, "the test").unwrap()
}

fn released(folder: &Path, path: &Path, name: &str, keep_order: bool) -> Result<Released> {
    let front = folder.join(format!("{name}-front"));
    explore(&study(path), &front, None, &[], &Unwatched)?;
    let run = OpenRun::open(&front)?;
    let options = ReleaseOptions { keep_order, force: true, ..ReleaseOptions::default() };
    release(&run, 1, &folder.join(format!("{name}.parquet")), &options, &Unwatched)
}

/// The rows of a release.
fn rows(folder: &Path, name: &str) -> Vec<String> {
    let names = ["age", "number", "text"].map(str::to_owned);
    let columns = read_columns(&Source::at(folder.join(name)), &names, &Unwatched).unwrap();
    let row = |at: usize| {
        let cells: Vec<&str> = columns.iter().map(|column| column.texts[column.codes[at] as usize].as_str()).collect();
        cells.join("|")
    };
    (0..columns[0].codes.len()).map(row).collect()
}

#[test]
fn several_files_are_released_as_one_table() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    write(&at("whole.parquet"), columns(0, ROWS));
    std::fs::create_dir(at("parts")).unwrap();
    for part in 0..9 {
        let mut own = columns(part * 100, part * 100 + 100);
        own.rotate_left(part as usize % 3);
        if part == 4 {
            // Another kind of text is still text.
            let texts = (0..100).map(|row| format!("t{}", (400 + row) % 3));
            let place = own.iter().position(|(name, _)| *name == "text").unwrap();
            own[place].1 = Arc::new(LargeStringArray::from_iter_values(texts));
        }
        write(&at(&format!("parts/{part}.parquet")), own);
    }
    released(home.path(), &at("whole.parquet"), "one", true).unwrap();
    released(home.path(), &at("parts"), "many", true).unwrap();
    let expected = rows(home.path(), "one.parquet");
    assert_eq!(rows(home.path(), "many.parquet"), expected);
    released(home.path(), &at("parts/*.parquet"), "mixed", false).unwrap();
    let mixed = rows(home.path(), "mixed.parquet");
    assert_ne!(mixed, expected);
    // Each row comes from where the private part says.
    let part = PrivatePart::of_release(&at("mixed.parquet"), Some(&at("mixed-front"))).unwrap().unwrap();
    assert!(recoding_beside(&at("mixed.parquet")).is_file());
    for (row, number) in mixed.iter().zip(part.rows().unwrap()) {
        assert_eq!(row.split('|').nth(1).unwrap(), number.to_string());
    }
    let mut sorted = mixed;
    sorted.sort();
    let mut expected = expected;
    expected.sort();
    assert_eq!(sorted, expected);
}

#[test]
fn a_kept_column_needs_one_type() {
    let home = tempfile::tempdir().unwrap();
    let at = |name: &str| home.path().join(name);
    std::fs::create_dir(at("parts")).unwrap();
    write(&at("parts/a.parquet"), columns(0, 450));
    let mut other = columns(450, ROWS);
    let numbers = other[1].1.as_any().downcast_ref::<Int64Array>().unwrap();
    other[1].1 = Arc::new(StringArray::from_iter_values(numbers.values().iter().map(i64::to_string)));
    write(&at("parts/b.parquet"), other);
    let error = released(home.path(), &at("parts"), "out", false).err().unwrap();
    assert!(error.is_input(), "{error}");
    for part in ["a.parquet", "b.parquet", "\"number\"", "Int64", "Utf8", "one type"] {
        assert!(error.to_string().contains(part), "{part}: {error}");
    }
    assert!(!at("out.parquet").exists());
    // A column that is recoded shows its sets, whatever held its values.
    let mut other = columns(450, ROWS);
    let ages = other[0].1.as_any().downcast_ref::<Int64Array>().unwrap();
    other[0].1 = Arc::new(StringArray::from_iter_values(ages.values().iter().map(i64::to_string)));
    write(&at("parts/b.parquet"), other);
    released(home.path(), &at("parts"), "out", false).unwrap();
    write(&at("whole.parquet"), columns(0, ROWS));
    released(home.path(), &at("whole.parquet"), "one", false).unwrap();
    let sorted = |name: &str| {
        let mut rows = rows(home.path(), name);
        rows.sort();
        rows
    };
    assert_eq!(sorted("out.parquet"), sorted("one.parquet"));
}
