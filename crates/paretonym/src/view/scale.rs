//! Where values lie on a line of pixels, and the round values to mark. `report/ui/scale.js` is the same rule where a
//! reader zooms.

use serde::Serialize;

use super::number::{Format, magnitude, tidy};

/// Room between marks, in pixels.
const BETWEEN_TICKS: f64 = 55.0;
/// Quotients of round numbers are round, whatever their last bit.
const SLACK: f64 = 1e-9;

/// The place of values on a line of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Scale {
    /// Whether places go with the logarithm of values.
    pub log: bool,
    /// The value at the low end.
    pub low: f64,
    /// The value at the high end, above that at the low one.
    pub high: f64,
    /// The place of the low end.
    pub from: f64,
    /// The place of the high end.
    pub to: f64,
}

impl Scale {
    /// A scale that holds all values, with some air around them.
    /// Shares stay between 0 and 1.
    pub fn holding(values: impl Iterator<Item = f64>, log: bool, format: Format, from: f64, to: f64) -> Self {
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
        if format == Format::Share && most <= 1.0 {
            (low, high) = (low.max(0.0), high.min(1.0));
        }
        Scale { log, low, high, from, to }
    }

    /// The place of a value; what has no logarithm lies at the low end.
    pub fn at(&self, value: f64) -> f64 {
        let share = if self.log {
            let value = if value > 0.0 { value } else { self.low };
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.from + share * (self.to - self.from)
    }

    /// The value at a place.
    pub fn value(&self, place: f64) -> f64 {
        let share = (place - self.from) / (self.to - self.from);
        if self.log { self.low * (self.high / self.low).powf(share) } else { self.low + share * (self.high - self.low) }
    }

    /// Round values to mark.
    pub fn ticks(&self) -> Vec<f64> {
        let room = ((self.to - self.from).abs() / BETWEEN_TICKS).max(2.0) as usize;
        if self.log { log_ticks(self.low, self.high, room) } else { ticks(self.low, self.high, room) }
    }
}

/// A power of ten, exactly as it is written.
fn ten_to(power: i32) -> f64 {
    format!("1e{power}").parse().unwrap_or(f64::NAN)
}

/// Multiples of 1, 2 or 5 times a power of ten within the ends, about `count` of them.
pub fn ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let rough = (high - low) / count.max(1) as f64;
    if !(rough > 0.0 && rough.is_finite()) {
        return vec![low];
    }
    let power = ten_to(magnitude(rough));
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|step| *step >= rough * 0.8).unwrap_or(rough);
    let (first, last) = ((low / step - SLACK).ceil() as i64, (high / step + SLACK).floor() as i64);
    // Away from the step, so that 3 × 0.1 is 0.3.
    (first..=last).map(|at| tidy(at as f64 * step)).collect()
}

/// Powers of ten, with 2 and 5 between where there is room; round steps where less than a decade is shown.
pub fn log_ticks(low: f64, high: f64, count: usize) -> Vec<f64> {
    let decades = (high / low).log10();
    if decades < 0.9 {
        let mut few = ticks(low, high, count.min(5));
        few.retain(|tick| *tick > 0.0);
        return few;
    }
    let every = (decades / count.max(1) as f64 - SLACK).ceil().max(1.0) as i32;
    let within: &[f64] = if decades * 3.0 <= count as f64 + SLACK { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let powers = (magnitude(low)..=magnitude(high)).filter(|power| power.rem_euclid(every) == 0);
    let marks = powers.flat_map(|power| within.iter().map(move |m| tidy(m * ten_to(power))));
    marks.filter(|tick| (low..=high).contains(tick)).collect()
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
        let scale = Scale::holding([1.0].into_iter(), false, Format::Share, 0.0, 100.0);
        assert_eq!((scale.low, scale.high), (0.5, 1.0));
        let scale = Scale::holding([0.1, 0.98].into_iter(), false, Format::Share, 0.0, 100.0);
        assert_eq!((scale.low, scale.high), (0.0, 1.0));
    }

    #[test]
    fn scales_hold_their_values() {
        for log in [false, true] {
            for values in [vec![], vec![7.0], vec![0.0], vec![0.0, 3.0], vec![2.0, 30_162.0]] {
                let scale = Scale::holding(values.iter().copied(), log, Format::Number, 50.0, 450.0);
                assert!(values.iter().all(|value| (50.0..=450.0).contains(&scale.at(*value))), "{values:?} {scale:?}");
                let place = |value: &f64| {
                    log && *value <= 0.0 || (scale.value(scale.at(*value)) - value).abs() < 1e-9 * value.max(1.0)
                };
                assert!(values.iter().all(place), "{values:?} {scale:?}");
            }
        }
    }
}
