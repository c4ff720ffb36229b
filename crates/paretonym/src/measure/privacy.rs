//! Privacy models: what they answer of groups.

use super::{Letter, Measure, Sense};
use crate::engine::LooksAt;
use crate::group::{GroupView, Grouping, Kept};

/// How a privacy level behaves when a recoding is generalized; pruning depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behaviour {
    /// The level of each row never gets worse.
    PerRow,
    /// The worst level of the table never gets worse while nothing is suppressed; with suppression it can.
    WorstGroup,
    /// Nothing is promised.
    Nothing,
}

impl Behaviour {
    /// As the catalogue prints it.
    pub fn name(self) -> &'static str {
        match self {
            Behaviour::PerRow => "per-row",
            Behaviour::WorstGroup => "worst-group",
            Behaviour::Nothing => "none",
        }
    }
}

/// A privacy model: it gives every group a level, and a table the worst level among its kept groups.
///
/// Those of the catalogue are in [`crate::privacy`]. One of one's own, in a problem of the library:
///
/// ```
/// use paretonym::engine::{Memory, Unwatched};
/// use paretonym::group::{GroupView, Kept, Needs};
/// use paretonym::loss::General;
/// use paretonym::measure::{Behaviour, Letter, Measure, Privacy, PropertyVector, Sense, worst_level};
/// use paretonym::problem::MaxSuppression;
/// use paretonym::search::{Exhaustive, Optimizer, SearchRun};
/// use paretonym::settings::CutoffRule;
/// use paretonym::study::{Study, count};
///
/// /// The chance of guessing which row of its group a person is.
/// struct Risk;
///
/// impl Measure for Risk {
///     fn name(&self) -> String {
///         "risk".to_owned()
///     }
///
///     fn sense(&self) -> Sense {
///         Sense::Min
///     }
///
///     fn needs(&self) -> Needs {
///         Needs::default()
///     }
///
///     fn score(&self, kept: &Kept) -> f64 {
///         worst_level(self, kept)
///     }
///
///     fn vector(&self, kept: &Kept) -> PropertyVector {
///         PropertyVector::of_levels(self, kept)
///     }
/// }
///
/// impl Privacy for Risk {
///     fn level(&self, group: GroupView) -> f64 {
///         1.0 / group.rows() as f64
///     }
///
///     fn letter(&self) -> Letter {
///         Letter::Other("risk")
///     }
///
///     fn behaviour(&self) -> Behaviour {
///         Behaviour::PerRow
///     }
/// }
///
/// let study = r#"
///     data = { path = "memory" }
///     columns = [{ name = "age", role = "quasi", widths = [10] }]
/// "#;
/// let people = Memory::new(["age"], [["31"], ["34"], ["35"], ["42"], ["48"]]);
/// let table = count(&Study::from_toml(study, "study")?, &people, &Unwatched)?;
/// let problem = MaxSuppression {
///     privacy: Box::new(Risk),
///     loss: Box::new(General::default()),
///     objective: "risk".to_owned(),
///     eta: 0.0,
///     cutoffs: CutoffRule::All,
/// };
/// let run = SearchRun { seed: 1, evaluations: None, watch: &Unwatched };
/// let found = Exhaustive.search(&table, &problem, &run)?;
/// let risks: Vec<f64> = found.archive.entries().iter().map(|entry| entry.point.costs()[0]).collect();
/// assert_eq!(risks, [0.2, 0.5, 1.0], "all in one group, by tens, as they are");
/// # Ok::<(), paretonym::error::Error>(())
/// ```
pub trait Privacy: Measure {
    /// The level of one group.
    fn level(&self, group: GroupView) -> f64;

    /// How levels behave under generalization.
    fn behaviour(&self) -> Behaviour;

    /// The letter that people know its level by.
    fn letter(&self) -> Letter;

    /// Whether the level of a group is its number of rows, more being better: cut-offs are then found by counting sizes.
    fn counts_rows(&self) -> bool {
        false
    }

    /// What the level of a group depends on: whoever holds the rows can be asked for no more than that.
    fn looks_at(&self) -> LooksAt {
        LooksAt::Values
    }

    /// How many rows a group must lose at least before the rest of it can be cut into groups that all reach a level; 0 where
    /// nothing is known of that. Finer recodings are bounded by it.
    fn least_lost(&self, _group: GroupView, _level: f64) -> u64 {
        0
    }

    /// The level as a cost, so that the worst group has the largest.
    fn cost(&self, group: GroupView) -> f64 {
        self.sense().cost(self.level(group))
    }
}

/// The worst level among the kept groups.
pub fn worst_level(privacy: &(impl Privacy + ?Sized), kept: &Kept) -> f64 {
    let levels = kept.groups().map(|group| privacy.level(kept.grouping.groups.view(group)));
    match privacy.sense() {
        Sense::Max => levels.fold(f64::INFINITY, f64::min),
        Sense::Min => levels.fold(f64::NEG_INFINITY, f64::max),
    }
}

/// The mean over all rows of their own group's level, before suppression.
pub fn weighted_level(privacy: &dyn Privacy, grouping: &Grouping) -> f64 {
    let groups = (0..grouping.len()).map(|group| grouping.groups.view(group));
    let (sum, rows) = groups.fold((0.0, 0.0), |(sum, rows), group| {
        let own = group.rows() as f64;
        (sum + own * privacy.level(group), rows + own)
    });
    sum / rows
}
