//! l-diversity in all forms, (alpha,k) and t-closeness of the sensitive columns (DEFINITIONS: groups and privacy).

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
    let enough = |l: &usize| (counts[0] as f64) < c * counts[l - 1..].iter().sum::<u64>() as f64;
    (1..=counts.len()).rev().find(enough).unwrap_or(0) as u64
}

/// What it costs to move mass between values.
struct Ground<'a> {
    size: usize,
    kind: Kind<'a>,
}

enum Kind<'a> {
    Nominal,
    Ordered,
    Tree(&'a Hierarchy),
}

impl<'a> Ground<'a> {
    fn new(distance: &'a Distance, values: &Values, decimal: Decimal) -> Self {
        let number = |value: &Value| matches!(value, Value::Text(text) if decimal.read(text).is_some());
        let (size, kind) = match distance {
            Distance::Nominal => (values.names.len(), Kind::Nominal),
            Distance::Ordered => (values.names.len(), Kind::Ordered),
            Distance::Guessed if values.names.iter().all(number) => (values.names.len(), Kind::Ordered),
            Distance::Guessed => (values.names.len(), Kind::Nominal),
            Distance::Declared(declared) => {
                let kind = match (&declared.tree, declared.ordered) {
                    (Some(tree), _) => Kind::Tree(tree),
                    (None, true) => Kind::Ordered,
                    (None, false) => Kind::Nominal,
                };
                (declared.original.len(), kind)
            }
        };
        Ground { size, kind }
    }

    fn name(&self) -> &'static str {
        match self.kind {
            Kind::Nominal => "nominal",
            Kind::Ordered => "ordered",
            Kind::Tree(_) => "tree",
        }
    }

    /// The work to turn one distribution into the other, given what each value has too much.
    fn work(&self, extra: &[f64]) -> f64 {
        match self.kind {
            Kind::Nominal => extra.iter().map(|extra| extra.abs()).sum::<f64>() / 2.0,
            Kind::Ordered if extra.len() < 2 => 0.0,
            Kind::Ordered => {
                let mut carried = 0.0;
                let steps = extra[..extra.len() - 1].iter().map(|extra| {
                    carried += extra;
                    f64::abs(carried)
                });
                steps.sum::<f64>() / (extra.len() - 1) as f64
            }
            // Level by level: what a set's parts cannot settle among themselves goes up. A set that has one part
            // settles nothing, so that a branch which skips levels costs nothing there.
            Kind::Tree(tree) => {
                let mut parts = extra.to_vec();
                let mut work = 0.0;
                for height in 1..=tree.height() {
                    let (level, below) = (tree.level(height), tree.level(height - 1));
                    let sets = level.labels.len();
                    let (mut surplus, mut shortage) = (vec![0.0; sets], vec![0.0; sets]);
                    for (leaf, &part) in below.set_of.iter().enumerate() {
                        let first = leaf == 0 || below.set_of[leaf - 1] != part;
                        if first {
                            let extra = parts[part as usize];
                            surplus[level.set_of[leaf] as usize] += f64::max(extra, 0.0);
                            shortage[level.set_of[leaf] as usize] += f64::max(-extra, 0.0);
                        }
                    }
                    let settled: f64 = surplus.iter().zip(&shortage).map(|(more, less)| f64::min(*more, *less)).sum();
                    work += settled * height as f64 / tree.height() as f64;
                    parts = surplus.iter().zip(&shortage).map(|(more, less)| more - less).collect();
                }
                work
            }
        }
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
    let all: u64 = reference.iter().sum();
    let shares: Vec<f64> = reference.iter().map(|rows| *rows as f64 / all.max(1) as f64).collect();
    let mut worst = 0.0f64;
    for group in by_group(values) {
        let rows: u64 = group.iter().map(|(_, _, rows)| rows).sum();
        let mut extra: Vec<f64> = shares.iter().map(|share| -share).collect();
        for (_, value, count) in group {
            match positions[*value as usize] {
                Some(at) => extra[at] += *count as f64 / rows as f64,
                None => return 1.0,
            }
        }
        worst = worst.max(ground.work(&extra));
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::*;
    use paretonym::taxonomy::Level;

    #[test]
    fn the_largest_l_of_the_recursive_form() {
        assert_eq!(recursive(&[4, 3, 2, 1], 2.0), 3);
        assert_eq!(recursive(&[5], 2.0), 1);
        assert_eq!(recursive(&[5], 1.0), 0);
        assert_eq!(recursive(&[1, 1, 1], 2.0), 3);
    }

    #[test]
    fn distances_of_one_value_from_three() {
        let extra = [2.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0];
        let work = |kind| Ground { size: 3, kind }.work(&extra);
        assert!((work(Kind::Nominal) - 2.0 / 3.0).abs() < 1e-12);
        assert!((work(Kind::Ordered) - 0.5).abs() < 1e-12);
        let leaves: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
        let middle = Level { set_of: vec![0, 0, 1], labels: vec!["ab".into(), "c".into()] };
        let tree = Hierarchy::from_partitions("x", &leaves, vec![middle]).unwrap();
        // A third moves within {a, b} at half the cost, a third from {a, b} to c at the full cost.
        assert!((work(Kind::Tree(&tree)) - (1.0 / 6.0 + 1.0 / 3.0)).abs() < 1e-12);
    }
}
