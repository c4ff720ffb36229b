//! Trees over values as the page draws them.

use paretonym::taxonomy::Hierarchy;
use serde::Serialize;

/// A tree with more leaves is not drawn.
const DRAWN_LEAVES: usize = 5_000;

/// A node; leaves have no children.
#[derive(Serialize)]
pub struct Tree {
    /// What it is called.
    name: String,
    /// Whether a release shows it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    shown: bool,
    /// What it holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<Tree>,
}

impl Tree {
    /// The tree, unless it is too large to be drawn.
    pub fn drawn(hierarchy: &Hierarchy) -> Option<Self> {
        Tree::drawn_with(hierarchy, &|_| false)
    }

    /// The same; nodes for which `shown` holds are marked.
    pub fn drawn_with(hierarchy: &Hierarchy, shown: &dyn Fn(usize) -> bool) -> Option<Self> {
        (hierarchy.leaves() <= DRAWN_LEAVES).then(|| Tree::of_node(hierarchy, 0, shown))
    }

    fn of_node(hierarchy: &Hierarchy, at: usize, shown: &dyn Fn(usize) -> bool) -> Self {
        let own = &hierarchy.nodes()[at];
        let children = own.children.iter().map(|child| Tree::of_node(hierarchy, *child as usize, shown));
        Tree { name: own.label.clone(), shown: shown(at), children: children.collect() }
    }
}
