//! Dominance of property vectors and of sets of them.

use serde::{Deserialize, Serialize};

use super::{Comparator, ComparatorEntry, Vectors};
use crate::measure::CatalogEntry;

/// How one vector, or one set of vectors, stands to another.
///
/// Weak: no row is worse off. Strong: no row is worse off and some row is better off. Incomparable: some rows are better
/// off, others worse. Of sets of properties: weak in all; strong where one of them is strong; incomparable where each set is
/// strongly ahead in some property, or a single property is incomparable.
///
/// Example: (3,7) dominates (3,4) strongly, (3,7) and (4,4) are incomparable.
/// [Reference](mod@crate::theory::references): S2 Table 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Dominance {
    /// At least as good everywhere and better somewhere.
    Strong,
    /// Equally good everywhere: each weakly dominates the other.
    Weak,
    /// The other one dominates strongly.
    Dominated,
    /// Each is better somewhere.
    Incomparable,
}

/// How one vector stands to another: no row worse off, some rows better and others worse, …
///
/// ```
/// use paretonym::compare::{Dominance, Vectors, dominance};
///
/// assert_eq!(dominance(Vectors::of_rows(&[3.0, 7.0], &[3.0, 4.0])), Dominance::Strong);
/// assert_eq!(dominance(Vectors::of_rows(&[3.0, 7.0], &[4.0, 4.0])), Dominance::Incomparable);
/// ```
pub fn dominance(vectors: Vectors) -> Dominance {
    let (ahead, behind) = vectors
        .each()
        .fold((false, false), |(ahead, behind), (one, other, _)| (ahead || one > other, behind || one < other));
    of_flags(ahead, behind)
}

/// How one set of vectors stands to another, property by property.
pub fn dominance_of_sets(properties: &[Vectors]) -> Dominance {
    let (mut ahead, mut behind) = (false, false);
    for vectors in properties {
        let own = dominance(*vectors);
        ahead |= matches!(own, Dominance::Strong | Dominance::Incomparable);
        behind |= matches!(own, Dominance::Dominated | Dominance::Incomparable);
    }
    of_flags(ahead, behind)
}

fn of_flags(ahead: bool, behind: bool) -> Dominance {
    match (ahead, behind) {
        (true, false) => Dominance::Strong,
        (false, false) => Dominance::Weak,
        (false, true) => Dominance::Dominated,
        (true, true) => Dominance::Incomparable,
    }
}

/// The line of weak dominance in the catalogue.
pub const WEAK: ComparatorEntry = ComparatorEntry {
    entry: CatalogEntry {
        name: "weak-dominance",
        aliases: &["weak"],
        summary: "1 where no row is worse off, 0 otherwise",
        parameters: &[],
        reference: "S2 Table 4",
    },
    make: |_| Ok(Box::new(WeakDominance)),
};

/// The line of strong dominance in the catalogue.
pub const STRONG: ComparatorEntry = ComparatorEntry {
    entry: CatalogEntry {
        name: "strong-dominance",
        aliases: &["strong"],
        summary: "1 where no row is worse off and some row is better off, 0 otherwise",
        parameters: &[],
        reference: "S2 Table 4",
    },
    make: |_| Ok(Box::new(StrongDominance)),
};

/// Weak dominance as an index: 1 where no row is worse off, 0 otherwise.
///
/// In the catalogue `weak-dominance`: [definition](crate::theory::definitions#weak-dominance).
pub struct WeakDominance;

impl Comparator for WeakDominance {
    fn name(&self) -> String {
        "weak-dominance".to_owned()
    }

    fn index(&self, vectors: Vectors) -> f64 {
        f64::from(matches!(dominance(vectors), Dominance::Strong | Dominance::Weak))
    }
}

/// Strong dominance as an index: 1 where no row is worse off and some row is better off, 0 otherwise.
///
/// In the catalogue `strong-dominance`: [definition](crate::theory::definitions#strong-dominance).
pub struct StrongDominance;

impl Comparator for StrongDominance {
    fn name(&self) -> String {
        "strong-dominance".to_owned()
    }

    fn index(&self, vectors: Vectors) -> f64 {
        f64::from(dominance(vectors) == Dominance::Strong)
    }
}
