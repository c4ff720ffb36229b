//! What the profile of a column says once the cells that mean "missing" are set apart.

use crate::data::{ColumnProfile, TableProfile};

/// Cells that people write for "missing".
const TOKENS: &[&str] = &["?", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "null", "NULL", "-"];

/// Which of the usual signs for "missing" occur in some column. Where a column also holds `+`, `-` is a value.
pub(super) fn missing_tokens(profile: &TableProfile) -> Vec<&'static str> {
    let occurs =
        |token: &str| profile.columns.iter().any(|column| column.values.iter().any(|(value, _)| value == token));
    TOKENS.iter().copied().filter(|token| occurs(token) && !(*token == "-" && occurs("+"))).collect()
}

/// A column without its missing cells.
pub(super) struct Facts<'a> {
    pub profile: &'a ColumnProfile,
    /// Missing cells, those with a sign for "missing" included.
    pub missing: u64,
    /// Cells that hold something.
    pub cells: u64,
    /// Distinct values; estimated where the profile does not hold them all.
    pub distinct: u64,
    /// The shortest value in characters.
    pub shortest: usize,
    /// The longest value in characters.
    pub longest: usize,
}

impl<'a> Facts<'a> {
    pub fn of(profile: &'a ColumnProfile, tokens: &[&str]) -> Self {
        let (absent, present): (Vec<_>, Vec<_>) =
            profile.values.iter().partition(|(value, _)| tokens.contains(&value.as_str()));
        let rows = |values: &[&(String, u64)]| values.iter().fold(0u64, |sum, (_, rows)| sum.saturating_add(*rows));
        let missing = profile.missing.saturating_add(rows(&absent)).min(profile.rows);
        let cells = profile.rows - missing;
        let distinct = match (profile.more_values, rows(&present)) {
            // As many more values as the cells that the profile's values do not cover would have at the same rate.
            (true, covered) if covered > 0 => {
                (present.len() as f64 * (cells as f64 / covered as f64).max(1.0)).min(cells as f64) as u64
            }
            _ => present.len() as u64,
        };
        let lengths = || present.iter().map(|(value, _)| value.chars().count());
        Facts {
            profile,
            missing,
            cells,
            distinct,
            shortest: lengths().min().unwrap_or(0),
            longest: lengths().max().unwrap_or(0),
        }
    }

    /// Whether every value is a number.
    pub fn is_numeric(&self) -> bool {
        self.cells > 0 && self.profile.numbers >= self.cells && self.profile.min <= self.profile.max
    }

    /// Whether every value is a whole number.
    pub fn is_whole(&self) -> bool {
        self.is_numeric() && self.profile.integers >= self.cells
    }

    /// Whether every value is a date.
    pub fn is_date(&self) -> bool {
        self.cells > 0 && self.profile.dates >= self.cells
    }

    /// Whether the values are digits that stand for something else than a quantity: all equally long, or with zeros in
    /// front. Years are not codes.
    pub fn is_code(&self) -> bool {
        let year = self.longest == 4 && self.profile.min >= 1800.0 && self.profile.max <= 2100.0;
        let long = self.shortest == self.longest && self.longest >= 4 && !year && self.profile.min >= 0.0;
        self.is_whole() && (self.profile.leading_zeros || long) && self.longest <= 20
    }

    /// Whether (nearly) every row has a value of its own and that can be no accident, as it can be for measured
    /// numbers, for dates and in small tables.
    pub fn is_key(&self) -> bool {
        if self.cells < 5 || (self.distinct as f64) < 0.95 * self.cells as f64 || self.is_date() {
            return false;
        }
        let counted = self.profile.max - self.profile.min + 1.0 == self.distinct as f64;
        !self.is_numeric() || (self.is_whole() && (self.cells >= 100 || counted))
    }
}
