//! l-diversity in all forms, (alpha,k) and t-closeness of the sensitive columns (docs/definitions.md: privacy models).

use std::collections::BTreeMap;

use paretonym::data::{Decimal, MISSING};
use paretonym::release::{Audit, Diversity};
use paretonym::taxonomy::Hierarchy;

use super::groups::{Groups, Value, Values};
use super::{AuditRequest, Distance};

/// Fills in everything that is measured by sensitive column.
pub(super) fn measure(groups: &Groups, request: &AuditRequest, audit: &mut Audit) {
    if request.sensitive.is_empty() {
        return;
    }
    let (mut l, mut alpha) = (BTreeMap::new(), BTreeMap::new());
    let (mut t, mut t_original, mut distances) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    for (column, values) in request.sensitive.iter().zip(&groups.sensitive) {
        let (diversity, share) = levels(values, request.recursive_c);
        l.insert(column.name.clone(), diversity);
        alpha.insert(column.name.clone(), share);
        let ground = Ground::new(&column.distance, values, request.decimal);
        let positions = positions(&column.distance, values, &ground);
        let own = totals(values, &positions, ground.size);
        t.insert(column.name.clone(), closeness(values, &positions, &ground, &own));
        distances.insert(column.name.clone(), ground.name().to_owned());
        if let Distance::Declared(declared) = &column.distance {
            t_original.insert(column.name.clone(), closeness(values, &positions, &ground, &declared.original));
        }
    }
    audit.l = Some(l);
    audit.alpha = Some(alpha);
    audit.t = Some(t);
    audit.t_original = (!t_original.is_empty()).then_some(t_original);
    audit.t_distance = Some(distances);
}

/// The entries of each group.
fn by_group(values: &Values) -> impl Iterator<Item = &[(u32, u32, u64)]> {
    values.entries.chunk_by(|left, right| left.0 == right.0)
}

/// The worst levels over all groups, and the largest share of one value.
fn levels(values: &Values, c: f64) -> (Diversity, f64) {
    let mut worst =
        Diversity { frequency: u64::MAX, distinct: u64::MAX, entropy: f64::INFINITY, recursive: u64::MAX, c };
    let mut alpha = 0.0f64;
    for group in by_group(values) {
        let mut counts: Vec<u64> = group.iter().map(|(_, _, rows)| *rows).collect();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let rows: u64 = counts.iter().sum();
        let share = |count: u64| count as f64 / rows as f64;
        let entropy: f64 = counts.iter().rev().map(|count| -share(*count) * share(*count).ln()).sum();
        worst.frequency = worst.frequency.min(rows / counts[0]);
        worst.distinct = worst.distinct.min(counts.len() as u64);
        worst.entropy = worst.entropy.min(entropy.exp());
        worst.recursive = worst.recursive.min(recursive(&counts, c));
        alpha = alpha.max(share(counts[0]));
    }
    if values.entries.is_empty() {
        worst = Diversity { c, ..Diversity::default() };
    }
    (worst, alpha)
}

/// The largest l with r_1 < c (r_l + ... + r_m); the counts fall.
fn recursive(counts: &[u64], c: f64) -> u64 {
    let mut tail = 0;
    let enough = |l: &usize| {
        tail += counts[l - 1];
        (counts[0] as f64) < c * tail as f64
    };
    (1..=counts.len()).rev().find(enough).unwrap_or(0) as u64
}

/// What it costs to move mass between values.
struct Ground<'a> {
    size: usize,
    geometry: Geometry<'a>,
}

enum Geometry<'a> {
    Nominal,
    Ordered,
    Tree(&'a Hierarchy),
}

impl<'a> Ground<'a> {
    fn new(distance: &'a Distance, values: &Values, decimal: Decimal) -> Self {
        let number = |value: &Value| matches!(value, Value::Text(text) if decimal.read(text).is_some());
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
        Ground { size, geometry }
    }

