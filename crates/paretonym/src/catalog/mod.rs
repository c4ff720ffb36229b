//! The names of everything: to add a measure, a problem or an optimizer is one file and one line here.

mod json;
mod page;

pub use json::{all, to_json};
pub use page::{Page, page};

use std::collections::BTreeSet;

use crate::compare::{self, Comparator, ComparatorEntry, Indices, SetComparator, SetComparatorEntry};
use crate::data::unusable_number;
use crate::error::{Error, Result};
use crate::group::FrequencyTable;
use crate::measure::{Call, CatalogEntry, Diversity, Letter, Loss, LossEntry, Parameter, Privacy, PrivacyEntry, Sense};
use crate::problem::{self, Floor, Floored, Floors, Problem, ProblemEntry};
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

/// The comparator of sets of this name, by the indices that it names, or by coverage.
pub fn set_comparator(name: &str) -> Result<Box<dyn SetComparator>> {
    let call = Call::parse(name)?;
    let entry = call.find("comparator of sets", SET_COMPARATORS, |one| &one.entry)?;
    let words = call.text("by").unwrap_or_default().split(['/', ' ']).filter(|word| !word.is_empty());
    (entry.make)(&call, Indices::new(words.map(comparator).collect::<Result<_>>()?))
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
    let (entry, call) = problem_call(settings)?;
    let names = (entry.models)(settings.privacy.list());
    let models = names.into_iter().map(|name| privacy(name, table)).collect::<Result<_>>()?;
    let mut problem = (entry.make)(models, loss(&settings.loss, table, settings)?, &call)?;
    if let Some(floors) = floors(settings, table)? {
        problem = Box::new(Floored::new(problem, floors));
    }
    problem.check(table)?;
    Ok(problem)
}

/// The floors of a study, for a table, where it has any.
pub(crate) fn floors(settings: &SearchSettings, table: &FrequencyTable) -> Result<Option<Floors>> {
    if settings.at_least.is_empty() && settings.at_most.is_empty() {
        return Ok(None);
    }
    let wanted = settings.at_least.iter().chain(&settings.at_most);
    let floor = |(name, level): (&String, &f64)| {
        Ok(Floor { model: privacy(floor_model(settings, name), table)?.into(), level: *level })
    };
    Ok(Some(Floors::new(wanted.map(floor).collect::<Result<Vec<_>>>()?)))
}

/// Whether a model of a study, or a floor of it, looks at sensitive columns.
pub(crate) fn looks_inside(settings: &SearchSettings) -> bool {
    let models = match problem_call(settings) {
        Ok((entry, _)) => (entry.models)(settings.privacy.list()),
        Err(_) => settings.privacy.list(),
    };
    let floors = settings.at_least.iter().chain(&settings.at_most).map(|(name, _)| floor_model(settings, name));
    let looks = |name: &str| named(name, PRIVACY, |one| &one.entry).is_none_or(|one| one.sensitive);
    models.into_iter().chain(floors).any(looks)
}

/// The model that a floor names. A plain l is the form of it that the study's own l is in.
fn floor_model<'n>(settings: &'n SearchSettings, name: &'n str) -> &'n str {
    if name != "l" {
        return name;
    }
    let form = |model: &'n str| {
        let letter = named(model, PRIVACY, |one| &one.entry)?.letter;
        matches!(letter, Letter::L(_)).then_some(model)
    };
    settings.privacy.list().into_iter().find_map(form).unwrap_or(name)
}

/// The optimizer that the settings name.
pub fn optimizer(settings: &SearchSettings) -> Result<Box<dyn Optimizer>> {
    let (entry, call) = optimizer_call(settings)?;
    (entry.make)(&call)
}

fn problem_call(settings: &SearchSettings) -> Result<(&'static ProblemEntry, Call)> {
    call(settings, &settings.problem, "problem", PROBLEMS, |one| &one.entry)
}

fn optimizer_call(settings: &SearchSettings) -> Result<(&'static OptimizerEntry, Call)> {
    call(settings, &settings.optimizer, "optimizer", OPTIMIZERS, |one| &one.entry)
}

/// A problem or an optimizer with its parameters: those in brackets, and what the section says of the others. Where two
/// have a parameter of one name, a key of the section goes to those that take its value.
fn call<T>(
    settings: &SearchSettings,
    text: &str,
    what: &'static str,
    all: &'static [T],
    entry: fn(&T) -> &CatalogEntry,
) -> Result<(&'static T, Call)> {
    let mut call = Call::parse(text)?;
    let found = call.find(what, all, entry)?;
    for parameter in entry(found).parameters {
        // What options and certificates know by a field of its own must not be said in two places.
        if SearchSettings::is_common(parameter.name) && call.text(parameter.name).is_some() {
            let (name, own) = (parameter.name, &call.name);
            return Err(Error::study(format!("{name} has a line of its own under [search]; take it out of {own}(…)")));
        }
        let Some(value) = settings.parameter(parameter.name) else { continue };
        match parameter.takes.check(parameter.name, &value) {
            Ok(()) => call.add(parameter.name, value),
            Err(error) if !is_taken(settings, parameter.name, &value) => return Err(error),
            Err(_) => {}
        }
    }
    Ok((found, call))
}

