//! The table of solutions, and recodings in words.

use std::fmt::Write;

use serde_json::Value;

use super::escape::text;
use super::fields::Fields;
use crate::data::format_number;

/// Rows that are written out; `report.js` adds the others when they are asked for.
pub(super) const WRITTEN: usize = 1000;

/// The table.
pub(super) fn table(fields: &Fields) -> String {
    let mut html = "<table id=\"solutions\"><thead><tr>".to_owned();
    html.push_str("<th scope=\"col\" aria-sort=\"ascending\"><button type=\"button\" data-sort=\"id\" title=\"number of the solution in the front\">solution</button></th>");
    for (at, field) in fields.list.iter().enumerate() {
        let (label, meaning) = (text(&field.label), text(&field.meaning));
        let _ = write!(
            html,
            "<th scope=\"col\"><button type=\"button\" data-sort=\"{at}\" title=\"{meaning}\">{label}</button></th>"
        );
    }
    html.push_str("</tr></thead><tbody>");
    for (at, solution) in fields.front.solutions.iter().take(WRITTEN).enumerate() {
        let _ = write!(
            html,
            "<tr data-i=\"{at}\" tabindex=\"-1\"><th scope=\"row\"><button type=\"button\" class=\"pick\" data-i=\"{at}\">{}</button></th>",
            solution.id
        );
        for field in &fields.list {
            match field.values[at] {
                Some(value) => {
                    let full = format_number(value);
                    let _ = write!(html, "<td data-value=\"{full}\" title=\"{full}\">{}</td>", field.show(at));
                }
                None => html.push_str("<td>–</td>"),
            }
        }
        html.push_str("</tr>");
    }
    html + "</tbody></table>"
}

/// What a recoded column shows, in words.
pub(super) fn recoding(value: &Value) -> String {
    let words = |labels: &[Value]| -> Vec<String> { labels.iter().map(label).collect() };
    if let Some(level) = value.get("level").and_then(Value::as_u64) {
        return if level == 0 { "level 0, as it is".to_owned() } else { format!("level {level}") };
    }
    if let Some(cut) = value.get("cut").and_then(Value::as_array) {
        return words(cut).join(" | ");
    }
    if let Some(runs) = value.get("breaks").and_then(Value::as_array) {
        let runs: Vec<Vec<String>> = runs.iter().filter_map(Value::as_array).map(|run| words(run)).collect();
        let values: usize = runs.iter().map(Vec::len).sum();
        if runs.len() == 1 {
            return format!("all {values} values in one");
        }
        if runs.len() == values {
            return format!("as it is, {values} values");
        }
        let run = |run: &Vec<String>| match run.as_slice() {
            [] => String::new(),
            [only] => only.clone(),
            [first, .., last] => format!("{first} … {last}"),
        };
        return runs.iter().map(run).collect::<Vec<_>>().join(" | ");
    }
    label(value)
}

fn label(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn recodings_in_words() {
        assert_eq!(recoding(&json!({ "level": 2 })), "level 2");
        assert_eq!(recoding(&json!({ "cut": ["Government", "Private"] })), "Government | Private");
        assert_eq!(recoding(&json!({ "breaks": [["a", "b", "c"], ["d"]] })), "a … c | d");
        assert_eq!(recoding(&json!({ "breaks": [["a", "b"]] })), "all 2 values in one");
        assert_eq!(recoding(&json!({ "breaks": [["a"], ["b"]] })), "as it is, 2 values");
        assert_eq!(recoding(&json!(17)), "17");
    }
}
