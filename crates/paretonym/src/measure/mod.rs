//! Measures: what a release is worth to the people in it and to its readers. Privacy levels and losses are both
//! measures, so that comparing anonymizations needs no second code path.

mod entry;
mod letter;
mod takes;
mod vector;

pub use entry::{Call, CatalogEntry, LossEntry, Parameter, PrivacyEntry};
pub use letter::{Diversity, Letter};
pub use takes::Takes;
pub use vector::{Grain, PropertyVector};

use serde::{Deserialize, Serialize};

use crate::group::{FrequencyTable, GroupView, Grouping, Kept, Needs};

/// Levels closer than this are one level (docs/definitions.md: suppression).
pub const SAME_LEVEL: f64 = 1e-12;

/// Which direction is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sense {
    /// More is better.
    Max,
    /// Less is better.
    Min,
}

impl Sense {
    /// The value as a cost: less is better.
    pub fn cost(self, value: f64) -> f64 {
        match self {
            Sense::Max => -value,
            Sense::Min => value,
        }
    }
}

/// A number for a whole release, and one for each person in it.
///
/// ```
/// use paretonym::engine::{Memory, Unwatched};
/// use paretonym::group::{Grouping, Kept, Needs, Suppressed, Workspace};
/// use paretonym::measure::{Measure, PropertyVector, Sense};
/// use paretonym::recode::Recoding;
/// use paretonym::study::{Study, count};
///
/// /// The share of rows that hide among at least three.
/// struct AmongThree;
///
/// impl Measure for AmongThree {
///     fn name(&self) -> String {
///         "among-three".to_owned()
///     }
///
///     fn sense(&self) -> Sense {
///         Sense::Max
///     }
///
///     fn needs(&self) -> Needs {
///         Needs::default()
///     }
///
///     fn score(&self, kept: &Kept) -> f64 {
///         let sizes = kept.groups().map(|group| kept.grouping.groups.rows[group]);
///         f64::from(sizes.filter(|rows| *rows >= 3).sum::<u32>()) / kept.rows() as f64
///     }
///
///     fn vector(&self, kept: &Kept) -> PropertyVector {
///         let rows = &kept.grouping.groups.rows;
///         PropertyVector::of_groups(kept, |group| f64::from(group.is_some_and(|group| rows[group] >= 3)))
///     }
/// }
///
/// let study = r#"
///     data = { path = "memory" }
///     columns = [{ name = "age", role = "quasi", widths = [10] }]
/// "#;
/// let people = Memory::new(["age"], [["31"], ["34"], ["35"], ["42"]]);
/// let table = count(&Study::from_toml(study, "study")?, &people, &Unwatched)?;
///
/// // The groups that ages in tens make: 3 rows and 1.
/// let mut grouping = Grouping::default();
/// Workspace::default().group(&table, &table.tuples, &Recoding::of_levels(&[1]), Needs::ALL, &mut grouping);
/// let suppressed = Suppressed::none(grouping.len());
/// let kept = Kept { table: &table, grouping: &grouping, suppressed: &suppressed };
/// assert_eq!(AmongThree.score(&kept), 0.75);
/// assert_eq!(AmongThree.vector(&kept).values, [1.0, 1.0, 1.0, 0.0]);
/// # Ok::<(), paretonym::error::Error>(())
/// ```
pub trait Measure: Send + Sync {
    /// Its name with its parameters, as the catalogue spells it.
    fn name(&self) -> String;

    /// Which direction is better.
    fn sense(&self) -> Sense;

    /// What it needs to know of each group.
    fn needs(&self) -> Needs;

    /// The release as a whole.
    fn score(&self, kept: &Kept) -> f64;

    /// Each row of the original table. Suppressed rows count as one fully generalized group. Needs a grouping of the
    /// table's own tuples that knows the group of each.
    fn vector(&self, kept: &Kept) -> PropertyVector;
}

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
///         1.0 / f64::from(group.rows())
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
        let own = f64::from(group.rows());
        (sum + own * privacy.level(group), rows + own)
    });
    sum / rows
}

/// A table and what a recoding makes of it.
#[derive(Clone, Copy)]
pub struct Grouped<'a> {
    /// The original table.
    pub table: &'a FrequencyTable,
    /// Its groups.
    pub grouping: &'a Grouping,
}

/// What is kept, in numbers that every loss may use.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Remaining {
    /// Rows that stay.
    pub rows: u64,
    /// Groups that stay.
    pub groups: u64,
    /// Rows of the smallest group that stays; only where [`Loss::needs_smallest`].
    pub smallest: u64,
}

/// A loss in its two parts, which add up to the loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossParts {
    /// What the kept rows lose.
    pub kept: f64,
    /// What the suppressed rows pay.
    pub suppressed: f64,
}

impl LossParts {
    /// The loss.
    pub fn total(self) -> f64 {
        self.kept + self.suppressed
    }
}

