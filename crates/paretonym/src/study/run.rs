//! The one door: a study in, a front out.

use std::time::{Duration, Instant};

use super::assemble::count_at_most;
use super::coarse::count_coarse;
use super::describe::Front;
use super::finest::{FinestSets, count_finest};
use super::run_watch::RunWatch;
use super::{Study, concerns};
use crate::catalog;
use crate::engine::{Engine, LooksAt, Watch};
use crate::error::{Error, Result};
use crate::front::{FORMAT, FrontEntry, FrontFile, Solution};
use crate::group::FrequencyTable;
use crate::measure::Privacy;
use crate::problem::Problem;
use crate::recode::Regions;
use crate::search::{FoundRecoding, Optimizer, SearchRun};
use crate::settings::{SearchSettings, within};

/// What a run of a study gives.
pub struct Exploration {
    /// What front.json holds.
    pub front: FrontFile,
    /// The counted table.
    pub table: FrequencyTable,
    /// The points behind the solutions, in their order.
    pub entries: Vec<FrontEntry<FoundRecoding>>,
    /// Local recodings behind the solutions, in their order, where the search makes such.
    pub regions: Option<Regions>,
    /// Whether the search was stopped because its time was up ([`Watch::time_limit`]).
    pub overdue: bool,
}

/// Runs a study.
pub fn run(study: &Study, engine: &dyn Engine, watch: &dyn Watch) -> Result<Exploration> {
    run_keeping(study, engine, watch, &mut |_, _| Ok(()))
}

/// The same. `keep` is shown the front as the search left it, before its solutions are described: that is work of its own,
/// which can be stopped, and whoever keeps the front has it by then.
pub fn run_keeping(
    study: &Study,
    engine: &dyn Engine,
    watch: &dyn Watch,
    keep: &mut dyn FnMut(&FrontFile, Option<&Regions>) -> Result<()>,
) -> Result<Exploration> {
    let started = Instant::now();
    let own = RunWatch::new(watch);
    let Table { whole: table, finest } = Table::count(study, engine, &own)?;
    table.distant.iter().for_each(|distant| own.attend(distant));
    let warnings = concerns(study, &table, engine, &own)?;
    let settings = &study.search;
    let problem = catalog::problem(settings, &table)?;
    let optimizer = catalog::optimizer(settings)?;
    check_distant(&table, problem.as_ref(), optimizer.as_ref(), settings)?;
    own.search();
    let run = SearchRun { seed: settings.seed, evaluations: settings.evaluations, watch: &own };
    let found = match &finest {
        Some(finest) => finest.search(settings, problem.as_ref(), optimizer.as_ref(), &run)?,
        None => optimizer.search(&table, problem.as_ref(), &run)?,
    };
    if let Some(failure) = table.distant.as_ref().and_then(|distant| distant.failure()) {
        return Err(failure);
    }
    let overdue = own.reached().filter(|_| !found.complete);
    if found.archive.entries().is_empty() {
        let within = within(&settings.at_least, &settings.at_most);
        return Err(if watch.cancelled() { Error::Cancelled } else { nothing_found(overdue, within) });
    }
    let entries = found.archive.entries().to_vec();
    let budget = problem.budget();
    let described =
        Front { table: &table, problem: problem.as_ref(), entries: &entries, regions: found.regions.as_ref() };
    let mut notes = found.notes;
    notes.extend(overdue.map(|limit| {
        let seconds = limit.as_secs_f64();
        format!("The search was stopped when its time was up, after {seconds} s: this is the best front so far, and another run may get further.")
    }));
    if let Some((at, why)) = problem.answer(&entries.iter().map(|entry| entry.point).collect::<Vec<_>>()) {
        notes.push(format!("The answer is solution {}: {why}.", at + 1));
    }
    let mut front = FrontFile {
        format: FORMAT.to_owned(),
        problem: problem.name().to_owned(),
        optimizer: optimizer.name().to_owned(),
        privacy: problem.models().iter().map(|model| model.name()).collect(),
        loss: problem.loss().name(),
        eta: budget.map(|budget| budget.eta),
        cutoffs: budget.map(|budget| budget.cutoffs.name().to_owned()),
        at_least: settings.at_least.clone(),
        at_most: settings.at_most.clone(),
        rows: table.rows,
        dropped: table.dropped,
        distinct: table.distant.as_ref().map_or(table.tuples.len() as u64, |distant| distant.tuples),
        evaluated: found.evaluated,
        space: found.space,
        exact: found.exact,
        complete: found.complete,
        seed: settings.seed,
        seconds: started.elapsed().as_secs_f64(),
        moved: own.travelled(),
        notes,
        warnings,
        objectives: problem.objectives(),
        solutions: described.undescribed(),
    };
    let bounds = if found.exact { Vec::new() } else { found.bounds };
    let bound =
        |solutions: &mut [Solution]| solutions.iter_mut().zip(&bounds).for_each(|(own, bound)| own.bound(*bound));
    bound(&mut front.solutions);
    keep(&front, found.regions.as_ref().map(|placed| &placed.regions))?;
    described.describe(&mut front.solutions, watch)?;
    described.describe_distant(study, &mut front.solutions, engine, &own)?;
    front.moved = own.travelled();
    bound(&mut front.solutions);
    front.note_undescribed();
    front.warnings.extend(front.one_valued());
    front.seconds = started.elapsed().as_secs_f64();
    let regions = found.regions.map(|placed| placed.regions);
    Ok(Exploration { front, table, entries, regions, overdue: overdue.is_some() })
}

