//! The legend: colours by suppression, and marks of the fronts behind.

use std::fmt::Write;

use super::escape::text;
use crate::front::FrontFile;
use crate::view::Shades;

/// The legend outside a plot.
pub(super) fn legend_html(shades: &Shades, backdrops: &[(String, &FrontFile)]) -> String {
    let mut html = "<p class=\"legend\">".to_owned();
    if !shades.ends.is_empty() {
        html.push_str("<span>rows suppressed</span>");
    }
    for (shade, words) in shades.words.iter().enumerate() {
        let mark = format!(
            "<svg class=\"plot key\" width=\"12\" height=\"12\" aria-hidden=\"true\"><circle class=\"p s{shade}\" cx=\"6\" cy=\"6\" r=\"4.5\"/></svg>"
        );
        let _ = write!(html, "<span>{mark} {}</span>", text(words));
    }
    for (at, (name, _)) in backdrops.iter().enumerate() {
        let mark = format!(
            "<svg class=\"plot key\" width=\"16\" height=\"12\" aria-hidden=\"true\">{}</svg>",
            behind_mark(at, 8.0, 6.0)
        );
        let _ = write!(html, "<span>{mark} {}</span>", text(name));
    }
    html + "</p>"
}

/// Fronts behind are told apart by shape: they have no colour.
pub(super) fn behind_mark(at: usize, x: f64, y: f64) -> String {
    let d = match at % 4 {
        0 => format!("M{:.1} {:.1}h6v6h-6z", x - 3.0, y - 3.0),
        1 => format!("M{x:.1} {:.1}l3.8 6.6h-7.6z", y - 4.2),
        2 => format!("M{x:.1} {:.1}l4 4l-4 4l-4-4z", y - 4.0),
        _ => format!("M{:.1} {:.1}l6 6m0 -6l-6 6", x - 3.0, y - 3.0),
    };
    format!("<path class=\"behind\" d=\"{d}\"/>")
}
