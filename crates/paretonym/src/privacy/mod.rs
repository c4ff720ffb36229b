//! Privacy models, one file each. A model gives every group a level; a table has the worst level of its kept groups.
//!
//! [`K`] alone where no column is sensitive; [`FrequencyL`] or [`TCloseness`] beside it where one is. All are defined in
//! [`theory::definitions`](crate::theory::definitions#privacy-models), the trait is [`Privacy`](crate::measure::Privacy).

pub(crate) mod alpha;
pub(crate) mod distinct_l;
pub(crate) mod entropy_l;
pub(crate) mod frequency_l;
pub(crate) mod k;
pub(crate) mod p_sensitive;
pub(crate) mod recursive_l;
pub(crate) mod t_closeness;

pub use alpha::Alpha;
pub use distinct_l::DistinctL;
pub use entropy_l::EntropyL;
pub use frequency_l::FrequencyL;
pub use k::K;
pub use p_sensitive::PSensitive;
pub use recursive_l::RecursiveL;
pub use t_closeness::{Reference, TCloseness};

use crate::error::{Error, Result};
use crate::group::{FrequencyTable, Needs};

/// What a model that looks into groups needs.
const ATTRIBUTES: Needs = Needs { attributes: true, leaf_logs: false, group_of: false };

/// Positions of the sensitive columns; an error where there is none.
fn sensitive_columns(table: &FrequencyTable, model: &str) -> Result<Vec<usize>> {
    let columns: Vec<usize> = table.sensitive().collect();
    if columns.is_empty() {
        return Err(Error::study(format!(
            "the privacy model {model} protects sensitive columns, and the study has none; give a column role = \"sensitive\""
        )));
    }
    Ok(columns)
}

/// How many rows must go before no value has more of the others than it may have of so many rows: the counts of the values,
/// and what may be of one.
fn rows_beyond(counts: impl Iterator<Item = u64> + Clone, most: impl Fn(u64) -> u64) -> u64 {
    let all: u64 = counts.clone().sum();
    let mut left = all;
    loop {
        let allowed = most(left);
        let fewer = counts.clone().map(|count| count.min(allowed)).sum();
        if fewer >= left {
            return all - left;
        }
        left = fewer;
    }
}

/// Implements [`crate::measure::Measure`] for a privacy model: the score is the worst level, the vector the levels.
macro_rules! measure_by_level {
    ($model:ty, $sense:expr, $needs:expr, $name:expr) => {
        impl crate::measure::Measure for $model {
            fn name(&self) -> String {
                #[allow(clippy::redundant_closure_call)]
                ($name)(self)
            }
            fn sense(&self) -> crate::measure::Sense {
                $sense
            }
            fn needs(&self) -> crate::group::Needs {
                $needs
            }
            fn score(&self, kept: &crate::group::Kept) -> f64 {
                crate::measure::worst_level(self, kept)
            }
            fn vector(&self, kept: &crate::group::Kept) -> crate::measure::PropertyVector {
                crate::measure::PropertyVector::of_levels(self, kept)
            }
        }
    };
}
use measure_by_level;

#[cfg(test)]
mod tests {
    use super::rows_beyond;

    #[test]
    fn rows_that_must_go() {
        // Of 5 and 2 rows no more than half may be of one value: 2 and 2 can stay. Of 4, 3, 2 and 1 all can.
        assert_eq!(rows_beyond([5, 2].into_iter(), |rows| rows / 2), 3);
        assert_eq!(rows_beyond([4, 3, 2, 1].into_iter(), |rows| rows / 2), 0);
        assert_eq!(rows_beyond([4, 3, 2, 1].into_iter(), |rows| rows / 3), 1);
        assert_eq!(rows_beyond([6].into_iter(), |rows| rows / 2), 6);
    }
}
