//! What the profile of a column says once the cells that mean "missing" are set apart.

use super::signs::is_sign;
use crate::data::{ColumnProfile, DATE_FORMATS, DateFormat, Decimal};

/// A column without its missing cells.
pub(super) struct Facts<'a> {
    pub profile: &'a ColumnProfile,
    /// Missing cells, those with a sign for "missing" included.
    pub missing: u64,
    /// Cells that hold something.
    pub cells: u64,
    /// Distinct values; estimated where the profile does not hold them all.
    pub distinct: u64,
    /// The share of the cells whose value occurs once; estimated where the profile does not hold them all.
    pub once: f64,
    /// The shortest value in characters.
    pub shortest: usize,
    /// The longest value in characters.
    pub longest: usize,
    tokens: &'a [String],
}

impl<'a> Facts<'a> {
    pub fn of(profile: &'a ColumnProfile, tokens: &'a [String]) -> Self {
        let (absent, present): (Vec<_>, Vec<_>) = profile.values.iter().partition(|(value, _)| is_sign(tokens, value));
        let rows = |values: &[&(String, u64)]| values.iter().fold(0u64, |sum, (_, rows)| sum.saturating_add(*rows));
        let missing = profile.missing.saturating_add(rows(&absent)).min(profile.rows);
        let cells = profile.rows - missing;
        let covered = rows(&present);
        let distinct = match profile.more_values {
            // As many more values as the cells that the profile's values do not cover would have at the same rate.
            true if covered > 0 => {
                (present.len() as f64 * (cells as f64 / covered as f64).max(1.0)).min(cells as f64) as u64
            }
            _ => present.len() as u64,
        };
        let once = present.iter().filter(|(_, rows)| *rows == 1).count();
        let lengths = || present.iter().map(|(value, _)| value.chars().count());
        Facts {
            profile,
            missing,
            cells,
            distinct,
            once: once as f64 / covered.max(1) as f64,
            shortest: lengths().min().unwrap_or(0),
            longest: lengths().max().unwrap_or(0),
            tokens,
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

    /// How the dates are written, where every value is one.
    pub fn date_format(&self) -> Option<DateFormat> {
        self.fitting_format(self.cells)
    }

    /// Another way to read the same dates, where day and month cannot be told apart.
    pub fn other_format(&self) -> Option<DateFormat> {
        let twin = self.date_format()?.twin()?;
        let at = DATE_FORMATS.iter().position(|format| *format == twin)?;
        (self.profile.dates[at] >= self.cells).then_some(twin)
    }

    fn fitting_format(&self, cells: u64) -> Option<DateFormat> {
        let fits = |at: &usize| cells > 0 && self.profile.dates[*at] >= cells;
        (0..DATE_FORMATS.len()).find(fits).map(|at| DATE_FORMATS[at])
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
        if self.cells < 5 || (self.distinct as f64) < 0.95 * self.cells as f64 || self.date_format().is_some() {
            return false;
        }
        let counted = self.profile.max - self.profile.min + 1.0 == self.distinct as f64;
        !self.is_numeric() || (self.is_whole() && (self.cells >= 100 || counted))
    }

    /// Whether most values are several words: remarks, not names of anything.
    pub fn is_prose(&self) -> bool {
        let present = || self.profile.values.iter().filter(|(value, _)| !is_sign(self.tokens, value));
        let words = present().filter(|(value, _)| value.split_whitespace().nth(1).is_some()).count();
        self.date_format().is_none() && 2 * words > present().count()
    }

    /// Why the values cannot be recoded as they are: mostly numbers or dates, long texts, or just too many names.
    pub fn obstacle(&self) -> String {
        let mostly = self.cells / 2 + 1;
        if let Some(format) = self.fitting_format(mostly) {
            return self.mixed(&format!("dates like {format}"), |text| format.read(text).is_some());
        }
        if self.profile.numbers >= mostly {
            return self.mixed("numbers", |text| Decimal::Point.read(text).or(Decimal::Comma.read(text)).is_some());
        }
        if self.profile.comma_numbers >= mostly {
            return "most of its cells have a comma, which is no decimal sign elsewhere in the file; write its numbers like \
                    the others"
                .to_owned();
        }
        if self.longest > 60 {
            return format!("texts of up to {} characters", self.longest);
        }
        format!("{} different values are too many to recode without a taxonomy", self.distinct)
    }

    fn mixed(&self, what: &str, fits: impl Fn(&str) -> bool) -> String {
        let odd = self.profile.values.iter().find(|(value, _)| !is_sign(self.tokens, value) && !fits(value));
        // Quoted as Rust does, so that it stays on one line.
        let example = odd.map_or(String::new(), |(value, _)| format!(", such as {value:?}"));
        format!("most of its cells are {what}, but not all{example}")
    }
}
