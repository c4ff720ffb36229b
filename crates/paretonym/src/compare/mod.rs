//! Which of these releases is better, and for whom: property vectors (one value per row of the original table, higher =
//! better) and the indices that compare two of them, or two sets of them. One file per comparator.
//!
//! [`theory::comparing`](crate::theory::comparing) says how releases are compared,
//! [`theory::definitions`](crate::theory::definitions#comparators) what each index is.

mod chart;
mod comparison;
pub(crate) mod cov;
pub(crate) mod dominance;
pub(crate) mod goal;
pub(crate) mod hv;
mod indices;
mod labels;
pub(crate) mod lex;
pub(crate) mod min;
mod order;
mod pairs;
mod property;
pub(crate) mod rank;
mod registry;
mod released;
pub(crate) mod spr;
mod verdict;
pub(crate) mod wtd;

pub use chart::{chart, page};
pub use comparison::{Comparison, PropertyComparison, SetComparison};
pub use cov::Coverage;
pub use dominance::{Dominance, StrongDominance, WeakDominance, dominance, dominance_of_sets};
pub use goal::Goal;
pub use hv::Hypervolume;
pub use indices::Indices;
pub use lex::Lexicographic;
pub use min::Minimum;
pub use order::contradiction;
pub use property::{Matched, Property, PropertyKind, Release, properties_of};
pub use rank::Rank;
pub use registry::Comparators;
pub use released::{Coded, Known, Original, released, sorted, starred};
pub use spr::Spread;
pub use verdict::verdict;
pub use wtd::WeightedSum;

use std::cmp::Ordering;

use crate::error::Result;
use crate::measure::{Call, CatalogEntry, Parameter, Sense, Takes};

/// Two vectors of one property. Values are of the same rows in the same order; where `rows` is given, each value stands
/// for so many rows.
#[derive(Clone, Copy, Debug)]
pub struct Vectors<'a> {
    /// The vector that is judged.
    pub one: &'a [f64],
    /// The one it is judged against.
    pub other: &'a [f64],
    /// Rows behind each value; one each where absent.
    pub rows: Option<&'a [u64]>,
}

impl<'a> Vectors<'a> {
    /// Two vectors with one value per row.
    pub fn of_rows(one: &'a [f64], other: &'a [f64]) -> Self {
        debug_assert_eq!(one.len(), other.len());
        Vectors { one, other, rows: None }
    }

    /// The other way round.
    pub fn swapped(self) -> Self {
        Vectors { one: self.other, other: self.one, rows: self.rows }
    }

    /// Value of one, value of the other, rows.
    pub fn each(self) -> impl Iterator<Item = (f64, f64, f64)> + 'a {
        let rows = self.rows;
        let pairs = self.one.iter().zip(self.other).enumerate();
        pairs.map(move |(at, (one, other))| (*one, *other, rows.map_or(1.0, |rows| rows[at] as f64)))
    }

    /// All rows.
    pub fn total(self) -> f64 {
        self.rows.map_or(self.one.len() as f64, |rows| rows.iter().map(|rows| *rows as f64).sum())
    }
}

/// A quality index of one property vector, usually against another.
///
/// Those of the catalogue are in this module; [`Comparators::register`] adds one of one's own.
///
/// ```
/// use paretonym::compare::{Comparator, Coverage, Vectors};
///
/// /// How far the mean is ahead.
/// struct MeanGain;
///
/// impl Comparator for MeanGain {
///     fn name(&self) -> String {
///         "mean-gain".to_owned()
///     }
///
///     fn index(&self, vectors: Vectors) -> f64 {
///         vectors.each().map(|(one, other, rows)| rows * (one - other)).sum::<f64>() / vectors.total()
///     }
/// }
///
/// // The sizes of the groups that ten people hide in, in two releases.
/// let first = [3.0, 3.0, 3.0, 3.0, 4.0, 4.0, 4.0, 3.0, 3.0, 4.0];
/// let second = [3.0, 7.0, 7.0, 3.0, 7.0, 7.0, 7.0, 3.0, 7.0, 7.0];
/// let vectors = Vectors::of_rows(&second, &first);
/// assert_eq!(MeanGain.index(vectors), 2.4);
/// assert!(MeanGain.prefers(vectors).is_gt());
/// assert_eq!(Coverage.index(vectors), 1.0, "nobody is worse off");
/// assert_eq!(Coverage.index(vectors.swapped()), 0.3);
/// ```
pub trait Comparator: Send + Sync {
    /// Its name in the catalogue.
    fn name(&self) -> String;

