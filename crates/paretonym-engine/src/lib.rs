//! The only code that touches rows: reads a table in one streaming pass and counts its distinct tuples, profiles a
//! table that nobody has described yet, and writes files so that a half-written one is never seen.
//!
//! file → blocks → batches → cells → codes → tallies → one sorted count
//!
//! Memory grows with the number of distinct values and tuples, never with the number of rows, and no result depends
//! on the number of threads.
//!
//! [`Embedded`] is the engine that a study of files runs with, [`profile`](profile()) looks at a table without a study, and
//! [`folder`], [`release`], [`audit`] and [`compare`] are what the commands and the page do with files:
//!
//! ```
//! use paretonym::data::Source;
//! use paretonym::draft::draft;
//! use paretonym::engine::Unwatched;
//! use paretonym::study::{Study, run};
//! use paretonym_engine::{Embedded, profile};
//!
//! let folder = std::env::temp_dir().join(format!("paretonym-example-{}", std::process::id()));
//! std::fs::create_dir_all(&folder)?;
//! let path = folder.join("people.csv");
//! std::fs::write(&path, "age,sex\n31,f\n34,m\n35,f\n42,m\n48,f\n47,f\n")?;
//!
//! // What `paretonym init` and `paretonym explore` do.
//! let source = Source::at(&path);
//! let study = Study::from_toml(&draft(&source, &profile(&source, &Unwatched)?), "the draft")?;
//! let found = run(&study, &Embedded, &Unwatched)?;
//! assert_eq!(found.front.rows, 6);
//! assert!(found.front.solutions[0].k >= 2);
//! std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod audit;
mod cells;
pub mod census;
mod coder;
mod columnar;
pub mod compare;
mod count;
mod file;
pub mod folder;
mod guard;
mod interner;
mod merge;
pub mod outputs;
mod packed;
mod pairs;
mod pass;
mod profile;
pub mod recoded;
pub mod release;
mod repeats;
mod rows;
mod scratch;
mod table;
mod tally;
mod text;
mod write;

use std::path::Path;

use paretonym::data::{CountRequest, Counted, Repeats, Source};
use paretonym::engine::{Engine, Watch};
use paretonym::error::Result;

pub use profile::profile;
pub use rows::{first_rows, read_columns};
pub use scratch::remove_scratch;
pub use write::{private_folder, write_atomically, write_output};

/// The engine that works inside this process, on files of this machine, with the threads of the current rayon pool.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Engine for Embedded {
    fn read_text(&self, path: &Path) -> Result<String> {
        file::read_text(path)
    }

    fn columns(&self, source: &Source) -> Result<Vec<String>> {
        Ok(table::Table::open(source)?.into_names())
    }

    fn count(&self, source: &Source, request: &CountRequest, watch: &dyn Watch) -> Result<Counted> {
        count::count(source, request, watch)
    }

    fn repeats(&self, source: &Source, columns: &[String], watch: &dyn Watch) -> Result<Vec<Option<Repeats>>> {
        repeats::repeats(source, columns, watch)
    }
}
