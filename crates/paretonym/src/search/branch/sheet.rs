//! The tuples that a hunt looks at: those of the table, or fewer that stand for them within a span.

use super::view::ColumnView;
use crate::group::FrequencyTable;

/// What a tuple's share in a column is when nothing is known.
const EVEN: u8 = 16;

/// Tuples with their rows and with how the cost of suppressing them is shared among the columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Sheet {
    /// By column: a leaf of each tuple.
    pub leaves: Vec<Vec<u32>>,
    pub rows: Vec<u64>,
    /// By column: the weight of its share in what suppressing the tuple costs.
    pub shares: Vec<Vec<u8>>,
    /// Rows that are not listed because every recoding of the span suppresses them.
    pub lost: u64,
}

impl Sheet {
    /// The tuples of a table.
    pub fn of(table: &FrequencyTable) -> Self {
        let tuples = &table.tuples;
        let leaf = |column: usize| (0..tuples.len()).map(move |tuple| table.leaf(tuples, tuple, column)).collect();
        let columns = table.columns.len();
        Sheet {
            leaves: (0..columns).map(leaf).collect(),
            rows: tuples.rows.iter().collect(),
            shares: vec![vec![EVEN; tuples.len()]; columns],
            lost: 0,
        }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// The tuples of the kept groups as the finest recoding of a span shows them, equal ones as one. `order` lists the tuples
    /// group by group, `kept` says which stretches of it are groups that stay.
    pub fn rolled_up(&self, views: &[ColumnView], order: &[u32], kept: &[(u32, u32)], lost: u64) -> Sheet {
        let columns = views.len();
        let mut new =
            Sheet { leaves: vec![Vec::new(); columns], rows: Vec::new(), shares: vec![Vec::new(); columns], lost };
        let mut tuples: Vec<u32> = Vec::new();
        let piece = |column: usize, tuple: u32| views[column].pieces.of[self.leaves[column][tuple as usize] as usize];
        let open: Vec<usize> = (0..columns).filter(|column| !views[*column].is_settled()).collect();
        for (start, end) in kept {
            tuples.clear();
            tuples.extend_from_slice(&order[*start as usize..*end as usize]);
            // Within a group the settled columns are equal.
            let key = |tuple: &u32| open.iter().map(|column| piece(*column, *tuple)).collect::<Vec<u32>>();
            tuples.sort_by_cached_key(|tuple| key(tuple));
            for alike in tuples.chunk_by(|a, b| open.iter().all(|column| piece(*column, *a) == piece(*column, *b))) {
                let rows: u64 = alike.iter().map(|tuple| self.rows[*tuple as usize]).sum();
                new.rows.push(rows);
                for column in 0..columns {
                    new.leaves[column].push(self.leaves[column][alike[0] as usize]);
                    let share =
                        |tuple: &u32| u64::from(self.shares[column][*tuple as usize]) * self.rows[*tuple as usize];
                    new.shares[column].push((alike.iter().map(share).sum::<u64>() / rows) as u8);
                }
            }
        }
        new
    }

    /// Moves the shares of a tuple towards the columns in which it is suppressed.
    pub fn lean(&mut self, tuple: usize, open: u64, suppressing: u64) {
        let up = (192 / suppressing.count_ones()) as u8;
        for (column, shares) in self.shares.iter_mut().enumerate().filter(|(column, _)| open >> column & 1 == 1) {
            let more = if suppressing >> column & 1 == 1 { up } else { 0 };
            shares[tuple] = shares[tuple] / 4 + more;
        }
    }
}

impl Sheet {
    /// The memory that it takes.
    pub fn bytes(&self) -> usize {
        self.len() * (self.leaves.len() * (size_of::<u32>() + 1) + size_of::<u64>())
    }
}
