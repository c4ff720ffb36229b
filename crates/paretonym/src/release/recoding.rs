//! From the recoding of a solution in front.json back to the recoding itself.

use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::recode::{BreakBits, ColumnRecoding, QuasiColumn, Recoding};

/// The recoding that a solution of front.json describes, for the columns of a counted table.
pub fn recoding_of(columns: &[QuasiColumn], shown: &Map<String, Value>) -> Result<Recoding> {
    let columns = columns.iter().map(|column| {
        let value = shown.get(&column.name).ok_or_else(|| {
            Error::study(format!("the solution says nothing of column {:?}; explore again", column.name))
        })?;
        column_recoding(column, value).ok_or_else(|| {
            Error::study(format!(
                "the solution's recoding of column {:?} does not fit the study; explore again",
                column.name
            ))
        })
    });
    Ok(Recoding { columns: columns.collect::<Result<_>>()? })
}

/// None where the value does not describe a recoding of the column.
fn column_recoding(column: &QuasiColumn, value: &Value) -> Option<ColumnRecoding> {
    if let Some(level) = value.get("level") {
        let level = u32::try_from(level.as_u64()?).ok()?;
        return (level as usize <= column.hierarchy.height()).then_some(ColumnRecoding::Level(level));
    }
    if let Some(cut) = value.get("cut") {
        return cut_of(column, &texts(cut)?).map(ColumnRecoding::Cut);
    }
    let mut leaf = 0;
    let mut bits = BreakBits::joined(column.domain.len());
    for run in value.get("breaks")?.as_array()? {
        for label in texts(run)? {
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

fn texts(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}

/// The nodes behind names, in leaf order. A name may occur at several heights of a tree; the one that continues the
/// cut and leaves the rest coverable is meant, which a search over the few candidates finds.
fn cut_of(column: &QuasiColumn, labels: &[&str]) -> Option<Vec<u32>> {
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

    #[test]
    fn every_family_comes_back() {
        let column = column();
        assert_eq!(column_recoding(&column, &json!({"level": 2})), Some(ColumnRecoding::Level(2)));
        assert_eq!(column_recoding(&column, &json!({"level": 3})), None);
        let breaks = column_recoding(&column, &json!({"breaks": [["a", "b", "c"], ["d"]]}));
        assert_eq!(breaks, Some(ColumnRecoding::Breaks(BreakBits::from_flags([false, false, true]))));
        assert_eq!(column_recoding(&column, &json!({"breaks": [["a", "b"], ["d"]]})), None);
    }

    #[test]
    fn a_name_at_two_heights_is_told_apart_by_the_rest_of_the_cut() {
        let column = column();
        let leaves = |value: Value| match column_recoding(&column, &value) {
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
