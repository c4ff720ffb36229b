//! **Branch and bound.** The whole front of spaces of recodings that nobody can enumerate, or the best front that so many evaluations
//! give, with a proven bound of the loss at each of its points.
//!
//! For one wanted level after the other the least loss is hunted down ([`hunt`]): a *span* of recodings, between a coarsest and a
//! finest one, is bounded ([`bound`]), and halved by a question about one column where the bound leaves something open
//! ([`span`]). What each column would pay at least on its own is found by dynamic programming over all of its partitions
//! ([`part`]). Why it is right: docs/theory/branch.md.

mod bound;
mod chain;
mod ground;
mod grouped;
mod hunt;
mod ladder;
mod part;
mod runs;
mod sheet;
mod span;
#[cfg(test)]
mod tests;
mod tree;
mod view;

use ground::{Ground, why_not};
use ladder::Ladder;

use super::genetic::{Layout, Pool};
use super::{Found, Nsga2, Optimizer, SearchRun};
use crate::engine::{Glimpse, Watch};
use crate::error::Result;
use crate::front::Archive;
use crate::group::FrequencyTable;
use crate::problem::Problem;

/// Losses closer than this are taken for equal.
const SLACK: f64 = 1e-11;
/// Tuples that are looked at where the study sets no budget: spans times tuples.
const WORK: u64 = 400_000_000;
/// The most evaluations of the genetic search that finds what the proof starts from.
const MOST_SEEDS: u64 = 50_000;

/// Whatever loses so much is of no use, where something is known that loses `least` and may be better than the best by a share.
fn limit(least: f64, within: f64) -> f64 {
    if within == 0.0 { least - SLACK } else { least * (1.0 - within) }
}

/// Why the recodings of a table cannot be searched; none where they can.
pub(super) fn refusal(table: &FrequencyTable, problem: &dyn Problem) -> Option<String> {
    why_not(table, problem)
}

/// Searches within the budget of a run.
pub(super) fn search(table: &FrequencyTable, problem: &dyn Problem, run: &SearchRun) -> Result<Found> {
    let layout = Layout::of(table);
    let pool = Pool::new(table, problem, &layout, run.watch);
    let tuples = table.tuples.len().max(1) as u64;
    let budget = run.evaluations.unwrap_or(WORK / tuples).max(1);
    let seeds = (2 * WORK / tuples).min(MOST_SEEDS).min(budget.div_ceil(2));
    let start = Nsga2::default().search(
        table,
        problem,
        &SearchRun { seed: run.seed, evaluations: Some(seeds), watch: &Beginning(run.watch) },
    )?;
    let mut archive = Archive::new();
    for entry in start.archive.entries() {
        let outcome = crate::front::Outcome { point: entry.point, cutoff: entry.cutoff };
        archive.insert(&outcome, entry.recoding.table_wide().expect("nsga2 recodes the whole table"));
    }
    let ground = Ground::new(&pool);
    let left = if run.evaluations.is_some() { budget.saturating_sub(start.evaluated) } else { budget };
    let mut ladder = Ladder::new(&ground, run, archive, start.evaluated, left);
    let proven = ladder.climb();
    let bounds = ladder.bounds_of_front();
    let mut found = Found {
        evaluated: ladder.evaluated,
        space: layout.size(),
        exact: proven,
        complete: proven,
        bounds,
        notes: vec![ladder.told(proven)],
        ..Found::default()
    };
    found.archive = ladder.archive.into();
    Ok(found)
}

/// Whoever watches the search, without what is kept of a genetic one: a proof begins anew.
struct Beginning<'a>(&'a dyn Watch);

impl Watch for Beginning<'_> {
    fn phase(&self, name: &str, steps: Option<u64>) {
        self.0.phase(name, steps);
    }

    fn advance(&self, steps: u64) {
        self.0.advance(steps);
    }

    fn note(&self, text: &str) {
        self.0.note(text);
    }

    fn front(&self, look: &dyn Fn() -> Glimpse) {
        self.0.front(look);
    }

    fn cancelled(&self) -> bool {
        self.0.cancelled()
    }
}
