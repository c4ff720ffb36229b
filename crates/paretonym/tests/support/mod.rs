//! What the tests share: random tables with the studies that describe them, the forms of all measures.

// Each test program uses a part of this.
#![allow(dead_code, unused_imports)]

mod forms;
mod sample;

pub use forms::{LOSS_FORMS, LossForm, NEEDS_NO_SENSITIVE, PRIVACY_FORMS, class_costs};
pub use paretonym::engine::Memory;
pub use sample::{Quasi, Sample, Sensitive, Tree, Written, samples};

use paretonym::data::Source;
use paretonym::engine::Unwatched;
use paretonym::group::{FrequencyTable, Grouping, Needs, Workspace};
use paretonym::recode::Recoding;
use paretonym::settings::SearchSettings;
use paretonym::study::{ColumnSpec, Study};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestCaseResult, TestRunner};

/// How many random cases, the same ones at each run. `PROPTEST_RNG_SEED` gives others, `PROPTEST_CASES` more.
pub fn config(cases: u32) -> Config {
    series(cases, 0)
}

/// The same for one of several series of cases, each with cases of its own.
pub fn series(cases: u32, number: u64) -> Config {
    let own = Config::default();
    let seed = if let RngSeed::Fixed(seed) = own.rng_seed { seed } else { 7 };
    Config {
        cases: if std::env::var_os("PROPTEST_CASES").is_some() { own.cases } else { cases },
        rng_seed: RngSeed::Fixed(seed.wrapping_mul(1_000_003).wrapping_add(number)),
        failure_persistence: None,
        max_shrink_iters: 100,
        ..own
    }
}

/// Runs a check on random values; a failure is shown on the smallest value that was found to fail.
pub fn check<S: Strategy>(config: Config, values: S, test: impl Fn(S::Value) -> TestCaseResult) {
    TestRunner::new(config).run(&values, test).unwrap_or_else(|failure| panic!("{failure}"));
}

/// A study of a table in memory.
pub fn study(columns: Vec<ColumnSpec>, search: SearchSettings) -> Study {
    Study { data: Source::at("memory"), columns, search }
}

/// Counts rows of text, given with the descriptions of their columns.
pub fn counted(columns: Vec<ColumnSpec>, rows: &[&[&str]]) -> FrequencyTable {
    let engine = Memory::new(columns.iter().map(|column| column.name.clone()), owned(rows));
    paretonym::study::count(&study(columns, SearchSettings::default()), &engine, &Unwatched).unwrap()
}

/// Rows of text as a table in memory wants them.
pub fn owned(rows: &[&[&str]]) -> Vec<Vec<String>> {
    rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect()
}

/// The groups of a recoding with everything that can be known of them.
pub fn grouped(table: &FrequencyTable, recoding: &Recoding) -> Grouping {
    let mut grouping = Grouping::default();
    Workspace::default().group(table, &table.tuples, recoding, Needs::ALL, &mut grouping);
    grouping
}

/// All nodes of a lattice, the last column fastest.
pub fn nodes(heights: &[u32]) -> Vec<Vec<u32>> {
    let mut nodes = vec![Vec::new()];
    for &height in heights {
        nodes = nodes.iter().flat_map(|node| (0..=height).map(|level| [&node[..], &[level]].concat())).collect();
    }
    nodes
}
