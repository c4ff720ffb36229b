//! Exceptions of the package, with the words of the program.

use paretonym::error::Error;
use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyKeyboardInterrupt};

create_exception!(paretonym, ParetonymError, PyException, "Something could not be done; all errors of the package.");
create_exception!(paretonym, StudyError, ParetonymError, "What was asked for contradicts itself, or is impossible.");
create_exception!(paretonym, DataError, ParetonymError, "A table cannot be read, or holds what nobody expects.");
create_exception!(paretonym, FileError, ParetonymError, "A file could not be read or written.");
create_exception!(paretonym, DatabaseError, ParetonymError, "A database could not be reached, or would not answer.");
create_exception!(
    paretonym,
    VerificationError,
    ParetonymError,
    "A release does not hold what it claims; it was not kept."
);
create_exception!(paretonym, InternalError, ParetonymError, "A mistake in paretonym itself; please report it.");

/// The exception of an error.
pub fn raised(error: Error) -> PyErr {
    let text = error.to_string();
    match error {
        Error::Study(_) | Error::Taxonomy { .. } | Error::UnknownColumn { .. } | Error::UnknownName { .. } => {
            StudyError::new_err(text)
        }
        Error::Value { .. } | Error::Table { .. } | Error::TooManyTuples(_) => DataError::new_err(text),
        Error::File { .. } => FileError::new_err(text),
        Error::Database(_) => DatabaseError::new_err(text),
        Error::Unverified(_) => VerificationError::new_err(text),
        Error::Cancelled => PyKeyboardInterrupt::new_err(text),
        _ => InternalError::new_err(text),
    }
}

/// The exception of something that cannot be written as JSON or read from it.
pub fn garbled(error: impl std::fmt::Display) -> PyErr {
    StudyError::new_err(error.to_string())
}
