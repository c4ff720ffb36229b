//! Numbers as files write them: with a decimal point, or with a decimal comma.

use serde::{Deserialize, Serialize};

/// What separates the whole part of a number from its fraction in the cells of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decimal {
    /// `3.14`.
    #[default]
    #[serde(rename = ".")]
    Point,
    /// `3,14`; points may separate thousands: `1.234,56`.
    #[serde(rename = ",")]
    Comma,
}

impl Decimal {
    /// The sign itself.
    pub fn sign(self) -> char {
        match self {
            Decimal::Point => '.',
            Decimal::Comma => ',',
        }
    }

    /// Whether this is what a study says without saying it.
    pub(crate) fn is_point(&self) -> bool {
        *self == Decimal::Point
    }

    /// A finite number, as people and programs write it; none for anything else.
    pub fn read(self, text: &str) -> Option<f64> {
        let number = match self {
            Decimal::Point => text.parse::<f64>().ok(),
            Decimal::Comma => pointed(text).and_then(|text| text.parse::<f64>().ok()),
        };
        number.filter(|number| number.is_finite())
    }
}

/// The same number with a decimal point. None where points stand anywhere but between groups of three digits: `12.5` may be
/// meant either way, so that it is no number here.
fn pointed(text: &str) -> Option<String> {
    let (whole, fraction) = match text.split_once(',') {
        Some((whole, fraction)) if fraction.starts_with(|first: char| first.is_ascii_digit()) => {
            (whole, Some(fraction))
        }
        Some((whole, "")) => (whole, None),
        Some(_) => return None,
        None => (text, None),
    };
    if fraction.is_some_and(|fraction| fraction.contains(['.', ','])) {
        return None;
    }
    let whole = match whole.contains('.') {
        false => whole.to_owned(),
        true => {
            let digits = whole.strip_prefix(['+', '-']).unwrap_or(whole);
            let mut groups = digits.split('.');
            let first = groups.next()?;
            let are_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
            if !((1..=3).contains(&first.len()) && are_digits(first) && groups.all(|g| g.len() == 3 && are_digits(g))) {
                return None;
            }
            whole.replace('.', "")
        }
    };
    Some(fraction.map_or(whole.clone(), |fraction| format!("{whole}.{fraction}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_are_read_where_they_are_the_rule() {
        let read = |text: &str| Decimal::Comma.read(text);
        for (text, number) in [
            ("3,25", 3.25),
            ("-0,5", -0.5),
            ("17", 17.0),
            ("1.234,56", 1234.56),
            ("12.345.678", 12_345_678.0),
            ("2,5e3", 2500.0),
            (",5", 0.5),
            ("5,", 5.0),
        ] {
            assert_eq!(read(text), Some(number), "{text}");
        }
        for text in
            ["12.5", "1.2345", "1,2,3", "1,5.000", "1.23.456", "", ",", "a,5", "3,x", "inf", "nan", "1234.567,8"]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn points_are_read_as_ever() {
        let read = |text: &str| Decimal::Point.read(text);
        assert_eq!((read("3.25"), read("3,25"), read("1e3"), read("inf")), (Some(3.25), None, Some(1000.0), None));
    }
}
