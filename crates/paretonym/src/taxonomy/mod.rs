//! Trees over the values of a column: reading them, generating them, guessing them.

mod hierarchy;
mod leaf_lines;
mod nested;

pub use hierarchy::{Hierarchy, Level, Node};
pub use leaf_lines::parse_leaf_lines;
pub use nested::from_nested;

/// A taxonomy with more levels than this is taken for a mistake: it would only cost memory.
const MAX_LEVELS: usize = 128;
