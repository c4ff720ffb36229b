//! Searches that go on from a state which somebody may have edited, and the states that they begin with.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Result, ensure};
use paretonym::data::{CountRequest, Counted, Source};
use paretonym::engine::{Engine, Keeper, Unwatched, Watch};
use paretonym::error;
use paretonym::study::{Study, count, run};
use paretonym_engine::Embedded;

use crate::ground::{Ground, JOBS};
use crate::targets::{Work, text};

/// Hands a state to a search, keeps the one that it gets back, and stops it after some steps.
struct Search {
    state: Option<String>,
    kept: Mutex<Option<String>>,
    steps: AtomicU64,
    most: u64,
}

impl Search {
    fn new(state: Option<String>, most: u64) -> Self {
        Search { state, kept: Mutex::default(), steps: AtomicU64::new(0), most }
    }
}

impl Keeper for Search {
    fn saved(&self) -> Option<String> {
        self.state.clone()
    }

    fn save(&self, state: &str) -> error::Result<()> {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(state.to_owned());
        Ok(())
    }
}

impl Watch for Search {
    fn keeper(&self) -> Option<&dyn Keeper> {
        Some(self)
    }

    fn cancelled(&self) -> bool {
        self.steps.fetch_add(1, Ordering::Relaxed) > self.most
    }
}

/// The table as it was counted once, so that not every search reads it again.
#[derive(Default)]
struct Remembered {
    columns: Vec<String>,
    counted: Mutex<Option<Counted>>,
}

impl Remembered {
    fn of(study: &Study) -> Result<Self> {
        let engine = Remembered { columns: Embedded.columns(&study.data)?, ..Remembered::default() };
        count(study, &engine, &Unwatched)?;
        Ok(engine)
    }
}

impl Engine for Remembered {
    fn read_text(&self, _: &Path) -> error::Result<String> {
        Ok(JOBS.to_owned())
    }

    fn columns(&self, _: &Source) -> error::Result<Vec<String>> {
        Ok(self.columns.clone())
    }

    fn count(&self, source: &Source, request: &CountRequest, watch: &dyn Watch) -> error::Result<Counted> {
        let mut known = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_none() {
            *known = Some(Embedded.count(source, request, watch)?);
        }
        known.clone().ok_or(error::Error::Cancelled)
    }
}

/// A study for each search that can go on.
fn studies(ground: &Ground) -> Result<[Study; 2]> {
    let study = ground.study()?;
    let mut genitor = study.clone();
    genitor.search.optimizer = "genitor".to_owned();
    genitor.search.problem = "single".to_owned();
    genitor.search.set("k", 2);
    Ok([study, genitor])
}

/// Goes on from a state.
pub(crate) fn checkpoint() -> Result<Work> {
    let ground = Ground::new()?;
    let [nsga2, genitor] = studies(&ground)?;
    let engine = Remembered::of(&nsga2)?;
    Ok(Box::new(move |input| {
        text(input, |json| {
            let study = if json.contains("genitor") { &genitor } else { &nsga2 };
            let found = run(study, &engine, &Search::new(Some(json.to_owned()), 60))?;
            Ok(format!("{} solutions", found.front.solutions.len()))
        })
    }))
}

/// Writes states of short searches into a folder, for the corpus.
pub fn write_states(folder: &Path) -> Result<()> {
    let ground = Ground::new()?;
    for study in studies(&ground)? {
        let engine = Remembered::of(&study)?;
        // A search keeps its state where it is stopped between two generations, and only there.
        let mut states: Vec<String> = Vec::new();
        for most in 1..400 {
            let search = Search::new(None, most);
            // A search that is stopped may have found nothing; what it kept is what counts.
            let _ = run(&study, &engine, &search);
            states.extend(search.kept.into_inner().ok().flatten());
        }
        let name = &study.search.optimizer;
        ensure!(!states.is_empty(), "{name} kept no state");
        for (at, state) in [("early", &states[0]), ("late", &states[states.len() - 1])] {
            std::fs::write(folder.join(format!("{name}-{at}.json")), state)?;
        }
    }
    Ok(())
}
