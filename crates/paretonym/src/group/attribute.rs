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
