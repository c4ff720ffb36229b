//! Measures: what a release is worth to the people in it and to its readers. Privacy levels and losses are both
//! measures, so that comparing anonymizations needs no second code path.

mod call;
mod entry;
mod letter;
mod loss;
mod privacy;
mod sense;
mod takes;
mod vector;

pub use call::Call;
pub use entry::{CatalogEntry, LossEntry, Parameter, PrivacyEntry};
pub use letter::{Diversity, Letter};
pub use loss::{GroupCost, Grouped, Knowledge, Loss, LossParts, Remaining, loss_parts};
pub use privacy::{Behaviour, Privacy, weighted_level, worst_level};
pub use sense::Sense;
pub use takes::Takes;
pub use vector::{Grain, PropertyVector};

use crate::group::{Kept, Needs};

/// Levels closer than this are one level (docs/definitions.md: suppression).
pub const SAME_LEVEL: f64 = 1e-12;

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
///         let sizes = kept.groups().map(|group| kept.grouping.groups.rows.get(group));
///         sizes.filter(|rows| *rows >= 3).sum::<u64>() as f64 / kept.rows() as f64
///     }
///
///     fn vector(&self, kept: &Kept) -> PropertyVector {
///         let rows = &kept.grouping.groups.rows;
///         PropertyVector::of_groups(kept, |group| f64::from(group.is_some_and(|group| rows.get(group) >= 3)))
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
