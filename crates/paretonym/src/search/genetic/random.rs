//! Random chromosomes.
//!
//! Plain coin flips make about half of all breaks: on a table of many columns every one of them has k = 1, and a search
//! that starts there has nothing to choose from. So our own start spreads the share of ones from none to all and adds
//! nodes of the lattice, which are good all-round recodings.

use super::{Dice, Genome, Layout, Segment};
use crate::recode::Family;

impl Layout {
    /// A valid chromosome: each break is set, and each tree node that may be open is open, in a share of all cases. A
    /// tree is walked from its root, a closed node closing everything below it (S0 6.4).
    pub fn random(&self, share: f64, dice: &mut Dice) -> Genome {
        let mut genome = Genome::zeros(self.bits);
        for segment in &self.segments {
            segment.randomize(&mut genome, share, dice);
        }
        genome
    }

    /// A random node of the lattice.
    pub fn random_levels(&self, dice: &mut Dice) -> Genome {
        let levels: Vec<usize> = self.segments.iter().map(|segment| dice.below(segment.levels.len())).collect();
        self.of_levels(&levels)
    }

    /// Draws one column of a chromosome anew.
    pub fn randomize(&self, column: usize, genome: &mut Genome, share: f64, dice: &mut Dice) {
        let segment = &self.segments[column];
        genome.fill(segment.bits.clone(), false);
        segment.randomize(genome, share, dice);
    }

    /// S1's starting population as far as its results tell: each member has a share of ones of its own. From coin flips, of which
    /// all have k = 1 on Adult, its algorithm never finds a feasible solution.
    pub fn densities(&self, size: usize, dice: &mut Dice) -> Vec<Genome> {
        let mut one = || {
            let share = dice.share();
            self.random(share, dice)
        };
        (0..size).map(|_| one()).collect()
    }

    /// S0's and S4's starting population: coin flips.
    pub fn coin_flips(&self, size: usize, dice: &mut Dice) -> Vec<Genome> {
        (0..size).map(|_| self.random(0.5, dice)).collect()
    }

    /// Our starting population: everything joined, everything apart, lattice nodes, and shares of ones that are spread
    /// evenly, drawn anew for each column so that columns differ.
    pub fn spread(&self, size: usize, dice: &mut Dice) -> Vec<Genome> {
        let top: Vec<usize> = self.segments.iter().map(|segment| segment.levels.len() - 1).collect();
        let mut start = vec![self.of_levels(&top), self.of_levels(&vec![0; top.len()])];
        for member in start.len()..size {
            let genome = if member % 2 == 0 {
                self.random_levels(dice)
            } else {
                let share = member as f64 / size as f64;
                let mut genome = Genome::zeros(self.bits);
                for segment in &self.segments {
                    let own = (share * 2.0 * dice.share()).min(1.0);
                    segment.randomize(&mut genome, own, dice);
                }
                genome
            };
            start.push(genome);
        }
        start.truncate(size.max(1));
        start
    }
}

impl Segment {
    /// Draws the bits of one column; they must be zero before.
    fn randomize(&self, genome: &mut Genome, share: f64, dice: &mut Dice) {
        match self.family {
            Family::Breaks => self.bits.clone().for_each(|bit| genome.set(bit, dice.chance(share))),
            Family::Levels => {
                let ones = self.bits.clone().filter(|_| dice.chance(share)).count();
                genome.fill(self.bits.start..self.bits.start + ones, true);
            }
            Family::Cuts => {
                for inner in &self.tree {
                    let above = inner.parent.is_none_or(|parent| self.is_open(genome, parent));
                    if above && dice.chance(share) {
                        inner.gaps.iter().for_each(|gap| genome.set(*gap, true));
                    }
                }
            }
        }
    }
}
