//! Parquet: the same counts as from text, whatever the types of its columns.

use std::sync::Arc;

use arrow_array::StringArray;
use arrow_array::{ArrayRef, BooleanArray, Date32Array, Decimal128Array, Float32Array, Float64Array, Int32Array};
use paretonym::data::{Encoding, OnMissing, Source};
use paretonym::engine::{Engine, Unwatched};
use paretonym::error::Error;
use paretonym_engine::{Embedded, profile};

use super::{Folder, assert_says, attribute, count, labels, message, quasi, spell};

/// One table as text and as Parquet.
pub(super) fn mixed(folder: &Folder, rows: usize) -> (Source, Source) {
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