    /// Which index is better.
    fn sense(&self) -> Sense {
        Sense::Max
    }

    /// Whether it looks at `one` alone.
    fn is_unary(&self) -> bool {
        false
    }

    /// Whether it measures distances to a wished-for value of every row.
    fn has_wish(&self) -> bool {
        false
    }

    /// The index of `one` against `other`.
    fn index(&self, vectors: Vectors) -> f64;

    /// Indices that differ by no more are equally good.
    fn tolerance(&self) -> f64 {
        0.0
    }

    /// What the reader of the index should know of these vectors.
    fn note(&self, _vectors: Vectors) -> Option<String> {
        None
    }

    /// `Greater` where `one` is better than `other`.
    fn prefers(&self, vectors: Vectors) -> Ordering {
        let (one, other) = (self.index(vectors), self.index(vectors.swapped()));
        preference(self.sense(), one, other, self.tolerance())
    }
}

/// A quality index of a set of property vectors against another set, property by property.
///
/// ```
/// use paretonym::compare::{Comparator, Coverage, SetComparator, Vectors};
/// use paretonym::measure::Sense;
///
/// /// In how many properties one release is ahead of the other.
/// struct Wins;
///
/// impl SetComparator for Wins {
///     fn name(&self) -> String {
///         "wins".to_owned()
///     }
///
///     fn sense(&self) -> Sense {
///         Sense::Max
///     }
///
///     fn index(&self, properties: &[Vectors]) -> f64 {
///         properties.iter().filter(|vectors| Coverage.prefers(**vectors).is_gt()).count() as f64
///     }
/// }
///
/// let sizes = Vectors::of_rows(&[3.0, 3.0, 4.0], &[3.0, 2.0, 2.0]);
/// let utility = Vectors::of_rows(&[1.5, 1.5, 1.0], &[1.5, 1.0, 1.0]);
/// assert_eq!(Wins.index(&[sizes, utility]), 2.0);
/// assert!(Wins.prefers(&[sizes, utility]).is_gt());
/// ```
pub trait SetComparator: Send + Sync {
    /// Its name in the catalogue.
    fn name(&self) -> String;

    /// Which index is better.
    fn sense(&self) -> Sense;

    /// The index of the `one`s against the `other`s.
    fn index(&self, properties: &[Vectors]) -> f64;

    /// What it goes by, where a sentence can say so.
    fn in_words(&self) -> Option<String> {
        None
    }

    /// `Greater` where the `one`s are better.
    fn prefers(&self, properties: &[Vectors]) -> Ordering {
        let swapped: Vec<Vectors> = properties.iter().map(|vectors| vectors.swapped()).collect();
        preference(self.sense(), self.index(properties), self.index(&swapped), 1e-12)
    }
}

/// `Greater` where the first of two indices is better by more than a tolerance.
fn preference(sense: Sense, one: f64, other: f64, tolerance: f64) -> Ordering {
    if one == other || (one - other).abs() <= tolerance {
        return Ordering::Equal;
    }
    match sense {
        Sense::Max => one.total_cmp(&other),
        Sense::Min => other.total_cmp(&one),
    }
}

/// A comparator in the catalogue.
pub struct ComparatorEntry {
    /// What is said of it.
    pub entry: CatalogEntry,
    /// Makes it from its parameters.
    pub make: fn(&Call) -> Result<Box<dyn Comparator>>,
}

/// Makes a comparator of sets.
pub type MakeSetComparator = fn(&Call, Indices) -> Result<Box<dyn SetComparator>>;

/// A comparator of sets in the catalogue. It applies an index to each property.
pub struct SetComparatorEntry {
    /// What is said of it.
    pub entry: CatalogEntry,
    /// Makes it from its parameters and the indices that it applies.
    pub make: MakeSetComparator,
}

/// The parameter of every comparator of sets: which index it applies to each property.
const BY: Parameter = Parameter {
    name: "by",
    default: "cov",
    takes: Takes::Text,
    summary: "the index, or one per property, such as spr or cov/spr",
};

/// Numbers separated by spaces or slashes, as parameters give them: `wtd(weights=2/1)`.
fn numbers(call: &Call, name: &str) -> Result<Vec<f64>> {
    let words = call.text(name).unwrap_or_default().split(['/', ' ']).filter(|word| !word.is_empty());
    let parse = |word: &str| {
        let wrong =
            || crate::error::Error::study(format!("{}: {name} takes numbers such as 2/1, not {word:?}", call.name));
        word.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wrong)
    };
    words.map(parse).collect()
}
