//! Looks at one node of a tree: which values occur in it, how its splits rank, and which tuples go where.

use super::lines::AnyLines;
use super::rank::{Ranking, Split, Wanted};
use super::score::Scorer;
use super::split_table::{Shows, SplitTable};
use super::wide::{Looked, Tally};
use crate::group::SetFacts;
use crate::recode::Bits;

/// Values whose masks have more words than this are counted, and so are tuples whose masks have more words together.
const MASK_WORDS: usize = 32;
const ALL_MASK_WORDS: usize = 1 << 23;
/// Leaves of so few tuples are sorted rather than looked up in as many words of bits as the column has.
const WORDS_PER_TUPLE: usize = 4;

/// A column with more than one value in the node: where its bits lie, if it shows sets, and its values.
pub(super) struct Field {
    pub column: usize,
    pub word: usize,
    pub shift: u32,
    /// Occurring leaves, ascending.
    pub leaves: std::ops::Range<usize>,
}

/// What one thread needs to look at nodes.
#[derive(Default)]
pub(super) struct Grower {
    present: Vec<Bits>,
    number: Vec<Vec<u32>>,
    leaves: Vec<u32>,
    fields: Vec<Field>,
    words: usize,
    narrow: Scorer<i16>,
    wide: Scorer<i32>,
    tally: Tally,
    /// Whether values are always counted; what is found does not depend on it.
    counting: bool,
    ranking: Ranking,
}

impl Grower {
    /// For the nodes of a table.
    pub fn new(split_table: &SplitTable, counting: bool) -> Self {
        let sizes = || split_table.table.columns.iter().map(|column| column.domain.len());
        Grower {
            present: sizes().map(Bits::zeros).collect(),
            number: sizes().map(|size| vec![0; size]).collect(),
            counting,
            ..Grower::default()
        }
    }

    /// Finds out which values occur in a node, numbers them, and tells what the node shows in each column.
    pub fn look(&mut self, split_table: &SplitTable, members: &[u32]) -> Box<[SetFacts]> {
        self.leaves.clear();
        self.fields.clear();
        let mut facts = Vec::with_capacity(split_table.columns.len());
        let mut bits = 0usize;
        for (at, column) in split_table.columns.iter().enumerate() {
            let first = self.leaves.len();
            self.find_leaves(at, &column.codes, members);
            let own = first..self.leaves.len();
            facts.push(split_table.facts(at, &self.leaves[own.clone()]));
            let count = own.len();
            if count == 1 {
                continue;
            }
            for (number, leaf) in self.leaves[own.clone()].iter().enumerate() {
                self.number[at][*leaf as usize] = number as u32;
            }
            let in_bits = if matches!(column.shows, Shows::Set(_)) { count } else { 0 };
            // A field does not cross a word unless it fills words of its own.
            if bits % 64 + in_bits > 64 {
                bits = bits.next_multiple_of(64);
            }
            self.fields.push(Field { column: at, word: bits / 64, shift: (bits % 64) as u32, leaves: own });
            bits = if in_bits > 64 { (bits + in_bits).next_multiple_of(64) } else { bits + in_bits };
        }
        self.words = bits.div_ceil(64);
        facts.into()
    }

    /// Adds the leaves that occur in a column, ascending.
    fn find_leaves(&mut self, column: usize, codes: &[u32], members: &[u32]) {
        let present = &mut self.present[column];
        let first = self.leaves.len();
        if members.len() * WORDS_PER_TUPLE >= present.words().len() {
            members.iter().for_each(|tuple| present.set(codes[*tuple as usize] as usize, true));
            present.drain(|leaf| self.leaves.push(leaf));
            return;
        }
        self.leaves.extend(members.iter().map(|tuple| codes[*tuple as usize]));
        self.leaves[first..].sort_unstable();
        let mut end = first + 1;
        for at in first + 1..self.leaves.len() {
            if self.leaves[at] != self.leaves[end - 1] {
                self.leaves[end] = self.leaves[at];
                end += 1;
            }
        }
        self.leaves.truncate(end);
    }

    /// The splits of a node that was looked at, best first.
    pub fn rank(&mut self, split_table: &SplitTable, members: &[u32], all: u64, wanted: Wanted) -> &Ranking {
        self.ranking.clear(wanted);
        let Grower { fields, leaves, number, ranking, words, .. } = self;
        let node = Looked { split_table, fields, leaves, number };
        if self.counting || *words > MASK_WORDS || members.len() * *words > ALL_MASK_WORDS {
            self.tally.score(node, members, all, ranking);
        } else {
            match &split_table.lines {
                AnyLines::Narrow(lines) => self.narrow.score(node, lines, *words, members, all, ranking),
                AnyLines::Wide(lines) => self.wide.score(node, lines, *words, members, all, ranking),
            }
        }
        ranking
    }

    /// Whether the node that was looked at has tuples that differ.
    pub fn can_split(&self) -> bool {
        !self.fields.is_empty()
    }

    /// The splits that were ranked last.
    pub fn splits(&self) -> &[Split] {
        self.ranking.splits()
    }

    /// The tuples on the two sides of a split, each in the order that they had.
    pub fn halves(&self, split_table: &SplitTable, members: &[u32], split: Split) -> [Vec<u32>; 2] {
        let column = self.fields[split.field].column;
        let (codes, number) = (&split_table.columns[column].codes, &self.number[column]);
        let mut halves = [Vec::new(), Vec::new()];
        for &tuple in members {
            let value = number[codes[tuple as usize] as usize];
            halves[usize::from(!(split.first..split.end).contains(&value))].push(tuple);
        }
        halves
    }
}
