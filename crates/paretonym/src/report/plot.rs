//! Scales, ticks and axes: what every plot has.

use std::fmt::Write;

use super::escape::text;
use super::number::Kind;

/// Group sizes spread over orders of magnitude; other levels do not.
pub(super) fn is_log(key: &str) -> bool {
    matches!(key.strip_prefix("objective ").unwrap_or(key), "k" | "weighted_k")
}

/// The place of values on a line of pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub log: bool,
    /// The values at the two ends, low < high.
    pub low: f64,
    pub high: f64,
    /// Where they lie.
    pub from: f64,
    pub to: f64,
}

impl Scale {
    /// A scale that holds all values, with some air around them.
    /// Shares stay between 0 and 1.
    pub fn holding(values: impl Iterator<Item = f64>, log: bool, kind: Kind, from: f64, to: f64) -> Self {
        let finite = values.filter(|value| value.is_finite());
        let (mut low, mut high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        if low > high {
            (low, high) = (if log { 1.0 } else { 0.0 }, 1.0);
        }
        if log {
            let air = (high.max(1.0) / low.max(1.0)).powf(0.04).max(1.25);
            let (low, high) = ((low.max(1.0) / air).max(0.8), high.max(1.0) * air);
            return Scale { log, low, high, from, to };
        }
        let (span, most) = (high - low, high);
        if span <= 1e-9 * high.abs() {
            // One value: it sits in the middle.
            let half = if high == 0.0 { 1.0 } else { high.abs() / 2.0 };
            (low, high) = (low - half, high + half);
        } else {
            let starts_near_zero = low >= 0.0 && low < 0.4 * high;
            low = if starts_near_zero { 0.0 } else { low - 0.05 * span };
            high += 0.05 * span;
        }
        if kind == Kind::Share && most <= 1.0 {
            (low, high) = (low.max(0.0), high.min(1.0));
        }
        Scale { log, low, high, from, to }
    }

    /// The place of a value.
    pub fn at(&self, value: f64) -> f64 {
        let share = if self.log {
            (value.max(self.low).ln() - self.low.ln()) / (self.high.ln() - self.low.ln())
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + share * (self.to - self.from)
    }

    /// The value at a place.
    pub fn value(&self, place: f64) -> f64 {
        let share = (place - self.from) / (self.to - self.from);
        if self.log {
            (self.low.ln() + share * (self.high.ln() - self.low.ln())).exp()
        } else {
            self.low + share * (self.high - self.low)
        }
    }

    /// Round values to mark.
    pub fn ticks(&self) -> Vec<f64> {
        let room = ((self.to - self.from).abs() / 55.0).max(2.0);
        if self.log { log_ticks(self.low, self.high, room as usize) } else { ticks(self.low, self.high, room as usize) }
    }

    /// For `report.js`.
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({ "log": self.log, "low": self.low, "high": self.high, "from": self.from, "to": self.to })
    }
}

/// Multiples of 1, 2 or 5 times a power of ten within the ends, about `count` of them.
pub(super) fn ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let rough = (high - low) / count.max(1) as f64;
    if !(rough > 0.0 && rough.is_finite()) {
        return vec![low];
    }
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|step| *step >= rough * 0.8).unwrap_or(rough);
    let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
    // Away from the step, so that 3 × 0.1 is 0.3.
    (first..=last).map(|at| crate::front::round(at as f64 * step)).collect()
}

/// Powers of ten, with 2 and 5 between where there is room; round steps where less than a decade is shown.
pub(super) fn log_ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let decades = (high / low).log10();
    if decades < 0.9 {
        let mut few = ticks(low, high, count.min(5));
        few.retain(|tick| *tick > 0.0);
        return few;
    }
    let every = (decades / count.max(1) as f64).ceil().max(1.0) as i32;
    let within: &[f64] = if decades * 3.0 <= count as f64 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let powers = (first..=last).filter(|power| power.rem_euclid(every) == 0);
    let marks = powers.flat_map(|power| within.iter().map(move |m| crate::front::round(m * 10f64.powi(power))));
    marks.filter(|tick| (low..=high).contains(tick)).collect()
}

/// One axis of a plot.
pub(super) struct Axis {
    /// The name of the field.
    pub key: String,
    pub label: String,
    pub kind: Kind,
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
        let (at, label) = (y.scale.at(tick), text(&y.kind.show_round(tick)));
        let _ = write!(svg, "<path class=\"grid\" d=\"M{left} {at:.1}H{right}\"/>");
        let _ = write!(
            svg,
            "<text class=\"tick\" x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            left - 8.0,
            at + 4.0
        );
    }
    for tick in x.scale.ticks() {
        let (at, label) = (x.scale.at(tick), text(&x.kind.show_round(tick)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_ticks() {
        assert_eq!(ticks(0.0, 1.0, 5), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(ticks(0.11, 0.47, 4), [0.2, 0.3, 0.4]);
        assert_eq!(ticks(-3.0, 8.0, 3), [0.0, 5.0]);
        assert_eq!(ticks(2.0, 2.0, 5), [2.0]);
        assert_eq!(ticks(0.0, 1.04, 7), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
    }

    #[test]
    fn log_ticks_by_span() {
        assert_eq!(log_ticks(1.0, 120.0, 10), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
        assert_eq!(log_ticks(1.5, 40_000.0, 8), [10.0, 100.0, 1000.0, 10_000.0]);
        assert_eq!(log_ticks(4.0, 6.3, 10), [4.0, 4.5, 5.0, 5.5, 6.0]);
        assert!(log_ticks(1.0, 1e12, 6).len() <= 7);
    }

    #[test]
    fn shares_stay_shares() {
        let scale = Scale::holding([1.0].into_iter(), false, Kind::Share, 0.0, 100.0);
        assert_eq!((scale.low, scale.high), (0.5, 1.0));
        let scale = Scale::holding([0.1, 0.98].into_iter(), false, Kind::Share, 0.0, 100.0);
        assert_eq!((scale.low, scale.high), (0.0, 1.0));
    }

    #[test]
    fn scales_hold_their_values() {
        for log in [false, true] {
            for values in [vec![], vec![7.0], vec![0.0], vec![0.0, 3.0], vec![2.0, 30_162.0]] {
                let scale = Scale::holding(values.iter().copied(), log, Kind::Number, 50.0, 450.0);
                assert!(values.iter().all(|value| (50.0..=450.0).contains(&scale.at(*value))), "{values:?} {scale:?}");
            }
        }
    }
}
