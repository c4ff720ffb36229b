//! Releases of tables of several row groups and blocks: the same seed gives the same file on any number of threads, and every
//! cell that stays is that of the row which the private part names, whatever its type.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{Int32Builder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BooleanArray, Date32Array, Decimal128Array, DictionaryArray, Float64Array,
    Int16Array, Int32Array, Int64Array, LargeStringArray, RecordBatch, StringArray, StringViewArray, StructArray,
    UInt64Array,
};
use arrow_schema::{DataType, Field, Schema};
use arrow_select::concat::concat_batches;
use arrow_select::take::take;
use paretonym::engine::Unwatched;
use paretonym::release::PublicRecoding;
use paretonym_engine::folder::{OpenRun, explore, read_study};
use paretonym_engine::release::private::PrivatePart;
use paretonym_engine::release::{ReleaseOptions, recoding_beside, release};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;

/// Enough for two buckets, both by rows and by bytes.
const ROWS: usize = 280_000;

const STUDY: &str = "[data]\npath = \"FILE\"\nother_columns = \"insensitive\"\n\
    [[columns]]\nname = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\nwidths = [5, 20]\n\
    [[columns]]\nname = \"job\"\nrole = \"quasi\"\nkind = \"categorical\"\n\
    [search]\nproblem = \"max-suppression\"\neta = 0.01\noptimizer = \"exhaustive\"\n";

/// The quasi cells of a row: some combinations are rare.
fn person(row: usize) -> (i64, &'static str) {
    match row % 5_000 {
        0 => (91, "pilot"),
        _ => (20 + (row * 7 % 40) as i64, ["cook", "clerk", "nurse"][row % 3]),
    }
}

fn texts(count: usize) -> impl Iterator<Item = Option<String>> {
    (0..ROWS).map(move |row| (row % 11 != 3).then(|| format!("text {}", row * 31 % count)))
}

/// Columns of every kind that waits in a way of its own, many with nulls.
fn cells() -> Vec<(&'static str, ArrayRef)> {
    let there = |row: &usize| row % 13 != 1;
    let number = |row: usize| there(&row).then_some(row as i64 * 37 % 9_001);
    let mut lists = ListBuilder::new(Int32Builder::new());
    for row in 0..ROWS {
        (0..row % 4).for_each(|item| lists.values().append_value((row * 10 + item) as i32));
        lists.append(there(&row));
    }
    let numbers: Int32Array = (0..ROWS).map(|row| there(&row).then_some(row as i32)).collect();
    let pair: StructArray = vec![
        (Arc::new(Field::new("n", DataType::Int32, true)), Arc::new(numbers) as ArrayRef),
        (Arc::new(Field::new("t", DataType::Utf8, true)), Arc::new(texts(50).collect::<StringArray>()) as ArrayRef),
    ]
    .into();
    let words = texts(9).collect::<Vec<_>>();
    let words: DictionaryArray<Int32Type> = words.iter().map(Option::as_deref).collect();
    let decimals = (0..ROWS).map(|row| number(row).map(i128::from)).collect::<Decimal128Array>();
    let bytes = (0..ROWS).map(|row| there(&row).then(|| vec![b'a' + (row % 26) as u8; row % 5]));
    vec![
        ("few", Arc::new(texts(20).collect::<StringArray>())),
        ("many", Arc::new(texts(ROWS).collect::<StringArray>())),
        ("large", Arc::new(texts(300).collect::<LargeStringArray>())),
        ("view", Arc::new(texts(300).collect::<StringViewArray>())),
        ("words", Arc::new(words)),
        ("small", Arc::new((0..ROWS).map(|row| number(row).map(|number| number as i16)).collect::<Int16Array>())),
        ("real", Arc::new((0..ROWS).map(|row| Some(row as f64 / 7.0)).collect::<Float64Array>())),
        ("flag", Arc::new((0..ROWS).map(|row| there(&row).then_some(row % 3 == 0)).collect::<BooleanArray>())),
        ("date", Arc::new((0..ROWS).map(|row| number(row).map(|number| number as i32)).collect::<Date32Array>())),
        ("money", Arc::new(decimals.with_precision_and_scale(20, 2).unwrap())),
        ("bytes", Arc::new(bytes.collect::<BinaryArray>())),
        ("lists", Arc::new(lists.finish())),
        ("pair", Arc::new(pair)),
        ("nothing", Arc::new(Int64Array::new_null(ROWS))),
    ]
}

fn write_parquet(path: &Path) -> RecordBatch {
    let mut columns: Vec<(&str, ArrayRef)> = vec![
        ("age", Arc::new(Int64Array::from_iter_values((0..ROWS).map(|row| person(row).0)))),
        ("job", Arc::new(StringArray::from_iter_values((0..ROWS).map(|row| person(row).1)))),
    ];
    columns.extend(cells());
    let fields: Vec<Field> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(70_001)).build();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    batch
}

