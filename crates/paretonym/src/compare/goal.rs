//! GOAL: distance to what is wished for in each property.

use super::{BY, Indices, SetComparator, SetComparatorEntry, Vectors, numbers};
use crate::measure::{CatalogEntry, Parameter, Sense, Takes};

/// Its line in the catalogue.
pub const ENTRY: SetComparatorEntry = SetComparatorEntry {
    entry: CatalogEntry {
        name: "goal",
        aliases: &[],
        summary: "squared distance of an index to its goals",
        parameters: &[
            Parameter { name: "goals", default: "1", takes: Takes::Text, summary: "one per property, such as 1/0.8" },
            BY,
        ],
        reference: "S2 5.7",
    },
    make: |call, by| Ok(Box::new(Goal { goals: numbers(call, "goals")?, by })),
};

/// Sum over the properties of the squared distance of an index to its goal. Smaller is better. With a unary index,
/// goals may be given as goal property vectors: the goal is then their own index.
///
/// Example: cov with goals (1, 1) for S2's T3a and T3b: (0.3 - 1)² + 0 each: a tie.
///
/// [Reference](mod@crate::theory::references): S2 5.7.
///
/// In the catalogue `goal`: [definition](crate::theory::definitions#goal).
pub struct Goal {
    /// One per property; the last one holds for all that follow, 1 (full coverage) where there are none.
    pub goals: Vec<f64>,
    /// The index of each property.
    pub by: Indices,
}

impl Goal {
    /// With goal property vectors, one per property; the index should be unary.
    pub fn of_vectors(by: impl Into<Indices>, goals: &[&[f64]]) -> Self {
        let by = by.into();
        let goals = goals.iter().enumerate().map(|(at, goal)| by.of(at).index(Vectors::of_rows(goal, goal))).collect();
        Goal { goals, by }
    }
}

impl SetComparator for Goal {
    fn name(&self) -> String {
        "goal".to_owned()
    }

    fn sense(&self) -> Sense {
        Sense::Min
    }

    fn index(&self, properties: &[Vectors]) -> f64 {
        let squares = properties.iter().enumerate().map(|(at, vectors)| {
            let goal = self.goals.get(at).or(self.goals.last()).copied().unwrap_or(1.0);
            (self.by.of(at).index(*vectors) - goal).powi(2)
        });
        squares.sum()
    }
}
