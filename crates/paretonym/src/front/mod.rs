//! Fronts: the outcomes that no other outcome beats in every objective, and choosing from them.

mod archive;
mod bias;
mod choose;
mod file;
mod hypervolume;
mod left_out;
mod objective;
mod quantity;
mod reading;
mod solution;

pub use archive::{Archive, FrontEntry};
pub use bias::{Bias, CURVE_POINTS};
pub use choose::{Choice, LIMITS, LimitRule, Limits, Relaxation, choose};
pub use file::{FORMAT, FrontFile, Moved};
pub use hypervolume::Scale;
pub use left_out::LeftOut;
pub(crate) use objective::round;
pub use objective::{Cutoff, LevelCosts, MAX_OBJECTIVES, Objective, Outcome, Point};
pub use quantity::{Quantity, Role};
pub use solution::Solution;
