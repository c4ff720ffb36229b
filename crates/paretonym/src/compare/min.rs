//! min: the worst-off row.

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

/// The worst value: what k and the other models measure. Larger is better.
///
/// Example: (3,7,7,3,7,7,7,3,7,7): 3.
///
/// [Reference](mod@crate::theory::references): S2 5.1.
///
/// In the catalogue `min`: [definition](crate::theory::definitions#min).
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
