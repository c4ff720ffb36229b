//! Releases from Parquet to Parquet and from CSV to CSV, held against a plain copy: the same file read and written, in order,
//! with nothing recoded and nothing read back. Ratios to a reference of the same run survive a noisy machine.
//!
//! `cargo bench -p paretonym-engine --bench releasing`

mod people;

use std::fs::File;
use std::path::Path;

use arrow_array::RecordBatchReader;
use paretonym::engine::Unwatched;
use paretonym_engine::folder::{OpenRun, explore};
use paretonym_engine::release::{ReleaseOptions, release};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use people::People;

fn main() {
    let people = People::generate();
    let [csv, parquet] = ["people.csv", "people.parquet"].map(|name| explored(&people, name));
    people.measure(&mut [
        ("plain copy of Parquet", &mut || copy_columns(&people)),
        ("release of Parquet", &mut || released(&parquet, &people.at("out.parquet"), false)),
    ]);
    people.measure(&mut [
        ("plain copy of CSV", &mut || copy_text(&people)),
        ("release of CSV", &mut || released(&csv, &people.at("out.csv"), false)),
        ("release of CSV in order", &mut || released(&csv, &people.at("in-order.csv"), true)),
    ]);
}

/// The run of a study, and the solution in the middle of its front.
fn explored(people: &People, name: &str) -> (OpenRun, u32) {
    let folder = people.at(&format!("{name}-front"));
    let front = explore(&people.study(name), &folder, None, &[], &Unwatched).expect("explored").front;
    let middle = front.solutions[front.solutions.len() / 2].id;
    (OpenRun::open(&folder).expect("the folder of the run"), middle)
}

fn released((run, solution): &(OpenRun, u32), out: &Path, keep_order: bool) {
    let options = ReleaseOptions { keep_order, allow_k1: true, force: true, ..ReleaseOptions::default() };
    release(run, *solution, out, &options, &Unwatched).expect("released");
}

fn copy_columns(people: &People) {
    let file = File::open(people.at("people.parquet")).expect("the table is there");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("a Parquet file");
    let reader = reader.with_batch_size(1 << 16).build().expect("a reader");
    let copy = File::create(people.at("copy.parquet")).expect("a file");
    let mut writer = ArrowWriter::try_new(copy, reader.schema(), None).expect("a writer");
    for batch in reader {
        writer.write(&batch.expect("a batch")).expect("rows are written");
    }
    writer.close().expect("the file is closed");
}

fn copy_text(people: &People) {
    let mut reader = csv::Reader::from_path(people.at("people.csv")).expect("the table is there");
    let mut writer = csv::Writer::from_path(people.at("copy.csv")).expect("a file");
    writer.write_byte_record(reader.byte_headers().expect("a line of names")).expect("written");
    let mut record = csv::ByteRecord::new();
    while reader.read_byte_record(&mut record).expect("a record") {
        writer.write_byte_record(&record).expect("written");
    }
    writer.flush().expect("all is written");
}
