//! Recodings as front.json has them: by the names of columns, taxonomy nodes and values.

use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::{BreakBits, ColumnRecoding, QuasiColumn, Recoding};
use crate::error::{Error, Result};

/// What a solution shows.
#[derive(Clone, Debug, PartialEq)]
pub enum WrittenRecoding {
    /// The same recoding for the whole table: what each column shows, in the order of the columns.
    TableWide(Vec<(String, WrittenColumn)>),
    /// Another one in each region: the number of boxes that are released. They are listed in a file beside the front.
    Regions(u64),
}

/// What one column shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WrittenColumn {
    /// A level of its hierarchy.
    Level(u32),
    /// Taxonomy nodes, by their names.
    Cut(Vec<String>),
    /// Runs of values.
    Breaks(Vec<Vec<String>>),
}

/// The one key of a local recoding. A column may be called so as well, but what it shows is no number.
const REGIONS: &str = "regions";

impl WrittenRecoding {
    /// A recoding of columns in names.
    pub fn of(columns: &[QuasiColumn], recoding: &Recoding) -> Self {
        let column = |(column, own): (&QuasiColumn, &ColumnRecoding)| (column.name.clone(), written(column, own));
        WrittenRecoding::TableWide(columns.iter().zip(&recoding.columns).map(column).collect())
    }

    /// The recoding that the names mean, for the columns of a counted table.
    pub fn read(&self, columns: &[QuasiColumn]) -> Result<Recoding> {
        let column = |column: &QuasiColumn| {
            let own = self.column(&column.name).ok_or_else(|| {
                Error::study(format!("the solution says nothing of column {:?}; explore again", column.name))
            })?;
            read(column, own).ok_or_else(|| {
                let name = &column.name;
                Error::study(format!(
                    "the solution's recoding of column {name:?} does not fit the study; explore again"
                ))
            })
        };
        Ok(Recoding { columns: columns.iter().map(column).collect::<Result<_>>()? })
    }

    /// Whether it differs from region to region.
    pub fn is_local(&self) -> bool {
        matches!(self, WrittenRecoding::Regions(_))
    }

    /// What each column shows; nothing where that differs from region to region.
    pub fn columns(&self) -> &[(String, WrittenColumn)] {
        match self {
            WrittenRecoding::TableWide(columns) => columns,
            WrittenRecoding::Regions(_) => &[],
        }
    }

    /// What each column shows, in words; the number of its boxes where that differs from region to region.
    pub fn words(&self) -> Vec<(&str, String)> {
        match self {
            WrittenRecoding::TableWide(columns) => {
                columns.iter().map(|(name, column)| (name.as_str(), column.words())).collect()
            }
            WrittenRecoding::Regions(boxes) => {
                vec![(REGIONS, format!("{boxes} region{}", if *boxes == 1 { "" } else { "s" }))]
            }
        }
    }

    /// What a column shows.
    pub fn column(&self, name: &str) -> Option<&WrittenColumn> {
        self.columns().iter().find(|(own, _)| own == name).map(|(_, column)| column)
    }
}

impl WrittenColumn {
    /// In words.
    pub fn words(&self) -> String {
        match self {
            WrittenColumn::Level(0) => "level 0, as it is".to_owned(),
            WrittenColumn::Level(level) => format!("level {level}"),
            WrittenColumn::Cut(nodes) => nodes.join(" | "),
            WrittenColumn::Breaks(runs) => {
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
                runs.iter().map(run).collect::<Vec<_>>().join(" | ")
            }
        }
    }
}

