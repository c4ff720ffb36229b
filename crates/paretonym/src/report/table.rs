//! The table of solutions.

use std::fmt::Write;

use super::escape::text;
use crate::data::format_number;
use crate::view::View;

/// Rows that are written out; `ui/report.js` adds the others when they are asked for.
pub(super) const WRITTEN: usize = 1000;

/// The table.
pub(super) fn table(view: &View) -> String {
    let mut html = "<table id=\"solutions\"><thead><tr>".to_owned();
    html.push_str("<th scope=\"col\" aria-sort=\"ascending\"><button type=\"button\" data-sort=\"id\" title=\"number of the solution in the front\">solution</button></th>");
    for (at, field) in view.fields.iter().enumerate() {
        let (label, meaning) = (text(&field.label), text(&field.meaning));
        let _ = write!(
            html,
            "<th scope=\"col\"><button type=\"button\" data-sort=\"{at}\" title=\"{meaning}\">{label}</button></th>"
        );
    }
    html.push_str("</tr></thead><tbody>");
    for (at, id) in view.ids.iter().take(WRITTEN).enumerate() {
        let _ = write!(
            html,
            "<tr data-i=\"{at}\" tabindex=\"-1\"><th scope=\"row\"><button type=\"button\" class=\"pick\" data-i=\"{at}\">{id}</button></th>"
        );
        for field in &view.fields {
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
