//! Chance: the few ways in which a genetic search draws numbers. Written out here rather than taken from a library's
//! distributions, so that a seed gives the same run after every upgrade.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A seeded source of chance that can be put down and taken up again.
#[derive(Clone, Debug)]
pub struct Dice {
    seed: u64,
    generator: ChaCha8Rng,
}

impl Dice {
    /// From a seed.
    pub fn new(seed: u64) -> Self {
        Dice { seed, generator: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// As it was after drawing up to a position.
    pub fn at(seed: u64, position: u64) -> Self {
        let mut dice = Dice::new(seed);
        dice.generator.set_word_pos(u128::from(position));
        dice
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How much was drawn so far.
    pub fn position(&self) -> u64 {
        self.generator.get_word_pos() as u64
    }

    /// A whole number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        // The bias of the multiplication is below 2^-32 for every limit that a search has.
        ((u128::from(self.generator.next_u64()) * limit as u128) >> 64) as usize
    }

    /// A number from 0 up to but not including 1.
    pub fn share(&mut self) -> f64 {
        (self.generator.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// True in a share of all cases.
    pub fn chance(&mut self, share: f64) -> bool {
        self.share() < share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_on_where_it_was_put_down() {
        let mut dice = Dice::new(7);
        assert!((0..11).all(|_| dice.below(10) < 10));
        let mut again = Dice::at(7, dice.position());
        let (left, right): (Vec<usize>, Vec<usize>) = (0..50).map(|_| (dice.below(1000), again.below(1000))).unzip();
        assert_eq!(left, right);
        assert!(left.iter().any(|number| *number > 500) && left.iter().any(|number| *number < 500));
    }
}
