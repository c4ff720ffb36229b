//! What a look at a table without a study tells about its columns.

use super::{DATE_FORMATS, Decimal};

/// At most this many distinct values of a column are remembered by a profile.
pub const PROFILE_VALUES: usize = 10_000;

/// One column, looked at cell by cell. Counts are of cells after trimming.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnProfile {
    /// Its name.
    pub name: String,
    /// All cells.
    pub rows: u64,
    /// Cells that mean "missing": nulls, empty cells and the source's `missing` values.
    pub missing: u64,
    /// Cells that are finite numbers.
    pub numbers: u64,
    /// Cells that are whole numbers written with digits only (and a sign).
    pub integers: u64,
    /// Cells that would be finite numbers if commas were decimal, and are none as numbers are read here.
    pub comma_numbers: u64,
    /// Those of them in which commas stand between groups of three digits, as they do between thousands.
    pub comma_groups: u64,
    /// Cells that are numbers with a decimal point, which would be none if commas were decimal.
    pub point_numbers: u64,
    /// Cells that are dates, by format.
    pub dates: [u64; DATE_FORMATS.len()],
    /// Whether some date has a time.
    pub times: bool,
    /// The smallest number, NaN where there is none.
    pub min: f64,
    /// The largest number, NaN where there is none.
    pub max: f64,
    /// The shortest cell in characters.
    pub shortest: usize,
    /// The longest cell in characters.
    pub longest: usize,
    /// Whether a whole number starts with a 0 that a number would not have, as codes do ("01234").
    pub leading_zeros: bool,
    /// The distinct values that are not missing, with their counts, sorted by text; the first [`PROFILE_VALUES`] that
    /// were met where there are more.
    pub values: Vec<(String, u64)>,
    /// Whether there are more distinct values than `values` holds.
    pub more_values: bool,
}

/// A whole table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TableProfile {
    /// Its rows.
    pub rows: u64,
    /// Its columns in order.
    pub columns: Vec<ColumnProfile>,
    /// The separator that was found, for text tables.
    pub delimiter: Option<char>,
    /// Whether the first line holds the names.
    pub header: bool,
    /// How numbers are written.
    pub decimal: Decimal,
}

/// How often the values of a column repeat. Large numbers are estimates, good to about one in a hundred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Repeats {
    /// Cells that are not missing.
    pub cells: u64,
    /// Distinct values.
    pub distinct: u64,
    /// Values that occur once.
    pub once: u64,
}

/// What people write into a cell that has no value, in lower case. Only those that stand among numbers, dates or codes, or
/// that mean nothing else, are taken for "missing".
pub(crate) const CERTAIN_SIGNS: &[&str] =
    &["?", "na", "n/a", "#n/a", "nan", "null", "(null)", "#null!", "\\n", ".", "..", "...", "-", "--", "---"];
/// Words for it that are rarely anything else.
pub(crate) const LIKELY_SIGNS: &[&str] =
    &["unknown", "missing", "n.a.", "k.a.", "nil", "not available", "not known", "unbekannt", "inconnu", "#value!"];
/// Words that are often values of their own: no disease is something else than no answer.
pub(crate) const DOUBTFUL_SIGNS: &[&str] = &["none"];

/// Whether a trimmed cell is something that people write for "missing".
pub fn is_missing_sign(text: &str) -> bool {
    let all = || CERTAIN_SIGNS.iter().chain(LIKELY_SIGNS).chain(DOUBTFUL_SIGNS);
    // The longest sign has fourteen characters: most cells are told apart by their length.
    text.len() <= 14 && all().any(|sign| sign.eq_ignore_ascii_case(text))
}
