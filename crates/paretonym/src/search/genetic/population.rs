//! The living: members with their standing, tournaments between them, and who survives.

use std::cmp::Ordering;

use super::{Dice, Genome, Standing, sort};
use crate::front::{MAX_OBJECTIVES, Point};
use crate::problem::Problem;

/// One chromosome and what it came to.
#[derive(Clone, Debug)]
pub struct Member {
    /// The chromosome.
    pub genome: Genome,
    /// The points it is ranked by.
    pub points: Vec<Point>,
    /// Its standing among the others when they were last sorted.
    pub standing: Standing,
}

impl Member {
    /// Before any sorting.
    pub fn new(genome: Genome, points: Vec<Point>) -> Self {
        Member { genome, points, standing: Standing { rank: u32::MAX, crowding: 0.0 } }
    }
}

/// Members, best first.
#[derive(Clone, Debug, Default)]
pub struct Population {
    /// The members.
    pub members: Vec<Member>,
}

impl Population {
    /// Adds newcomers, sorts everyone, and keeps the best `size`: front by front, the rarest of the last one.
    pub fn survive(&mut self, newcomers: Vec<Member>, size: usize, unit: &dyn Fn(&Point) -> [f64; MAX_OBJECTIVES]) {
        self.members.extend(newcomers);
        self.rank(size, unit);
        // A stable sort: of equals the older stays.
        self.members.sort_by(|a, b| a.standing.compare(&b.standing));
        self.members.truncate(size);
    }

    /// Gives the members their standings, of whom at least `needed` must have one.
    pub fn rank(&mut self, needed: usize, unit: &dyn Fn(&Point) -> [f64; MAX_OBJECTIVES]) {
        let points: Vec<&[Point]> = self.members.iter().map(|member| member.points.as_slice()).collect();
        let standings = sort(&points, needed, unit);
        self.members.iter_mut().zip(standings).for_each(|(member, standing)| member.standing = standing);
    }

    /// The better of two random members: by the problem's own rule where it has one, then by rank and crowding.
    pub fn tournament(&self, problem: &dyn Problem, dice: &mut Dice) -> &Member {
        let (a, b) = (&self.members[dice.below(self.members.len())], &self.members[dice.below(self.members.len())]);
        let own = match (a.points.first(), b.points.first()) {
            (Some(a), Some(b)) => problem.prefers(a, b),
            _ => None,
        };
        let order = match own {
            None => a.standing.compare(&b.standing),
            Some(Ordering::Equal) => b.standing.crowding.total_cmp(&a.standing.crowding),
            Some(order) => order,
        };
        match order {
            Ordering::Less => a,
            Ordering::Greater => b,
            Ordering::Equal if dice.chance(0.5) => a,
            Ordering::Equal => b,
        }
    }
}
