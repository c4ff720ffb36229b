//! Grows a partition tree from the top: each node is split where the two halves, shown as narrowly as their values
//! allow in *all* columns, lose least.
//!
//! Scoring all splits of a node takes one pass over its tuples. The values that occur in the node are numbered anew, so
//! that a few machine words say which values of every column occur together with a value; the words of the two sides of
//! a split are the unions of those of their values, and the loss of a side is read off its words. Where that would take
//! too many words, occurring values are counted instead.

use super::split_table::{Shows, SplitTable};
use super::wide::{Looked, Tally};
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
    pub rows: u32,
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
    fn rows(&self) -> u32;
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
    word: usize,
    shift: u32,
    /// Occurring leaves, ascending.
    pub leaves: std::ops::Range<usize>,
}

/// A split of a node: the values of a column from `first` to before `end`, as numbered in the node, go left.
#[derive(Clone, Copy)]
struct Split {
    loss: f64,
    smaller: u32,
    field: usize,
    first: u32,
    end: u32,
}

impl Split {
    /// Less loss first, then more even halves, then the earlier column.
    fn key(&self) -> (f64, std::cmp::Reverse<u32>, usize, u32, u32) {
        (self.loss, std::cmp::Reverse(self.smaller), self.field, self.first, self.end)
    }

    fn beats(&self, other: &Split) -> bool {
        self.key() < other.key()
    }
}

