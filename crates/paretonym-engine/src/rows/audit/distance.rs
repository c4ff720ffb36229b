//! How far the values of a group are from those of all rows: the earth mover's distance on values without an order, with an
//! order, or in a tree.

use paretonym::data::Decimal;
use paretonym::taxonomy::Hierarchy;

use super::Distance;
use super::groups::{SensitiveValue, SensitiveValues};

/// What it costs to move mass between values.
pub(super) struct MovingCosts<'a> {
    pub size: usize,
    geometry: Geometry<'a>,
}

pub(super) enum Geometry<'a> {
    Nominal,
    Ordered,
    Tree(&'a Hierarchy),
}

impl<'a> MovingCosts<'a> {
    pub fn new(distance: &'a Distance, values: &SensitiveValues, decimal: Decimal) -> Self {
        let number =
            |value: &SensitiveValue| matches!(value, SensitiveValue::Text(text) if decimal.read(text).is_some());
        let (size, geometry) = match distance {
            Distance::Nominal => (values.names.len(), Geometry::Nominal),
            Distance::Ordered => (values.names.len(), Geometry::Ordered),
            Distance::Guessed if values.names.iter().all(number) => (values.names.len(), Geometry::Ordered),
            Distance::Guessed => (values.names.len(), Geometry::Nominal),
            Distance::Declared(declared) => {
                let geometry = match (&declared.tree, declared.ordered) {
                    (Some(tree), _) => Geometry::Tree(tree),
                    (None, true) => Geometry::Ordered,
                    (None, false) => Geometry::Nominal,
                };
                (declared.original.len(), geometry)
            }
        };
        MovingCosts { size, geometry }
    }

    pub fn name(&self) -> &'static str {
        match self.geometry {
            Geometry::Nominal => "nominal",
            Geometry::Ordered => "ordered",
            Geometry::Tree(_) => "tree",
        }
    }
}

/// The distribution that groups are held against: sums of it, so that a group costs what it holds and not what the column
/// could hold.
pub(super) struct ReferenceRows<'a> {
    geometry: &'a Geometry<'a>,
    /// Rows in all.
    rows: u64,
    /// Rows of each set of each level of a tree; elsewhere of each value.
    levels: Vec<Vec<u64>>,
    /// Ordered values: rows up to each value, and the sum of these up to each.
    up_to: Vec<u64>,
    sums: Vec<u128>,
}

impl<'a> ReferenceRows<'a> {
    pub fn new(ground: &'a MovingCosts<'a>, values: &[u64]) -> Self {
        let (mut levels, mut up_to, mut sums) = (vec![values.to_vec()], Vec::new(), Vec::new());
        match &ground.geometry {
            Geometry::Nominal => {}
            Geometry::Ordered => {
                let (mut rows, mut sum) = (0, 0);
                for own in values {
                    rows += own;
                    sum += u128::from(rows);
                    up_to.push(rows);
                    sums.push(sum);
                }
            }
            Geometry::Tree(tree) => {
                for height in 1..=tree.height() {
                    let level = tree.level(height);
                    let mut rows = vec![0; level.labels.len()];
                    level.set_of.iter().zip(values).for_each(|(set, own)| rows[*set as usize] += own);
                    levels.push(rows);
                }
            }
        }
        ReferenceRows { geometry: &ground.geometry, rows: values.iter().sum(), levels, up_to, sums }
    }

    /// The work to turn the distribution of a group, given by its values in order and the rows of each, into this one.
    pub fn work(&self, group: &[(usize, u64)]) -> f64 {
        let rows: u64 = group.iter().map(|(_, rows)| rows).sum();
        let own = |count: u64| count as f64 / rows as f64;
        let reference = |count: u64| count as f64 / self.rows.max(1) as f64;
        match self.geometry {
            // What both have stays where it is.
            Geometry::Nominal => {
                1.0 - group.iter().map(|(at, count)| own(*count).min(reference(self.levels[0][*at]))).sum::<f64>()
            }
            Geometry::Ordered => {
                let steps = self.up_to.len() - 1;
                let (mut held, mut work) = (0, 0.0);
                let ends = group.iter().map(|(at, _)| *at).chain([steps]);
                let counts = [0].into_iter().chain(group.iter().map(|(_, count)| *count));
                let mut start = 0;
                for (end, count) in ends.zip(counts) {
                    held += count;
                    work += self.between(start, end.min(steps), own(held));
                    start = end.min(steps);
                }
                work / steps.max(1) as f64
            }
            Geometry::Tree(tree) => {
                // Level by level: what a set's parts cannot settle among themselves goes up. A set that has one part
                // settles nothing, and neither does one of which the group holds nothing.
                let mut parts: Vec<(usize, u64)> = group.to_vec();
                let mut work = 0.0;
                for height in 1..=tree.height() {
                    let (level, below) = (tree.level(height), tree.level(height - 1));
                    let set = |leaf: usize| level.set_of[leaf] as usize;
                    let mut settled = 0.0;
                    let mut sets: Vec<(usize, u64)> = Vec::with_capacity(parts.len());
                    for inside in parts.chunk_by(|left, right| set(left.0) == set(right.0)) {
                        let too_much = |(leaf, count): &(usize, u64)| {
                            let part = self.levels[height - 1][below.set_of[*leaf] as usize];
                            f64::max(own(*count) - reference(part), 0.0)
                        };
                        let surplus: f64 = inside.iter().map(too_much).sum();
                        let count: u64 = inside.iter().map(|(_, count)| count).sum();
                        let over = own(count) - reference(self.levels[height][set(inside[0].0)]);
                        settled += f64::min(surplus, surplus - over).max(0.0);
                        sets.push((inside[0].0, count));
                    }
                    work += settled * height as f64 / tree.height() as f64;
                    parts = sets;
                }
                work
            }
        }
    }

