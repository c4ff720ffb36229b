//! Separated text: what its cells, names, marks and missing values are.

use std::collections::BTreeMap;
use std::io::Write;

use paretonym::data::{Dictionary, Encoding, MISSING, OnMissing};
use paretonym::engine::Engine;
use paretonym::error::Error;
use paretonym_engine::Embedded;
use proptest::prelude::*;

use super::{Folder, assert_says, attribute, count, message, quasi, spell, texts, tuple};

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
fn small_texts_are_read_without_their_mark() {
    let folder = Folder::new();
    let source = folder.write("taxonomy.csv", b"\xef\xbb\xbfa;b\n");
    assert_eq!(Embedded.read_text(&source.path).unwrap(), "a;b\n");
    assert!(matches!(Embedded.read_text(&folder.0.path().join("none")), Err(Error::File { .. })));
}

#[test]
fn missing_values_drop_rows_are_a_value_or_an_error() {
    let folder = Folder::new();
    let mut source = folder.write("t.csv", "a,b\nx,1\n ? ,not a number\ny,?\nx,1\n");
    source.missing = vec!["?".into()];
    let columns = [quasi("a", Encoding::Text), attribute("b", Encoding::Numbers)];
    let dropped = count(&source, &columns).unwrap();
    assert_eq!((dropped.rows, dropped.dropped), (2, 2));
    assert_eq!(dropped.counts, [2]);
    // A value that occurs only in rows that were left out does not occur.
    assert_eq!(dropped.dictionaries[0], Dictionary::Text(vec!["x".into()]));

    source.on_missing = OnMissing::Error;
    assert_says(&message(count(&source, &columns)), &["line 3", "\"a\"", "\"?\"", "on_missing"]);

    source.on_missing = OnMissing::Value;
    assert_says(&message(count(&source, &columns)), &["line 3", "not a number"]);
    let kept = count(&source, &[quasi("a", Encoding::Text), attribute("b", Encoding::Text)]).unwrap();
    assert_eq!((kept.rows, kept.dropped), (4, 0));
    assert_eq!(kept.tuples, [[0, 1, u64::from(MISSING)]]);
    assert_eq!(kept.attributes[0].entries().map(|count| count.value).collect::<Vec<_>>(), [0, MISSING, 1]);

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
    assert_eq!(counted.tuples, [[0, 0, 1], [0, 1, 0]]);
    assert_eq!(
        counted.attributes[0].entries().map(|count| (count.tuple, count.value)).collect::<Vec<_>>(),
        [(0, 0), (1, 1), (2, 0)]
    );
    assert_eq!(counted.dictionaries[2], Dictionary::Numbers(vec![1.0, 2.0]));
    assert_eq!(counted.dictionaries[0], Dictionary::Text(vec!["1".into(), "2".into()]));
    let none = count(&source, &[]).unwrap();
    assert_eq!(none.rows, 3);
    assert_eq!(none.counts, [3]);
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
