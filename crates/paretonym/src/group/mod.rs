//! The hot path: distinct tuples with counts, and what a recoding makes of them.

mod attribute;
mod frequency;
mod fusion;
mod kept;
mod kernel;
mod local;
mod tuples;

pub use attribute::{Attribute, Distribution};
pub use frequency::FrequencyTable;
pub use kept::{Kept, Suppressed};
pub use kernel::{Grouping, Needs, Workspace};
pub use local::{LocalSets, PlacedRegions, SetFacts, gather, group_regions};
pub use tuples::{GroupView, Tuples};
