//! t-closeness: how far the sensitive values of a group are from those of the whole table.
//!
//! A group costs what it holds, however many values the column has: between two of its values the carried mass is
//! constant, so that sums over the reference answer for all values between, and only nodes above its values have a
//! surplus. Whole numbers of rows keep the sums exact.

mod branches;
mod running;

use self::branches::Branches;
use self::running::Running;
use super::{ATTRIBUTES, measure_by_level, sensitive_columns};
use crate::data::Kind;
use crate::error::Result;
use crate::group::{Attribute, FrequencyTable, GroupView};
use crate::measure::{Behaviour, CatalogEntry, Letter, Privacy, PrivacyEntry, Sense};

/// Its line in the catalogue.
pub const ENTRY: PrivacyEntry = PrivacyEntry {
    entry: CatalogEntry {
        name: "t",
        aliases: &["t-closeness"],
        summary: "distance of a group's sensitive values from the whole table's (earth mover's)",
        parameters: &[],
        reference: "Li, Li and Venkatasubramanian 2007",
    },
    behaviour: Behaviour::WorstGroup,
    letter: Letter::T,
    sense: Sense::Min,
    sensitive: true,
    make: |table, _| Ok(Box::new(TCloseness::new(table)?)),
};

/// t-closeness: the level of a group is the earth mover's distance between its own and the table's distribution of the
/// sensitive values. Less is better. The reference is the whole original table, before suppression; the maximum over
/// the sensitive columns.
///
/// - Nominal: half the sum of |p_i - q_i|.
/// - Ordered (numeric and ordinal columns), m values: sum over i < m of |sum over j <= i of (p_j - q_j)| / (m -
///   1).
/// - Taxonomy of height H: each inner node costs height / H times the smaller of the surplus and the shortage
///   among its children.
///
/// Example: values a, b, c equally frequent in the table, a group of a alone: nominal 2/3, ordered 1/2.
///
/// Monotone: the table's worst level, while nothing is suppressed (the distance is convex).
/// [Reference](mod@crate::theory::references): Li, Li and Venkatasubramanian 2007.
///
/// In the catalogue `t`: [definition](crate::theory::definitions#t).
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
        let distances = self
            .columns
            .iter()
            .map(|(column, reference)| reference.distance(group.attribute(*column).iter(), group.rows() as f64));
        distances.fold(0.0, f64::max)
    }

    /// The distance of the whole is at most the mean of those of its parts, and none is above 1: what is lost makes up for
    /// what the whole is too far away.
    fn least_lost(&self, group: GroupView, level: f64) -> u64 {
        let beyond = self.level(group) - level;
        if beyond <= 0.0 {
            return 0;
        }
        (group.rows() as f64 * beyond / (1.0 - level) * (1.0 - 1e-9) - 1e-6).ceil().max(0.0) as u64
    }

    fn behaviour(&self) -> Behaviour {
        Behaviour::WorstGroup
    }

    fn letter(&self) -> Letter {
        ENTRY.letter
    }
}

/// The table's distribution of one column, and what it costs to move mass within it.
pub struct Reference {
    /// Rows of the table per value, and all of them.
    totals: Vec<u64>,
    rows: u64,
    ground: Ground,
}

enum Ground {
    Nominal,
    Ordered(Running),
    Tree(Branches),
}

impl Reference {
    /// The distribution of an attribute over the whole table.
    pub fn new(attribute: &Attribute) -> Self {
        let ground = match (&attribute.hierarchy, attribute.domain.kind) {
            (Some(hierarchy), _) => Ground::Tree(Branches::new(hierarchy, &attribute.totals)),
            (None, Kind::Categorical) => Ground::Nominal,
            (None, _) => Ground::Ordered(Running::new(&attribute.totals)),
        };
        Reference { totals: attribute.totals.clone(), rows: attribute.totals.iter().sum(), ground }
    }

    /// Values without order, given by their rows in the whole table.
    pub fn nominal(totals: &[u64]) -> Self {
        Reference { totals: totals.to_vec(), rows: totals.iter().sum(), ground: Ground::Nominal }
    }

