//! The `paretonym` program; all of it is in the library beside, which the Python package runs too.

use std::process::ExitCode;

fn main() -> ExitCode {
    paretonym_cli::run(std::env::args_os())
}
