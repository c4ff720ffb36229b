//! hv: the volume that one vector covers and the other does not.

use super::{Comparator, ComparatorEntry, Vectors};
use crate::measure::CatalogEntry;

/// Its line in the catalogue.
pub const ENTRY: ComparatorEntry = ComparatorEntry {
    entry: CatalogEntry {
        name: "hv",
        aliases: &["hypervolume"],
        summary: "log of the volume that one vector covers over the volume that both cover",
        parameters: &[],
        reference: "S2 5.4",
    },
    make: |_| Ok(Box::new(Hypervolume)),
};

/// Hypervolume: the volume of vectors that one vector covers and the other does not, Π d1 - Π min(d1, d2). Larger is
/// better; it rewards evenness.
///
/// The products overflow at a few hundred rows, so the index is taken in log space: Σ ln d1 - Σ ln min(d1, d2), over
/// the rows where both are positive. It orders two vectors as the volumes do, since their common part is the same.
///
/// Example: (3,3,3,5,5,5,5,5) beats (4,…,4): 84375 against 65536 before the common part is taken off.
///
/// [Reference](mod@crate::theory::references): S2 5.4.
///
/// In the catalogue `hv`: [definition](crate::theory::definitions#hv).
pub struct Hypervolume;

impl Comparator for Hypervolume {
    fn name(&self) -> String {
        "hv".to_owned()
    }

    fn index(&self, vectors: Vectors) -> f64 {
        // A row on which `one` is not ahead adds ln d1 - ln d1 = 0: taking the logarithm of the quotient alone keeps the
        // sum exact where a difference of two large sums would not be.
        let ahead = vectors.each().filter(|(one, other, _)| one > other && *other > 0.0);
        ahead.map(|(one, other, rows)| rows * (one / other).ln()).sum()
    }

    fn note(&self, vectors: Vectors) -> Option<String> {
        let left_out: f64 =
            vectors.each().filter(|(one, other, _)| !(*one > 0.0 && *other > 0.0)).map(|(_, _, rows)| rows).sum();
        (left_out > 0.0).then(|| format!("hv leaves out {left_out} rows whose values are not positive"))
    }
}
