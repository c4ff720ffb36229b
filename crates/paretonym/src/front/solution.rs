//! One solution of front.json.

use serde::{Deserialize, Serialize};

use super::{Bias, Cutoff, FrontEntry, Objective, Quantity};
use crate::recode::WrittenRecoding;

/// One solution of a front. All numbers are of what is kept, unless they say otherwise. One that is not described yet has
/// no number where the objectives do not tell it: NaN, 0 for counts, null in front.json.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solution {
    /// Its number in the front, from 1.
    pub id: u32,
    /// The values of the objectives, in their order.
    pub objectives: Vec<f64>,
    /// Size of the smallest group.
    #[serde(with = "unknown_count")]
    pub k: u64,
    /// The study's loss.
    #[serde(with = "unknown_number")]
    pub loss: f64,
    /// General loss of the kept rows.
    #[serde(with = "unknown_number")]
    pub gl: f64,
    /// Share of suppressed rows.
    #[serde(with = "unknown_number")]
    pub sl: f64,
    /// Mean over rows of the size of their group, before suppression.
    #[serde(with = "unknown_number")]
    pub weighted_k: f64,
    /// The least l over the sensitive columns; none where there is no such column.
    pub l: Option<f64>,
    /// The largest t over the sensitive columns.
    pub t: Option<f64>,
    /// The levels in the study's privacy models.
    pub privacy: Vec<f64>,
    /// Spread of group sizes (S1).
    #[serde(with = "unknown_number")]
    pub necd: f64,
    /// Suppressed rows, where that is known.
    pub suppressed: Option<u64>,
    /// Groups.
    #[serde(with = "unknown_count")]
    pub groups: u64,
    /// A proven lower bound of the loss at this privacy, where the search was stopped before the front was proven.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss_bound: Option<f64>,
    /// How far the loss lies above that bound, as a share of the loss: no recoding of this privacy can save more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<f64>,
    /// Kept rows in groups with but one value of a sensitive column.
    #[serde(default, skip_serializing_if = "is_none")]
    pub one_valued: u64,
    /// Other recodings that reach the same objectives.
    pub alternatives: u64,
    /// Which groups are suppressed.
    pub cutoff: Cutoff,
    /// What each column shows.
    pub recoding: WrittenRecoding,
    /// How evenly people are protected.
    #[serde(default)]
    pub bias: Bias,
    /// Whether its groups were measured; false where the work was stopped before that.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub described: bool,
}

impl Solution {
    /// A solution as the search knows it: its objectives and how to make it.
    pub fn found<P>(id: u32, entry: &FrontEntry<P>, objectives: &[Objective], recoding: WrittenRecoding) -> Self {
        let costs = entry.point.costs().iter().zip(objectives);
        let values: Vec<f64> = costs.map(|(cost, own)| own.sense.cost(*cost)).collect();
        let told = |own: Quantity| objectives.iter().position(|one| one.name == own.name()).map(|at| values[at]);
        let number = |own: Quantity| told(own).unwrap_or(f64::NAN);
        Solution {
            id,
            k: told(Quantity::K).unwrap_or_default() as u64,
            loss: number(Quantity::Loss),
            gl: f64::NAN,
            sl: number(Quantity::Sl),
            weighted_k: number(Quantity::WeightedK),
            l: told(Quantity::L),
            t: told(Quantity::T),
            privacy: Vec::new(),
            necd: f64::NAN,
            suppressed: None,
            groups: 0,
            loss_bound: None,
            gap: None,
            one_valued: 0,
            alternatives: entry.alternatives,
            cutoff: entry.cutoff,
            recoding,
            bias: Bias::default(),
            described: false,
            objectives: values,
        }
    }

    /// The search's lower bound of the loss at this privacy.
    pub fn bound(&mut self, bound: f64) {
        let bound = bound.min(self.loss);
        let gap = if bound < self.loss { (self.loss - bound) / self.loss } else { 0.0 };
        (self.loss_bound, self.gap) = (Some(bound), Some(gap));
    }

    /// One of its numbers, if it is known.
    pub fn value(&self, quantity: Quantity) -> Option<f64> {
        let number = match quantity {
            Quantity::K => (self.k > 0).then_some(self.k as f64),
            Quantity::Loss => Some(self.loss),
            Quantity::Gl => Some(self.gl),
            Quantity::Sl => Some(self.sl),
            Quantity::WeightedK => Some(self.weighted_k),
            Quantity::L => self.l,
            Quantity::T => self.t,
            Quantity::Necd => Some(self.necd),
            Quantity::Suppressed => self.suppressed.map(|rows| rows as f64),
            Quantity::Groups => (self.groups > 0).then_some(self.groups as f64),
            Quantity::Alternatives => Some(self.alternatives as f64),
        };
        number.filter(|number| number.is_finite())
    }

    /// One of its numbers by its name in front.json, if it is known.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.value(Quantity::of(name)?)
    }
}

/// A number that is not known is null in front.json.
mod unknown_number {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        (!number.is_nan()).then_some(*number).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f64::NAN))
    }
}

/// A count that is not known is 0, and null in front.json.
mod unknown_count {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(count: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        (*count > 0).then_some(*count).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or_default())
    }
}

fn yes() -> bool {
    true
}

fn is_true(flag: &bool) -> bool {
    *flag
}

fn is_none(rows: &u64) -> bool {
    *rows == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_measured_is_null_and_comes_back_as_unknown() {
        let point = crate::front::Point::new(&[-7.0, 0.25]);
        let entry = FrontEntry { point, cutoff: Cutoff::Nothing, recoding: (), alternatives: 3 };
        let objectives = [Objective::max("k"), Objective::min("loss")];
        let found = Solution::found(1, &entry, &objectives, WrittenRecoding::Regions(2));
        let written = serde_json::to_value(&found).unwrap();
        assert_eq!((&written["k"], &written["loss"], &written["described"]), (&7.into(), &0.25.into(), &false.into()));
        for name in ["gl", "sl", "weighted_k", "l", "t", "necd", "suppressed", "groups"] {
            assert!(written.get(name).is_some_and(serde_json::Value::is_null), "{name} in {written}");
            assert_eq!(found.number(name), None, "{name}");
        }
        let read: Solution = serde_json::from_value(written.clone()).unwrap();
        assert!(!read.described && read.k == 7 && read.gl.is_nan());
    }
}
