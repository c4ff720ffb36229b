//! The names of everything: to add a measure, a problem or an optimizer is one file and one line here.

mod page;

pub use page::{Page, page};

use serde_json::{Value, json};

use crate::compare::{self, Comparator, ComparatorEntry, SetComparator, SetComparatorEntry};
use crate::error::Result;
use crate::group::FrequencyTable;
use crate::measure::{Call, CatalogEntry, Loss, LossEntry, Privacy, PrivacyEntry};
use crate::problem::{self, Problem, ProblemEntry};
use crate::search::{self, Optimizer, OptimizerEntry};
use crate::settings::SearchSettings;
use crate::{loss, privacy};

/// Privacy models.
pub const PRIVACY: &[PrivacyEntry] = &[
    privacy::k::ENTRY,
    privacy::frequency_l::ENTRY,
    privacy::distinct_l::ENTRY,
    privacy::entropy_l::ENTRY,
    privacy::recursive_l::ENTRY,
    privacy::t_closeness::ENTRY,
    privacy::alpha::ENTRY,
    privacy::p_sensitive::ENTRY,
];

/// Loss metrics.
pub const LOSSES: &[LossEntry] = &[
    loss::general::ENTRY,
    loss::weighted::ENTRY,
    loss::discernibility::ENTRY,
    loss::classification::ENTRY,
    loss::regression::ENTRY,
    loss::precision::ENTRY,
    loss::entropy::ENTRY,
    loss::average_class::ENTRY,
];

/// Formulations.
pub const PROBLEMS: &[ProblemEntry] = &[
    problem::zero_suppression::ENTRY,
    problem::max_suppression::ENTRY,
    problem::any_suppression::ENTRY,
    problem::kl_safety::ENTRY,
    problem::preference::ENTRY,
    problem::single::ENTRY,
];

/// Optimizers.
pub const OPTIMIZERS: &[OptimizerEntry] = &[
    search::exhaustive::ENTRY,
    search::poka::ENTRY,
    search::exact::ENTRY,
    search::nsga2::ENTRY,
    search::genitor::ENTRY,
    search::regions::ENTRY,
    search::baselines::datafly::ENTRY,
    search::baselines::samarati::ENTRY,
    search::baselines::incognito::ENTRY,
    search::baselines::mondrian::ENTRY,
];

/// Comparators of property vectors.
pub const COMPARATORS: &[ComparatorEntry] = &[
    compare::dominance::WEAK,
    compare::dominance::STRONG,
    compare::min::ENTRY,
    compare::rank::ENTRY,
    compare::cov::ENTRY,
    compare::spr::ENTRY,
    compare::hv::ENTRY,
];

/// Comparators of sets of property vectors.
pub const SET_COMPARATORS: &[SetComparatorEntry] = &[compare::wtd::ENTRY, compare::lex::ENTRY, compare::goal::ENTRY];

/// The comparator of this name.
pub fn comparator(name: &str) -> Result<Box<dyn Comparator>> {
    let call = Call::parse(name)?;
    (call.find("comparator", COMPARATORS, |one| &one.entry)?.make)(&call)
}

/// The comparator of sets of this name, by an index.
pub fn set_comparator(name: &str, by: Box<dyn Comparator>) -> Result<Box<dyn SetComparator>> {
    let call = Call::parse(name)?;
    (call.find("comparator of sets", SET_COMPARATORS, |one| &one.entry)?.make)(&call, by)
}

/// The privacy model of this name, for a table.
pub fn privacy(name: &str, table: &FrequencyTable) -> Result<Box<dyn Privacy>> {
    let call = Call::parse(name)?;
    (call.find("privacy model", PRIVACY, |one| &one.entry)?.make)(table, &call)
}

/// The loss of this name, for a table.
pub fn loss(name: &str, table: &FrequencyTable, settings: &SearchSettings) -> Result<Box<dyn Loss>> {
    let call = Call::parse(name)?;
    (call.find("loss metric", LOSSES, |one| &one.entry)?.make)(table, &call, settings)
}

/// The problem that the settings describe, for a table.
pub fn problem(settings: &SearchSettings, table: &FrequencyTable) -> Result<Box<dyn Problem>> {
    let entry = Call::parse(&settings.problem)?.find("problem", PROBLEMS, |one| &one.entry)?;
    let names = settings.privacy.list();
    let names = if entry.entry.name == "kl-safety" { problem::kl_safety::both_models(names) } else { names };
    let models = names.into_iter().map(|name| privacy(name, table)).collect::<Result<_>>()?;
    let problem = (entry.make)(models, loss(&settings.loss, table, settings)?, settings)?;
    problem.check(table)?;
    Ok(problem)
}

/// The optimizer that the settings name.
pub fn optimizer(settings: &SearchSettings) -> Result<Box<dyn Optimizer>> {
    let entry = Call::parse(&settings.optimizer)?.find("optimizer", OPTIMIZERS, |one| &one.entry)?;
    (entry.make)(settings)
}

/// Checks the names of settings before any row is read.
pub fn check_names(settings: &SearchSettings) -> Result<()> {
    for name in settings.privacy.list() {
        Call::parse(name)?.find("privacy model", PRIVACY, |one| &one.entry)?;
    }
    Call::parse(&settings.loss)?.find("loss metric", LOSSES, |one| &one.entry)?;
    Call::parse(&settings.problem)?.find("problem", PROBLEMS, |one| &one.entry)?;
    Call::parse(&settings.optimizer)?.find("optimizer", OPTIMIZERS, |one| &one.entry)?;
    Ok(())
}

/// Every entry with its section and what the section says beside the entry.
pub fn all() -> Vec<(&'static str, CatalogEntry, String)> {
    let privacy = PRIVACY.iter().map(|one| ("privacy", one.entry, format!("monotone: {}", one.behaviour.name())));
    let losses = LOSSES.iter().map(|one| {
        let bound = if one.bounded_below { "yes" } else { "no" };
        ("loss", one.entry, format!("lower bound: {bound}"))
    });
    let problems = PROBLEMS.iter().map(|one| ("problem", one.entry, String::new()));
    let optimizers = OPTIMIZERS.iter().map(|one| ("optimizer", one.entry, String::new()));
    let comparators = COMPARATORS.iter().map(|one| ("comparator", one.entry, String::new()));
    let sets = SET_COMPARATORS.iter().map(|one| ("set comparator", one.entry, String::new()));
    privacy.chain(losses).chain(problems).chain(optimizers).chain(comparators).chain(sets).collect()
}

/// Every entry as JSON, for other programs.
pub fn to_json() -> Value {
    all().into_iter().map(|(section, entry, property)| entry_json(section, &entry, &property)).collect()
}

fn entry_json(section: &str, entry: &CatalogEntry, property: &str) -> Value {
    let parameters: Vec<Value> = entry
        .parameters
        .iter()
        .map(|one| json!({ "name": one.name, "default": one.default, "summary": one.summary }))
        .collect();
    json!({
        "section": section, "name": entry.name, "aliases": entry.aliases, "summary": entry.summary,
        "property": property, "parameters": parameters, "reference": entry.reference,
    })
}
