//! The genetic searches on UCI Adult: one generation of each, and the whole searches that the papers report times for.
//! The table is looked for in ../shared/adult beside the repository; without it nothing is measured.

#[allow(dead_code)]
#[allow(unused_imports)]
#[path = "../src/preset/mod.rs"]
mod preset;

use std::path::Path;
use std::sync::OnceLock;

use divan::Bencher;
use paretonym::catalog;
use paretonym::engine::Unwatched;
use paretonym::group::FrequencyTable;
use paretonym::recode::Family;
use paretonym::search::genetic::{Dice, Layout, Pool};
use paretonym::search::{Found, SearchRun};
use paretonym::settings::SearchSettings;
use paretonym::study::{Study, count};
use paretonym_engine::Embedded;

/// Adult with S0's four columns as cuts, and with all columns as breaks.
fn tables() -> Option<&'static [FrequencyTable; 2]> {
    static TABLES: OnceLock<Option<[FrequencyTable; 2]>> = OnceLock::new();
    TABLES.get_or_init(load).as_ref()
}

fn load() -> Option<[FrequencyTable; 2]> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/adult/adult.data");
    let Ok(data) = data.canonicalize() else {
        eprintln!("{} is not there: nothing is measured", data.display());
        return None;
    };
    let folder = tempfile::tempdir().expect("a folder for the trees");
    let adult = preset::find("adult").expect("the preset");
    for (name, text) in adult.taxonomies {
        std::fs::write(folder.path().join(name), text).expect("a tree");
    }
    let text = preset::with_path(adult.studies[1].1, &data.display().to_string());
    let mut study = Study::from_toml(&text, "adult").expect("the study");
    study.resolve(folder.path());
    let cuts = count(&study, &Embedded, &Unwatched).expect("Adult");
    study.columns.iter_mut().filter(|column| column.recode.is_some()).for_each(|c| c.recode = Some(Family::Breaks));
    Some([cuts, count(&study, &Embedded, &Unwatched).expect("Adult")])
}

fn settings(problem: &str, optimizer: &str) -> SearchSettings {
    let (problem, optimizer) = (problem.to_owned(), optimizer.to_owned());
    SearchSettings { problem, optimizer, eta: 0.1, ..SearchSettings::default() }.with("k", 10)
}

fn search(table: &FrequencyTable, settings: &SearchSettings) -> Found {
    let problem = catalog::problem(settings, table).expect("a problem");
    let run = SearchRun { seed: settings.seed, evaluations: settings.evaluations, watch: &Unwatched };
    catalog::optimizer(settings).expect("an optimizer").search(table, problem.as_ref(), &run).expect("a search")
}

fn measure(bencher: Bencher, settings: &SearchSettings) {
    if let Some([cuts, _]) = tables() {
        bencher.bench_local(|| search(cuts, settings));
    }
}

/// The first population of 200 and one generation more.
#[divan::bench(args = ["zero-suppression", "max-suppression", "any-suppression", "preference"])]
fn nsga2_generation(bencher: Bencher, problem: &str) {
    measure(bencher, &settings(problem, "nsga2").with("population", 200).with("generations", 2));
}

/// The same as the papers have it.
#[divan::bench]
fn nsga2_generation_faithful(bencher: Bencher) {
    let own = settings("max-suppression", "nsga2");
    measure(bencher, &own.with("population", 200).with("generations", 2).with("faithful", true));
}

/// The first population of 500 and 500 iterations more.
#[divan::bench(args = [false, true])]
fn genitor_round(bencher: Bencher, faithful: bool) {
    measure(
        bencher,
        &SearchSettings { evaluations: Some(1_000), ..settings("single", "genitor") }.with("faithful", faithful),
    );
}

/// All neighbours of one recoding, made from groups rather than from the tuples.
#[divan::bench]
fn neighbours_of_one_recoding(bencher: Bencher) {
    let Some([cuts, _]) = tables() else { return };
    let problem = catalog::problem(&settings("max-suppression", "nsga2"), cuts).expect("a problem");
    let layout = Layout::of(cuts);
    let pool = Pool::new(cuts, problem.as_ref(), &layout, &Unwatched);
    let genome = layout.random(0.3, &mut Dice::new(1));
    let lists = [(genome.clone(), layout.neighbours(&genome, true))];
    bencher.bench_local(|| pool.neighbours(&lists, &Default::default()));
}

/// S1's 50,000 evaluations.
#[divan::bench(sample_count = 3)]
fn nsga2_50_000_evaluations(bencher: Bencher) {
    measure(bencher, &SearchSettings { evaluations: Some(50_000), ..settings("max-suppression", "nsga2") });
}

/// S4's 500,000 iterations.
#[divan::bench(sample_count = 1, args = [false, true])]
fn genitor_500_000_iterations(bencher: Bencher, faithful: bool) {
    measure(bencher, &settings("single", "genitor").with("faithful", faithful));
}

fn main() {
    divan::main();
}
