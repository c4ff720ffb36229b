//! What is too much to be meant: past these limits an input gets a sentence instead of all the memory there is.

use super::format_number;

/// The largest magnitude of a number in a column. Sums of squares over any table stay finite below it.
pub const LARGEST_NUMBER: f64 = 1e100;

/// The most bins that a range or `bins` may cut a column into.
pub const MOST_BINS: usize = 100_000;

/// The most bins of a column whose recodings name every one of them, as breaks and cuts do.
pub const MOST_NAMED_BINS: usize = 20_000;

/// The most values that a study, or a taxonomy, may name for one column.
pub const MOST_LEAVES: usize = 1_000_000;

/// The most sets that all levels of one hierarchy may have together.
pub const MOST_SETS: usize = 20_000_000;

/// Why a number cannot be used; none for one that can. A study in TOML may say `nan` and `inf`, and they pass every
/// comparison that is written the wrong way round.
pub fn unusable_number(value: f64) -> Option<String> {
    if !value.is_finite() {
        return Some(format!("{value} is not a number that can be counted with"));
    }
    (value.abs() > LARGEST_NUMBER).then(|| {
        format!("{} is too large: numbers may go up to {}", format_number(value), format_number(LARGEST_NUMBER))
    })
}
