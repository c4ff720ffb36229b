//! rank: distance to a wished-for vector.

use super::{Comparator, ComparatorEntry, Vectors};
use crate::error::Error;
use crate::measure::{CatalogEntry, Parameter, Sense, Takes};

/// Its line in the catalogue.
pub const ENTRY: ComparatorEntry = ComparatorEntry {
    entry: CatalogEntry {
        name: "rank",
        aliases: &[],
        summary: "distance to a wished-for vector",
        parameters: &[
            Parameter {
                name: "wished",
                default: "best of all",
                takes: Takes::Text,
                summary: "the value wished for every row",
            },
            Parameter {
                name: "tolerance",
                default: "0",
                takes: Takes::Number(0.0),
                summary: "distances that differ by no more are equal",
            },
        ],
        reference: "S2 5.1",
    },
    make: |call| {
        let tolerance: f64 = call.number("tolerance", 0.0)?;
        if tolerance.is_nan() || tolerance < 0.0 {
            return Err(Error::study("rank: tolerance must be a number from 0 on"));
        }
        let wished = call.text("wished").map(|_| call.number("wished", 0.0)).transpose()?;
        Ok(Box::new(Rank { wished: wished.map_or(Vec::new(), |value| vec![value]), tolerance }))
    },
};

/// Distance to a wished-for vector; vectors whose distances differ by no more than a tolerance are equally good.
/// Smaller is better.
///
/// Example: (3,4) wished (6,8): 5.
///
/// [Reference](mod@crate::theory::references): S2 5.1.
///
/// In the catalogue `rank`: [definition](crate::theory::definitions#rank).
#[derive(Clone, Debug, Default)]
pub struct Rank {
    /// The wished-for vector; a single value stands for every row, none for the better value of the two in each row.
    pub wished: Vec<f64>,
    /// Distances that differ by no more are equally good.
    pub tolerance: f64,
}

impl Comparator for Rank {
    fn name(&self) -> String {
        "rank".to_owned()
    }

    fn sense(&self) -> Sense {
        Sense::Min
    }

    fn has_wish(&self) -> bool {
        true
    }

    fn is_unary(&self) -> bool {
        !self.wished.is_empty()
    }

    fn index(&self, vectors: Vectors) -> f64 {
        let squares = vectors.each().enumerate().map(|(at, (one, other, rows))| {
            let wished = match self.wished.as_slice() {
                [] => one.max(other),
                [value] => *value,
                vector => vector[at],
            };
            rows * (one - wished) * (one - wished)
        });
        squares.sum::<f64>().sqrt()
    }

    fn tolerance(&self) -> f64 {
        self.tolerance
    }
}
