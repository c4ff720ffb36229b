//! The index that a comparator of sets applies to each property.

use super::{Comparator, Coverage};

/// One index for all properties, or one for each: the last holds for all that follow.
pub struct Indices(Vec<Box<dyn Comparator>>);

impl Indices {
    /// In the order of the properties; coverage where there is none.
    pub fn new(indices: Vec<Box<dyn Comparator>>) -> Self {
        Indices(if indices.is_empty() { vec![Box::new(Coverage)] } else { indices })
    }

    /// The index of a property.
    pub fn of(&self, property: usize) -> &dyn Comparator {
        self.0[property.min(self.0.len() - 1)].as_ref()
    }
}

impl<C: Comparator + 'static> From<C> for Indices {
    fn from(index: C) -> Self {
        Indices(vec![Box::new(index)])
    }
}
