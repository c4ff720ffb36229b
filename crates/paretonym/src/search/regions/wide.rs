//! Scores splits of nodes with many values in columns that show sets by counting. Masks of such nodes would take values ×
//! tuples bits; counters take one number per value, and say the same.

use super::grow::Field;
use super::rank::{Ranking, Split};
use super::split_table::{Shows, SplitTable};

/// Which values of every field occur on the two sides of a split, while tuples move from the outside to the inside.
#[derive(Default)]
pub(super) struct Tally {
    /// Tuples of the node with each value, field after field.
    totals: Vec<u32>,
    /// Those of them that are inside.
    inside: Vec<u32>,
    sides: Vec<Sides>,
    /// The tuples of the node in the order of one column's values, and where each value begins.
    sorted: Vec<u32>,
    starts: Vec<u32>,
}

/// What occurs of one field: how many values, the first and the last of them.
#[derive(Clone, Copy, Default)]
struct Sides {
    inside: [u32; 3],
    outside: [u32; 3],
}

/// The node that is split.
#[derive(Clone, Copy)]
pub(super) struct Looked<'a> {
    pub split_table: &'a SplitTable<'a>,
    pub fields: &'a [Field],
    /// Occurring leaves, field after field.
    pub leaves: &'a [u32],
    /// The place of each leaf of a column among those that occur.
    pub number: &'a [Vec<u32>],
}

impl Looked<'_> {
    /// The place of a tuple's value in a field among all values.
    fn place(&self, field: &Field, tuple: u32) -> (usize, u32) {
        let leaf = self.split_table.columns[field.column].codes[tuple as usize];
        let number = self.number[field.column][leaf as usize];
        (field.leaves.start + number as usize, number)
    }

    /// Values covered beyond the first by a side that shows `count` values of a field from `first` to `last`.
    fn covered(&self, field: &Field, [count, first, last]: [u32; 3]) -> u32 {
        let leaves = &self.leaves[field.leaves.clone()];
        let (first, last) = (leaves[first as usize], leaves[last as usize]);
        let column = &self.split_table.columns[field.column];
        match column.shows {
            Shows::Set(most) if count <= most => count - 1,
            Shows::Interval => column.values_beyond(first, last),
            Shows::Set(_) | Shows::Node => {
                let (first, last) = self.split_table.node(field.column, first, last);
                column.values_beyond(first, last)
            }
        }
    }
}

impl Tally {
    /// Offers all splits of a node to a ranking.
    pub fn score(&mut self, node: Looked, members: &[u32], all: u64, ranking: &mut Ranking) {
        self.count(node, members);
        for (at, field) in node.fields.iter().enumerate() {
            let column = &node.split_table.columns[field.column];
            let values = field.leaves.len();
            let mut value_rows = vec![0u64; values];
            for &tuple in members {
                value_rows[node.place(field, tuple).1 as usize] += node.split_table.rows[tuple as usize];
            }
            self.sort(node, members, field);
            let mut consider = |first: usize, end: usize, rows: u64, tally: &mut Tally| {
                let smaller = rows.min(all - rows);
                if ranking.takes(smaller) {
                    let [inside, outside] = tally.cover(node);
                    let loss = rows as f64 * inside + (all - rows) as f64 * outside;
                    ranking.offer(Split { loss, smaller, field: at, first: first as u32, end: end as u32 });
                }
            };
            if column.by_order {
                let mut rows = 0;
                for end in 1..values {
                    rows += value_rows[end - 1];
                    self.take(node, end - 1, end);
                    consider(0, end, rows, self);
                }
                self.give_back(node, 0, values - 1);
                continue;
            }
            let leaves = &node.leaves[field.leaves.clone()];
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
                    self.take(node, taken, end);
                    rows += value_rows[taken..end].iter().sum::<u64>();
                    taken = end;
                    consider(first, end, rows, self);
                }
                self.give_back(node, first, taken);
            }
        }
    }

    /// Counts the tuples of a node, all of which are outside.
    fn count(&mut self, node: Looked, members: &[u32]) {
        for counts in [&mut self.totals, &mut self.inside] {
            counts.clear();
            counts.resize(node.leaves.len(), 0);
        }
        for field in node.fields {
            members.iter().for_each(|tuple| self.totals[node.place(field, *tuple).0] += 1);
        }
        self.reset(node);
    }

    /// Sorts the tuples by the values of one field.
    fn sort(&mut self, node: Looked, members: &[u32], field: &Field) {
        self.starts.clear();
        self.starts.push(0);
        let mut before = 0;
        for total in &self.totals[field.leaves.clone()] {
            before += total;
            self.starts.push(before);
        }
        let mut next = self.starts.clone();
        self.sorted.clear();
        self.sorted.resize(members.len(), 0);
        for &tuple in members {
            let place = &mut next[node.place(field, tuple).1 as usize];
            self.sorted[*place as usize] = tuple;
            *place += 1;
        }
    }

    fn reset(&mut self, node: Looked) {
        self.sides.clear();
        let all = node.fields.iter().map(|field| field.leaves.len() as u32);
        self.sides.extend(all.map(|all| Sides { inside: [0, all - 1, 0], outside: [all, 0, all - 1] }));
    }

    /// Moves the tuples with values from `first` to before `end` inside.
    fn take(&mut self, node: Looked, first: usize, end: usize) {
        for &tuple in &self.sorted[self.starts[first] as usize..self.starts[end] as usize] {
            for (field, sides) in node.fields.iter().zip(&mut self.sides) {
                let (at, number) = node.place(field, tuple);
                self.inside[at] += 1;
                if self.inside[at] == 1 {
                    let [count, low, high] = sides.inside;
                    sides.inside = [count + 1, low.min(number), high.max(number)];
                }
                if self.inside[at] == self.totals[at] {
                    sides.outside[0] -= 1;
                }
            }
        }
    }

    /// Moves the tuples with values from `first` to before `end`, which must be all that are inside, outside again.
    fn give_back(&mut self, node: Looked, first: usize, end: usize) {
        for &tuple in &self.sorted[self.starts[first] as usize..self.starts[end] as usize] {
            node.fields.iter().for_each(|field| self.inside[node.place(field, tuple).0] = 0);
        }
        self.reset(node);
    }

    /// What a row loses inside and outside.
    fn cover(&mut self, node: Looked) -> [f64; 2] {
        let mut losses = [0.0; 2];
        for (field, sides) in node.fields.iter().zip(&mut self.sides) {
            // Values only ever leave the outside, so that its ends only ever move inwards.
            let gone = |number: u32| {
                let at = field.leaves.start + number as usize;
                self.inside[at] == self.totals[at]
            };
            while gone(sides.outside[1]) && sides.outside[1] < sides.outside[2] {
                sides.outside[1] += 1;
            }
            while gone(sides.outside[2]) && sides.outside[1] < sides.outside[2] {
                sides.outside[2] -= 1;
            }
            let weight = node.split_table.columns[field.column].weight;
            losses[0] += weight * f64::from(node.covered(field, sides.inside));
            losses[1] += weight * f64::from(node.covered(field, sides.outside));
        }
        losses
    }
}
