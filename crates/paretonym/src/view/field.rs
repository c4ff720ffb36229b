//! The numbers of a solution with their names: what axes, tables and tooltips show.

use serde::{Serialize, Serializer};

use super::number::Format;
use super::role::is_price;
use super::words::{self, LEFT_OUT};
use crate::catalog;
use crate::front::{FrontFile, LeftOut, Objective, Quantity, Solution};
use crate::measure::Sense;

/// One number that every solution has.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Field {
    /// Its name in front.json; with "objective " before it where an objective is measured otherwise than the number of its
    /// name.
    pub key: String,
    /// Its name for people.
    pub label: String,
    /// What it is, in a sentence.
    pub meaning: String,
    /// Its name beside an axis.
    pub axis: String,
    /// How it is shown.
    pub format: Format,
    /// Whether it spreads over orders of magnitude.
    pub log: bool,
    /// Whether smaller values are better.
    pub falls: bool,
    /// Whether its axis goes from large to small: more private is to the right.
    pub turned: bool,
    /// Of each solution.
    #[serde(serialize_with = "plain_numbers")]
    pub values: Vec<Option<f64>>,
}

impl Field {
    /// The value of a solution as shown.
    pub fn show(&self, at: usize) -> String {
        self.values[at].map_or_else(|| "–".to_owned(), |value| self.format.show(value))
    }
}

/// An objective, and the field that shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ObjectiveField {
    /// The position of its field.
    pub field: usize,
    /// Whether smaller values are better.
    pub falls: bool,
    /// Whether it stands for privacy rather than for a price.
    pub private: bool,
    /// The values that decide, where they differ from those of the field in their last digits.
    pub values: Option<Vec<f64>>,
}

/// Names of fields in their order, how they are shown, and whether less is better.
fn known_fields() -> [(&'static str, Format, bool); 12] {
    let of = |quantity: Quantity, format, falls| (quantity.name(), format, falls);
    [
        of(Quantity::K, Format::Number, false),
        of(Quantity::Loss, Format::Share, true),
        of(Quantity::Gl, Format::Share, true),
        of(Quantity::Sl, Format::Share, true),
        of(Quantity::WeightedK, Format::Number, false),
        of(Quantity::L, Format::Number, false),
        of(Quantity::T, Format::Number, true),
        of(Quantity::Necd, Format::Number, true),
        of(Quantity::Suppressed, Format::Number, true),
        (LEFT_OUT, Format::Share, true),
        of(Quantity::Groups, Format::Number, false),
        of(Quantity::Alternatives, Format::Number, false),
    ]
}

/// Group sizes spread over orders of magnitude; other levels do not.
pub(super) fn is_log(name: &str) -> bool {
    matches!(Quantity::of(name), Some(Quantity::K | Quantity::WeightedK))
}

/// How a number of a front is shown, by its name in front.json.
pub fn format_of(front: &FrontFile, name: &str) -> Format {
    let raw = Quantity::of(name) == Some(Quantity::Loss) && !catalog::is_normalized(&front.loss);
    let known = known_fields().into_iter().find(|(key, _, _)| *key == name);
    known.filter(|_| !raw).map_or(Format::Number, |(_, format, _)| format)
}

/// All fields of a front, and which of them its objectives are.
pub(super) fn fields(front: &FrontFile) -> (Vec<Field>, Vec<ObjectiveField>) {
    let mut list: Vec<Field> = Vec::new();
    for (key, _, falls) in known_fields() {
        let values: Vec<Option<f64>> = front.solutions.iter().map(|solution| known(front, solution, key)).collect();
        if values.iter().any(Option::is_some) {
            list.push(field(front, key, format_of(front, key), falls, values));
        }
    }
    let objectives = front.objectives.iter().enumerate();
    let objectives = objectives.map(|(at, own)| objective(front, at, own, &mut list)).collect();
    (list, objectives)
}

fn field(front: &FrontFile, name: &str, format: Format, falls: bool, values: Vec<Option<f64>>) -> Field {
    let (label, meaning) = words::field(front, name);
    let log = is_log(name);
    let mut axis = words::axis(front, name, &label);
    if log {
        axis.push_str(", log scale");
    }
    Field { key: name.to_owned(), label, meaning, axis, format, log, falls, turned: falls && !is_price(name), values }
}

/// The field of an objective: the number of its name, or a field of its own.
fn objective(front: &FrontFile, at: usize, own: &Objective, list: &mut Vec<Field>) -> ObjectiveField {
    let values: Vec<Option<f64>> = front.solutions.iter().map(|one| one.objectives.get(at).copied()).collect();
    let falls = own.sense == Sense::Min;
    // An objective may share its name with a number that is measured otherwise, such as GL of another loss.
    let same = list.iter().position(|field| field.key == own.name);
    let place = match same {
        Some(place) if close(&list[place].values, &values) => {
            (list[place].falls, list[place].turned) = (falls, falls && !is_price(&own.name));
            place
        }
        _ => {
            let format = same.map_or(Format::Number, |place| list[place].format);
            let mut made = field(front, &own.name, format, falls, values.clone());
            if same.is_some() {
                made.label.push_str(" (objective)");
                made.axis = made.label.clone() + if made.log { ", log scale" } else { "" };
            }
            made.key = format!("objective {}", own.name);
            list.push(made);
            list.len() - 1
        }
    };
    let decides = (list[place].values != values).then(|| values.into_iter().map(Option::unwrap_or_default).collect());
    ObjectiveField { field: place, falls, private: !is_price(&own.name), values: decides }
}

/// The number of a field for a front of another family.
pub fn value(front: &FrontFile, solution: &Solution, key: &str) -> Option<f64> {
    let name = key.strip_prefix("objective ").unwrap_or(key);
    match front.objectives.iter().position(|objective| objective.name == name) {
        Some(at) => solution.objectives.get(at).copied(),
        None => known(front, solution, name),
    }
}

fn known(front: &FrontFile, solution: &Solution, key: &str) -> Option<f64> {
    match key == LEFT_OUT {
        // Where nothing is missing, the suppressed rows are all that is left out.
        true => (front.dropped > 0 && solution.described).then(|| LeftOut::of(front, solution).share()),
        false => solution.number(key),
    }
}

fn close(a: &[Option<f64>], b: &[Option<f64>]) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
    a.iter().zip(b).all(|(a, b)| matches!((a, b), (Some(a), Some(b)) if near(*a, *b)))
}

/// Whole numbers without a point, as front.json has counts.
fn plain_numbers<S: Serializer>(values: &[Option<f64>], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Plain {
        Whole(i64),
        Other(Option<f64>),
    }
    serializer.collect_seq(values.iter().map(|value| match value {
        Some(whole) if whole.fract() == 0.0 && whole.abs() < 9e15 => Plain::Whole(*whole as i64),
        other => Plain::Other(*other),
    }))
}
