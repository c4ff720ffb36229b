//! Average class size: how much larger groups are than they must be.

use super::measure_by_sums;
use crate::group::{FrequencyTable, Kept, Needs};
use crate::measure::{CatalogEntry, Grouped, Loss, LossEntry, LossParts, PropertyVector, Remaining, loss_parts};

/// Its line in the catalogue.
pub const ENTRY: LossEntry = LossEntry {
    entry: CatalogEntry {
        name: "average-class",
        aliases: &[],
        summary: "kept rows / groups / k (not normalized)",
        parameters: &[],
        reference: "LeFevre et al. 2006",
    },
    bounded_below: false,
    normalized: false,
    make: |_, _, _| Ok(Box::new(AverageClass)),
};

/// Average class size: kept rows / groups / k, k being the size of the smallest kept group. At least 1; 1 = all groups
/// as small as k allows.
///
/// Example: groups of 2 and 5 rows: 7 / 2 / 2 = 1.75.
///
/// Neither normalized nor monotone; no lower bound, so that no search can skip a recoding by it.
/// [Reference](mod@crate::theory::references): LeFevre et al. 2006.
///
/// In the catalogue `average-class`: [definition](crate::theory::definitions#average-class).
pub struct AverageClass;

measure_by_sums!(AverageClass, Needs::default(), |_: &AverageClass| "average-class".to_owned());

impl AverageClass {
    /// The release's value for every row: it is a property of the release, not of a row.
    fn row_losses(&self, kept: &Kept) -> PropertyVector {
        let value = loss_parts(self, kept).total();
        PropertyVector::of_groups(kept, |_| value)
    }
}

impl Loss for AverageClass {
    fn sums(&self, _: &FrequencyTable) -> usize {
        0
    }

    fn add(&self, _: Grouped, _: usize, _: &mut [f64]) {}

    fn add_all(&self, _: Grouped, _: &mut [f64]) {}

    fn parts(&self, _: &FrequencyTable, _: &[f64], remaining: Remaining) -> LossParts {
        let kept = remaining.rows as f64 / remaining.groups as f64 / remaining.smallest as f64;
        LossParts { kept, suppressed: 0.0 }
    }

    fn knows_classes(&self) -> bool {
        true
    }

    fn additive(&self) -> bool {
        false
    }

    fn bounded_below(&self) -> bool {
        false
    }

    fn needs_smallest(&self) -> bool {
        true
    }
}