    fn name(&self) -> &'static str {
        match self.geometry {
            Geometry::Nominal => "nominal",
            Geometry::Ordered => "ordered",
            Geometry::Tree(_) => "tree",
        }
    }
}

/// The distribution that groups are held against: sums of it, so that a group costs what it holds and not what the column
/// could hold.
struct Reference<'a> {
    geometry: &'a Geometry<'a>,
    /// Rows in all.
    rows: u64,
    /// Rows of each set of each level of a tree; elsewhere of each value.
    levels: Vec<Vec<u64>>,
    /// Ordered values: rows up to each value, and the sum of these up to each.
    up_to: Vec<u64>,
    sums: Vec<u128>,
}

impl<'a> Reference<'a> {
    fn new(ground: &'a Ground<'a>, values: &[u64]) -> Self {
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
        Reference { geometry: &ground.geometry, rows: values.iter().sum(), levels, up_to, sums }
    }

    /// The work to turn the distribution of a group, given by its values in order and the rows of each, into this one.
    fn work(&self, group: &[(usize, u64)]) -> f64 {
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

/// Where each value that occurs lies on the ground.
fn positions(distance: &Distance, values: &Values, ground: &Ground) -> Vec<Option<usize>> {
    let declared = matches!(distance, Distance::Declared(_));
    let place = |(at, value): (usize, &Value)| match value {
        Value::Leaf(leaf) if declared => (*leaf != MISSING && (*leaf as usize) < ground.size).then_some(*leaf as usize),
        _ => Some(at),
    };
    values.names.iter().enumerate().map(place).collect()
}

/// Rows per position over the whole file.
fn totals(values: &Values, positions: &[Option<usize>], size: usize) -> Vec<u64> {
    let mut totals = vec![0; size];
    for (_, value, rows) in &values.entries {
        if let Some(at) = positions[*value as usize] {
            totals[at] += rows;
        }
    }
    totals
}

/// The largest distance of a group from a reference. A value that the reference does not know is as far as can be.
fn closeness(values: &Values, positions: &[Option<usize>], ground: &Ground, reference: &[u64]) -> f64 {
    let reference = Reference::new(ground, reference);
    let mut worst = 0.0f64;
    let mut held: Vec<(usize, u64)> = Vec::new();
    for group in by_group(values) {
        held.clear();
        for (_, value, count) in group {
            match positions[*value as usize] {
                Some(at) => held.push((at, *count)),
                None => return 1.0,
            }
        }
        // Several values may lie at one place.
        held.sort_unstable();
        held.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        worst = worst.max(reference.work(&held));
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;
    use paretonym::taxonomy::Level;
    use proptest::prelude::*;

    #[test]
    fn the_largest_l_of_the_recursive_form() {
        assert_eq!(recursive(&[4, 3, 2, 1], 2.0), 3);
        assert_eq!(recursive(&[5], 2.0), 1);
        assert_eq!(recursive(&[5], 1.0), 0);
        assert_eq!(recursive(&[1, 1, 1], 2.0), 3);
    }

    #[test]
    fn distances_of_one_value_from_three() {
        let work = |geometry| Reference::new(&Ground { size: 3, geometry }, &[1, 1, 1]).work(&[(0, 1)]);
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
                let ground = Ground { size: reference.len(), geometry };
                let (quick, slow) = (Reference::new(&ground, &reference).work(&group), slow(&ground.geometry, &reference, &group));
                prop_assert!((quick - slow).abs() < 1e-12, "{}: {quick} for {slow}", ground.name());
            }
        }
    }

    #[test]
    fn a_dominant_value_among_many_is_found_at_once() {
        let counts: Vec<u64> = [1_000_000].into_iter().chain(std::iter::repeat_n(1, 500_000)).collect();
        assert_eq!(recursive(&counts, 2.0), 1);
        assert_eq!(recursive(&counts, 2.5), 100_001);
    }
}
