//! The table of solutions, and recodings in words.

use std::fmt::Write;

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
