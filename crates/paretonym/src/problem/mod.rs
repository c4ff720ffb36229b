//! Problems: what is traded against what, and which rows may be suppressed for it. One file per formulation.
//!
//! [`MaxSuppression`] is the usual one, [`KlSafety`] the one for several privacy models. All are defined in
//! [`theory::definitions`](crate::theory::definitions#problems).

pub(crate) mod any_suppression;
mod budget;
mod floored;
mod floors;
pub(crate) mod kl_safety;
pub(crate) mod max_suppression;
mod pieces;
pub(crate) mod preference;
mod remainder;
mod scratch;
pub(crate) mod single;
mod sizes;
pub(crate) mod zero_suppression;

pub use any_suppression::AnySuppression;
pub use budget::{Budget, budget_rows};
pub use floored::Floored;
pub use floors::{Floor, Floors};
pub use kl_safety::{KlForm, KlSafety};
pub use max_suppression::MaxSuppression;
pub use pieces::Pieces;
pub use preference::Preference;
pub use scratch::Scratch;
pub use single::Single;
pub use zero_suppression::ZeroSuppression;

use std::cmp::Ordering;

use crate::engine::LooksAt;
use crate::error::{Error, Result};
use crate::front::{Cutoff, Objective, Outcome, Point};
use crate::group::{FrequencyTable, GroupView, Needs};
use crate::measure::{Call, CatalogEntry, Grouped, Loss, Privacy};

/// A formulation: it turns the groups of a recoding into outcomes.
///
/// Six of them are in the catalogue. One of one's own, which trades the smallest group against the number of groups:
///
/// ```
/// use paretonym::engine::{Memory, Unwatched};
/// use paretonym::front::{Cutoff, Objective, Outcome, Point};
/// use paretonym::group::Needs;
/// use paretonym::loss::General;
/// use paretonym::measure::{Loss, Privacy};
/// use paretonym::privacy::K;
/// use paretonym::problem::{Pieces, Problem, Scratch};
/// use paretonym::search::{Exhaustive, Optimizer, SearchRun};
/// use paretonym::study::{Study, count};
///
/// #[derive(Default)]
/// struct ManyGroups(General);
///
/// impl Problem for ManyGroups {
///     fn name(&self) -> &'static str {
///         "many-groups"
///     }
///
///     fn objectives(&self) -> Vec<Objective> {
///         vec![Objective::max("k"), Objective::max("groups")]
///     }
///
///     fn needs(&self) -> Needs {
///         Needs::default()
///     }
///
///     fn outcomes(&self, pieces: &dyn Pieces, _: &mut Scratch, take: &mut dyn FnMut(Outcome)) {
///         // Points are costs: what is to be large is taken with a minus.
///         let smallest = pieces.sizes().iter().min().unwrap_or_default();
///         let point = Point::new(&[-(smallest as f64), -(pieces.all_groups() as f64)]);
///         take(Outcome { point, cutoff: Cutoff::Nothing });
///     }
///
///     fn models(&self) -> Vec<&dyn Privacy> {
///         vec![&K]
///     }
///
///     fn loss(&self) -> &dyn Loss {
///         &self.0
///     }
/// }
///
/// let study = r#"
///     data = { path = "memory" }
///     columns = [{ name = "age", role = "quasi", widths = [10] }]
/// "#;
/// let people = Memory::new(["age"], [["31"], ["34"], ["35"], ["42"], ["48"]]);
/// let table = count(&Study::from_toml(study, "study")?, &people, &Unwatched)?;
/// let run = SearchRun { seed: 1, evaluations: None, watch: &Unwatched };
/// let found = Exhaustive.search(&table, &ManyGroups::default(), &run)?;
/// let points: Vec<&[f64]> = found.archive.entries().iter().map(|entry| entry.point.costs()).collect();
/// assert_eq!(points, [[-5.0, -1.0], [-2.0, -2.0], [-1.0, -5.0]]);
/// # Ok::<(), paretonym::error::Error>(())
/// ```
pub trait Problem: Send + Sync {
    /// Its name in the catalogue.
    fn name(&self) -> &'static str;

    /// What is maximised and minimised.
    fn objectives(&self) -> Vec<Objective>;

    /// What it needs to know of each group.
    fn needs(&self) -> Needs;

    /// The outcomes of a recoding: one for each way of suppressing that the formulation allows, the least first. A
    /// recoding of which nothing could be kept has none.
    fn outcomes(&self, pieces: &dyn Pieces, scratch: &mut Scratch, take: &mut dyn FnMut(Outcome));

    /// Every cut-off within the budget, from none on, with whether it is an outcome: bounds need them all, whatever the
    /// rule. The same as the outcomes unless the problem says otherwise.
    fn cutoffs(&self, pieces: &dyn Pieces, scratch: &mut Scratch, take: &mut dyn FnMut(Outcome, bool)) {
        self.outcomes(pieces, scratch, &mut |outcome| take(outcome, true));
    }

    /// The privacy models, in the order of their objectives.
    fn models(&self) -> Vec<&dyn Privacy>;

    /// All models that it asks pieces about, each at its place: those of the objectives, and behind them its floors where
    /// sizes do not tell whether they are reached.
    fn judged(&self) -> Vec<&dyn Privacy> {
        self.models()
    }

