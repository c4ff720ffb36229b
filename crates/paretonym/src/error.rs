//! Everything that can go wrong, phrased as advice: what, where, and what to do about it.

use std::fmt;
use std::path::PathBuf;

/// The result of every fallible function of this library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why something could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The study file or an option contradicts itself or asks for something impossible.
    #[error("{0}")]
    Study(String),
    /// A taxonomy, an order or a generator does not describe a hierarchy.
    #[error("{place}: {problem}")]
    Taxonomy {
        /// File and line, or the key of the study.
        place: String,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// A column is named that the table does not have.
    #[error("there is no column {name:?} in {place}{}; its columns are: {}", closest(.name, .known), .known.join(", "))]
    UnknownColumn {
        /// The name asked for.
        name: String,
        /// Where it was looked for.
        place: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// A name that the catalogue does not have.
    #[error("there is no {what} called {name:?}{}; choose one of: {}", closest(.name, .known), .known.join(", "))]
    UnknownName {
        /// What was looked for: "loss metric", "optimizer", …
        what: &'static str,
        /// The name asked for.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
    /// A cell holds a value that the column's domain lacks.
    #[error("{place}, line {line}: column {column:?} holds {value:?}, {problem}")]
    Value {
        /// The file.
        place: String,
        /// The line of the file (or the row, where a file has no lines), counted from 1.
        line: u64,
        /// The column.
        column: String,
        /// The cell, trimmed.
        value: String,
        /// Why it does not fit, and what to do.
        problem: String,
    },
    /// A table that cannot be read as one.
    #[error("{place}: {problem}")]
    Table {
        /// The file, and the line where it is known.
        place: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// A file could not be opened, read or written.
    #[error("cannot {action} {}: {source}", .path.display())]
    File {
        /// What was to be done with it.
        action: FileAction,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A database does not answer, or not as it should: what it said, without what must not be shown.
    #[error("{0}")]
    Database(String),
    /// There are more distinct tuples than may be counted.
    #[error("the table has more than {0} distinct tuples; allow more with --groups-at-most")]
    TooManyTuples(u64),
    /// A written release was measured and does not hold what it claims; it was not given its name.
    #[error("the written file does not hold what it claims, so nothing is released ({0}); please report this")]
    Unverified(String),
    /// Something that cannot happen has happened: a fault of the program, not of its input.
    #[error("{0}; this is a fault of the program, please report it")]
    Internal(String),
    /// The user stopped the work before there was anything to keep.
    #[error("stopped before there was a result; nothing was written")]
    Cancelled,
}

/// What was to be done with a file or a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileAction {
    /// To open it or to take its bytes.
    Read,
    /// To put bytes into it.
    Write,
    /// To make a folder.
    Create,
    /// To give its name to another.
    Replace,
    /// To take it away.
    Remove,
    /// To keep others out of it.
    Lock,
    /// To answer requests at an address.
    Serve,
}

impl fmt::Display for FileAction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            FileAction::Read => "read",
            FileAction::Write => "write",
            FileAction::Create => "create",
            FileAction::Replace => "replace",
            FileAction::Remove => "remove",
            FileAction::Lock => "lock",
            FileAction::Serve => "serve on",
        })
    }
}

impl Error {
    /// Whether the user's input is at fault (exit code 2) rather than the machine (exit code 1).
    pub fn is_input(&self) -> bool {
        match self {
            Error::File { action, source, .. } => {
                *action == FileAction::Read
                    && matches!(
                        source.kind(),
                        std::io::ErrorKind::NotFound
                            | std::io::ErrorKind::PermissionDenied
                            | std::io::ErrorKind::IsADirectory
                            | std::io::ErrorKind::NotADirectory
                            | std::io::ErrorKind::InvalidInput
                    )
            }
            Error::Cancelled | Error::Database(_) | Error::Unverified(_) | Error::Internal(_) => false,
            _ => true,
        }
    }

    /// Shorthand for a [`Error::Study`].
    pub fn study(message: impl Into<String>) -> Self {
        Error::Study(message.into())
    }

    /// Shorthand for an [`Error::Internal`].
    pub fn internal(message: impl Into<String>) -> Self {
        Error::Internal(message.into())
    }

    /// Shorthand for a [`Error::Taxonomy`].
    pub fn taxonomy(place: impl Into<String>, problem: impl Into<String>) -> Self {
        Error::Taxonomy { place: place.into(), problem: problem.into() }
    }
}

/// " (did you mean "x"?)" for the known name that is nearest to a misspelt one, if one is near.
fn closest(name: &str, known: &[String]) -> String {
    let limit = 1 + name.chars().count() / 3;
    known
        .iter()
        .map(|candidate| (strsim::levenshtein(&name.to_lowercase(), &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| format!(" (did you mean {candidate:?}?)"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_column_gets_the_closest_name() {
        let error = Error::UnknownColumn {
            name: "educaton".into(),
            place: "adult.csv".into(),
            known: vec!["age".into(), "education".into()],
        };
        assert!(error.to_string().contains("did you mean \"education\"?"), "{error}");
        assert!(error.is_input());
    }

    #[test]
    fn only_what_the_user_can_mend_is_the_users_fault() {
        let file = |action, kind| Error::File { action, path: "x.csv".into(), source: std::io::Error::from(kind) };
        let missing = std::io::ErrorKind::NotFound;
        assert!(file(FileAction::Read, missing).is_input());
        assert!(!file(FileAction::Write, missing).is_input() && !file(FileAction::Serve, missing).is_input());
        assert!(!file(FileAction::Read, std::io::ErrorKind::StorageFull).is_input());
        assert!(file(FileAction::Serve, missing).to_string().starts_with("cannot serve on x.csv: "));
        let own = Error::internal("the front cannot be written");
        assert!(!own.is_input() && own.to_string().ends_with("please report it"), "{own}");
        assert!(!Error::Cancelled.is_input());
    }

    #[test]
    fn a_far_name_gets_no_guess() {
        assert_eq!(closest("salary", &["age".into(), "sex".into()]), "");
    }
}
