//! The one door: a study in, a front out.

use std::time::Instant;

use super::describe::describe_found;
use super::{Study, concerns, count};
use crate::catalog;
use crate::engine::{Engine, Watch};
use crate::error::{Error, Result};
use crate::front::{Entry, FORMAT, FrontFile};
use crate::group::FrequencyTable;
use crate::recode::Regions;
use crate::search::Run;

/// What a run of a study gives.
pub struct Exploration {
    /// What front.json holds.
    pub front: FrontFile,
    /// The counted table.
    pub table: FrequencyTable,
    /// The points behind the solutions, in their order.
    pub entries: Vec<Entry>,
    /// Local recodings behind the solutions, in their order, where the search makes such.
    pub regions: Option<Regions>,
}

/// Runs a study.
pub fn run(study: &Study, engine: &dyn Engine, watch: &dyn Watch) -> Result<Exploration> {
    let started = Instant::now();
    let table = count(study, engine, watch)?;
    let warnings = concerns(study, &table, engine, watch)?;
    let settings = &study.search;
    let problem = catalog::problem(settings, &table)?;
    let optimizer = catalog::optimizer(settings)?;
    let run = Run { seed: settings.seed, evaluations: settings.evaluations, watch };
    let found = optimizer.search(&table, problem.as_ref(), &run)?;
    if found.archive.entries().is_empty() {
        let nothing = "no recoding that was evaluated leaves a row: ask for less privacy, or allow more evaluations";
        return Err(if watch.cancelled() { Error::Cancelled } else { Error::study(nothing) });
    }
    let entries = found.archive.entries().to_vec();
    let mut solutions = describe_found(&table, problem.as_ref(), &entries, found.regions.as_ref())?;
    if !found.complete {
        for (solution, bound) in solutions.iter_mut().zip(&found.bounds) {
            let bound = bound.min(solution.loss);
            (solution.loss_bound, solution.gap) = (Some(bound), Some(solution.loss - bound));
        }
    }
    let budgeted = matches!(problem.name(), "max-suppression" | "kl-safety");
    let mut notes = found.notes;
    if let Some((at, why)) = problem.answer(&entries) {
        notes.push(format!("The answer is solution {}: {why}.", at + 1));
    }
    let mut front = FrontFile {
        format: FORMAT.to_owned(),
        problem: problem.name().to_owned(),
        optimizer: optimizer.name().to_owned(),
        privacy: problem.models().iter().map(|model| model.name()).collect(),
        loss: problem.loss().name(),
        eta: budgeted.then_some(settings.eta),
        cutoffs: budgeted.then(|| settings.cutoffs.name().to_owned()),
        rows: table.rows,
        dropped: table.dropped,
        distinct: table.tuples.len() as u64,
        evaluated: found.evaluated,
        space: found.space,
        exact: found.exact,
        complete: found.complete,
        seed: settings.seed,
        seconds: started.elapsed().as_secs_f64(),
        notes,
        warnings,
        objectives: problem.objectives(),
        solutions,
    };
    front.warnings.extend(front.one_valued());
    let regions = found.regions.map(|placed| placed.regions);
    Ok(Exploration { front, table, entries, regions })
}
