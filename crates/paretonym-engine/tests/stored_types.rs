//! Columns of a Parquet file, of whatever type: a release says of them what its rows show and nothing else, and holds what it
//! claims.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, Decimal128Array, FixedSizeBinaryArray, Float32Array, Float64Array, Int32Array, RecordBatch,
    StringArray, StructArray, TimestampMicrosecondArray, UInt64Array,
};
use arrow_schema::{DataType, Field, Schema};
use paretonym::engine::Unwatched;
use paretonym_engine::folder::{OpenRun, explore, read_study};
use paretonym_engine::release::{ReleaseOptions, release};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

/// Rows of the tables here; the last one is left out of every release.
const ROWS: usize = 61;

fn write(path: &Path, columns: Vec<(Field, ArrayRef)>) {
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = columns.into_iter().unzip();
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

/// Releases the finest solution of a table with the quasi column `code`, categorical, and others that are kept.
fn released(folder: &Path, format: &str) -> Result<PathBuf, String> {
    let study = folder.join("study.toml");
    let text = "[data]\npath = \"in.parquet\"\nother_columns = \"insensitive\"\n\
                [[columns]]\nname = \"code\"\nrole = \"quasi\"\nkind = \"categorical\"\nhierarchy = \"flat\"\nrecode = \"levels\"\n\
                [search]\nproblem = \"max-suppression\"\neta = 0.1\noptimizer = \"exact\"\n";
    std::fs::write(&study, text).unwrap();
    let run = folder.join("run");
    let found =
        explore(&read_study(&study).unwrap(), &run, None, &[], &Unwatched).map_err(|error| error.to_string())?;
    let finest =
        found.front.solutions.iter().filter(|solution| solution.k > 1).min_by(|a, b| a.loss.total_cmp(&b.loss));
    let out = folder.join("out").with_extension(format);
    let run = OpenRun::open(&run).unwrap();
    let done = release(&run, finest.unwrap().id, &out, &ReleaseOptions::default(), &Unwatched);
    done.map(|_| out).map_err(|error| error.to_string())
}

fn schema(path: &Path) -> Arc<Schema> {
    Arc::clone(ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap().schema())
}

/// Twenty rows of each of three values, and one row of another.
fn codes<T: Copy>(three: [T; 3], other: T) -> impl Iterator<Item = T> {
    (0..ROWS).map(move |row| if row == ROWS - 1 { other } else { three[row % 3] })
}

fn texts(row: usize) -> &'static str {
    if row == ROWS - 1 { "a rare disease" } else { ["flu", "cold"][row % 2] }
}

#[test]
fn what_a_writer_noted_beside_a_column_stays_behind() {
    let folder = tempfile::tempdir().unwrap();
    let noted = |name: &str, kind| {
        let note = ("values".to_owned(), "flu;cold;a rare disease".to_owned());
        Field::new(name, kind, true).with_metadata([note].into())
    };
    let inner = vec![noted("a", DataType::Utf8)];
    let diseases = || -> ArrayRef { Arc::new((0..ROWS).map(|row| Some(texts(row))).collect::<StringArray>()) };
    let nested = StructArray::new(inner.clone().into(), vec![diseases()], None);
    let code = Int32Array::from_iter_values(codes([1, 2, 3], 4));
    write(
        &folder.path().join("in.parquet"),
        vec![
            (noted("code", DataType::Int32), Arc::new(code)),
            (noted("disease", DataType::Utf8), diseases()),
            (noted("nested", DataType::Struct(inner.into())), Arc::new(nested)),
        ],
    );
    let out = released(folder.path(), "parquet").unwrap();
    let bytes = std::fs::read(&out).unwrap();
    let rare = |bytes: &[u8]| bytes.windows(4).any(|some| some == b"rare");
    assert!(!rare(&bytes), "the value of a row that was left out");
    let schema = schema(&out);
    assert!(schema.fields().iter().all(|field| field.metadata().is_empty()), "{schema:?}");
    let DataType::Struct(inner) = schema.field_with_name("nested").unwrap().data_type() else { panic!("{schema:?}") };
    assert!(inner[0].metadata().is_empty(), "{inner:?}");
}