/// An information loss: sums over the kept groups, and a formula on the sums. Because the sums are additive, the loss
/// at the next cut-off costs only the groups that go.
///
/// Those of the catalogue are in [`crate::loss`]. A small one that needs no sums:
///
/// ```
/// use paretonym::engine::{Memory, Unwatched};
/// use paretonym::group::{FrequencyTable, Grouping, Kept, Needs, Suppressed, Workspace};
/// use paretonym::measure::{Grouped, Loss, LossParts, Measure, PropertyVector, Remaining, Sense, loss_parts};
/// use paretonym::recode::Recoding;
/// use paretonym::study::{Study, count};
///
/// /// The share of distinct tuples that can no longer be told apart.
/// struct Blurred;
///
/// impl Measure for Blurred {
///     fn name(&self) -> String {
///         "blurred".to_owned()
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
///         loss_parts(self, kept).total()
///     }
///
///     fn vector(&self, kept: &Kept) -> PropertyVector {
///         let score = self.score(kept);
///         PropertyVector::of_groups(kept, |_| score)
///     }
/// }
///
/// impl Loss for Blurred {
///     fn sums(&self, _: &FrequencyTable) -> usize {
///         0
///     }
///
///     fn add(&self, _: Grouped, _: usize, _: &mut [f64]) {}
///
///     fn parts(&self, table: &FrequencyTable, _: &[f64], remaining: Remaining) -> LossParts {
///         LossParts { kept: 1.0 - remaining.groups as f64 / table.tuples.len() as f64, suppressed: 0.0 }
///     }
///
///     fn bounded_below(&self) -> bool {
///         false
///     }
/// }
///
/// let study = r#"
///     data = { path = "memory" }
///     columns = [{ name = "age", role = "quasi", widths = [10] }]
/// "#;
/// let people = Memory::new(["age"], [["31"], ["34"], ["35"], ["42"]]);
/// let table = count(&Study::from_toml(study, "study")?, &people, &Unwatched)?;
/// let mut grouping = Grouping::default();
/// Workspace::default().group(&table, &table.tuples, &Recoding::of_levels(&[1]), Needs::default(), &mut grouping);
/// let suppressed = Suppressed::none(grouping.len());
/// let kept = Kept { table: &table, grouping: &grouping, suppressed: &suppressed };
/// assert_eq!(Blurred.score(&kept), 0.5, "2 groups of 4 tuples");
/// # Ok::<(), paretonym::error::Error>(())
/// ```
pub trait Loss: Measure {
    /// How many sums it keeps.
    fn sums(&self, table: &FrequencyTable) -> usize;

    /// Adds what one group contributes while it is kept. Integer contributions keep the sums exact and independent of
    /// the order of the groups.
    fn add(&self, grouped: Grouped, group: usize, sums: &mut [f64]);

    /// Adds what some groups contribute. Overridden where many at once are cheaper.
    fn add_some(&self, grouped: Grouped, groups: &[u32], sums: &mut [f64]) {
        groups.iter().for_each(|group| self.add(grouped, *group as usize, sums));
    }

    /// The sums with all groups kept. Overridden where they need not be added up group by group.
    fn add_all(&self, grouped: Grouped, sums: &mut [f64]) {
        (0..grouped.grouping.len()).for_each(|group| self.add(grouped, group, sums));
    }

    /// The loss from the sums of the kept groups.
    fn parts(&self, table: &FrequencyTable, sums: &[f64], remaining: Remaining) -> LossParts;

    /// Whether the loss with nothing suppressed bounds the loss at any cut-off from below and never falls when
    /// generalizing, and suppressing rows costs a finer recoding at least as much extra as a coarser one.
    fn bounded_below(&self) -> bool;

    /// What a search may conclude from the sets of a recoding alone.
    fn knowledge(&self) -> Knowledge {
        Knowledge::Groups
    }

    /// Whether the loss is a sum over groups, each of which counts alike whatever the others are: local recoding prunes
    /// by it.
    fn additive(&self) -> bool {
        true
    }

    /// Whether it is defined for full-domain recodings only.
    fn levels_only(&self) -> bool {
        false
    }

    /// The weight of each column's cell loss, where the loss is made of cell losses: local recoding splits by it.
    fn cell_weights(&self, _table: &FrequencyTable) -> Option<Vec<f64>> {
        None
    }

    /// Whether its kept part is the general loss, GL, in some form.
    fn is_general(&self) -> bool {
        false
    }

    /// The same loss with a weight for each column, where that is another one.
    fn weighted(&self) -> Option<Box<dyn Loss>> {
        None
    }

    /// Whether [`Remaining::smallest`] must be filled in.
    fn needs_smallest(&self) -> bool {
        false
    }
}

/// What is known of a loss that is [`Loss::bounded_below`] before anything is grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knowledge {
    /// Nothing: the loss must see groups.
    Groups,
    /// The loss with nothing suppressed is a sum over columns that follows from their sets.
    Sets,
}

/// The two parts of a loss over the kept groups.
pub fn loss_parts(loss: &(impl Loss + ?Sized), kept: &Kept) -> LossParts {
    let mut sums = vec![0.0; loss.sums(kept.table)];
    let grouped = Grouped { table: kept.table, grouping: kept.grouping };
    kept.groups().for_each(|group| loss.add(grouped, group, &mut sums));
    let sizes = kept.groups().map(|group| u64::from(kept.grouping.groups.rows[group]));
    let remaining = Remaining {
        rows: kept.rows(),
        groups: kept.groups().count() as u64,
        smallest: sizes.min().unwrap_or_default(),
    };
    loss.parts(kept.table, &sums, remaining)
}
