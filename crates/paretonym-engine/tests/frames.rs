//! A table in memory is read, searched, released and recounted like the same table in a Parquet file.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Int64Array, LargeStringArray, RecordBatch, StringArray, StringViewArray,
};
use paretonym::data::Source;
use paretonym::draft::draft;
use paretonym::engine::{Engine, Unwatched};
use paretonym::study::{Study, run};
use paretonym_engine::release::{Found, ReleaseOptions, Target, release_found};
use paretonym_engine::{Embedded, Frame, profile, read_columns};
use parquet::arrow::ArrowWriter;

/// Some people, in batches of several sizes; texts in all their forms, and some cells missing.
fn batches(rows: &[usize]) -> Vec<RecordBatch> {
    let mut person = 0;
    let mut batch = |rows: usize| {
        let people: Vec<usize> = (person..person + rows).collect();
        person += rows;
        let text = |values: &[&'static str], step: usize| -> Vec<Option<&'static str>> {
            people.iter().map(|row| (row % 97 != 0).then(|| values[row / step % values.len()])).collect()
        };
        let sex: DictionaryArray<Int8Type> = text(&["f", "m"], 1).into_iter().collect();
        let columns: Vec<(&str, ArrayRef)> = vec![
            ("age", Arc::new(people.iter().map(|row| Some((row * 7 % 60) as i64)).collect::<Int64Array>())),
            ("sex", Arc::new(sex)),
            ("town", Arc::new(text(&["Ulm", "a town with a long name"], 3).into_iter().collect::<StringViewArray>())),
            ("work", Arc::new(text(&["cook", "smith", "none at all"], 5).into_iter().collect::<LargeStringArray>())),
            ("ill", Arc::new(text(&["flu", "cold"], 11).into_iter().collect::<StringArray>())),
            ("tall", Arc::new(people.iter().map(|row| Some(row % 3 == 0)).collect::<BooleanArray>())),
        ];
        RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap()
    };
    rows.iter().map(|rows| batch(*rows)).collect()
}

fn frame(batches: &[RecordBatch]) -> Arc<Frame> {
    Frame::new(batches[0].schema(), batches.to_vec()).unwrap()
}

fn written(batches: &[RecordBatch], path: &Path) -> Source {
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batches[0].schema(), None).unwrap();
    batches.iter().for_each(|batch| writer.write(batch).unwrap());
    writer.close().unwrap();
    Source::at(path)
}

/// Every cell as text, row by row.
fn texts(source: &Source) -> Vec<Vec<String>> {
    let names = Embedded.columns(source).unwrap();
    let columns = read_columns(source, &names, &Unwatched).unwrap();
    let text = |column: &paretonym::compare::Coded, row: usize| column.texts[column.codes[row] as usize].clone();
    (0..columns[0].codes.len()).map(|row| columns.iter().map(|column| text(column, row)).collect()).collect()
}

#[test]
fn a_frame_is_what_its_file_is() {
    let folder = tempfile::tempdir().unwrap();
    let own = batches(&[700, 1, 0, 3000, 90_000]);
    let held = frame(&own);
    let in_file = written(&own, &folder.path().join("people.parquet"));
    let in_memory = held.source();
    assert_eq!(texts(&in_memory), texts(&in_file));
    let drafts = [&in_memory, &in_file].map(|source| draft(source, &profile(source, &Unwatched).unwrap()));
    let columns = |text: &str| text[text.find("[[columns]]").unwrap()..].to_owned();
    assert_eq!(columns(&drafts[0]), columns(&drafts[1]));
    let studies = drafts.map(|text| Study::from_toml(&text, "the draft").unwrap());
    let found = studies.each_ref().map(|study| run(study, &Embedded, &Unwatched).unwrap());
    assert_eq!(found[0].front.solutions, found[1].front.solutions);
    assert_eq!(found[0].front.dropped, found[1].front.dropped);

    let id = found[0].front.solutions.iter().rfind(|solution| solution.k > 1).unwrap().id;
    let released = |which: usize, target: &Target, keep_order: bool| {
        let front = Found { dir: None, study: &studies[which], front: &found[which].front, regions: None };
        let options = ReleaseOptions { keep_order, seed: Some(3), ..ReleaseOptions::default() };
        release_found(front, id, target, &options, &Unwatched).unwrap()
    };
    let to = |name: &str| Target::File(folder.path().join(name));
    for keep_order in [true, false] {
        let mut shown = Vec::new();
        for which in [0, 1] {
            let name = format!("{which}-{keep_order}.parquet");
            released(which, &to(&name), keep_order);
            shown.push(texts(&Source::at(folder.path().join(name))));
            let held = released(which, &Target::Memory, keep_order).frame.unwrap();
            shown.push(texts(&held.source()));
        }
        // The order is drawn over as many parts as the table is read in, which are others in a file.
        if !keep_order {
            shown.iter_mut().for_each(|rows| rows.sort());
        }
        assert!(shown.windows(2).all(|pair| pair[0] == pair[1]), "in order: {keep_order}");
    }
    let one = released(0, &to("0.csv"), true);
    let other = released(1, &to("1.csv"), true);
    assert_eq!((one.certificate.k, one.certificate.gl), (other.certificate.k, other.certificate.gl));
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(text("0.csv"), text("1.csv"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1 + 4 * 6, "nothing else was written");
}

#[test]
fn a_frame_goes_with_whoever_holds_it() {
    let held = frame(&batches(&[10]));
    let source = held.source();
    assert_eq!(Embedded.columns(&source).unwrap().len(), 6);
    drop(held);
    let error = Embedded.columns(&source).unwrap_err();
    assert!(error.is_input() && error.to_string().contains("give the table again"), "{error}");
}

#[test]
fn a_digest_tells_tables_apart_and_knows_one_again() {
    let key = "00".repeat(32);
    let digest = |batches: &[RecordBatch]| paretonym_engine::folder::frame_digest(&frame(batches), &key).unwrap();
    let own = batches(&[500, 70_000]);
    assert_eq!(digest(&own), digest(&batches(&[500, 70_000])));
    let sliced = [own[0].clone(), own[1].slice(0, 69_999)];
    assert_ne!(digest(&own), digest(&sliced));
    let column = |name: &str| own[0].schema().index_of(name).unwrap();
    for name in ["age", "sex", "town", "work", "ill", "tall"] {
        let mut columns = own[0].columns().to_vec();
        let kept = column(name);
        // The same cells, in another order.
        let turned: Vec<u32> = (0..500).rev().collect();
        columns[kept] =
            arrow_select::take::take(&columns[kept], &arrow_array::UInt32Array::from(turned), None).unwrap();
        let other = RecordBatch::try_new(own[0].schema(), columns).unwrap();
        assert_ne!(digest(&own), digest(&[other, own[1].clone()]), "{name}");
    }
}
