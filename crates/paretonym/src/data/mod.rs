//! What a table is to the rest of the library: where it comes from, what its columns are for, which values they may
//! take, and what one counting pass over its rows found. Nothing here touches a row or a file.

mod counted;
mod date;
mod decimal;
mod distribution;
mod domain;
mod limits;
mod narrow;
mod offsets;
mod profile;
mod sorting;
mod source;

pub use counted::{ColumnRequest, CountRequest, Counted, Dictionary, Encoding, MISSING, Part, TuplePart};
pub use date::{DATE_FORMATS, Date, DateFormat, date_formats_of};
pub use decimal::Decimal;
pub use distribution::{AttributeCount, Distribution, ValueCounts};
pub use domain::{Domain, Kind, Within, interval_label};
pub use limits::{LARGEST_NUMBER, MOST_BINS, MOST_LEAVES, MOST_NAMED_BINS, MOST_SETS, unusable_number};
pub use narrow::Narrow;
pub use offsets::Offsets;
pub(crate) use profile::{CERTAIN_SIGNS, DOUBTFUL_SIGNS, LIKELY_SIGNS};
pub use profile::{ColumnProfile, PROFILE_VALUES, Repeats, TableProfile, is_missing_sign};
pub use sorting::sorted_order;
pub use source::{CONNECTIONS, COUNTS, CellRule, GROUPS_AT_MOST, OnMissing, OtherColumns, Role, Source};

/// 32561 → 32,561.
pub fn grouped_digits(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number as people write it: no trailing ".0", no exponent for everyday magnitudes.
pub fn format_number(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if value.abs() >= 1e15 || value.abs() < 1e-6 {
        return format!("{value:e}");
    }
    format!("{value}")
}
