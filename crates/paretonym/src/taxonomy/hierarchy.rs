//! The tree behind a column, as levels and as nodes.

use std::ops::Range;

use crate::error::{Error, Result};

/// One level: which set each leaf belongs to, and what the sets are called.
#[derive(Clone, Debug, PartialEq)]
pub struct Level {
    /// Set of each leaf; starts at 0 and grows by at most 1 from leaf to leaf.
    pub set_of: Vec<u32>,
    /// The name of each set.
    pub labels: Vec<String>,
}

/// A node of the tree behind the levels: a set that is shown at some level.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What the set is called (the name at the highest level that shows it).
    pub label: String,
    /// The leaves below.
    pub leaves: Range<u32>,
    /// The lowest level at which the set appears: its height in the tree.
    pub level: u32,
    /// The node above; none for the root.
    pub parent: Option<u32>,
    /// The nodes below, in leaf order.
    pub children: Vec<u32>,
}

/// Nested partitions of the ordered leaves of a column, from single leaves to one set: the one thing that every taxonomy, however
/// written, becomes.
///
/// Level 0 shows every leaf, the top level is one set, and a level never splits what a lower level joined. Because the leaves are
/// kept in pre-order, every set at every level is a run of neighbouring leaves; the whole library relies on that.
///
/// ```
/// use paretonym::taxonomy::{Hierarchy, Level};
///
/// let towns = ["Bern", "Thun", "Basel"].map(String::from);
/// let cantons = Level { set_of: vec![0, 0, 1], labels: vec!["canton Bern".to_owned(), "north".to_owned()] };
/// let hierarchy = Hierarchy::from_partitions("towns", &towns, vec![cantons])?;
/// assert_eq!(hierarchy.height(), 2, "as they are, cantons, all");
/// assert_eq!(hierarchy.level(2).labels, ["*"]);
/// let nodes: Vec<&str> = hierarchy.nodes().iter().map(|node| node.label.as_str()).collect();
/// assert_eq!(nodes, ["*", "canton Bern", "Bern", "Thun", "north"], "Basel is all there is of the north");
///
/// let torn = Level { set_of: vec![0, 1, 0], labels: vec!["a".to_owned(), "b".to_owned()] };
/// assert!(Hierarchy::from_partitions("towns", &towns, vec![torn]).is_err(), "sets are runs of neighbours");
/// # Ok::<(), paretonym::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Hierarchy {
    levels: Vec<Level>,
    nodes: Vec<Node>,
}

impl Hierarchy {
    /// Leaves and nothing between them and the one set of all.
    pub fn flat(leaves: &[String]) -> Self {
        Hierarchy::from_partitions("flat hierarchy", leaves, Vec::new()).expect("no level in between to be wrong")
    }

    /// From the partitions between the leaves and the top, finest first. Level 0 and, where the last partition has
    /// more than one set, a top level `*` are added. Guarantees what [`Hierarchy`] promises, or fails.
    pub fn from_partitions(place: &str, leaves: &[String], between: Vec<Level>) -> Result<Self> {
        let identity = Level { set_of: (0..leaves.len() as u32).collect(), labels: leaves.to_vec() };
        let mut levels = vec![identity];
        for level in between {
            let below = levels.last().expect("level 0 is there");
            check_level(place, leaves, below, &level, levels.len())?;
            levels.push(level);
        }
        // One leaf is already "one set", but a column that can be hidden needs a level that hides it.
        if levels.len() == 1 || levels[levels.len() - 1].labels.len() > 1 {
            levels.push(Level { set_of: vec![0; leaves.len()], labels: vec!["*".to_owned()] });
        }
        let nodes = nodes_of(&levels);
        Ok(Hierarchy { levels, nodes })
    }

    /// The number of levels above the leaves.
    pub fn height(&self) -> usize {
        self.levels.len() - 1
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        self.levels[0].set_of.len()
    }

    /// Level `n`, 0 being the leaves.
    pub fn level(&self, n: usize) -> &Level {
        &self.levels[n]
    }

    /// The tree: the root first, then in pre-order; sets shown at several levels are one node.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The tree from a level on: the sets of that level are its leaves. Above the top there is nothing.
    pub fn above(&self, level: usize) -> Self {
        let own = &self.levels[level].set_of;
        let starts = |leaf: &usize| *leaf == 0 || own[*leaf] != own[leaf - 1];
        let first: Vec<usize> = (0..own.len()).filter(starts).collect();
        let joined = |above: &Level| Level {
            set_of: first.iter().map(|leaf| above.set_of[*leaf]).collect(),
            labels: above.labels.clone(),
        };
        let levels: Vec<Level> = self.levels[level..].iter().map(joined).collect();
        let nodes = nodes_of(&levels);
        Hierarchy { levels, nodes }
    }

    /// A copy with one more leaf at the end that joins the others only at the top: "missing" as a value of its own.
    pub fn with_missing(&self, label: &str) -> Self {
        let mut levels = self.levels.clone();
        let top = levels.len() - 1;
        for (n, level) in levels.iter_mut().enumerate() {
            if n == top {
                level.set_of.push(0);
                // A name such as "20 … 29" would not be true of a missing value.
                level.labels = vec!["*".to_owned()];
            } else {
                level.set_of.push(level.labels.len() as u32);
                level.labels.push(label.to_owned());
            }
        }
        let nodes = nodes_of(&levels);
        Hierarchy { levels, nodes }
    }
}

