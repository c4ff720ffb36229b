//! Scores the splits of a node: what the two halves would lose, shown as narrowly as their values allow in all columns.
//!
//! One pass over the tuples of a node per column notes for each of its values which leaves of every column it occurs with:
//! the first and the last of them, and, where a cell shows a set of values, a bit for each. The two sides of a split are
//! unions of these. Along the values of a column a side only grows, and most values add nothing to it: what it loses is
//! worked out anew only where it covers more.

use super::grow::Field;
use super::lines::{Code, Lines, Spans};
use super::rank::{Ranking, Split};
use super::split_table::Shows;
use super::wide::Looked;

/// The sides of a split.
const INSIDE: usize = 0;
const OUTSIDE: usize = 1;

/// Which leaves occur together: spans in all columns, bits in those that show sets.
#[derive(Default)]
struct Leaves<C> {
    spans: Spans<C>,
    words: usize,
    masks: Vec<u64>,
}

impl<C: Code> Leaves<C> {
    fn clear(&mut self, count: usize, stride: usize, words: usize) {
        self.spans.clear(count, stride);
        self.words = words;
        self.masks.clear();
        self.masks.resize(count * words, 0);
    }

    fn forget(&mut self, at: usize) {
        self.spans.forget(at);
        self.masks[at * self.words..(at + 1) * self.words].fill(0);
    }

    fn mask(&self, at: usize) -> &[u64] {
        &self.masks[at * self.words..(at + 1) * self.words]
    }

    #[inline]
    fn add_line(&mut self, at: usize, line: &[C], mask: &[u64]) {
        self.spans.add_line(at, line);
        let own = &mut self.masks[at * self.words..(at + 1) * self.words];
        own.iter_mut().zip(mask).for_each(|(to, from)| *to |= from);
    }

    /// Adds some of others; whether there is more now.
    #[inline]
    fn add(&mut self, at: usize, others: &Leaves<C>, other: usize) -> bool {
        let mut changed = self.spans.add(at, &others.spans, other);
        let own = &mut self.masks[at * self.words..(at + 1) * self.words];
        for (to, from) in own.iter_mut().zip(others.mask(other)) {
            changed |= from & !*to != 0;
            *to |= from;
        }
        changed
    }

    /// Makes one the union of another of its own and one of others.
    fn follow(&mut self, at: usize, previous: usize, others: &Leaves<C>, other: usize) {
        self.spans.copy(at, previous);
        self.masks.copy_within(previous * self.words..(previous + 1) * self.words, at * self.words);
        self.add(at, others, other);
    }
}

/// Buffers for scoring.
#[derive(Default)]
pub(super) struct Scorer<C> {
    /// The bits of each tuple of the node.
    masks: Vec<u64>,
    /// What each value of a column occurs with, its rows, and what the values before each place and from it on do.
    values: Leaves<C>,
    value_rows: Vec<u64>,
    before: Leaves<C>,
    behind: Leaves<C>,
    /// The two sides of a split.
    sides: Leaves<C>,
    /// What the inside loses up to each value.
    losses: Vec<f64>,
    /// What a side's spans were when they were priced last, and what a row loses by them.
    seen: Vec<Option<(C, C, f64)>>,
}

impl<C: Code> Scorer<C> {
    /// Offers all splits of a node to a ranking. Masks have so many words.
    pub fn score(
        &mut self,
        node: Looked,
        lines: &Lines<C>,
        words: usize,
        members: &[u32],
        all: u64,
        ranking: &mut Ranking,
    ) {
        self.seen.resize(2 * node.split_table.columns.len(), None);
        self.sides.clear(2, lines.stride(), words);
        self.fill_masks(node, words, members);
        for (at, field) in node.fields.iter().enumerate() {
            self.look_at_values(node, lines, members, field);
            if node.split_table.columns[field.column].by_order {
                self.score_order(node, at, all, ranking);
            } else {
                self.score_nodes(node, at, all, ranking);
            }
        }
    }

    /// One bit per tuple and column that shows sets.
    fn fill_masks(&mut self, node: Looked, words: usize, members: &[u32]) {
        self.masks.clear();
        self.masks.resize(members.len() * words, 0);
        for field in node.fields {
            let column = &node.split_table.columns[field.column];
            if !matches!(column.shows, Shows::Set(_)) {
                continue;
            }
            let number = &node.number[field.column];
            for (mask, &tuple) in self.masks.chunks_exact_mut(words).zip(members) {
                let bit = field.shift + number[column.codes[tuple as usize] as usize];
                mask[field.word + bit as usize / 64] |= 1 << (bit % 64);
            }
        }
    }

    /// Notes what each value of a column occurs with.
    fn look_at_values(&mut self, node: Looked, lines: &Lines<C>, members: &[u32], field: &Field) {
        let (values, words) = (field.leaves.len(), self.sides.words);
        let (number, rows) = (&node.number[field.column], &node.split_table.rows);
        self.values.clear(values, lines.stride(), words);
        self.value_rows.clear();
        self.value_rows.resize(values, 0);
        for (at, &tuple) in members.iter().enumerate() {
            let line = lines.of(tuple);
            let value = number[line[field.column].leaf() as usize] as usize;
            self.value_rows[value] += rows[tuple as usize];
            self.values.add_line(value, line, &self.masks[at * words..(at + 1) * words]);
        }
    }

