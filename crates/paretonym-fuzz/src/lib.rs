//! A mutational fuzzer that runs on the stable toolchain and inside one process.
//!
//! corpus → broken input → target → outcome. An input whose outcome reads like none before joins the corpus, so that the
//! search gets deeper than its seeds. What panics, hangs or takes too much memory is kept as a file.

#![warn(unreachable_pub, clippy::cast_possible_truncation)]

pub mod checkpoints;
pub mod ground;
pub mod harness;
pub mod mutate;
pub mod tables;
pub mod targets;
mod tree;
pub mod watchdog;
mod words;

pub use harness::{Fuzzer, Limits, Report};
pub use targets::{TARGETS, Target};