/// A level must have one set per leaf, in runs, and must not split a set of the level below.
fn check_level(place: &str, leaves: &[String], below: &Level, level: &Level, number: usize) -> Result<()> {
    let wrong = |problem: String| Err(Error::taxonomy(place, problem));
    if level.set_of.len() != leaves.len() {
        return wrong(format!("level {number} names {} of {} values", level.set_of.len(), leaves.len()));
    }
    let mut expected = 0;
    for (leaf, &set) in level.set_of.iter().enumerate() {
        let joined_below = leaf > 0 && below.set_of[leaf] == below.set_of[leaf - 1];
        if leaf > 0 && set != expected {
            if joined_below {
                return wrong(format!(
                    "level {number} separates {:?} from {:?}, which level {} has already joined",
                    leaves[leaf - 1],
                    leaves[leaf],
                    number - 1
                ));
            }
            expected += 1;
        }
        if set != expected {
            return wrong(format!("level {number} does not keep the values in order at {:?}", leaves[leaf]));
        }
    }
    // Two sets of one name could not be told apart in a release: groups would merge unseen.
    let mut names: Vec<&str> = level.labels.iter().map(String::as_str).collect();
    names.sort_unstable();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        return wrong(format!("level {number} has two sets called {:?}; give them different names", pair[0]));
    }
    if !leaves.is_empty() && level.labels.len() != expected as usize + 1 {
        return wrong(format!("level {number} has {} sets and {} names", expected + 1, level.labels.len()));
    }
    Ok(())
}

/// The distinct sets of all levels as a tree in pre-order.
fn nodes_of(levels: &[Level]) -> Vec<Node> {
    fn visit(levels: &[Level], at: usize, leaves: Range<u32>, parent: Option<u32>, nodes: &mut Vec<Node>) {
        // Walk down while the set stays whole: those levels show the same node.
        let mut lowest = at;
        while lowest > 0 {
            let below = &levels[lowest - 1].set_of;
            if below[leaves.start as usize] != below[leaves.end as usize - 1] {
                break;
            }
            lowest -= 1;
        }
        let id = nodes.len() as u32;
        let label = levels[at].labels[levels[at].set_of[leaves.start as usize] as usize].clone();
        nodes.push(Node { label, leaves: leaves.clone(), level: lowest as u32, parent, children: Vec::new() });
        if let Some(parent) = parent {
            nodes[parent as usize].children.push(id);
        }
        if lowest == 0 {
            return;
        }
        let below = &levels[lowest - 1].set_of;
        let mut start = leaves.start;
        for leaf in leaves.start + 1..=leaves.end {
            if leaf == leaves.end || below[leaf as usize] != below[start as usize] {
                visit(levels, lowest - 1, start..leaf, Some(id), nodes);
                start = leaf;
            }
        }
    }
    let mut nodes = Vec::new();
    let leaves = levels[0].set_of.len() as u32;
    if leaves > 0 {
        visit(levels, levels.len() - 1, 0..leaves, None, &mut nodes);
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn a_flat_hierarchy_has_one_level() {
        let hierarchy = Hierarchy::flat(&names(&["a", "b"]));
        assert_eq!(hierarchy.height(), 1);
        assert_eq!(hierarchy.level(1).labels, ["*"]);
        assert_eq!(hierarchy.nodes().len(), 3);
    }

    #[test]
    fn a_level_may_not_split_what_was_joined() {
        let leaves = names(&["a", "b", "c"]);
        let joined = Level { set_of: vec![0, 0, 1], labels: names(&["ab", "c"]) };
        let split = Level { set_of: vec![0, 1, 1], labels: names(&["a", "bc"]) };
        let error = Hierarchy::from_partitions("x.csv", &leaves, vec![joined, split]).unwrap_err();
        assert!(error.to_string().contains("separates \"a\" from \"b\""), "{error}");
    }

    #[test]
    fn a_short_branch_is_one_node() {
        let leaves = names(&["State-gov", "Local-gov", "Private"]);
        let middle = Level { set_of: vec![0, 0, 1], labels: names(&["Government", "Private"]) };
        let hierarchy = Hierarchy::from_partitions("x", &leaves, vec![middle]).unwrap();
        assert_eq!(hierarchy.height(), 2);
        let labels: Vec<&str> = hierarchy.nodes().iter().map(|node| node.label.as_str()).collect();
        assert_eq!(labels, ["*", "Government", "State-gov", "Local-gov", "Private"]);
        assert_eq!(hierarchy.nodes()[4].level, 0);
        assert_eq!(hierarchy.nodes()[1].level, 1);
    }

    #[test]
    fn missing_joins_only_at_the_top() {
        let hierarchy = Hierarchy::flat(&names(&["a", "b"])).with_missing("?");
        assert_eq!(hierarchy.level(0).labels, ["a", "b", "?"]);
        assert_eq!(hierarchy.level(1).set_of, [0, 0, 0]);
        // The name of all values is not a name of the missing one.
        let all = Level { set_of: vec![0, 0], labels: names(&["a … b"]) };
        let hierarchy = Hierarchy::from_partitions("x", &names(&["a", "b"]), vec![all]).unwrap().with_missing("?");
        assert_eq!(hierarchy.level(1).labels, ["*"]);
    }
}
