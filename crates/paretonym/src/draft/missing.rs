//! What missing values would cost, and the choice that loses least.

use super::column::ColumnDraft;
use super::facts::Facts;
use crate::data::{OnMissing, Role};

/// A larger share of the rows is not given up for missing values without a word from the user.
const BEARABLE: f64 = 0.01;

/// Rows with a missing value in a column that the study uses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Incomplete {
    /// There are at least so many.
    pub least: u64,
    /// There are at most so many: exactly as many where one column has them all.
    pub most: u64,
    /// All rows.
    pub rows: u64,
    /// What the draft does with them.
    pub choice: OnMissing,
}

impl Incomplete {
    /// How many rows it is about, in words.
    pub fn words(&self) -> String {
        let percent = |rows: u64| format!("{:.2} %", rows as f64 / self.rows.max(1) as f64 * 100.0);
        match self.most {
            0 => "no row has a missing value in a column that is used".to_owned(),
            most if most == self.least => {
                format!("{most} of {} rows ({}) have a missing value", self.rows, percent(most))
            }
            most => format!(
                "{} to {most} of {} rows ({} to {}) have a missing value",
                self.least,
                self.rows,
                percent(self.least),
                percent(most)
            ),
        }
    }
}

/// None where nothing at all is missing. A user who said what happens to missing values is heeded.
pub(super) fn incomplete(said: OnMissing, facts: &[Facts], columns: &[ColumnDraft]) -> Option<Incomplete> {
    if facts.iter().all(|facts| facts.missing == 0) {
        return None;
    }
    let used = |column: &ColumnDraft| matches!(column.role, Role::Quasi | Role::Sensitive);
    let missing = || facts.iter().zip(columns).filter(|(_, column)| used(column)).map(|(facts, _)| facts.missing);
    let rows = facts.iter().map(|facts| facts.profile.rows).max().unwrap_or(0);
    let most = missing().fold(0u64, u64::saturating_add).min(rows);
    let many = most as f64 > BEARABLE * rows as f64;
    let choice = if said == OnMissing::DropRow && many { OnMissing::Value } else { said };
    Some(Incomplete { least: missing().max().unwrap_or(0), most, rows, choice })
}
