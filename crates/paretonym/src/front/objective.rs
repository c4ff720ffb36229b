//! Points in objective space. All objectives are kept as costs (less is better), so that dominance needs no senses.

use serde::{Deserialize, Serialize};

use super::{Quantity, Role};
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

    /// What it is to a publisher. An objective that no solution has as a number is a level of some privacy model, or of the
    /// problem's own making.
    pub fn role(&self) -> Role {
        Quantity::of(&self.name).map_or(Role::Privacy, Quantity::role)
    }

    /// An objective that is to be small.
    pub fn min(name: impl Into<String>) -> Self {
        Objective { name: name.into(), sense: Sense::Min }
    }
}

/// The costs of one outcome.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    costs: [f64; MAX_OBJECTIVES],
    len: usize,
    tie: f64,
}

/// Equal in every objective.
impl PartialEq for Point {
    fn eq(&self, other: &Point) -> bool {
        self.costs() == other.costs()
    }
}

impl Point {
    /// From costs. They are rounded to twelve digits: two ways of adding up the same loss may differ in
    /// the last bits, and such a difference must not make a point of its own.
    pub fn new(costs: &[f64]) -> Self {
        let mut point = Point { costs: [0.0; MAX_OBJECTIVES], len: costs.len(), tie: 0.0 };
        point.costs[..costs.len()].iter_mut().zip(costs).for_each(|(slot, cost)| *slot = round(*cost));
        point
    }

    /// The same point with a cost that decides only between outcomes that are equal in every objective.
    pub fn with_tie(self, tie: f64) -> Self {
        Point { tie: round(tie), ..self }
    }

    /// What decides between equal points; less is better.
    pub fn tie(&self) -> f64 {
        self.tie
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
    let scale = match value.abs() {
        // Most losses are shares: what the logarithm would say of them is known.
        share if share < 1.0 => 1e12,
        value => 10f64.powi((12 - value.log10().ceil() as i32).clamp(0, 12)),
    };
    (value * scale).round() / scale + 0.0 // a rounded -1e-16 is 0, not -0
}

/// Which groups an outcome suppresses, beside those that miss a floor of the study:
/// [`Problem::suppresses`](crate::problem::Problem::suppresses) answers for both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cutoff {
    /// None.
    Nothing,
    /// Those that are worse than a level, given as a cost of the privacy model.
    WorseThan(f64),
    /// Those that are worse than the limit of any of several privacy models.
    WorseThanAny(LevelCosts),
    /// Those that come before a class in the order of several privacy models: worse in the first model, or as good in it
    /// and worse in the second, and so on.
    Before(LevelCosts),
}

/// One cost per privacy model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "Vec<f64>", try_from = "Vec<f64>")]
pub struct LevelCosts {
    costs: [f64; MAX_OBJECTIVES],
    len: usize,
}

impl LevelCosts {
    /// From costs, of which there must be no more than [`MAX_OBJECTIVES`].
    pub fn new(costs: &[f64]) -> Self {
        let mut levels = LevelCosts { costs: [0.0; MAX_OBJECTIVES], len: costs.len() };
        levels.costs[..costs.len()].copy_from_slice(costs);
        levels
    }

    /// The costs.
    pub fn costs(&self) -> &[f64] {
        &self.costs[..self.len]
    }
}

impl From<LevelCosts> for Vec<f64> {
    fn from(levels: LevelCosts) -> Vec<f64> {
        levels.costs().to_vec()
    }
}

impl TryFrom<Vec<f64>> for LevelCosts {
    type Error = String;

    fn try_from(costs: Vec<f64>) -> Result<Self, String> {
        if costs.len() > MAX_OBJECTIVES {
            return Err(format!("a cut-off has at most {MAX_OBJECTIVES} levels, not {}", costs.len()));
        }
        Ok(LevelCosts::new(&costs))
    }
}

/// Whether a cost is worse than another, and not just by rounding.
fn is_worse(cost: f64, limit: f64) -> bool {
    cost > limit + SAME_LEVEL * limit.abs().max(1.0)
}

impl Cutoff {
    /// Whether a group of this cost is suppressed, where one privacy model decides.
    pub fn suppresses(&self, cost: f64) -> bool {
        self.suppresses_any(&[cost])
    }

    /// Whether a group of these costs, in the order of the cut-off's models, is suppressed.
    pub fn suppresses_any(&self, costs: &[f64]) -> bool {
        match self {
            Cutoff::Nothing => false,
            Cutoff::WorseThan(limit) => is_worse(costs[0], *limit),
            Cutoff::WorseThanAny(limits) => {
                costs.iter().zip(limits.costs()).any(|(cost, limit)| is_worse(*cost, *limit))
            }
            Cutoff::Before(limits) => {
                let mut pairs = costs.iter().zip(limits.costs());
                let first = pairs.find(|(cost, limit)| is_worse(**cost, **limit) || is_worse(**limit, **cost));
                first.is_some_and(|(cost, limit)| is_worse(*cost, *limit))
            }
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
    fn cutoffs_of_several_models() {
        let limits = LevelCosts::new(&[-3.0, -2.0]);
        let gone = |cutoff: Cutoff, k: f64, l: f64| cutoff.suppresses_any(&[-k, -l]);
        let cases = [(2.0, 5.0, true, true), (3.0, 1.0, true, true), (9.0, 1.0, true, false), (3.0, 2.0, false, false)];
        for (k, l, any, before) in cases {
            assert_eq!(gone(Cutoff::WorseThanAny(limits), k, l), any, "any ({k}, {l})");
            assert_eq!(gone(Cutoff::Before(limits), k, l), before, "before ({k}, {l})");
        }
        let text = serde_json::to_string(&Cutoff::Before(limits)).unwrap();
        assert_eq!(text, r#"{"before":[-3.0,-2.0]}"#);
        assert_eq!(serde_json::from_str::<Cutoff>(&text).unwrap(), Cutoff::Before(limits));
        assert!(serde_json::from_str::<Cutoff>(r#"{"before":[1,2,3,4,5,6,7]}"#).is_err());
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
