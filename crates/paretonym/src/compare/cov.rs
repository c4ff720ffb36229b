//! cov: on how many rows one vector is at least as good.

use super::{Comparator, ComparatorEntry, Vectors};
use crate::measure::CatalogEntry;

/// Its line in the catalogue.
pub const ENTRY: ComparatorEntry = ComparatorEntry {
    entry: CatalogEntry {
        name: "cov",
        aliases: &["coverage"],
        summary: "share of rows that are at least as well off",
        parameters: &[],
        reference: "S2 5.2",
    },
    make: |_| Ok(Box::new(Coverage)),
};

/// Coverage: the share of rows on which one vector is at least as good as the other. Larger is better.
///
/// It asks how many people prefer a release.
///
/// Example: (2,2,3,4,5) and (3,2,4,2,3): 3/5 both ways.
///
/// [Reference](mod@crate::theory::references): S2 5.2.
///
/// In the catalogue `cov`: [definition](crate::theory::definitions#cov).
pub struct Coverage;

impl Comparator for Coverage {
    fn name(&self) -> String {
        "cov".to_owned()
    }

    fn index(&self, vectors: Vectors) -> f64 {
        let covered: f64 = vectors.each().filter(|(one, other, _)| one >= other).map(|(_, _, rows)| rows).sum();
        covered / vectors.total()
    }
}
