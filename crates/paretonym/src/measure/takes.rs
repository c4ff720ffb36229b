//! What a parameter may be set to, so that a wrong value is refused before any row is read.

use crate::data::unusable_number;
use crate::error::{Error, Result};

/// What a parameter may be set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Takes {
    /// A whole number between two others.
    Whole(u64, u64),
    /// Whole numbers from 1 on, `/` between them.
    Wholes,
    /// A number from another one on.
    Number(f64),
    /// A number above another one.
    Above(f64),
    /// A share from 0 to 1.
    Share,
    /// On or off.
    Flag,
    /// One of several words.
    OneOf(&'static [&'static str]),
    /// Any text, which its owner looks at.
    Text,
    /// The same, with examples.
    SuchAs(&'static [&'static str]),
    /// Nothing in brackets: it is a key of the study's `[search]` section that all share.
    Section,
}

impl Takes {
    /// Refuses a value that the parameter of this name does not take.
    pub fn check(self, name: &'static str, text: &str) -> Result<()> {
        let number = text.parse::<f64>().ok().filter(|number| unusable_number(*number).is_none());
        let within = |least: f64, most: f64| number.is_some_and(|number| (least..=most).contains(&number));
        let whole = |text: &str, least: u64, most: u64| text.parse::<u64>().is_ok_and(|n| (least..=most).contains(&n));
        let (taken, wanted) = match self {
            Takes::Whole(least, u64::MAX) => {
                (whole(text, least, u64::MAX), format!("must be a whole number, at least {least}"))
            }
            Takes::Whole(least, most) => {
                (whole(text, least, most), format!("must be a whole number from {least} to {most}"))
            }
            Takes::Wholes => (
                text.split('/').all(|word| whole(word.trim(), 1, u64::MAX)),
                "takes whole numbers from 1 on, such as 5 or 2/5/10".to_owned(),
            ),
            Takes::Number(least) => (within(least, f64::MAX), format!("must be a number from {least} on")),
            Takes::Above(least) => {
                (number.is_some_and(|number| number > least), format!("must be a number above {least}"))
            }
            Takes::Share => (within(0.0, 1.0), "is a share from 0 to 1".to_owned()),
            Takes::Flag => (matches!(text, "true" | "false"), "is true or false".to_owned()),
            Takes::OneOf(words) => {
                let known = words.iter().map(|word| (*word).to_owned()).collect();
                let unknown = || Error::UnknownName { what: name, name: text.to_owned(), known };
                return if words.contains(&text) { Ok(()) } else { Err(unknown()) };
            }
            Takes::Text | Takes::SuchAs(_) => return Ok(()),
            Takes::Section => (false, "is set by its own line under [search], not in brackets".to_owned()),
        };
        if taken { Ok(()) } else { Err(Error::study(format!("{name} {wanted}, not {text}"))) }
    }

    /// The words that it can be set to, or some of them.
    pub fn choices(self) -> &'static [&'static str] {
        match self {
            Takes::OneOf(words) | Takes::SuchAs(words) => words,
            Takes::Flag => &["false", "true"],
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_and_what_does_not() {
        let cases = [
            (Takes::Whole(2, 100), &["2", "100"][..], &["1", "101", "2.5", "x", "-3"][..]),
            (Takes::Wholes, &["5", "2/5/10"], &["0", "2/", "a", "2,5"]),
            (Takes::Number(0.0), &["0", "1.5", "1e9"], &["-1", "nan", "inf", "x"]),
            (Takes::Above(0.0), &["0.1"], &["0", "-1", "inf"]),
            (Takes::Share, &["0", "0.25", "1"], &["1.01", "-0.1", "25 %"]),
            (Takes::Flag, &["true", "false"], &["yes", "1"]),
            (Takes::OneOf(&["joint", "ordered"]), &["joint"], &["join", ""]),
            (Takes::Text, &["anything"], &[]),
        ];
        for (takes, good, bad) in cases {
            good.iter().for_each(|text| takes.check("x", text).unwrap());
            bad.iter().for_each(|text| assert!(takes.check("x", text).is_err(), "{takes:?} took {text:?}"));
        }
        let told = Takes::Whole(1, u64::MAX).check("depth", "0").unwrap_err().to_string();
        assert_eq!(told, "depth must be a whole number, at least 1, not 0");
    }
}
