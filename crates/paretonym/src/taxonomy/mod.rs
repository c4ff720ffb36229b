//! Trees over the values of a column: reading them, generating them, guessing them.

mod dates;
mod groups;
mod guess;
mod hierarchy;
mod leaf_lines;
mod nested;
mod prefix;
mod quantiles;
mod widths;

pub use dates::{date_levels, months_level};
pub use groups::{doubling, from_groups};
pub use guess::guess_widths;
pub use hierarchy::{Hierarchy, Level, Node};
pub use leaf_lines::parse_leaf_lines;
pub use nested::from_nested;
pub use prefix::prefix_masking;
pub use quantiles::equal_frequency_edges;
pub use widths::from_widths;

/// A taxonomy with more levels than this is taken for a mistake: it would only cost memory.
pub(crate) const MAX_LEVELS: usize = 128;
