//! Which direction is better.

use serde::{Deserialize, Serialize};

/// Which direction is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sense {
    /// More is better.
    Max,
    /// Less is better.
    Min,
}

impl Sense {
    /// The value as a cost: less is better.
    pub fn cost(self, value: f64) -> f64 {
        match self {
            Sense::Max => -value,
            Sense::Min => value,
        }
    }
}
