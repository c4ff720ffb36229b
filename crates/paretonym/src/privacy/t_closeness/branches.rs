//! The distance of values in a tree, by what must be moved between branches.

use crate::taxonomy::Hierarchy;

/// A tree over the values, with the rows of the table below each node.
pub(super) struct Branches {
    nodes: Vec<Branch>,
    /// The node of each value.
    leaves: Vec<u32>,
    height: u32,
}

struct Branch {
    parent: Option<u32>,
    /// Where its leaves end.
    end: u32,
    level: u32,
    rows: u64,
}

/// A node above some of the values of a group.
struct Touched {
    node: u32,
    count: u64,
    /// How much those of its children that have too much have too much, in rows of the group times rows of the table.
    surplus: i128,
}

impl Branches {
    pub(super) fn new(hierarchy: &Hierarchy, totals: &[u64]) -> Self {
        let mut leaves = vec![0; totals.len()];
        let mut nodes = Vec::with_capacity(hierarchy.nodes().len());
        for (at, node) in hierarchy.nodes().iter().enumerate() {
            if node.children.is_empty() {
                leaves[node.leaves.start as usize] = at as u32;
            }
            let rows = totals[node.leaves.start as usize..node.leaves.end as usize].iter().sum();
            nodes.push(Branch { parent: node.parent, end: node.leaves.end, level: node.level, rows });
        }
        Branches { nodes, leaves, height: hierarchy.height() as u32 }
    }

    pub(super) fn distance(&self, held: impl Iterator<Item = (u32, u64)> + Clone, all: u64) -> f64 {
        let rows: u64 = held.clone().map(|(_, count)| count).sum();
        let mut work = 0i128;
        // From the root to the value at hand. A node is left when the values below it are done.
        let mut path: Vec<Touched> = Vec::new();
        let mut down: Vec<u32> = Vec::new();
        let mut leave = |path: &mut Vec<Touched>| {
            let Some(done) = path.pop() else { return };
            let node = &self.nodes[done.node as usize];
            let extra = i128::from(done.count) * i128::from(all) - i128::from(node.rows) * i128::from(rows);
            // Surplus less shortage is what the node as a whole has too much.
            work += i128::from(node.level) * done.surplus.min(done.surplus - extra);
            if let Some(above) = path.last_mut() {
                above.count += done.count;
                above.surplus += extra.max(0);
            }
        };
        for (value, count) in held {
            while path.last().is_some_and(|last| self.nodes[last.node as usize].end <= value) {
                leave(&mut path);
            }
            let inside = path.last().map(|last| last.node);
            let mut next = Some(self.leaves[value as usize]);
            while let Some(node) = next.filter(|node| inside != Some(*node)) {
                down.push(node);
                next = self.nodes[node as usize].parent;
            }
            path.extend(down.drain(..).rev().map(|node| Touched { node, count: 0, surplus: 0 }));
            path.last_mut().expect("the leaf").count = count;
        }
        while !path.is_empty() {
            leave(&mut path);
        }
        work as f64 / (i128::from(rows) * i128::from(all)) as f64 / f64::from(self.height.max(1))
    }
}
