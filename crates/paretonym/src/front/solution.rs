//! Fronts as other programs see them: the contents of front.json.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Cutoff, Objective, round};

/// The value of `format` in front.json.
pub const FORMAT: &str = "paretonym-front/1";

/// One solution of a front. All numbers are of what is kept, unless they say otherwise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Solution {
    /// Its number in the front, from 1.
    pub id: u32,
    /// The values of the objectives, in their order.
    pub objectives: Vec<f64>,
    /// Size of the smallest group.
    pub k: u64,
    /// The study's loss.
    pub loss: f64,
    /// General loss of the kept rows.
    pub gl: f64,
    /// Share of suppressed rows.
    pub sl: f64,
    /// Mean over rows of the size of their group, before suppression.
    pub weighted_k: f64,
    /// The least l over the sensitive columns; none where there is no such column.
    pub l: Option<f64>,
    /// The largest t over the sensitive columns.
    pub t: Option<f64>,
    /// The levels in the study's privacy models.
    pub privacy: Vec<f64>,
    /// Spread of group sizes (S1).
    pub necd: f64,
    /// Suppressed rows.
    pub suppressed: u64,
    /// Groups.
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
    pub recoding: Map<String, Value>,
    /// How evenly people are protected.
    #[serde(default)]
    pub bias: Bias,
}

impl Solution {
    /// Whether the recoding differs from region to region: then it is a number of boxes in place of one recoding per
    /// column. A column may be called "regions" as well, but its recoding is no number.
    pub fn is_local(&self) -> bool {
        self.recoding.len() == 1 && self.recoding.get(LOCAL).is_some_and(Value::is_u64)
    }

    /// The recoding of a solution that shows so many boxes.
    pub fn local_recoding(boxes: u64) -> Map<String, Value> {
        Map::from_iter([(LOCAL.to_owned(), Value::from(boxes))])
    }
}

/// The one key of a local recoding.
const LOCAL: &str = "regions";

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

/// The form of l-diversity that `l` is in, by the catalogue's name: the study's own, or that by frequency where its privacy
/// models are others.
pub fn l_form(privacy: &[String]) -> &str {
    let is_form = |name: &&String| name.split('(').next().is_some_and(|plain| plain.ends_with("-l"));
    privacy.iter().find(is_form).map_or("frequency-l", String::as_str)
}

/// What `l` is called where people read it: the form by frequency is a whole number, which 1.75 does not reach 2 in.
pub fn l_label(form: &str) -> String {
    match form.split('(').next().and_then(|plain| plain.strip_suffix("-l")) {
        None | Some("frequency") => "l (frequency, rounded down)".to_owned(),
        Some(other) => format!("l ({other})"),
    }
}

/// Everything that front.json holds.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_called_regions_is_not_a_local_recoding() {
        let solution = |recoding: &str| {
            let text = format!(
                r#"{{"id":1,"objectives":[],"k":1,"loss":0,"gl":0,"sl":0,"weighted_k":1,"l":null,"t":null,"privacy":[],
                "necd":0,"suppressed":0,"groups":1,"alternatives":0,"cutoff":"nothing","recoding":{recoding}}}"#
            );
            serde_json::from_str::<Solution>(&text).unwrap()
        };
        assert!(solution(r#"{"regions":4}"#).is_local());
        assert!(!solution(r#"{"regions":{"level":1}}"#).is_local());
        assert!(!solution(r#"{"regions":4,"age":{"level":1}}"#).is_local());
    }

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
}