impl Serialize for WrittenRecoding {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            WrittenRecoding::TableWide(columns) => {
                serializer.collect_map(columns.iter().map(|(name, column)| (name, column)))
            }
            WrittenRecoding::Regions(boxes) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry(REGIONS, boxes)?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for WrittenRecoding {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let map = Map::<String, Value>::deserialize(deserializer)?;
        if let (1, Some(boxes)) = (map.len(), map.get(REGIONS).and_then(Value::as_u64)) {
            return Ok(WrittenRecoding::Regions(boxes));
        }
        let column = |(name, value): (String, Value)| {
            let own = WrittenColumn::deserialize(value)
                .map_err(|error| D::Error::custom(format!("the recoding of column {name:?}: {error}")))?;
            Ok((name, own))
        };
        Ok(WrittenRecoding::TableWide(map.into_iter().map(column).collect::<std::result::Result<_, _>>()?))
    }
}

fn written(column: &QuasiColumn, recoding: &ColumnRecoding) -> WrittenColumn {
    match recoding {
        ColumnRecoding::Level(level) => WrittenColumn::Level(*level),
        ColumnRecoding::Cut(nodes) => {
            let all = column.hierarchy.nodes();
            WrittenColumn::Cut(nodes.iter().map(|node| all[*node as usize].label.clone()).collect())
        }
        ColumnRecoding::Breaks(bits) => {
            let mut runs: Vec<Vec<String>> = Vec::new();
            for (leaf, label) in column.domain.labels.iter().enumerate() {
                match runs.last_mut() {
                    Some(run) if !bits.get(leaf - 1) => run.push(label.clone()),
                    _ => runs.push(vec![label.clone()]),
                }
            }
            WrittenColumn::Breaks(runs)
        }
    }
}

/// None where the names do not describe a recoding of the column.
fn read(column: &QuasiColumn, written: &WrittenColumn) -> Option<ColumnRecoding> {
    match written {
        WrittenColumn::Level(level) => {
            (*level as usize <= column.hierarchy.height()).then_some(ColumnRecoding::Level(*level))
        }
        WrittenColumn::Cut(names) => cut_of(column, names).map(ColumnRecoding::Cut),
        WrittenColumn::Breaks(runs) => {
            let mut leaf = 0;
            let mut bits = BreakBits::joined(column.domain.len());
            for run in runs {
                for label in run {
                    if column.domain.labels.get(leaf)? != label {
                        return None;
                    }
                    leaf += 1;
                }
                if leaf > 0 && leaf < column.domain.len() {
                    bits.set(leaf - 1, true);
                }
            }
            (leaf == column.domain.len()).then_some(ColumnRecoding::Breaks(bits))
        }
    }
}

