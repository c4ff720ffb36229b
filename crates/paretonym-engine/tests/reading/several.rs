//! Tables in several files: the same as one file with all rows, whatever the files are, and clear words where they differ.

use std::io::Write as _;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, StringArray};
use paretonym::data::{Encoding, Source};
use paretonym::engine::{Engine, Unwatched};
use paretonym_engine::{Embedded, first_rows, profile, read_columns};

use super::{Folder, assert_says, count, message, quasi, texts};

/// Rows that are all different, some with quotes and line ends in their cells.
fn rows(count: usize) -> Vec<[String; 3]> {
    let towns = ["Aix", "Bonn", "Cork, north", "Dijon\nsud", "Ely \"old\""];
    (0..count).map(|row| [row.to_string(), towns[row * 7 % 5].to_owned(), format!("x{}", row % 3)]).collect()
}

fn quoted(cell: &str) -> String {
    format!("\"{}\"", cell.replace('"', "\"\""))
}

fn csv(rows: &[[String; 3]]) -> String {
    let line = |row: &[String; 3]| format!("{},{},{}\n", row[0], quoted(&row[1]), row[2]);
    format!("id,town,kind\n{}", rows.iter().map(line).collect::<String>())
}

/// The same with its columns in another order.
fn turned(rows: &[[String; 3]]) -> String {
    let line = |row: &[String; 3]| format!("{},{},{}\r\n", quoted(&row[1]), row[2], row[0]);
    format!("\u{feff}town,kind,id\r\n{}", rows.iter().map(line).collect::<String>())
}

fn packed(text: &str) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(text.as_bytes()).unwrap();
    packer.finish().unwrap()
}

fn columns(rows: &[[String; 3]], turned: bool) -> Vec<(&'static str, ArrayRef)> {
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(rows.iter().map(|row| row[0].parse::<i64>().unwrap())));
    let texts = |at: usize| Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row[at]))) as ArrayRef;
    let mut columns = vec![("id", ids), ("town", texts(1)), ("kind", texts(2))];
    if turned {
        columns.rotate_left(1);
    }
    columns
}

/// Everything that is read from a table.
fn all(source: &Source) -> String {
    let names = Embedded.columns(source).unwrap();
    let read = read_columns(source, &names, &Unwatched).unwrap();
    let first = first_rows(source, 5).unwrap();
    format!("{:?} {:?} {:?} {:?}", texts(source), read, first, profile(source, &Unwatched).unwrap())
}

fn subfolder(name: &str) -> (Folder, Source) {
    let folder = Folder::new();
    std::fs::create_dir(folder.0.path().join(name)).unwrap();
    let source = Source::at(folder.0.path().join(name));
    (folder, source)
}

#[test]
fn text_in_several_files_is_one_table() {
    let rows = rows(700);
    let (folder, source) = subfolder("parts");
    let whole = all(&folder.write("whole.csv", csv(&rows)));
    for (number, part) in rows.chunks(100).enumerate() {
        match number % 3 {
            0 => folder.write(&format!("parts/{number}.csv"), csv(part)),
            1 => folder.write(&format!("parts/{number}.csv.gz"), packed(&csv(part))),
            _ => folder.write(&format!("parts/{number}.csv"), turned(part)),
        };
    }
    folder.write("parts/0-empty.csv", "");
    folder.write("parts/00-names.csv", "id,town,kind\n");
    folder.write("parts/3-names.csv", "kind,id,town");
    folder.write("parts/_SUCCESS", "");
    folder.write("parts/.0.csv.crc", "crc");
    assert_eq!(all(&source), whole);
    assert_eq!(all(&Source::at(source.path.join("*.csv*"))), whole);
    let one = all(&Source::at(source.path.join("0.*")));
    assert_eq!(one, all(&folder.write("first.csv", csv(&rows[..100]))));
}

#[test]
fn many_tiny_files_are_one_table_with_any_number_of_threads() {
    let rows = rows(600);
    let (folder, source) = subfolder("parts");
    let whole = all(&folder.write("whole.csv", csv(&rows)));
    for (number, part) in rows.chunks(2).enumerate() {
        folder.write(&format!("parts/{number:04}.csv"), csv(part));
    }
    for threads in [1, 2, 7] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(|| all(&source)), whole);
    }
}

#[test]
fn files_without_names_are_one_table() {
    let (folder, source) = subfolder("parts");
    folder.write("parts/a.csv", "1,Aix\n2,Bonn\n");
    folder.write("parts/b.csv", "3,Cork\n");
    folder.write("parts/c.csv", "2,Bonn\n");
    let whole = folder.write("whole.csv", "1,Aix\n2,Bonn\n3,Cork\n2,Bonn\n");
    assert_eq!(all(&source), all(&whole));
}

