//! What the catalogue says of a measure, a problem or an optimizer.

use super::{Behaviour, Call, Letter, Loss, Privacy, Sense, Takes};
use crate::error::Result;
use crate::group::FrequencyTable;
use crate::settings::SearchSettings;

/// A line of the catalogue. The program's help, the reference page and the law tests read it.
#[derive(Clone, Copy, Debug)]
pub struct CatalogEntry {
    /// As it is written in a study.
    pub name: &'static str,
    /// Other spellings that are understood.
    pub aliases: &'static [&'static str],
    /// One line.
    pub summary: &'static str,
    /// What can be set, in brackets behind the name or in the study's `[search]` section.
    pub parameters: &'static [Parameter],
    /// Where it comes from.
    pub reference: &'static str,
}

impl CatalogEntry {
    /// Whether it goes by this name.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }
}

/// Something that can be set.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it is where nothing is said.
    pub default: &'static str,
    /// What it may be set to.
    pub takes: Takes,
    /// One line.
    pub summary: &'static str,
}

/// A privacy model in the catalogue.
pub struct PrivacyEntry {
    /// What is said of it.
    pub entry: CatalogEntry,
    /// How it behaves under generalization.
    pub behaviour: Behaviour,
    /// The letter that people know its level by.
    pub letter: Letter,
    /// Which direction is better.
    pub sense: Sense,
    /// Whether it needs a sensitive column.
    pub sensitive: bool,
    /// Makes it for a table.
    pub make: fn(&FrequencyTable, &Call) -> Result<Box<dyn Privacy>>,
}

/// A loss in the catalogue.
pub struct LossEntry {
    /// What is said of it.
    pub entry: CatalogEntry,
    /// Whether its unsuppressed value is monotone and bounds it from below (in its plain form).
    pub bounded_below: bool,
    /// Whether it lies between 0 and 1.
    pub normalized: bool,
    /// Makes it for a table.
    pub make: fn(&FrequencyTable, &Call, &SearchSettings) -> Result<Box<dyn Loss>>,
}
