//! A grown tree: nested boxes of tuples.

use crate::group::SetFacts;

/// No child.
pub const NONE: u32 = u32::MAX;

/// A node: a range in the order of the tuples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoxNode {
    /// First tuple.
    pub start: u32,
    /// Behind the last tuple.
    pub end: u32,
    /// Rows.
    pub rows: u64,
    /// Its two halves, or [`NONE`].
    pub children: [u32; 2],
}

/// A grown tree. Nodes are sorted by falling number of rows, so that those large enough for some k come first, and
/// parents come before their children.
#[derive(Debug, PartialEq)]
pub struct Tree {
    /// Tuples, so that each node is a range.
    pub order: Vec<u32>,
    /// The nodes.
    pub nodes: Vec<BoxNode>,
    /// What each node shows, column after column.
    pub facts: Vec<SetFacts>,
}

/// What trees share of a node.
pub(super) struct Stand {
    /// How many tuples it has.
    pub tuples: u32,
    /// Rows.
    pub rows: u64,
    /// What it shows in each column.
    pub facts: Box<[SetFacts]>,
    /// Its tuples, where some tree splits it no further.
    pub members: Vec<u32>,
}

/// A tree as it grows, level by level.
#[derive(Default)]
pub(super) struct Sketch {
    /// The stand of each node, and its two halves, or [`NONE`].
    pub nodes: Vec<(u32, [u32; 2])>,
}

impl Sketch {
    /// Adds a node without halves; its number.
    pub fn add(&mut self, stand: u32) -> u32 {
        self.nodes.push((stand, [NONE; 2]));
        self.nodes.len() as u32 - 1
    }

    /// The tree, given all stands.
    pub fn tree(&self, stands: &[Stand]) -> Tree {
        let stand = |node: u32| &stands[self.nodes[node as usize].0 as usize];
        let mut order = vec![0; stand(0).tuples as usize];
        // Parents come before their children: where they begin is known.
        let mut starts = vec![0u32; self.nodes.len()];
        for (at, (own, children)) in self.nodes.iter().enumerate() {
            let start = starts[at];
            if let [left, right] = *children
                && left != NONE
            {
                starts[left as usize] = start;
                starts[right as usize] = start + stand(left).tuples;
            } else {
                let members = &stands[*own as usize].members;
                order[start as usize..start as usize + members.len()].copy_from_slice(members);
            }
        }
        // Nodes were made level by level; now sort them by rows.
        let mut sorted: Vec<u32> = (0..self.nodes.len() as u32).collect();
        sorted.sort_by_key(|node| (std::cmp::Reverse(stand(*node).rows), *node));
        let mut place = vec![NONE; sorted.len()];
        sorted.iter().enumerate().for_each(|(new, old)| place[*old as usize] = new as u32);
        let renamed = |child: u32| if child == NONE { NONE } else { place[child as usize] };
        let facts = sorted.iter().flat_map(|old| stand(*old).facts.iter()).copied().collect();
        let nodes = sorted.iter().map(|old| {
            let (start, own) = (starts[*old as usize], stand(*old));
            let children = self.nodes[*old as usize].1.map(renamed);
            BoxNode { start, end: start + own.tuples, rows: own.rows, children }
        });
        Tree { order, nodes: nodes.collect(), facts }
    }
}
