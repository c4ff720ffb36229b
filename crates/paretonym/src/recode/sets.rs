//! A partition of the leaves of one column into runs, with what the measures need to know of each set.

/// The sets of one column under some recoding.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColumnSets {
    /// Set of each leaf; starts at 0 and grows by at most 1 from leaf to leaf.
    pub set_of: Vec<u32>,
    /// First leaf of each set, and the number of leaves at the end.
    pub first: Vec<u32>,
    /// Rows of the original table in each set.
    pub rows: Vec<u64>,
}

impl ColumnSets {
    /// The number of sets.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is no set, which happens only for an empty domain.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The number of leaves in a set.
    pub fn size(&self, set: usize) -> u32 {
        self.first[set + 1] - self.first[set]
    }

    /// Fills in a partition: `separated(i)` tells whether leaf i and leaf i + 1 lie in different sets.
    pub fn fill(&mut self, leaf_rows: &[u64], separated: impl Fn(usize) -> bool) {
        self.set_of.clear();
        self.first.clear();
        self.rows.clear();
        for (leaf, &rows) in leaf_rows.iter().enumerate() {
            if leaf == 0 || separated(leaf - 1) {
                self.first.push(leaf as u32);
                self.rows.push(0);
            }
            let set = self.rows.len() - 1;
            self.rows[set] += rows;
            self.set_of.push(set as u32);
        }
        self.first.push(leaf_rows.len() as u32);
    }

    /// The partition given by the set of each leaf.
    pub fn of_sets(set_of: &[u32], leaf_rows: &[u64]) -> Self {
        let mut sets = ColumnSets::default();
        sets.fill(leaf_rows, |leaf| set_of[leaf] != set_of[leaf + 1]);
        sets
    }
}
