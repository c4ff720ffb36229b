//! Grows a partition tree from the top: each node is split where the two halves, shown as narrowly as their values
//! allow in *all* columns, lose least.
//!
//! Scoring all splits of a node takes one pass over its tuples. The values that occur in the node are numbered anew, so
//! that a few machine words say which values of every column occur together with a value; the words of the two sides of
//! a split are the unions of those of their values, and the loss of a side is read off its words.

use super::frame::{Frame, Shows};
use crate::group::SetFacts;

/// No child.
pub const NONE: u32 = u32::MAX;

/// A node: a range in the order of the tuples.
#[derive(Clone, Copy, Debug)]
pub struct Node {
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
    pub nodes: Vec<Node>,
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

/// A column with more than one value in the node: where its bits lie, and its values.
struct Field {
    column: usize,
    word: usize,
    shift: u32,
    /// Occurring leaves, ascending.
    leaves: std::ops::Range<usize>,
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
    present: Vec<Vec<u64>>,
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
    left: Vec<u32>,
    right: Vec<u32>,
}

/// Grows a tree whose nodes all satisfy a floor (the root always stays).
pub fn grow(frame: &Frame, floor: &dyn Floor) -> Tree {
    let tuples = frame.table.tuples.len();
    let width = frame.columns.len();
    let rows = &frame.table.tuples.rows;
    let mut order: Vec<u32> = (0..tuples as u32).collect();
    let all = frame.table.rows as u32;
    let mut nodes = vec![Node { start: 0, end: tuples as u32, rows: all, children: [NONE; 2] }];
    let mut facts: Vec<SetFacts> = Vec::new();
    let mut grower = Grower::new(frame);
    let mut at = 0;
    while at < nodes.len() {
        let Node { start, end, .. } = nodes[at];
        let members = &mut order[start as usize..end as usize];
        grower.look(frame, members, &mut facts);
        let split = if floor.stops() { None } else { grower.split(frame, floor, members) };
        if let Some(left) = split {
            let middle = start + left as u32;
            for (side, (start, end)) in [(start, middle), (middle, end)].into_iter().enumerate() {
                let rows = order[start as usize..end as usize].iter().map(|tuple| rows[*tuple as usize]).sum();
                nodes[at].children[side] = nodes.len() as u32;
                nodes.push(Node { start, end, rows, children: [NONE; 2] });
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
        Node { children: node.children.map(renamed), ..node }
    });
    Tree { order, nodes: nodes.collect(), facts }
}

impl Grower {
    fn new(frame: &Frame) -> Self {
        let sizes = || frame.table.columns.iter().map(|column| column.domain.len());
        Grower {
            present: sizes().map(|size| vec![0; size.div_ceil(64)]).collect(),
            number: sizes().map(|size| vec![0; size]).collect(),
            ..Grower::default()
        }
    }

    /// Finds out which values occur in a node, numbers them, and notes what the node shows.
    fn look(&mut self, frame: &Frame, members: &[u32], facts: &mut Vec<SetFacts>) {
        self.leaves.clear();
        self.fields.clear();
        let mut bits = 0usize;
        for (at, column) in frame.columns.iter().enumerate() {
            let present = &mut self.present[at];
            for &tuple in members {
                let leaf = column.codes[tuple as usize];
                present[leaf as usize / 64] |= 1 << (leaf % 64);
            }
            let first = self.leaves.len();
            for (word, bits) in present.iter_mut().enumerate() {
                let mut left = std::mem::take(bits);
                while left != 0 {
                    self.leaves.push(word as u32 * 64 + left.trailing_zeros());
                    left &= left - 1;
                }
            }
            let own = first..self.leaves.len();
            facts.push(frame.facts(at, &self.leaves[own.clone()]));
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
    fn split(&mut self, frame: &Frame, floor: &dyn Floor, members: &mut [u32]) -> Option<usize> {
        let rows = &frame.table.tuples.rows;
        let all: u32 = members.iter().map(|tuple| rows[*tuple as usize]).sum();
        if self.fields.is_empty() || u64::from(all) < 2 * u64::from(floor.rows()) {
            return None;
        }
        self.fill_masks(frame, members);
        self.splits.clear();
        let keep = if floor.looks_inside() { TRIED } else { 1 };
        for field in 0..self.fields.len() {
            self.score(frame, members, field, all, floor.rows(), keep);
        }
        for (tier, at) in (0..floor.tiers()).flat_map(|tier| (0..self.splits.len()).map(move |at| (tier, at))) {
            let split = self.splits[at];
            let column = self.fields[split.field].column;
            let (codes, number) = (&frame.columns[column].codes, &self.number[column]);
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
    fn fill_masks(&mut self, frame: &Frame, members: &[u32]) {
        let words = self.words;
        self.masks.clear();
        self.masks.resize(members.len() * words, 0);
        for field in &self.fields {
            let (codes, number) = (&frame.columns[field.column].codes, &self.number[field.column]);
            for (mask, &tuple) in self.masks.chunks_exact_mut(words).zip(members) {
                let bit = field.shift + number[codes[tuple as usize] as usize];
                mask[field.word + bit as usize / 64] |= 1 << (bit % 64);
            }
        }
    }

    /// Scores all splits in one column.
    fn score(&mut self, frame: &Frame, members: &[u32], at: usize, all: u32, floor: u32, keep: usize) {
        let (words, field) = (self.words, &self.fields[at]);
        let column = &frame.columns[field.column];
        let (codes, number) = (&column.codes, &self.number[field.column]);
        let own = field.leaves.clone();
        let values = own.len();
        self.value_rows.clear();
        self.value_rows.resize(values, 0);
        self.value_masks.clear();
        self.value_masks.resize(values * words, 0);
        for (mask, &tuple) in self.masks.chunks_exact(words).zip(members) {
            let value = number[codes[tuple as usize] as usize] as usize;
            self.value_rows[value] += frame.table.tuples.rows[tuple as usize];
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
            let loss = f64::from(rows) * self.cover(frame, inside) + f64::from(all - rows) * self.cover(frame, outside);
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
        for split in best {
            let place = self.splits.partition_point(|other| !split.beats(other));
            if place < keep {
                self.splits.insert(place, split);
                self.splits.truncate(keep);
            }
        }
    }

    /// What a row loses that shows the values of a mask.
    fn cover(&self, frame: &Frame, mask: &[u64]) -> f64 {
        let mut loss = 0.0;
        for field in &self.fields {
            let column = &frame.columns[field.column];
            let leaves = &self.leaves[field.leaves.clone()];
            let covered = if leaves.len() <= 64 {
                let bits = mask[field.word] >> field.shift & (u64::MAX >> (64 - leaves.len()));
                match column.shows {
                    Shows::Set => bits.count_ones() - 1,
                    Shows::Interval => {
                        leaves[63 - bits.leading_zeros() as usize] - leaves[bits.trailing_zeros() as usize]
                    }
                    Shows::Node => {
                        let (low, high) = (bits.trailing_zeros() as usize, 63 - bits.leading_zeros() as usize);
                        let (first, last) = frame.node(field.column, leaves[low], leaves[high]);
                        last - first
                    }
                }
            } else {
                wide_cover(frame, field.column, leaves, &mask[field.word..field.word + leaves.len().div_ceil(64)])
            };
            loss += column.weight * f64::from(covered);
        }
        loss
    }
}

/// Leaves covered beyond the first, for a column with more values than a word has bits.
fn wide_cover(frame: &Frame, column: usize, leaves: &[u32], bits: &[u64]) -> u32 {
    let shows = frame.columns[column].shows;
    if shows == Shows::Set {
        return bits.iter().map(|word| word.count_ones()).sum::<u32>() - 1;
    }
    let occurs = |word: &usize| bits[*word] != 0;
    let (Some(low), Some(high)) = ((0..bits.len()).find(occurs), (0..bits.len()).rfind(occurs)) else { return 0 };
    let first = leaves[low * 64 + bits[low].trailing_zeros() as usize];
    let last = leaves[high * 64 + 63 - bits[high].leading_zeros() as usize];
    if shows == Shows::Interval {
        return last - first;
    }
    let (first, last) = frame.node(column, first, last);
    last - first
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