/// The nodes behind names, in leaf order. A name may occur at several heights of a tree; the one that continues the
/// cut and leaves the rest coverable is meant, which a search over the few candidates finds.
fn cut_of(column: &QuasiColumn, labels: &[String]) -> Option<Vec<u32>> {
    let nodes = column.hierarchy.nodes();
    let leaves = column.hierarchy.leaves() as u32;
    let mut taken: Vec<u32> = Vec::with_capacity(labels.len());
    let mut candidates: Vec<Vec<u32>> = Vec::new();
    loop {
        let at = taken.len();
        if candidates.len() == at {
            let start = taken.last().map_or(0, |node| nodes[*node as usize].leaves.end);
            let fits = |id: &u32| {
                let node = &nodes[*id as usize];
                at < labels.len() && node.leaves.start == start && node.label == labels[at]
            };
            candidates.push((0..nodes.len() as u32).filter(fits).collect());
        }
        match candidates.last_mut()?.pop() {
            Some(node) => taken.push(node),
            None => {
                candidates.pop();
                taken.pop()?;
                continue;
            }
        }
        if taken.len() == labels.len() && nodes[*taken.last()? as usize].leaves.end == leaves {
            return Some(taken);
        }
        if taken.len() == labels.len() {
            taken.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Domain, Kind};
    use crate::recode::Family;
    use crate::taxonomy::{Hierarchy, Level};
    use serde_json::json;

    fn column() -> QuasiColumn {
        let labels: Vec<String> = ["a", "b", "c", "d"].map(String::from).to_vec();
        let pairs = Level { set_of: vec![0, 0, 1, 1], labels: vec!["a".into(), "cd".into()] };
        QuasiColumn {
            name: "x".into(),
            domain: Domain::of_labels(Kind::Categorical, labels.clone()),
            hierarchy: Hierarchy::from_partitions("x", &labels, vec![pairs]).unwrap(),
            family: Family::Cuts,
            weight: 1.0,
        }
    }

    fn from_json(column: &QuasiColumn, value: Value) -> Option<ColumnRecoding> {
        read(column, &serde_json::from_value(value).unwrap())
    }

    #[test]
    fn a_column_called_regions_is_not_a_local_recoding() {
        let read = |text: &str| serde_json::from_str::<WrittenRecoding>(text);
        assert_eq!(read(r#"{"regions":4}"#).unwrap(), WrittenRecoding::Regions(4));
        assert!(!read(r#"{"regions":{"level":1}}"#).unwrap().is_local());
        assert!(!read(r#"{"regions":{"level":1},"age":{"level":1}}"#).unwrap().is_local());
        for broken in [r#"{"age":4}"#, r#"{"regions":4,"age":{"level":1}}"#, r#"{"age":{"level":-1}}"#, "3"] {
            assert!(read(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn recodings_in_words() {
        let words = |value: Value| serde_json::from_value::<WrittenColumn>(value).unwrap().words();
        assert_eq!(words(json!({ "level": 2 })), "level 2");
        assert_eq!(words(json!({ "cut": ["Government", "Private"] })), "Government | Private");
        assert_eq!(words(json!({ "breaks": [["a", "b", "c"], ["d"]] })), "a … c | d");
        assert_eq!(words(json!({ "breaks": [["a", "b"]] })), "all 2 values in one");
        assert_eq!(words(json!({ "breaks": [["a"], ["b"]] })), "as it is, 2 values");
        assert_eq!(WrittenRecoding::Regions(17).words(), [("regions", "17 regions".to_owned())]);
    }

    #[test]
    fn what_was_read_is_written_alike() {
        let column = column();
        let texts = [r#"{"level":1}"#, r#"{"cut":["a","b","cd"]}"#, r#"{"breaks":[["a"],["b","c"],["d"]]}"#];
        for text in texts {
            let own = read(&column, &serde_json::from_str(text).unwrap()).unwrap();
            assert_eq!(serde_json::to_string(&written(&column, &own)).unwrap(), text);
        }
    }

    #[test]
    fn every_family_comes_back() {
        let column = column();
        assert_eq!(from_json(&column, json!({"level": 2})), Some(ColumnRecoding::Level(2)));
        assert_eq!(from_json(&column, json!({"level": 3})), None);
        let breaks = from_json(&column, json!({"breaks": [["a", "b", "c"], ["d"]]}));
        assert_eq!(breaks, Some(ColumnRecoding::Breaks(BreakBits::from_flags([false, false, true]))));
        assert_eq!(from_json(&column, json!({"breaks": [["a", "b"], ["d"]]})), None);
    }

    #[test]
    fn a_name_at_two_heights_is_told_apart_by_the_rest_of_the_cut() {
        let column = column();
        let leaves = |value: Value| match from_json(&column, value) {
            Some(ColumnRecoding::Cut(nodes)) => {
                nodes.iter().map(|node| column.hierarchy.nodes()[*node as usize].leaves.clone()).collect::<Vec<_>>()
            }
            _ => Vec::new(),
        };
        assert_eq!(leaves(json!({"cut": ["a", "cd"]})), [0..2, 2..4]);
        assert_eq!(leaves(json!({"cut": ["a", "b", "cd"]})), [0..1, 1..2, 2..4]);
        assert_eq!(leaves(json!({"cut": ["*"]})), vec![0..4; 1]);
        assert!(leaves(json!({"cut": ["a", "b"]})).is_empty());
    }
}
