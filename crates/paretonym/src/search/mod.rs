//! Optimizers: which recodings are evaluated, and in which order. One file each; none of them sees rows or a particular
//! measure.

mod checkpoint;
mod evaluator;
pub(crate) mod exhaustive;
pub mod genetic;
pub(crate) mod genitor;
mod lattice;
pub(crate) mod nsga2;

pub use evaluator::Evaluator;
pub use exhaustive::Exhaustive;
pub use genitor::Genitor;
pub use lattice::Lattice;
pub use nsga2::Nsga2;

use crate::engine::Watch;
use crate::error::Result;
use crate::front::Archive;
use crate::group::FrequencyTable;
use crate::measure::Entry;
use crate::problem::Problem;
use crate::settings::SearchSettings;

/// What a search is given beside the problem.
pub struct Run<'a> {
    /// Where chance comes from.
    pub seed: u64,
    /// The most recodings that may be evaluated.
    pub evaluations: Option<u64>,
    /// Who watches.
    pub watch: &'a dyn Watch,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The front.
    pub archive: Archive,
    /// Distinct recodings evaluated.
    pub evaluated: u64,
    /// Candidate recodings; none past 2^63.
    pub space: Option<u64>,
    /// Whether the front is proven to be the whole Pareto front.
    pub exact: bool,
    /// False after an interruption or a spent budget.
    pub complete: bool,
    /// What the user should know about how it was found.
    pub notes: Vec<String>,
}

/// A way of searching. It owns its loop; parallel work is merged in a fixed order, so that the result does not depend on
/// the number of threads.
pub trait Optimizer: Send + Sync {
    /// Its name in the catalogue.
    fn name(&self) -> &'static str;

    /// Searches the recodings of a table.
    fn search(&self, table: &FrequencyTable, problem: &dyn Problem, run: &Run) -> Result<Found>;
}

/// An optimizer in the catalogue.
pub struct OptimizerEntry {
    /// What is said of it.
    pub entry: Entry,
    /// Makes it from a study's settings.
    pub make: fn(&SearchSettings) -> Result<Box<dyn Optimizer>>,
}
