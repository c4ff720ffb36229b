//! WTD: a weighted sum over properties.

use super::{BY, Indices, SetComparator, SetComparatorEntry, Vectors, numbers};
use crate::data::format_number;
use crate::error::Error;
use crate::measure::{CatalogEntry, Parameter, Sense, Takes};

/// Its line in the catalogue.
pub const ENTRY: SetComparatorEntry = SetComparatorEntry {
    entry: CatalogEntry {
        name: "wtd",
        aliases: &["weighted"],
        summary: "weighted sum of an index over the properties",
        parameters: &[
            Parameter {
                name: "weights",
                default: "equal",
                takes: Takes::Text,
                summary: "one per property, such as 2/1",
            },
            BY,
        ],
        reference: "S2 5.5",
    },
    make: |call, by| {
        let weights = numbers(call, "weights")?;
        if weights.iter().any(|weight| *weight < 0.0) || (!weights.is_empty() && weights.iter().sum::<f64>() <= 0.0) {
            return Err(Error::study("wtd: weights are numbers from 0 on, not all 0"));
        }
        Ok(Box::new(WeightedSum { weights, by }))
    },
};

/// Weighted sum, over the properties, of an index. Larger is better. The two indices of a pair are first scaled so
/// that the larger is 1; an index of which less is better counts as what it lacks to 1.
///
/// Example: S2's T3a and T3b, group sizes and utility, cov, equal weights: 0.3 + 1 against 1 + 0.3: a tie.
///
/// [Reference](mod@crate::theory::references): S2 5.5.
///
/// In the catalogue `wtd`: [definition](crate::theory::definitions#wtd).
pub struct WeightedSum {
    /// One per property; equal where there are none, 0 for properties beyond the last.
    pub weights: Vec<f64>,
    /// The index of each property.
    pub by: Indices,
}

impl WeightedSum {
    /// The index of one property on a scale from 0 to 1.
    fn scaled(&self, at: usize, vectors: Vectors) -> f64 {
        let by = self.by.of(at);
        let (one, other) = (by.index(vectors), by.index(vectors.swapped()));
        let low = one.min(other).min(0.0);
        let high = one.max(other);
        let share = if high > low { (one - low) / (high - low) } else { 1.0 };
        match by.sense() {
            Sense::Max => share,
            Sense::Min => 1.0 - share,
        }
    }
}

impl SetComparator for WeightedSum {
    fn name(&self) -> String {
        "wtd".to_owned()
    }

    fn sense(&self) -> Sense {
        Sense::Max
    }

    fn in_words(&self) -> Option<String> {
        let weights: Vec<String> = self.weights.iter().map(|weight| format_number(*weight)).collect();
        Some(if weights.is_empty() { "equal weights".to_owned() } else { format!("weights {}", weights.join("/")) })
    }

    fn index(&self, properties: &[Vectors]) -> f64 {
        let weight = |at: usize| {
            if self.weights.is_empty() { 1.0 } else { self.weights.get(at).copied().unwrap_or(0.0) }
        };
        let total: f64 = (0..properties.len()).map(weight).sum();
        if total <= 0.0 {
            return 0.0;
        }
        let terms = properties.iter().enumerate().map(|(at, vectors)| weight(at) * self.scaled(at, *vectors));
        terms.sum::<f64>() / total
    }
}
