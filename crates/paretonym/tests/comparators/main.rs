//! The worked examples of S2 (comparing disclosure control algorithms, EDBT 2009), row by row, and comparisons at scale.

mod papers;
mod whole;

use std::cmp::Ordering;

use paretonym::catalog;
use paretonym::compare::{
    Coded, Comparator, Comparators, Comparison, Coverage, Dominance, Goal, Hypervolume, Known, Lexicographic, Matched,
    Minimum, Original, Property, PropertyKind, Rank, Release, SetComparator, Spread, Vectors, WeightedSum, dominance,
    dominance_of_sets, released, verdict,
};

/// Table 1: zip code, age, marital status.
const ROWS: [[&str; 3]; 10] = [
    ["13053", "28", "CF-Spouse"],
    ["13268", "41", "Separated"],
    ["13268", "39", "Never Married"],
    ["13053", "26", "CF-Spouse"],
    ["13253", "50", "Divorced"],
    ["13253", "55", "Spouse Absent"],
    ["13250", "49", "Divorced"],
    ["13052", "31", "Spouse Present"],
    ["13269", "42", "Separated"],
    ["13250", "47", "Separated"],
];

const A: [&str; 3] = ["1305*", "(25,35]", "Married"];

const B: [&str; 3] = ["1326*", "(35,45]", "Not Married"];

const C: [&str; 3] = ["1325*", "(45,55]", "Not Married"];

/// Table 2, left.
const T3A: [[&str; 3]; 10] = [A, B, B, A, C, C, C, A, B, C];

const D: [&str; 3] = ["130**", "(15,35]", "Married"];

const E: [&str; 3] = ["132**", "(35,55]", "Not Married"];

/// Table 2, right.
const T3B: [[&str; 3]; 10] = [D, E, E, D, E, E, E, D, E, E];

const F: [&str; 3] = ["13***", "(20,40]", "*"];

const G: [&str; 3] = ["13***", "(40,60]", "*"];

/// Table 3.
const T4: [[&str; 3]; 10] = [F, G, F, F, G, G, G, F, G, G];

const SIZES_3A: [f64; 10] = [3., 3., 3., 3., 4., 4., 4., 3., 3., 4.];

const SIZES_3B: [f64; 10] = [3., 7., 7., 3., 7., 7., 7., 3., 7., 7.];

const SIZES_4: [f64; 10] = [4., 6., 4., 4., 6., 6., 6., 4., 6., 6.];

const UTILITY_3A: [f64; 10] = [2.03, 1.7, 1.7, 2.03, 1.6, 1.6, 1.6, 2.03, 1.7, 1.6];

const UTILITY_3B: [f64; 10] = [2.03, 0.97, 0.97, 2.03, 0.97, 0.97, 0.97, 2.03, 0.97, 0.97];

fn coded(name: &str, cells: impl Iterator<Item = &'static str>) -> Coded {
    let mut column = Coded { name: name.into(), ..Coded::default() };
    for cell in cells {
        let known = column.texts.iter().position(|text| text == cell);
        let code = known.unwrap_or_else(|| {
            column.texts.push(cell.to_owned());
            column.texts.len() - 1
        });
        column.codes.push(code as u32);
    }
    column
}

fn columns(rows: &'static [[&'static str; 3]; 10]) -> Vec<Coded> {
    ["zip", "age", "marital"]
        .iter()
        .enumerate()
        .map(|(at, name)| coded(name, rows.iter().map(move |r| r[at])))
        .collect()
}

fn original() -> Original {
    let mut quasi = columns(&ROWS);
    let sensitive = vec![quasi[2].clone()];
    quasi.truncate(3);
    Original { rows: 10, quasi, sensitive }
}

fn release(name: &str, rows: &'static [[&'static str; 3]; 10]) -> Release {
    released(name, &original(), &columns(rows), &[true; 10], Matched::Position, &Known::default())
}

fn values<'a>(release: &'a Release, property: &str) -> &'a [f64] {
    &release.properties.iter().find(|own| own.kind.name() == property).expect(property).values
}

fn pair<'a>(one: &'a [f64], other: &'a [f64]) -> Vectors<'a> {
    Vectors::of_rows(one, other)
}

fn close(left: f64, right: f64) {
    assert!((left - right).abs() < 1e-9, "{left} is not {right}");
}
