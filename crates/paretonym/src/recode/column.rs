//! A quasi column: its domain, its tree, and how it may be recoded.

use serde::{Deserialize, Serialize};

use crate::data::Domain;
use crate::taxonomy::Hierarchy;

/// Which partitions of the leaves a recoding may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Every leaf goes up to the same level.
    #[default]
    Levels,
    /// A set of tree nodes with exactly one on each leaf-to-root path.
    Cuts,
    /// Any runs of neighbouring leaves.
    Breaks,
}

impl Family {
    /// As it is written in a study.
    pub fn name(self) -> &'static str {
        match self {
            Family::Levels => "levels",
            Family::Cuts => "cuts",
            Family::Breaks => "breaks",
        }
    }
}

/// A column that a recoding may generalize.
#[derive(Clone, Debug, PartialEq)]
pub struct QuasiColumn {
    /// Its name in the table.
    pub name: String,
    /// Its ordered leaves.
    pub domain: Domain,
    /// The tree over them; flat where none was declared.
    pub hierarchy: Hierarchy,
    /// How it may be recoded.
    pub family: Family,
    /// Its share of the weighted loss; the weights of all quasi columns sum to 1.
    pub weight: f64,
}
