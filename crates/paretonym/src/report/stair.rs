//! The stair through the points of a front, and points thinned out where they would cover each other.

use std::fmt::Write;

/// The stair through points: just beyond one solution, the next one is needed.
pub(super) fn stair(mut points: Vec<(f64, f64)>) -> String {
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    let mut d = String::new();
    let mut last: Option<(f64, f64)> = None;
    let count = points.len();
    for (at, (x, y)) in points.into_iter().enumerate() {
        match last {
            None => {
                let _ = write!(d, "M{x:.1} {y:.1}");
            }
            Some((a, b)) if (x - a).abs() < 0.5 && (y - b).abs() < 0.5 && at + 1 < count => continue,
            Some(_) => {
                let _ = write!(d, "V{y:.1}H{x:.1}");
            }
        }
        last = Some((x, y));
    }
    d
}

/// Lets one point into each cell of a grid; everything where the cell has no size.
pub(super) struct Thin {
    cell: f64,
    taken: std::collections::BTreeSet<(i64, i64)>,
}

impl Thin {
    pub fn new(cell: f64) -> Self {
        Thin { cell, taken: Default::default() }
    }

    pub fn takes(&mut self, x: f64, y: f64) -> bool {
        self.cell == 0.0 || self.taken.insert(((x / self.cell) as i64, (y / self.cell) as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stair_goes_up_before_it_goes_on() {
        assert_eq!(stair(vec![(10.0, 5.0), (20.0, 3.0)]), "M10.0 5.0V3.0H20.0");
    }
}
