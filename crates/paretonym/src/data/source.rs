//! Where a table comes from and what its columns are for.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Decimal, Domain};
use crate::error::{Error, Result};

/// How the name of a table in a database begins where a file could be named: `database:warehouse/people`.
const IN_DATABASE: &str = "database:";

/// How the name of a table in the memory of this process begins: `frame:1`.
const IN_MEMORY: &str = "frame:";

/// The most groups that come from a database unless a study says otherwise.
pub const GROUPS_AT_MOST: u64 = 5_000_000;

/// What the column of counts is called in the answer to a counting query.
pub const COUNTS: &str = "paretonym_rows";

/// The file that describes connections, beside a study.
pub const CONNECTIONS: &str = "connections.toml";

/// The `[data]` section of a study: a file and how to read it, or a table in a database.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// CSV, TSV or Parquet, `.gz` allowed for text; relative to the study file. A folder stands for all its files, and a
    /// pattern (`people/*.csv`) for those that match it. Empty where a database is named.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub path: PathBuf,
    /// Instead of a path: the database that holds the table, by the name of its connection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// The table in the database.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// Or a query that gives the rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Or a table in the memory of this process, by the name that it has there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<String>,
    /// The file that describes connections; `connections.toml` beside the study where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connections: Option<PathBuf>,
    /// The most distinct tuples that may come here; of a table with more, groups are asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups_at_most: Option<u64>,
    /// A column that says how often each line of the table occurs: the answer to a counting query, which somebody else ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<String>,
    /// Separator of a text table; guessed where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
    /// Whether the first line holds the names; guessed where absent, false where `columns` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<bool>,
    /// The names, where the file has no header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<String>>,
    /// Lines that start with this character are skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<char>,
    /// What separates whole part and fraction of numbers in a text table.
    #[serde(default, skip_serializing_if = "Decimal::is_point")]
    pub decimal: Decimal,
    /// Cells that mean "missing", compared after trimming. A Parquet null is always missing.
    #[serde(default = "empty_cell")]
    pub missing: Vec<String>,
    /// What happens to a row with a missing value in a column that the study uses.
    #[serde(default)]
    pub on_missing: OnMissing,
    /// What happens to columns that the study does not name.
    #[serde(default)]
    pub other_columns: OtherColumns,
}

fn is_empty(path: &Path) -> bool {
    path.as_os_str().is_empty()
}

fn empty_cell() -> Vec<String> {
    vec![String::new()]
}

