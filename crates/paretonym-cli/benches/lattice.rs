//! A lattice of 12,960 nodes over Adult's nine columns, from the file to the front: CPU time of all threads.
//!
//! `cargo bench -p paretonym-cli --bench lattice`

mod adult;

use cpu_time::ProcessTime;
use paretonym::catalog;
use paretonym::engine::Unwatched;
use paretonym::search::SearchRun;
use paretonym::settings::CutoffRule;
use paretonym::study::{count, run};
use paretonym_engine::Embedded;

fn main() {
    let Some(data) = adult::data() else { return };
    println!("optimizer    eta   cutoffs  evaluated  points  CPU s in all  CPU s of the search");
    for optimizer in catalog::OPTIMIZERS.iter().map(|one| one.entry.name).filter(|name| lattice_search(name)) {
        for (eta, cutoffs) in [
            (0.0, CutoffRule::All),
            (0.01, CutoffRule::All),
            (0.01, CutoffRule::Budget),
            (0.1, CutoffRule::All),
            (0.1, CutoffRule::Budget),
        ] {
            let mut study = adult::study("study.toml", &data);
            study.search.optimizer = optimizer.to_owned();
            (study.search.eta, study.search.cutoffs) = (eta, cutoffs);
            let started = ProcessTime::now();
            let front = run(&study, &Embedded, &Unwatched).expect("the study runs").front;
            let whole = started.elapsed();

            let table = count(&study, &Embedded, &Unwatched).expect("Adult can be counted");
            let problem = catalog::problem(&study.search, &table).expect("the problem fits");
            let optimizer_made = catalog::optimizer(&study.search).expect("the optimizer is there");
            let started = ProcessTime::now();
            let watched = SearchRun { seed: 1, evaluations: None, watch: &Unwatched };
            optimizer_made.search(&table, problem.as_ref(), &watched).expect("the search runs");
            let search = started.elapsed();
            println!(
                "{optimizer:<12} {eta:<5} {:<8} {:>9} {:>7} {:>13.3} {:>20.3}",
                cutoffs.name(),
                front.evaluated,
                front.solutions.len(),
                whole.as_secs_f64(),
                search.as_secs_f64()
            );
        }
    }
}

/// The optimizers that search levels and say how much of the lattice they saw.
fn lattice_search(name: &str) -> bool {
    matches!(name, "exhaustive" | "exact" | "poka")
}
