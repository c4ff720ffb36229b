//! Entropy l-diversity: how evenly the sensitive values are spread.

use super::{ATTRIBUTES, measure_by_level, sensitive_columns};
use crate::engine::LooksAt;
use crate::error::Result;
use crate::group::{FrequencyTable, GroupView};
use crate::measure::{Behaviour, CatalogEntry, Diversity, Letter, Privacy, PrivacyEntry, SAME_LEVEL, Sense};

/// Its line in the catalogue.
pub const ENTRY: PrivacyEntry = PrivacyEntry {
    entry: CatalogEntry {
        name: "entropy-l",
        aliases: &[],
        summary: "exp of the entropy of the sensitive values in a group",
        parameters: &[],
        reference: "Machanavajjhala et al. 2006",
    },
    behaviour: Behaviour::WorstGroup,
    letter: Letter::L(Diversity::Entropy),
    sense: Sense::Max,
    sensitive: true,
    make: |table, _| Ok(Box::new(EntropyL::new(table)?)),
};

/// Entropy l-diversity: the level of a group is exp of the entropy of its sensitive values; the minimum over the
/// sensitive columns. More is better.
///
/// A real number: as if there were so many values, equally frequent.
///
/// Example: four rows with four values: exp(ln 4) = 4; values 3 and 1 times: exp(0.5623) = 1.7548.
///
/// Monotone: the table's worst level, while nothing is suppressed (entropy is concave).
/// [Reference](mod@crate::theory::references): Machanavajjhala et al. 2006.
///
/// In the catalogue `entropy-l`: [definition](crate::theory::definitions#entropy-l).
pub struct EntropyL {
    columns: Vec<usize>,
}

impl EntropyL {
    /// For all sensitive columns of a table.
    pub fn new(table: &FrequencyTable) -> Result<Self> {
        Ok(EntropyL { columns: sensitive_columns(table, "entropy-l")? })
    }
}

measure_by_level!(EntropyL, Sense::Max, ATTRIBUTES, |_: &EntropyL| "entropy-l".to_owned());

/// exp of the entropy of a distribution given by counts. Counts are summed in sorted order, so that groups that differ
/// only in which values they hold get the same level to the last bit.
fn effective_values(counts: impl Iterator<Item = u64>) -> f64 {
    let mut sorted: Vec<u64> = counts.collect();
    let rows: f64 = sorted.iter().map(|count| *count as f64).sum();
    sorted.sort_unstable();
    let entropy: f64 = sorted
        .iter()
        .map(|count| {
            let share = *count as f64 / rows;
            -share * share.ln()
        })
        .sum();
    entropy.exp()
}

impl Privacy for EntropyL {
    fn level(&self, group: GroupView) -> f64 {
        let levels = self.columns.iter().map(|column| effective_values(group.attribute(*column).counts()));
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
    use super::effective_values;

    #[test]
    fn equal_shares_count_fully() {
        assert!((effective_values([2, 2, 2, 2].into_iter()) - 4.0).abs() < 1e-12);
        assert!((effective_values([3, 1].into_iter()) - 1.7548).abs() < 1e-4);
        assert!((effective_values([7].into_iter()) - 1.0).abs() < 1e-12);
    }
}
