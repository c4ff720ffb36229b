//! Recodings in words.

use std::collections::HashMap;

use serde::Serialize;

use crate::front::FrontFile;

/// Words that several solutions share.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Told {
    /// The different words.
    pub words: Vec<String>,
    /// Which of them each solution has.
    pub of: Vec<Option<usize>>,
}

impl Told {
    /// From the words of each solution.
    pub fn new(each: impl Iterator<Item = Option<String>>) -> Self {
        let mut told = Told::default();
        let mut places: HashMap<String, usize> = HashMap::new();
        for own in each {
            let place = own.map(|own| {
                *places.entry(own).or_insert_with_key(|own| {
                    told.words.push(own.clone());
                    told.words.len() - 1
                })
            });
            told.of.push(place);
        }
        told
    }

    /// The words of a solution.
    pub fn get(&self, at: usize) -> Option<&str> {
        self.of[at].map(|place| self.words[place].as_str())
    }
}

/// What solutions do to a column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RecodedColumn {
    /// The column.
    pub name: String,
    /// What is shown of it.
    pub told: Told,
}

/// Per column what each solution shows of it.
pub(super) fn columns(front: &FrontFile) -> Vec<RecodedColumn> {
    let shown: Vec<Vec<(&str, String)>> = front.solutions.iter().map(|solution| solution.recoding.words()).collect();
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in shown.iter().flatten() {
        if !names.contains(name) {
            names.push(name);
        }
    }
    let words = |name: &str| {
        let own =
            |shown: &Vec<(&str, String)>| shown.iter().find(|(own, _)| *own == name).map(|(_, words)| words.clone());
        Told::new(shown.iter().map(own))
    };
    names.into_iter().map(|name| RecodedColumn { name: name.to_owned(), told: words(name) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_kept_once() {
        let told = Told::new(["a", "b", "a"].into_iter().map(|word| Some(word.to_owned())).chain([None]));
        assert_eq!((told.words.len(), told.get(2), told.get(3)), (2, Some("a"), None));
    }
}
