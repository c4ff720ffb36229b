//! Numbers on the command line. Rust reads `nan` and `inf` as numbers too, and a limit that is not a number lets
//! everything through: each option says in which range its number lies, and nothing else gets past.

use std::time::Duration;

/// A share or a distance, from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    within(text, 0.0, 1.0, "a number from 0 to 1, such as 0.2")
}

/// A number from 0 on.
pub fn from_zero(text: &str) -> Result<f64, String> {
    within(text, 0.0, f64::MAX, "a number from 0 on")
}

/// A number from 1 on.
pub fn from_one(text: &str) -> Result<f64, String> {
    within(text, 1.0, f64::MAX, "a number from 1 on")
}

/// A number above 0.
pub fn above_zero(text: &str) -> Result<f64, String> {
    within(text, f64::MIN_POSITIVE, f64::MAX, "a number above 0")
}

/// A time in seconds: above 0, and short enough for a clock.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let wanted = "a number of seconds above 0, such as 60";
    let number = within(text, f64::MIN_POSITIVE, f64::MAX, wanted)?;
    let time = Duration::try_from_secs_f64(number).ok().filter(|time| !time.is_zero());
    time.ok_or_else(|| format!("it takes {wanted}"))
}

fn within(text: &str, low: f64, high: f64, wanted: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim().parse().ok();
    number.filter(|number| (low..=high).contains(number)).ok_or_else(|| format!("it takes {wanted}"))
}

/// A number of bytes: 500MB, 2GiB, or plain digits.
pub fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic() || letter == ' ');
    let unit = match text[digits.len()..].trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "kb" => 1e3,
        "kib" => f64::from(1u32 << 10),
        "mb" => 1e6,
        "mib" | "m" => f64::from(1u32 << 20),
        "gb" => 1e9,
        "gib" | "g" => f64::from(1u32 << 30),
        other => return Err(format!("{other:?} is no unit of memory; write 500MB or 2GiB")),
    };
    let number: f64 = digits.parse().map_err(|_| format!("{text:?} is no size; write 500MB or 2GiB"))?;
    match number * unit {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
        size if (1.0..1e18).contains(&size) => Ok(size as u64),
        _ => Err(format!("{text:?} is no size; write 500MB or 2GiB")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_in_the_range_is_refused() {
        for parse in [share, from_zero, from_one, above_zero] {
            for odd in ["nan", "NaN", "inf", "-inf", "infinity", "1e999", "-1", "", "x"] {
                assert!(parse(odd).is_err(), "{odd}");
            }
            assert_eq!(parse("1"), Ok(1.0));
        }
        assert!(share("1.01").is_err() && from_one("0.5").is_err() && above_zero("0").is_err());
        for odd in ["0", "-3", "nan", "inf", "1e300", "1e-300", "soon", ""] {
            assert!(seconds(odd).is_err(), "{odd}");
        }
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!((share("0"), from_zero("1e3")), (Ok(0.0), Ok(1000.0)));
    }
}