    /// The sum over the values from `start` on, before `end`, of how far the share up to them is from `share`.
    fn between(&self, start: usize, end: usize, share: f64) -> f64 {
        let all = self.rows.max(1) as f64;
        // Shares up to a value never fall, so that they lie below at first and above from some value on.
        let turn = start + self.up_to[start..end].partition_point(|rows| (*rows as f64 / all) < share);
        let sum = |from: usize, to: usize| {
            let before = |at: usize| if at == 0 { 0 } else { self.sums[at - 1] };
            (before(to) - before(from)) as f64 / all
        };
        (share * (turn - start) as f64 - sum(start, turn)) + (sum(turn, end) - share * (end - turn) as f64)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use paretonym::taxonomy::Level;
    use proptest::prelude::*;

    #[test]
    fn distances_of_one_value_from_three() {
        let work = |geometry| ReferenceRows::new(&MovingCosts { size: 3, geometry }, &[1, 1, 1]).work(&[(0, 1)]);
        assert!((work(Geometry::Nominal) - 2.0 / 3.0).abs() < 1e-12);
        assert!((work(Geometry::Ordered) - 0.5).abs() < 1e-12);
        let leaves: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
        let middle = Level { set_of: vec![0, 0, 1], labels: vec!["ab".into(), "c".into()] };
        let tree = Hierarchy::from_partitions("x", &leaves, vec![middle]).unwrap();
        // A third moves within {a, b} at half the cost, a third from {a, b} to c at the full cost.
        assert!((work(Geometry::Tree(&tree)) - (1.0 / 6.0 + 1.0 / 3.0)).abs() < 1e-12);
    }

    /// The definition, value by value.
    fn slow(geometry: &Geometry, reference: &[u64], group: &[(usize, u64)]) -> f64 {
        let (all, rows): (u64, u64) = (reference.iter().sum(), group.iter().map(|(_, rows)| rows).sum());
        let mut extra: Vec<f64> = reference.iter().map(|own| -(*own as f64) / all as f64).collect();
        group.iter().for_each(|(at, own)| extra[*at] += *own as f64 / rows as f64);
        match geometry {
            Geometry::Nominal => extra.iter().map(|extra| extra.abs()).sum::<f64>() / 2.0,
            Geometry::Ordered => {
                let steps = extra.len() - 1;
                (0..steps).map(|at| extra[..=at].iter().sum::<f64>().abs()).sum::<f64>() / steps.max(1) as f64
            }
            Geometry::Tree(tree) => {
                let of = |node: u32| {
                    let leaves = &tree.nodes()[node as usize].leaves;
                    extra[leaves.start as usize..leaves.end as usize].iter().sum::<f64>()
                };
                let cost = |node: &paretonym::taxonomy::Node| {
                    let more: f64 = node.children.iter().map(|child| of(*child).max(0.0)).sum();
                    let less: f64 = node.children.iter().map(|child| (-of(*child)).max(0.0)).sum();
                    f64::from(node.level) / tree.height() as f64 * more.min(less)
                };
                tree.nodes().iter().map(cost).sum()
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn a_group_costs_what_it_holds_and_comes_to_what_the_definition_says(
            reference in proptest::collection::vec(0u64..1000, 2..50),
            held in proptest::collection::vec((0usize..50, 1u64..60), 1..10),
            joins in proptest::collection::vec(2usize..4, 0..4),
        ) {
            let (mut reference, mut group) = (reference, BTreeMap::new());
            held.iter().for_each(|(at, rows)| *group.entry(at % reference.len()).or_insert(0) += rows);
            group.iter().for_each(|(at, rows)| reference[*at] += rows);
            let group: Vec<(usize, u64)> = group.into_iter().collect();
            let leaves: Vec<String> = (0..reference.len()).map(|leaf| leaf.to_string()).collect();
            let mut size = 1;
            let levels = joins.iter().map(|join| {
                size *= join;
                let set_of: Vec<u32> = (0..leaves.len()).map(|leaf| (leaf / size) as u32).collect();
                let labels = (0..leaves.len().div_ceil(size)).map(|set| format!("{set} of {size}")).collect();
                Level { set_of, labels }
            });
            let tree = Hierarchy::from_partitions("x", &leaves, levels.collect()).unwrap();
            for geometry in [Geometry::Nominal, Geometry::Ordered, Geometry::Tree(&tree)] {
                let ground = MovingCosts { size: reference.len(), geometry };
                let (quick, slow) = (ReferenceRows::new(&ground, &reference).work(&group), slow(&ground.geometry, &reference, &group));
                prop_assert!((quick - slow).abs() < 1e-12, "{}: {quick} for {slow}", ground.name());
            }
        }
    }
}
