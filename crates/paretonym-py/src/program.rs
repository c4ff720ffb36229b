//! The `paretonym` program inside the package.

use std::ffi::OsString;
use std::process::ExitCode;

use pyo3::prelude::*;

/// Runs the program with its name and its arguments; its exit code.
#[pyfunction]
pub fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let code = py.detach(|| paretonym_cli::run(arguments));
    // An exit code of the standard library does not tell its number.
    [0, 1, 2, 3].into_iter().find(|number| ExitCode::from(*number) == code).unwrap_or(1)
}

/// The version of the package.
#[pyfunction]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
