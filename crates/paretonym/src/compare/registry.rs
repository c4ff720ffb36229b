//! The comparators of one comparison: those of the catalogue, and those that a user of the library adds.

use super::{
    Comparator, Coverage, Goal, Hypervolume, Lexicographic, Minimum, Rank, SetComparator, Spread, WeightedSum,
};

/// Comparators in the order in which results show them.
pub struct Comparators {
    /// Of single properties.
    pub single: Vec<Box<dyn Comparator>>,
    /// Of sets of properties.
    pub sets: Vec<Box<dyn SetComparator>>,
}

impl Default for Comparators {
    /// All of the catalogue with their defaults, sets by coverage.
    fn default() -> Self {
        let weighted = WeightedSum { weights: Vec::new(), by: Coverage.into() };
        let lexicographic = Lexicographic { epsilons: Vec::new(), by: Coverage.into() };
        let goal = Goal { goals: Vec::new(), by: Coverage.into() };
        Comparators {
            single: vec![
                Box::new(Coverage),
                Box::new(Spread),
                Box::new(Hypervolume),
                Box::new(Rank::default()),
                Box::new(Minimum),
            ],
            sets: vec![Box::new(weighted), Box::new(lexicographic), Box::new(goal)],
        }
    }
}

impl Comparators {
    /// Adds a comparator; one of the same name is replaced.
    pub fn register(&mut self, comparator: Box<dyn Comparator>) {
        match self.single.iter_mut().find(|own| own.name() == comparator.name()) {
            Some(own) => *own = comparator,
            None => self.single.push(comparator),
        }
    }

    /// Adds a comparator of sets; one of the same name is replaced.
    pub fn register_set(&mut self, comparator: Box<dyn SetComparator>) {
        match self.sets.iter_mut().find(|own| own.name() == comparator.name()) {
            Some(own) => *own = comparator,
            None => self.sets.push(comparator),
        }
    }
}
