//! What the library needs from whoever holds the rows.

mod distant;
mod memory;

pub use distant::{Distant, DistantRequest, LevelCode, LooksAt, SizeClass};
pub use memory::Memory;

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::data::{CountRequest, Counted, Repeats, Source};
use crate::error::Result;

/// Watches long work: told how far it is, asked whether to stop.
///
/// All methods have a default that does nothing. [`Unwatched`] is for work that nobody watches.
///
/// ```
/// use std::sync::Mutex;
///
/// use paretonym::engine::{Memory, Watch};
/// use paretonym::study::{Study, run};
///
/// /// Remembers what was worked on.
/// #[derive(Default)]
/// struct Phases(Mutex<Vec<String>>);
///
/// impl Watch for Phases {
///     fn phase(&self, name: &str, _steps: Option<u64>) {
///         self.0.lock().expect("nobody panicked").push(name.to_owned());
///     }
/// }
///
/// let study = r#"
///     data = { path = "memory" }
///     columns = [{ name = "age", role = "quasi", widths = [10] }]
/// "#;
/// let people = Memory::new(["age"], [["31"], ["34"], ["35"], ["42"]]);
/// let phases = Phases::default();
/// run(&Study::from_toml(study, "study")?, &people, &phases)?;
/// let phases = phases.0.into_inner().expect("nobody panicked");
/// assert_eq!(phases, ["counting", "evaluating recodings", "describing solutions"]);
/// # Ok::<(), paretonym::error::Error>(())
/// ```
pub trait Watch: Sync {
    /// A new phase of the work, such as "counting", with its number of steps where that is known.
    fn phase(&self, _name: &str, _steps: Option<u64>) {}
    /// Steps done since the last call.
    fn advance(&self, _steps: u64) {}
    /// A short text on how the work goes, such as "45 points".
    fn note(&self, _text: &str) {}
    /// Rows and bytes came from where the table lives, which is not here.
    fn moved(&self, _rows: u64, _bytes: u64) {}
    /// Offers a look at the front so far, which is made only when `look` is called. Searches offer it often and go on the
    /// same way whether or not anybody looks.
    fn front(&self, _look: &dyn Fn() -> Glimpse) {}
    /// Whether to stop at the next safe point.
    fn cancelled(&self) -> bool {
        false
    }
    /// How long a search may take, from its first evaluation on; as long as it needs by default. When the time is up it
    /// stops as if it were cancelled, and its front so far is what it found.
    fn time_limit(&self) -> Option<Duration> {
        None
    }
    /// Who keeps what a long search would need to go on after it was killed; nobody by default.
    fn keeper(&self) -> Option<&dyn Keeper> {
        None
    }
}

/// What a search has found so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Glimpse {
    /// The objectives by name, and whether each is to be large.
    pub objectives: Vec<(String, bool)>,
    /// Their values at each point that is not dominated so far.
    pub points: Vec<Vec<f64>>,
    /// Whether these are all of them, rather than those of one part of the search that runs beside others.
    pub whole: bool,
    /// Recodings evaluated, where the search counts them as a whole.
    pub evaluated: Option<u64>,
    /// How much of the box of all conceivable outcomes these points dominate.
    pub hypervolume: Option<f64>,
}

/// Keeps the state of a search outside of the process.
pub trait Keeper: Sync {
    /// The state to go on from; none for a new search.
    fn saved(&self) -> Option<String>;

    /// Keeps a state in place of the one before. A state is never kept by half.
    fn save(&self, state: &str) -> Result<()>;

    /// A folder for files that are needed while the search goes on; that for temporary files where there is none.
    fn folder(&self) -> Option<PathBuf> {
        None
    }
}

/// Nobody watches.
pub struct Unwatched;

impl Watch for Unwatched {}

/// The only thing that touches rows and files: whoever holds the rows answers these questions, and the library does the rest.
///
/// [`Memory`] holds rows of text itself; `paretonym_engine::Embedded` reads files. An engine of one's own may ask a database, or
/// do something beside:
///
/// ```
/// use std::path::Path;
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use paretonym::data::{CountRequest, Counted, Source};
/// use paretonym::engine::{Engine, Memory, Unwatched, Watch};
/// use paretonym::error::Result;
/// use paretonym::study::{Study, count};
///
/// /// Counts how often the rows are read.
/// struct Metered(Memory, AtomicU64);
///
/// impl Engine for Metered {
///     fn read_text(&self, path: &Path) -> Result<String> {
///         self.0.read_text(path)
///     }
///
///     fn columns(&self, source: &Source) -> Result<Vec<String>> {
///         self.0.columns(source)
///     }
///
///     fn count(&self, source: &Source, request: &CountRequest, watch: &dyn Watch) -> Result<Counted> {
///         self.1.fetch_add(1, Ordering::Relaxed);
///         self.0.count(source, request, watch)
///     }
/// }
///
/// let study = r#"
///     data = { path = "memory" }
///     columns = [{ name = "age", role = "quasi", widths = [10] }]
/// "#;
/// let engine = Metered(Memory::new(["age"], [["31"], ["34"], ["34"]]), AtomicU64::new(0));
/// let table = count(&Study::from_toml(study, "study")?, &engine, &Unwatched)?;
/// assert_eq!((table.rows, table.tuples.len()), (3, 2));
/// assert_eq!(engine.1.into_inner(), 1, "one pass is enough");
/// # Ok::<(), paretonym::error::Error>(())
/// ```
pub trait Engine: Sync {
    /// The text of a small file beside the study, such as a taxonomy.
    fn read_text(&self, path: &Path) -> Result<String>;

    /// The names of the table's columns.
    fn columns(&self, source: &Source) -> Result<Vec<String>>;

    /// One pass over the rows: distinct tuples with counts.
    fn count(&self, source: &Source, request: &CountRequest, watch: &dyn Watch) -> Result<Counted>;

    /// Prepares a table for questions about the nodes of its lattice, where its tuples are too many to be counted here. None
    /// where that cannot be done.
    fn distant(
        &self,
        _source: &Source,
        _request: &DistantRequest,
        _watch: &dyn Watch,
    ) -> Result<Option<Box<dyn Distant>>> {
        Ok(None)
    }

    /// One pass over the cells of some columns: how often values repeat. None for a column that cannot be looked at.
    fn repeats(&self, _source: &Source, columns: &[String], _watch: &dyn Watch) -> Result<Vec<Option<Repeats>>> {
        Ok(vec![None; columns.len()])
    }
}
