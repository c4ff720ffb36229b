//! Small files of every kind, written to a folder and read back: what is counted, and what is said about files that
//! cannot be.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::{ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float32Array, Float64Array, Int32Array};
use arrow_array::{RecordBatch, StringArray};
use paretonym::data::{
    ColumnRequest, CountRequest, Counted, Decimal, Dictionary, Encoding, MISSING, OnMissing, Part, Source,
};
use paretonym::engine::{Engine, Unwatched, Watch};
use paretonym::error::{Error, FileAction, Result};
use paretonym_engine::{Embedded, profile};
use proptest::prelude::*;

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
    Embedded.count(source, &CountRequest { columns: columns.to_vec() }, &Unwatched)
}

/// Counts all columns as texts and spells the tuples out.
fn texts(source: &Source) -> Vec<(Vec<String>, u64)> {
    let names = Embedded.columns(source).unwrap();
    let columns: Vec<ColumnRequest> = names.iter().map(|name| quasi(name, Encoding::Text)).collect();
    spell(&count(source, &columns).unwrap())
}

fn spell(counted: &Counted) -> Vec<(Vec<String>, u64)> {
    let width = counted.dictionaries.len();
    let word = |(dictionary, code): (&Dictionary, &u32)| match dictionary {
        _ if *code == MISSING => "MISSING".to_owned(),
        Dictionary::Text(texts) => texts[*code as usize].clone(),
        Dictionary::Numbers(numbers) => numbers[*code as usize].to_string(),
        Dictionary::Declared => code.to_string(),
    };
    let tuples = counted.tuples.chunks(width).zip(&counted.counts);
    tuples.map(|(codes, count)| (counted.dictionaries.iter().zip(codes).map(word).collect(), *count)).collect()
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

#[test]
fn cells_are_trimmed_and_counted() {
    let folder = Folder::new();
    let source = folder.write("t.csv", "sex, age\nMale, 5\r\n Male ,5\n\nFemale,\" 6 \"\n");
    assert_eq!(Embedded.columns(&source).unwrap(), ["sex", "age"]);
    assert_eq!(texts(&source), [tuple(&["Female", "6"], 1), tuple(&["Male", "5"], 2)]);
}

#[test]
fn quoted_cells_hold_separators_quotes_and_newlines() {
    let folder = Folder::new();
    let source = folder.write("t.csv", "a,b\n\"x,\"\"y\"\"\nz\",5\" pipe\n");
    assert_eq!(texts(&source), [tuple(&["x,\"y\"\nz", "5\" pipe"], 1)]);
}

#[test]
fn all_separators_and_endings() {
    let folder = Folder::new();
    let expected = [tuple(&["x", "1"], 1), tuple(&["y", "2"], 1)];
    for (name, separator) in [("t.csv", ','), ("t.txt", ';'), ("t.tsv", '\t'), ("noextension", '|')] {
        for ending in ["\n", "\r\n", "\r"] {
            for last in [ending, ""] {
                let text = format!("a{separator}b{ending}x{separator}1{ending}y{separator}2{last}");
                assert_eq!(texts(&folder.write(name, text)), expected, "{name} {ending:?} {last:?}");
            }
        }
    }
}

#[test]
fn a_tsv_prefers_tabs() {
    let folder = Folder::new();
    let source = folder.write("t.tsv", "a,b,c\td,e\n1,2,3\t4,5\n");
    assert_eq!(Embedded.columns(&source).unwrap(), ["a,b,c", "d,e"]);
}

#[test]
fn a_declared_separator_and_header_win() {
    let folder = Folder::new();
    let mut source = folder.write("t.csv", "1,2;3\n4,5;6\n");
    source.delimiter = Some(';');
    source.header = Some(true);
    assert_eq!(Embedded.columns(&source).unwrap(), ["1,2", "3"]);
    source.delimiter = Some('é');
    assert_says(&message(Embedded.columns(&source)), &["delimiter", "ASCII"]);
}

#[test]
fn without_a_header_columns_are_numbered_or_named() {
    let folder = Folder::new();
    let mut source = folder.write("t.csv", "39, State-gov\n50, Private\n");
    assert_eq!(Embedded.columns(&source).unwrap(), ["column_1", "column_2"]);
    assert_eq!(texts(&source).len(), 2);
    source.columns = Some(vec!["age".into(), "workclass".into()]);
    assert_eq!(Embedded.columns(&source).unwrap(), ["age", "workclass"]);
    assert_eq!(texts(&source).len(), 2);
    source.columns = Some(vec!["age".into()]);
    assert_says(&message(Embedded.columns(&source)), &["1 columns", "2 fields"]);
}

#[test]
fn given_names_replace_a_declared_header() {
    let folder = Folder::new();
    let mut source = folder.write("t.csv", "a,b\nx,y\n");
    source.header = Some(true);
    source.columns = Some(vec!["c".into(), "d".into()]);
    assert_eq!(texts(&source), [tuple(&["x", "y"], 1)]);
}

#[test]
fn marks_comments_and_blank_lines_are_skipped() {
    let folder = Folder::new();
    let mut source = folder.write("t.csv", b"\xef\xbb\xbf|note, \"one\n\na,b\n\n1,2\n|\"two\n\n1,2\n");
    source.comment = Some('|');
    assert_eq!(texts(&source), [tuple(&["1", "2"], 2)]);
}

#[test]
fn columns_of_one_name_are_refused() {
    let folder = Folder::new();
    let mut source = folder.write("t.csv", "age,sex,age\n1,2,3\n");
    source.header = Some(true);
    assert_says(&message(Embedded.columns(&source)), &["\"age\"", "two columns"]);
}

#[test]
fn files_that_are_no_tables() {
    let folder = Folder::new();
    let missing = Source::at(folder.0.path().join("none.csv"));
    let error = Embedded.columns(&missing).unwrap_err();
    assert!(matches!(error, Error::File { action: FileAction::Read, .. }) && error.is_input(), "{error}");
    assert_says(&message(Embedded.columns(&Source::at(folder.0.path()))), &["is a folder"]);
    for text in ["", "\n\n", "a,b\n", "a,b"] {
        let source = folder.write("t.csv", text);
        assert_says(&message(count(&source, &[quasi("a", Encoding::Text)])), &["holds no rows"]);
        assert_says(&message(profile(&source, &Unwatched)), &["holds no rows"]);
    }
    let mut only_names = folder.write("t.csv", "a,b\n\n");
    only_names.header = Some(true);
    assert_says(&message(count(&only_names, &[quasi("a", Encoding::Text)])), &["holds no rows"]);
    assert_says(&message(Embedded.columns(&folder.write("t.xlsx", b"PK\x03\x04rest"))), &["Excel", "CSV"]);
    assert_says(&message(Embedded.columns(&folder.write("t.parquet", "a,b\n1,2\n"))), &["Parquet"]);
    assert_says(&message(Embedded.columns(&folder.write("t.parquet", "PAR1 and then nothing"))), &["Parquet"]);
    assert_says(&message(Embedded.columns(&folder.write("t.csv.gz", "a,b\n1,2\n"))), &["not gzip"]);
}

#[test]
fn other_encodings_are_named_with_a_way_out() {
    let folder = Folder::new();
    let utf16 = folder.write("t.csv", b"\xff\xfea\0,\0b\0");
    assert_says(&message(Embedded.columns(&utf16)), &["UTF-16", "line 1", "iconv -f UTF-16"]);
    let unmarked = folder.write("t.csv", b"a\0,\0b\0\n\0");
    assert_says(&message(Embedded.columns(&unmarked)), &["line 1", "iconv -f UTF-16"]);
    let latin = folder.write("latin.csv", b"a,b\n1,2\n\"x\ny\",caf\xe9\n");
    let said = message(count(&latin, &[quasi("a", Encoding::Text)]));
    assert_says(&said, &["line 4", "not UTF-8", "iconv -f WINDOWS-1252 -t UTF-8"]);
    // Beyond the rows that are looked at for guessing.
    let mut far = b"a,b\n".to_vec();
    for _ in 0..1000 {
        far.extend_from_slice(b"1,2\n");
    }
    far.extend_from_slice(b"1,\xc3\n\xa9,3\n");
    let said = message(count(&folder.write("t.csv", far), &[quasi("a", Encoding::Text)]));
    assert_says(&said, &["line 1002", "not UTF-8"]);
    assert_says(&message(Embedded.read_text(&latin.path)), &["line 4", "WINDOWS-1252"]);
}

#[test]
fn small_texts_are_read_without_their_mark() {
    let folder = Folder::new();
    let source = folder.write("taxonomy.csv", b"\xef\xbb\xbfa;b\n");
    assert_eq!(Embedded.read_text(&source.path).unwrap(), "a;b\n");
    assert!(matches!(Embedded.read_text(&folder.0.path().join("none")), Err(Error::File { .. })));
}

#[test]
fn a_ragged_row_is_reported_with_its_line() {
    let folder = Folder::new();
    let source = folder.write("t.csv", "a,b\n\"1\n1\",2\n\n3\n4,5,6\n");
    assert_says(&message(count(&source, &[quasi("a", Encoding::Text)])), &["line 5", "1 field,", "has 2"]);
    let source = folder.write("t.csv", "a,b\n1,2\n3, \"4,5\"\n");
    assert_says(&message(count(&source, &[quasi("a", Encoding::Text)])), &["line 3", "space before the quote"]);
    let source = folder.write("t.csv", "a,b\n1,2\n4,5,6\n");
    assert_says(&message(count(&source, &[quasi("b", Encoding::Text)])), &["line 3", "3 fields", "has 2"]);
}

#[test]
fn a_bad_value_before_a_ragged_row_comes_first() {
    let folder = Folder::new();
    let source = folder.write("t.csv", "a,b\n1,2\nx,2\n4,5,6\n");
    assert_says(&message(count(&source, &[quasi("a", Encoding::Numbers)])), &["line 3", "\"x\"", "not a number"]);
}

#[test]
fn an_open_quote_is_reported_where_it_opens() {
    let folder = Folder::new();
    let source = folder.write("t.csv", "a,b\n1,2\n3,\"4\n5,6\n");
    assert_says(&message(count(&source, &[quasi("a", Encoding::Text)])), &["line 3", "quote", "never closed"]);
}

#[test]
fn unknown_values_are_reported_with_the_true_line() {
    let folder = Folder::new();
    let source = folder.write("t.csv", "a,b\n\"x\n\n\",1\n\ny,2\nz,3\nz,4\n");
    let error = count(&source, &[quasi("a", labels(&["x", "y"]))]).unwrap_err();
    let Error::Value { line: 7, ref column, ref value, .. } = error else { panic!("{error}") };
    assert_eq!((column.as_str(), value.as_str()), ("a", "z"));
}

#[test]
fn numbers_must_be_numbers_within_their_range() {
    let folder = Folder::new();
    let source = folder.write("t.csv", "a\n5\n5.0\n10\n");
    let closed = |closed| Encoding::Bins { edges: vec![0.0, 6.0, 10.0], closed };
    assert_eq!(count(&source, &[quasi("a", closed(true))]).unwrap().counts, [2, 1]);
    let said = message(count(&source, &[quasi("a", closed(false))]));
    assert_says(&said, &["line 4", "\"10\"", "from 0 to 10"]);
    let numbers = count(&source, &[quasi("a", Encoding::Numbers)]).unwrap();
    assert_eq!(numbers.dictionaries, [Dictionary::Numbers(vec![5.0, 10.0])]);
    assert_eq!((numbers.tuples, numbers.counts), (vec![0, 1], vec![2, 1]));
}

#[test]
fn an_unknown_column_is_named() {
    let folder = Folder::new();
    let source = folder.write("t.csv", "age,sex\n1,M\n");
    let error = count(&source, &[quasi("agee", Encoding::Text)]).unwrap_err();
    assert!(matches!(error, Error::UnknownColumn { .. }));
    assert_says(&error.to_string(), &["agee", "did you mean \"age\""]);
}

#[test]
fn missing_values_drop_rows_are_a_value_or_an_error() {
    let folder = Folder::new();
    let mut source = folder.write("t.csv", "a,b\nx,1\n ? ,not a number\ny,?\nx,1\n");
    source.missing = vec!["?".into()];
    let columns = [quasi("a", Encoding::Text), attribute("b", Encoding::Numbers)];
    let dropped = count(&source, &columns).unwrap();
    assert_eq!((dropped.rows, dropped.dropped, dropped.counts.as_slice()), (2, 2, [2].as_slice()));
    // A value that occurs only in rows that were left out does not occur.
    assert_eq!(dropped.dictionaries[0], Dictionary::Text(vec!["x".into()]));

    source.on_missing = OnMissing::Error;
    assert_says(&message(count(&source, &columns)), &["line 3", "\"a\"", "\"?\"", "on_missing"]);

    source.on_missing = OnMissing::Value;
    assert_says(&message(count(&source, &columns)), &["line 3", "not a number"]);
    let kept = count(&source, &[quasi("a", Encoding::Text), attribute("b", Encoding::Text)]).unwrap();
    assert_eq!((kept.rows, kept.dropped), (4, 0));
    assert_eq!(kept.tuples, [0, 1, MISSING]);
    assert_eq!(kept.attributes[0].iter().map(|count| count.value).collect::<Vec<_>>(), [0, MISSING, 1]);

    let mut empty = folder.write("t.csv", "a,b\n,1\n,2\n");
    assert_says(&message(count(&empty, &columns)), &["all 2 rows", "missing"]);
    empty.missing = Vec::new();
    assert_eq!(count(&empty, &columns).unwrap().dictionaries[0], Dictionary::Text(vec!["".into()]));
}

#[test]
fn a_column_may_be_quasi_and_attribute() {
    let folder = Folder::new();
    let source = folder.write("t.csv", "b,a\n1,x\n2,x\n1,y\n");
    let columns = [attribute("b", Encoding::Text), quasi("a", Encoding::Text), quasi("b", Encoding::Numbers)];
    let counted = count(&source, &columns).unwrap();
    assert_eq!(counted.tuples, [0, 0, 0, 1, 1, 0]);
    assert_eq!(
        counted.attributes[0].iter().map(|count| (count.tuple, count.value)).collect::<Vec<_>>(),
        [(0, 0), (1, 1), (2, 0)]
    );
    assert_eq!(counted.dictionaries[2], Dictionary::Numbers(vec![1.0, 2.0]));
    assert_eq!(counted.dictionaries[0], Dictionary::Text(vec!["1".into(), "2".into()]));
    let none = count(&source, &[]).unwrap();
    assert_eq!((none.rows, none.counts), (3, vec![3]));
}

#[test]
fn gzip_equals_plain() {
    let folder = Folder::new();
    let text = "a,b\nx,1\ny,2\nx,1\n";
    let mut packed = Vec::new();
    // Two members, as `cat a.gz b.gz` makes them.
    for part in [&text[..6], &text[6..]] {
        let mut encoder = flate2::write::GzEncoder::new(&mut packed, flate2::Compression::default());
        encoder.write_all(part.as_bytes()).unwrap();
        encoder.finish().unwrap();
    }
    let plain = texts(&folder.write("t.csv", text));
    assert_eq!(texts(&folder.write("t.csv.gz", &packed)), plain);
    assert_eq!(texts(&folder.write("unnamed", &packed)), plain);
    let torn = folder.write("torn.csv.gz", &packed[..packed.len() - 9]);
    let error = count(&torn, &[quasi("a", Encoding::Text)]).unwrap_err();
    assert!(error.is_input(), "{error}");
    assert_says(&error.to_string(), &["decompressed"]);
}

fn mixed(folder: &Folder, rows: usize) -> (Source, Source) {
    let name = |row: usize| (row % 11 != 3).then(|| format!("n{}", row * 7 % 13));
    let age = |row: usize| (row % 17 != 5).then(|| (row * 31 % 90) as i32);
    let size = |row: usize| (row * 3 % 8) as f64 / 2.0;
    let mut text = "name,age,size,weight,member,born,price\n".to_owned();
    for row in 0..rows {
        let cells = [
            name(row).unwrap_or_default(),
            age(row).map(|age| age.to_string()).unwrap_or_default(),
            size(row).to_string(),
            (size(row) as f32 / 10.0).to_string(),
            (row % 2 == 0).to_string(),
            format!("2020-01-{:02}", 1 + row % 28),
            format!("{}.{:02}", row % 5, row % 100),
        ];
        text += &(cells.join(",") + "\n");
    }
    let csv = folder.write("mixed.csv", text);
    let column = |values: Vec<i32>| Arc::new(Date32Array::from(values)) as ArrayRef;
    let parquet = folder.parquet(
        "mixed.parquet",
        vec![
            ("name", Arc::new((0..rows).map(name).collect::<StringArray>())),
            ("age", Arc::new((0..rows).map(age).collect::<Int32Array>())),
            ("size", Arc::new((0..rows).map(|row| Some(size(row))).collect::<Float64Array>())),
            ("weight", Arc::new((0..rows).map(|row| Some(size(row) as f32 / 10.0)).collect::<Float32Array>())),
            ("member", Arc::new((0..rows).map(|row| Some(row % 2 == 0)).collect::<BooleanArray>())),
            ("born", column((0..rows).map(|row| 18262 + (row % 28) as i32).collect())),
            (
                "price",
                Arc::new(
                    (0..rows)
                        .map(|row| Some((row % 5 * 100 + row % 100) as i128))
                        .collect::<Decimal128Array>()
                        .with_precision_and_scale(10, 2)
                        .unwrap(),
                ),
            ),
        ],
        rows / 7 + 1,
    );
    (csv, parquet)
}

#[test]
fn parquet_equals_text() {
    let folder = Folder::new();
    let (mut csv, mut parquet) = mixed(&folder, 30_000);
    let names = ["name", "age", "size", "weight", "member", "born", "price"];
    assert_eq!(Embedded.columns(&parquet).unwrap(), names);
    let as_text = names.map(|name| quasi(name, Encoding::Text)).to_vec();
    let bins = Encoding::Bins { edges: vec![0.0, 30.0, 60.0, 90.0], closed: false };
    let as_numbers = vec![
        quasi("age", bins),
        quasi("size", Encoding::Numbers),
        quasi("weight", Encoding::Numbers),
        attribute("price", Encoding::Numbers),
        attribute("age", Encoding::Text),
        attribute("name", Encoding::Text),
        quasi("member", labels(&["false", "true"])),
    ];
    for on_missing in [OnMissing::DropRow, OnMissing::Value] {
        csv.on_missing = on_missing;
        parquet.on_missing = on_missing;
        for columns in [&as_text, &as_numbers] {
            let counted = count(&csv, columns).unwrap();
            assert_eq!(counted, count(&parquet, columns).unwrap());
            assert_eq!(counted.dropped > 0, on_missing == OnMissing::DropRow);
        }
    }
    let (of_text, of_parquet) = (profile(&csv, &Unwatched).unwrap(), profile(&parquet, &Unwatched).unwrap());
    for (text, parquet) in of_text.columns.iter().zip(&of_parquet.columns) {
        // As texts, because NaN differs from itself.
        assert_eq!(format!("{text:?}"), format!("{parquet:?}"));
    }
    assert_eq!((of_text.delimiter, of_parquet.delimiter, of_text.rows), (Some(','), None, 30_000));
}

#[test]
fn parquet_errors_name_the_row() {
    let folder = Folder::new();
    let (_, mut parquet) = mixed(&folder, 1000);
    parquet.on_missing = OnMissing::Error;
    let error = count(&parquet, &[quasi("age", Encoding::Text)]).unwrap_err();
    assert!(matches!(error, Error::Value { line: 6, .. }), "{error}");
    assert_says(&error.to_string(), &["missing"]);
    let known: Vec<String> =
        (0..28).map(|day| format!("2020-01-{:02}", 1 + day)).filter(|day| day != "2020-01-20").collect();
    let error = count(&parquet, &[quasi("born", Encoding::Labels(known))]).unwrap_err();
    assert!(matches!(&error, Error::Value { line: 20, value, .. } if value == "2020-01-20"), "{error}");
    parquet.columns = Some(vec!["x".into()]);
    assert_says(&message(Embedded.columns(&parquet)), &["remove `columns`"]);
}

#[test]
fn parquet_columns_of_every_type() {
    use arrow_array::*;
    use arrow_schema::DataType::{Dictionary as Coded, Int8, LargeUtf8};
    let folder = Folder::new();
    let words = StringArray::from(vec![Some("b"), None, Some(" a ")]);
    let to = |kind: &arrow_schema::DataType| arrow_cast::cast(&words, kind).unwrap();
    let mut list = builder::ListBuilder::new(builder::Int32Builder::new());
    (0..3).for_each(|_| list.append(true));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("large", to(&LargeUtf8)),
        ("view", to(&arrow_schema::DataType::Utf8View)),
        ("coded", to(&Coded(Box::new(Int8), Box::new(LargeUtf8)))),
        ("binary", to(&arrow_schema::DataType::Binary)),
        ("unsigned", Arc::new(UInt64Array::from(vec![u64::MAX, 5, 5]))),
        ("small", Arc::new(Int8Array::from(vec![-1, 5, 5]))),
        ("time", Arc::new(TimestampSecondArray::from(vec![0, 86_400, 86_400]))),
        ("float", Arc::new(Float64Array::from(vec![5.0, 0.5, f64::NAN]))),
        ("nothing", Arc::new(NullArray::new(3))),
        ("list", Arc::new(list.finish())),
    ];
    let mut source = folder.parquet("t.parquet", columns, 2);
    source.on_missing = OnMissing::Value;
    let cells = |name: &str, encoding| {
        let counted = count(&source, &[quasi(name, encoding)]).unwrap();
        spell(&counted).into_iter().map(|(mut cells, count)| (cells.remove(0), count)).collect::<Vec<_>>()
    };
    let pair = |text: &str, count: u64| (text.to_owned(), count);
    for name in ["large", "view", "coded", "binary"] {
        assert_eq!(cells(name, Encoding::Text), [pair("a", 1), pair("b", 1), pair("MISSING", 1)], "{name}");
    }
    assert_eq!(cells("unsigned", Encoding::Text), [pair("18446744073709551615", 1), pair("5", 2)]);
    assert_eq!(cells("small", Encoding::Text), [pair("-1", 1), pair("5", 2)]);
    assert_eq!(cells("small", Encoding::Numbers), [pair("-1", 1), pair("5", 2)]);
    assert_eq!(cells("time", Encoding::Text), [pair("1970-01-01T00:00:00", 1), pair("1970-01-02T00:00:00", 2)]);
    assert_eq!(cells("float", Encoding::Text), [pair("0.5", 1), pair("5", 1), pair("NaN", 1)]);
    assert_eq!(cells("nothing", Encoding::Text), [pair("MISSING", 3)]);
    assert_says(&message(count(&source, &[quasi("float", Encoding::Numbers)])), &["line 3", "NaN"]);
    assert_says(&message(count(&source, &[quasi("list", Encoding::Text)])), &["\"list\"", "convert"]);
    assert_eq!(count(&source, &[]).unwrap().counts, [3]);
    let profile = profile(&source, &Unwatched).unwrap();
    assert_eq!((profile.columns.len(), profile.columns[9].name.as_str(), profile.columns[9].rows), (10, "list", 3));
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn the_number_of_threads_does_not_show() {
    let folder = Folder::new();
    let (csv, parquet) = mixed(&folder, 300_000);
    let columns = [
        quasi("name", Encoding::Text),
        quasi("age", Encoding::Numbers),
        quasi("born", Encoding::Text),
        attribute("price", Encoding::Numbers),
    ];
    let once = with_threads(1, || count(&csv, &columns)).unwrap();
    for threads in [1, 2, 7] {
        for source in [&csv, &parquet] {
            assert_eq!(with_threads(threads, || count(source, &columns)).unwrap(), once, "{threads} threads");
        }
    }
    // Faults in many blocks: always the first one is told.
    let few: Vec<String> = (0..5000).map(|price| format!("{}.{:02}", price / 100, price % 100)).collect();
    let few = few.into_iter().filter(|price| price != "3.33").collect::<Vec<_>>();
    let first = message(count(&csv, &[quasi("price", Encoding::Labels(few.clone()))]));
    assert_says(&first, &["line 35"]);
    for threads in [1, 2, 7] {
        let again = with_threads(threads, || message(count(&csv, &[quasi("price", Encoding::Labels(few.clone()))])));
        assert_eq!(again, first);
    }
}

#[test]
fn profiles_tell_what_columns_hold() {
    let folder = Folder::new();
    let mut source = folder.write("t.csv", "zip;day;size\n01234;2020-02-29;-1.5\n98765;?;+3\n01234;2021-01-01;\n");
    source.missing = vec!["?".into()];
    let table = profile(&source, &Unwatched).unwrap();
    assert_eq!((table.rows, table.delimiter, table.header), (3, Some(';'), true));
    let [zip, day, size] = table.columns.as_slice() else { panic!() };
    assert!(zip.leading_zeros && zip.integers == 3 && zip.numbers == 3 && (zip.shortest, zip.longest) == (5, 5));
    assert_eq!(zip.values, [("01234".to_owned(), 2), ("98765".to_owned(), 1)]);
    assert_eq!((day.dates, day.missing, day.numbers, day.rows), ([2, 0, 0, 0, 0, 0, 0, 0], 1, 0, 3));
    assert!(day.min.is_nan());
    assert_eq!((size.numbers, size.integers, size.missing, size.min, size.max), (2, 1, 1, -1.5, 3.0));
    let many: String = (0..30_000).map(|row| format!("{row},{}\n", row % 3)).collect();
    let table = profile(&folder.write("t.csv", format!("a,b\n{many}")), &Unwatched).unwrap();
    assert!(table.columns[0].more_values && !table.columns[1].more_values);
    assert_eq!(table.columns[0].values.len(), 10_000);
    assert_eq!(table.columns[0].values[9999], ("9999".to_owned(), 1));
    assert_eq!((table.columns[0].max, table.columns[1].values[2].1), (29_999.0, 10_000));
}

#[test]
fn profiles_find_decimal_commas_dates_and_late_signs() {
    let folder = Folder::new();
    let lines: String =
        (0..12_000).map(|row| format!("{},{};{:02}.02.2020;{row}\n", row % 300, row % 7, row % 28 + 1)).collect();
    let source = folder.write("t.csv", format!("size;day;key\n{lines}1.234,5;28.02.2021 10:15;.\n"));
    let table = profile(&source, &Unwatched).unwrap();
    assert_eq!((table.decimal, table.delimiter), (Decimal::Comma, Some(';')));
    let [size, day, key] = table.columns.as_slice() else { panic!() };
    assert_eq!((size.numbers, size.integers, size.max), (12_001, 0, 1234.5));
    assert_eq!((day.dates, day.times), ([0, 0, 0, 12_001, 0, 0, 0, 0], true));
    // A sign for "missing" is known however many values came before it.
    assert!(key.more_values && key.values.contains(&(".".to_owned(), 1)));

    let points = profile(&folder.write("p.csv", "a,b\n1.5,\"1,234\"\n2.5,\"5,678\"\n"), &Unwatched).unwrap();
    assert_eq!(points.decimal, Decimal::Point, "thousands are no decimals");
}

#[derive(Default)]
struct Meter {
    steps: AtomicU64,
    done: AtomicU64,
    stop: bool,
}

impl Watch for Meter {
    fn phase(&self, name: &str, steps: Option<u64>) {
        assert!(name.starts_with("reading t.csv"), "{name}");
        self.steps.store(steps.unwrap(), Ordering::Relaxed);
    }
    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }
    fn cancelled(&self) -> bool {
        self.stop
    }
}

