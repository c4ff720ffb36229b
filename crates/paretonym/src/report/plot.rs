//! Axes: what every plot has.

use std::fmt::Write;

use super::escape::text;
use crate::view::{Format, Scale};

/// One axis of a plot.
pub(super) struct Axis {
    pub label: String,
    pub format: Format,
    pub scale: Scale,
}

/// The size of a plot and of the space around its inner part.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub width: f64,
    pub height: f64,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Frame {
    /// The pixels of the horizontal axis.
    pub fn across(&self) -> (f64, f64) {
        (self.left, self.width - self.right)
    }

    /// The pixels of the vertical axis, bottom first.
    pub fn up(&self) -> (f64, f64) {
        (self.height - self.bottom, self.top)
    }
}

/// Grid lines, tick labels and axis labels.
pub(super) fn draw_axes(svg: &mut String, frame: &Frame, x: &Axis, y: &Axis) {
    let ((left, right), (bottom, top)) = (frame.across(), frame.up());
    for tick in y.scale.ticks() {
        let (at, label) = (y.scale.at(tick), text(&y.format.show_round(tick)));
        let _ = write!(svg, "<path class=\"grid\" d=\"M{left} {at:.1}H{right}\"/>");
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            left - 8.0,
            at + 4.0
        );
    }
    for tick in x.scale.ticks() {
        let (at, label) = (x.scale.at(tick), text(&x.format.show_round(tick)));
        let _ = write!(svg, "<path class=\"grid\" d=\"M{at:.1} {top}V{bottom}\"/>");
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
            bottom + 18.0
        );
    }
    let _ = write!(svg, "<path class=\"axis\" d=\"M{left} {top}V{bottom}H{right}\"/>");
    let middle = (left + right) / 2.0;
    let _ = write!(
        svg,
        "<text class=\"label\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        frame.height - 10.0,
        text(&x.label)
    );
    let middle = (top + bottom) / 2.0;
    let _ = write!(
        svg,
        "<text class=\"label\" transform=\"translate(16 {middle}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        text(&y.label)
    );
}
