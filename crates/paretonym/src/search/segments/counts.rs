//! The rows of a table by what all columns but one show and by the leaf of that one.

use crate::group::{FrequencyTable, Grouping, Needs, Workspace};
use crate::measure::{GroupCost, Loss};
use crate::recode::Recoding;

/// The rows of one context and leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub context: u32,
    pub rows: u32,
    /// Where the values of the class begin in the list of them, where a loss looks at one.
    pub held: u32,
}

/// The rows of a table by *context*, which is what all columns but one show, and by the leaf of that one.
#[derive(Clone, Debug, Default)]
pub struct ColumnCounts {
    /// Where the entries of each leaf begin; one more at the end.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    /// What a kept row of each context pays for the other columns.
    pub(super) others: Vec<f64>,
    /// Class and rows, entry by entry.
    held: Vec<(u32, u32)>,
    /// How many classes there are, where a loss looks at them.
    pub(super) classes: usize,
    apart: Grouping,
    joined: Grouping,
    cells: Vec<Vec<f64>>,
}

impl ColumnCounts {
    /// Counts by column: `apart` is the recoding with the column's leaves told apart, `joined` with all of them shown as one.
    /// The table has fewer than 2^32 rows, and the loss is a sum over groups.
    pub fn fill(
        &mut self,
        table: &FrequencyTable,
        workspace: &mut Workspace,
        loss: &dyn Loss,
        column: usize,
        [apart, joined]: [&Recoding; 2],
    ) {
        let class = match loss.group_cost(table) {
            GroupCost::Minority(attribute) => Some(attribute),
            _ => None,
        };
        let needs = Needs { attributes: class.is_some(), ..Needs::default() };
        workspace.group(table, &table.tuples, apart, needs, &mut self.apart);
        let needs = Needs { group_of: true, ..Needs::default() };
        workspace.group(table, &self.apart.groups, joined, needs, &mut self.joined);
        self.fill_others(table, loss, column);
        self.classes = class.map_or(0, |attribute| table.attributes[attribute].domain.len());
        self.held.clear();

        let groups = &self.apart.groups;
        let leaf = |group: usize| table.leaf(groups, group, column) as usize;
        self.starts.clear();
        self.starts.resize(table.columns[column].domain.len() + 2, 0);
        (0..groups.len()).for_each(|group| self.starts[leaf(group) + 2] += 1);
        (2..self.starts.len()).for_each(|at| self.starts[at] += self.starts[at - 1]);
        self.entries.clear();
        self.entries.resize(groups.len() + 1, Entry { context: 0, rows: 0, held: 0 });
        for group in 0..groups.len() {
            let place = &mut self.starts[leaf(group) + 1];
            let (context, rows) = (self.joined.group_of[group], groups.rows.get(group) as u32);
            self.entries[*place as usize] = Entry { context, rows, held: group as u32 };
            *place += 1;
        }
        self.starts.pop();
        if let Some(attribute) = class {
            for entry in &mut self.entries[..groups.len()] {
                let values = groups.attributes[attribute].of(entry.held as usize);
                entry.held = self.held.len() as u32;
                self.held.extend(values.iter().map(|(value, rows)| (value, rows as u32)));
            }
            self.entries[groups.len()].held = self.held.len() as u32;
        }
    }

    /// What a row of each context pays for what it shows in the other columns.
    fn fill_others(&mut self, table: &FrequencyTable, loss: &dyn Loss, column: usize) {
        let joined = &self.joined;
        self.others.clear();
        self.others.resize(joined.len(), 0.0);
        self.cells.resize_with(table.columns.len(), Vec::new);
        for other in (0..table.columns.len()).filter(|other| *other != column) {
            let sets = &joined.columns[other];
            let cells = &mut self.cells[other];
            cells.clear();
            let ranges = sets.first.windows(2).map(|pair| pair[0] as usize..pair[1] as usize);
            cells.extend(ranges.map(|range| loss.cell(table, other, range)));
            for (context, paid) in self.others.iter_mut().enumerate() {
                *paid += cells[joined.set(table, context, other)];
            }
        }
    }

    /// The number of contexts.
    pub fn contexts(&self) -> usize {
        self.others.len()
    }

    /// The contexts of a leaf.
    #[inline]
    pub(super) fn of_leaf(&self, leaf: usize) -> &[Entry] {
        &self.entries[self.starts[leaf] as usize..self.starts[leaf + 1] as usize]
    }

    /// The classes of a leaf's entries, each with its rows.
    #[inline]
    pub(super) fn classes_of_leaf(&self, leaf: usize) -> impl Iterator<Item = (Entry, &[(u32, u32)])> {
        let (first, end) = (self.starts[leaf] as usize, self.starts[leaf + 1] as usize);
        (first..end).map(|at| {
            let held = self.entries[at].held as usize..self.entries[at + 1].held as usize;
            (self.entries[at], &self.held[held])
        })
    }
}
