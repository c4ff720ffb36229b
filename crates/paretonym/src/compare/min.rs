//! **min.** The worst value: what k and the other models measure.
//!
//! Example: (3,7,7,3,7,7,7,3,7,7): 3. Larger is better. Reference: S2 5.1.

use super::{Comparator, ComparatorEntry, Vectors};
use crate::measure::CatalogEntry;

/// Its line in the catalogue.
pub const ENTRY: ComparatorEntry = ComparatorEntry {
    entry: CatalogEntry {
        name: "min",
        aliases: &[],
        summary: "the worst value of any row",
        parameters: &[],
        reference: "S2 5.1",
    },
    make: |_| Ok(Box::new(Minimum)),
};

/// See the head of this file.
pub struct Minimum;

impl Comparator for Minimum {
    fn name(&self) -> String {
        "min".to_owned()
    }

    fn is_unary(&self) -> bool {
        true
    }

    fn index(&self, vectors: Vectors) -> f64 {
        vectors.one.iter().copied().fold(f64::INFINITY, f64::min)
    }
}
