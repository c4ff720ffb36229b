//! The non-dominated outcomes met so far.

use super::{Cutoff, Outcome, Point};
use crate::recode::Recoding;

/// One point of a front, with what reaches it: a recoding, or whatever a search knows its recodings by.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontEntry<P = Recoding> {
    /// Its objectives.
    pub point: Point,
    /// What it suppresses.
    pub cutoff: Cutoff,
    /// The recoding that reaches it; of several the smallest, unless the problem breaks the tie.
    pub recoding: P,
    /// How many other recodings reach the same point.
    pub alternatives: u64,
}

/// Keeps one entry per non-dominated objective vector. What it holds does not depend on the order of insertion.
///
/// ```
/// use paretonym::front::{Archive, Cutoff, Outcome, Point};
/// use paretonym::recode::Recoding;
///
/// let mut archive = Archive::new();
/// // Costs: minus k, and a loss.
/// for (level, costs) in [(0, [-1.0, 0.0]), (1, [-2.0, 0.5]), (2, [-2.0, 0.7]), (3, [-5.0, 1.0])] {
///     let outcome = Outcome { point: Point::new(&costs), cutoff: Cutoff::Nothing };
///     archive.insert(&outcome, &Recoding::of_levels(&[level]));
/// }
/// let kept: Vec<&[f64]> = archive.entries().iter().map(|entry| entry.point.costs()).collect();
/// assert_eq!(kept, [[-5.0, 1.0], [-2.0, 0.5], [-1.0, 0.0]], "k = 2 for 0.7 is worse than for 0.5");
/// ```
#[derive(Clone, Debug)]
pub struct Archive<P = Recoding> {
    /// Sorted by the first cost, then the second, and so on.
    entries: Vec<FrontEntry<P>>,
}

impl<P> Default for Archive<P> {
    fn default() -> Self {
        Archive { entries: Vec::new() }
    }
}

impl<P> Archive<P> {
    /// An empty archive.
    pub fn new() -> Self {
        Archive::default()
    }

    /// The same points, reached by something else.
    pub fn map<Q>(self, mut to: impl FnMut(P) -> Q) -> Archive<Q> {
        let entry = |FrontEntry { point, cutoff, recoding, alternatives }| FrontEntry {
            point,
            cutoff,
            recoding: to(recoding),
            alternatives,
        };
        Archive { entries: self.entries.into_iter().map(entry).collect() }
    }

    /// The entries, best first objective first.
    pub fn entries(&self) -> &[FrontEntry<P>] {
        &self.entries
    }

    /// Whether some entry is at least as good in all objectives and not equal: the point is lost.
    pub fn dominates(&self, point: &Point) -> bool {
        self.candidates(point).any(|entry| entry.point.dominates(point))
    }

    /// Whether some entry is at least as good in all objectives.
    pub fn covers(&self, point: &Point) -> bool {
        self.candidates(point).any(|entry| entry.point.covers(point))
    }

    /// Whether some entry has no larger cost in any objective. The costs are taken as they are, unrounded.
    pub fn beats(&self, costs: &[f64]) -> bool {
        let end = self.entries.partition_point(|entry| entry.point.costs()[0] <= costs[0]);
        let start = if costs.len() == 2 { end.saturating_sub(1) } else { 0 };
        self.entries[start..end]
            .iter()
            .any(|entry| entry.point.costs().iter().zip(costs).all(|(own, cost)| own <= cost))
    }

    /// The entries that could be at least as good. With two objectives the last one whose first cost is no larger has
    /// the least second cost, so that it alone decides.
    fn candidates(&self, point: &Point) -> impl Iterator<Item = &FrontEntry<P>> {
        let own = point.costs();
        let end = self.entries.partition_point(|entry| entry.point.costs()[0] <= own[0]);
        let start = if own.len() == 2 { end.saturating_sub(1) } else { 0 };
        self.entries[start..end].iter()
    }

    /// Sets how many other recodings reach each entry's point, in the order of the entries.
    pub(crate) fn set_alternatives(&mut self, counts: impl Iterator<Item = u64>) {
        self.entries.iter_mut().zip(counts).for_each(|(entry, count)| entry.alternatives = count);
    }
}