impl Source {
    /// How its cells are read.
    pub fn cell_rule(&self) -> CellRule<'_> {
        CellRule { missing: &self.missing, decimal: self.decimal }
    }

    /// Whether a cell means "missing".
    pub fn is_missing(&self, cell: &str) -> bool {
        self.cell_rule().is_missing(cell)
    }

    /// The leaf of missing cells in a domain, where missing is a value of its own.
    pub fn missing_leaf(&self, domain: &Domain) -> Option<u32> {
        domain.missing.filter(|_| self.on_missing == OnMissing::Value)
    }

    /// What a leaf for "missing" is called among values that are `taken`: the first sign for it that can be read, or a word
    /// that no value has.
    pub fn missing_label(&self, taken: impl Fn(&str) -> bool) -> String {
        let signs = self.missing.iter().map(|sign| sign.trim()).filter(|sign| !sign.is_empty());
        let words = signs.chain(["missing", "(missing)"]).map(str::to_owned);
        let numbered = (2..).map(|number| format!("(missing {number})"));
        words.chain(numbered).find(|word| !taken(word)).expect("there are more numbers than values")
    }

    /// A file with everything guessed; or, where it is called `database:NAME/TABLE`, a table in a database.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        let mut source = Source::nowhere();
        source.locate(&path.into());
        source
    }

    /// The same table elsewhere: in a file, in a database where it is called `database:NAME/TABLE`, or in memory where it is
    /// called `frame:NAME`.
    pub fn locate(&mut self, path: &Path) {
        self.frame = path.to_str().and_then(|text| text.strip_prefix(IN_MEMORY)).map(str::to_owned);
        if self.frame.is_some() {
            (self.path, self.database, self.table, self.query) = (PathBuf::new(), None, None, None);
            return;
        }
        let named = path.to_str().and_then(|text| text.strip_prefix(IN_DATABASE)).and_then(|name| name.split_once('/'));
        match named {
            Some((database, table)) => {
                self.path = PathBuf::new();
                self.database = Some(database.to_owned());
                self.table = Some(table.to_owned());
            }
            None => {
                self.path = path.to_owned();
                self.database = None;
                self.table = None;
            }
        }
        self.query = None;
    }

    /// The same way to read, from where another source is.
    pub fn move_to(&mut self, other: &Source) {
        self.path.clone_from(&other.path);
        self.database.clone_from(&other.database);
        self.table.clone_from(&other.table);
        self.query.clone_from(&other.query);
        self.frame.clone_from(&other.frame);
        self.connections.clone_from(&other.connections);
    }

    /// Whether the table is in files, rather than in a database or in memory.
    pub fn is_in_files(&self) -> bool {
        self.database.is_none() && self.frame.is_none()
    }

    /// Takes paths as relative to a folder: the one that the study lies in.
    pub fn resolve(&mut self, folder: &Path) {
        match &self.database {
            None if self.frame.is_some() => {}
            None => self.path = folder.join(&self.path),
            Some(_) => {
                let file = self.connections.take().unwrap_or(CONNECTIONS.into());
                self.connections = Some(folder.join(file));
            }
        }
    }

    /// Whether a path names a table in a database rather than a file.
    pub fn is_database_name(path: &Path) -> bool {
        Source::at(path).database.is_some()
    }

    /// Where the table is, as messages name it.
    pub fn place(&self) -> String {
        if let Some(frame) = &self.frame {
            return format!("{IN_MEMORY}{frame}");
        }
        match (&self.database, &self.table) {
            (None, _) => self.path.display().to_string(),
            (Some(database), Some(table)) => format!("{IN_DATABASE}{database}/{table}"),
            (Some(database), None) => format!("the query in the database {database:?}"),
        }
    }

    /// What the table is called where a file could be named, too: [`Source::at`] takes it. A query has no such name.
    pub fn name(&self) -> PathBuf {
        if self.is_in_files() { self.path.clone() } else { PathBuf::from(self.place()) }
    }

    /// What the table is called, without where it is.
    pub fn title(&self) -> String {
        if self.frame.is_some() {
            return "a table in memory".to_owned();
        }
        match (&self.database, &self.table) {
            (None, _) => self.file_title(),
            (Some(_), Some(table)) => table.clone(),
            (Some(database), None) => database.clone(),
        }
    }

    /// The last name of the path that tells something: of `people/*.csv` it is `people`.
    fn file_title(&self) -> String {
        let names = self.path.iter().rev().map(|name| name.to_string_lossy());
        let told = names.filter(|name| !name.contains(['*', '?'])).find(|name| !matches!(&**name, "." | ".." | "/"));
        told.map_or("table".into(), |name| name.into_owned())
    }

    /// The most distinct tuples that may come here, where there is a limit: what lies in a database does not all come.
    pub fn most_tuples(&self) -> Option<u64> {
        self.groups_at_most.or(self.database.as_ref().map(|_| GROUPS_AT_MOST))
    }

    /// Whether it says where its table is, once and not twice.
    pub fn check(&self) -> Result<()> {
        let wrong = |problem: &str| Err(Error::study(format!("[data]: {problem}")));
        if self.frame.is_some() {
            return match is_empty(&self.path) && self.database.is_none() && !self.is_text_described() {
                true => Ok(()),
                false => wrong("a table in memory (`frame`) is in no file or database, and is not written as text"),
            };
        }
        match (is_empty(&self.path), &self.database, &self.table, &self.query) {
            _ if self.groups_at_most == Some(0) => wrong("`groups_at_most` is a number of tuples, from 1 on"),
            (true, None, None, None) => wrong("say where the table is: path = \"people.csv\", or database and table"),
            (true, None, ..) => wrong("`table` and `query` need `database`, the name of a connection"),
            (false, None, None, None) => Ok(()),
            (false, ..) => wrong("the table is in a file (`path`) or in a database (`database`), not in both"),
            (true, Some(_), Some(_), Some(_)) => wrong("give `table` or `query`, not both"),
            (true, Some(_), None, None) => wrong("`database` needs `table`, or `query`"),
            (true, Some(_), ..) if self.counts.is_some() => {
                wrong("`counts` names a column of a file, not of a database")
            }
            (true, Some(_), ..) if self.is_text_described() => wrong(
                "delimiter, header, columns, comment and decimal belong to text files; a database has none of them",
            ),
            (true, Some(_), ..) => Ok(()),
        }
    }

    fn is_text_described(&self) -> bool {
        let given = [self.delimiter.is_some(), self.header.is_some(), self.columns.is_some(), self.comment.is_some()];
        given.contains(&true) || self.decimal != Decimal::Point
    }

    fn nowhere() -> Self {
        Source {
            path: PathBuf::new(),
            database: None,
            table: None,
            query: None,
            frame: None,
            connections: None,
            groups_at_most: None,
            counts: None,
            delimiter: None,
            header: None,
            columns: None,
            comment: None,
            decimal: Decimal::default(),
            missing: empty_cell(),
            on_missing: OnMissing::default(),
            other_columns: OtherColumns::default(),
        }
    }
}

/// How the text of a cell is read: one rule for all who count, recode, profile or show cells.
#[derive(Clone, Copy, Debug)]
pub struct CellRule<'a> {
    /// Cells that mean "missing".
    pub missing: &'a [String],
    /// How numbers are written.
    pub decimal: Decimal,
}

impl CellRule<'_> {
    /// Whether a cell means "missing". Blanks around it and around the signs do not count.
    pub fn is_missing(&self, cell: &str) -> bool {
        let cell = cell.trim();
        self.missing.iter().any(|sign| sign.trim() == cell)
    }

    /// The number in a cell; none where it holds none.
    pub fn number(&self, cell: &str) -> Option<f64> {
        self.decimal.read(cell.trim())
    }
}

/// What happens to a row with a missing value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnMissing {
    /// The row is left out of the study; the number of such rows is reported.
    #[default]
    DropRow,
    /// "Missing" is a value of its own.
    Value,
    /// A missing value is an error.
    Error,
}

/// What happens to columns that the study does not name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OtherColumns {
    /// They are an error: a forgotten column is a leak.
    #[default]
    Error,
    /// They are kept as they are.
    Insensitive,
    /// They are left out of a release.
    Drop,
}

/// What a column is to a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Names people: left out, or replaced by a token.
    Identifying,
    /// Left out, and read for nothing.
    Drop,
    /// Recoded.
    Quasi,
    /// Kept as it is, protected by l and t models.
    Sensitive,
    /// Class label or dependent variable of the classification and regression losses.
    Target,
    /// Kept as it is.
    Insensitive,
}
