//! **t-closeness.** Level = earth mover's distance between the group's and the table's distribution of the sensitive
//! values (smaller is better); the reference is the whole original table, before suppression. The maximum over the
//! sensitive columns.
//!
//! - Nominal: half the sum of |p_i - q_i|.
//! - Ordered (numeric and ordinal columns), m values: sum over i < m of |sum over j <= i of (p_j - q_j)| / (m - 1).
//! - Taxonomy of height H: each inner node costs height / H times the smaller of the surplus and the shortage among its
//!   children.
//!
//! Example: values a, b, c equally frequent in the table, a group of a alone: nominal 2/3, ordered 1/2.
//! Monotone: the table's worst level, while nothing is suppressed (the distance is convex).
//! Reference: Li, Li and Venkatasubramanian 2007.

use super::{ATTRIBUTES, measure_by_level, sensitive_columns};
use crate::data::Kind;
use crate::error::Result;
use crate::group::{Attribute, FrequencyTable, GroupView};
use crate::measure::{Behaviour, Entry, Privacy, PrivacyEntry, Sense};
use crate::taxonomy::Hierarchy;

/// Its line in the catalogue.
pub const ENTRY: PrivacyEntry = PrivacyEntry {
    entry: Entry {
        name: "t",
        aliases: &["t-closeness"],
        summary: "distance of a group's sensitive values from the whole table's (earth mover's)",
        parameters: &[],
        reference: "Li, Li and Venkatasubramanian 2007",
    },
    behaviour: Behaviour::WorstGroup,
    make: |table, _| Ok(Box::new(TCloseness::new(table)?)),
};

/// See the head of this file.
pub struct TCloseness {
    columns: Vec<(usize, Reference)>,
}

impl TCloseness {
    /// For all sensitive columns of a table; each by the distance that its kind calls for.
    pub fn new(table: &FrequencyTable) -> Result<Self> {
        let columns = sensitive_columns(table, "t")?;
        let reference = |column: usize| (column, Reference::new(&table.attributes[column]));
        Ok(TCloseness { columns: columns.into_iter().map(reference).collect() })
    }
}

measure_by_level!(TCloseness, Sense::Min, ATTRIBUTES, |_: &TCloseness| "t".to_owned());

impl Privacy for TCloseness {
    fn level(&self, group: GroupView) -> f64 {
        let distances = self.columns.iter().map(|(column, reference)| {
            let (values, counts) = group.attribute(*column);
            reference.distance(values, counts, f64::from(group.rows()))
        });
        distances.fold(0.0, f64::max)
    }

    fn behaviour(&self) -> Behaviour {
        Behaviour::WorstGroup
    }
}

/// The table's distribution of one column, and what it costs to move mass within it.
pub struct Reference {
    shares: Vec<f64>,
    ground: Ground,
}

enum Ground {
    Nominal,
    Ordered,
    Tree(Hierarchy),
}

impl Reference {
    /// The distribution of an attribute over the whole table.
    pub fn new(attribute: &Attribute) -> Self {
        let rows: u64 = attribute.totals.iter().sum();
        let shares = attribute.totals.iter().map(|count| *count as f64 / rows as f64).collect();
        let ground = match (&attribute.hierarchy, attribute.domain.kind) {
            (Some(hierarchy), _) => Ground::Tree(hierarchy.clone()),
            (None, Kind::Categorical) => Ground::Nominal,
            (None, _) => Ground::Ordered,
        };
        Reference { shares, ground }
    }

    /// Values without order, given by their rows in the whole table.
    pub fn nominal(totals: &[u64]) -> Self {
        let rows: u64 = totals.iter().sum();
        let shares = totals.iter().map(|count| *count as f64 / rows as f64).collect();
        Reference { shares, ground: Ground::Nominal }
    }

