//! How rows are spread over groups: the share of rows in groups of at most a size.

use std::fmt::Write;

use super::GroupCurve;
use super::escape::text;
use super::plot::{Axis, Frame, draw_axes};
use crate::front::FrontFile;
use crate::view::{Format, Scale, number};

const FRAME: Frame = Frame { width: 860.0, height: 340.0, left: 72.0, right: 150.0, top: 16.0, bottom: 50.0 };
/// Colours of lines.
const LINES: usize = 6;

/// The plot, or nothing where there are no curves.
pub(super) fn curves(front: &FrontFile, curves: &[GroupCurve]) -> String {
    let curves: Vec<&GroupCurve> = curves.iter().filter(|curve| !curve.points.is_empty()).collect();
    if curves.is_empty() {
        return String::new();
    }
    let ((left, right), (bottom, top)) = (FRAME.across(), FRAME.up());
    let sizes = curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.0 as f64));
    let axis = |label: &str, format, scale| Axis { label: label.to_owned(), format, scale };
    let x =
        axis("rows in a group, log scale", Format::Number, Scale::holding(sizes, true, Format::Number, left, right));
    let scale = Scale { log: false, low: 0.0, high: 1.0, from: bottom, to: top };
    let y = axis("rows in groups of at most this size", Format::Share, scale);
    let mut svg = format!(
        "<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Cumulative group sizes\">",
        FRAME.width, FRAME.height
    );
    draw_axes(&mut svg, &FRAME, &x, &y);
    for (at, curve) in curves.iter().enumerate() {
        let mut d = format!("M{left:.1} {bottom:.1}");
        for (size, share) in &curve.points {
            let _ = write!(d, "H{:.1}V{:.1}", x.scale.at(*size as f64), y.scale.at(*share));
        }
        let _ = write!(d, "H{right:.1}");
        let title = curve_words(front, curve);
        let line = at % LINES;
        let _ = write!(svg, "<path class=\"line c{line}\" d=\"{d}\"><title>{}</title></path>", text(&title));
        let row = top + 14.0 + 20.0 * at as f64;
        let _ = write!(svg, "<path class=\"line c{line}\" d=\"M{} {}h18\"/>", right + 12.0, row - 4.0);
        let _ = write!(svg, "<text class=\"tick\" x=\"{}\" y=\"{row}\">{}</text>", right + 36.0, text(&title));
    }
    svg + "</svg>"
}

fn curve_words(front: &FrontFile, curve: &GroupCurve) -> String {
    match front.solutions.iter().find(|solution| solution.id == curve.id) {
        Some(solution) => format!("{}: k = {}", curve.id, number(solution.k as f64)),
        None => format!("{}", curve.id),
    }
}
