//! l-diversity in all forms, (alpha,k) and t-closeness of the sensitive columns (docs/definitions.md: privacy models).

use std::collections::BTreeMap;

use paretonym::data::MISSING;
use paretonym::release::{Audit, Diversity};

use super::distance::{MovingCosts, ReferenceRows};
use super::groups::{Groups, SensitiveValue, SensitiveValues};
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
        let ground = MovingCosts::new(&column.distance, values, request.decimal);
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
fn by_group(values: &SensitiveValues) -> impl Iterator<Item = &[(u32, u32, u64)]> {
    values.entries.chunk_by(|left, right| left.0 == right.0)
}

/// The worst levels over all groups, and the largest share of one value.
fn levels(values: &SensitiveValues, c: f64) -> (Diversity, f64) {
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

/// Where each value that occurs lies on the ground.
fn positions(distance: &Distance, values: &SensitiveValues, ground: &MovingCosts) -> Vec<Option<usize>> {
    let declared = matches!(distance, Distance::Declared(_));
    let place = |(at, value): (usize, &SensitiveValue)| match value {
        SensitiveValue::Leaf(leaf) if declared => {
            (*leaf != MISSING && (*leaf as usize) < ground.size).then_some(*leaf as usize)
        }
        _ => Some(at),
    };
    values.names.iter().enumerate().map(place).collect()
}

/// Rows per position over the whole file.
fn totals(values: &SensitiveValues, positions: &[Option<usize>], size: usize) -> Vec<u64> {
    let mut totals = vec![0; size];
    for (_, value, rows) in &values.entries {
        if let Some(at) = positions[*value as usize] {
            totals[at] += rows;
        }
    }
    totals
}

/// The largest distance of a group from a reference. A value that the reference does not know is as far as can be.
fn closeness(values: &SensitiveValues, positions: &[Option<usize>], ground: &MovingCosts, reference: &[u64]) -> f64 {
    let reference = ReferenceRows::new(ground, reference);
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

    #[test]
    fn the_largest_l_of_the_recursive_form() {
        assert_eq!(recursive(&[4, 3, 2, 1], 2.0), 3);
        assert_eq!(recursive(&[5], 2.0), 1);
        assert_eq!(recursive(&[5], 1.0), 0);
        assert_eq!(recursive(&[1, 1, 1], 2.0), 3);
    }

    #[test]
    fn a_dominant_value_among_many_is_found_at_once() {
        let counts: Vec<u64> = [1_000_000].into_iter().chain(std::iter::repeat_n(1, 500_000)).collect();
        assert_eq!(recursive(&counts, 2.0), 1);
        assert_eq!(recursive(&counts, 2.5), 100_001);
    }
}
