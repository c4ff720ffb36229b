//! The only code that touches rows: reads a table in one streaming pass and counts its distinct tuples, profiles a
//! table that nobody has described yet, and writes files so that a half-written one is never seen.
//!
//! Two rooms: `rows` holds the passes over the rows of a table, `folders` the service over the folders of runs and
//! releases, which asks for passes. Nothing in `rows` knows `folders`.
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

// What is to be told goes through results and `Watch`; only the program prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

// The people of `paretonym demo`, who are neither read nor kept: a room of their own.
pub mod census;
mod folders;
mod hex;
mod rows;

use std::path::Path;

use paretonym::data::{CountRequest, Counted, Repeats, Source};
use paretonym::engine::{Distant, DistantRequest, Engine, Watch};
use paretonym::error::Result;

pub use folders::{compare, folder, outputs, queries, release};
pub use folders::{private_folder, remove_scratch, write_atomically, write_output};
pub use paretonym_sql::use_connections;
pub use rows::{Frame, Origin, audit, first_rows, profile, read_columns, table_files};

/// The engine that works inside this process, on files of this machine, with the threads of the current rayon pool.
#[derive(Clone, Copy, Debug, Default)]
pub struct Embedded;

impl Engine for Embedded {
    fn read_text(&self, path: &Path) -> Result<String> {
        rows::file::read_text(path)
    }

    fn columns(&self, source: &Source) -> Result<Vec<String>> {
        Ok(rows::table::Table::open(source)?.into_names())
    }

    fn count(&self, source: &Source, request: &CountRequest, watch: &dyn Watch) -> Result<Counted> {
        rows::count::count(source, request, watch)
    }

    fn distant(
        &self,
        source: &Source,
        request: &DistantRequest,
        watch: &dyn Watch,
    ) -> Result<Option<Box<dyn Distant>>> {
        match source.database {
            Some(_) => Ok(Some(Box::new(rows::database::DistantTable::prepare(source, request, watch)?))),
            None => Ok(Some(Box::new(rows::distant::DistantFile::new(source, request, watch)?))),
        }
    }

    fn repeats(&self, source: &Source, columns: &[String], watch: &dyn Watch) -> Result<Vec<Option<Repeats>>> {
        rows::repeats::repeats(source, columns, watch)
    }
}