#[test]
fn parquet_in_several_files_is_one_table() {
    let rows = rows(700);
    let (folder, source) = subfolder("parts");
    let whole = all(&folder.parquet("whole.parquet", columns(&rows, false), 90));
    for (number, part) in rows.chunks(100).enumerate() {
        folder.parquet(&format!("parts/{number}.parquet"), columns(part, number % 2 == 1), 30);
    }
    folder.parquet("parts/0-none.parquet", columns(&rows[..0], true), 30);
    folder.write("parts/5-empty.parquet", "");
    assert_eq!(all(&source), whole);
    assert_eq!(all(&Source::at(source.path.join("[0-9]*.parquet"))), whole);
}

#[test]
fn parts_of_other_columns_are_refused() {
    let (folder, source) = subfolder("parts");
    folder.write("parts/a.csv", "id,town\n1,Aix\n2,Bonn\n");
    let said = |text: &str| {
        folder.write("parts/b.csv", text);
        let error = Embedded.columns(&source).unwrap_err();
        assert!(error.is_input());
        error.to_string()
    };
    assert_says(&said("id,city\n3,Cork\n"), &["a.csv", "b.csv", "has \"city\"", "lacks \"town\""]);
    assert_says(&said("id\n3\n"), &["a.csv", "b.csv", "lacks \"town\""]);
    assert_says(&said("id,town,age\n3,Cork,7\n"), &["a.csv", "b.csv", "has \"age\""]);
    assert_says(&said("id,town,town\n3,Cork,7\n"), &["b.csv", "twice"]);
    assert_says(&said("id;town\n3;Cork\n"), &["b.csv", "is separated by ';'", "a.csv by ','"]);
    assert_says(&said("3,Cork\n4,Aix\n"), &["b.csv", "has no line of names"]);
    assert_says(&said("id,town,age\n"), &["b.csv", "has \"age\""]);
    folder.write("parts/a.csv", "1,Aix\n2,Bonn\n");
    assert_says(&said("id,town\n3,Cork\n"), &["b.csv", "begin with a line of names"]);
    assert_says(&said("3,Cork,x\n"), &["b.csv", "has 3 columns", "a.csv has 2"]);
    folder.write("parts/c.parquet", "PAR1");
    assert_says(&said("3,Cork\n"), &["c.parquet", "is Parquet", "a.csv is text"]);
    let (folder, source) = subfolder("parts");
    folder.parquet("parts/a.parquet", columns(&rows(3), false), 10);
    folder.parquet("parts/b.parquet", columns(&rows(3), false)[..2].to_vec(), 10);
    assert_says(&message(Embedded.columns(&source)), &["a.parquet", "b.parquet", "lacks \"kind\""]);
    folder.write("parts/b.parquet", "");
    folder.write("parts/a.parquet", "");
    assert_says(&message(Embedded.columns(&source)), &["parts", "holds no rows"]);
}

#[test]
fn faults_name_their_file_and_the_first_of_them() {
    let (folder, source) = subfolder("parts");
    let lines: String = (0..2000).map(|row| format!("{row},x\n")).collect();
    folder.write("parts/a.csv", format!("n,t\n{lines}"));
    folder.write("parts/b.csv", format!("n,t\n{lines}oops,x\n"));
    folder.write("parts/c.csv", "n,t\nworse,x\n");
    let said = message(count(&source, &[quasi("n", Encoding::Numbers)]));
    assert_says(&said, &["b.csv", "line 2002", "oops"]);
    folder.write("parts/b.csv", format!("n,t\n{lines}1\n"));
    assert_says(&message(count(&source, &[quasi("t", Encoding::Text)])), &["b.csv, line 2002", "1 field"]);
}

#[test]
fn types_may_differ_where_rows_are_counted() {
    let (folder, source) = subfolder("parts");
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["1", "2"]));
    folder.parquet("parts/a.parquet", vec![("n", texts)], 10);
    folder.parquet("parts/b.parquet", vec![("n", Arc::new(Int64Array::from(vec![2, 3])) as ArrayRef)], 10);
    let counted: Vec<(String, u64)> =
        super::texts(&source).into_iter().map(|(cells, count)| (cells[0].clone(), count)).collect();
    assert_eq!(counted, [("1".to_owned(), 1), ("2".to_owned(), 2), ("3".to_owned(), 1)]);
}
