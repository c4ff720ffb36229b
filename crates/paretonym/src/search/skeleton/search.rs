//! `exact` and `exhaustive` where columns are recoded by cuts or breaks: a proof and nothing else.

use std::collections::HashSet;

use super::{Book, ENUMERABLE, Proof, Skeleton, prove};
use crate::error::{Error, Result};
use crate::front::Archive;
use crate::group::FrequencyTable;
use crate::problem::Problem;
use crate::search::genetic::{Genome, Judged, Layout, Pool};
use crate::search::{Found, Run};

/// What was evaluated.
#[derive(Default)]
struct Notebook {
    archive: Archive,
    known: HashSet<Genome>,
}

impl Book for Notebook {
    fn archive(&mut self) -> &mut Archive {
        &mut self.archive
    }

    fn evaluated(&self) -> u64 {
        self.known.len() as u64
    }

    fn knows(&self, genome: &Genome) -> bool {
        self.known.contains(genome)
    }

    fn enter(&mut self, genome: &Genome, judged: &Judged, pool: &Pool) {
        let recoding = pool.layout.decode(pool.table, genome);
        judged.outcomes.iter().for_each(|outcome| self.archive.insert(outcome, &recoding));
        self.known.insert(genome.clone());
    }
}

/// The whole front of a space that can be enumerated, from its skeleton; elsewhere an error that says what to do.
pub(in crate::search) fn search(table: &FrequencyTable, problem: &dyn Problem, run: &Run) -> Result<Found> {
    let layout = Layout::of(table);
    let skeleton = Skeleton::of(&layout, table.tuples.len(), u64::MAX).ok_or_else(|| too_many("exact", &layout))?;
    search_with(&skeleton, &Pool::new(table, problem, &layout, run.watch), run)
}

/// The same from every recoding.
pub(in crate::search) fn search_everything(table: &FrequencyTable, problem: &dyn Problem, run: &Run) -> Result<Found> {
    let layout = Layout::of(table);
    let skeleton = Skeleton::everything(&layout).ok_or_else(|| too_many("exhaustive", &layout))?;
    search_with(&skeleton, &Pool::new(table, problem, &layout, run.watch), run)
}

fn too_many(optimizer: &str, layout: &Layout) -> Error {
    let many = layout.size().map_or("more than 2^63".to_owned(), |size| size.to_string());
    Error::study(format!(
        "the optimizer {optimizer} takes at most {ENUMERABLE} recodings of cuts and breaks, and there are {many}; set recode = \"levels\" for some columns, or choose optimizer = \"nsga2\""
    ))
}

fn search_with(skeleton: &Skeleton, pool: &Pool, run: &Run) -> Result<Found> {
    let mut book = Notebook::default();
    let limit = run.evaluations.unwrap_or(u64::MAX);
    let proof = prove(skeleton, pool, run, limit, &mut book);
    let (exact, notes) = match proof {
        Proof::Whole(how) => (true, vec![how]),
        Proof::Unfinished | Proof::Stopped => (false, Vec::new()),
    };
    Ok(Found {
        evaluated: book.known.len() as u64,
        archive: book.archive,
        space: Some(skeleton.space),
        exact,
        complete: exact,
        notes,
        ..Found::default()
    })
}