    /// The distance of a group, given by its values and their counts.
    pub fn distance(&self, values: &[u32], counts: &[u32], rows: f64) -> f64 {
        let share = |count: u32| f64::from(count) / rows;
        match &self.ground {
            Ground::Nominal => {
                let (mut moved, mut shared) = (0.0, 0.0);
                for (&value, &count) in values.iter().zip(counts) {
                    let reference = self.shares[value as usize];
                    moved += (share(count) - reference).abs();
                    shared += reference;
                }
                (moved + (1.0 - shared).max(0.0)) / 2.0
            }
            Ground::Ordered => {
                if self.shares.len() < 2 {
                    return 0.0;
                }
                let mut own = values.iter().zip(counts).peekable();
                let (mut carried, mut work) = (0.0, 0.0f64);
                for (value, reference) in self.shares[..self.shares.len() - 1].iter().enumerate() {
                    let here = own.next_if(|(code, _)| **code as usize == value).map_or(0.0, |(_, n)| share(*n));
                    carried += here - reference;
                    work += f64::abs(carried);
                }
                work / (self.shares.len() - 1) as f64
            }
            Ground::Tree(hierarchy) => {
                let nodes = hierarchy.nodes();
                let mut extra: Vec<f64> = self.shares.iter().map(|reference| -reference).collect();
                values.iter().zip(counts).for_each(|(value, count)| extra[*value as usize] += share(*count));
                let mut below = vec![0.0; nodes.len()];
                let mut work = 0.0;
                // Children come after their parents in pre-order, so going backwards meets them first.
                for (at, node) in nodes.iter().enumerate().rev() {
                    if node.children.is_empty() {
                        below[at] = extra[node.leaves.start as usize];
                        continue;
                    }
                    let (mut surplus, mut shortage) = (0.0, 0.0);
                    for child in &node.children {
                        let extra: f64 = below[*child as usize];
                        surplus += extra.max(0.0);
                        shortage += (-extra).max(0.0);
                    }
                    below[at] = surplus - shortage;
                    work += f64::from(node.level) / hierarchy.height() as f64 * f64::min(surplus, shortage);
                }
                work
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Domain;
    use crate::taxonomy::Level;

    fn attribute(kind: Kind, totals: &[u64], hierarchy: Option<Hierarchy>) -> Attribute {
        let labels = (0..totals.len()).map(|value| value.to_string()).collect();
        Attribute {
            name: "s".into(),
            sensitive: true,
            target: false,
            domain: Domain::of_labels(kind, labels),
            hierarchy,
            totals: totals.to_vec(),
        }
    }

    #[test]
    fn nominal_and_ordered() {
        let nominal = Reference::new(&attribute(Kind::Categorical, &[1, 1, 1], None));
        assert!((nominal.distance(&[0], &[4], 4.0) - 2.0 / 3.0).abs() < 1e-12);
        let ordered = Reference::new(&attribute(Kind::Ordinal, &[1, 1, 1], None));
        assert!((ordered.distance(&[0], &[4], 4.0) - 0.5).abs() < 1e-12);
        assert_eq!(Reference::new(&attribute(Kind::Ordinal, &[9], None)).distance(&[0], &[4], 4.0), 0.0);
    }

    /// Nine salaries 3k to 11k, the example of Li et al.: {3k,4k,5k} is at 0.375, {6k,8k,11k} at 0.167.
    #[test]
    fn ordered_salaries() {
        let ordered = Reference::new(&attribute(Kind::Numeric, &[1; 9], None));
        assert!((ordered.distance(&[0, 1, 2], &[1, 1, 1], 3.0) - 0.375).abs() < 1e-12);
        assert!((ordered.distance(&[3, 5, 8], &[1, 1, 1], 3.0) - 1.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn a_tree_moves_cheaply_within_a_branch() {
        let labels: Vec<String> = (0..4).map(|value| value.to_string()).collect();
        let pairs = Level { set_of: vec![0, 0, 1, 1], labels: vec!["x".into(), "y".into()] };
        let hierarchy = Hierarchy::from_partitions("s", &labels, vec![pairs]).unwrap();
        let tree = Reference::new(&attribute(Kind::Categorical, &[1; 4], Some(hierarchy)));
        // 1/2 to fill its sister at half the height, 1/2 to the other branch at full height: 1/4 * 1/2 + 1/2.
        assert!((tree.distance(&[0], &[1], 1.0) - 0.625).abs() < 1e-12);
        assert!((tree.distance(&[0, 2], &[1, 1], 2.0) - 0.25).abs() < 1e-12);
    }
}
