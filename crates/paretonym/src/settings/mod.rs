//! The `[search]` section of a study: what is traded, and how the search goes about it.

mod parameters;
mod reading;
mod wanted;

pub use wanted::{WantedLevels, within};

pub use parameters::{ParameterValue, Parameters};

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::data::unusable_number;
use crate::error::{Error, Result};

/// The `[search]` section. Names refer to the catalogue.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchSettings {
    /// The formulation.
    pub problem: String,
    /// The largest share of rows that may be suppressed.
    pub eta: f64,
    /// Which cut-offs are outcomes.
    pub cutoffs: CutoffRule,
    /// The privacy model, or several where a problem takes several.
    pub privacy: OneOrMore,
    /// The loss metric.
    pub loss: String,
    /// The optimizer.
    pub optimizer: String,
    /// Levels that every group of a solution must reach, by privacy model: models where more is better.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub at_least: BTreeMap<String, f64>,
    /// Levels that no group of a solution may exceed, by privacy model: models where less is better.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub at_most: BTreeMap<String, f64>,
    /// Where chance comes from.
    pub seed: u64,
    /// The most recodings that may be evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluations: Option<u64>,
    /// Classification: true class, given class, cost.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<(String, String, f64)>,

    /// What the problem and the optimizer can be told beside, by the names that the catalogue lists: `population = 100` is
    /// the same as `optimizer = "nsga2(population=100)"`.
    #[serde(flatten)]
    pub parameters: Parameters,
}

impl Default for SearchSettings {
    fn default() -> Self {
        SearchSettings {
            problem: "max-suppression".into(),
            eta: 0.01,
            cutoffs: CutoffRule::All,
            privacy: OneOrMore::One("k".into()),
            loss: "general".into(),
            optimizer: "exhaustive".into(),
            at_least: WantedLevels::new(),
            at_most: WantedLevels::new(),
            seed: 1,
            evaluations: None,
            costs: Vec::new(),
            parameters: Parameters::default(),
        }
    }
}

impl SearchSettings {
    /// Sets a parameter of the problem or the optimizer.
    pub fn set(&mut self, name: &str, value: impl Into<ParameterValue>) {
        self.parameters.0.insert(name.to_owned(), value.into());
    }

    /// The same settings with a parameter of the problem or the optimizer set.
    pub fn with(mut self, name: &str, value: impl Into<ParameterValue>) -> Self {
        self.set(name, value);
        self
    }

    /// Whether a parameter is a field of the section, which options overrule and certificates tell.
    pub fn is_common(name: &str) -> bool {
        matches!(name, "eta" | "cutoffs")
    }

    /// What the section says of a parameter, as it would stand in brackets.
    pub fn parameter(&self, name: &str) -> Option<String> {
        match name {
            "eta" => Some(self.eta.to_string()),
            "cutoffs" => Some(self.cutoffs.name().to_owned()),
            _ => self.parameters.0.get(name).map(ParameterValue::to_string),
        }
    }

    /// Checks what can be checked without a table.
    pub fn validate(&self) -> Result<()> {
        if !(0.0..=1.0).contains(&self.eta) {
            return Err(Error::study(format!(
                "eta is the share of rows that may be suppressed, from 0 to 1; {} is outside (write 0.05 for 5 %)",
                self.eta
            )));
        }
        if let Some((_, _, cost)) =
            self.costs.iter().find(|(_, _, cost)| unusable_number(*cost).is_some() || *cost < 0.0)
        {
            return Err(Error::study(format!("a cost must be a number from 0 on, not {cost}")));
        }
        if self.evaluations == Some(0) {
            return Err(Error::study("evaluations must be at least 1"));
        }
        Ok(())
    }
}

/// Which cut-offs that fit the budget are outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CutoffRule {
    /// Every cut-off from none to the largest.
    #[default]
    All,
    /// The largest alone: the papers' rule, which always spends the budget.
    Budget,
}

impl CutoffRule {
    /// As it is written in a study.
    pub fn name(self) -> &'static str {
        match self {
            CutoffRule::All => "all",
            CutoffRule::Budget => "budget",
        }
    }
}

/// A name or a list of names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OneOrMore {
    /// One.
    One(String),
    /// Several.
    More(Vec<String>),
}

impl OneOrMore {
    /// As a list.
    pub fn list(&self) -> Vec<&str> {
        match self {
            OneOrMore::One(name) => vec![name],
            OneOrMore::More(names) => names.iter().map(String::as_str).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_comes_back_as_it_was_written() {
        let text = "problem = \"single\"\nat_least = { k = 5, \"recursive-l(c=3)\" = 2.5 }\neta = 0.05\nk = 5\nfaithful = true\ncrossover = 0.5\ncells = \"sets\"\n";
        let own: SearchSettings = toml::from_str(text).unwrap();
        assert_eq!(own.parameter("k").as_deref(), Some("5"));
        assert_eq!(own.parameter("eta").as_deref(), Some("0.05"));
        assert_eq!(own.parameter("depth"), None);
        let again: SearchSettings = toml::from_str(&toml::to_string(&own).unwrap()).unwrap();
        assert_eq!(again, own);
        let at_least = WantedLevels::from([("k".to_owned(), 5.0), ("recursive-l(c=3)".to_owned(), 2.5)]);
        let set = SearchSettings { problem: "single".into(), eta: 0.05, at_least, ..SearchSettings::default() };
        assert_eq!(set.with("k", 5).with("faithful", true).with("crossover", 0.5).with("cells", "sets"), own);
    }

    #[test]
    fn a_wrong_value_is_told_with_its_line() {
        let error = toml::from_str::<SearchSettings>("seed = 1\neta = \"much\"\n").unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
    }
}
