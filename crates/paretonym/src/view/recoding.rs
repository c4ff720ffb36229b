//! Recodings in words.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;

use super::number::number;
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
    let mut names: Vec<&String> = Vec::new();
    for name in front.solutions.iter().flat_map(|solution| solution.recoding.keys()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let words =
        |name: &str| Told::new(front.solutions.iter().map(|solution| solution.recoding.get(name).map(recoding)));
    names.into_iter().map(|name| RecodedColumn { name: name.clone(), told: words(name) }).collect()
}

/// What a recoded column shows, in words.
fn recoding(value: &Value) -> String {
    let words = |labels: &[Value]| -> Vec<String> { labels.iter().map(label).collect() };
    if let Some(regions) = value.as_u64() {
        return format!("{} region{}", number(regions as f64), if regions == 1 { "" } else { "s" });
    }
    if let Some(level) = value.get("level").and_then(Value::as_u64) {
        return if level == 0 { "level 0, as it is".to_owned() } else { format!("level {level}") };
    }
    if let Some(cut) = value.get("cut").and_then(Value::as_array) {
        return words(cut).join(" | ");
    }
    if let Some(runs) = value.get("breaks").and_then(Value::as_array) {
        let runs: Vec<Vec<String>> = runs.iter().filter_map(Value::as_array).map(|run| words(run)).collect();
        let values: usize = runs.iter().map(Vec::len).sum();
        if runs.len() == 1 {
            return format!("all {values} values in one");
        }
        if runs.len() == values {
            return format!("as it is, {values} values");
        }
        let run = |run: &Vec<String>| match run.as_slice() {
            [] => String::new(),
            [only] => only.clone(),
            [first, .., last] => format!("{first} … {last}"),
        };
        return runs.iter().map(run).collect::<Vec<_>>().join(" | ");
    }
    label(value)
}

fn label(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn recodings_in_words() {
        assert_eq!(recoding(&json!({ "level": 2 })), "level 2");
        assert_eq!(recoding(&json!({ "cut": ["Government", "Private"] })), "Government | Private");
        assert_eq!(recoding(&json!({ "breaks": [["a", "b", "c"], ["d"]] })), "a … c | d");
        assert_eq!(recoding(&json!({ "breaks": [["a", "b"]] })), "all 2 values in one");
        assert_eq!(recoding(&json!({ "breaks": [["a"], ["b"]] })), "as it is, 2 values");
        assert_eq!((recoding(&json!(17)), recoding(&json!(1))), ("17 regions".to_owned(), "1 region".to_owned()));
    }

    #[test]
    fn words_are_kept_once() {
        let told = Told::new(["a", "b", "a"].into_iter().map(|word| Some(word.to_owned())).chain([None]));
        assert_eq!((told.words.len(), told.get(2), told.get(3)), (2, Some("a"), None));
    }
}
