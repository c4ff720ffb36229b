//! Recodings as values: small, comparable, hashable. Their order decides which of several equally good solutions a
//! front shows, so that it does not depend on the order of evaluation.

use super::{Bits, ColumnSets, QuasiColumn};

/// One bit between each two neighbouring leaves, 1 = separated.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BreakBits {
    bits: Bits,
    len: u32,
}

impl BreakBits {
    /// Nothing separated among `leaves` leaves.
    pub fn joined(leaves: usize) -> Self {
        let len = leaves.saturating_sub(1);
        BreakBits { bits: Bits::zeros(len), len: len as u32 }
    }

    /// From one flag per gap.
    pub fn from_flags(flags: impl IntoIterator<Item = bool>) -> Self {
        let flags: Vec<bool> = flags.into_iter().collect();
        let mut bits = BreakBits::joined(flags.len() + 1);
        for (gap, flag) in flags.into_iter().enumerate() {
            bits.set(gap, flag);
        }
        bits
    }

    /// The number of gaps.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no gap.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the leaves on both sides of a gap are separated.
    pub fn get(&self, gap: usize) -> bool {
        self.bits.get(gap)
    }

    /// Separates or joins the leaves on both sides of a gap.
    pub fn set(&mut self, gap: usize, separated: bool) {
        self.bits.set(gap, separated);
    }
}

/// How one column is recoded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ColumnRecoding {
    /// Up to a level of its hierarchy.
    Level(u32),
    /// The nodes (positions in [`crate::taxonomy::Hierarchy::nodes`]) that are shown, in leaf order.
    Cut(Vec<u32>),
    /// Runs of leaves.
    Breaks(BreakBits),
}

impl ColumnRecoding {
    /// The partition of the leaves that this recoding shows. A level's partition is better taken from a cache.
    pub fn fill(&self, column: &QuasiColumn, leaf_rows: &[u64], sets: &mut ColumnSets) {
        match self {
            ColumnRecoding::Level(level) => {
                let set_of = &column.hierarchy.level(*level as usize).set_of;
                sets.fill(leaf_rows, |leaf| set_of[leaf] != set_of[leaf + 1]);
            }
            ColumnRecoding::Cut(shown) => {
                let nodes = column.hierarchy.nodes();
                let mut ends = shown.iter().map(|node| nodes[*node as usize].leaves.end as usize);
                let mut flags = vec![false; leaf_rows.len()];
                ends.by_ref().for_each(|end| flags[end - 1] = true);
                sets.fill(leaf_rows, |leaf| flags[leaf]);
            }
            ColumnRecoding::Breaks(bits) => sets.fill(leaf_rows, |leaf| bits.get(leaf)),
        }
    }
}

/// How all quasi columns are recoded, in their order.
///
/// ```
/// use paretonym::recode::{BreakBits, ColumnRecoding, Recoding};
///
/// let node = Recoding::of_levels(&[2, 0]);
/// assert_eq!(node.levels(), Some(vec![2, 0]));
///
/// // The first column in two runs of two leaves each, the second at level 1.
/// let breaks = ColumnRecoding::Breaks(BreakBits::from_flags([false, true, false]));
/// let mixed = Recoding { columns: vec![breaks, ColumnRecoding::Level(1)] };
/// assert_eq!(mixed.levels(), None, "not a node of the lattice");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Recoding {
    /// One entry per quasi column.
    pub columns: Vec<ColumnRecoding>,
}

impl Recoding {
    /// A node of the lattice.
    pub fn of_levels(levels: &[u32]) -> Self {
        Recoding { columns: levels.iter().map(|level| ColumnRecoding::Level(*level)).collect() }
    }

    /// The levels of a node of the lattice; none where a column is recoded otherwise.
    pub fn levels(&self) -> Option<Vec<u32>> {
        let level = |column: &ColumnRecoding| match column {
            ColumnRecoding::Level(level) => Some(*level),
            _ => None,
        };
        self.columns.iter().map(level).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Domain, Kind};
    use crate::recode::Family;
    use crate::taxonomy::{Hierarchy, Level};

    #[test]
    fn the_three_families_agree_on_one_partition() {
        let labels: Vec<String> = ["a", "b", "c"].map(String::from).to_vec();
        let middle = Level { set_of: vec![0, 0, 1], labels: vec!["ab".into(), "c".into()] };
        let column = QuasiColumn {
            name: "x".into(),
            domain: Domain::of_labels(Kind::Categorical, labels.clone()),
            hierarchy: Hierarchy::from_partitions("x", &labels, vec![middle]).unwrap(),
            family: Family::Levels,
            weight: 1.0,
        };
        let rows = [3, 4, 5];
        let node = |label: &str| column.hierarchy.nodes().iter().position(|n| n.label == label).unwrap() as u32;
        let recodings = [
            ColumnRecoding::Level(1),
            ColumnRecoding::Cut(vec![node("ab"), node("c")]),
            ColumnRecoding::Breaks(BreakBits::from_flags([false, true])),
        ];
        for recoding in recodings {
            let mut sets = ColumnSets::default();
            recoding.fill(&column, &rows, &mut sets);
            assert_eq!((sets.set_of.as_slice(), sets.rows.as_slice()), ([0, 0, 1].as_slice(), [7, 5].as_slice()));
            assert_eq!((sets.size(0), sets.size(1)), (2, 1));
        }
    }
}
