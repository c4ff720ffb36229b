//! What a pass over the rows of a table hands to whoever counts or profiles them, and what may go wrong on the way.

use std::path::Path;

use paretonym::error::Error;

use crate::rows::cells::Cells;

/// Takes rows batch by batch.
pub(crate) trait Consumer: Send {
    /// Takes the next rows; one entry of `cells` per column of the pass.
    fn take(&mut self, cells: &[Cells], rows: usize) -> Result<(), Fault>;

    /// The rows that follow are those of this block or row group, counted from 0 in the order of the table.
    fn part(&mut self, _number: usize) {}
}

/// Takes rows that were counted where they live: each once, with how often it occurs.
pub(crate) trait CountingConsumer: Consumer {
    /// Takes the next rows; one entry of `cells` per column of the pass, and how often each row occurs.
    fn take_counted(&mut self, cells: &[Cells], times: &[u64]) -> Result<(), Fault>;
}

/// Consumers as a pass takes them.
pub(crate) fn as_consumers<C: Consumer>(consumers: &mut [C]) -> Vec<&mut dyn Consumer> {
    consumers.iter_mut().map(|consumer| consumer as &mut dyn Consumer).collect()
}

/// Counting consumers as a pass takes them.
pub(crate) fn as_counting<C: CountingConsumer>(consumers: &mut [C]) -> Vec<&mut dyn CountingConsumer> {
    consumers.iter_mut().map(|consumer| consumer as &mut dyn CountingConsumer).collect()
}

/// A cell that does not fit.
#[derive(Debug)]
pub(crate) struct Fault {
    /// The row inside the batch.
    pub row: usize,
    /// The column's name.
    pub column: String,
    /// The cell, trimmed.
    pub value: String,
    /// Why it does not fit, and what to do.
    pub problem: String,
    /// Not the cell is at fault: there are more distinct tuples than these, and no more may be counted.
    pub too_many: Option<u64>,
}

impl Fault {
    /// There are more distinct tuples than may be counted.
    pub fn too_many(most: u64) -> Self {
        Fault { row: 0, column: String::new(), value: String::new(), problem: String::new(), too_many: Some(most) }
    }

    /// The error, once the line is known.
    pub fn into_error(self, path: &Path, line: u64) -> Error {
        let Fault { column, value, problem, too_many, .. } = self;
        if let Some(most) = too_many {
            return Error::TooManyTuples(most);
        }
        Error::Value { place: path.display().to_string(), line, column, value, problem }
    }
}

/// An error and where it is. Workers find errors in any order; the user gets the first of the table.
#[derive(Debug)]
pub(crate) struct Trouble {
    /// The file, by its number in the table.
    pub file: usize,
    /// The line, or the largest number where there is none.
    pub line: u64,
    /// What went wrong.
    pub error: Error,
}

impl Trouble {
    /// What orders errors.
    pub fn place(&self) -> (usize, u64) {
        (self.file, self.line)
    }
}

/// The error on the first line, if there is any error.
pub(crate) fn earliest(troubles: Vec<Option<Trouble>>) -> Option<Error> {
    troubles.into_iter().flatten().min_by_key(Trouble::place).map(|trouble| trouble.error)
}