/// Numbers that say more, or less, as texts than as numbers.
fn odd_numbers() -> Vec<(&'static str, ArrayRef)> {
    let decimals = |numbers: [i128; 3], other, precision, scale| -> ArrayRef {
        let numbers = Decimal128Array::from_iter_values(codes(numbers, other));
        Arc::new(numbers.with_precision_and_scale(precision, scale).unwrap())
    };
    vec![
        ("decimals with zeros at their end", decimals([110, 225, 300], 500, 10, 2)),
        ("long decimals", decimals([12_345_678_901_234_567_123, 12_345_678_901_234_567_124, 5], 6, 25, 3)),
        ("large numbers", Arc::new(UInt64Array::from_iter_values(codes([u64::MAX, u64::MAX - 1, 5], 6)))),
        ("single precision", Arc::new(Float32Array::from_iter_values(codes([0.1, 16_777_216.0, 1e22], 5.0)))),
        ("double precision", Arc::new(Float64Array::from_iter_values(codes([0.1, 1e22, 1e-7], 5.0)))),
        ("whole numbers", Arc::new(Int32Array::from_iter_values(codes([-1, 0, 7], 9)))),
    ]
}

#[test]
fn numbers_are_released_as_they_read() {
    for (what, array) in odd_numbers() {
        for format in ["parquet", "csv"] {
            let folder = tempfile::tempdir().unwrap();
            let field = Field::new("code", array.data_type().clone(), true);
            write(&folder.path().join("in.parquet"), vec![(field, Arc::clone(&array))]);
            released(folder.path(), format).unwrap_or_else(|error| panic!("{what}, {format}: {error}"));
        }
    }
}

#[test]
fn the_type_of_a_column_tells_nothing_of_rows_that_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    for other in [45.5, 45.0] {
        let code = Float64Array::from_iter_values(codes([1.0, 2.0, 3.0], other));
        let field = Field::new("code", DataType::Float64, true);
        write(&folder.path().join("in.parquet"), vec![(field, Arc::new(code))]);
        let folder = folder.path();
        let out = released(folder, "parquet").unwrap();
        assert_eq!(schema(&out).field(0).data_type(), &DataType::Int64, "{other}");
        for left in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if left.file_name().unwrap().to_string_lossy().starts_with("out") {
                std::fs::remove_file(left).unwrap();
            }
        }
    }
}

#[test]
fn bytes_zones_and_documents_do_not_stop_anybody() {
    let folder = tempfile::tempdir().unwrap();
    let code = Int32Array::from_iter_values(codes([1, 2, 3], 4));
    let ids = FixedSizeBinaryArray::try_from_iter((0..ROWS).map(|row| [row as u8; 16])).unwrap();
    let at =
        TimestampMicrosecondArray::from_iter_values((0..ROWS as i64).map(|row| row * 1_000_000)).with_timezone("UTC");
    let json = StringArray::from_iter_values((0..ROWS).map(|row| format!("{{\"row\":{row}}}")));
    let document = Field::new("document", DataType::Utf8, true)
        .with_metadata([("ARROW:extension:name".to_owned(), "arrow.json".to_owned())].into());
    write(
        &folder.path().join("in.parquet"),
        vec![
            (Field::new("code", DataType::Int32, true), Arc::new(code)),
            (Field::new("id", DataType::FixedSizeBinary(16), true), Arc::new(ids)),
            (Field::new("at", at.data_type().clone(), true), Arc::new(at)),
            (document, Arc::new(json)),
        ],
    );
    let out = released(folder.path(), "parquet").unwrap();
    let schema = schema(&out);
    assert_eq!(schema.field_with_name("id").unwrap().data_type(), &DataType::FixedSizeBinary(16));
    assert!(schema.field_with_name("at").unwrap().data_type().to_string().contains("UTC"), "{schema:?}");
    released(folder.path(), "csv").unwrap();
    let text = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    assert!(
        text.contains("01010101") && text.contains("1970-01-01T00:00:01Z") && text.contains("{\"\"row\"\":1}"),
        "{text}"
    );
}

#[test]
fn what_text_cannot_hold_is_said_before_anything_is_written() {
    let nested = StructArray::from(vec![(
        Arc::new(Field::new("a", DataType::Int32, true)),
        Arc::new(Int32Array::from_iter_values(0..ROWS as i32)) as ArrayRef,
    )]);
    let plain = || -> ArrayRef { Arc::new(Int32Array::from_iter_values(0..ROWS as i32)) };
    for (name, array) in [("nested", Arc::new(nested) as ArrayRef), (" spaced ", plain())] {
        let folder = tempfile::tempdir().unwrap();
        let code = Int32Array::from_iter_values(codes([1, 2, 3], 4));
        let fields = vec![
            (Field::new("code", DataType::Int32, true), Arc::new(code) as ArrayRef),
            (Field::new(name, array.data_type().clone(), true), array),
        ];
        write(&folder.path().join("in.parquet"), fields);
        let problem = released(folder.path(), "csv").unwrap_err();
        assert!(problem.contains(&format!("{name:?} cannot be written as text")), "{problem}");
        assert!(problem.contains("in.parquet") && !folder.path().join("out.csv").exists(), "{problem}");
    }
}
