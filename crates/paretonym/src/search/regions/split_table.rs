//! The table as splits see it: leaf codes by column, and what covering some leaves of a column costs.

use super::lines::AnyLines;
use crate::data::Kind;
use crate::group::{FrequencyTable, SetFacts};
use crate::recode::{CellForm, Family, interval_run, lowest_node};

/// What a cell shows of the leaves of its region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// Everything from the first to the last.
    Interval,
    /// Just them, or the node where they are more than so many.
    Set(u32),
    /// The lowest taxonomy node above them.
    Node,
}

/// One quasi column.
pub struct SplitColumn {
    /// Leaf of each tuple.
    pub codes: Vec<u32>,
    /// What one more value costs a row.
    pub weight: f64,
    /// Values in the leaves before each leaf, and in all of them at the end.
    pub values_before: Vec<u32>,
    /// What a cell shows.
    pub shows: Shows,
    /// Split by order anywhere, rather than by the taxonomy.
    pub by_order: bool,
    /// Per leaf the leaves below its tree node and the nodes above it, without the root.
    pub above: Vec<Vec<(u32, u32)>>,
    /// Rows of the table up to each leaf.
    rows_before: Vec<u64>,
}

impl SplitColumn {
    /// How many values beyond one the leaves from `first` to `last` hold.
    pub fn values_beyond(&self, first: u32, last: u32) -> u32 {
        self.values_before[last as usize + 1] - self.values_before[first as usize] - 1
    }
}

/// All of them.
pub struct SplitTable<'a> {
    /// The table.
    pub table: &'a FrequencyTable,
    /// Rows of each tuple.
    pub rows: Vec<u64>,
    /// Its quasi columns.
    pub columns: Vec<SplitColumn>,
    /// The codes of all columns again, tuple after tuple.
    pub(super) lines: AnyLines,
}

impl<'a> SplitTable<'a> {
    /// With the weight of each column's cell loss.
    pub fn new(table: &'a FrequencyTable, form: CellForm, weights: &[f64]) -> Self {
        let columns = table.columns.iter().enumerate().map(|(at, column)| {
            let leaves = column.domain.len();
            let nodes = column.hierarchy.nodes();
            let mut above: Vec<Vec<(u32, u32)>> = vec![Vec::new(); leaves];
            // Children follow their parents in pre-order: going backwards, each leaf meets its lowest node first.
            for node in nodes.iter().skip(1).rev() {
                for leaf in node.leaves.clone() {
                    above[leaf as usize].push((node.leaves.start, node.leaves.end));
                }
            }
            let mut rows_before = vec![0];
            for rows in &table.leaf_rows[at] {
                rows_before.push(rows_before[rows_before.len() - 1] + rows);
            }
            let shows = match (column.domain.kind, form) {
                (Kind::Numeric | Kind::Ordinal, _) => Shows::Interval,
                (Kind::Categorical, CellForm::Sets) => Shows::Set(u32::MAX),
                (Kind::Categorical, CellForm::SetsOfAtMost(most)) => Shows::Set(most),
                (Kind::Categorical, CellForm::Nodes) => Shows::Node,
            };
            SplitColumn {
                codes: (0..table.tuples.len()).map(|tuple| table.leaf(&table.tuples, tuple, at)).collect(),
                weight: weights[at] / (f64::from(column.domain.size()) - 1.0).max(1.0),
                values_before: (0..=leaves).map(|end| column.domain.values(0, end)).collect(),
                shows,
                // An interval around what a node leaves over would cover the node, so that regions would overlap.
                by_order: column.family == Family::Breaks || shows == Shows::Interval,
                above,
                rows_before,
            }
        });
        let columns: Vec<SplitColumn> = columns.collect();
        let codes: Vec<&[u32]> = columns.iter().map(|column| column.codes.as_slice()).collect();
        let leaves = table.columns.iter().map(|column| column.domain.len()).max().unwrap_or_default();
        let lines = AnyLines::new(&codes, leaves);
        SplitTable { table, rows: table.tuples.rows.iter().collect(), columns, lines }
    }

    /// What a cell shows for these leaves, which must ascend.
    pub fn facts(&self, column: usize, leaves: &[u32]) -> SetFacts {
        let own = &self.columns[column];
        let (first, last) = (leaves[0], leaves[leaves.len() - 1]);
        let between = |first: u32, last: u32| own.rows_before[last as usize + 1] - own.rows_before[first as usize];
        let facts = |(first, last): (u32, u32)| SetFacts {
            values: own.values_beyond(first, last) + 1,
            span: (first, last),
            rows: between(first, last),
        };
        match own.shows {
            Shows::Interval => facts(interval_run(&self.table.columns[column], first, last)),
            Shows::Set(most) if leaves.len() <= most as usize => SetFacts {
                values: leaves.iter().map(|leaf| own.values_beyond(*leaf, *leaf) + 1).sum(),
                span: (first, last),
                rows: leaves.iter().map(|leaf| between(*leaf, *leaf)).sum(),
            },
            Shows::Set(_) | Shows::Node => facts(self.node(column, first, last)),
        }
    }

    /// The leaves below the lowest node above two leaves.
    pub fn node(&self, column: usize, first: u32, last: u32) -> (u32, u32) {
        let quasi = &self.table.columns[column];
        let leaves = &quasi.hierarchy.nodes()[lowest_node(quasi, first, last)].leaves;
        (leaves.start, leaves.end - 1)
    }
}
