//! nsga2: genetic search with non-dominated sorting.

mod breed;
mod columns;
mod complete;
mod polish;
mod state;

use super::checkpoint::{CheckpointPace, Saved};
use super::genetic::{ColumnMoves, Crossover, Layout, Pool};
use super::skeleton::{Proof, Skeleton};
use super::{Exhaustive, Found, Optimizer, OptimizerEntry, SearchRun};
use crate::error::Result;
use crate::group::FrequencyTable;
use crate::measure::{Call, CatalogEntry, Parameter, Takes};
use crate::problem::{Paper, Problem};
use state::Search;

/// Its line in the catalogue.
pub const ENTRY: OptimizerEntry = OptimizerEntry {
    entry: CatalogEntry {
        name: "nsga2",
        aliases: &[],
        summary: "genetic search with non-dominated sorting, for levels, cuts and breaks",
        parameters: &[
            Parameter {
                name: "population",
                default: "200, or 500 from three objectives on",
                takes: Takes::Whole(2, 1_000_000),
                summary: "members; fewer where there are few evaluations",
            },
            Parameter { name: "generations", default: "250", takes: Takes::Whole(1, u64::MAX), summary: "generations" },
            Parameter {
                name: "evaluations",
                default: "population × generations",
                takes: Takes::Section,
                summary: "recodings to evaluate",
            },
            Parameter {
                name: "crossover",
                default: "0.9",
                takes: Takes::Share,
                summary: "share of parents that are crossed",
            },
            Parameter {
                name: "mutation",
                default: "0.15",
                takes: Takes::Share,
                summary: "share of columns that take a step; faithful: of breaks that are flipped, 0.1",
            },
            Parameter {
                name: "faithful",
                default: "false",
                takes: Takes::Flag,
                summary: "exactly as the papers have it",
            },
        ],
        reference: "Deb et al. 2002; S0 section 6; S1 section 5",
    },
    make: |call| Ok(Box::new(Nsga2::new(call)?)),
};

/// Fast non-dominated sorting, crowding, elitism, binary tournament, for any number of objectives. The front is the
/// archive of everything that was ever evaluated, not the last population. For spaces that are too large to work out.
///
/// `faithful = true` is the papers' algorithm with the papers' parameters: a start of coin flips (for S1's problem, of a
/// random share of ones for each member), single-point crossover, Lunacek's for cuts, mutation of breaks alone, every
/// offspring counted; a note tells what the last population holds, which is what the papers report. What is ours otherwise: a start
/// spread from everything joined to everything apart, with lattice nodes; no recoding evaluated twice; mutation of
/// cuts and levels; parents from the archive; crowding on the scale of the hypervolume; a local search that evaluates
/// all neighbours of archive members; column moves; and an end when the hypervolume has stalled. A space that can be enumerated is
/// worked out from a [skeleton](crate::theory::skeleton) of its recodings, where the budget allows it, and a lattice
/// within the budget whole.
///
/// A column move takes the best of all partitions of one column, the others staying as they are, by a shortest path over its
/// runs of leaves. It serves max-suppression, zero-suppression and single, where the level is k and the loss a plain sum
/// over groups (general, weighted, classification without costs, discernibility; for the weighted level the first two). Points
/// are moved for the k of each, what is best for the next larger k being one start; for the weighted level, along a grid
/// of a hundred losses. Other models and losses are searched without it.
///
/// Not exact, unless it has evaluated every recoding or worked out all of them. What it reaches on Adult is in
/// docs/reproduction.md. [Reference](mod@crate::theory::references): Deb et al. 2002; S0 section 6; S1 section 5.
///
/// In the catalogue `nsga2`: [definition](crate::theory::definitions#nsga2).
#[derive(Clone, Debug, Default)]
pub struct Nsga2 {
    /// Members of the population.
    pub population: Option<usize>,
    /// Generations.
    pub generations: Option<u64>,
    /// Share of parents that are crossed.
    pub crossover: Option<f64>,
    /// Rate of mutation.
    pub mutation: Option<f64>,
    /// As the papers have it.
    pub faithful: bool,
}

impl Nsga2 {
    /// From its parameters.
    pub fn new(call: &Call) -> Result<Self> {
        Ok(Nsga2 {
            population: call.optional("population")?,
            generations: call.optional("generations")?,
            crossover: call.optional("crossover")?,
            mutation: call.optional("mutation")?,
            faithful: call.flag("faithful"),
        })
    }
}

/// The settings with everything filled in.
struct Schedule {
    faithful: bool,
    size: usize,
    crossover: f64,
    mutation: f64,
    kind: Crossover,
    /// Evaluations at most.
    limit: u64,
}

