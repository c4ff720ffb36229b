//! The catalogue as a list, and for other programs.

use serde_json::{Value, json};

use super::{COMPARATORS, LOSSES, OPTIMIZERS, PRIVACY, PROBLEMS, SET_COMPARATORS};
use crate::measure::CatalogEntry;
use crate::privacy;

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

pub(super) fn entry_json(section: &str, entry: &CatalogEntry, property: &str) -> Value {
    let parameters: Vec<Value> = entry
        .parameters
        .iter()
        .map(|one| json!({ "name": one.name, "default": one.default, "choices": one.takes.choices(), "summary": one.summary }))
        .collect();
    let mut value = json!({
        "section": section, "name": entry.name, "aliases": entry.aliases, "summary": entry.summary,
        "property": property, "parameters": parameters, "reference": entry.reference,
    });
    if let Some(problem) = PROBLEMS.iter().find(|one| section == "problem" && one.entry.name == entry.name) {
        value["models"] = json!((problem.models)(vec![privacy::k::ENTRY.entry.name]));
    }
    value
}
