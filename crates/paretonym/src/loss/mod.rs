//! Information losses, one file each. Lower is better, normalized to [0, 1] unless the file says otherwise; a suppressed
//! row always pays the maximum.
//!
//! [`General`] where nothing is known of the readers of a release, [`Weighted`] where some columns matter more,
//! [`Classification`] and [`Regression`] where models are to be trained on it. All are defined in
//! [`theory::definitions`](crate::theory::definitions#losses), the trait is [`Loss`](crate::measure::Loss).

pub(crate) mod average_class;
mod cell;
pub(crate) mod classification;
pub(crate) mod discernibility;
pub(crate) mod entropy;
pub(crate) mod general;
pub(crate) mod precision;
pub(crate) mod regression;
pub(crate) mod weighted;

pub use average_class::AverageClass;
pub use cell::{NumericForm, cell_loss, column_loss};
pub use classification::{Classification, Cost, SuppressedClass};
pub use discernibility::Discernibility;
pub use entropy::Entropy;
pub use general::General;
pub use precision::Precision;
pub use regression::{Deviation, Regression};
pub use weighted::Weighted;

/// Implements [`crate::measure::Measure`] for a loss up to its vector, which the loss itself gives as `row_losses`.
macro_rules! measure_by_sums {
    ($loss:ty, $needs:expr, $name:expr) => {
        impl crate::measure::Measure for $loss {
            fn name(&self) -> String {
                #[allow(clippy::redundant_closure_call)]
                ($name)(self)
            }
            fn sense(&self) -> crate::measure::Sense {
                crate::measure::Sense::Min
            }
            fn needs(&self) -> crate::group::Needs {
                $needs
            }
            fn score(&self, kept: &crate::group::Kept) -> f64 {
                crate::measure::loss_parts(self, kept).total()
            }
            fn vector(&self, kept: &crate::group::Kept) -> crate::measure::PropertyVector {
                self.row_losses(kept)
            }
        }
    };
}
use measure_by_sums;
