//! preference: the nearest to a wish.

use std::cmp::Ordering;

use super::{AS_NAMED, Paper, Pieces, Problem, ProblemEntry, Scratch, only};
use crate::front::{Cutoff, Objective, Outcome, Point};
use crate::group::Needs;
use crate::measure::{CatalogEntry, Loss, Parameter, Privacy, Takes};

/// What keeps ach from treating a perfect value as free.
const EPSILON: f64 = 1e-6;

/// Its line in the catalogue.
pub const ENTRY: ProblemEntry = ProblemEntry {
    entry: CatalogEntry {
        name: "preference",
        aliases: &[],
        summary: "the nearest to a wished-for k, weighted loss and spread of group sizes (e = 1e-6); nothing suppressed",
        parameters: &[
            Parameter { name: "k_pref", default: "5", takes: Takes::Number(1.0), summary: "the k wished for" },
            Parameter {
                name: "nwp_pref",
                default: "0.2",
                takes: Takes::Number(0.0),
                summary: "the weighted loss wished for",
            },
            Parameter {
                name: "necd_pref",
                default: "1",
                takes: Takes::Number(0.0),
                summary: "the spread of group sizes wished for",
            },
        ],
        reference: "S1 sections 4 and 5",
    },
    suppresses: false,
    models: AS_NAMED,
    make: |privacy, loss, call| {
        // The loss of this formulation has a weight per column; the general loss is the same with equal weights. The answer
        // says so.
        let weighted = loss.weighted();
        let reweighed = weighted.is_some();
        let loss = weighted.unwrap_or(loss);
        Ok(Box::new(Preference {
            privacy: only("preference", privacy)?,
            loss,
            k: call.number("k_pref", 5.0)?,
            nwp: call.number("nwp_pref", 0.2)?,
            necd: call.number("necd_pref", 1.0)?,
            reweighed,
        }))
    },
};

/// What a publisher wishes for: k_pref, and a point (NWP_pref, NECD_pref) of weighted loss and spread of group sizes.
/// Nothing is suppressed. Min achievement, min shortfall:
///
/// ```text
/// ach       = max(w (NWP + e), (1 - w) (NECD + e))
/// w         = (1 / (NWP_pref + e)) / (1 / (NWP_pref + e) + 1 / (NECD_pref + e))
/// shortfall = k_pref - k, feasible from 0 down
/// ```
///
/// In a tournament a feasible solution beats an infeasible one, two feasible ones are compared by rank and crowding,
/// two infeasible ones by shortfall, then achievement, then crowding. The answer is the feasible solution of least
/// ach, ties by prefdev = NWP + NECD - NWP_pref - NECD_pref.
///
/// Example: pref (0.2, 1) makes w = 5/6: groups of 2 and 5 rows with NWP 0.3 have NECD 3/6, ach 0.25.
///
/// [Reference](mod@crate::theory::references): S1 sections 4 and 5.
///
/// In the catalogue `preference`: [definition](crate::theory::definitions#preference).
pub struct Preference {
    /// The model whose level is wished for.
    pub privacy: Box<dyn Privacy>,
    /// The weighted loss.
    pub loss: Box<dyn Loss>,
    /// The level wished for.
    pub k: f64,
    /// The loss wished for.
    pub nwp: f64,
    /// The spread wished for.
    pub necd: f64,
    /// Whether the loss is the general one, taken with the weights of the columns.
    pub reweighed: bool,
}

impl Preference {
    /// The achievement function.
    pub fn achievement(&self, nwp: f64, necd: f64) -> f64 {
        let (loss, spread) = (1.0 / (self.nwp + EPSILON), 1.0 / (self.necd + EPSILON));
        let weight = loss / (loss + spread);
        f64::max(weight * (nwp + EPSILON), (1.0 - weight) * (necd + EPSILON))
    }

    /// How far the sum of loss and spread is from the wish; negative is better than wished for.
    pub fn deviation(&self, nwp: f64, necd: f64) -> f64 {
        nwp + necd - self.nwp - self.necd
    }
}

