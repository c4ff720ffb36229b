//! Columns of which nothing finer than a level is looked at: that level's sets are their leaves, and what is found for them is said
//! in terms of the whole column again.

use super::{BreakBits, ColumnRecoding, ColumnSets, QuasiColumn, Recoding};

/// A column from a level of its tree on.
#[derive(Clone, Debug)]
pub struct CoarserColumn {
    /// The column whose leaves are the sets of the level.
    pub column: QuasiColumn,
    /// These sets.
    pub sets: ColumnSets,
    level: u32,
    /// The node of the whole tree behind each node of its tree.
    nodes: Vec<u32>,
}

impl CoarserColumn {
    /// A column from a level on.
    pub fn new(column: &QuasiColumn, level: u32) -> Self {
        let shown = column.hierarchy.level(level as usize);
        let sets = ColumnSets::of_sets(&shown.set_of, &vec![0; column.domain.len()]);
        let hierarchy = column.hierarchy.above(level as usize);
        let whole = |set: u32| sets.first[set as usize];
        let leaves = hierarchy.nodes().iter().map(|node| whole(node.leaves.start)..whole(node.leaves.end));
        let place = |leaves| column.hierarchy.nodes().iter().position(|node| node.leaves == leaves);
        let nodes = leaves.map(|leaves| place(leaves).expect("a set of a level is a node") as u32).collect();
        let domain = column.domain.joined(&sets.first, &shown.labels);
        CoarserColumn { column: QuasiColumn { domain, hierarchy, ..column.clone() }, sets, level, nodes }
    }

    fn of_whole(&self, recoded: &ColumnRecoding) -> ColumnRecoding {
        match recoded {
            ColumnRecoding::Level(level) => ColumnRecoding::Level(self.level + level),
            ColumnRecoding::Cut(shown) => {
                ColumnRecoding::Cut(shown.iter().map(|node| self.nodes[*node as usize]).collect())
            }
            ColumnRecoding::Breaks(bits) => {
                let mut whole = BreakBits::joined(self.sets.set_of.len());
                let separated = (0..bits.len()).filter(|gap| bits.get(*gap));
                separated.for_each(|gap| whole.set(self.sets.first[gap + 1] as usize - 1, true));
                ColumnRecoding::Breaks(whole)
            }
        }
    }
}

/// A recoding of coarser columns as one of the whole columns.
pub fn of_whole_columns(columns: &[CoarserColumn], recoding: &Recoding) -> Recoding {
    Recoding { columns: columns.iter().zip(&recoding.columns).map(|(own, recoded)| own.of_whole(recoded)).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Domain, Kind};
    use crate::recode::Family;
    use crate::taxonomy::{Hierarchy, Level};

    #[test]
    fn what_is_found_from_a_level_on_is_said_of_the_whole_column() {
        let labels: Vec<String> = (0..6).map(|leaf| format!("v{leaf}")).collect();
        let level = |set_of: &[u32], names: &[&str]| Level {
            set_of: set_of.to_vec(),
            labels: names.iter().map(|name| (*name).to_owned()).collect(),
        };
        let between =
            vec![level(&[0, 0, 1, 1, 2, 3], &["a", "b", "c", "d"]), level(&[0, 0, 0, 0, 1, 1], &["ab", "cd"])];
        let whole = QuasiColumn {
            name: "x".into(),
            domain: Domain::of_labels(Kind::Categorical, labels.clone()),
            hierarchy: Hierarchy::from_partitions("x", &labels, between).unwrap(),
            family: Family::Cuts,
            weight: 1.0,
        };
        let coarser = CoarserColumn::new(&whole, 1);
        assert_eq!(coarser.column.domain.labels, ["a", "b", "c", "d"]);
        assert_eq!((coarser.column.hierarchy.height(), coarser.column.domain.size()), (2, 6));
        assert_eq!((coarser.column.domain.values(0, 2), coarser.column.domain.values(2, 3)), (4, 1));
        let partition = |column: &QuasiColumn, recoded: &ColumnRecoding| {
            let mut sets = ColumnSets::default();
            recoded.fill(column, &vec![1; column.domain.len()], &mut sets);
            sets.set_of
        };
        let name = |label: &str| coarser.column.hierarchy.nodes().iter().position(|n| n.label == label).unwrap() as u32;
        for recoded in [
            ColumnRecoding::Level(0),
            ColumnRecoding::Level(1),
            ColumnRecoding::Level(2),
            ColumnRecoding::Cut(vec![name("ab"), name("c"), name("d")]),
            ColumnRecoding::Breaks(BreakBits::from_flags([true, false, true])),
        ] {
            let own = partition(&coarser.column, &recoded);
            let expected: Vec<u32> = coarser.sets.set_of.iter().map(|set| own[*set as usize]).collect();
            assert_eq!(partition(&whole, &coarser.of_whole(&recoded)), expected, "{recoded:?}");
        }
        // From the top on there is one recoding.
        assert_eq!(CoarserColumn::new(&whole, 3).column.hierarchy.height(), 0);
    }
}