/// Whether the problem or the optimizer of the settings has a parameter that takes a value.
fn is_taken(settings: &SearchSettings, name: &str, value: &str) -> bool {
    let problem = named(&settings.problem, PROBLEMS, |one| &one.entry).map(|one| &one.entry);
    let optimizer = named(&settings.optimizer, OPTIMIZERS, |one| &one.entry).map(|one| &one.entry);
    let mut parameters = problem.into_iter().chain(optimizer).flat_map(|entry| entry.parameters);
    parameters.any(|one| one.name == name && one.takes.check(one.name, value).is_ok())
}

/// Checks the names and parameters of settings before any row is read.
pub fn check_names(settings: &SearchSettings) -> Result<()> {
    for name in settings.privacy.list() {
        Call::parse(name)?.find("privacy model", PRIVACY, |one| &one.entry)?;
    }
    Call::parse(&settings.loss)?.find("loss metric", LOSSES, |one| &one.entry)?;
    problem_call(settings)?;
    optimizer(settings)?;
    for name in settings.parameters.names() {
        check_key(name)?;
        let value = settings.parameter(name).unwrap_or_default();
        // Also what another problem or optimizer would take must be something that it takes.
        let mut checks = parameters().filter(|one| one.name == name).map(|one| one.takes.check(one.name, &value));
        if let Some(Err(error)) = checks.next()
            && checks.all(|check| check.is_err())
        {
            return Err(error);
        }
    }
    Ok(())
}

/// Checks the levels that a study demands of every solution before any row is read; `sensitive` is whether it has such a
/// column.
pub(crate) fn check_wanted(settings: &SearchSettings, sensitive: bool) -> Result<(), (&'static str, Error)> {
    let sides = [("at_least", &settings.at_least, Sense::Max), ("at_most", &settings.at_most, Sense::Min)];
    for (key, wanted, sense) in sides {
        for (name, level) in wanted {
            check_level(key, floor_model(settings, name), *level, sense, sensitive).map_err(|error| (key, error))?;
        }
    }
    Ok(())
}

fn check_level(key: &str, name: &str, level: f64, sense: Sense, sensitive: bool) -> Result<()> {
    let model = Call::parse(name)?.find("privacy model", PRIVACY, |one| &one.entry)?;
    if model.sense != sense {
        let (better, other) = if sense == Sense::Max { ("less", "at_most") } else { ("more", "at_least") };
        // A name with brackets is no bare key.
        let written = if name.contains('(') { format!("{name:?}") } else { name.to_owned() };
        return Err(Error::study(format!(
            "{key} cannot hold {name}, of which {better} is better; write {other} = {{ {written} = {level} }}"
        )));
    }
    if unusable_number(level).is_some() || level < 0.0 {
        return Err(Error::study(format!("{key}: {name} must be a number from 0 on, not {level}")));
    }
    if model.sensitive && !sensitive {
        return Err(Error::study(format!(
            "{key}: {name} protects sensitive columns, and the study has none; give a column role = \"sensitive\", or take {name} out"
        )));
    }
    Ok(())
}

/// The parameters of all problems and optimizers.
fn parameters() -> impl Iterator<Item = &'static Parameter> {
    let entries = PROBLEMS.iter().map(|one| &one.entry).chain(OPTIMIZERS.iter().map(|one| &one.entry));
    entries.flat_map(|entry| entry.parameters)
}

/// Fails where no problem and no optimizer has a parameter that a key of `[search]` could mean.
pub(crate) fn check_key(name: &str) -> Result<()> {
    let mut known: BTreeSet<&str> = parameters().map(|one| one.name).collect();
    if known.contains(name) {
        return Ok(());
    }
    known.extend(["problem", "privacy", "loss", "optimizer", "at_least", "at_most", "seed", "evaluations", "costs"]);
    Err(Error::UnknownName {
        what: "setting of [search]",
        name: name.to_owned(),
        known: known.into_iter().map(str::to_owned).collect(),
    })
}

/// What the problem of the settings is told by a parameter, in brackets or by a line of the section.
pub(crate) fn problem_parameter(settings: &SearchSettings, name: &str) -> Option<String> {
    let (_, call) = problem_call(settings).ok()?;
    call.text(name).map(str::to_owned).or_else(|| settings.parameter(name))
}

/// The entry that a name with parameters means, if there is one.
fn named<T>(text: &str, all: &'static [T], entry: fn(&T) -> &CatalogEntry) -> Option<&'static T> {
    let call = Call::parse(text).ok()?;
    all.iter().find(|one| entry(one).is_called(&call.name))
}

/// Whether a loss of this name lies between 0 and 1; one that nobody knows is taken to.
pub fn is_normalized(loss: &str) -> bool {
    named(loss, LOSSES, |one| &one.entry).is_none_or(|entry| entry.normalized)
}

/// Whether a problem of this name may suppress rows; one that nobody knows may.
pub fn suppresses(problem: &str) -> bool {
    named(problem, PROBLEMS, |one| &one.entry).is_none_or(|entry| entry.suppresses)
}

/// The form of l-diversity that `l` is in, with its name: the study's own, or that by frequency where its privacy models are
/// others.
pub fn diversity<'n>(models: impl IntoIterator<Item = &'n String>) -> (&'n str, Diversity) {
    let form = |name: &'n String| match named(name, PRIVACY, |one| &one.entry)?.letter {
        Letter::L(form) => Some((name.as_str(), form)),
        _ => None,
    };
    models.into_iter().find_map(form).unwrap_or((privacy::frequency_l::ENTRY.entry.name, Diversity::Frequency))
}