impl Schedule {
    fn of(own: &Nsga2, problem: &dyn Problem, run: &SearchRun) -> Self {
        // S1 for its own problem, S0 for all others.
        let s1 = problem.paper() == Paper::S1;
        let many = problem.objectives().len() > 2;
        let papers = if s1 { 100 } else { 200 + 300 * usize::from(many) };
        // With few evaluations, few members: a search needs about a hundred generations.
        let affordable = run.evaluations.filter(|_| !own.faithful).map_or(usize::MAX, |limit| (limit / 100) as usize);
        let size = own.population.unwrap_or(papers.min(affordable.max(20)));
        let generations = own.generations.unwrap_or(if s1 { 50_000u64.div_ceil(size as u64) } else { 250 });
        let limit = match (run.evaluations, own.generations) {
            (Some(evaluations), None) => evaluations,
            (evaluations, _) => generations.saturating_mul(size as u64).min(evaluations.unwrap_or(u64::MAX)),
        };
        let (crossover, mutation) = match (own.faithful, s1) {
            (true, true) => (0.8, 0.001),
            (true, false) => (0.9, 0.1),
            (false, _) => (0.9, 0.15),
        };
        Schedule {
            faithful: own.faithful,
            size,
            crossover: own.crossover.unwrap_or(crossover),
            mutation: own.mutation.unwrap_or(mutation),
            kind: if s1 { Crossover::Once } else { Crossover::EachColumn },
            limit,
        }
    }
}

impl Optimizer for Nsga2 {
    fn name(&self) -> &'static str {
        "nsga2"
    }

    fn search(&self, table: &FrequencyTable, problem: &dyn Problem, run: &SearchRun) -> Result<Found> {
        let layout = Layout::of(table);
        let pool = Pool::new(table, problem, &layout, run.watch);
        let plan = Schedule::of(self, problem, run);
        let space = layout.size();
        let limit = if plan.faithful { plan.limit } else { plan.limit.min(space.unwrap_or(u64::MAX)) };
        let saved = run.watch.keeper().and_then(|keeper| keeper.saved());
        if !plan.faithful && saved.is_none() && table.is_lattice() && space.is_some_and(|space| space <= plan.limit) {
            // Rolled up from each other, all nodes take less time than a search among them.
            return Exhaustive.search(table, problem, run);
        }
        run.watch.phase("evaluating recodings", Some(limit));
        let mut search = match saved {
            None => Search::start(&pool, &plan, run.seed),
            Some(text) => Search::resume(&pool, &plan, run.seed, &Saved::read(&text, self.name(), run.seed, &pool)?)?,
        };
        let mut checkpoints = CheckpointPace::new(run.watch.keeper());
        let (mut stalled, mut proven) = (false, None);
        let mut needed = Skeleton::evaluations(&layout)
            .filter(|_| !plan.faithful)
            .map(|needed| (needed + plan.size as u64).min(space.unwrap_or(u64::MAX)));
        if search.generation == 0
            && !plan.faithful
            && let Some(skeleton) = Skeleton::of(&layout, limit.saturating_sub(search.evaluated))
        {
            checkpoints.save(true, || search.saved(self.name()))?;
            match search.complete(&skeleton, limit, run) {
                Proof::Whole(how) => proven = Some(how),
                Proof::Unfinished(more) => needed = Some(more),
                Proof::TooLarge | Proof::Disagrees | Proof::Stopped => needed = None,
            }
            if proven.is_none() {
                run.watch.phase("evaluating recodings", Some(limit));
                run.watch.advance(search.evaluated);
            }
        }
        let moves = ColumnMoves::of(table, problem).filter(|_| !plan.faithful && proven.is_none());
        // Where every recoding can be evaluated, every one is.
        let kept_back = moves.as_ref().filter(|_| Some(limit) != space).map_or(0, |_| columns::kept_back(limit));
        let last = limit - kept_back;
        while proven.is_none() && search.evaluated < last && !search.stopped && !stalled {
            search.generation(limit, moves.as_ref());
            if search.stopped {
                break;
            }
            // Whoever says how many evaluations there are to be gets them.
            stalled = search.note(run) && !plan.faithful && run.evaluations.is_none();
            let cancelled = run.watch.cancelled();
            checkpoints.save(cancelled, || search.saved(self.name()))?;
            search.stopped = cancelled;
        }
        let exact = (proven.is_some() || Some(search.seen.len() as u64) == space) && !search.stopped;
        let spent = run.evaluations.is_some_and(|evaluations| search.evaluated >= last.min(evaluations));
        let mut notes = Vec::from_iter(proven);
        if plan.faithful {
            notes.push(search.last_population());
        }
        if let Some(needed) = needed.filter(|needed| !exact && *needed > limit) {
            notes.push(format!("With about {needed} evaluations the front could be proven to be whole."));
        }
        if stalled && !exact {
            notes.push(format!(
                "Ended after {} evaluations: the hypervolume had not grown since {}.",
                search.evaluated, search.best.1
            ));
        }
        Ok(Found {
            archive: search.archive.into(),
            evaluated: search.evaluated,
            space,
            exact,
            complete: exact || !(search.stopped || spent),
            notes,
            ..Found::default()
        })
    }
}
