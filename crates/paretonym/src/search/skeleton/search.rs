//! `exact` and `exhaustive` where columns are recoded by cuts or breaks: a proof and nothing else.

use std::collections::HashSet;

use super::{Book, ENUMERABLE, MOST_PARTITIONS, Proof, Skeleton, prove};
use crate::error::{Error, Result};
use crate::front::Archive;
use crate::group::FrequencyTable;
use crate::problem::Problem;
use crate::search::genetic::{Genome, Judged, Layout, Pool};
use crate::search::{Found, SearchRun};

/// What was evaluated.
struct Notebook<'a> {
    pool: &'a Pool<'a>,
    archive: Archive,
    known: HashSet<Genome>,
}

impl<'a> Notebook<'a> {
    fn new(pool: &'a Pool<'a>) -> Self {
        Notebook { pool, archive: Archive::new(), known: HashSet::new() }
    }
}

impl Book for Notebook<'_> {
    fn archive(&mut self) -> &mut Archive {
        &mut self.archive
    }

    fn evaluated(&self) -> u64 {
        self.known.len() as u64
    }

    fn knows(&self, genome: &Genome) -> bool {
        self.known.contains(genome)
    }

    fn enter(&mut self, genome: &Genome, judged: &Judged) {
        let recoding = self.pool.layout.decode(self.pool.table, genome);
        judged.outcomes.iter().for_each(|outcome| self.archive.insert(outcome, &recoding));
        self.known.insert(genome.clone());
    }

    fn tick_off(&mut self, genome: &Genome) {
        self.known.insert(genome.clone());
    }
}

/// Whether the recodings of a table are few enough to be worked out from their skeleton.
pub(in crate::search) fn enumerable(table: &FrequencyTable) -> bool {
    Skeleton::evaluations(&Layout::of(table)).is_some()
}

/// The whole front of a space that can be enumerated, from its skeleton; elsewhere an error that says what to do.
pub(in crate::search) fn search(table: &FrequencyTable, problem: &dyn Problem, run: &SearchRun) -> Result<Found> {
    let layout = Layout::of(table);
    let skeleton = Skeleton::of(&layout, u64::MAX).ok_or_else(|| too_many("exact", table, None))?;
    let pool = Pool::new(table, problem, &layout, run.watch);
    let mut book = Notebook::new(&pool);
    let proof = prove(&skeleton, &pool, run, limit(run), &mut book);
    if !matches!(proof, Proof::TooLarge) {
        return Ok(found(&skeleton, proof, book));
    }
    let everything = Skeleton::everything(&layout).ok_or_else(|| too_many("exact", table, None))?;
    let proof = prove(&everything, &pool, run, limit(run), &mut book);
    let mut found = found(&everything, proof, book);
    found.notes.push("exact fell back to evaluating every recoding: their groups are of too many kinds".to_owned());
    Ok(found)
}

/// The same from every recoding.
pub(in crate::search) fn search_everything(
    table: &FrequencyTable,
    problem: &dyn Problem,
    run: &SearchRun,
) -> Result<Found> {
    let layout = Layout::of(table);
    let everything = Skeleton::everything(&layout).ok_or_else(|| too_many("exhaustive", table, None))?;
    let pool = Pool::new(table, problem, &layout, run.watch);
    let mut book = Notebook::new(&pool);
    let proof = prove(&everything, &pool, run, limit(run), &mut book);
    Ok(found(&everything, proof, book))
}

fn limit(run: &SearchRun) -> u64 {
    run.evaluations.unwrap_or(u64::MAX)
}

/// Why the recodings of a table cannot be worked out, and why they cannot be searched otherwise.
pub(in crate::search) fn too_many(optimizer: &str, table: &FrequencyTable, otherwise: Option<&str>) -> Error {
    let size = Layout::of(table).size();
    let many = size.map_or("more than 2^63".to_owned(), |size| size.to_string());
    let beyond = otherwise.map(|reason| format!(" (with more, {reason})")).unwrap_or_default();
    Error::study(format!(
        "the optimizer {optimizer} takes at most {ENUMERABLE} recodings of cuts and breaks, {MOST_PARTITIONS} of one column{beyond}, and there are {many}; set recode = \"levels\" for some columns, or choose optimizer = \"nsga2\""
    ))
}

fn found(skeleton: &Skeleton, proof: Proof, book: Notebook) -> Found {
    let complete = matches!(proof, Proof::Whole(_) | Proof::Disagrees);
    let (exact, note) = match proof {
        Proof::Whole(how) => (true, how),
        Proof::Disagrees => {
            (false, "not called exact: what was worked out and what was counted differ by rounding".to_owned())
        }
        Proof::Unfinished(needed) => {
            (false, format!("stopped before the front was proven: that takes at least {needed} evaluations"))
        }
        Proof::TooLarge | Proof::Stopped => (false, "stopped before the front was proven".to_owned()),
    };
    Found {
        evaluated: book.known.len() as u64,
        archive: book.archive.into(),
        space: Some(skeleton.space),
        exact,
        complete,
        notes: vec![note],
        ..Found::default()
    }
}
