//! The engines that the tests run on, and how each wants to be spoken to: written anew here, so that a mistake of the program's
//! is not made twice.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::people::Kind;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Engine {
    Sqlite,
    Duckdb,
    Postgresql,
    Spark,
}

impl Engine {
    /// The name of its driver in `drivers.env`.
    fn variable(self) -> &'static str {
        match self {
            Engine::Sqlite => "SQLITE",
            Engine::Duckdb => "DUCKDB",
            Engine::Postgresql => "POSTGRESQL",
            Engine::Spark => "SPARK",
        }
    }

    /// What the program calls it.
    pub fn dialect(self) -> &'static str {
        match self {
            Engine::Sqlite => "sqlite",
            Engine::Duckdb => "duckdb",
            Engine::Postgresql => "postgresql",
            Engine::Spark => "spark",
        }
    }

    pub fn quoted(self, name: &str) -> String {
        match self {
            Engine::Spark => format!("`{}`", name.replace('`', "``")),
            _ => format!("\"{}\"", name.replace('"', "\"\"")),
        }
    }

    pub fn type_of(self, kind: Kind) -> &'static str {
        use Engine::*;
        match (kind, self) {
            (Kind::Integer, _) => "INTEGER",
            (Kind::Decimal, _) => "DECIMAL(10,2)",
            (Kind::Double, Postgresql) => "DOUBLE PRECISION",
            (Kind::Double, _) => "DOUBLE",
            (Kind::Date, Sqlite) | (Kind::Moment, Sqlite) | (Kind::Truth, Sqlite) | (Kind::Text, Sqlite) => "TEXT",
            (Kind::Date, _) => "DATE",
            (Kind::Moment, Spark) => "TIMESTAMP_NTZ",
            (Kind::Moment, _) => "TIMESTAMP",
            (Kind::Truth, _) => "BOOLEAN",
            (Kind::Text, Spark) => "STRING",
            (Kind::Text, _) => "TEXT",
            (Kind::Caseless, Sqlite) => "TEXT COLLATE NOCASE",
            (Kind::Caseless, Duckdb) => "VARCHAR COLLATE NOCASE",
            (Kind::Caseless, Postgresql) => "TEXT COLLATE caseless",
            (Kind::Caseless, Spark) => "STRING COLLATE UTF8_LCASE",
        }
    }

    /// A cell in a statement.
    pub fn value(self, text: &str, kind: Kind) -> String {
        let quoted = match self {
            Engine::Spark => format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'")),
            _ => format!("'{}'", text.replace('\'', "''")),
        };
        match kind {
            Kind::Integer | Kind::Decimal | Kind::Double => text.to_owned(),
            Kind::Truth if self != Engine::Sqlite => text.to_owned(),
            Kind::Date if self != Engine::Sqlite => format!("DATE {quoted}"),
            Kind::Moment if self == Engine::Spark => format!("TIMESTAMP_NTZ {quoted}"),
            Kind::Moment if self != Engine::Sqlite => format!("TIMESTAMP {quoted}"),
            _ => quoted,
        }
    }

    /// What must be there before a table with such columns can be made.
    pub fn before(self) -> &'static [&'static str] {
        match self {
            Engine::Postgresql => {
                &["CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false)"]
            }
            _ => &[],
        }
    }

    /// A value as a text.
    pub fn text(self, value: &str) -> String {
        let kind = if self == Engine::Spark { "STRING" } else { "VARCHAR" };
        format!("CAST({value} AS {kind})")
    }
}

/// The folder that `databases/set-up` filled, and the library of each driver in it.
pub struct Drivers {
    pub folder: PathBuf,
    found: BTreeMap<String, PathBuf>,
}

impl Drivers {
    /// None, and a message, where there are none.
    pub fn find() -> Option<Self> {
        let Some(folder) = std::env::var_os("PARETONYM_DATABASES").map(PathBuf::from) else {
            eprintln!("skipped: $PARETONYM_DATABASES names no folder with drivers (databases/set-up FOLDER makes one)");
            return None;
        };
        let Ok(text) = std::fs::read_to_string(folder.join("drivers.env")) else {
            eprintln!("skipped: there is no drivers.env in {}", folder.display());
            return None;
        };
        let lines = text.lines().filter_map(|line| line.split_once('='));
        Some(Drivers { folder, found: lines.map(|(name, path)| (name.to_owned(), path.into())).collect() })
    }

    /// The driver of an engine; none, and a message, where it was not installed.
    pub fn driver(&self, engine: Engine) -> Option<&Path> {
        let found = self.found.get(engine.variable());
        if found.is_none() {
            eprintln!("skipped: there is no driver of {engine:?} in {}", self.folder.display());
        }
        found.map(PathBuf::as_path)
    }
}
