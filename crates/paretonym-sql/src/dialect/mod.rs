//! How each engine wants to be asked: quotation marks, names of functions, and how a column is put so that its cells mean
//! the same as they would in a file.

mod duckdb;
mod generic;
mod postgresql;
mod spark;
mod sqlite;

use std::fmt;
use std::path::Path;

use arrow_schema::Field;
use paretonym::error::{Error, Result};

use crate::names::TableName;

/// What is known of a column before its cells are asked for.
pub struct ColumnFacts<'a> {
    /// Its name, in the engine's quotation marks.
    pub quoted: &'a str,
    /// As it would come if it were asked for as it is.
    pub field: &'a Field,
    /// What the engine calls its type, where it was asked.
    pub kind: Option<&'a str>,
}

/// The habits of one engine.
struct Habits {
    /// What studies call it.
    name: &'static str,
    /// A part of the names of its drivers.
    driver: &'static str,
    /// Around names, and doubled inside of them.
    quote: char,
    /// The option that names a database's file, where it has one.
    file_option: Option<&'static str>,
    /// Whether a query may read files that are in no database.
    reads_files: bool,
    /// What is said after connecting, so that nothing depends on how the server was set up.
    greetings: &'static [&'static str],
    /// The name of a type of texts.
    text_type: &'static str,
    /// A function that tells the name of a value's type.
    kind_of: Option<fn(&str) -> String>,
    /// How a column is asked for, so that distinct cells stay apart and each can be read.
    cell: fn(&ColumnFacts) -> String,
    /// Whether every cell is asked for as a text, and a null as one, too: for drivers that guess types from the first rows.
    all_texts: bool,
    /// A number that is drawn anew for every row.
    random: &'static str,
    /// How a table is made that goes with the connection; `{}` is its name, `AS SELECT …` follows.
    temporary: Option<&'static str>,
    /// Whether a table that is made, or renamed, in a transaction is not there when that is given up.
    transactions: bool,
    /// Whether lists can be handed over as such, rather than as part of a query.
    ingests: bool,
    /// How a table is made of a query; `{}` is its name.
    made_by: &'static str,
    /// Whether the new name of a table is said with its schema.
    renamed_in_full: bool,
    /// A value of a type that is not known as a text, of which no two that differ are taken for one.
    distinct_text: fn(&str) -> String,
    /// One of 64 numbers from 0 on, always the same for a value and spread evenly over values, where the engine has such.
    bucket: Option<fn(&str) -> String>,
    /// The whole numbers of a group as one text, from the least on, with commas between them, where the engine can write it.
    in_order: Option<fn(&str) -> String>,
    /// The name of a type of numbers.
    number_type: &'static str,
    /// A text as it stands in a query.
    literal: fn(&str) -> String,
    /// Who makes tokens.
    tokens: TokenMaker,
    /// What is said so that lists are joined with a table one after the other, as they stand in a query. Left to themselves some
    /// engines begin with the lists, since these are short, and make all combinations of their values.
    joins_as_written: Option<&'static str>,
    /// As many rows as it puts into random order with little memory; more are spread over parts first, which are put into
    /// order one by one. None where it sorts whatever there is.
    sorted_at_once: Option<u64>,
    /// How it is asked for the names of the tables in a schema, or in the one where names without a schema are found.
    tables: Option<fn(Option<&str>) -> String>,
}

/// Who makes tokens of the values of a column.
#[derive(Clone, Copy)]
pub enum TokenMaker {
    /// The engine: the first 32 hexadecimal digits of the digest of the outer key and of the digest of the inner key and a
    /// value, which are given as they stand in a query.
    Engine(fn(&str, &str, &str) -> String),
    /// Whoever asks: the engine has no such digest, and is a part of this process, so that no value leaves it.
    Here,
    /// Nobody: a key could be told only in the text of a query, and texts of queries are kept.
    Nobody,
}

/// What is no part of a value at its ends: everything that is a blank in Unicode.
pub(crate) const BLANKS: &str = "\t\n\u{b}\u{c}\r \u{85}\u{a0}\u{1680}\u{2000}\u{2001}\u{2002}\u{2003}\u{2004}\u{2005}\u{2006}\
    \u{2007}\u{2008}\u{2009}\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}";

