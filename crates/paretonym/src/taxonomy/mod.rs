//! Trees over the values of a column: reading them, generating them, guessing them.

mod hierarchy;

pub use hierarchy::{Hierarchy, Level, Node};
