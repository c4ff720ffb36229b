//! Recursive (c,l)-diversity: the most frequent value against the rarer ones.

use super::{ATTRIBUTES, measure_by_level, sensitive_columns};
use crate::data::format_number;
use crate::engine::LooksAt;
use crate::error::{Error, Result};
use crate::group::{FrequencyTable, GroupView};
use crate::measure::{
    Behaviour, CatalogEntry, Diversity, Letter, Parameter, Privacy, PrivacyEntry, SAME_LEVEL, Sense, Takes,
};

/// Its line in the catalogue.
pub const ENTRY: PrivacyEntry = PrivacyEntry {
    entry: CatalogEntry {
        name: "recursive-l",
        aliases: &[],
        summary: "largest l with r_1 < c (r_l + ... + r_m)",
        parameters: &[Parameter {
            name: "c",
            default: "2",
            takes: Takes::Above(0.0),
            summary: "how dominant the most frequent value may be",
        }],
        reference: "Machanavajjhala et al. 2006; S0 section 3",
    },
    behaviour: Behaviour::WorstGroup,
    letter: Letter::L(Diversity::Recursive),
    sense: Sense::Max,
    sensitive: true,
    make: |table, call| Ok(Box::new(RecursiveL::new(table, call.number("c", 2.0)?)?)),
};

/// Recursive (c,l)-diversity: the level of a group is the largest l with r_1 < c (r_l + ... + r_m), the counts r of
/// its sensitive values sorted falling; 0 where not even l = 1 holds. The minimum over the sensitive columns. More is
/// better.
///
/// Example, c = 2: counts 4, 3, 2, 1: 4 < 2 (2 + 1) holds, 4 < 2 * 1 does not: l = 3.
///
/// Monotone: the table's worst level, while nothing is suppressed. [Reference](mod@crate::theory::references):
/// Machanavajjhala et al. 2006; S0 section 3 (which prints commas for the plus signs).
///
/// In the catalogue `recursive-l`: [definition](crate::theory::definitions#recursive-l).
pub struct RecursiveL {
    columns: Vec<usize>,
    c: f64,
}

impl RecursiveL {
    /// For all sensitive columns of a table.
    pub fn new(table: &FrequencyTable, c: f64) -> Result<Self> {
        if !(c > 0.0 && c.is_finite()) {
            return Err(Error::study(format!("recursive-l needs c above 0, not {c}")));
        }
        Ok(RecursiveL { columns: sensitive_columns(table, "recursive-l")?, c })
    }
}

measure_by_level!(RecursiveL, Sense::Max, ATTRIBUTES, |model: &RecursiveL| {
    format!("recursive-l(c={})", format_number(model.c))
});

/// The largest l of a distribution given by counts.
fn recursive(counts: impl Iterator<Item = u64>, c: f64) -> f64 {
    let mut sorted: Vec<u64> = counts.collect();
    sorted.sort_unstable();
    let largest = sorted.last().map_or(0.0, |count| *count as f64);
    let mut tail = 0.0;
    // From the smallest count up: the first tail that is heavy enough belongs to the largest l.
    for (left, count) in sorted.iter().enumerate() {
        tail += *count as f64;
        if largest < c * tail {
            return (sorted.len() - left) as f64;
        }
    }
    0.0
}

impl Privacy for RecursiveL {
    fn level(&self, group: GroupView) -> f64 {
        let levels = self.columns.iter().map(|column| recursive(group.attribute(*column).counts(), self.c));
        levels.fold(f64::INFINITY, f64::min)
    }

    /// No part has more values than the whole, nor a level above their number.
    fn least_lost(&self, group: GroupView, level: f64) -> u64 {
        let few = |column: &usize| (group.attribute(*column).len() as f64) < level - SAME_LEVEL * level.max(1.0);
        if self.columns.iter().any(few) { group.rows() } else { 0 }
    }

    fn looks_at(&self) -> LooksAt {
        LooksAt::Counts
    }

    fn behaviour(&self) -> Behaviour {
        Behaviour::WorstGroup
    }

    fn letter(&self) -> Letter {
        ENTRY.letter
    }
}

#[cfg(test)]
mod tests {
    use super::recursive;

    #[test]
    fn the_largest_l_is_found() {
        assert_eq!(recursive([4, 3, 2, 1].into_iter(), 2.0), 3.0);
        assert_eq!(recursive([5].into_iter(), 2.0), 1.0);
        assert_eq!(recursive([5].into_iter(), 1.0), 0.0);
        assert_eq!(recursive([1, 1, 1].into_iter(), 2.0), 3.0);
    }
}
