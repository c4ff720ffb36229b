//! Passes over the rows of a table: all that reads, counts, profiles, recodes and recounts cells.
//!
//! file → blocks → batches → cells → codes → tallies → one sorted count
//!
//! Nothing here knows what a folder of a run is, or what a file beside a release holds; `folders` asks for passes, never the
//! other way round.

pub mod audit;
pub(crate) mod cells;
mod coder;
mod columnar;
pub(crate) mod columns;
pub(crate) mod count;
pub(crate) mod file;
mod guard;
mod interner;
mod merge;
mod missing;
mod packed;
mod pairs;
mod pass;
mod profile;
pub(crate) mod repeats;
pub(crate) mod table;
mod tally;
mod text;
pub(crate) mod write;

pub use columns::{first_rows, read_columns};
pub use profile::profile;