    /// What it must know of groups to judge them.
    fn looks_at(&self) -> LooksAt {
        self.judged().iter().map(|model| model.looks_at()).max().unwrap_or(LooksAt::Rows)
    }

    /// What every group that it keeps must reach.
    fn floors(&self) -> Option<&Floors> {
        None
    }

    /// Whether floors can rule out recodings: see [`Problem::rules_out`].
    fn bounded_by_floors(&self) -> bool {
        false
    }

    /// Whether floors leave neither this recoding nor any finer one an outcome.
    fn rules_out(&self, _grouped: Grouped) -> bool {
        false
    }

    /// The same of groups that are known by what levels depend on alone.
    fn pieces_rule_out(&self, _pieces: &dyn Pieces) -> bool {
        false
    }

    /// Whether all outcomes are among the cut-offs. Otherwise they must be asked for apart.
    fn cutoffs_are_outcomes(&self) -> bool {
        true
    }

    /// Whether a cut-off suppresses a group. A cut-off by level refers to the first model unless the problem says
    /// otherwise.
    fn suppresses(&self, cutoff: &Cutoff, group: GroupView) -> bool {
        match cutoff {
            Cutoff::Nothing => false,
            cutoff => cutoff.suppresses(self.models()[0].cost(group)),
        }
    }

    /// The loss that is minimised.
    fn loss(&self) -> &dyn Loss;

    /// Whether bounds hold that let a search skip recodings: the best level of a coarser recoding bounds that of a finer
    /// one, and the last objective is a loss that is bounded below. Otherwise why not. See docs/theory/exact.md.
    fn prunable(&self) -> std::result::Result<(), String> {
        Err(format!("no bound is known for the problem {}", self.name()))
    }

    /// How many rows it may suppress, where the study sets a share.
    fn budget(&self) -> Option<Budget> {
        None
    }

    /// What is traded, where the best partition of a single column can be worked out for it. The level of a
    /// group must be its number of rows.
    fn trade(&self, _table: &FrequencyTable) -> Option<Trade> {
        None
    }

    /// Whether rows may be suppressed at all.
    fn may_suppress(&self) -> bool {
        true
    }

    /// Whose settings a genetic search takes.
    fn paper(&self) -> Paper {
        Paper::S0
    }

    /// Checks what can only be checked on a table.
    fn check(&self, _table: &FrequencyTable) -> Result<()> {
        Ok(())
    }

    /// By which of its outcomes an optimizer ranks a recoding.
    fn ranked(&self) -> Ranked {
        Ranked::Last
    }

    /// Which of two points a tournament takes before it looks at rank and crowding: `Less` for the first. `Equal`
    /// leaves it to crowding alone, none to rank and crowding.
    fn prefers(&self, _a: &Point, _b: &Point) -> Option<Ordering> {
        None
    }

    /// The one solution that the formulation asks for, as a position in the front, and why; none where the whole
    /// front is the answer.
    fn answer(&self, _front: &[Point]) -> Option<(usize, String)> {
        None
    }
}

/// The part of [`Problem::prunable`] that concerns the loss.
fn prunable_loss(loss: &dyn Loss) -> std::result::Result<(), String> {
    match loss.bounded_below() {
        true => Ok(()),
        false => Err(format!("the loss {} has no lower bound", loss.name())),
    }
}

/// The papers that searched genetically among recodings, each with settings of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paper {
    /// S0: trade-offs with suppression.
    S0,
    /// S1: wishes.
    S1,
}

/// What a problem trades against a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trade {
    /// The rows of the smallest group that is kept, from `least` on; of smaller groups at most `most_suppressed` rows.
    SmallestGroup {
        /// The fewest rows that a kept group may have.
        least: u64,
        /// The most rows that may be suppressed.
        most_suppressed: u64,
    },
    /// Nothing: every kept group has so many rows, and any number of rows may be suppressed.
    FixedSize(u64),
    /// The mean over all rows of the size of their group; nothing is suppressed.
    MeanGroup,
}

/// By which of its outcomes an optimizer ranks a recoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ranked {
    /// By the last one: the outcome that spends the budget.
    Last,
    /// By the best of all.
    Every,
}

/// Makes a problem from the privacy models and the loss of a study.
pub type MakeProblem = fn(Vec<Box<dyn Privacy>>, Box<dyn Loss>, &Call) -> Result<Box<dyn Problem>>;

/// A formulation in the catalogue.
pub struct ProblemEntry {
    /// What is said of it.
    pub entry: CatalogEntry,
    /// Whether it may suppress rows.
    pub suppresses: bool,
    /// The privacy models that it takes where a study names these.
    pub models: for<'n> fn(Vec<&'n str>) -> Vec<&'n str>,
    /// Makes it from the privacy models and the loss of a study.
    pub make: MakeProblem,
}

/// The one privacy model of a problem that takes one.
fn only(problem: &str, mut privacy: Vec<Box<dyn Privacy>>) -> Result<Box<dyn Privacy>> {
    match privacy.len() {
        1 => Ok(privacy.remove(0)),
        count => Err(Error::study(format!("the problem {problem} takes one privacy model, not {count}"))),
    }
}

/// The privacy models of a problem that takes those that a study names.
pub const AS_NAMED: for<'n> fn(Vec<&'n str>) -> Vec<&'n str> = |names| names;
