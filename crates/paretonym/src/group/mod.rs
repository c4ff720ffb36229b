//! The hot path: distinct tuples with counts, and what a recoding makes of them.

mod attribute;
mod building;
mod dense;
mod distant;
mod frequency;
mod fusion;
mod grouping;
mod hashed;
mod kept;
mod kernel;
mod local;
mod merging;
mod tuples;

pub use attribute::Attribute;
pub use building::LeafCounts;
pub use distant::DistantNodes;
pub use frequency::FrequencyTable;
pub use grouping::{Grouping, Needs};
pub use kept::{Kept, Suppressed};
pub(crate) use kernel::DENSE_PER_TUPLE;
pub use kernel::Workspace;
pub use local::{LocalSets, PlacedRegions, SetFacts, gather, group_regions};
pub use tuples::{GroupView, Tuples};

pub use crate::data::{Distribution, ValueCounts};
