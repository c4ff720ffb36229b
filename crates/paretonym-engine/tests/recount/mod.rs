//! A released file as a stranger counts it: labels are read, and nothing here knows the library's groups.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::{Array, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

pub const SCHOOLS: [&str; 5] = ["none", "primary", "middle", "high", "university"];
pub const DISEASES: [&str; 4] = ["flu", "cold", "gout", "asthma, \"bad\""];

/// A release with the columns age, job, school and disease.
pub struct Recount {
    pub rows: Vec<Vec<String>>,
    /// Whether suppressed rows are there as stars.
    stars: bool,
    /// The intervals that numbers stand for, where medians are shown.
    intervals: Option<BTreeMap<String, String>>,
}

impl Recount {
    pub fn of(path: &Path, format: &str, stars: bool, median: bool) -> Self {
        let (names, rows) = read(path, format);
        assert_eq!(names, ["age", "job", "school", "disease"]);
        Recount { rows, stars, intervals: median.then(|| intervals(path)) }
    }

    pub fn is_star(&self, row: &[String]) -> bool {
        self.stars && row[..3].iter().all(|cell| cell == "*" || cell.is_empty())
    }

    pub fn kept(&self) -> impl Iterator<Item = &Vec<String>> {
        self.rows.iter().filter(|row| !self.is_star(row))
    }

    /// The diseases of each combination of the other columns.
    pub fn groups(&self) -> BTreeMap<&[String], Vec<&str>> {
        let mut groups: BTreeMap<&[String], Vec<&str>> = BTreeMap::new();
        for row in self.kept() {
            groups.entry(&row[..3]).or_default().push(&row[3]);
        }
        groups
    }

    /// What all cells lose together.
    pub fn lost(&self) -> f64 {
        let cells = self.kept().flat_map(|row| row[..3].iter().enumerate());
        let losses = cells.map(|(column, cell)| {
            let label = match &self.intervals {
                Some(intervals) if column == 0 => &intervals[&cell.parse::<f64>().unwrap().to_string()],
                _ => cell,
            };
            let (size, domain) = covered(column, label);
            (size - 1.0) / (domain - 1.0)
        });
        losses.sum()
    }

    /// The least l of a form, and the largest t against the diseases of the original.
    pub fn l_and_t(&self, form: &str, original: &[&str]) -> (f64, f64) {
        let reference = shares(original);
        let (mut l, mut t) = (f64::INFINITY, 0.0f64);
        for values in self.groups().values() {
            let own = shares(values);
            let there = own.iter().filter(|share| **share > 0.0);
            let most = own.iter().copied().fold(0.0, f64::max);
            l = l.min(match form {
                "distinct-l" => there.count() as f64,
                "entropy-l" => there.map(|share| -share * share.ln()).sum::<f64>().exp(),
                _ => (1.0 / most + 1e-9).floor(),
            });
            t = t.max(own.iter().zip(&reference).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0);
        }
        (l, t)
    }
}

fn shares(values: &[&str]) -> Vec<f64> {
    let share = |name: &&str| values.iter().filter(|value| *value == name).count() as f64 / values.len() as f64;
    DISEASES.iter().map(share).collect()
}

/// Which numbers stand for which intervals is in the recoding.
fn intervals(path: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(format!("{}.recoding.json", path.display())).unwrap();
    let saved: serde_json::Value = serde_json::from_str(&text).unwrap();
    let sets = saved["columns"][0]["sets"].as_array().unwrap().iter();
    sets.filter_map(|set| Some((set["median"].as_f64()?.to_string(), set["label"].as_str()?.to_owned()))).collect()
}

/// The names and the rows of a release; a null of Parquet is an empty cell.
fn read(path: &Path, format: &str) -> (Vec<String>, Vec<Vec<String>>) {
    if format == "parquet" {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
        let names = reader.schema().fields().iter().map(|field| field.name().clone()).collect();
        let mut rows = Vec::new();
        for batch in reader.build().unwrap() {
            let batch = batch.unwrap();
            let texts: Vec<StringArray> = batch
                .columns()
                .iter()
                .map(|column| cast(column, &DataType::Utf8).unwrap().as_string::<i32>().clone())
                .collect();
            let cell =
                |texts: &StringArray, row: usize| if texts.is_null(row) { "" } else { texts.value(row) }.to_owned();
            rows.extend((0..batch.num_rows()).map(|row| texts.iter().map(|texts| cell(texts, row)).collect()));
        }
        return (names, rows);
    }
    let delimiter = if format == "csv" { b',' } else { b'\t' };
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_path(path).unwrap();
    let names = reader.headers().unwrap().iter().map(str::to_owned).collect();
    (names, reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect())
}

/// How many values a label covers, and how many there are.
fn covered(column: usize, label: &str) -> (f64, f64) {
    let domain = [8.0, 6.0, 5.0][column];
    if label == "*" {
        return (domain, domain);
    }
    let size = match column {
        // An interval of 5-year bins.
        0 => {
            let ends: Vec<f64> = label.trim_matches(['[', ')']).split(", ").map(|end| end.parse().unwrap()).collect();
            (ends[1] - ends[0]) / 5.0
        }
        _ if label.starts_with('{') => label.split(", ").count() as f64,
        2 if label.starts_with('[') => {
            let ends: Vec<&str> = label.trim_matches(['[', ']']).split(", ").collect();
            let place = |name: &str| SCHOOLS.iter().position(|school| *school == name).unwrap() as f64;
            place(ends[1]) - place(ends[0]) + 1.0
        }
        1 if label == "care" || label == "office" => 2.0,
        _ => 1.0,
    };
    (size, domain)
}
