//! The numbers of a solution with their names: what the axes, the table and the tooltips show.

use super::number::Kind;
use super::words;
use crate::front::{FrontFile, LeftOut, Solution};
use crate::measure::Sense;

/// One number that every solution has.
pub(super) struct Field {
    /// Its name in front.json.
    pub key: String,
    /// Its name on the page.
    pub label: String,
    /// What it is, in a sentence.
    pub meaning: String,
    /// How it is shown.
    pub kind: Kind,
    /// Of each solution.
    pub values: Vec<Option<f64>>,
}

impl Field {
    /// The value of a solution as shown.
    pub fn show(&self, at: usize) -> String {
        self.values[at].map_or_else(|| "–".to_owned(), |value| self.kind.show(value))
    }
}

/// A front with its numbers laid out by name.
pub(super) struct Fields<'a> {
    pub front: &'a FrontFile,
    pub list: Vec<Field>,
    /// The field of each objective.
    pub objectives: Vec<usize>,
}

/// Names in front.json and whether they are shares.
const KNOWN: [(&str, Kind); 12] = [
    ("k", Kind::Number),
    ("loss", Kind::Share),
    ("gl", Kind::Share),
    ("sl", Kind::Share),
    ("weighted_k", Kind::Number),
    ("l", Kind::Number),
    ("t", Kind::Number),
    ("necd", Kind::Number),
    ("suppressed", Kind::Number),
    ("left_out", Kind::Share),
    ("groups", Kind::Number),
    ("alternatives", Kind::Number),
];

impl<'a> Fields<'a> {
    pub fn new(front: &'a FrontFile) -> Self {
        let mut list: Vec<Field> = Vec::new();
        let column = |key: &str| front.solutions.iter().map(|solution| known(front, solution, key)).collect::<Vec<_>>();
        for (key, kind) in KNOWN {
            let values = column(key);
            if values.iter().any(Option::is_some) {
                let raw = key == "loss" && !words::is_normalized(&front.loss);
                let kind = if raw { Kind::Number } else { kind };
                let (label, meaning) = words::field(front, key);
                list.push(Field { key: key.to_owned(), label, meaning, kind, values });
            }
        }
        let mut objectives = Vec::new();
        for (at, objective) in front.objectives.iter().enumerate() {
            let values: Vec<Option<f64>> =
                front.solutions.iter().map(|solution| solution.objectives.get(at).copied()).collect();
            // An objective may share its name with a number that is measured otherwise, such as GL of another loss.
            let same = list.iter().position(|field| field.key == objective.name);
            objectives.push(match same {
                Some(field) if close(&list[field].values, &values) => field,
                _ => {
                    let (label, meaning) = words::field(front, &objective.name);
                    let label = if same.is_some() { format!("{label} (objective)") } else { label };
                    let kind = same.map_or(Kind::Number, |field| list[field].kind);
                    list.push(Field { key: format!("objective {}", objective.name), label, meaning, kind, values });
                    list.len() - 1
                }
            });
        }
        Fields { front, list, objectives }
    }

    /// A field by its name in front.json.
    pub fn find(&self, key: &str) -> Option<usize> {
        self.list.iter().position(|field| field.key == key)
    }

    /// Whether an objective stands for privacy: all do that are not a loss.
    pub fn is_privacy(&self, objective: usize) -> bool {
        !matches!(self.front.objectives[objective].name.as_str(), "loss" | "gl" | "sl")
    }

    /// The fields that tell a solution from others in one line: privacy first, then what it costs.
    pub fn telling(&self) -> Vec<usize> {
        let privacy = (0..self.objectives.len()).filter(|at| self.is_privacy(*at)).map(|at| self.objectives[at]);
        let mut fields: Vec<usize> = privacy.collect();
        let suppresses = self.front.solutions.iter().any(|solution| solution.suppressed > Some(0));
        for key in ["k", "loss", "sl", "left_out"] {
            fields.extend(self.find(key).filter(|_| key != "sl" || suppresses));
        }
        let mut seen = Vec::new();
        fields.retain(|field| {
            !seen.contains(field) && {
                seen.push(*field);
                true
            }
        });
        fields
    }

    /// Whether smaller values of a field are better.
    pub fn falls(&self, field: usize) -> bool {
        match self.objectives.iter().position(|own| *own == field) {
            Some(at) => self.front.objectives[at].sense == Sense::Min,
            None => {
                matches!(self.list[field].key.as_str(), "loss" | "gl" | "sl" | "t" | "suppressed" | "left_out" | "necd")
            }
        }
    }
}

/// The same number for a front of another family.
pub(super) fn value(front: &FrontFile, solution: &Solution, key: &str) -> Option<f64> {
    let name = key.strip_prefix("objective ").unwrap_or(key);
    match front.objectives.iter().position(|objective| objective.name == name) {
        Some(at) => solution.objectives.get(at).copied(),
        None => known(front, solution, name),
    }
}

fn known(front: &FrontFile, solution: &Solution, key: &str) -> Option<f64> {
    match key {
        // Where nothing is missing, the suppressed rows are all that is left out.
        "left_out" => (front.dropped > 0 && solution.described).then(|| LeftOut::of(front, solution).share()),
        _ => solution.number(key),
    }
}

fn close(a: &[Option<f64>], b: &[Option<f64>]) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
    a.iter().zip(b).all(|(a, b)| matches!((a, b), (Some(a), Some(b)) if near(*a, *b)))
}