#[test]
fn progress_is_told_and_stopping_obeyed() {
    let folder = Folder::new();
    let source = folder.write("t.csv", "a,b\n1,2\n");
    let request = CountRequest { columns: vec![quasi("a", Encoding::Text)] };
    let meter = Meter::default();
    Embedded.count(&source, &request, &meter).unwrap();
    assert_eq!((meter.steps.into_inner(), meter.done.into_inner()), (8, 8));
    let meter = Meter { stop: true, ..Meter::default() };
    assert!(matches!(Embedded.count(&source, &request, &meter), Err(Error::Cancelled)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_tables_are_counted_as_by_hand(
        rows in prop::collection::vec(prop::collection::vec("[ab,\"\n\r;\t é'?]{0,4}", 3), 1..40),
        crlf in any::<bool>(),
    ) {
        let folder = Folder::new();
        let mut text = "first,second,third".to_owned();
        let mut expected: BTreeMap<Vec<String>, u64> = BTreeMap::new();
        for row in &rows {
            text += if crlf { "\r\n" } else { "\n" };
            text += &row.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect::<Vec<_>>().join(",");
            *expected.entry(row.iter().map(|cell| cell.trim().to_owned()).collect()).or_default() += 1;
        }
        let mut source = folder.write("t.csv", text);
        source.delimiter = Some(',');
        source.header = Some(true);
        source.missing = vec!["?".into()];
        let (kept, left): (BTreeMap<_, _>, BTreeMap<_, _>) =
            expected.into_iter().partition(|(cells, _)| !cells.iter().any(|cell| cell == "?"));
        let columns = ["first", "second", "third"].map(|name| quasi(name, Encoding::Text));
        match count(&source, &columns) {
            Ok(counted) => {
                prop_assert_eq!(counted.dropped, left.values().sum::<u64>());
                prop_assert_eq!(counted.rows, kept.values().sum::<u64>());
                prop_assert_eq!(spell(&counted), kept.into_iter().collect::<Vec<_>>());
            }
            Err(error) => prop_assert!(kept.is_empty(), "{}", error),
        }
    }
}
