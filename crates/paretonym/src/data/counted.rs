//! What the library asks of a counting pass and what it gets back. The engine knows files and cells, the library knows
//! domains and trees; these types are all that passes between them.

use super::{Distribution, Narrow};

/// The code of a missing cell where missing is a value of its own.
pub const MISSING: u32 = u32::MAX;

/// What a column is to the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Part of the tuple that is counted.
    Quasi,
    /// Counted per tuple: a sensitive column or a target.
    Attribute,
}

/// How the engine turns a trimmed cell into a code.
#[derive(Clone, Debug, PartialEq)]
pub enum Encoding {
    /// The cell must be one of these; its position is its code. Anything else is an error.
    Labels(Vec<String>),
    /// The cell must be a number in `[edges[0], edges[last])`, or equal to the last edge where `closed`; the code is
    /// its bin, so that bin i is `[edges[i], edges[i + 1])`. Anything else is an error.
    Bins {
        /// Ascending edges, at least two.
        edges: Vec<f64>,
        /// Whether the last bin includes its upper edge.
        closed: bool,
    },
    /// The cell must be one of these values, texts or ascending numbers; values may share a code. Anything else is an
    /// error.
    Known {
        /// The values.
        values: Dictionary,
        /// The code of each.
        codes: Vec<u32>,
    },
    /// Any text; each distinct text gets a code.
    Text,
    /// Any finite number; numbers that are equal ("5" and "5.0") share a code. Anything else is an error.
    Numbers,
}

impl Encoding {
    /// Codes of sets in place of those of values.
    pub fn joined(&self, set_of: impl Fn(u32) -> u32) -> Encoding {
        match self {
            Encoding::Labels(labels) => Encoding::Known {
                values: Dictionary::Text(labels.clone()),
                codes: (0..labels.len() as u32).map(set_of).collect(),
            },
            Encoding::Known { values, codes } => {
                Encoding::Known { values: values.clone(), codes: codes.iter().map(|code| set_of(*code)).collect() }
            }
            // Sets are runs of bins, so that some of the edges are theirs.
            Encoding::Bins { edges, closed } => {
                let last = edges.len() - 1;
                let border = |at: &usize| *at == 0 || *at == last || set_of(*at as u32 - 1) != set_of(*at as u32);
                Encoding::Bins { edges: (0..=last).filter(border).map(|at| edges[at]).collect(), closed: *closed }
            }
            Encoding::Text | Encoding::Numbers => self.clone(),
        }
    }
}

/// One column of a counting pass.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnRequest {
    /// Its name in the table.
    pub name: String,
    /// What it is to the count.
    pub part: Part,
    /// How its cells become codes.
    pub encoding: Encoding,
}

/// A counting pass. A name may be asked for twice: once as quasi and once as attribute.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CountRequest {
    /// The columns that the study uses; a missing value in one of them is a missing value of the row.
    pub columns: Vec<ColumnRequest>,
    /// The most distinct tuples that may be counted; with more, the answer is [`Error::TooManyTuples`](crate::error::Error).
    pub at_most: Option<u64>,
    /// Counts only some of the tuples.
    pub part: Option<TuplePart>,
}

/// One of several parts of the tuples. Which tuples are in a part depends on their codes alone, which must all be declared.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TuplePart {
    /// Its number, from 0.
    pub number: u64,
    /// How many parts there are.
    pub of: u64,
    /// Per quasi column: the code of a missing cell, where it shares one with other values.
    pub missing: Vec<Option<u32>>,
}

/// The values behind the codes of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Dictionary {
    /// The codes are those that the request declared (labels, bins or known values).
    Declared,
    /// Distinct texts; code = position.
    Text(Vec<String>),
    /// Distinct numbers; code = position.
    Numbers(Vec<f64>),
}

/// What a counting pass found. The order of tuples and dictionaries is the engine's business; the library sorts.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// Rows counted.
    pub rows: u64,
    /// Rows left out because of a missing value.
    pub dropped: u64,
    /// One dictionary per requested column, in the order of the request.
    pub dictionaries: Vec<Dictionary>,
    /// Codes of the distinct quasi tuples, column by column in the order of the request.
    pub tuples: Vec<Narrow>,
    /// Rows per tuple.
    pub counts: Narrow,
    /// Per attribute column, in the order of the request: how often each value occurs with each tuple.
    pub attributes: Vec<Distribution>,
}

impl Counted {
    /// The codes of one tuple.
    pub fn tuple(&self, tuple: usize) -> impl Iterator<Item = u32> + '_ {
        self.tuples.iter().map(move |codes| codes.get(tuple) as u32)
    }
}
