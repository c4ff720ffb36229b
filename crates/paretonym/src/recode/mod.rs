//! What a recoding is: for each quasi column, which leaves are shown as one set.
//!
//! Every family comes down to a partition of the ordered leaves into runs ([`ColumnSets`]); the families differ in
//! which partitions they allow and in what the sets are called.

mod column;
mod label;
mod recoding;
mod sets;

pub use column::{Family, QuasiColumn};
pub use label::set_labels;
pub use recoding::{BreakBits, ColumnRecoding, Recoding};
pub use sets::ColumnSets;