fn read_parquet(path: &Path) -> RecordBatch {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap().build().unwrap();
    let batches: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
    concat_batches(&batches[0].schema(), &batches).unwrap()
}

/// Explores a table; a solution of the front that suppresses rows.
fn explored(folder: &Path, table: &str) -> (OpenRun, u32) {
    let study = folder.join(table).with_extension("toml");
    std::fs::write(&study, STUDY.replace("FILE", table)).unwrap();
    let dir = folder.join(format!("{table}-run"));
    explore(&read_study(&study).unwrap(), &dir, None, &[], &Unwatched).unwrap();
    let run = OpenRun::open(&dir).unwrap();
    let suppressing = run.front.solutions.iter().find(|one| one.suppressed.is_some_and(|rows| rows > 0));
    let id = suppressing.expect("rare rows can be suppressed").id;
    (run, id)
}

fn released(run: &OpenRun, id: u32, out: PathBuf, options: &ReleaseOptions, threads: usize) -> PathBuf {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| release(run, id, &out, options, &Unwatched)).unwrap();
    out
}

/// For each released row the number of its row in the table.
fn numbers(out: &Path, run: &OpenRun) -> Vec<u64> {
    let id = PublicRecoding::id_in(&std::fs::read_to_string(recoding_beside(out)).unwrap(), "x").unwrap().unwrap();
    PrivatePart::find(&id, out, Some(&run.dir)).unwrap().rows().unwrap()
}

/// Every cell of the columns that stay is that of its row; a row of stars has none.
fn check_cells(original: &RecordBatch, out: &Path, run: &OpenRun, stars: bool) {
    let read = read_parquet(out);
    let [age, job] = ["age", "job"].map(|name| read.column_by_name(name).unwrap());
    // Numbers have no star, and are not there.
    let is_star = |array: &ArrayRef, row: usize| match array.as_string_opt::<i32>() {
        Some(texts) => texts.value(row) == "*",
        None => array.is_null(row),
    };
    let number = |(row, number): (usize, u64)| (!(is_star(age, row) && is_star(job, row))).then_some(number);
    let numbers: UInt64Array = numbers(out, run).into_iter().enumerate().map(number).collect();
    assert_eq!(numbers.len(), read.num_rows());
    assert_eq!(numbers.null_count() > 0, stars);
    for name in original.schema().fields().iter().map(|field| field.name()).skip(2) {
        let expected = take(original.column_by_name(name).unwrap(), &numbers, None).unwrap();
        let found = read.column_by_name(name).unwrap();
        // Dictionaries are a way of storing, and are unpacked.
        if let Some(listed) = expected.as_dictionary_opt::<Int32Type>() {
            let texts = listed.downcast_dict::<StringArray>().unwrap();
            assert!(texts.into_iter().eq(found.as_string::<i32>()), "{name}");
        } else {
            assert_eq!(&expected, found, "{name}");
        }
    }
}

#[test]
fn a_seed_gives_the_same_file_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let original = write_parquet(&folder.path().join("people.parquet"));
    let mut text = String::from("age,job,note,sum\n");
    for row in 0..ROWS {
        let (age, job) = person(row);
        text += &format!("{age},{job},\"a note, and one of {} words\",{}\n", row % 1_000, row * 3);
    }
    std::fs::write(folder.path().join("people.csv"), text).unwrap();
    for table in ["people.parquet", "people.csv"] {
        let (run, id) = explored(folder.path(), table);
        for (format, keep_order, stars) in
            [("parquet", false, false), ("csv", false, false), ("parquet", false, true), ("parquet", true, false)]
        {
            // Lists have no text.
            if (table, format) == ("people.parquet", "csv") {
                continue;
            }
            let options = ReleaseOptions { seed: Some(5), keep_order, stars, force: true, ..ReleaseOptions::default() };
            let out = |threads: usize| folder.path().join(format!("out-{threads}")).with_extension(format);
            let one = released(&run, id, out(1), &options, 1);
            let three = released(&run, id, out(3), &options, 3);
            assert!(std::fs::read(&one).unwrap() == std::fs::read(&three).unwrap(), "{table} to {format}");
            let numbers = numbers(&three, &run);
            assert_eq!(numbers.is_sorted(), keep_order);
            if keep_order {
                // Row groups of the same size do not tell where rows were left out.
                let file = ParquetRecordBatchReaderBuilder::try_new(File::open(&three).unwrap()).unwrap();
                let sizes: Vec<i64> = file.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
                assert_eq!(sizes, [1 << 18, numbers.len() as i64 - (1 << 18)]);
            }
            if (table, format) == ("people.parquet", "parquet") {
                check_cells(&original, &three, &run, stars);
            }
            if format == "csv" {
                let mut reader = csv::Reader::from_path(&three).unwrap();
                for (row, number) in reader.records().map(Result::unwrap).zip(&numbers) {
                    assert_eq!(&row[2], format!("a note, and one of {} words", number % 1_000));
                    assert_eq!(row[3], (number * 3).to_string());
                }
            }
        }
    }
}
