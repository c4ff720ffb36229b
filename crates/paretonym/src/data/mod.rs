//! What a table is to the rest of the library: where it comes from, what its columns are for, which values they may
//! take, and what one counting pass over its rows found. Nothing here touches a row or a file.

mod counted;
mod domain;
mod limits;
mod profile;
mod source;

pub use counted::{AttributeCount, ColumnRequest, CountRequest, Counted, Dictionary, Encoding, MISSING, Part};
pub use domain::{Domain, Kind, Within, interval_label};
pub use limits::{LARGEST_NUMBER, MOST_BINS, MOST_LEAVES, MOST_NAMED_BINS, MOST_SETS, unusable_number};
pub use profile::{ColumnProfile, PROFILE_VALUES, TableProfile};
pub use source::{OnMissing, OtherColumns, Role, Source};

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
