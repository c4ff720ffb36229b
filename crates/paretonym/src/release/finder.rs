//! Looks the values of a column up in a saved mapping.

use std::collections::HashMap;

use super::{Mapping, SavedColumn};

/// Looks values up in a mapping.
pub struct Finder<'a> {
    column: &'a SavedColumn,
    texts: HashMap<&'a str, u32>,
    codes: HashMap<&'a str, u32>,
}

impl<'a> Finder<'a> {
    /// For the mapping of a column.
    pub fn new(column: &'a SavedColumn) -> Self {
        let codes: HashMap<&str, u32> = column.codes().enumerate().map(|(at, label)| (label, at as u32)).collect();
        let texts = match &column.mapping {
            Mapping::Values { values } => {
                // Cells are trimmed before they are looked up, and so are the values that a study declares.
                values.iter().map(|one| (one.value.trim(), codes[one.label.as_str()])).collect()
            }
            _ => HashMap::new(),
        };
        Finder { column, texts, codes }
    }

    /// The code of a text, where the mapping is one of texts.
    pub fn text(&self, text: &str) -> Option<u32> {
        self.texts.get(text).copied()
    }

    /// The code of a number, where the mapping is one of numbers.
    pub fn number(&self, number: f64) -> Option<u32> {
        let label = match &self.column.mapping {
            Mapping::Values { .. } => return None,
            Mapping::Numbers { numbers } => {
                let at = numbers.partition_point(|one| one.value < number);
                &numbers.get(at).filter(|one| one.value == number)?.label
            }
            Mapping::Bins { bins, closed } => {
                let last = bins.last()?;
                if *closed && number == last.to {
                    &last.label
                } else {
                    let at = bins.partition_point(|bin| bin.to <= number);
                    &bins.get(at).filter(|bin| bin.from <= number)?.label
                }
            }
        };
        self.codes.get(label.as_str()).copied()
    }
}
