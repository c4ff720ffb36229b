//! A service over folders: the folder of a run, releases and what lies beside them, and who may write what where.
//!
//! Whatever rows are needed, `rows` passes over them.

pub mod compare;
pub mod folder;
pub mod outputs;
pub mod queries;
pub mod release;
mod scratch;
mod write;

pub use scratch::remove_scratch;
pub use write::{private_folder, write_atomically, write_output};
