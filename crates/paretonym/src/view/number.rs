//! One rule for every number that people are shown: whole numbers in full, shares as per cent with two decimals, other
//! numbers with four significant digits. The full value is kept beside what is shown.
//!
//! `report/ui/number.js` is the same rule where numbers change under the reader's hand; a test holds the two together.

use serde::Serialize;

use crate::data::format_number;

/// How a number is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Rows, groups, levels.
    Number,
    /// A share of one, shown as per cent.
    Share,
}

impl Format {
    /// A measured value.
    pub fn show(self, value: f64) -> String {
        match self {
            Format::Number => number(value),
            Format::Share => percent(value),
        }
    }

    /// A round value that somebody chose, such as a limit or a tick.
    pub fn show_round(self, value: f64) -> String {
        match self {
            Format::Number => grouped(&format_number(tidy(value))),
            Format::Share => format!("{}\u{a0}%", grouped(&format_number(tidy(value * 100.0)))),
        }
    }

    /// A difference: that of two shares is a number of percentage points.
    pub fn show_difference(self, value: f64) -> String {
        match self {
            Format::Number => number(tidy(value)),
            Format::Share => format!("{} points", percent(value).replace("\u{a0}%", "")),
        }
    }
}

/// Halves are rounded away from zero, whatever their last bit.
fn nudged(value: f64) -> f64 {
    value * (1.0 + 4e-15)
}

/// The power of ten of the first digit: 0 for 1 to 9.99…, −1 for 0.1. Read from the digits, since logarithms of powers of
/// ten are not the same on all machines.
pub(super) fn magnitude(value: f64) -> i32 {
    let digits = format!("{value:e}");
    digits.rsplit('e').next().and_then(|power| power.parse().ok()).unwrap_or(0)
}

/// Twelve significant digits: what is behind them comes from adding and dividing. Whole numbers stay as they are.
pub(super) fn tidy(value: f64) -> f64 {
    if value.fract() == 0.0 || !value.is_finite() {
        return value;
    }
    format!("{:.11e}", value * (1.0 + 1e-14)).parse().unwrap_or(value)
}

/// 30162 → 30,162; 812.345 → 812.3; 0.41234 → 0.4123.
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    if value.fract() == 0.0 {
        return grouped(&format_number(value));
    }
    let size = magnitude(value);
    if !(-6..15).contains(&size) {
        return format!("{value:.3e}");
    }
    match usize::try_from(3 - size) {
        Ok(decimals @ 1..) => grouped(&format!("{:.decimals$}", nudged(value))),
        _ => grouped(&format_number(value.round())),
    }
}

/// 0.402 → 40.20 %; 0.000031 → 0.0031 %.
pub fn percent(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let points = nudged(value * 100.0);
    let decimals = match points.abs() {
        0.0 => return "0\u{a0}%".to_owned(),
        small if small < 0.1 => usize::try_from(1 - magnitude(small)).unwrap_or(0).min(8),
        _ => 2,
    };
    format!("{}\u{a0}%", grouped(&format!("{points:.decimals$}")))
}

/// Commas between thousands, from four digits on.
fn grouped(digits: &str) -> String {
    let whole = digits.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(digits.len());
    let sign = usize::from(digits.starts_with('-'));
    if whole - sign < 4 {
        return digits.to_owned();
    }
    let mut text = String::with_capacity(digits.len() + 4);
    for (at, c) in digits.char_indices() {
        if at > sign && at < whole && (whole - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let shown: Vec<String> = [5.0, 9999.0, 30162.0, -30162.0, 812.345, 0.41234, 4.5, 123456.7, 0.000123456]
            .into_iter()
            .map(number)
            .collect();
        assert_eq!(shown, ["5", "9,999", "30,162", "-30,162", "812.3", "0.4123", "4.500", "123,457", "0.0001235"]);
    }

    #[test]
    fn shares() {
        let shown: Vec<String> = [0.0, 0.402, 1.0, 0.0097, 0.000031, 0.40125].into_iter().map(percent).collect();
        assert_eq!(
            shown,
            ["0 %", "40.20 %", "100.00 %", "0.97 %", "0.0031 %", "40.13 %"].map(|s| s.replace(' ', "\u{a0}"))
        );
        assert_eq!(Format::Share.show_round(0.25), "25\u{a0}%");
        assert_eq!(Format::Share.show_round(0.07), "7\u{a0}%");
        assert_eq!(Format::Share.show_difference(0.0123), "1.23 points");
    }

    #[test]
    fn sizes_of_numbers() {
        let values = [1.0, 9.999, 10.0, 0.1, 0.099, 1000.0, 999.999_999, 1e-7, -25.0];
        assert_eq!(values.map(magnitude), [0, 0, 1, -1, -2, 3, 2, -7, 1]);
        assert_eq!((tidy(0.1 + 0.2), tidy(1_234_567_890_123.0)), (0.3, 1_234_567_890_123.0));
    }
}
