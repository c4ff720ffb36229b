//! The neighbours of a recoding: one break flipped or shifted, one node of a cut merged or split, one level up or down.

use super::{Dice, Genome, Layout, Segment};
use crate::recode::Family;

/// A step to a neighbour. It holds what changes only: a recoding of a large taxonomy has thousands of neighbours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The column it changes.
    pub column: usize,
    /// Whether it joins sets: the neighbour's groups can be made from this recoding's groups.
    pub merges: bool,
    /// The bits that it flips.
    flips: Vec<u32>,
}

impl Move {
    /// Where it leads.
    pub fn to(&self, from: &Genome) -> Genome {
        let mut to = from.clone();
        self.flips.iter().for_each(|bit| to.set(*bit as usize, !from.get(*bit as usize)));
        to
    }
}

impl Layout {
    /// Every neighbour, column by column. With `shifts` also those that move a break by one place.
    pub fn neighbours(&self, genome: &Genome, shifts: bool) -> Vec<Move> {
        let mut moves = Vec::new();
        for (column, segment) in self.segments.iter().enumerate() {
            let mut flip = |bits: &[usize], value: bool| {
                let flips = bits.iter().filter(|bit| genome.get(**bit) != value).map(|bit| *bit as u32).collect();
                moves.push(Move { column, merges: !value, flips });
            };
            segment.each_step(genome, &mut flip);
            if shifts && segment.family == Family::Breaks {
                for bit in segment.bits.clone().skip(1) {
                    if genome.get(bit - 1) != genome.get(bit) {
                        moves.push(Move { column, merges: false, flips: vec![bit as u32 - 1, bit as u32] });
                    }
                }
            }
        }
        moves
    }

    /// One random step within a column: our mutation of breaks, cuts and levels alike.
    pub fn step(&self, column: usize, genome: &mut Genome, dice: &mut Dice) {
        let segment = &self.segments[column];
        let mut steps: Vec<(Vec<usize>, bool)> = Vec::new();
        segment.each_step(genome, &mut |bits, value| steps.push((bits.to_vec(), value)));
        if !steps.is_empty() {
            let (bits, value) = &steps[dice.below(steps.len())];
            bits.iter().for_each(|bit| genome.set(*bit, *value));
        }
    }

    /// The papers' mutation: each break is flipped in a share of all cases; cuts stay as they are (S0).
    pub fn flip_breaks(&self, genome: &mut Genome, share: f64, dice: &mut Dice) {
        for segment in self.segments.iter().filter(|segment| segment.family == Family::Breaks) {
            segment.flip(genome, share, dice);
        }
    }

    /// Flips each bit of every column in a share of all cases; what comes out must be repaired (S4).
    pub fn flip_all(&self, genome: &mut Genome, share: f64, dice: &mut Dice) {
        self.segments.iter().for_each(|segment| segment.flip(genome, share, dice));
    }
}

impl Segment {
    /// Calls `take` with the bits and their new value for each step to a valid neighbour.
    fn each_step(&self, genome: &Genome, take: &mut dyn FnMut(&[usize], bool)) {
        match self.family {
            Family::Breaks => self.bits.clone().for_each(|bit| take(&[bit], !genome.get(bit))),
            Family::Levels => {
                let ones = genome.ones(self.bits.clone());
                if ones > 0 {
                    take(&[self.bits.start + ones - 1], false);
                }
                if ones < self.bits.len() {
                    take(&[self.bits.start + ones], true);
                }
            }
            Family::Cuts => {
                for (at, inner) in self.tree.iter().enumerate() {
                    let open = self.is_open(genome, at);
                    let above = inner.parent.is_none_or(|parent| self.is_open(genome, parent));
                    let bottom = inner.children.iter().all(|child| !self.is_open(genome, *child));
                    if (open && bottom) || (!open && above) {
                        take(&inner.gaps, !open);
                    }
                }
            }
        }
    }

    fn flip(&self, genome: &mut Genome, share: f64, dice: &mut Dice) {
        for bit in self.bits.clone() {
            if dice.chance(share) {
                genome.set(bit, !genome.get(bit));
            }
        }
    }
}
