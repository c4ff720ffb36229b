//! exact: nodes of the lattice are skipped where bounds prove that they cannot matter.

mod boxes;
mod large;
mod sweep;
mod walls;

use self::large::search_large;
use self::sweep::{Bounds, Sweep};
use crate::error::Result;
use crate::group::FrequencyTable;
use crate::measure::CatalogEntry;
use crate::problem::Problem;
use crate::search::{Exhaustive, Found, Lattice, Optimizer, OptimizerEntry, SearchRun, branch, skeleton};

/// Its line in the catalogue.
pub const ENTRY: OptimizerEntry = OptimizerEntry {
    entry: CatalogEntry {
        name: "exact",
        aliases: &[],
        summary: "the whole front, proven, or the best found with proven bounds",
        parameters: &[],
        reference: "docs/theory/exact.md; docs/theory/skeleton.md; docs/theory/branch.md",
    },
    make: |_| Ok(Box::new(Exact::default())),
};

/// Lattices up to this size are enumerated; the bounds of every node are then known.
const ENUMERABLE: u64 = 1 << 17;

/// The whole Pareto front of the lattice, proven, from as few nodes as the bounds allow ([why that is
/// right](crate::theory::exact)). Where columns are recoded by cuts or breaks, the front is worked out from a skeleton
/// of recodings ([why that is right](crate::theory::skeleton)). Where they are too many for that, and the problem is one of k and a
/// loss that is a sum of cells, by branch and bound ([why that is right](crate::theory::branch)).
///
/// Where no bound holds (see [`Problem::prunable`]) every node is evaluated, and a note says so. A spent budget, which lattices
/// too large to enumerate always have, gives the best front found and a proven lower bound of the loss at each of its
/// points.
///
/// In the catalogue `exact`: [definition](crate::theory::definitions#exact).
pub struct Exact {
    /// Lattices of more nodes than this are not enumerated; where it is 0, nor are cuts and breaks.
    pub enumerable: u64,
}

impl Default for Exact {
    fn default() -> Self {
        Exact { enumerable: ENUMERABLE }
    }
}

impl Optimizer for Exact {
    fn name(&self) -> &'static str {
        "exact"
    }

    fn asks_for_nodes(&self) -> bool {
        true
    }

    fn search(&self, table: &FrequencyTable, problem: &dyn Problem, run: &SearchRun) -> Result<Found> {
        if !table.is_lattice() {
            if self.enumerable > 0 && skeleton::enumerable(table) {
                return skeleton::search(table, problem, run);
            }
            return match branch::refusal(table, problem) {
                None => branch::search(table, problem, run),
                Some(_) if skeleton::enumerable(table) => skeleton::search(table, problem, run),
                Some(reason) => Err(skeleton::too_many(self.name(), table, Some(&reason))),
            };
        }
        let lattice = Lattice::of(table, self.name())?;
        let enumerable = lattice.size().is_some_and(|size| size <= self.enumerable);
        if let Err(reason) = problem.prunable() {
            if enumerable && problem.bounded_by_floors() {
                let mut found = Sweep::new(table, problem, run, lattice, Bounds::Floors).search();
                found.notes.push(format!("exact fell back to evaluating every node that the floors leave: {reason}"));
                return Ok(found);
            }
            let mut found = Exhaustive.search(table, problem, run)?;
            found.notes.push(format!("exact fell back to evaluating every node: {reason}"));
            return Ok(found);
        }
        match enumerable {
            true => Ok(Sweep::new(table, problem, run, lattice, Bounds::All).search()),
            false => Ok(search_large(table, problem, run, &lattice)),
        }
    }
}
