//! Rows where they live: a table in a database or on a cluster, asked through ADBC (Arrow Database Connectivity).
//!
//! connections.toml → [`Connection`] → [`Client`] → [`Relation`] → batches of Arrow
//!
//! Nothing here knows what a cell means, or what is done with counts: a [`Relation`] says which columns a table has and answers
//! a few questions with batches, each column in a form that means the same whatever the engine ([`Dialect`]). What may be secret
//! in a connection is shown to nobody ([`Secrets`]).

// What is to be told goes through results and `Watch`; only the program prints.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod answer;
mod client;
mod coded;
mod connections;
mod dialect;

mod lent;
mod mixed;
mod names;
mod printed;
mod recoded;
mod relation;
mod secrets;
mod statements;

pub use answer::Answer;
pub use client::Client;
pub use coded::{Coded, CodedColumn};
pub use connections::{Connection, use_connections};
pub use dialect::{Dialect, TokenMaker};

pub use lent::Lent;
pub use names::TableName;
pub use printed::{PrintedRelease, counting_query};
pub use recoded::{Recoded, RecodedColumn, RegionTexts, ShownCell};
pub use relation::{Cells, CellsAndNumbers, Relation};
pub use secrets::Secrets;
pub use statements::check_query;
