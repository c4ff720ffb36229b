//! The front as a picture: privacy to the right, loss upwards, colour by suppression, other families behind.

use std::fmt::Write;

use serde::Serialize;

use super::escape::text;
use super::fit::Fit;
use super::legend::behind_mark;
use super::plot::{Axis, Frame, draw_axes};
use super::stair::{Thin, stair};
use crate::front::FrontFile;
use crate::view::{FlatRegion, Scale, View, value};

/// Past so many solutions those that fall on the same spot are drawn once.
pub(super) const ALL_DRAWN: usize = 2000;
/// Pieces of the fitted curve.
const FIT_STEPS: u32 = 160;
/// Rings that `ui/report.js` lays around the answers.
const ANSWERS: usize = 8;

/// The curve through a front of two objectives, one of them a loss.
pub(super) fn fitted(view: &View) -> Option<Fit> {
    let (&[(x, y)], 2) = (view.pairs.as_slice(), view.objectives.len()) else { return None };
    let (across, up) = (&view.fields[x], &view.fields[y]);
    let pairs = across.values.iter().zip(&up.values).filter_map(|(a, b)| Some(((*a)?, (*b)?)));
    Fit::of(&pairs.collect::<Vec<_>>(), across.log)
}

/// What `ui/report-plot.js` needs to know of a plot: its fields and their scales.
#[derive(Serialize)]
struct PlotData {
    x: usize,
    y: usize,
    across: Scale,
    up: Scale,
}

/// A front behind, on the axes of a plot.
struct Behind<'a> {
    name: &'a str,
    points: Vec<(f64, f64)>,
}

/// One plot in the making.
pub(super) struct Picture<'a> {
    view: &'a View,
    /// The fields across and up.
    pair: (usize, usize),
    backdrops: Vec<Behind<'a>>,
    frame: Frame,
    x: Axis,
    y: Axis,
    legend: bool,
    points: Vec<(f64, f64, usize)>,
    /// A curve through them, where they form a stair.
    fit: Option<Fit>,
}

impl<'a> Picture<'a> {
    pub fn new(
        view: &'a View,
        backdrops: &'a [(String, &FrontFile)],
        frame: Frame,
        (x, y): (usize, usize),
        legend: bool,
    ) -> Self {
        let (across, up) = (&view.fields[x], &view.fields[y]);
        let raw: Vec<(f64, f64, usize)> =
            (0..view.ids.len()).filter_map(|at| Some((across.values[at]?, up.values[at]?, at))).collect();
        let backdrops: Vec<Behind> = backdrops
            .iter()
            .map(|(name, front)| {
                let pair = |s| Some((value(front, s, &across.key)?, value(front, s, &up.key)?));
                Behind { name, points: front.solutions.iter().filter_map(pair).collect() }
            })
            .collect();
        let behind = || backdrops.iter().flat_map(|behind| behind.points.iter().copied());
        let axis = |field: usize, values: Vec<f64>, (from, to): (f64, f64)| {
            let own = &view.fields[field];
            let scale = Scale::holding(values.into_iter(), own.log, own.format, from, to);
            Axis { label: own.axis.clone(), format: own.format, scale }
        };
        let (left, right) = frame.across();
        let ends = if across.turned { (right, left) } else { (left, right) };
        let x_axis = axis(x, raw.iter().map(|p| p.0).chain(behind().map(|p| p.0)).collect(), ends);
        let y_axis = axis(y, raw.iter().map(|p| p.1).chain(behind().map(|p| p.1)).collect(), frame.up());
        let points = raw.into_iter().map(|(a, b, at)| (x_axis.scale.at(a), y_axis.scale.at(b), at)).collect();
        let fit = fitted(view).filter(|_| view.stair);
        Picture { view, pair: (x, y), backdrops, frame, x: x_axis, y: y_axis, legend, points, fit }
    }

    /// The plot as part of a page: with the places that `ui/report.js` fills.
    pub fn element(&self, flat: &[FlatRegion]) -> String {
        let (x, y) = self.pair;
        let place = serde_json::json!(PlotData { x, y, across: self.x.scale, up: self.y.scale });
        format!(
            "<svg class=\"plot\" viewBox=\"0 0 {} {}\" tabindex=\"0\" role=\"application\" aria-label=\"{}\" data-plot=\"{}\">{}</svg>",
            self.frame.width,
            self.frame.height,
            text(&format!(
                "Plot of {} solutions: {} against {}. Arrow keys move from solution to solution, Enter chooses one.",
                self.points.len(),
                self.x.label,
                self.y.label
            )),
            text(&place.to_string()),
            self.draw(flat, true),
        )
    }