impl<P: Clone + Ord> Archive<P> {
    /// Takes an outcome unless it is dominated.
    pub fn insert(&mut self, outcome: &Outcome, recoding: &P) {
        let known = self.candidates(&outcome.point).any(|entry| entry.point.dominates(&outcome.point));
        if !known {
            self.put(outcome, || recoding.clone(), 0);
        }
    }

    /// Takes over all entries of another archive.
    pub fn merge(&mut self, other: Archive<P>) {
        for entry in other.entries {
            if !self.dominates(&entry.point) {
                let outcome = Outcome { point: entry.point, cutoff: entry.cutoff };
                self.put(&outcome, || entry.recoding, entry.alternatives);
            }
        }
    }

    /// Adds a point that is not dominated.
    fn put(&mut self, outcome: &Outcome, recoding: impl FnOnce() -> P, alternatives: u64) {
        let costs = outcome.point.costs();
        let before = |entry: &FrontEntry<P>| {
            entry.point.costs().iter().zip(costs).find(|(a, b)| a != b).is_some_and(|(a, b)| a < b)
        };
        let at = self.entries.partition_point(before);
        if let Some(entry) = self.entries.get_mut(at).filter(|entry| entry.point == outcome.point) {
            let recoding = recoding();
            if recoding == entry.recoding {
                return;
            }
            entry.alternatives += 1 + alternatives;
            let order = outcome.point.tie().total_cmp(&entry.point.tie()).then_with(|| recoding.cmp(&entry.recoding));
            if order.is_lt() {
                (entry.point, entry.recoding, entry.cutoff) = (outcome.point, recoding, outcome.cutoff);
            }
            return;
        }
        let recoding = recoding();
        let point = outcome.point;
        // Whatever is dominated lies behind in the order of the first cost.
        let mut position = 0;
        self.entries.retain(|entry| {
            position += 1;
            position <= at || !point.dominates(&entry.point)
        });
        self.entries.insert(at, FrontEntry { point, cutoff: outcome.cutoff, recoding, alternatives });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn outcome(costs: &[f64]) -> Outcome {
        Outcome { point: Point::new(costs), cutoff: Cutoff::Nothing }
    }

    proptest! {
        /// Against a naive front, for two and three objectives, in any order, merged from parts.
        #[test]
        fn equals_a_naive_front(
            points in prop::collection::vec(prop::collection::vec(0u8..8, 3), 1..60),
            dimensions in 2usize..4,
            split in 0usize..60,
        ) {
            let costs: Vec<Vec<f64>> =
                points.iter().map(|point| point[..dimensions].iter().map(|cost| f64::from(*cost)).collect()).collect();
            let mut parts = [Archive::new(), Archive::new()];
            for (at, costs) in costs.iter().enumerate() {
                parts[usize::from(at >= split)].insert(&outcome(costs), &Recoding::of_levels(&[at as u32]));
            }
            let [mut archive, rest] = parts;
            archive.merge(rest);
            let mut expected: Vec<(Vec<f64>, u64, u32)> = Vec::new();
            for (at, own) in costs.iter().enumerate() {
                if costs.iter().any(|other| outcome(other).point.dominates(&outcome(own).point)) {
                    continue;
                }
                match expected.iter_mut().find(|(costs, _, _)| costs == own) {
                    Some((_, alternatives, _)) => *alternatives += 1,
                    None => expected.push((own.clone(), 0, at as u32)),
                }
            }
            expected.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
            let found: Vec<(Vec<f64>, u64, u32)> = archive
                .entries()
                .iter()
                .map(|entry| {
                    let first = costs.iter().position(|costs| costs == entry.point.costs()).unwrap() as u32;
                    prop_assert_eq!(&entry.recoding, &Recoding::of_levels(&[first]));
                    Ok((entry.point.costs().to_vec(), entry.alternatives, first))
                })
                .collect::<Result<_, TestCaseError>>()?;
            prop_assert_eq!(found, expected);
        }
    }
}
