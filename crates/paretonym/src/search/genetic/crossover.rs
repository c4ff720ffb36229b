//! Crossover: two children from two parents.
//!
//! A cut may be cut only where both parents have a one: left and right of such a place both are cuts of their own, so
//! that any left goes with any right (Lunacek et al. 2006; S0 6.3).

use super::{Dice, Genome, Layout, Segment};
use crate::recode::Family;

/// Where parents are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossover {
    /// At one place in every column (S0).
    EachColumn,
    /// At one place of the whole chromosome (S1).
    Once,
    /// Every column comes whole from one of the parents.
    WholeColumns,
    /// At one place of the whole chromosome that need not be valid; what comes out must be repaired (S4).
    Anywhere,
}

impl Layout {
    /// The two children.
    pub fn cross(&self, kind: Crossover, a: &Genome, b: &Genome, dice: &mut Dice) -> [Genome; 2] {
        let mut children = [a.clone(), b.clone()];
        let [left, right] = &mut children;
        let mut swap = |from: usize, to: usize| {
            left.copy(b, from..to);
            right.copy(a, from..to);
        };
        match kind {
            Crossover::EachColumn => {
                for segment in &self.segments {
                    // A level is one choice with nothing inside to cut: it changes sides or stays.
                    if segment.family == Family::Levels && dice.chance(0.5) {
                        swap(segment.bits.start, segment.bits.end);
                    }
                    let places = segment.places(a, b);
                    if !places.is_empty() {
                        swap(places[dice.below(places.len())], segment.bits.end);
                    }
                }
            }
            Crossover::Once => {
                // Between two columns any place will do.
                let mut places: Vec<usize> = self.segments.iter().skip(1).map(|segment| segment.bits.start).collect();
                places.extend(self.segments.iter().flat_map(|segment| segment.places(a, b)));
                if !places.is_empty() {
                    swap(places[dice.below(places.len())], self.bits);
                }
            }
            Crossover::WholeColumns => {
                for segment in &self.segments {
                    if dice.chance(0.5) {
                        swap(segment.bits.start, segment.bits.end);
                    }
                }
            }
            Crossover::Anywhere => {
                if self.bits > 0 {
                    swap(dice.below(self.bits), self.bits);
                }
            }
        }
        children
    }
}

impl Segment {
    /// The bits from which on two parents may be swapped.
    fn places(&self, a: &Genome, b: &Genome) -> Vec<usize> {
        match self.family {
            Family::Breaks => self.bits.clone().skip(1).collect(),
            // The bit at the place of the cut belongs to both sides: it is one in either parent.
            Family::Cuts => self.bits.clone().filter(|bit| a.get(*bit) && b.get(*bit)).collect(),
            Family::Levels => Vec::new(),
        }
    }
}