    /// The distance of a group, given by its values, ascending, with their counts.
    pub fn distance(&self, held: impl Iterator<Item = (u32, u64)> + Clone, rows: f64) -> f64 {
        match &self.ground {
            Ground::Nominal => {
                let (mut moved, mut shared) = (0.0, 0.0);
                for (value, count) in held {
                    let reference = self.totals[value as usize] as f64 / self.rows as f64;
                    moved += (count as f64 / rows - reference).abs();
                    shared += reference;
                }
                (moved + (1.0 - shared).max(0.0)) / 2.0
            }
            Ground::Ordered(running) => running.distance(held),
            Ground::Tree(branches) => branches.distance(held, self.rows),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Domain;
    use crate::taxonomy::{Hierarchy, Level};
    use proptest::prelude::*;

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

    fn held<'a>(values: &'a [u32], counts: &'a [u32]) -> impl Iterator<Item = (u32, u64)> + Clone + 'a {
        values.iter().zip(counts).map(|(value, count)| (*value, u64::from(*count)))
    }

    #[test]
    fn nominal_and_ordered() {
        let nominal = Reference::new(&attribute(Kind::Categorical, &[1, 1, 1], None));
        assert!((nominal.distance(held(&[0], &[4]), 4.0) - 2.0 / 3.0).abs() < 1e-12);
        let ordered = Reference::new(&attribute(Kind::Ordinal, &[1, 1, 1], None));
        assert!((ordered.distance(held(&[0], &[4]), 4.0) - 0.5).abs() < 1e-12);
        assert_eq!(Reference::new(&attribute(Kind::Ordinal, &[9], None)).distance(held(&[0], &[4]), 4.0), 0.0);
    }

    /// Nine salaries 3k to 11k, the example of Li, Li and Venkatasubramanian 2007: {3k,4k,5k} is at 0.375, {6k,8k,11k} at
    /// 0.167.
    #[test]
    fn ordered_salaries() {
        let ordered = Reference::new(&attribute(Kind::Numeric, &[1; 9], None));
        assert!((ordered.distance(held(&[0, 1, 2], &[1, 1, 1]), 3.0) - 0.375).abs() < 1e-12);
        assert!((ordered.distance(held(&[3, 5, 8], &[1, 1, 1]), 3.0) - 1.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn a_tree_moves_cheaply_within_a_branch() {
        let labels: Vec<String> = (0..4).map(|value| value.to_string()).collect();
        let pairs = Level { set_of: vec![0, 0, 1, 1], labels: vec!["x".into(), "y".into()] };
        let hierarchy = Hierarchy::from_partitions("s", &labels, vec![pairs]).unwrap();
        let tree = Reference::new(&attribute(Kind::Categorical, &[1; 4], Some(hierarchy)));
        // 1/2 to fill its sister at half the height, 1/2 to the other branch at full height: 1/4 * 1/2 + 1/2.
        assert!((tree.distance(held(&[0], &[1]), 1.0) - 0.625).abs() < 1e-12);
        assert!((tree.distance(held(&[0, 2], &[1, 1]), 2.0) - 0.25).abs() < 1e-12);
    }

    /// As [`TCloseness`] says it, value by value.
    fn naive(attribute: &Attribute, values: &[u32], counts: &[u32]) -> f64 {
        let (all, rows): (u64, u32) = (attribute.totals.iter().sum(), counts.iter().sum());
        let mut extra: Vec<f64> = attribute.totals.iter().map(|count| -(*count as f64) / all as f64).collect();
        values
            .iter()
            .zip(counts)
            .for_each(|(value, count)| extra[*value as usize] += f64::from(*count) / f64::from(rows));
        let Some(hierarchy) = &attribute.hierarchy else {
            if attribute.domain.kind == Kind::Categorical {
                return extra.iter().map(|extra| extra.abs()).sum::<f64>() / 2.0;
            }
            let places = extra.len() - 1;
            let carried = |place: usize| extra[..=place].iter().sum::<f64>().abs();
            return (0..places).map(carried).sum::<f64>() / places.max(1) as f64;
        };
        let of = |node: u32| {
            let leaves = &hierarchy.nodes()[node as usize].leaves;
            extra[leaves.start as usize..leaves.end as usize].iter().sum::<f64>()
        };
        let cost = |node: &crate::taxonomy::Node| {
            let more: f64 = node.children.iter().map(|child| of(*child).max(0.0)).sum();
            let less: f64 = node.children.iter().map(|child| (-of(*child)).max(0.0)).sum();
            f64::from(node.level) / hierarchy.height() as f64 * more.min(less)
        };
        hierarchy.nodes().iter().map(cost).sum()
    }

    /// Partitions into runs, each level joining neighbours of the one below.
    fn tree(leaves: usize, joins: &[usize]) -> Hierarchy {
        let labels: Vec<String> = (0..leaves).map(|value| value.to_string()).collect();
        let (mut levels, mut size) = (Vec::new(), 1);
        for join in joins {
            size *= join;
            let set_of: Vec<u32> = (0..leaves).map(|leaf| (leaf / size) as u32).collect();
            let labels = (0..leaves.div_ceil(size)).map(|set| format!("{set} of {size}")).collect();
            levels.push(Level { set_of, labels });
        }
        Hierarchy::from_partitions("s", &labels, levels).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn a_group_costs_what_it_holds_and_comes_to_what_the_formula_says(
            totals in proptest::collection::vec(0u64..1000, 2..60),
            entries in proptest::collection::vec((0usize..60, 1u32..50), 1..12),
            joins in proptest::collection::vec(2usize..4, 0..4),
        ) {
            let mut totals = totals;
            let mut group = std::collections::BTreeMap::new();
            entries.iter().for_each(|(value, count)| *group.entry((value % totals.len()) as u32).or_insert(0u32) += count);
            // A group is part of the table.
            group.iter().for_each(|(value, count)| totals[*value as usize] += u64::from(*count));
            let (values, counts): (Vec<u32>, Vec<u32>) = group.into_iter().unzip();
            let rows = f64::from(counts.iter().sum::<u32>());
            let hierarchy = tree(totals.len(), &joins);
            for (kind, hierarchy) in [(Kind::Categorical, None), (Kind::Ordinal, None), (Kind::Categorical, Some(hierarchy))] {
                let attribute = attribute(kind, &totals, hierarchy);
                let quick = Reference::new(&attribute).distance(held(&values, &counts), rows);
                let slow = naive(&attribute, &values, &counts);
                prop_assert!((quick - slow).abs() < 1e-12, "{quick} for {slow}");
            }
        }
    }
}
