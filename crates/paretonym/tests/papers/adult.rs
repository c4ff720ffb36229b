//! Facts about the Adult table, where it is there: distinct tuples, and fronts of the lattice of 12,960 nodes.

use std::path::Path;

use paretonym::catalog;
use paretonym::data::Role;
use paretonym::engine::Unwatched;
use paretonym::search::SearchRun;
use paretonym::settings::{CutoffRule, SearchSettings};
use paretonym::study::{ColumnSpec, Roles, Study};

use super::s1;
use crate::support::{Memory, study};

/// The table, without the rows that lack a value.
fn adult(file: &str) -> Option<Memory> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/adult/adult.data");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("{} is not there: nothing was tested", path.display());
        return None;
    };
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    Some(s1::with_files(Memory::new(s1::names(file), lines.map(|line| line.split(',')))))
}

fn adult_study(columns: Vec<ColumnSpec>, search: SearchSettings) -> Study {
    let mut study = study(columns, search);
    study.data.missing = vec!["?".into()];
    study
}

#[test]
fn distinct_tuples() {
    let (years, fives) = ("study.toml", "breaks.toml");
    for (file, with_salary, expected) in
        [(years, true, 19_502), (years, false, 18_109), (fives, true, 13_334), (fives, false, 12_005)]
    {
        let Some(engine) = adult(file) else { return };
        let mut columns = s1::columns(file);
        if !with_salary {
            let salary = columns.iter_mut().find(|column| column.name == "salary-class").unwrap();
            salary.role = Roles::One(Role::Target);
        }
        let study = adult_study(columns, SearchSettings::default());
        let table = paretonym::study::count(&study, &engine, &Unwatched).unwrap();
        assert_eq!((table.rows, table.dropped), (30_162, 2_399), "complete rows");
        assert_eq!(table.tuples.len(), expected, "distinct tuples of {file}, salary-class quasi: {with_salary}");
    }
}

/// k against general loss, every cut-off against the papers' rule. The numbers of points were found a second time by a
/// separate program in whole numbers; other trees over the same columns give others.
#[test]
fn points_of_the_lattice_fronts() {
    let Some(engine) = adult("study.toml") else { return };
    let study = adult_study(s1::columns("study.toml"), SearchSettings::default());
    let table = paretonym::study::count(&study, &engine, &Unwatched).unwrap();
    for (eta, cutoffs, points) in [
        (0.01, CutoffRule::All, 48),
        (0.01, CutoffRule::Budget, 30),
        (0.1, CutoffRule::All, 92),
        (0.1, CutoffRule::Budget, 40),
    ] {
        let settings = SearchSettings { eta, cutoffs, ..SearchSettings::default() };
        let problem = catalog::problem(&settings, &table).unwrap();
        let run = SearchRun { seed: 1, evaluations: None, watch: &Unwatched };
        let found = catalog::optimizer(&settings).unwrap().search(&table, problem.as_ref(), &run).unwrap();
        assert_eq!((found.space, found.exact), (Some(12_960), true), "the lattice of study.toml");
        assert_eq!(found.archive.entries().len(), points, "eta {eta}, {cutoffs:?}");
    }
}

/// Half of the evaluations that the proof needs leave a gap between loss and bound that is on average smaller than the step
/// from one point of the front to the next.
#[test]
fn half_a_proof_leaves_small_gaps() {
    let Some(engine) = adult("study.toml") else { return };
    let search = SearchSettings { optimizer: "exact".into(), ..SearchSettings::default() };
    let run = |evaluations: Option<u64>| {
        let study = adult_study(s1::columns("study.toml"), SearchSettings { evaluations, ..search.clone() });
        paretonym::study::run(&study, &engine, &Unwatched).unwrap().front
    };
    let whole = run(None);
    assert!(whole.exact && whole.evaluated * 100 <= 12_960 * 7, "{} nodes", whole.evaluated);
    let half = run(Some(whole.evaluated / 2));
    assert!(!half.exact && half.evaluated <= whole.evaluated / 2);
    let mean = |values: Vec<f64>| values.iter().sum::<f64>() / values.len() as f64;
    let steps = whole.solutions.windows(2).map(|pair| pair[0].loss - pair[1].loss).collect();
    let gaps = half.solutions.iter().map(|solution| solution.loss - solution.loss_bound.unwrap()).collect();
    let (gap, step) = (mean(gaps), mean(steps));
    println!("mean gap {gap:.4}, mean step {step:.4}");
    assert!(gap <= step, "mean gap {gap:.4}, mean step {step:.4}");
    for solution in &half.solutions {
        let least = whole.solutions.iter().filter(|own| own.k >= solution.k).map(|own| own.loss).fold(1.0, f64::min);
        assert!(solution.loss_bound.unwrap() <= least + 1e-9, "solution {}", solution.id);
    }
}
