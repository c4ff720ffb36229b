//! Passes over the rows of a table: all that reads, counts, profiles, recodes and recounts cells.
//!
//! file → blocks → batches → cells → codes → tallies → one sorted count
//!
//! Nothing here knows what a folder of a run is, or what a file beside a release holds; `folders` asks for passes, never the
//! other way round.

mod alike;
pub mod audit;
mod cell_texts;
pub(crate) mod cells;
mod coder;
mod columnar;
pub(crate) mod columns;
pub(crate) mod count;
mod counted_rows;
pub(crate) mod database;
mod dictionaries;
pub(crate) mod distant;
pub(crate) mod file;
mod first_rows;
mod format;
pub(crate) mod frame;
mod glob;
mod guard;
mod interner;
pub(crate) mod listing;
mod merge;
mod missing;
mod packed;
mod pairs;
mod pass;
mod profile;
mod profiled_column;
mod recent;
pub(crate) mod repeats;
mod sketch;
mod sorting;
pub(crate) mod table;
mod tally;
mod text;
mod tuple_numbers;
pub(crate) mod write;

pub use columns::read_columns;
pub use first_rows::first_rows;
pub use frame::{Frame, Origin};
pub use listing::table_files;
pub use profile::profile;
