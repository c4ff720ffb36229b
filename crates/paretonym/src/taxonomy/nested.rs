//! A taxonomy written into the study itself: lists in lists, or tables where the nodes have names.

use std::collections::HashMap;

use toml::Value;

use super::{Hierarchy, Level, MAX_LEVELS};
use crate::error::{Error, Result};

/// A node as it is written, with the height of the tree below it.
struct Tree {
    /// None for a list without a name.
    name: Option<String>,
    children: Vec<Tree>,
    height: usize,
}

impl Tree {
    fn leaf(name: &str) -> Self {
        Tree { name: Some(name.trim().to_owned()), children: Vec::new(), height: 0 }
    }

    fn over(name: Option<String>, children: Vec<Tree>) -> Self {
        let height = 1 + children.iter().map(|child| child.height).max().unwrap_or(0);
        Tree { name, children, height }
    }
}

/// Reads nested lists and tables; `place` is the key of the study in messages.
///
/// A text, number, truth value or date is a leaf. A list is a node without a name, shown as `{a, b, c}`. A table has
/// one named node per key, over what the key holds; an empty list makes the key itself a leaf. A table within a list
/// adds its nodes to that list. The outermost list or table is the root, `*`. A node is shown from the level that is
/// its height in the tree up to the level below its parent's; leaves keep the order in which they are written.
///
/// Fails on a value given twice, an empty value or list, and on two nodes of one level with the same name.
pub fn from_nested(place: &str, value: &Value) -> Result<(Vec<String>, Hierarchy)> {
    if !matches!(value, Value::Array(_) | Value::Table(_)) {
        return Err(Error::taxonomy(place, format!("expected a list or a table of values, found {value}")));
    }
    let root = Tree::over(Some("*".to_owned()), children(place, value, 1)?);
    if root.children.is_empty() {
        return Err(Error::taxonomy(place, "holds no values; write them as a list: [\"a\", [\"b\", \"c\"]]"));
    }
    let empty = Level { set_of: Vec::new(), labels: Vec::new() };
    let mut levels = vec![empty; root.height + 1];
    show(&root, root.height + 1, &mut levels);
    let leaves = levels.remove(0).labels;
    check_names(place, &leaves, &levels)?;
    let hierarchy = Hierarchy::from_partitions(place, &leaves, levels)?;
    Ok((leaves, hierarchy))
}

/// The nodes that a list or table holds; any other value is one leaf.
fn children(place: &str, value: &Value, depth: usize) -> Result<Vec<Tree>> {
    if depth > MAX_LEVELS {
        return Err(Error::taxonomy(place, format!("is nested more than {MAX_LEVELS} deep")));
    }
    let mut nodes = Vec::new();
    match value {
        Value::Array(items) => {
            for item in items {
                match item {
                    Value::Array(_) => {
                        let below = children(place, item, depth + 1)?;
                        if below.is_empty() {
                            return Err(Error::taxonomy(place, "holds an empty list; remove it or give it values"));
                        }
                        nodes.push(Tree::over(None, below));
                    }
                    _ => nodes.extend(children(place, item, depth)?),
                }
            }
        }
        Value::Table(entries) => {
            for (key, below) in entries {
                let below = children(place, below, depth + 1)?;
                nodes.push(if below.is_empty() {
                    Tree::leaf(key)
                } else {
                    Tree::over(Some(key.trim().to_owned()), below)
                });
            }
        }
        Value::String(text) => nodes.push(Tree::leaf(text)),
        other => nodes.push(Tree::leaf(&other.to_string())),
    }
    Ok(nodes)
}

/// Adds a node to the levels from its height up to below `until`, and what is below it to the lower ones.
/// Returns the leaves below the node.
fn show(node: &Tree, until: usize, levels: &mut [Level]) -> usize {
    let start = levels[0].labels.len();
    let leaves = if node.children.is_empty() {
        1
    } else {
        node.children.iter().map(|child| show(child, node.height, levels)).sum()
    };
    let label = match &node.name {
        Some(name) => name.clone(),
        None => list_label(&levels[0].labels[start..]),
    };
    for level in &mut levels[node.height..until] {
        level.set_of.extend(std::iter::repeat_n(level.labels.len() as u32, leaves));
        level.labels.push(label.clone());
    }
    leaves
}

/// `{a, b, c}`, or `{a, b, c, … 7 values}` where there are more.
fn list_label(leaves: &[String]) -> String {
    if leaves.len() <= 3 {
        format!("{{{}}}", leaves.join(", "))
    } else {
        format!("{{{}, … {} values}}", leaves[..3].join(", "), leaves.len())
    }
}

