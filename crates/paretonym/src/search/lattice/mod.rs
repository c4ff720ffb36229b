//! The lattice of full-domain recodings: one level per column. What the searches of its nodes share: groupings rolled up from
//! each other, and what is known of a node before it is evaluated.

mod bases;
mod ceiling;
mod distant;
mod floor;
mod lending;
mod rollup;
mod views;

pub(in crate::search) use bases::Bases;
pub(in crate::search) use ceiling::Ceiling;
pub(in crate::search) use distant::{is_distant, judge_distant};
pub(in crate::search) use floor::LossFloor;
pub(crate) use lending::Buffers;
pub(in crate::search) use rollup::{Cutoffs, Rollup};
pub(crate) use views::{RollupSource, Views};

use crate::error::{Error, Result};
use crate::group::FrequencyTable;
use crate::recode::Family;

/// A node: the level of each column.
pub type Node = Vec<u32>;

/// Whether no column of a node is above that of another.
pub(in crate::search) fn is_finer(node: &[u32], other: &[u32]) -> bool {
    node.iter().zip(other).all(|(own, other)| own <= other)
}

/// The lattice of a table all of whose quasi columns are recoded by levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lattice {
    /// The top level of each column.
    pub heights: Vec<u32>,
}

impl Lattice {
    /// Fails, and says what to do, where a column is not recoded by levels.
    pub fn of(table: &FrequencyTable, optimizer: &str) -> Result<Self> {
        match table.columns.iter().find(|column| column.family != Family::Levels) {
            None => Ok(Lattice { heights: table.heights() }),
            Some(column) => Err(Error::study(format!(
                "the optimizer {optimizer} searches levels only, and column {:?} is recoded by {}; set recode = \"levels\" for it, or choose optimizer = \"nsga2\"",
                column.name,
                column.family.name()
            ))),
        }
    }

    /// The number of nodes; none past 2^63.
    pub fn size(&self) -> Option<u64> {
        let product = self.heights.iter().try_fold(1u64, |size, height| size.checked_mul(u64::from(*height) + 1));
        product.filter(|size| *size < 1 << 63)
    }
}
