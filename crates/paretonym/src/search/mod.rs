//! Optimizers: which recodings are evaluated, and in which order. One file each; none of them sees rows or a particular
//! measure.
//!
//! [`Exact`] proves the whole front, or bounds it where there are too many recodings; [`Nsga2`] is the quick way to a good one,
//! [`RegionSearch`] for local recoding. All are defined in
//! [`theory::definitions`](crate::theory::definitions#optimizers); which family of recodings to search is said in
//! [`theory::families`](crate::theory::families).

pub(crate) mod baselines;
mod branch;
mod checkpoint;
mod evaluator;
pub(crate) mod exact;
pub(crate) mod exhaustive;
pub mod genetic;
pub(crate) mod genitor;
mod glimpse;
pub(crate) mod lattice;
pub(crate) mod nsga2;
pub(crate) mod poka;
pub(crate) mod regions;
mod segments;
mod skeleton;

pub use baselines::{Datafly, Incognito, Mondrian, Samarati};
pub use evaluator::Evaluator;
pub use exact::Exact;
pub use exhaustive::Exhaustive;
pub use genitor::Genitor;
pub use lattice::Lattice;
pub use nsga2::Nsga2;
pub use poka::Poka;
pub use regions::RegionSearch;

use crate::engine::Watch;
use crate::error::Result;
use crate::front::Archive;
use crate::group::{FrequencyTable, PlacedRegions};
use crate::measure::{Call, CatalogEntry};
use crate::problem::Problem;
use crate::recode::Recoding;

/// What a search is given beside the problem.
pub struct SearchRun<'a> {
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
    pub archive: Archive<FoundRecoding>,
    /// Distinct recodings evaluated.
    pub evaluated: u64,
    /// Candidate recodings; none past 2^63.
    pub space: Option<u64>,
    /// Whether the front is proven to be the whole Pareto front.
    pub exact: bool,
    /// False after an interruption or a spent budget.
    pub complete: bool,
    /// For each point of the front, in its order, a proven lower bound of the last objective at this privacy; empty
    /// where the search proves none.
    pub bounds: Vec<f64>,
    /// What the user should know about how it was found.
    pub notes: Vec<String>,
    /// The boxes of local recodings, where the search makes such.
    pub regions: Option<PlacedRegions>,
}

/// What reaches a point of a front: the same recoding for the whole table, or another in each region.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoundRecoding {
    /// One recoding.
    TableWide(Recoding),
    /// The place of a solution among those of [`Found::regions`].
    Local(usize),
}

impl FoundRecoding {
    /// The recoding of the whole table, if there is one.
    pub fn table_wide(&self) -> Option<&Recoding> {
        match self {
            FoundRecoding::TableWide(recoding) => Some(recoding),
            FoundRecoding::Local(_) => None,
        }
    }
}

impl From<Archive> for Archive<FoundRecoding> {
    fn from(archive: Archive) -> Self {
        archive.map(FoundRecoding::TableWide)
    }
}

/// A way of searching. It owns its loop; parallel work is merged in a fixed order, so that the result does not depend on
/// the number of threads.
///
/// Ten of them are in the catalogue. One of one's own, which raises all columns together:
///
/// ```
/// use paretonym::catalog;
/// use paretonym::engine::{Memory, Unwatched};
/// use paretonym::error::Result;
/// use paretonym::front::Archive;
/// use paretonym::group::{FrequencyTable, Grouping};
/// use paretonym::problem::Problem;
/// use paretonym::recode::Recoding;
/// use paretonym::search::{Evaluator, Found, Lattice, Optimizer, SearchRun};
/// use paretonym::study::{Study, count};
///
/// struct Diagonal;
///
/// impl Optimizer for Diagonal {
///     fn name(&self) -> &'static str {
///         "diagonal"
///     }
///
///     fn search(&self, table: &FrequencyTable, problem: &dyn Problem, run: &SearchRun) -> Result<Found> {
///         let lattice = Lattice::of(table, self.name())?;
///         let mut evaluator = Evaluator::new(table, problem);
///         let mut grouping = Grouping::default();
///         let mut found = Found { space: lattice.size(), complete: true, ..Found::default() };
///         let mut archive = Archive::new();
///         for step in 0..=lattice.heights.iter().copied().max().unwrap_or_default() {
///             found.complete &= !run.watch.cancelled();
///             let levels: Vec<u32> = lattice.heights.iter().map(|height| step.min(*height)).collect();
///             let recoding = Recoding::of_levels(&levels);
///             evaluator.group(&table.tuples, &recoding, &mut grouping);
///             evaluator.archive(&grouping, &recoding, &mut archive);
///             found.evaluated += 1;
///         }
///         Ok(Found { archive: archive.into(), ..found })
///     }
/// }
///
/// let study = r#"
///     data = { path = "memory" }
///     columns = [
///         { name = "age", role = "quasi", widths = [10] },
///         { name = "town", role = "quasi" },
///     ]
/// "#;
/// let study = Study::from_toml(study, "study")?;
/// let people = Memory::new(["age", "town"], [["31", "Bern"], ["34", "Bern"], ["42", "Thun"], ["48", "Thun"]]);
/// let table = count(&study, &people, &Unwatched)?;
/// let problem = catalog::problem(&study.search, &table)?;
/// let run = SearchRun { seed: 1, evaluations: None, watch: &Unwatched };
/// let found = Diagonal.search(&table, problem.as_ref(), &run)?;
/// assert_eq!((found.evaluated, found.space), (3, Some(6)));
/// assert_eq!(found.archive.entries().len(), 3, "k = 4, k = 2 and k = 1");
/// # Ok::<(), paretonym::error::Error>(())
/// ```
pub trait Optimizer: Send + Sync {
    /// Its name in the catalogue.
    fn name(&self) -> &'static str;

    /// Searches the recodings of a table.
    fn search(&self, table: &FrequencyTable, problem: &dyn Problem, run: &SearchRun) -> Result<Found>;

    /// Whether it asks for nodes of the lattice one by one, so that a table will do whose tuples are not here
    /// ([`FrequencyTable::distant`]).
    fn asks_for_nodes(&self) -> bool {
        false
    }

    /// Whether it recodes rows of one value in different ways.
    fn recodes_locally(&self) -> bool {
        false
    }
}

/// An optimizer in the catalogue.
pub struct OptimizerEntry {
    /// What is said of it.
    pub entry: CatalogEntry,
    /// Makes it from its parameters.
    pub make: fn(&Call) -> Result<Box<dyn Optimizer>>,
}
