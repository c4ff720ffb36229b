//! Fast non-dominated sorting and crowding (Deb et al. 2002), for any number of objectives and several points per
//! member: a member stands where its best point stands.

use std::cmp::Ordering;

use crate::front::{MAX_OBJECTIVES, Point};

/// Rank and crowding of one member.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// 0 for the first front; `u32::MAX` for members without a point, or behind the last front that was needed.
    pub rank: u32,
    /// The distance between the neighbours of its best point in the front; larger is rarer.
    pub crowding: f64,
}

impl Standing {
    /// The crowded comparison: lower rank first, rarer first among equals.
    pub fn compare(&self, other: &Standing) -> Ordering {
        self.rank.cmp(&other.rank).then(other.crowding.total_cmp(&self.crowding))
    }
}

/// One point of a member.
struct Placed<'a> {
    member: usize,
    point: &'a Point,
}

/// Sorts members into fronts until at least `needed` of them have a rank. `unit` brings a point's costs to the scale on
/// which crowding is measured.
pub fn sort(members: &[&[Point]], needed: usize, unit: &dyn Fn(&Point) -> [f64; MAX_OBJECTIVES]) -> Vec<Standing> {
    let mut standings = vec![Standing { rank: u32::MAX, crowding: 0.0 }; members.len()];
    let points =
        members.iter().enumerate().flat_map(|(member, points)| points.iter().map(move |point| (member, point)));
    let mut placed: Vec<Placed> = points.map(|(member, point)| Placed { member, point }).collect();
    if placed.is_empty() {
        return standings;
    }
    placed.sort_by(|a, b| compare(a.point, b.point).then(a.member.cmp(&b.member)));
    let fronts = fronts(&placed, members.len(), needed);
    for (rank, front) in fronts.iter().enumerate() {
        let crowding = crowding(&placed, front, unit);
        for (&at, crowding) in front.iter().zip(crowding) {
            let standing = &mut standings[placed[at].member];
            if standing.rank == u32::MAX || (standing.rank == rank as u32 && standing.crowding < crowding) {
                *standing = Standing { rank: rank as u32, crowding };
            }
        }
    }
    standings
}

/// By the first cost, then the second, and so on.
fn compare(a: &Point, b: &Point) -> Ordering {
    let orders = a.costs().iter().zip(b.costs()).map(|(a, b)| a.total_cmp(b));
    orders.into_iter().find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Peels front after front off points that are sorted by their costs: what dominates a point stands before it. Stops
/// when enough members have a rank.
fn fronts(placed: &[Placed], members: usize, needed: usize) -> Vec<Vec<usize>> {
    let two = placed[0].point.costs().len() <= 2;
    let mut fronts: Vec<Vec<usize>> = Vec::new();
    let mut left: Vec<usize> = (0..placed.len()).collect();
    let mut ranked = vec![false; members];
    let mut count = 0;
    while !left.is_empty() && count < needed {
        let mut front: Vec<usize> = Vec::new();
        let mut behind: Vec<usize> = Vec::new();
        for at in left {
            let point = placed[at].point;
            // With two objectives the last of the front has the least second cost, so that it alone decides.
            let from = if two { front.len().saturating_sub(1) } else { 0 };
            if front[from..].iter().rev().any(|other| placed[*other].point.dominates(point)) {
                behind.push(at);
            } else {
                front.push(at);
            }
        }
        for &at in &front {
            if !std::mem::replace(&mut ranked[placed[at].member], true) {
                count += 1;
            }
        }
        fronts.push(front);
        left = behind;
    }
    fronts
}

/// The crowding distance of each point of a front. Of equal points all but one count as crowded out.
fn crowding(placed: &[Placed], front: &[usize], unit: &dyn Fn(&Point) -> [f64; MAX_OBJECTIVES]) -> Vec<f64> {
    let dimensions = placed[front[0]].point.costs().len();
    let units: Vec<[f64; MAX_OBJECTIVES]> = front.iter().map(|at| unit(placed[*at].point)).collect();
    let mut distances = vec![0.0; front.len()];
    let first = |place: usize| place == 0 || placed[front[place]].point != placed[front[place - 1]].point;
    let mut order: Vec<usize> = (0..front.len()).filter(|place| first(*place)).collect();
    (0..dimensions).for_each(|dimension| {
        order.sort_by(|a, b| units[*a][dimension].total_cmp(&units[*b][dimension]).then(a.cmp(b)));
        let (Some(&low), Some(&high)) = (order.first(), order.last()) else { return };
        let range = units[high][dimension] - units[low][dimension];
        distances[low] = f64::INFINITY;
        distances[high] = f64::INFINITY;
        if range > 0.0 {
            for trio in order.windows(3) {
                distances[trio[1]] += (units[trio[2]][dimension] - units[trio[0]][dimension]) / range;
            }
        }
    });
    distances
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(point: &Point) -> [f64; MAX_OBJECTIVES] {
        let mut costs = [0.0; MAX_OBJECTIVES];
        costs[..point.costs().len()].copy_from_slice(point.costs());
        costs
    }

    proptest! {
        /// Against the definition: a point of rank r is dominated by one of rank r - 1 and by none of its own rank.
        #[test]
        fn ranks_are_right(
            points in prop::collection::vec(prop::collection::vec(0u8..9, 4), 1..60),
            dimensions in 1usize..5,
        ) {
            let points: Vec<Point> = points
                .iter()
                .map(|point| Point::new(&point[..dimensions].iter().map(|cost| f64::from(*cost)).collect::<Vec<_>>()))
                .collect();
            let members: Vec<&[Point]> = points.chunks(1).collect();
            let standings = sort(&members, members.len(), &plain);
            for (own, standing) in points.iter().zip(&standings) {
                let ranks = points.iter().zip(&standings).filter(|(other, _)| other.dominates(own)).map(|(_, s)| s.rank);
                prop_assert_eq!(standing.rank, ranks.max().map_or(0, |rank| rank + 1));
            }
            // Several points per member: the best rank of them.
            let pairs: Vec<&[Point]> = points.chunks(2).collect();
            for (pair, standing) in standings.chunks(2).zip(sort(&pairs, pairs.len(), &plain)) {
                prop_assert_eq!(standing.rank, pair.iter().map(|standing| standing.rank).min().unwrap());
            }
            // Stopping early changes nothing about those that are ranked.
            let few = sort(&members, 1, &plain);
            prop_assert!(few.iter().zip(&standings).all(|(few, all)| few.rank == u32::MAX || few.rank == all.rank));
        }
    }

    #[test]
    fn ends_are_rarest_and_doubles_are_crowded_out() {
        let points: Vec<Point> =
            [[0.0, 4.0], [1.0, 2.0], [1.0, 2.0], [2.0, 1.0], [4.0, 0.0]].map(|p| Point::new(&p)).into();
        let members: Vec<&[Point]> = points.chunks(1).collect();
        let crowding: Vec<f64> = sort(&members, 5, &plain).iter().map(|standing| standing.crowding).collect();
        assert_eq!(crowding, [f64::INFINITY, 2.0 / 4.0 + 3.0 / 4.0, 0.0, 3.0 / 4.0 + 2.0 / 4.0, f64::INFINITY]);
    }
}