impl Problem for Preference {
    fn name(&self) -> &'static str {
        "preference"
    }

    fn objectives(&self) -> Vec<Objective> {
        vec![Objective::min("ach"), Objective::min("shortfall")]
    }

    fn may_suppress(&self) -> bool {
        ENTRY.suppresses
    }

    fn paper(&self) -> Paper {
        Paper::S1
    }

    fn needs(&self) -> Needs {
        self.privacy.needs().or(self.loss.needs())
    }

    fn outcomes(&self, pieces: &dyn Pieces, scratch: &mut Scratch, take: &mut dyn FnMut(Outcome)) {
        scratch.fill_costs(pieces, 0, self.privacy.as_ref());
        let worst = scratch.costs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let remaining = scratch.start_sums(pieces, self.loss.as_ref());
        let nwp = self.loss.parts(pieces.table(), &scratch.sums, remaining).total();
        let sizes = pieces.sizes().iter();
        let (smallest, largest) = (sizes.clone().min(), sizes.max());
        let spread = largest.unwrap_or_default() - smallest.unwrap_or_default();
        let necd = spread as f64 / pieces.table().rows.saturating_sub(1).max(1) as f64;
        // As a cost the level is negative where more is better: k_pref - k.
        let shortfall = worst - self.privacy.sense().cost(self.k);
        let point = Point::new(&[self.achievement(nwp, necd), shortfall]).with_tie(self.deviation(nwp, necd));
        take(Outcome { point, cutoff: Cutoff::Nothing });
    }

    fn models(&self) -> Vec<&dyn Privacy> {
        vec![self.privacy.as_ref()]
    }

    fn loss(&self) -> &dyn Loss {
        self.loss.as_ref()
    }

    fn prefers(&self, a: &Point, b: &Point) -> Option<Ordering> {
        let (a, b) = (a.costs(), b.costs());
        match (a[1] <= 0.0, b[1] <= 0.0) {
            (true, true) => None,
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => Some(a[1].total_cmp(&b[1]).then(a[0].total_cmp(&b[0]))),
        }
    }

    fn answer(&self, front: &[Point]) -> Option<(usize, String)> {
        let feasible = front.iter().enumerate().filter(|(_, point)| point.costs()[1] <= 0.0);
        let order = |point: &Point| (point.costs()[0], point.tie());
        let best = feasible.min_by(|a, b| {
            let (a, b) = (order(a.1), order(b.1));
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        let (at, point) = best?;
        let (ach, deviation) = (point.costs()[0], point.tie());
        let loss = if self.reweighed { "; the general loss is taken with the weights of the columns" } else { "" };
        Some((at, format!("the feasible one of least achievement {ach:.6}, prefdev {deviation:.6}{loss}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::Weighted;
    use crate::privacy::K;

    fn wish(nwp: f64, necd: f64) -> Preference {
        Preference { privacy: Box::new(K), loss: Box::new(Weighted::default()), k: 5.0, nwp, necd, reweighed: false }
    }

    #[test]
    fn achievement_by_hand() {
        assert!((wish(0.2, 1.0).achievement(0.3, 0.5) - 0.25).abs() < 1e-5);
        assert!((wish(0.2, 0.2).achievement(0.3, 0.5) - 0.25).abs() < 1e-5);
        assert!((wish(0.2, 1.0).deviation(0.3, 0.5) + 0.4).abs() < 1e-12);
    }

    #[test]
    fn feasible_beats_infeasible() {
        let problem = wish(0.2, 1.0);
        let point = |ach: f64, shortfall: f64| Point::new(&[ach, shortfall]);
        assert_eq!(problem.prefers(&point(0.9, 0.0), &point(0.1, 1.0)), Some(Ordering::Less));
        assert_eq!(problem.prefers(&point(0.1, 2.0), &point(0.9, 1.0)), Some(Ordering::Greater));
        assert_eq!(problem.prefers(&point(0.1, 2.0), &point(0.9, 2.0)), Some(Ordering::Less));
        assert_eq!(problem.prefers(&point(0.1, 2.0), &point(0.1, 2.0)), Some(Ordering::Equal));
        assert_eq!(problem.prefers(&point(0.1, -1.0), &point(0.9, 0.0)), None);
    }
}
