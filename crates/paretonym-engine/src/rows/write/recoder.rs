//! Turns the cells of one quasi column into the sets that they show, or into single values where sets differ from region
//! to region. What a cell means is the coder's business, as it is when rows are counted.

use paretonym::data::{CellRule, Encoding, MISSING};
use paretonym::release::SavedColumn;

use crate::rows::cells::Cells;
use crate::rows::coder::{Coder, INVALID};

/// A cell that means "missing", where that is no value of its own.
pub(crate) const ABSENT: u32 = MISSING;

/// A cell that the recoding does not know.
pub(crate) const UNKNOWN: u32 = INVALID;

/// How the cells of a column are looked up in its mapping; a recoder borrows it.
pub(crate) struct Lookup<'a> {
    column: &'a SavedColumn,
    encoding: Encoding,
    /// The code of each bin, where cells are put into bins.
    code_of_bin: Option<Vec<u32>>,
}

impl<'a> Lookup<'a> {
    pub fn new(column: &'a SavedColumn) -> Self {
        let (encoding, code_of_bin) = column.encoding();
        Lookup { column, encoding, code_of_bin }
    }
}

/// One column's recoder.
pub(crate) struct Recoder<'a> {
    coder: Coder<'a>,
    lookup: &'a Lookup<'a>,
    rule: CellRule<'a>,
    /// The code of a missing cell, or [`ABSENT`].
    absent: u32,
    /// Whether an unknown number goes where the nearest known one goes.
    nearest: bool,
}

impl<'a> Recoder<'a> {
    pub fn new(lookup: &'a Lookup<'a>, rule: CellRule<'a>, nearest: bool, null_is_empty: bool) -> Self {
        let absent = lookup.column.missing_code().unwrap_or(ABSENT);
        Recoder { coder: Coder::new(&lookup.encoding, rule, null_is_empty), lookup, rule, absent, nearest }
    }

    /// Writes the sets of a batch into column `at` of a row-major table of `width` columns.
    pub fn fill(&mut self, cells: &Cells, codes: &mut [u32], at: usize, width: usize) {
        self.coder.fill(cells, codes.iter_mut().skip(at).step_by(width));
        if self.absent == ABSENT && !self.nearest && self.lookup.code_of_bin.is_none() {
            return;
        }
        for (row, code) in codes.iter_mut().skip(at).step_by(width).enumerate() {
            *code = match *code {
                MISSING => self.absent,
                INVALID if self.nearest => self.nearest(&cells.show(row)),
                INVALID => UNKNOWN,
                code => self.lookup.code_of_bin.as_ref().map_or(code, |codes| codes[code as usize]),
            };
        }
    }

    /// The code of the known number that is nearest to a cell; unknown where the cell is no number, or the column none of
    /// numbers.
    fn nearest(&self, cell: &str) -> u32 {
        let column = self.lookup.column;
        let label = self.rule.number(cell).and_then(|number| column.nearest(number));
        label.and_then(|label| column.code(label)).unwrap_or(UNKNOWN)
    }
}
