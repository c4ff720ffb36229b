//! What a profile tells of columns that nobody has described.

use paretonym::data::Decimal;
use paretonym::engine::Unwatched;
use paretonym_engine::profile;

use super::Folder;

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
