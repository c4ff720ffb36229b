//! Levels of a numeric column as intervals of growing width.

use super::{Hierarchy, Level};
use crate::data::format_number;
use crate::error::{Error, Result};

/// How far, in widths, a number may lie from a border and still be taken to lie on it: 0.3 is the third border of 0.1.
const SLACK: f64 = 1e-9;

/// Past this many intervals from the origin, borders and numbers can no longer be told apart.
const FARTHEST: f64 = 1e12;

/// Level i joins the leaves that lie in the same interval `[origin + j * width, origin + (j + 1) * width)` of the
/// i-th width.
///
/// `bounds` are the intervals of the leaves (low == high for a single number), ascending; `labels` their names. The
/// result has one level per width, and a top level `*` where the last width still leaves several sets.
///
/// Fails unless the widths are positive, growing, and each a multiple of the one before, and every leaf lies within
/// one interval of the first width.
pub fn from_widths(
    place: &str,
    bounds: &[(f64, f64)],
    labels: &[String],
    origin: f64,
    widths: &[f64],
) -> Result<Hierarchy> {
    let factors = factors(place, widths)?;
    let Some(&finest) = widths.first() else {
        return Hierarchy::from_partitions(place, labels, Vec::new());
    };
    if !origin.is_finite() {
        return Err(Error::taxonomy(place, format!("intervals cannot be aligned at {origin}")));
    }
    let mut intervals = Vec::with_capacity(bounds.len());
    let mut previous = f64::NEG_INFINITY;
    for &(low, high) in bounds {
        // Written so that a NaN fails too.
        if !(low >= previous && high >= low && high.is_finite()) {
            let leaf = interval_label(low, high);
            return Err(Error::taxonomy(place, format!("the intervals of the values do not ascend at {leaf}")));
        }
        intervals.push(interval_of(place, low, high, origin, finest)?);
        previous = low;
    }
    // Coarser intervals are counted in the finest ones, so that the levels nest whatever the rounding.
    let levels = factors
        .iter()
        .map(|&factor| {
            let mut level = Level { set_of: Vec::with_capacity(intervals.len()), labels: Vec::new() };
            let mut last = None;
            for interval in &intervals {
                let interval = interval.div_euclid(factor);
                if last != Some(interval) {
                    last = Some(interval);
                    let border = |n: i64| tidy(origin + (n * factor) as f64 * finest);
                    level.labels.push(interval_label(border(interval), border(interval + 1)));
                }
                level.set_of.push(level.labels.len() as u32 - 1);
            }
            level
        })
        .collect();
    Hierarchy::from_partitions(place, labels, levels)
}

/// How many of the finest intervals make one of each width.
fn factors(place: &str, widths: &[f64]) -> Result<Vec<i64>> {
    let mut factors: Vec<i64> = Vec::with_capacity(widths.len());
    for (index, &width) in widths.iter().enumerate() {
        if !(width.is_finite() && width > 0.0) {
            return Err(Error::taxonomy(place, format!("the width {width} is not a positive number")));
        }
        let Some(&below) = index.checked_sub(1).and_then(|below| widths.get(below)) else {
            factors.push(1);
            continue;
        };
        let ratio = width / below;
        let whole = ratio.round();
        if whole < 2.0 || (ratio - whole).abs() > SLACK * whole {
            return Err(Error::taxonomy(
                place,
                format!(
                    "the width {} is not a multiple of the width {} before it; write, for example, widths = [5, 10, 20]",
                    format_number(width),
                    format_number(below)
                ),
            ));
        }
        let factor = factors[index - 1] as f64 * whole;
        if factor > FARTHEST {
            let problem =
                format!("the width {} is too large beside {}", format_number(width), format_number(widths[0]));
            return Err(Error::taxonomy(place, problem));
        }
        factors.push(factor as i64);
    }
    Ok(factors)
}

/// The interval of the finest width in which a leaf lies.
fn interval_of(place: &str, low: f64, high: f64, origin: f64, width: f64) -> Result<i64> {
    let steps = |value: f64| {
        let steps = (value - origin) / width;
        let whole = steps.round();
        if (steps - whole).abs() <= SLACK * whole.abs().max(1.0) { whole } else { steps }
    };
    let interval = steps(low).floor();
    if !interval.is_finite() || interval.abs() > FARTHEST {
        let (width, low) = (format_number(width), format_number(low));
        return Err(Error::taxonomy(place, format!("the width {width} is too small for values like {low}")));
    }
    if steps(high) > interval + 1.0 {
        let border = format_number(tidy(origin + (interval + 1.0) * width));
        return Err(Error::taxonomy(
            place,
            format!(
                "the bin {} lies on both sides of {border}, a border of the width {}; choose bins and widths that fit",
                interval_label(low, high),
                format_number(width)
            ),
        ));
    }
    Ok(interval as i64)
}

