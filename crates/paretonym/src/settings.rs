//! The `[search]` section of a study: what is traded, and how the search goes about it.

use serde::{Deserialize, Serialize};

use crate::data::unusable_number;
use crate::error::{Error, Result};

/// The `[search]` section. Names refer to the catalogue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
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
    /// Where chance comes from.
    pub seed: u64,
    /// The most recodings that may be evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluations: Option<u64>,
    /// Classification: true class, given class, cost.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub costs: Vec<(String, String, f64)>,

    /// single: the k that must hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<u64>,
    /// kl-safety: joint or ordered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<String>,
    /// kl-safety, ordered: k or l first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefer: Option<String>,
    /// preference: the k wished for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k_pref: Option<f64>,
    /// preference: the weighted loss wished for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nwp_pref: Option<f64>,
    /// preference: the spread of group sizes wished for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub necd_pref: Option<f64>,

    /// poka: how deep below a node to look.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Genetic search: members of the population.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub population: Option<usize>,
    /// Genetic search: generations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generations: Option<u64>,
    /// Genetic search: share of parents that are crossed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crossover: Option<f64>,
    /// Genetic search: rate of mutation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mutation: Option<f64>,
    /// Runs an algorithm exactly as its paper has it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub faithful: bool,
    /// regions: a categorical cell shows its set of values (sets) or a taxonomy node (nodes).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<String>,
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
            seed: 1,
            evaluations: None,
            costs: Vec::new(),
            k: None,
            form: None,
            prefer: None,
            k_pref: None,
            nwp_pref: None,
            necd_pref: None,
            depth: None,
            population: None,
            generations: None,
            crossover: None,
            mutation: None,
            faithful: false,
            cells: None,
        }
    }
}

impl SearchSettings {
    /// Checks what can be checked without a table.
    pub fn validate(&self) -> Result<()> {
        if !(0.0..=1.0).contains(&self.eta) {
            return Err(Error::study(format!(
                "eta is the share of rows that may be suppressed, from 0 to 1; {} is outside (write 0.05 for 5 %)",
                self.eta
            )));
        }
        let shares = [("crossover", self.crossover), ("mutation", self.mutation)];
        for (name, share) in shares.into_iter().filter_map(|(name, share)| Some((name, share?))) {
            if !(0.0..=1.0).contains(&share) {
                return Err(Error::study(format!("{name} is a share from 0 to 1, not {share}")));
            }
        }
        let wishes =
            [("k_pref", self.k_pref, 1.0), ("nwp_pref", self.nwp_pref, 0.0), ("necd_pref", self.necd_pref, 0.0)];
        for (name, wish, least) in wishes.into_iter().filter_map(|(name, wish, least)| Some((name, wish?, least))) {
            if unusable_number(wish).is_some() || wish < least {
                return Err(Error::study(format!("{name} must be a number from {least} on, not {wish}")));
            }
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
