//! What a recoding is: for each quasi column, which leaves are shown as one set.
//!
//! Every family comes down to a partition of the ordered leaves into runs ([`ColumnSets`]); the families differ in
//! which partitions they allow and in what the sets are called. Local recodings ([`Regions`]) are a family of their own:
//! each box shows its own sets. Which to use when: [`theory::families`](crate::theory::families).

mod bits;
mod boxes;
mod coarser;
mod column;
mod label;
mod reading;
mod recoding;
mod regions;
mod sets;
mod tidy;
mod written;

pub use bits::Bits;
pub use boxes::BoxIndex;
pub use coarser::{CoarserColumn, of_whole_columns};
pub use column::{Family, QuasiColumn};
pub use label::{interval_of_leaves, leaves_label, set_labels};
pub use recoding::{BreakBits, ColumnRecoding, Recoding};
pub use regions::{
    CellForm, LeafRun, REGIONS_FORMAT, RegionBox, RegionColumn, RegionSet, RegionSolution, Regions, SetCollector,
    ShownRegions, interval_run, lowest_node,
};
pub use sets::ColumnSets;
pub use written::{WrittenColumn, WrittenRecoding};
