//! Fronts as other programs see them: the contents of front.json.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Cutoff, FrontEntry, Objective, round};

/// The value of `format` in front.json.
pub const FORMAT: &str = "paretonym-front/1";

/// One solution of a front. All numbers are of what is kept, unless they say otherwise. One that is not described yet has
/// no number where the objectives do not tell it: NaN, 0 for counts, null in front.json.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
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
    pub loss_bound: Option<f64>,
    /// How far the loss lies above that bound: no recoding of this privacy can lose less by more than this.
    pub gap: Option<f64>,
    /// Kept rows in groups with but one value of a sensitive column.
    pub one_valued: u64,
    /// Other recodings that reach the same objectives.
    pub alternatives: u64,
    /// Which groups are suppressed.
    pub cutoff: Cutoff,
    /// What each column shows.
    pub recoding: Map<String, Value>,
    /// How evenly people are protected.
    pub bias: Bias,
    /// Whether its groups were measured; false where the work was stopped before that.
    pub described: bool,
}

impl Solution {
    /// A solution as the search knows it: its objectives and how to make it.
    pub fn found(id: u32, entry: &FrontEntry, objectives: &[Objective], recoding: Map<String, Value>) -> Self {
        let costs = entry.point.costs().iter().zip(objectives);
        let values: Vec<f64> = costs.map(|(cost, own)| own.sense.cost(*cost)).collect();
        let told = |name: &str| objectives.iter().position(|own| own.name == name).map(|at| values[at]);
        let number = |name: &str| told(name).unwrap_or(f64::NAN);
        Solution {
            id,
            k: told("k").unwrap_or_default() as u64,
            loss: number("loss"),
            gl: f64::NAN,
            sl: number("sl"),
            weighted_k: number("weighted_k"),
            l: told("l"),
            t: told("t"),
            privacy: Vec::new(),
            necd: f64::NAN,
            suppressed: 0,
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

    /// One of its numbers by its name in front.json, if it is known.
    pub fn number(&self, name: &str) -> Option<f64> {
        let counted = |rows: u64| self.described.then_some(rows as f64);
        let number = match name {
            "k" => (self.k > 0).then_some(self.k as f64),
            "loss" => Some(self.loss),
            "gl" => Some(self.gl),
            "sl" => Some(self.sl),
            "weighted_k" => Some(self.weighted_k),
            "l" => self.l,
            "t" => self.t,
            "necd" => Some(self.necd),
            "suppressed" => counted(self.suppressed),
            "groups" => counted(self.groups),
            "alternatives" => Some(self.alternatives as f64),
            _ => None,
        };
        number.filter(|number| number.is_finite())
    }
}

/// A solution as front.json has it.
#[derive(Clone, Serialize, Deserialize)]
struct Written {
    id: u32,
    objectives: Vec<f64>,
    k: Option<u64>,
    loss: Option<f64>,
    gl: Option<f64>,
    sl: Option<f64>,
    weighted_k: Option<f64>,
    l: Option<f64>,
    t: Option<f64>,
    privacy: Vec<f64>,
    necd: Option<f64>,
    suppressed: Option<u64>,
    groups: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    loss_bound: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gap: Option<f64>,
    #[serde(default, skip_serializing_if = "is_none")]
    one_valued: u64,
    alternatives: u64,
    cutoff: Cutoff,
    recoding: Map<String, Value>,
    #[serde(default)]
    bias: Bias,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    described: Option<bool>,
}

impl From<Solution> for Written {
    fn from(own: Solution) -> Self {
        let number = |name: &str| own.number(name);
        let counted = |rows: u64| own.described.then_some(rows);
        Written {
            k: (own.k > 0 || own.described).then_some(own.k),
            loss: number("loss"),
            gl: number("gl"),
            sl: number("sl"),
            weighted_k: number("weighted_k"),
            necd: number("necd"),
            suppressed: counted(own.suppressed),
            groups: counted(own.groups),
            described: (!own.described).then_some(false),
            id: own.id,
            objectives: own.objectives,
            l: own.l,
            t: own.t,
            privacy: own.privacy,
            loss_bound: own.loss_bound,
            gap: own.gap,
            one_valued: own.one_valued,
            alternatives: own.alternatives,
            cutoff: own.cutoff,
            recoding: own.recoding,
            bias: own.bias,
        }
    }
}

impl TryFrom<Written> for Solution {
    type Error = String;

    fn try_from(own: Written) -> Result<Self, String> {
        let described = own.described != Some(false);
        let absent = |name: &str| format!("solution {} has no {name}", own.id);
        let number = |name: &str, value: Option<f64>| match value {
            None if described => Err(absent(name)),
            value => Ok(value.unwrap_or(f64::NAN)),
        };
        let counted = |name: &str, value: Option<u64>| match value {
            None if described => Err(absent(name)),
            value => Ok(value.unwrap_or_default()),
        };
        Ok(Solution {
            k: counted("k", own.k)?,
            loss: number("loss", own.loss)?,
            gl: number("gl", own.gl)?,
            sl: number("sl", own.sl)?,
            weighted_k: number("weighted_k", own.weighted_k)?,
            necd: number("necd", own.necd)?,
            suppressed: counted("suppressed", own.suppressed)?,
            groups: counted("groups", own.groups)?,
            described,
            id: own.id,
            objectives: own.objectives,
            l: own.l,
            t: own.t,
            privacy: own.privacy,
            loss_bound: own.loss_bound,
            gap: own.gap,
            one_valued: own.one_valued,
            alternatives: own.alternatives,
            cutoff: own.cutoff,
            recoding: own.recoding,
            bias: own.bias,
        })
    }
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

    #[test]
    fn what_was_not_measured_is_null_and_comes_back_as_unknown() {
        let point = crate::front::Point::new(&[-7.0, 0.25]);
        let recoding = crate::recode::Recoding { columns: Vec::new() };
        let entry = FrontEntry { point, cutoff: Cutoff::Nothing, recoding, alternatives: 3 };
        let found = Solution::found(1, &entry, &[Objective::max("k"), Objective::min("loss")], Map::new());
        let written = serde_json::to_value(&found).unwrap();
        assert_eq!((&written["k"], &written["loss"], &written["described"]), (&7.into(), &0.25.into(), &false.into()));
        for name in ["gl", "sl", "weighted_k", "l", "t", "necd", "suppressed", "groups"] {
            assert!(written.get(name).is_some_and(Value::is_null), "{name} in {written}");
            assert_eq!(found.number(name), None, "{name}");
        }
        let read: Solution = serde_json::from_value(written.clone()).unwrap();
        assert!(!read.described && read.k == 7 && read.gl.is_nan());
        let mut silent = written;
        silent.as_object_mut().unwrap().remove("described");
        let error = serde_json::from_value::<Solution>(silent).unwrap_err();
        assert!(error.to_string().contains("solution 1 has no gl"), "{error}");
    }
}
