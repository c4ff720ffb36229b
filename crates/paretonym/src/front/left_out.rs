//! Rows that are not in a release, whatever the reason: those of small groups, and those that never were in the study
//! because a value was missing.

use super::{FrontFile, Solution};
use crate::data::grouped_digits;

/// Rows of a table that a release leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Because their groups are too small.
    pub suppressed: u64,
    /// Because a value was missing.
    pub dropped: u64,
    /// All rows of the table, those with missing values included.
    pub rows: u64,
}

impl LeftOut {
    /// What a solution of a front leaves out.
    pub fn of(front: &FrontFile, solution: &Solution) -> Self {
        LeftOut {
            suppressed: solution.suppressed.unwrap_or_default(),
            dropped: front.dropped,
            rows: front.rows + front.dropped,
        }
    }

    /// Their number.
    pub fn total(&self) -> u64 {
        self.suppressed + self.dropped
    }

    /// Their share of the table.
    pub fn share(&self) -> f64 {
        self.total() as f64 / self.rows.max(1) as f64
    }

    /// "242 rows suppressed and 2,399 with missing values left out: 2,641 of 32,561 (8.11 %)".
    pub fn words(&self) -> String {
        let number = grouped_digits;
        let of_all = format!("{} of {} ({:.2} %)", number(self.total()), number(self.rows), self.share() * 100.0);
        match (self.suppressed, self.dropped) {
            (0, 0) => format!("all {} rows stay", number(self.rows)),
            (suppressed, 0) => format!("{} {} suppressed: {of_all}", number(suppressed), rows(suppressed)),
            (0, dropped) => {
                format!("no row suppressed, {} with missing values left out: {of_all}", number(dropped))
            }
            (suppressed, dropped) => format!(
                "{} {} suppressed and {} with missing values left out: {of_all}",
                number(suppressed),
                rows(suppressed),
                number(dropped)
            ),
        }
    }
}

fn rows(count: u64) -> &'static str {
    if count == 1 { "row" } else { "rows" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_reasons_are_told() {
        let words = |suppressed, dropped, rows| LeftOut { suppressed, dropped, rows }.words();
        assert_eq!(
            words(242, 2_399, 32_561),
            "242 rows suppressed and 2,399 with missing values left out: 2,641 of 32,561 (8.11 %)"
        );
        assert_eq!(words(1, 0, 10), "1 row suppressed: 1 of 10 (10.00 %)");
        assert_eq!(words(0, 5, 10), "no row suppressed, 5 with missing values left out: 5 of 10 (50.00 %)");
        assert_eq!(words(0, 0, 1_000), "all 1,000 rows stay");
    }
}
