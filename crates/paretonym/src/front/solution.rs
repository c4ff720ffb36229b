//! Fronts as other programs see them: the contents of front.json.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Cutoff, Objective};

/// The value of `format` in front.json.
pub const FORMAT: &str = "paretonym-front/1";

/// One solution of a front. All numbers are of what is kept, unless they say otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solution {
    /// Its number in the front, from 1.
    pub id: u32,
    /// The values of the objectives, in their order.
    pub objectives: Vec<f64>,
    /// Size of the smallest group.
    pub k: u64,
    /// The study's loss.
    pub loss: f64,
    /// General loss of the kept rows.
    pub gl: f64,
    /// Share of suppressed rows.
    pub sl: f64,
    /// Mean over rows of the size of their group, before suppression.
    pub weighted_k: f64,
    /// The least l over the sensitive columns; none where there is no such column.
    pub l: Option<f64>,
    /// The largest t over the sensitive columns.
    pub t: Option<f64>,
    /// The levels in the study's privacy models.
    pub privacy: Vec<f64>,
    /// Spread of group sizes (S1).
    pub necd: f64,
    /// Suppressed rows.
    pub suppressed: u64,
    /// Groups.
    pub groups: u64,
    /// A proven lower bound of the loss at this privacy, where the search was stopped before the front was proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_bound: Option<f64>,
    /// Other recodings that reach the same objectives.
    pub alternatives: u64,
    /// Which groups are suppressed.
    pub cutoff: Cutoff,
    /// What each column shows.
    pub recoding: Map<String, Value>,
}

/// Everything that front.json holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrontFile {
    /// [`FORMAT`].
    pub format: String,
    /// The problem's name.
    pub problem: String,
    /// The optimizer's name.
    pub optimizer: String,
    /// The names of the privacy models.
    pub privacy: Vec<String>,
    /// The loss's name.
    pub loss: String,
    /// The largest share of rows that may be suppressed, where the problem has one.
    pub eta: Option<f64>,
    /// The rule of cut-offs, where the problem has one.
    pub cutoffs: Option<String>,
    /// Rows of the table, without those dropped for missing values.
    pub rows: u64,
    /// Rows dropped for missing values.
    pub dropped: u64,
    /// Distinct quasi tuples.
    pub distinct: u64,
    /// Recodings evaluated.
    pub evaluated: u64,
    /// Candidate recodings; none past 2^63.
    pub space: Option<u64>,
    /// Whether the front is proven to be the whole Pareto front.
    pub exact: bool,
    /// False after an interruption or a spent budget.
    pub complete: bool,
    /// The seed of the run.
    pub seed: u64,
    /// Wall-clock time.
    pub seconds: f64,
    /// What the user should know about how it was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What is maximised and minimised.
    pub objectives: Vec<Objective>,
    /// The solutions, best first objective first.
    pub solutions: Vec<Solution>,
}
