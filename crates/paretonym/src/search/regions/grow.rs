//! Grows a partition tree from the top: each node is split where the two halves, shown as narrowly as their values
//! allow in *all* columns, lose least.

use super::score::Split;
use super::split_table::SplitTable;
use super::wide::Tally;
use crate::group::SetFacts;
use crate::recode::Bits;

/// No child.
pub const NONE: u32 = u32::MAX;

/// A node: a range in the order of the tuples.
#[derive(Clone, Copy, Debug)]
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
pub struct Tree {
    /// Tuples, so that each node is a range.
    pub order: Vec<u32>,
    /// The nodes.
    pub nodes: Vec<BoxNode>,
    /// What each node shows, column after column.
    pub facts: Vec<SetFacts>,
}

/// What both halves of a split must satisfy.
pub trait Floor: Sync {
    /// Whether to split no further: the user has had enough.
    fn stops(&self) -> bool {
        false
    }
    /// The fewest rows.
    fn rows(&self) -> u64;
    /// Whether anything but the rows matters.
    fn looks_inside(&self) -> bool;
    /// How many floors there are, the last of which is the one that must hold. Splits that keep an earlier one are taken
    /// before others, however much less these lose: what they keep is needed further down.
    fn tiers(&self) -> usize;
    /// Whether tuples satisfy one of the floors.
    fn allows(&self, tuples: &[u32], tier: usize) -> bool;
}

/// How many splits of a node are tried, best first, when a half may not be allowed.
const TRIED: usize = 256;

/// Values whose masks have more words than this are counted, and so are tuples whose masks have more words together.
const MASK_WORDS: usize = 32;
const ALL_MASK_WORDS: usize = 1 << 23;

/// A column with more than one value in the node: where its bits lie, and its values.
pub(super) struct Field {
    pub column: usize,
    pub word: usize,
    pub shift: u32,
    /// Occurring leaves, ascending.
    pub leaves: std::ops::Range<usize>,
}

/// Buffers of one growing tree.
#[derive(Default)]
pub(super) struct Grower {
    pub present: Vec<Bits>,
    pub number: Vec<Vec<u32>>,
    pub leaves: Vec<u32>,
    pub fields: Vec<Field>,
    pub words: usize,
    pub masks: Vec<u64>,
    pub value_rows: Vec<u64>,
    pub value_masks: Vec<u64>,
    pub before: Vec<u64>,
    pub behind: Vec<u64>,
    pub side: Vec<u64>,
    pub splits: Vec<Split>,
    pub tally: Tally,
    /// The most words of a mask.
    pub most_words: usize,
    pub left: Vec<u32>,
    pub right: Vec<u32>,
}

/// Grows a tree whose nodes all satisfy a floor (the root always stays).
pub fn grow(split_table: &SplitTable, floor: &dyn Floor) -> Tree {
    grow_with(split_table, floor, MASK_WORDS)
}

/// The same with masks of at most so many words; the tree does not depend on it.
fn grow_with(split_table: &SplitTable, floor: &dyn Floor, most_words: usize) -> Tree {
    let tuples = split_table.table.tuples.len();
    let width = split_table.columns.len();
    let rows = &split_table.table.tuples.rows;
    let mut order: Vec<u32> = (0..tuples as u32).collect();
    let all = split_table.table.rows;
    let mut nodes = vec![BoxNode { start: 0, end: tuples as u32, rows: all, children: [NONE; 2] }];
    let mut facts: Vec<SetFacts> = Vec::new();
    let mut grower = Grower { most_words, ..Grower::new(split_table) };
    let mut at = 0;
    while at < nodes.len() {
        let BoxNode { start, end, .. } = nodes[at];
        let members = &mut order[start as usize..end as usize];
        grower.look(split_table, members, &mut facts);
        let split = if floor.stops() { None } else { grower.split(split_table, floor, members) };
        if let Some(left) = split {
            let middle = start + left as u32;
            for (side, (start, end)) in [(start, middle), (middle, end)].into_iter().enumerate() {
                let rows = order[start as usize..end as usize].iter().map(|tuple| rows.get(*tuple as usize)).sum();
                nodes[at].children[side] = nodes.len() as u32;
                nodes.push(BoxNode { start, end, rows, children: [NONE; 2] });
            }
        }
        at += 1;
    }
    // Nodes were made level by level; now sort them by rows.
    let mut sorted: Vec<u32> = (0..nodes.len() as u32).collect();
    sorted.sort_by_key(|node| (std::cmp::Reverse(nodes[*node as usize].rows), *node));
    let mut place = vec![NONE; nodes.len()];
    sorted.iter().enumerate().for_each(|(new, old)| place[*old as usize] = new as u32);
    let renamed = |child: u32| if child == NONE { NONE } else { place[child as usize] };
    let facts = sorted.iter().flat_map(|old| &facts[*old as usize * width..][..width]).copied().collect();
    let nodes = sorted.iter().map(|old| {
        let node = nodes[*old as usize];
        BoxNode { children: node.children.map(renamed), ..node }
    });
    Tree { order, nodes: nodes.collect(), facts }
}

impl Grower {
    fn new(split_table: &SplitTable) -> Self {
        let sizes = || split_table.table.columns.iter().map(|column| column.domain.len());
        Grower {
            present: sizes().map(Bits::zeros).collect(),
            number: sizes().map(|size| vec![0; size]).collect(),
            ..Grower::default()
        }
    }

