//! Where a table comes from and what its columns are for.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Decimal, Domain};

/// The `[data]` section of a study: a file and how to read it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// CSV, TSV or Parquet, `.gz` allowed for text; relative to the study file.
    pub path: PathBuf,
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

    /// A file with everything guessed.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        Source {
            path: path.into(),
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
