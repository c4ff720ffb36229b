//! Suppression with a budget: groups go from the worst level on, whole levels at a time, as long as their rows fit.

use super::{Pieces, Scratch};
use crate::error::Result;
use crate::measure::{Call, SAME_LEVEL};
use crate::settings::CutoffRule;

/// The largest share of rows that a problem may suppress, and how it goes about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// The share.
    pub eta: f64,
    /// Which cut-offs within it are outcomes.
    pub cutoffs: CutoffRule,
}

impl Budget {
    /// From the parameters of a problem.
    pub(super) fn of(call: &Call) -> Result<Self> {
        let rules = [CutoffRule::All, CutoffRule::Budget].map(|rule| (rule.name(), rule));
        Ok(Budget { eta: call.number("eta", 0.0)?, cutoffs: call.choice("cutoffs", &rules)? })
    }
}

/// The number of rows that may be suppressed: the largest whole number not above eta × n, at most n - 1. The slack is
/// for binary fractions: 0.07 × 100 must be 7.
///
/// ```
/// use paretonym::problem::budget_rows;
///
/// assert_eq!(budget_rows(0.07, 100), 7);
/// assert_eq!(budget_rows(1.0, 100), 99, "somebody must stay");
/// ```
pub fn budget_rows(eta: f64, rows: u64) -> u64 {
    ((eta * rows as f64 + 1e-9).floor() as u64).min(rows.saturating_sub(1))
}

/// How many more rows may be suppressed, where some have been.
pub(super) fn rows_left(eta: f64, pieces: &dyn Pieces) -> u64 {
    budget_rows(eta, pieces.table().rows).saturating_sub(pieces.lost_rows())
}

impl Scratch {
    /// Finds the cut-offs that fit a budget. Sorts the pieces that can go, worst first, into `order`, and lists in
    /// `cutoffs`, from none on, how many of them go and the cost of the worst piece that is left. Needs the costs.
    pub(crate) fn find_cutoffs(&mut self, pieces: &dyn Pieces, budget: u64) {
        let rows = pieces.rows();
        let slack = |cost: f64| SAME_LEVEL * f64::max(cost.abs(), 1.0);
        let worst = self.costs.iter().copied().fold(f64::NEG_INFINITY, f64::max);

        self.order.clear();
        self.cutoffs.clear();
        self.cutoffs.push((0, worst));
        // Most fine recodings cannot even lose their worst level: find out before sorting anything.
        let at_worst = self.costs.iter().zip(rows.iter()).filter(|(cost, _)| **cost >= worst - slack(worst));
        if at_worst.map(|(_, rows)| rows).sum::<u64>() > budget {
            return;
        }
        // A piece that alone exceeds the budget stays, and with it everything that is no worse.
        let stays = self.costs.iter().zip(rows.iter()).filter(|(_, rows)| *rows > budget);
        let stays = stays.map(|(cost, _)| *cost).fold(f64::NEG_INFINITY, f64::max);
        let candidates = self.costs.iter().enumerate().filter(|(_, cost)| **cost > stays - slack(stays));
        self.order.extend(candidates.map(|(group, cost)| (*cost, group as u32)));
        self.order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));

        let (mut gone, mut end) = (0u64, 0);
        while end < self.order.len() {
            let cost = self.order[end].0;
            while end < self.order.len() && self.order[end].0 >= cost - slack(cost) {
                gone += rows.get(self.order[end].1 as usize);
                end += 1;
            }
            if gone > budget {
                break;
            }
            let next = self.order.get(end).map_or(stays, |next| next.0);
            if next == f64::NEG_INFINITY {
                break;
            }
            self.cutoffs.push((end, next));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn binary_fractions_do_not_lose_a_row() {
        assert_eq!(budget_rows(0.07, 100), 7);
        assert_eq!(budget_rows(0.3, 7), 2);
        assert_eq!(budget_rows(1.0, 7), 6);
        assert_eq!(budget_rows(0.0, 7), 0);
        assert_eq!(budget_rows(0.1, 30162), 3016);
    }
}
