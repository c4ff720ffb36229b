//! Fronts as other programs see them: the contents of front.json.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Objective, Solution};
use crate::error::{Error, Result};

/// The value of `format` in front.json.
pub const FORMAT: &str = "paretonym-front/1";

/// Everything that front.json holds.
///
/// It is read and written as JSON:
///
/// ```
/// use paretonym::engine::{Memory, Unwatched};
/// use paretonym::front::FrontFile;
/// use paretonym::study::{Study, run};
///
/// let study = r#"
///     data = { path = "memory" }
///     columns = [{ name = "age", role = "quasi", widths = [10] }]
/// "#;
/// let people = Memory::new(["age"], [["31"], ["34"], ["35"], ["42"], ["48"]]);
/// let front = run(&Study::from_toml(study, "study")?, &people, &Unwatched)?.front;
///
/// let text = serde_json::to_string(&front)?;
/// assert!(text.starts_with(r#"{"format":"paretonym-front/1","problem":"max-suppression""#));
/// let read: FrontFile = serde_json::from_str(&text)?;
/// assert_eq!(read, front);
/// assert_eq!(read.solutions.iter().map(|solution| solution.k).collect::<Vec<_>>(), [5, 2, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// Levels that every solution has at least, by privacy model: those below were not looked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub at_least: BTreeMap<String, f64>,
    /// Levels that every solution has at most, by privacy model.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub at_most: BTreeMap<String, f64>,
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
    /// What travelled from the database, where the table is in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved: Option<Moved>,
    /// What the user should know about how it was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// In what ways a release would tell more than its k says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What is maximised and minimised.
    pub objectives: Vec<Objective>,
    /// The solutions, best first objective first.
    pub solutions: Vec<Solution>,
}

/// What travelled from a database to find a front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// Rows of answers: groups, values and figures, each counted once however many rows of the table it stands for.
    pub rows: u64,
    /// The bytes that they take in memory.
    pub bytes: u64,
}

/// How a note about solutions that were not measured begins.
const NOT_MEASURED: &str = "Stopped before";

impl FrontFile {
    /// The solution of a number.
    pub fn solution(&self, id: u32) -> Result<&Solution> {
        self.solutions.iter().find(|one| one.id == id).ok_or_else(|| {
            Error::study(format!("the front has no solution {id}; it has solutions 1 to {}", self.solutions.len()))
        })
    }

    /// Notes how many solutions were not measured, in place of what was noted before.
    pub fn note_undescribed(&mut self) {
        self.notes.retain(|note| !(note.starts_with(NOT_MEASURED) && note.contains("were measured")));
        let left = self.solutions.iter().filter(|solution| !solution.described).count();
        if left > 0 {
            self.notes.push(format!(
                "{NOT_MEASURED} {left} of {} solutions were measured: what the objectives do not tell of them is not known; `paretonym explore --resume` measures them, and a release its own.",
                self.solutions.len()
            ));
        }
    }
}
