//! Which cells of a column are missing, for passes that need to know no more of them.

use arrow_array::{Array, BooleanArray};
use paretonym::data::CellRule;

use crate::rows::cells::Cells;

/// Finds missing cells.
#[derive(Clone, Copy)]
pub(crate) struct MissingCells<'a> {
    rule: CellRule<'a>,
    /// Whether a null is a missing cell.
    pub null: bool,
}

impl<'a> MissingCells<'a> {
    /// In a text a null is an empty cell, which may mean missing or not; elsewhere it is always missing.
    pub fn new(rule: CellRule<'a>, null_is_empty: bool) -> Self {
        MissingCells { rule, null: !null_is_empty || rule.is_missing("") }
    }

    /// Whether a text means missing.
    pub fn is_sign(&self, text: &str) -> bool {
        self.rule.is_missing(text)
    }

    /// Marks the rows in which a column is missing.
    pub fn mark(&self, cells: &Cells, absent: &mut [bool]) {
        let nulls = |array: &dyn Array, absent: &mut [bool]| {
            if self.null && array.null_count() > 0 {
                (0..array.len()).filter(|row| array.is_null(*row)).for_each(|row| absent[row] = true);
            }
        };
        // Numbers are made to texts only where one could be a sign.
        let numbers = |count: usize, possible: bool, absent: &mut [bool]| {
            (0..count).filter(|_| possible).for_each(|row| absent[row] |= self.is_sign(&cells.show(row)));
        };
        let signs = || self.rule.missing.iter().map(|sign| sign.trim());
        match cells {
            Cells::Slices(cells) => {
                for (text, absent) in cells.iter().zip(absent) {
                    *absent |= if text.is_empty() { self.null } else { self.is_sign(text) };
                }
            }
            Cells::Text(texts) => {
                nulls(texts, absent);
                for (row, text) in texts.iter().enumerate() {
                    absent[row] |= text.is_some_and(|text| self.is_sign(text));
                }
            }
            Cells::Dictionary(keys, texts) => {
                nulls(keys, absent);
                let gone: BooleanArray = (0..texts.len())
                    .map(|at| Some(if texts.is_null(at) { self.null } else { self.is_sign(texts.value(at)) }))
                    .collect();
                if gone.true_count() > 0 {
                    for (row, key) in keys.iter().enumerate() {
                        absent[row] |= key.is_some_and(|key| gone.value(key as usize));
                    }
                }
            }
            Cells::Integers(integers) => {
                nulls(integers, absent);
                numbers(integers.len(), signs().any(|sign| sign.parse::<i64>().is_ok()), absent);
            }
            Cells::Floats(floats) => {
                nulls(floats, absent);
                numbers(floats.len(), signs().any(|sign| sign.parse::<f64>().is_ok()), absent);
            }
        }
    }
}
