//! Points in objective space. All objectives are kept as costs (less is better), so that dominance needs no senses.

use serde::{Deserialize, Serialize};

use crate::measure::{SAME_LEVEL, Sense};

/// The most objectives that a problem may have.
pub const MAX_OBJECTIVES: usize = 6;

/// What is maximised or minimised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Objective {
    /// Its name in front.json.
    pub name: String,
    /// Which direction is better.
    pub sense: Sense,
}

impl Objective {
    /// An objective that is to be large.
    pub fn max(name: impl Into<String>) -> Self {
        Objective { name: name.into(), sense: Sense::Max }
    }

    /// An objective that is to be small.
    pub fn min(name: impl Into<String>) -> Self {
        Objective { name: name.into(), sense: Sense::Min }
    }
}

/// The costs of one outcome.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    costs: [f64; MAX_OBJECTIVES],
    len: usize,
}

impl Point {
    /// From costs. They are rounded to twelve digits: two ways of adding up the same loss may differ in
    /// the last bits, and such a difference must not make a point of its own.
    pub fn new(costs: &[f64]) -> Self {
        let mut point = Point { costs: [0.0; MAX_OBJECTIVES], len: costs.len() };
        point.costs[..costs.len()].iter_mut().zip(costs).for_each(|(slot, cost)| *slot = round(*cost));
        point
    }

    /// The costs.
    pub fn costs(&self) -> &[f64] {
        &self.costs[..self.len]
    }

    /// At least as good in all objectives.
    pub fn covers(&self, other: &Point) -> bool {
        self.costs().iter().zip(other.costs()).all(|(own, other)| own <= other)
    }

    /// At least as good in all objectives, better in one.
    pub fn dominates(&self, other: &Point) -> bool {
        self.covers(other) && self != other
    }
}

/// Rounded to twelve significant digits, but no further than the twelfth behind the point: what is left of 0 after
/// taking away everything that was added is small, and its digits mean nothing. Whole numbers stay as they are.
pub(crate) fn round(value: f64) -> f64 {
    if value.fract() == 0.0 || !value.is_finite() {
        return value;
    }
    let digits = 12 - value.abs().log10().ceil() as i32;
    let scale = 10f64.powi(digits.clamp(0, 12));
    (value * scale).round() / scale + 0.0 // a rounded -1e-16 is 0, not -0
}

/// Which groups an outcome suppresses.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cutoff {
    /// None.
    Nothing,
    /// Those that are worse than a level, given as a cost of the privacy model.
    WorseThan(f64),
}

impl Cutoff {
    /// Whether a group of this cost is suppressed.
    pub fn suppresses(&self, cost: f64) -> bool {
        match self {
            Cutoff::Nothing => false,
            Cutoff::WorseThan(limit) => cost > limit + SAME_LEVEL * limit.abs().max(1.0),
        }
    }
}

/// One way of suppressing under one recoding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Its objectives.
    pub point: Point,
    /// What it suppresses.
    pub cutoff: Cutoff,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dominance() {
        let point = |costs: &[f64]| Point::new(costs);
        assert!(point(&[1.0, 2.0]).dominates(&point(&[1.0, 3.0])));
        assert!(!point(&[1.0, 2.0]).dominates(&point(&[1.0, 2.0])));
        assert!(!point(&[1.0, 2.0]).dominates(&point(&[0.0, 3.0])));
    }

    #[test]
    fn the_last_bits_do_not_make_a_point() {
        assert_eq!(Point::new(&[0.1 + 0.2]), Point::new(&[0.3]));
        assert_ne!(Point::new(&[0.3]), Point::new(&[0.300_000_001]));
        assert_eq!(Point::new(&[0.1 + 0.7 - 0.8]), Point::new(&[0.0]));
        assert_eq!(Point::new(&[9e-16]), Point::new(&[0.0]));
        assert!(round(-9e-16).is_sign_positive());
        assert_eq!(Point::new(&[1_234_567_890_123.0]).costs(), [1_234_567_890_123.0]);
    }
}
