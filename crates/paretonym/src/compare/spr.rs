//! spr: by how much rows are better off, in all.

use super::{Comparator, ComparatorEntry, Vectors};
use crate::measure::CatalogEntry;

/// Its line in the catalogue.
pub const ENTRY: ComparatorEntry = ComparatorEntry {
    entry: CatalogEntry {
        name: "spr",
        aliases: &["spread"],
        summary: "sum of the advantages of the rows that are better off",
        parameters: &[],
        reference: "S2 5.3",
    },
    make: |_| Ok(Box::new(Spread)),
};

/// Spread: how much better one vector is, summed over the rows on which it is better. Larger is better.
///
/// Example: (2,2,3,4,5) against (3,2,4,2,3): 4, the other way 2. Erratum: for the two vectors of fifteen rows S2
/// prints 2 and 8; the formula gives 2 and 10.
///
/// [Reference](mod@crate::theory::references): S2 5.3.
///
/// In the catalogue `spr`: [definition](crate::theory::definitions#spr).
pub struct Spread;

impl Comparator for Spread {
    fn name(&self) -> String {
        "spr".to_owned()
    }

    fn index(&self, vectors: Vectors) -> f64 {
        vectors.each().map(|(one, other, rows)| rows * (one - other).max(0.0)).sum()
    }
}
