//! What a look at a table without a study tells about its columns.

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
    /// Cells that are dates written `YYYY-MM-DD`.
    pub dates: u64,
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
}