/// How an engine wants to be asked.
#[derive(Clone, Copy)]
pub struct Dialect(&'static Habits);

/// All of them.
const DIALECTS: [&Habits; 5] =
    [&postgresql::HABITS, &duckdb::HABITS, &sqlite::HABITS, &spark::HABITS, &generic::HABITS];

impl Dialect {
    /// By its name.
    pub fn named(name: &str) -> Result<Self> {
        let found = DIALECTS.iter().find(|habits| habits.name == name);
        found.map(|habits| Dialect(habits)).ok_or_else(|| Error::UnknownName {
            what: "dialect",
            name: name.to_owned(),
            known: DIALECTS.iter().map(|habits| habits.name.to_owned()).collect(),
        })
    }

    /// By the name of its driver; the careful one where that tells nothing.
    pub fn guessed(driver: &Path, entrypoint: Option<&str>) -> Self {
        let name = driver.file_name().unwrap_or(driver.as_os_str()).to_string_lossy().to_lowercase();
        let fits = |habits: &&&Habits| {
            let in_name = |text: &str| !habits.driver.is_empty() && text.contains(habits.driver);
            in_name(&name) || entrypoint.is_some_and(|own| in_name(&own.to_lowercase()))
        };
        Dialect(DIALECTS.iter().find(fits).copied().unwrap_or(&generic::HABITS))
    }

    /// What studies call it.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// A name in quotation marks.
    pub fn quote(self, name: &str) -> String {
        let mark = self.0.quote;
        let doubled = name.replace(mark, &format!("{mark}{mark}"));
        format!("{mark}{doubled}{mark}")
    }

    /// A text as it stands in a query.
    pub fn literal(self, text: &str) -> String {
        (self.0.literal)(text)
    }

    /// The option that names a database's file, where it has one.
    pub fn file_option(self) -> Option<&'static str> {
        self.0.file_option
    }

    /// Whether a query may read files that are in no database.
    pub(crate) fn reads_files(self) -> bool {
        self.0.reads_files
    }

    /// What is said after connecting.
    pub(crate) fn greetings(self) -> &'static [&'static str] {
        self.0.greetings
    }

    /// How a column is asked for.
    pub(crate) fn cell(self, facts: &ColumnFacts) -> String {
        (self.0.cell)(facts)
    }

    /// How a value is asked for the name of its type, where that is needed.
    pub(crate) fn kind_of(self, value: &str) -> Option<String> {
        self.0.kind_of.map(|ask| ask(value))
    }

    /// Whether every cell comes as a text, and a null as one, too.
    pub(crate) fn all_texts(self) -> bool {
        self.0.all_texts
    }

    /// How a cell is handed out at the end of a query: as it is, or as a text that tells a null from what is none.
    pub fn handed_out(self, cell: &str) -> String {
        if self.0.all_texts { marked(cell, cell) } else { cell.to_owned() }
    }

    /// A value as a text.
    pub fn text(self, value: &str) -> String {
        format!("CAST({value} AS {})", self.0.text_type)
    }

    /// A value of a type that is not known as a text, of which no two that differ are taken for one.
    pub fn distinct_text(self, value: &str) -> String {
        (self.0.distinct_text)(value)
    }

    /// One of 64 numbers from 0 on, always the same for a value.
    pub fn bucket(self, value: &str) -> Option<String> {
        self.0.bucket.map(|bucket| bucket(value))
    }

    /// The whole numbers of a group as one text, from the least on, with commas between them.
    pub fn in_order(self, number: &str) -> Option<String> {
        self.0.in_order.map(|form| form(number))
    }

    /// A value as a number.
    pub fn number(self, value: &str) -> String {
        format!("CAST({value} AS {})", self.0.number_type)
    }

    /// A number that is drawn anew for every row.
    pub fn random(self) -> &'static str {
        self.0.random
    }

    /// The beginning of a statement that makes a table which goes with the connection, where there are such tables.
    pub fn temporary(self, quoted: &str) -> Option<String> {
        self.0.temporary.map(|form| form.replace("{}", quoted))
    }

    /// Whether lists can be handed over as such.
    pub(crate) fn ingests(self) -> bool {
        self.0.ingests
    }

    /// The beginning of a statement that makes a table of a query.
    pub fn made_by(self, table: &TableName) -> String {
        self.0.made_by.replace("{}", &table.quoted(self))
    }

    /// The statement that gives a table another name in its schema.
    pub fn rename(self, from: &TableName, to: &TableName) -> String {
        let to = if self.0.renamed_in_full { to.quoted(self) } else { self.quote(to.last()) };
        format!("ALTER TABLE {} RENAME TO {to}", from.quoted(self))
    }

    /// Who makes tokens.
    pub fn tokens(self) -> TokenMaker {
        self.0.tokens
    }

    /// What is said so that lists are joined with a table as they stand in a query, where the engine would do otherwise.
    pub(crate) fn joins_as_written(self) -> Option<&'static str> {
        self.0.joins_as_written
    }

    /// Into how many parts rows are spread before they are put into random order.
    pub(crate) fn parts(self, rows: u64) -> u64 {
        self.0.sorted_at_once.map_or(1, |most| rows.div_ceil(most).max(1))
    }

    /// The question for the names of the tables beside one, where the engine is asked that.
    pub(crate) fn tables_beside(self, table: &TableName) -> Option<String> {
        self.0.tables.map(|ask| ask(table.schema().map(|schema| self.literal(schema)).as_deref()))
    }

    /// Whether what was made in a transaction goes when that is given up.
    pub fn has_transactions(self) -> bool {
        self.0.transactions
    }
}