fn interval_label(low: f64, high: f64) -> String {
    crate::data::interval_label(low, high, false)
}

/// Without the dust of binary fractions: 3 * 0.1 is 0.3.
fn tidy(value: f64) -> f64 {
    format!("{value:.14e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::Domain;

    fn of_numbers(values: &[f64], origin: f64, widths: &[f64]) -> Result<Hierarchy> {
        let domain = Domain::of_numbers(values);
        from_widths("column \"age\", widths", &domain.bounds.unwrap(), &domain.labels, origin, widths)
    }

    #[test]
    fn values_join_in_their_intervals() {
        let hierarchy = of_numbers(&[17.0, 19.0, 20.0, 24.0, 38.0, 90.0], 0.0, &[5.0, 10.0, 20.0]).unwrap();
        assert_eq!(hierarchy.height(), 4);
        assert_eq!(hierarchy.level(1).labels, ["[15, 20)", "[20, 25)", "[35, 40)", "[90, 95)"]);
        assert_eq!(hierarchy.level(1).set_of, [0, 0, 1, 1, 2, 3]);
        assert_eq!(hierarchy.level(2).labels, ["[10, 20)", "[20, 30)", "[30, 40)", "[90, 100)"]);
        assert_eq!(hierarchy.level(3).labels, ["[0, 20)", "[20, 40)", "[80, 100)"]);
        assert_eq!(hierarchy.level(3).set_of, [0, 0, 1, 1, 1, 2]);
        assert_eq!(hierarchy.level(4).labels, ["*"]);
    }

    #[test]
    fn fractions_are_exact_enough() {
        let hierarchy = of_numbers(&[-0.1, 0.2, 0.3, 0.35, 0.7], 0.0, &[0.1, 0.2]).unwrap();
        assert_eq!(hierarchy.level(1).labels, ["[-0.1, 0)", "[0.2, 0.3)", "[0.3, 0.4)", "[0.7, 0.8)"]);
        assert_eq!(hierarchy.level(2).labels, ["[-0.2, 0)", "[0.2, 0.4)", "[0.6, 0.8)"]);
    }

    #[test]
    fn bins_must_fit_the_intervals() {
        let domain = Domain::of_bins(&[0.0, 5.0, 10.0, 15.0, 20.0]);
        let (bounds, labels) = (domain.bounds.unwrap(), domain.labels);
        let hierarchy = from_widths("x", &bounds, &labels, 0.0, &[10.0]).unwrap();
        assert_eq!(hierarchy.level(1).labels, ["[0, 10)", "[10, 20)"]);
        let error = from_widths("x", &bounds, &labels, 2.0, &[10.0]).unwrap_err().to_string();
        assert!(error.contains("the bin [0, 5) lies on both sides of 2"), "{error}");
    }

    #[test]
    fn widths_must_nest() {
        for widths in [[5.0, 12.0], [5.0, 5.0], [10.0, 5.0], [0.0, 5.0], [-1.0, 5.0], [5.0, f64::NAN], [1e-300, 1e300]]
        {
            assert!(of_numbers(&[1.0, 2.0], 0.0, &widths).is_err(), "{widths:?}");
        }
        assert!(of_numbers(&[2.0, 1.0], 0.0, &[5.0]).is_err());
        assert!(of_numbers(&[1e300], 0.0, &[1e-300]).is_err());
        assert_eq!(of_numbers(&[1.0, 2.0], 0.0, &[]).unwrap().height(), 1);
    }

    proptest! {
        #[test]
        fn levels_always_nest(
            values in prop::collection::btree_set(-2000i32..2000, 1..60),
            tenths in 1i32..70,
            factors in prop::collection::vec(2i32..5, 0..4),
            origin in -50i32..50,
        ) {
            let values: Vec<f64> = values.into_iter().map(|value| f64::from(value) / 10.0).collect();
            let mut widths = vec![f64::from(tenths) / 10.0];
            for factor in factors {
                widths.push(widths[widths.len() - 1] * f64::from(factor));
            }
            let origin = f64::from(origin) / 10.0;
            let hierarchy = of_numbers(&values, origin, &widths).unwrap();
            for (n, width) in widths.iter().enumerate() {
                let level = hierarchy.level(n + 1);
                for pair in 1..values.len() {
                    let apart = values[pair] - values[pair - 1];
                    if apart > width + 1e-6 {
                        prop_assert_ne!(level.set_of[pair], level.set_of[pair - 1]);
                    }
                }
                let mut labels = level.labels.clone();
                labels.dedup();
                prop_assert_eq!(labels.len(), level.labels.len());
            }
        }
    }
}
