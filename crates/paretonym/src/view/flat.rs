//! Locally flat regions of a front: stretches where much privacy costs little loss (S0 7.2).
//!
//! The solutions are walked from the least private to the most private one. A step gains privacy (in ln k on a log
//! axis, else in the objective) and pays loss. The average pace of a front is what it gains over all, divided by what
//! it pays over all. Each step scores its gain minus [`TIMES`] × the average pace × its pay, and the stretches whose
//! scores add up to the most (the maximal scoring subsequences of Ruzzo and Tompa, 1999) are flat if they gain at least
//! [`SHARE`] of the front's whole range of privacy and, on a log axis, at least half of k again. So a flat region gains
//! at [`TIMES`] the average pace or better. At most [`MOST`] are kept, those that gain most.
//!
//! Example: k = 2, 4, 6, 40, 60, 90 at losses 0.1, 0.2, 0.3, 0.31, 0.4, 0.5: the step from 6 to 40 is flat.

use serde::Serialize;

use super::field::{Field, ObjectiveField};

/// How many times better than usual a flat region is.
pub const TIMES: f64 = 3.0;
/// The least share of the front's privacy range.
const SHARE: f64 = 0.05;
/// How many regions are shown.
const MOST: usize = 6;

/// A flat region, by positions in the front's list of solutions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FlatRegion {
    /// Its least private solution.
    pub from: usize,
    /// Its most private solution.
    pub to: usize,
    /// Loss paid between them.
    pub pay: f64,
    /// "k 6 → 40 for 1.00 points of loss".
    pub words: String,
}

/// The flat regions of a front of one privacy objective against one loss; none of other fronts.
pub(super) fn regions(fields: &[Field], objectives: &[ObjectiveField]) -> Vec<FlatRegion> {
    let (privacy, price) = match objectives {
        [one, two] if one.private && !two.private => (one, two),
        [one, two] if two.private && !one.private => (two, one),
        _ => return Vec::new(),
    };
    let (x, y) = (&fields[privacy.field], &fields[price.field]);
    let sign = if privacy.falls { -1.0 } else { 1.0 };
    let level = |value: f64| if x.log { value.max(1.0).ln() } else { sign * value };
    let mut points: Vec<(f64, f64, usize)> =
        (0..x.values.len()).filter_map(|at| Some((level(x.values[at]?), y.values[at]?, at))).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let steps: Vec<(f64, f64)> =
        points.windows(2).map(|pair| (pair[1].0 - pair[0].0, (pair[1].1 - pair[0].1).max(0.0))).collect();
    let range: f64 = steps.iter().map(|step| step.0).sum();
    let paid: f64 = steps.iter().map(|step| step.1).sum();
    if steps.len() < 3 || paid <= 0.0 {
        // Too few steps to speak of an average.
        return Vec::new();
    }
    let scores: Vec<f64> = steps.iter().map(|(gain, pay)| gain - TIMES * range / paid * pay).collect();
    let least = (SHARE * range).max(if x.log { 1.5f64.ln() } else { 0.0 });
    let gain = |region: &(usize, usize)| points[region.1].0 - points[region.0].0;
    let mut found: Vec<(usize, usize)> =
        best_stretches(&scores).into_iter().filter(|region| gain(region) >= least - 1e-12).collect();
    found.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
    found.truncate(MOST);
    found.sort_unstable();
    let region = |(from, to): (usize, usize)| {
        let pay = points[to].1 - points[from].1;
        let (from, to) = (points[from].2, points[to].2);
        let paid = y.format.show_difference(pay);
        let words = format!("{} {} → {} for {paid} of loss", x.label, x.show(from), x.show(to));
        FlatRegion { from, to, pay, words }
    };
    found.into_iter().map(region).collect()
}

/// The disjoint stretches of scores of which none grows by a longer or a shorter end, as ranges of points: a stretch
/// of steps a..b reaches from point a to point b.
fn best_stretches(scores: &[f64]) -> Vec<(usize, usize)> {
    /// A stretch with the sums of scores before its start and up to its end.
    struct Stretch {
        start: usize,
        end: usize,
        before: f64,
        upto: f64,
    }
    let mut list: Vec<Stretch> = Vec::new();
    let mut sum = 0.0;
    for (at, score) in scores.iter().enumerate() {
        let before = sum;
        sum += score;
        if *score <= 0.0 {
            continue;
        }
        let mut new = Stretch { start: at, end: at + 1, before, upto: sum };
        // Only the last stretch that starts lower can join; those after it can when it does.
        while let Some(place) = list.iter().rposition(|old| old.before < new.before) {
            if list[place].upto >= new.upto {
                break;
            }
            (new.start, new.before) = (list[place].start, list[place].before);
            list.truncate(place);
        }
        list.push(new);
    }
    list.into_iter().map(|stretch| (stretch.start, stretch.end)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::View;
    use super::super::testing::front_of;
    use super::*;
    use crate::front::FrontFile;

    fn flat_regions(front: &FrontFile) -> Vec<FlatRegion> {
        View::new(front).flat
    }

    #[test]
    fn the_example_has_one_flat_step() {
        let front = front_of(&[(90, 0.5), (60, 0.4), (40, 0.31), (6, 0.3), (4, 0.2), (2, 0.1)]);
        let regions = flat_regions(&front);
        assert_eq!(regions.len(), 1);
        assert_eq!((regions[0].from, regions[0].to), (3, 2));
        assert!((regions[0].pay - 0.01).abs() < 1e-12);
        assert_eq!(regions[0].words, "k 6 → 40 for 1.00 points of loss");
    }

    #[test]
    fn an_even_front_has_none() {
        let points: Vec<(u64, f64)> = (0..12).rev().map(|at| (2 << at, 0.05 * f64::from(at))).collect();
        assert_eq!(flat_regions(&front_of(&points)), []);
        assert_eq!(flat_regions(&front_of(&[(5, 0.2)])), []);
        assert_eq!(flat_regions(&front_of(&[])), []);
    }

    #[test]
    fn a_small_pause_does_not_tear_a_region() {
        assert_eq!(best_stretches(&[-1.0, 5.0, -2.0, 10.0, -9.0, 3.0]), [(1, 4), (5, 6)]);
        assert_eq!(
            best_stretches(&[4.0, -5.0, 3.0, -3.0, 1.0, 2.0, -2.0, 2.0, -2.0, 1.0, 5.0]),
            [(0, 1), (2, 3), (4, 11)]
        );
    }
}