impl PartialEq for Dialect {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl fmt::Debug for Dialect {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Dialect({})", self.0.name)
    }
}

/// A cell as one text that is never null: `n` for a null, and `v` before the text of any other.
pub(crate) fn marked(cell: &str, text: &str) -> String {
    format!("CASE WHEN {cell} IS NULL THEN 'n' ELSE 'v' || {text} END")
}

/// What a marked cell says.
pub(crate) fn unmarked(cell: &str) -> Option<&str> {
    cell.strip_prefix('v')
}

/// A text in single quotes, which are doubled inside: what the standard says.
fn standard_literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_tell_their_dialects() {
        let guessed = |driver: &str, entrypoint| Dialect::guessed(Path::new(driver), entrypoint).name();
        assert_eq!(guessed("/opt/libadbc_driver_postgresql.so", None), "postgresql");
        assert_eq!(guessed("libduckdb.so", Some("duckdb_adbc_init")), "duckdb");
        assert_eq!(guessed("adbc_driver_sqlite", None), "sqlite");
        assert_eq!(guessed("libadbc_driver_spark.dylib", None), "spark");
        assert_eq!(guessed("libadbc_driver_snowflake.so", None), "generic");
        assert!(Dialect::named("postgres").unwrap_err().to_string().contains("did you mean \"postgresql\"?"));
    }

    #[test]
    fn names_and_texts_cannot_end_their_quotes() {
        let names = |name: &str| DIALECTS.map(|habits| Dialect(habits).quote(name));
        assert_eq!(names("a\"b")[0], "\"a\"\"b\"");
        assert_eq!(names("a`b")[3], "`a``b`");
        let texts = DIALECTS.map(|habits| Dialect(habits).literal("it's \\'"));
        assert_eq!(texts[0], "E'it''s \\\\'''");
        assert_eq!(texts[1], "'it''s \\'''");
        assert_eq!(texts[3], "'it\\'s \\\\\\''");
    }

    #[test]
    fn blanks_are_those_of_unicode() {
        let all: String = ('\0'..=char::MAX).filter(|letter| letter.is_whitespace()).collect();
        assert_eq!(BLANKS, all);
    }

    #[test]
    fn only_what_an_engine_cannot_sort_at_once_is_spread() {
        let parts = |name: &str, rows| Dialect::named(name).unwrap().parts(rows);
        assert_eq!([parts("sqlite", u64::MAX), parts("postgresql", u64::MAX), parts("duckdb", 0)], [1, 1, 1]);
        assert!(parts("duckdb", 1_000_000) == 1 && parts("duckdb", 100_000_000) > 2);
    }
}