    /// Finds out which values occur in a node, numbers them, and notes what the node shows.
    fn look(&mut self, split_table: &SplitTable, members: &[u32], facts: &mut Vec<SetFacts>) {
        self.leaves.clear();
        self.fields.clear();
        let mut bits = 0usize;
        for (at, column) in split_table.columns.iter().enumerate() {
            let present = &mut self.present[at];
            for &tuple in members {
                let leaf = column.codes[tuple as usize];
                present.set(leaf as usize, true);
            }
            let first = self.leaves.len();
            present.drain(|leaf| self.leaves.push(leaf));
            let own = first..self.leaves.len();
            facts.push(split_table.facts(at, &self.leaves[own.clone()]));
            let count = own.len();
            if count > 1 {
                // A field does not cross a word unless it fills words of its own.
                if bits % 64 + count > 64 {
                    bits = bits.next_multiple_of(64);
                }
                for (number, leaf) in self.leaves[own.clone()].iter().enumerate() {
                    self.number[at][*leaf as usize] = number as u32;
                }
                self.fields.push(Field { column: at, word: bits / 64, shift: (bits % 64) as u32, leaves: own });
                bits = if count > 64 { (bits + count).next_multiple_of(64) } else { bits + count };
            }
        }
        self.words = bits.div_ceil(64);
    }

    /// Splits a node that was looked at: puts one half first and returns its number of tuples.
    fn split(&mut self, split_table: &SplitTable, floor: &dyn Floor, members: &mut [u32]) -> Option<usize> {
        let rows = &split_table.table.tuples.rows;
        let all: u64 = members.iter().map(|tuple| rows.get(*tuple as usize)).sum();
        if self.fields.is_empty() || all < 2 * floor.rows() {
            return None;
        }
        self.splits.clear();
        let keep = if floor.looks_inside() { TRIED } else { 1 };
        if self.words > self.most_words || members.len() * self.words > ALL_MASK_WORDS {
            self.score_wide(split_table, members, all, floor.rows(), keep);
        } else {
            self.fill_masks(split_table, members);
            for field in 0..self.fields.len() {
                self.score(split_table, members, field, all, floor.rows(), keep);
            }
        }
        for (tier, at) in (0..floor.tiers()).flat_map(|tier| (0..self.splits.len()).map(move |at| (tier, at))) {
            let split = self.splits[at];
            let column = self.fields[split.field].column;
            let (codes, number) = (&split_table.columns[column].codes, &self.number[column]);
            self.left.clear();
            self.right.clear();
            for &tuple in members.iter() {
                let value = number[codes[tuple as usize] as usize];
                if (split.first..split.end).contains(&value) { &mut self.left } else { &mut self.right }.push(tuple);
            }
            if !floor.looks_inside() || floor.allows(&self.left, tier) && floor.allows(&self.right, tier) {
                members[..self.left.len()].copy_from_slice(&self.left);
                members[self.left.len()..].copy_from_slice(&self.right);
                return Some(self.left.len());
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::{Domain, Kind};
    use crate::group::FrequencyTable;
    use crate::recode::{CellForm, Family, QuasiColumn};
    use crate::taxonomy::{Hierarchy, Level};

    struct Rows(u32);

    impl Floor for Rows {
        fn rows(&self) -> u64 {
            u64::from(self.0)
        }
        fn looks_inside(&self) -> bool {
            false
        }
        fn tiers(&self) -> usize {
            1
        }
        fn allows(&self, _: &[u32], _: usize) -> bool {
            true
        }
    }

    fn column(name: &str, kind: Kind, leaves: usize) -> QuasiColumn {
        let labels: Vec<String> = (0..leaves).map(|leaf| format!("v{leaf:03}")).collect();
        let level = |size: usize| Level {
            set_of: (0..leaves).map(|leaf| (leaf / size) as u32).collect(),
            labels: (0..leaves.div_ceil(size)).map(|set| format!("{size} {set}")).collect(),
        };
        QuasiColumn {
            name: name.into(),
            domain: Domain::of_labels(kind, labels.clone()),
            hierarchy: Hierarchy::from_partitions(name, &labels, vec![level(3), level(12)]).unwrap(),
            family: Family::Levels,
            weight: 0.5,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn counting_and_masks_grow_the_same_tree(
            cells in prop::collection::vec((0u32..90, 0u32..40, 0u32..7), 2..160),
            floor in 1u32..6,
            nodes in any::<bool>(),
        ) {
            let columns = vec![column("a", Kind::Categorical, 90), column("b", Kind::Ordinal, 40), column("c", Kind::Categorical, 7)];
            let mut cells = cells;
            cells.sort_unstable();
            cells.dedup();
            let leaves: Vec<u32> = cells.iter().flat_map(|(a, b, c)| [*a, *b, *c]).collect();
            let counts: Vec<u64> = cells.iter().map(|(a, b, _)| u64::from(1 + (a + b) % 3)).collect();
            let table = FrequencyTable::new(columns, Vec::new(), &leaves, &counts, &[], 0).unwrap();
            let form = if nodes { CellForm::Nodes } else { CellForm::Sets };
            let split_table = SplitTable::new(&table, form, &[0.4, 0.3, 0.3]);
            let (masks, counted) = (grow_with(&split_table, &Rows(floor), usize::MAX), grow_with(&split_table, &Rows(floor), 0));
            prop_assert_eq!(masks.nodes.len(), counted.nodes.len());
            prop_assert_eq!(&masks.order, &counted.order);
            prop_assert_eq!(&masks.facts, &counted.facts);
        }
    }
}
