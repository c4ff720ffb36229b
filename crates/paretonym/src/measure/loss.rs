//! Losses: sums over kept groups, and a formula on the sums.

use std::ops::Range;

use super::Measure;
use crate::engine::SizeClass;
use crate::group::{FrequencyTable, Grouping, Kept};

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

    /// Whether all losses of a table are free of rounding, so that losses that are equal are found to be equal.
    fn is_whole(&self, _table: &FrequencyTable) -> bool {
        false
    }

    /// Whether, with nothing suppressed, what raising a column adds never falls when other columns are raised too: bounds of
    /// columns and pairs of them can then be added up.
    fn is_supermodular(&self) -> bool {
        false
    }

    /// What a search may conclude from the sets of a recoding alone.
    fn knowledge(&self) -> Knowledge {
        Knowledge::Groups
    }

    /// Whether the loss is a sum over groups, each of which counts alike whatever the others are: local recoding prunes
    /// by it.
    fn additive(&self) -> bool {
        true
    }

    /// What a group adds to the loss, where that is said so simply that a search can add up groups it has not made.
    fn group_cost(&self, _table: &FrequencyTable) -> GroupCost {
        GroupCost::Other
    }

    /// What a kept row pays for showing some leaves in a column, the least being 0, where the loss is made of that
    /// ([`GroupCost::Cells`]).
    fn cell(&self, _table: &FrequencyTable, _column: usize, _leaves: Range<usize>) -> f64 {
        0.0
    }

    /// Whether what groups of one size contribute can be told without the groups ([`Loss::add_class`]).
    fn knows_classes(&self) -> bool {
        false
    }

    /// Adds what all groups of one size contribute to the sums, at a node of the lattice.
    fn add_class(&self, _class: &SizeClass, _node: &[u32], _sums: &mut [f64]) {}

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

/// What a group adds to a loss, times the rows of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupCost {
    /// Each kept row pays for what it shows in every column ([`Loss::cell`]), each suppressed row 1.
    Cells,
    /// Each kept row pays 1 unless it is of its group's most frequent value in an attribute, each suppressed row 1.
    Minority(usize),
    /// The loss itself, not divided by rows: each kept row pays the size of its group, each suppressed row that of the table.
    Squares,
    /// Something else.
    Other,
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
    let sizes = kept.groups().map(|group| kept.grouping.groups.rows.get(group));
    let remaining = Remaining {
        rows: kept.rows(),
        groups: kept.groups().count() as u64,
        smallest: sizes.min().unwrap_or_default(),
    };
    loss.parts(kept.table, &sums, remaining)
}
