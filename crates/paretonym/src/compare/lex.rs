//! LEX: the first property in order that tells two sets apart.

use super::{BY, Indices, SetComparator, SetComparatorEntry, Vectors, numbers};
use crate::measure::{CatalogEntry, Parameter, Sense, Takes};

/// Its line in the catalogue.
pub const ENTRY: SetComparatorEntry = SetComparatorEntry {
    entry: CatalogEntry {
        name: "lex",
        aliases: &["lexicographic"],
        summary: "the first property in order that differs by more than its epsilon",
        parameters: &[
            Parameter {
                name: "epsilons",
                default: "0",
                takes: Takes::Text,
                summary: "one per property, such as 0.1/0.05",
            },
            BY,
        ],
        reference: "S2 5.6",
    },
    make: |call, by| Ok(Box::new(Lexicographic { epsilons: numbers(call, "epsilons")?, by })),
};

/// Properties in order of importance: the index is the place, from 1, of the first property in which one set is ahead
/// by more than that property's epsilon; one more than there are where it is ahead in none. Smaller is better.
///
/// Example: cov on group sizes, then utility, epsilon 0.1: T3b is ahead in the first (1 - 0.3), T3a in the second: T3b
/// wins.
///
/// [Reference](mod@crate::theory::references): S2 5.6.
///
/// In the catalogue `lex`: [definition](crate::theory::definitions#lex).
pub struct Lexicographic {
    /// One per property; the last one holds for all that follow, 0 where there are none.
    pub epsilons: Vec<f64>,
    /// The index of each property.
    pub by: Indices,
}

impl SetComparator for Lexicographic {
    fn name(&self) -> String {
        "lex".to_owned()
    }

    fn sense(&self) -> Sense {
        Sense::Min
    }

    fn index(&self, properties: &[Vectors]) -> f64 {
        let ahead = |(at, vectors): (usize, &Vectors)| {
            let epsilon = self.epsilons.get(at).or(self.epsilons.last()).copied().unwrap_or(0.0);
            let by = self.by.of(at);
            let (one, other) = (by.index(*vectors), by.index(vectors.swapped()));
            by.sense().cost(other) - by.sense().cost(one) > epsilon
        };
        let place = properties.iter().enumerate().position(ahead).unwrap_or(properties.len());
        (place + 1) as f64
    }
}
