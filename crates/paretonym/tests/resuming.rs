//! A genetic search that is stopped after any generation goes on to the front of an uninterrupted one.

mod support;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use paretonym::data::{Kind, Role};
use paretonym::engine::{Keeper, Watch};
use paretonym::error::Result;
use paretonym::front::Solution;
use paretonym::recode::Family;
use paretonym::settings::SearchSettings;
use paretonym::study::{ColumnSpec, Study, run};
use support::{Memory, study};

/// Stops a search after so many generations, and keeps what it needs to go on.
#[derive(Default)]
struct Stopper {
    generations: u64,
    noted: AtomicU64,
    stopped: AtomicBool,
    saved: Mutex<Option<String>>,
}

impl Watch for Stopper {
    /// Told at the end of each generation, before it is asked whether to stop.
    fn note(&self, _text: &str) {
        let before = self.noted.fetch_add(1, Ordering::Relaxed);
        self.stopped.store(before + 1 == self.generations, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn keeper(&self) -> Option<&dyn Keeper> {
        Some(self)
    }
}

impl Keeper for Stopper {
    fn saved(&self) -> Option<String> {
        self.saved.lock().unwrap().clone()
    }

    fn save(&self, state: &str) -> Result<()> {
        *self.saved.lock().unwrap() = Some(state.to_owned());
        Ok(())
    }
}

fn table() -> Memory {
    let mut state = 12345u64;
    let mut draw = |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let rows = (0..600).map(|_| {
        let age = draw(16) + draw(16);
        let (zip, ill) = (100 + age / 4 + draw(12), draw(5));
        vec![age.to_string(), zip.to_string(), format!("ill{ill}")]
    });
    Memory::new(["age", "zip", "illness"], rows)
}

fn study_of(search: SearchSettings) -> Study {
    let breaks = |name: &str| {
        let mut column = ColumnSpec::new(name, Role::Quasi);
        (column.kind, column.recode) = (Some(Kind::Numeric), Some(Family::Breaks));
        column
    };
    study(vec![breaks("age"), breaks("zip"), ColumnSpec::new("illness", Role::Sensitive)], search)
}

fn resumed_after(study: &Study, generations: u64) -> Vec<Solution> {
    let stopper = Stopper { generations, ..Stopper::default() };
    run(study, &table(), &stopper).unwrap();
    assert!(stopper.cancelled(), "it ended before generation {generations}");
    let goes_on = Stopper { saved: stopper.saved, ..Stopper::default() };
    run(study, &table(), &goes_on).unwrap().front.solutions
}

fn goes_on(search: SearchSettings) {
    study_goes_on(&study_of(search));
}

fn study_goes_on(study: &Study) {
    let counter = Stopper::default();
    let whole = run(study, &table(), &counter).unwrap().front.solutions;
    let generations = counter.noted.into_inner();
    assert!(generations > 2, "there is nothing to interrupt");
    let stops = (1..generations).take(40);
    let differ: Vec<u64> = stops.filter(|generations| resumed_after(study, *generations) != whole).collect();
    assert!(differ.is_empty(), "another front when stopped after generations {differ:?} of {generations}");
}

fn settings(problem: &str, faithful: bool) -> SearchSettings {
    SearchSettings {
        problem: problem.into(),
        optimizer: "nsga2".into(),
        eta: 0.1,
        evaluations: Some(1_500),
        seed: 4,
        ..SearchSettings::default()
    }
    .with("population", 30)
    .with("faithful", faithful)
}

#[test]
fn two_objectives() {
    goes_on(settings("max-suppression", false));
}

#[test]
fn three_objectives() {
    goes_on(settings("kl-safety", false));
}

/// Bins make the space so small that its front is proven: a search that was stopped in the proof starts it again.
#[test]
fn a_proof() {
    for problem in ["max-suppression", "any-suppression"] {
        let mut study = study_of(settings(problem, false));
        for (column, range) in study.columns.iter_mut().zip([(0.0, 32.0), (100.0, 120.0)]) {
            (column.range, column.granularity) = (Some(range), Some(4.0));
        }
        let front = run(&study, &table(), &Stopper::default()).unwrap().front;
        assert!(
            front.exact && front.evaluated < 600 && front.space == Some(2048),
            "{} {:?}",
            front.evaluated,
            front.notes
        );
        study_goes_on(&study);
    }
}

#[test]
fn the_faithful_form() {
    goes_on(settings("max-suppression", true));
}

#[test]
fn three_objectives_in_the_faithful_form() {
    goes_on(settings("kl-safety", true));
}

#[test]
fn genitor() {
    for faithful in [false, true] {
        // The faithful form makes one child at a time.
        let mut search = settings("single", faithful);
        (search.optimizer, search.evaluations) = ("genitor".into(), Some(3_000));
        search.set("k", 5);
        goes_on(search);
    }
}
