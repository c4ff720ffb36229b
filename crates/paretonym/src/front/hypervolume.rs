//! How much of the box of all conceivable outcomes a front dominates: one number for how good it is.
//!
//! The box has one side per objective, from best (0) to worst (1). What is maximised lies on a logarithmic side from the
//! number of rows down to 1, since k = 20 is to k = 10 what k = 200 is to k = 100; what is minimised on a plain one from 0 to 1,
//! or to the worst value met where that is larger.

use super::{MAX_OBJECTIVES, Objective, Point};
use crate::measure::Sense;

/// Points for the estimate where an exact volume would take too long.
const SAMPLES: usize = 8192;

/// One side of the box.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Side {
    /// ln of the largest value.
    Logarithmic(f64),
    /// Best and worst.
    Plain(f64, f64),
}

/// The box.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale {
    sides: Vec<Side>,
}

impl Scale {
    /// For the objectives of a problem on a table of so many rows. `met` are points that the box must hold.
    pub fn new<'p>(objectives: &[Objective], rows: u64, met: impl Iterator<Item = &'p Point>) -> Self {
        let largest = (rows as f64).ln().max(f64::MIN_POSITIVE);
        let mut sides: Vec<Side> = objectives
            .iter()
            .map(|objective| match objective.sense {
                Sense::Max => Side::Logarithmic(largest),
                Sense::Min => Side::Plain(0.0, 1.0),
            })
            .collect();
        for point in met {
            for (side, &cost) in sides.iter_mut().zip(point.costs()) {
                if let Side::Plain(best, worst) = side {
                    (*best, *worst) = (best.min(cost), worst.max(cost));
                }
            }
        }
        Scale { sides }
    }

    /// A point in the unit box, 0 = best.
    pub fn unit(&self, point: &Point) -> [f64; MAX_OBJECTIVES] {
        let mut unit = [0.0; MAX_OBJECTIVES];
        for ((slot, side), &cost) in unit.iter_mut().zip(&self.sides).zip(point.costs()) {
            *slot = match side {
                Side::Logarithmic(largest) => 1.0 - (-cost).max(1.0).ln() / largest,
                Side::Plain(best, worst) => (cost - best) / (worst - best),
            }
            .clamp(0.0, 1.0);
        }
        unit
    }

    /// The share of the box that is dominated: exact up to three objectives, estimated on fixed points beyond.
    pub fn hypervolume<'p>(&self, points: impl Iterator<Item = &'p Point>) -> f64 {
        let units: Vec<[f64; MAX_OBJECTIVES]> = points.map(|point| self.unit(point)).collect();
        match self.sides.len() {
            1 => 1.0 - units.iter().map(|unit| unit[0]).fold(1.0, f64::min),
            2 => area(&mut units.iter().map(|unit| (unit[0], unit[1])).collect::<Vec<_>>()),
            3 => volume(units),
            dimensions => estimate(&units, dimensions),
        }
    }
}

/// The area that points dominate in the unit square.
fn area(points: &mut [(f64, f64)]) -> f64 {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let (mut area, mut reached) = (0.0, 1.0);
    for &(x, y) in points.iter() {
        if y < reached {
            area += (1.0 - x) * (reached - y);
            reached = y;
        }
    }
    area
}

/// The volume in the unit cube: slices along the last side, each of the area of the points in front of it, which are
/// kept as a staircase.
fn volume(mut points: Vec<[f64; MAX_OBJECTIVES]>) -> f64 {
    points.sort_by(|a, b| a[2].total_cmp(&b[2]));
    let mut stairs: Vec<(f64, f64)> = Vec::new();
    let (mut volume, mut covered, mut last) = (0.0, 0.0, 0.0);
    for point in &points {
        let (x, y) = (point[0], point[1]);
        let at = stairs.partition_point(|stair| stair.0 <= x);
        if at > 0 && stairs[at - 1].1 <= y {
            continue;
        }
        volume += covered * (point[2] - last);
        last = point[2];
        // Take out the stairs that the new one hides, then put it in.
        let from = if at > 0 && stairs[at - 1].0 == x { at - 1 } else { at };
        let hidden = stairs[from..].iter().take_while(|stair| stair.1 >= y).count();
        stairs.splice(from..from + hidden, [(x, y)]);
        let mut reached = 1.0;
        covered = 0.0;
        for &(x, y) in &stairs {
            covered += (1.0 - x) * (reached - y);
            reached = y;
        }
    }
    volume + covered * (1.0 - last)
}

/// The share of evenly spread points (Halton) that are dominated.
fn estimate(points: &[[f64; MAX_OBJECTIVES]], dimensions: usize) -> f64 {
    const BASES: [usize; MAX_OBJECTIVES] = [2, 3, 5, 7, 11, 13];
    let inside = (1..=SAMPLES).filter(|sample| {
        let spread: Vec<f64> = BASES[..dimensions].iter().map(|base| halton(*sample, *base)).collect();
        points.iter().any(|point| point.iter().zip(&spread).all(|(cost, place)| cost <= place))
    });
    inside.count() as f64 / SAMPLES as f64
}

/// The digits of a number in some base, mirrored behind the point.
fn halton(mut number: usize, base: usize) -> f64 {
    let (mut value, mut digit) = (0.0, 1.0 / base as f64);
    while number > 0 {
        value += (number % base) as f64 * digit;
        number /= base;
        digit /= base as f64;
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hypervolume(costs: &[Vec<f64>]) -> f64 {
        let objectives = vec![Objective::min("x"); costs[0].len()];
        let points: Vec<Point> = costs.iter().map(|costs| Point::new(costs)).collect();
        Scale::new(&objectives, 100, points.iter()).hypervolume(points.iter())
    }

    #[test]
    fn by_hand() {
        assert_eq!(hypervolume(&[vec![0.5, 0.5]]), 0.25);
        assert_eq!(hypervolume(&[vec![0.25, 0.5], vec![0.5, 0.25], vec![0.6, 0.6]]), 0.75 * 0.5 + 0.5 * 0.25);
        assert_eq!(hypervolume(&[vec![0.5, 0.5, 0.5], vec![0.5, 0.5, 0.25]]), 0.25 * 0.75);
        // k on a logarithmic side: 10 of 100 rows is half way.
        let objectives = [Objective::max("k"), Objective::min("loss")];
        let point = Point::new(&[-10.0, 0.2]);
        let volume = Scale::new(&objectives, 100, [].iter()).hypervolume([point].iter());
        assert!((volume - 0.5 * 0.8).abs() < 1e-12);
    }

    proptest! {
        /// The exact volume on a grid of tenths, where cells can be counted; the estimate within its error.
        #[test]
        fn equals_counted_cells(points in prop::collection::vec(prop::collection::vec(0u8..=10, 4), 1..20)) {
            for dimensions in 2..=4usize {
                let costs: Vec<Vec<f64>> = points
                    .iter()
                    .map(|point| point[..dimensions].iter().map(|cost| f64::from(*cost) / 10.0).collect())
                    .collect();
                let cells = 10usize.pow(dimensions as u32);
                let inside = (0..cells).filter(|cell| {
                    points.iter().any(|point| {
                        (0..dimensions).all(|side| usize::from(point[side]) <= cell / 10usize.pow(side as u32) % 10)
                    })
                });
                let expected = inside.count() as f64 / cells as f64;
                let slack = if dimensions == 4 { 0.03 } else { 1e-9 };
                prop_assert!((hypervolume(&costs) - expected).abs() <= slack);
            }
        }
    }
}