    /// The inside of the plot; a live one has the marks that `ui/report.js` moves.
    pub fn draw(&self, flat: &[FlatRegion], live: bool) -> String {
        let mut svg = String::new();
        let ((left, right), (bottom, top)) = (self.frame.across(), self.frame.up());
        self.draw_flat(&mut svg, flat);
        draw_axes(&mut svg, &self.frame, &self.x, &self.y);
        if self.view.stair {
            let _ = write!(
                svg,
                "<text class=\"hint\" x=\"{right}\" y=\"{}\" text-anchor=\"end\">more private →</text>",
                self.frame.height - 10.0
            );
        }
        if live {
            let (width, height) = (right - left, bottom - top);
            let _ =
                write!(svg, "<rect class=\"beyond\" data-beyond=\"x\" y=\"{top}\" width=\"0\" height=\"{height}\"/>");
            let _ =
                write!(svg, "<rect class=\"beyond\" data-beyond=\"y\" x=\"{left}\" width=\"{width}\" height=\"0\"/>");
        }
        for (at, behind) in self.backdrops.iter().enumerate() {
            self.draw_behind(&mut svg, at, &behind.points);
        }
        if self.view.stair {
            let _ = write!(
                svg,
                "<path class=\"stair\" d=\"{}\"/>",
                stair(self.points.iter().map(|p| (p.0, p.1)).collect())
            );
        }
        if let Some(fit) = self.fit.as_ref().filter(|_| live) {
            self.draw_fit(&mut svg, fit);
        }
        self.draw_points(&mut svg);
        if live {
            let ring = |name: &str| format!("<circle class=\"ring {name}\" r=\"9\" hidden=\"\"/>");
            svg.push_str(&ring("answer").repeat(ANSWERS));
            svg.push_str(&(ring("chosen") + &ring("near")));
        }
        if self.legend {
            self.draw_legend(&mut svg);
        }
        svg
    }

    fn draw_flat(&self, svg: &mut String, flat: &[FlatRegion]) {
        let (bottom, top) = self.frame.up();
        let place = |at: usize| self.points.iter().find(|point| point.2 == at).map_or(0.0, |point| point.0);
        for (number, region) in flat.iter().enumerate() {
            let (a, b) = (place(region.from), place(region.to));
            let (a, b) = (a.min(b), a.max(b));
            let _ = write!(
                svg,
                "<rect class=\"flat\" x=\"{a:.1}\" y=\"{top}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                b - a,
                bottom - top
            );
            let _ = write!(
                svg,
                "<text class=\"flat-number\" x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                (a + b) / 2.0,
                top + 15.0,
                number + 1
            );
        }
    }

    fn draw_behind(&self, svg: &mut String, at: usize, points: &[(f64, f64)]) {
        let places: Vec<(f64, f64)> = points.iter().map(|p| (self.x.scale.at(p.0), self.y.scale.at(p.1))).collect();
        let mut thin = Thin::new(4.0);
        let marks: String = places.iter().filter(|p| thin.takes(p.0, p.1)).map(|p| behind_mark(at, p.0, p.1)).collect();
        if self.view.stair {
            let _ = write!(svg, "<path class=\"stair behind\" d=\"{}\"/>", stair(places));
        }
        svg.push_str(&marks);
    }

    /// The fitted curve, between the first and the last point; the page shows it on request.
    fn draw_fit(&self, svg: &mut String, fit: &Fit) {
        let places = || self.points.iter().map(|point| point.0);
        let (first, last) = (places().fold(f64::INFINITY, f64::min), places().fold(f64::NEG_INFINITY, f64::max));
        let (bottom, top) = self.frame.up();
        let mut d = String::new();
        for step in 0..=FIT_STEPS {
            let x = first + (last - first) * f64::from(step) / f64::from(FIT_STEPS);
            let y = self.y.scale.at(fit.at(self.x.scale.value(x))).clamp(top, bottom);
            let _ = write!(d, "{}{x:.1} {y:.1}", if step == 0 { 'M' } else { 'L' });
        }
        let _ = write!(svg, "<path class=\"fit\" d=\"{d}\"/>");
    }

    fn draw_points(&self, svg: &mut String) {
        let many = self.points.len();
        let radius = match many {
            0..=80 => 5.0,
            81..=400 => 3.8,
            401..=1500 => 3.0,
            _ => 2.4,
        };
        let mut thin = Thin::new(if many > ALL_DRAWN { 2.0 } else { 0.0 });
        svg.push_str(if many > ALL_DRAWN { "<g class=\"points dense\">" } else { "<g class=\"points\">" });
        for (x, y, at) in self.points.iter().filter(|point| thin.takes(point.0, point.1)) {
            let class = self.view.shades.of[*at];
            let _ = write!(
                svg,
                "<circle class=\"p s{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" data-i=\"{at}\"/>"
            );
        }
        svg.push_str("</g>");
    }

    /// One line of colours; another one of the fronts behind.
    fn draw_legend(&self, svg: &mut String) {
        let shades = &self.view.shades;
        let mut x = self.frame.left;
        let write_words = |svg: &mut String, x: &mut f64, y: f64, words: &str| {
            let _ = write!(svg, "<text class=\"tick\" x=\"{x:.0}\" y=\"{y}\">{}</text>", text(words));
            *x += 7.0 * words.chars().count() as f64 + 22.0;
        };
        if !shades.ends.is_empty() {
            write_words(svg, &mut x, 22.0, "rows suppressed:");
        }
        for (shade, words) in shades.words.iter().enumerate() {
            let _ = write!(svg, "<circle class=\"p s{shade}\" cx=\"{:.0}\" cy=\"18\" r=\"5\"/>", x + 5.0);
            x += 15.0;
            write_words(svg, &mut x, 22.0, words);
        }
        let mut x = self.frame.left;
        for (at, behind) in self.backdrops.iter().enumerate() {
            svg.push_str(&behind_mark(at, x + 5.0, 38.0));
            x += 15.0;
            write_words(svg, &mut x, 42.0, behind.name);
        }
    }
}
