//! What is said about files that are no tables, and about cells that do not fit.

use paretonym::data::{Dictionary, Encoding, Source};
use paretonym::engine::{Engine, Unwatched};
use paretonym::error::{Error, FileAction};
use paretonym_engine::{Embedded, profile};

use super::{Folder, assert_says, count, labels, message, quasi};

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
    assert_eq!(numbers.tuples, [[0, 1]]);
    assert_eq!(numbers.counts, [2, 1]);
}

#[test]
fn an_unknown_column_is_named() {
    let folder = Folder::new();
    let source = folder.write("t.csv", "age,sex\n1,M\n");
    let error = count(&source, &[quasi("agee", Encoding::Text)]).unwrap_err();
    assert!(matches!(error, Error::UnknownColumn { .. }));
    assert_says(&error.to_string(), &["agee", "did you mean \"age\""]);
}
