//! One rule for every number on the page; `report.js` repeats it. Whole numbers are shown in full, shares as per cent
//! with two decimals, other numbers with four significant digits. The full value is kept beside what is shown.

use crate::data::format_number;

/// How a number is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Rows, groups, levels.
    Number,
    /// A share of one, shown as per cent.
    Share,
}

impl Kind {
    /// Its name in `report.js`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Number => "number",
            Kind::Share => "share",
        }
    }

    /// A measured value.
    pub fn show(self, value: f64) -> String {
        match self {
            Kind::Number => number(value),
            Kind::Share => percent(value),
        }
    }

    /// A round value that somebody chose, such as a limit or a tick.
    pub fn show_round(self, value: f64) -> String {
        match self {
            Kind::Number => grouped(&format_number(crate::front::round(value))),
            Kind::Share => format!("{}\u{a0}%", grouped(&format_number(crate::front::round(value * 100.0)))),
        }
    }
}

/// Halves are rounded away from zero, whatever their last bit.
fn nudged(value: f64) -> f64 {
    value * (1.0 + 1e-12)
}

/// 30162 → 30,162; 812.345 → 812.3; 0.41234 → 0.4123.
pub(super) fn number(value: f64) -> String {
    if value.fract() == 0.0 || !value.is_finite() {
        return grouped(&format_number(value));
    }
    let magnitude = value.abs().log10().floor() as i32;
    if !(-6..15).contains(&magnitude) {
        return format!("{value:.3e}");
    }
    grouped(&format!("{:.*}", (3 - magnitude).max(0) as usize, nudged(value)))
}

/// 0.402 → 40.20 %; 0.000031 → 0.0031 %.
pub(super) fn percent(value: f64) -> String {
    let points = nudged(value * 100.0);
    let decimals = match points.abs() {
        0.0 => 0,
        small if small < 0.1 => (1 - small.log10().floor() as i32).min(8) as usize,
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
        assert_eq!(Kind::Share.show_round(0.25), "25\u{a0}%");
        assert_eq!(Kind::Share.show_round(0.07), "7\u{a0}%");
    }
}