    /// All splits by the order of a column.
    fn score_order(&mut self, node: Looked, at: usize, all: u64, ranking: &mut Ranking) {
        let values = node.fields[at].leaves.len();
        self.sides.forget(INSIDE);
        self.sides.forget(OUTSIDE);
        self.losses.clear();
        let (mut rows, mut loss, mut changed) = (0, 0.0, false);
        for value in 0..values - 1 {
            changed |= self.sides.add(INSIDE, &self.values, value);
            rows += self.value_rows[value];
            if changed && ranking.takes(rows.min(all - rows)) {
                loss = self.cover(node, INSIDE);
                changed = false;
            }
            self.losses.push(loss);
        }
        let (mut behind, mut loss, mut changed) = (0, 0.0, false);
        for end in (1..values).rev() {
            changed |= self.sides.add(OUTSIDE, &self.values, end);
            behind += self.value_rows[end];
            let (rows, smaller) = (all - behind, behind.min(all - behind));
            if !ranking.takes(smaller) {
                continue;
            }
            if changed {
                loss = self.cover(node, OUTSIDE);
                changed = false;
            }
            let loss = rows as f64 * self.losses[end - 1] + behind as f64 * loss;
            ranking.offer(Split { loss, smaller, field: at, first: 0, end: end as u32 });
        }
    }

    /// All splits by the taxonomy of a column: one of its nodes against the rest.
    fn score_nodes(&mut self, node: Looked, at: usize, all: u64, ranking: &mut Ranking) {
        let field = &node.fields[at];
        let leaves = &node.leaves[field.leaves.clone()];
        let values = leaves.len();
        self.unite();
        for first in 0..values {
            self.sides.forget(INSIDE);
            let (mut taken, mut rows) = (first, 0);
            for &(start, behind) in &node.split_table.columns[field.column].above[leaves[first] as usize] {
                // A node is met at the first of its occurring leaves, once for all equal sets.
                if first > 0 && leaves[first - 1] >= start {
                    break;
                }
                let end = first + leaves[first..].partition_point(|leaf| *leaf < behind);
                if end == taken || end - first == values {
                    continue;
                }
                for value in taken..end {
                    self.sides.add(INSIDE, &self.values, value);
                    rows += self.value_rows[value];
                }
                taken = end;
                let smaller = rows.min(all - rows);
                if !ranking.takes(smaller) {
                    continue;
                }
                self.sides.forget(OUTSIDE);
                self.sides.add(OUTSIDE, &self.before, first);
                self.sides.add(OUTSIDE, &self.behind, end);
                let loss = rows as f64 * self.cover(node, INSIDE) + (all - rows) as f64 * self.cover(node, OUTSIDE);
                ranking.offer(Split { loss, smaller, field: at, first: first as u32, end: end as u32 });
            }
        }
    }

    /// What the values before each place occur with, and those from it on.
    fn unite(&mut self) {
        let (values, words) = (self.value_rows.len(), self.sides.words);
        for side in [&mut self.before, &mut self.behind] {
            side.clear(values + 1, self.values.spans.stride(), words);
        }
        for value in 0..values {
            self.before.follow(value + 1, value, &self.values, value);
        }
        for value in (0..values).rev() {
            self.behind.follow(value, value + 1, &self.values, value);
        }
    }

    /// What a row loses that shows the leaves of a side.
    fn cover(&mut self, node: Looked, side: usize) -> f64 {
        let mut loss = 0.0;
        for field in node.fields {
            let column = &node.split_table.columns[field.column];
            if let Shows::Set(most) = column.shows {
                let count = ones(field, self.sides.mask(side));
                if count <= most {
                    loss += column.weight * f64::from(count - 1);
                    continue;
                }
            }
            let (low, high) = self.sides.spans.of(side, field.column);
            let seen = &mut self.seen[side * node.split_table.columns.len() + field.column];
            loss += match *seen {
                Some((first, last, term)) if (first, last) == (low, high) => term,
                _ => {
                    let (first, last) = match column.shows {
                        Shows::Interval => (low.leaf(), high.leaf()),
                        Shows::Set(_) | Shows::Node => node.split_table.node(field.column, low.leaf(), high.leaf()),
                    };
                    let term = column.weight * f64::from(column.values_beyond(first, last));
                    *seen = Some((low, high, term));
                    term
                }
            };
        }
        loss
    }
}

/// How many values of a column occur in a mask.
fn ones(field: &Field, mask: &[u64]) -> u32 {
    let values = field.leaves.len();
    if values <= 64 {
        return (mask[field.word] >> field.shift & (u64::MAX >> (64 - values))).count_ones();
    }
    mask[field.word..field.word + values.div_ceil(64)].iter().map(|word| word.count_ones()).sum()
}