/// Every leaf once, and no two sets of a level with one name: a release could not tell them apart.
fn check_names(place: &str, leaves: &[String], levels: &[Level]) -> Result<()> {
    let twice = |labels: &[String]| {
        let mut seen = HashMap::new();
        labels.iter().find(|label| seen.insert(label.as_str(), ()).is_some()).cloned()
    };
    if leaves.iter().any(String::is_empty) {
        return Err(Error::taxonomy(place, "holds an empty value; list it under `missing` or leave it out"));
    }
    if let Some(leaf) = twice(leaves) {
        return Err(Error::taxonomy(place, format!("the value {leaf:?} is given twice; give every value once")));
    }
    for level in levels {
        if let Some(label) = twice(&level.labels) {
            return Err(Error::taxonomy(place, format!("two nodes of one level are called {label:?}; rename one")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Result<(Vec<String>, Hierarchy)> {
        let table: toml::Table = format!("taxonomy = {text}").parse().unwrap();
        from_nested("column \"work\", taxonomy", &table["taxonomy"])
    }

    #[test]
    fn tables_name_their_nodes() {
        let (leaves, hierarchy) =
            read(r#"{ "Government" = ["State-gov", "Local-gov"], "Private" = [], "Other" = { "Free" = ["Inc", "Not-inc"], "Unpaid" = [] } }"#)
                .unwrap();
        assert_eq!(leaves, ["State-gov", "Local-gov", "Private", "Inc", "Not-inc", "Unpaid"]);
        assert_eq!(hierarchy.level(1).labels, ["Government", "Private", "Free", "Unpaid"]);
        assert_eq!(hierarchy.level(2).labels, ["Government", "Private", "Other"]);
        assert_eq!(hierarchy.level(3).labels, ["*"]);
        assert_eq!(hierarchy.height(), 3);
    }

    #[test]
    fn lists_are_called_by_what_they_hold() {
        let (leaves, hierarchy) = read(r#"["a", ["b", "c"], [1, 2, true, 1.5], { "Named" = ["x"] }]"#).unwrap();
        assert_eq!(leaves, ["a", "b", "c", "1", "2", "true", "1.5", "x"]);
        assert_eq!(hierarchy.level(1).labels, ["a", "{b, c}", "{1, 2, true, … 4 values}", "Named"]);
        assert_eq!(hierarchy.height(), 2);
    }

    #[test]
    fn a_list_of_leaves_is_flat() {
        let (leaves, hierarchy) = read(r#"["a", "b"]"#).unwrap();
        assert_eq!(hierarchy, Hierarchy::flat(&leaves));
    }

    #[test]
    fn mistakes_are_named() {
        let problem = |text: &str| read(text).unwrap_err().to_string();
        assert!(problem(r#"["a", ["b", "a "]]"#).contains("\"a\" is given twice"));
        assert!(problem("[]").contains("holds no values"));
        assert!(problem(r#"["a", []]"#).contains("an empty list"));
        assert!(problem(r#"["a", ""]"#).contains("an empty value"));
        assert!(problem("5").contains("expected a list"));
        let two = problem(r#"[{ "X" = ["a"] }, { "X" = ["b"] }]"#);
        assert!(two.starts_with("column \"work\", taxonomy: two nodes of one level are called \"X\""), "{two}");
    }

    /// Random trees with leaves numbered in order, so that none occurs twice.
    fn tree() -> impl Strategy<Value = Value> {
        let leaf = Just(Value::Array(Vec::new()));
        leaf.prop_recursive(4, 40, 5, |inner| prop::collection::vec(inner, 1..5).prop_map(Value::Array))
    }

    fn number(value: &mut Value, next: &mut i64) {
        match value {
            Value::Array(items) if !items.is_empty() => items.iter_mut().for_each(|item| number(item, next)),
            other => {
                *other = Value::Integer(*next);
                *next += 1;
            }
        }
    }

    proptest! {
        #[test]
        fn every_tree_is_a_hierarchy(tree in tree()) {
            let mut value = Value::Array(vec![tree]);
            let mut leaves = 0;
            number(&mut value, &mut leaves);
            let (labels, hierarchy) = from_nested("x", &value).unwrap();
            prop_assert_eq!(labels, (0..leaves).map(|leaf| leaf.to_string()).collect::<Vec<_>>());
            prop_assert_eq!(&hierarchy.level(hierarchy.height()).labels, &["*"]);
        }
    }
}
