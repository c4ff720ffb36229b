//! What `report.js` computes with: the front's numbers by column, and each recoding in words once.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::fields::Fields;
use super::number::Kind;
use super::questions::asked;
use crate::front::Limits;

/// The contents of the page's data element.
pub(super) fn data(fields: &Fields, limits: &Limits) -> Value {
    let front = fields.front;
    let list: Vec<Value> = fields
        .list
        .iter()
        .map(|field| {
            let values: Vec<Value> = field.values.iter().map(|value| value.map_or(Value::Null, plain)).collect();
            json!({ "key": field.key, "label": field.label, "kind": field.kind.name(), "values": values })
        })
        .collect();
    let objectives: Vec<Value> = (0..front.objectives.len())
        .map(|at| {
            let field = fields.objectives[at];
            json!({ "field": field, "falls": fields.falls(field), "private": fields.is_privacy(at) })
        })
        .collect();
    let limits: Vec<Value> = asked(fields, limits)
        .iter()
        .map(|asked| {
            let share = fields.list[asked.field].kind == Kind::Share;
            json!({ "name": asked.name, "field": asked.field, "upper": asked.upper, "share": share })
        })
        .collect();
    json!({
        "ids": front.solutions.iter().map(|solution| solution.id).collect::<Vec<_>>(),
        "fields": list,
        "objectives": objectives,
        "telling": fields.telling(),
        "loss": fields.find("loss"),
        "limits": limits,
        "columns": columns(fields),
    })
}

/// Whole numbers without a point, as front.json has counts.
fn plain(value: f64) -> Value {
    if value.fract() == 0.0 && value.abs() < 9e15 { json!(value as i64) } else { json!(value) }
}

/// Per column its name, the different recodings in words, and which of them each solution has.
fn columns(fields: &Fields) -> Vec<Value> {
    let solutions = &fields.front.solutions;
    let shown: Vec<Vec<(&str, String)>> = solutions.iter().map(|solution| solution.recoding.words()).collect();
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in shown.iter().flatten() {
        if !names.contains(name) {
            names.push(name);
        }
    }
    let column = |name: &str| {
        let mut words: Vec<String> = Vec::new();
        let mut place: BTreeMap<String, usize> = BTreeMap::new();
        let of: Vec<Option<usize>> = shown
            .iter()
            .map(|solution| {
                let shown = solution.iter().find(|(own, _)| *own == name)?.1.clone();
                Some(*place.entry(shown.clone()).or_insert_with(|| {
                    words.push(shown);
                    words.len() - 1
                }))
            })
            .collect();
        json!({ "name": name, "words": words, "of": of })
    };
    names.into_iter().map(column).collect()
}
