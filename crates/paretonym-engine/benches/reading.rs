//! Counting a table from CSV and from Parquet, held against a plain GROUP BY of the same columns and against reading alone.
//! Ratios to a reference of the same run survive a noisy machine.
//!
//! `cargo bench -p paretonym-engine --bench reading`

mod people;

use std::collections::HashMap;
use std::fs::File;
use std::hint::black_box;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use paretonym::data::Source;
use paretonym::engine::Unwatched;
use paretonym::study::count;
use paretonym_engine::Embedded;
use paretonym_engine::audit::{AuditRequest, Distance, SensitiveColumn, audit};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use people::People;

/// The columns that are counted: quasi columns and one sensitive one.
const USED: [&str; 6] = ["age", "sex", "postcode", "education", "status", "diagnosis"];

fn main() {
    let people = People::generate();
    let [csv, parquet] = ["people.csv", "people.parquet"].map(|name| people.study(name));
    let [mut count_csv, mut count_parquet] = [&csv, &parquet]
        .map(|study| || assert_rows(&people, count(study, &Embedded, &Unwatched).expect("counted").rows));
    let [mut audit_csv, mut audit_parquet] = ["people.csv", "people.parquet"].map(|name| || audited(&people, name));
    people.measure(&mut [
        ("plain GROUP BY of CSV", &mut || group_text(&people)),
        ("lines of the CSV file", &mut || lines(&people)),
        ("counting CSV", &mut count_csv),
        ("audit of CSV", &mut audit_csv),
    ]);
    people.measure(&mut [
        ("plain GROUP BY of Parquet", &mut || group_columns(&people)),
        ("decoding the columns", &mut || columns(&people).for_each(|batch| drop(black_box(batch)))),
        ("counting Parquet", &mut count_parquet),
        ("audit of Parquet", &mut audit_parquet),
    ]);
}

fn assert_rows(people: &People, rows: u64) {
    assert_eq!(rows, people.rows as u64);
}

fn audited(people: &People, name: &str) {
    let (sensitive, quasi) = USED.split_last().expect("there are columns");
    let request = AuditRequest {
        sensitive: vec![SensitiveColumn { name: (*sensitive).to_owned(), distance: Distance::Guessed }],
        ..AuditRequest::of(quasi.iter().map(|&name| name.to_owned()).collect())
    };
    let found = audit(&Source::at(people.at(name)), &request, &Unwatched).expect("audited").audit;
    assert_rows(people, found.rows);
}

/// The least that any reader of lines does.
fn lines(people: &People) {
    let text = std::fs::read(people.at("people.csv")).expect("the table is there");
    assert_eq!(memchr::memchr_iter(b'\n', &text).count(), people.rows + 1);
}

/// Records by the csv crate, the used cells joined, one map for all.
fn group_text(people: &People) {
    let mut reader = csv::Reader::from_path(people.at("people.csv")).expect("the table is there");
    let names = reader.headers().expect("a line of names").clone();
    let places = USED.map(|used| names.iter().position(|name| name == used).expect("the column is there"));
    let (mut groups, mut record, mut key) = (Groups::default(), csv::ByteRecord::new(), Vec::new());
    while reader.read_byte_record(&mut record).expect("a record") {
        key.clear();
        for place in places {
            key.extend_from_slice(&record[place]);
            key.push(0);
        }
        add(&mut groups, &key);
    }
    assert_rows(people, groups.values().sum());
}

type Groups = HashMap<Vec<u8>, u64, foldhash::fast::RandomState>;

fn add(groups: &mut Groups, key: &[u8]) {
    match groups.get_mut(key) {
        Some(rows) => *rows += 1,
        None => drop(groups.insert(key.to_vec(), 1)),
    }
}

/// The used columns, batch by batch.
fn columns(people: &People) -> impl Iterator<Item = RecordBatch> {
    let file = File::open(people.at("people.parquet")).expect("the table is there");
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).expect("a Parquet file");
    let wanted = ProjectionMask::columns(builder.parquet_schema(), USED);
    let reader: ParquetRecordBatchReader =
        builder.with_projection(wanted).with_batch_size(1 << 16).build().expect("a reader");
    reader.map(|batch| batch.expect("a batch"))
}

/// Batches by arrow-rs, the used cells joined, one map for all.
fn group_columns(people: &People) {
    let (mut groups, mut key) = (Groups::default(), Vec::new());
    for batch in columns(people) {
        let age = batch.column(0).as_primitive::<Int32Type>();
        let texts: Vec<_> = batch.columns()[1..].iter().map(|column| column.as_string::<i32>()).collect();
        for row in 0..age.len() {
            key.clear();
            key.extend_from_slice(&age.value(row).to_le_bytes());
            for text in &texts {
                key.extend_from_slice(text.value(row).as_bytes());
                key.push(0);
            }
            add(&mut groups, &key);
        }
    }
    assert_rows(people, groups.values().sum());
}