/// Buffers of one growing tree.
#[derive(Default)]
struct Grower {
    present: Vec<Bits>,
    number: Vec<Vec<u32>>,
    leaves: Vec<u32>,
    fields: Vec<Field>,
    words: usize,
    masks: Vec<u64>,
    value_rows: Vec<u32>,
    value_masks: Vec<u64>,
    before: Vec<u64>,
    behind: Vec<u64>,
    side: Vec<u64>,
    splits: Vec<Split>,
    tally: Tally,
    /// The most words of a mask.
    most_words: usize,
    left: Vec<u32>,
    right: Vec<u32>,
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
    let all = split_table.table.rows as u32;
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
                let rows = order[start as usize..end as usize].iter().map(|tuple| rows[*tuple as usize]).sum();
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
        let all: u32 = members.iter().map(|tuple| rows[*tuple as usize]).sum();
        if self.fields.is_empty() || u64::from(all) < 2 * u64::from(floor.rows()) {
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

    /// One bit per tuple and field.
    fn fill_masks(&mut self, split_table: &SplitTable, members: &[u32]) {
        let words = self.words;
        self.masks.clear();
        self.masks.resize(members.len() * words, 0);
        for field in &self.fields {
            let (codes, number) = (&split_table.columns[field.column].codes, &self.number[field.column]);
            for (mask, &tuple) in self.masks.chunks_exact_mut(words).zip(members) {
                let bit = field.shift + number[codes[tuple as usize] as usize];
                mask[field.word + bit as usize / 64] |= 1 << (bit % 64);
            }
        }
    }

    /// Scores all splits in one column.
    fn score(&mut self, split_table: &SplitTable, members: &[u32], at: usize, all: u32, floor: u32, keep: usize) {
        let (words, field) = (self.words, &self.fields[at]);
        let column = &split_table.columns[field.column];
        let (codes, number) = (&column.codes, &self.number[field.column]);
        let own = field.leaves.clone();
        let values = own.len();
        self.value_rows.clear();
        self.value_rows.resize(values, 0);
        self.value_masks.clear();
        self.value_masks.resize(values * words, 0);
        for (mask, &tuple) in self.masks.chunks_exact(words).zip(members) {
            let value = number[codes[tuple as usize] as usize] as usize;
            self.value_rows[value] += split_table.table.tuples.rows[tuple as usize];
            let to = &mut self.value_masks[value * words..(value + 1) * words];
            to.iter_mut().zip(mask).for_each(|(to, from)| *to |= from);
        }
        // Unions of the values before and behind each place.
        unions(&self.value_masks, values, words, &mut self.before, &mut self.behind);
        let mut side = std::mem::take(&mut self.side);
        side.clear();
        side.resize(2 * words, 0);
        let mut best = Vec::new();
        let mut consider = |first: usize, end: usize, rows: u32, side: &[u64]| {
            let smaller = rows.min(all - rows);
            if smaller < floor {
                return;
            }
            let (inside, outside) = side.split_at(words);
            let loss = f64::from(rows) * self.cover(split_table, inside)
                + f64::from(all - rows) * self.cover(split_table, outside);
            best.push(Split { loss, smaller, field: at, first: first as u32, end: end as u32 });
        };
        if column.by_order {
            let mut rows = 0;
            for end in 1..values {
                rows += self.value_rows[end - 1];
                side[..words].copy_from_slice(&self.before[end * words..(end + 1) * words]);
                side[words..].copy_from_slice(&self.behind[end * words..(end + 1) * words]);
                consider(0, end, rows, &side);
            }
        } else {
            let leaves = &self.leaves[own];
            for first in 0..values {
                let mut last_end = 0;
                for &(start, behind) in &column.above[leaves[first] as usize] {
                    // A node is met at the first of its occurring leaves, once for all equal sets.
                    if first > 0 && leaves[first - 1] >= start {
                        break;
                    }
                    let end = first + leaves[first..].partition_point(|leaf| *leaf < behind);
                    if end == last_end || end - first == values {
                        continue;
                    }
                    last_end = end;
                    let rows = self.value_rows[first..end].iter().sum();
                    side[..words].fill(0);
                    for mask in self.value_masks[first * words..end * words].chunks_exact(words) {
                        side[..words].iter_mut().zip(mask).for_each(|(to, from)| *to |= from);
                    }
                    for word in 0..words {
                        side[words + word] = self.before[first * words + word] | self.behind[end * words + word];
                    }
                    consider(first, end, rows, &side);
                }
            }
        }
        self.side = side;
        best.into_iter().for_each(|split| self.remember(split, keep));
    }

    /// Keeps a split that is among the best ones.
    fn remember(&mut self, split: Split, keep: usize) {
        let place = self.splits.partition_point(|other| !split.beats(other));
        if place < keep {
            self.splits.insert(place, split);
            self.splits.truncate(keep);
        }
    }

    /// Scores all splits in all columns by counting.
    fn score_wide(&mut self, split_table: &SplitTable, members: &[u32], all: u32, floor: u32, keep: usize) {
        let mut tally = std::mem::take(&mut self.tally);
        let mut found = Vec::new();
        let node = Looked { split_table, fields: &self.fields, leaves: &self.leaves, number: &self.number };
        tally.count(node, members);
        for (at, field) in self.fields.iter().enumerate() {
            let column = &split_table.columns[field.column];
            let (codes, number) = (&column.codes, &self.number[field.column]);
            let values = field.leaves.len();
            let mut value_rows = vec![0u32; values];
            for &tuple in members {
                value_rows[number[codes[tuple as usize] as usize] as usize] +=
                    split_table.table.tuples.rows[tuple as usize];
            }
            tally.sort(node, members, field);
            let mut consider = |first: usize, end: usize, rows: u32, tally: &mut Tally| {
                let smaller = rows.min(all - rows);
                if smaller >= floor {
                    let [inside, outside] = tally.cover(node);
                    let loss = f64::from(rows) * inside + f64::from(all - rows) * outside;
                    found.push(Split { loss, smaller, field: at, first: first as u32, end: end as u32 });
                }
            };
            if column.by_order {
                let mut rows = 0;
                for end in 1..values {
                    rows += value_rows[end - 1];
                    tally.take(node, end - 1, end);
                    consider(0, end, rows, &mut tally);
                }
                tally.give_back(node, 0, values - 1);
                continue;
            }
            let leaves = &self.leaves[field.leaves.clone()];
            for first in 0..values {
                let (mut taken, mut rows) = (first, 0);
                for &(start, behind) in &column.above[leaves[first] as usize] {
                    // A node is met at the first of its occurring leaves, once for all equal sets.
                    if first > 0 && leaves[first - 1] >= start {
                        break;
                    }
                    let end = first + leaves[first..].partition_point(|leaf| *leaf < behind);
                    if end == taken || end - first == values {
                        continue;
                    }
                    tally.take(node, taken, end);
                    rows += value_rows[taken..end].iter().sum::<u32>();
                    taken = end;
                    consider(first, end, rows, &mut tally);
                }
                tally.give_back(node, first, taken);
            }
        }
        self.tally = tally;
        found.into_iter().for_each(|split| self.remember(split, keep));
    }

    /// What a row loses that shows the values of a mask.
    fn cover(&self, split_table: &SplitTable, mask: &[u64]) -> f64 {
        let mut loss = 0.0;
        for field in &self.fields {
            let column = &split_table.columns[field.column];
            let leaves = &self.leaves[field.leaves.clone()];
            let covered = if leaves.len() <= 64 {
                let bits = mask[field.word] >> field.shift & (u64::MAX >> (64 - leaves.len()));
                let (low, high) = (bits.trailing_zeros() as usize, 63 - bits.leading_zeros() as usize);
                match column.shows {
                    Shows::Set(most) if bits.count_ones() <= most => bits.count_ones() - 1,
                    Shows::Interval => column.values_beyond(leaves[low], leaves[high]),
                    Shows::Set(_) | Shows::Node => {
                        let (first, last) = split_table.node(field.column, leaves[low], leaves[high]);
                        column.values_beyond(first, last)
                    }
                }
            } else {
                wide_cover(split_table, field.column, leaves, &mask[field.word..field.word + leaves.len().div_ceil(64)])
            };
            loss += column.weight * f64::from(covered);
        }
        loss
    }
}

/// Values covered beyond the first, for a column with more of them than a word has bits.
fn wide_cover(split_table: &SplitTable, column: usize, leaves: &[u32], bits: &[u64]) -> u32 {
    let own = &split_table.columns[column];
    if let Shows::Set(most) = own.shows {
        let count = bits.iter().map(|word| word.count_ones()).sum::<u32>();
        if count <= most {
            return count - 1;
        }
    }
    let occurs = |word: &usize| bits[*word] != 0;
    let (Some(low), Some(high)) = ((0..bits.len()).find(occurs), (0..bits.len()).rfind(occurs)) else { return 0 };
    let first = leaves[low * 64 + bits[low].trailing_zeros() as usize];
    let last = leaves[high * 64 + 63 - bits[high].leading_zeros() as usize];
    if own.shows == Shows::Interval {
        return own.values_beyond(first, last);
    }
    let (first, last) = split_table.node(column, first, last);
    own.values_beyond(first, last)
}

/// The union of the masks before each place, and of those from it on.
fn unions(masks: &[u64], values: usize, words: usize, before: &mut Vec<u64>, behind: &mut Vec<u64>) {
    for union in [&mut *before, &mut *behind] {
        union.clear();
        union.resize((values + 1) * words, 0);
    }
    for at in 0..values * words {
        before[at + words] = before[at] | masks[at];
    }
    for at in (0..values * words).rev() {
        behind[at] = behind[at + words] | masks[at];
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
        fn rows(&self) -> u32 {
            self.0
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
