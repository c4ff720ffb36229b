//! Fronts as other programs see them: the contents of front.json.

use serde::{Deserialize, Serialize};

use super::{Cutoff, FrontEntry, Objective, Quantity, round};
use crate::recode::WrittenRecoding;

/// The value of `format` in front.json.
pub const FORMAT: &str = "paretonym-front/1";

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
    /// How far the loss lies above that bound: no recoding of this privacy can lose less by more than this.
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
        (self.loss_bound, self.gap) = (Some(bound), Some(self.loss - bound));
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

/// How evenly a solution protects people: two releases of one k can treat most of them very differently.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bias {
    /// Share of the kept rows that lie in groups smaller than twice the smallest.
    pub below_twice_k: f64,
    /// The cumulative curve of group sizes: a size, and the share of the kept rows in groups of at most that size. Thinned
    /// out to at most [`CURVE_POINTS`] sizes, the smallest and the largest among them.
    pub curve: Vec<(u64, f64)>,
}

/// The most points of a curve of group sizes.
pub const CURVE_POINTS: usize = 24;

impl Bias {
    /// From the sizes of the kept groups.
    pub fn of_sizes(sizes: impl Iterator<Item = u64>) -> Self {
        let mut sizes: Vec<u64> = sizes.collect();
        sizes.sort_unstable();
        let rows: u64 = sizes.iter().sum();
        let Some(&smallest) = sizes.first() else { return Bias::default() };
        let small: u64 = sizes.iter().filter(|size| **size < 2 * smallest).sum();
        let mut curve: Vec<(u64, f64)> = Vec::new();
        let mut sum = 0;
        for group in sizes.chunk_by(|a, b| a == b) {
            sum += group[0] * group.len() as u64;
            curve.push((group[0], round(sum as f64 / rows as f64)));
        }
        if curve.len() > CURVE_POINTS {
            // Even steps in the share of rows, so that the curve keeps its shape.
            let last = curve.len() - 1;
            let mut places: Vec<usize> = (0..CURVE_POINTS)
                .map(|step| {
                    let share = step as f64 / (CURVE_POINTS - 1) as f64;
                    curve.partition_point(|point| point.1 < share).min(last)
                })
                .collect();
            (places[0], places[CURVE_POINTS - 1]) = (0, last);
            places.dedup();
            curve = places.into_iter().map(|place| curve[place]).collect();
        }
        Bias { below_twice_k: round(small as f64 / rows as f64), curve }
    }
}

/// Everything that front.json holds.
///
/// It is read and written as JSON:
///
/// ```
/// use paretonym::engine::{Memory, Unwatched};
/// use paretonym::front::FrontFile;
/// use paretonym::study::{Study, run};
///
/// let study = r#"
///     data = { path = "memory" }
///     columns = [{ name = "age", role = "quasi", widths = [10] }]
/// "#;
/// let people = Memory::new(["age"], [["31"], ["34"], ["35"], ["42"], ["48"]]);
/// let front = run(&Study::from_toml(study, "study")?, &people, &Unwatched)?.front;
///
/// let text = serde_json::to_string(&front)?;
/// assert!(text.starts_with(r#"{"format":"paretonym-front/1","problem":"max-suppression""#));
/// let read: FrontFile = serde_json::from_str(&text)?;
/// assert_eq!(read, front);
/// assert_eq!(read.solutions.iter().map(|solution| solution.k).collect::<Vec<_>>(), [5, 2, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrontFile {
    /// [`FORMAT`].
    pub format: String,
    /// The problem's name.
    pub problem: String,
    /// The optimizer's name.
    pub optimizer: String,
    /// The names of the privacy models.
    pub privacy: Vec<String>,
    /// The loss's name.
    pub loss: String,
    /// The largest share of rows that may be suppressed, where the problem has one.
    pub eta: Option<f64>,
    /// The rule of cut-offs, where the problem has one.
    pub cutoffs: Option<String>,
    /// Rows of the table, without those dropped for missing values.
    pub rows: u64,
    /// Rows dropped for missing values.
    pub dropped: u64,
    /// Distinct quasi tuples.
    pub distinct: u64,
    /// Recodings evaluated.
    pub evaluated: u64,
    /// Candidate recodings; none past 2^63.
    pub space: Option<u64>,
    /// Whether the front is proven to be the whole Pareto front.
    pub exact: bool,
    /// False after an interruption or a spent budget.
    pub complete: bool,
    /// The seed of the run.
    pub seed: u64,
    /// Wall-clock time.
    pub seconds: f64,
    /// What the user should know about how it was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// In what ways a release would tell more than its k says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What is maximised and minimised.
    pub objectives: Vec<Objective>,
    /// The solutions, best first objective first.
    pub solutions: Vec<Solution>,
}

/// How a note about solutions that were not measured begins.
const NOT_MEASURED: &str = "Stopped before";

impl FrontFile {
    /// Notes how many solutions were not measured, in place of what was noted before.
    pub fn note_undescribed(&mut self) {
        self.notes.retain(|note| !(note.starts_with(NOT_MEASURED) && note.contains("were measured")));
        let left = self.solutions.iter().filter(|solution| !solution.described).count();
        if left > 0 {
            self.notes.push(format!(
                "{NOT_MEASURED} {left} of {} solutions were measured: what the objectives do not tell of them is not known; `paretonym explore --resume` measures them, and a release its own.",
                self.solutions.len()
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_of_group_sizes() {
        let bias = Bias::of_sizes([2, 5, 2, 3].into_iter());
        assert_eq!(bias.below_twice_k, round(7.0 / 12.0));
        assert_eq!(bias.curve, [(2, round(4.0 / 12.0)), (3, round(7.0 / 12.0)), (5, 1.0)]);
        assert_eq!(Bias::of_sizes(std::iter::empty()), Bias::default());
    }

    #[test]
    fn a_long_curve_is_thinned_out() {
        let bias = Bias::of_sizes(3..400);
        assert!(bias.curve.len() <= CURVE_POINTS, "{}", bias.curve.len());
        assert_eq!((bias.curve[0].0, bias.curve[bias.curve.len() - 1]), (3, (399, 1.0)));
        assert!(bias.curve.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
    }

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
