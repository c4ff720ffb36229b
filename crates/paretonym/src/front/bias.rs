//! How evenly people are protected.

use serde::{Deserialize, Serialize};

use super::round;

/// How evenly a solution protects people: two releases of one k can treat most of them very differently.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bias {
    /// Share of the kept rows that lie in groups smaller than twice the smallest.
    pub below_twice_k: f64,
    /// The cumulative curve of group sizes: a size, and the share of the kept rows in groups of at most that size. Thinned
    /// out to at most [`CURVE_POINTS`] sizes, the smallest and the largest among them.
    pub curve: Vec<(u64, f64)>,
}

/// The most points of a curve of group sizes.
pub const CURVE_POINTS: usize = 24;

impl Bias {
    /// From the sizes of the kept groups.
    pub fn of_sizes(sizes: impl Iterator<Item = u64>) -> Self {
        let mut sizes: Vec<u64> = sizes.collect();
        sizes.sort_unstable();
        let rows: u64 = sizes.iter().sum();
        let Some(&smallest) = sizes.first() else { return Bias::default() };
        let small: u64 = sizes.iter().filter(|size| **size < 2 * smallest).sum();
        let mut curve: Vec<(u64, f64)> = Vec::new();
        let mut sum = 0;
        for group in sizes.chunk_by(|a, b| a == b) {
            sum += group[0] * group.len() as u64;
            curve.push((group[0], round(sum as f64 / rows as f64)));
        }
        if curve.len() > CURVE_POINTS {
            // Even steps in the share of rows, so that the curve keeps its shape.
            let last = curve.len() - 1;
            let mut places: Vec<usize> = (0..CURVE_POINTS)
                .map(|step| {
                    let share = step as f64 / (CURVE_POINTS - 1) as f64;
                    curve.partition_point(|point| point.1 < share).min(last)
                })
                .collect();
            (places[0], places[CURVE_POINTS - 1]) = (0, last);
            places.dedup();
            curve = places.into_iter().map(|place| curve[place]).collect();
        }
        Bias { below_twice_k: round(small as f64 / rows as f64), curve }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_of_group_sizes() {
        let bias = Bias::of_sizes([2, 5, 2, 3].into_iter());
        assert_eq!(bias.below_twice_k, round(7.0 / 12.0));
        assert_eq!(bias.curve, [(2, round(4.0 / 12.0)), (3, round(7.0 / 12.0)), (5, 1.0)]);
        assert_eq!(Bias::of_sizes(std::iter::empty()), Bias::default());
    }

    #[test]
    fn a_long_curve_is_thinned_out() {
        let bias = Bias::of_sizes(3..400);
        assert!(bias.curve.len() <= CURVE_POINTS, "{}", bias.curve.len());
        assert_eq!((bias.curve[0].0, bias.curve[bias.curve.len() - 1]), (3, (399, 1.0)));
        assert!(bias.curve.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
    }
}
