//! Sensitive and target columns: what is counted inside each group rather than recoded.

use crate::data::Domain;
use crate::taxonomy::Hierarchy;

/// A column whose values are counted per tuple.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Its name in the table.
    pub name: String,
    /// Whether the l and t models protect it.
    pub sensitive: bool,
    /// Whether it is a class label or dependent variable.
    pub target: bool,
    /// Its values in order.
    pub domain: Domain,
    /// The tree over its values, where one was declared: it makes the distances of t-closeness.
    pub hierarchy: Option<Hierarchy>,
    /// Rows of the original table per value.
    pub totals: Vec<u64>,
}

impl Attribute {
    /// The number behind each value, where the values are numbers.
    pub fn numbers(&self) -> Option<Vec<f64>> {
        self.domain.bounds.as_ref()?;
        Some((0..self.domain.len()).map(|leaf| self.domain.middle(leaf).unwrap_or(f64::NAN)).collect())
    }
}

/// Value counts of many groups in compressed rows: most groups of a fine recoding have one or two values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distribution {
    /// Where each group's entries start, and their number at the end.
    pub offsets: Vec<u32>,
    /// Value codes, ascending within a group.
    pub values: Vec<u32>,
    /// Rows with that value.
    pub counts: Vec<u32>,
}

impl Distribution {
    /// The values of one group and their counts.
    pub fn of(&self, group: usize) -> (&[u32], &[u32]) {
        let range = self.offsets[group] as usize..self.offsets[group + 1] as usize;
        (&self.values[range.clone()], &self.counts[range])
    }

    /// Empties it, keeping the memory.
    pub fn clear(&mut self) {
        self.offsets.clear();
        self.values.clear();
        self.counts.clear();
    }
}
