//! Colours of points by suppression, marks of the fronts behind, and the legend of both.

use std::fmt::Write;

use super::escape::text;
use super::fields::Fields;
use super::number::Kind;
use super::plot::ticks;
use crate::front::FrontFile;

/// Colours: none suppressed, and up to four ranges.
const SHADES: usize = 5;

/// The upper ends of the ranges of suppression that have a colour of their own; what is above 0 starts the first.
pub(super) fn shades(fields: &Fields) -> Vec<f64> {
    let most = fields.front.solutions.iter().filter_map(|solution| solution.number("sl")).fold(0.0, f64::max);
    if most == 0.0 {
        return Vec::new();
    }
    // As many round ranges as there are colours for, the last of them holding the most.
    let steps = (1..2 * SHADES).rev().map(|count| ticks(0.0, most, count)).find(|marks| marks.len() < SHADES);
    let mut ends: Vec<f64> = steps.unwrap_or_default().into_iter().filter(|end| *end > 0.0).collect();
    if ends.last().is_none_or(|last| *last < most * (1.0 - 1e-9)) {
        ends.push(most);
    }
    ends
}

/// The colour of a share of suppressed rows.
pub(super) fn shade(ends: &[f64], sl: f64) -> usize {
    if sl == 0.0 {
        0
    } else {
        1 + ends.iter().position(|end| sl <= end * (1.0 + 1e-9)).unwrap_or(ends.len().max(1) - 1)
    }
}

/// Class of the mark and words for each colour.
pub(super) fn shade_words(ends: &[f64]) -> Vec<(String, String)> {
    if ends.is_empty() {
        return vec![("s0".to_owned(), "nothing suppressed".to_owned())];
    }
    let mut words = vec![("s0".to_owned(), "none".to_owned())];
    words.extend(ends.iter().enumerate().map(|(at, end)| {
        let last = at + 1 == ends.len();
        let end = if last { Kind::Share.show(*end) } else { Kind::Share.show_round(*end) };
        (format!("s{}", at + 1), format!("≤ {end}"))
    }));
    words
}

/// The legend outside a plot.
pub(super) fn legend_html(fields: &Fields, backdrops: &[(String, &FrontFile)]) -> String {
    let ends = shades(fields);
    let mut html = "<p class=\"legend\">".to_owned();
    if !ends.is_empty() {
        html.push_str("<span>rows suppressed</span>");
    }
    for (class, words) in shade_words(&ends) {
        let mark = format!(
            "<svg class=\"plot key\" width=\"12\" height=\"12\" aria-hidden=\"true\"><circle class=\"p {class}\" cx=\"6\" cy=\"6\" r=\"4.5\"/></svg>"
        );
        let _ = write!(html, "<span>{mark} {}</span>", text(&words));
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

#[cfg(test)]
mod tests {
    use super::super::testing::front_of;
    use super::*;

    #[test]
    fn colours_cover_all_suppression() {
        let mut front = front_of(&[(9, 0.4), (5, 0.3), (2, 0.1)]);
        assert_eq!(shades(&Fields::new(&front)), [] as [f64; 0]);
        for most in [0.0099, 0.02, 0.3, 0.77, 1.0] {
            front.solutions[0].sl = most;
            let ends = shades(&Fields::new(&front));
            assert!(ends.len() < SHADES && shade(&ends, most) == ends.len(), "{most}: {ends:?}");
            assert_eq!(shade(&ends, 0.0), 0);
            assert_eq!(shade(&ends, 1e-9), 1);
        }
    }
}
