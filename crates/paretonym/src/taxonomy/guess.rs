//! Interval widths that suit a numeric column nobody has described.

/// Fewer distinct values than this need no intervals between them and the top.
const FEWEST: usize = 8;

/// Widths for [`from_widths`](super::from_widths): from about a fifteenth up to about a third of the range, the first
/// a round number (1, 2 or 5 with zeros), each twice the one before, so that they always nest.
///
/// Whole numbers get whole widths of at least 2. Empty where there are too few values or there is no range.
pub fn guess_widths(min: f64, max: f64, integers: bool, distinct: usize) -> Vec<f64> {
    let range = max - min;
    if distinct < FEWEST || !range.is_finite() || range <= 0.0 {
        return Vec::new();
    }
    let Some(first) = round_up(range / 15.0) else {
        return Vec::new();
    };
    let first = if integers { first.max(2.0) } else { first };
    std::iter::successors(Some(first), |width| Some(width * 2.0)).take_while(|width| *width <= range / 3.0).collect()
}

/// The smallest 1, 2 or 5 with zeros before or after that is not below a positive value.
fn round_up(value: f64) -> Option<f64> {
    let exponent = value.log10().floor() as i32;
    (exponent..=exponent + 1)
        .flat_map(|exponent| [1, 2, 5].map(|digit| format!("{digit}e{exponent}")))
        .filter_map(|text| text.parse().ok())
        .find(|round: &f64| *round >= value && round.is_normal())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::Domain;
    use crate::taxonomy::from_widths;

    #[test]
    fn ages_get_five_ten_twenty() {
        assert_eq!(guess_widths(17.0, 90.0, true, 74), [5.0, 10.0, 20.0]);
        assert_eq!(guess_widths(0.0, 10.0, true, 11), [2.0]);
        assert_eq!(guess_widths(0.0, 1.0, false, 100), [0.1, 0.2]);
        assert_eq!(guess_widths(1.0, 99.0, true, 90), [10.0, 20.0]);
    }

    #[test]
    fn nothing_to_guess() {
        assert!(guess_widths(0.0, 6.0, true, 7).is_empty());
        assert!(guess_widths(5.0, 5.0, true, 100).is_empty());
        assert!(guess_widths(f64::NAN, f64::NAN, false, 100).is_empty());
        assert!(guess_widths(f64::MIN, f64::MAX, false, 100).is_empty());
        assert!(guess_widths(0.0, f64::MIN_POSITIVE, false, 100).len() <= 3);
    }

    proptest! {
        #[test]
        fn guesses_are_accepted(min in -1e6f64..1e6, range in 1e-3f64..1e9, integers: bool) {
            let (min, max) = if integers { (min.round(), min.round() + range.ceil()) } else { (min, min + range) };
            let widths = guess_widths(min, max, integers, 100);
            prop_assert!(widths.len() <= 3);
            prop_assert!(!integers || widths.iter().all(|width| width.fract() == 0.0));
            prop_assert!(max - min <= 8.0 || !widths.is_empty());
            let domain = Domain::of_numbers(&[min, max]);
            prop_assert!(from_widths("x", &domain.bounds.unwrap(), &domain.labels, 0.0, &widths).is_ok());
        }
    }
}