/// The table of a study.
struct Table {
    /// All its tuples, or, where these are more than may come here, the groups of a node; or those of the finest sets that the
    /// study looks at.
    whole: FrequencyTable,
    /// What is searched in its place.
    finest: Option<FinestSets>,
}

impl Table {
    fn count(study: &Study, engine: &dyn Engine, watch: &dyn Watch) -> Result<Self> {
        if study.starts_above_values() {
            let (whole, finest) = count_finest(study, engine, watch)?;
            return Ok(Table { whole, finest: Some(finest) });
        }
        let whole = match (count_at_most(study, study.data.most_tuples(), engine, watch), study.data.most_tuples()) {
            (Err(Error::TooManyTuples(_)), Some(most)) => count_coarse(study, most, engine, watch)?,
            (counted, _) => counted?,
        };
        Ok(Table { whole, finest: None })
    }
}

/// Refuses a search of a table whose tuples are not here, unless it asks for nodes one by one and judges them by what can be
/// asked of them.
fn check_distant(
    table: &FrequencyTable,
    problem: &dyn Problem,
    optimizer: &dyn Optimizer,
    settings: &SearchSettings,
) -> Result<()> {
    if table.distant.is_none() {
        return Ok(());
    }
    let advice = "allow more distinct tuples with --groups-at-most";
    if !optimizer.asks_for_nodes() {
        return Err(Error::study(format!(
            "the optimizer {} needs all distinct tuples of the table, and there are more than may come here. Explore with \
             optimizer = \"exact\" first, choose a solution, and search among what is coarser: explore … --coarser-than DIR \
             --solution ID; or {advice}",
            optimizer.name()
        )));
    }
    let wanting = |model: &&&dyn Privacy| model.looks_at() == LooksAt::Values;
    if problem.judged().iter().any(|model| wanting(&model)) {
        let floors = || settings.at_least.keys().chain(settings.at_most.keys()).cloned().collect::<Vec<String>>();
        let model = problem.models().iter().find(wanting).map_or_else(|| floors().join(" and "), |model| model.name());
        return Err(Error::study(format!(
            "the privacy model {model} needs the groups themselves, and there are more than may come here; {advice}, or search \
             for k or l"
        )));
    }
    if !problem.loss().knows_classes() {
        return Err(Error::study(format!(
            "the loss {} needs the groups themselves, and there are more than may come here; {advice}, or choose loss = \
             \"general\"",
            problem.loss().name()
        )));
    }
    Ok(())
}

/// Why there is no solution at all.
fn nothing_found(overdue: Option<Duration>, within: Option<String>) -> Error {
    match (overdue, within) {
        (None, Some(within)) => Error::study(format!(
            "no recoding that was evaluated keeps {within} with as many rows as may be suppressed: ask for less by at_least and at_most, raise eta, or allow more evaluations"
        )),
        (Some(limit), _) => Error::study(format!(
            "no recoding that leaves a row was found within {} s: allow the search more time",
            limit.as_secs_f64()
        )),
        (None, None) => {
            Error::study("no recoding that was evaluated leaves a row: ask for less privacy, or allow more evaluations")
        }
    }
}
