//! The table as a search sees it: distinct quasi tuples with their counts. Its size is the number of distinct tuples,
//! not of rows.

use std::sync::{Arc, OnceLock};

use super::fusion::Fusion;
use super::{Attribute, DistantNodes, Tuples};
use crate::data::Narrow;
use crate::recode::{ColumnSets, Family, QuasiColumn};

/// Distinct tuples of a table with everything that the measures and searches need.
///
/// Made by [`crate::study::count`]. Its size is the number of distinct tuples, not of rows.
#[derive(Clone, Debug)]
pub struct FrequencyTable {
    /// The quasi columns in the order of the study.
    pub columns: Vec<QuasiColumn>,
    /// The sensitive and target columns.
    pub attributes: Vec<Attribute>,
    /// The distinct tuples. A recoding that joins nothing has them for its groups.
    pub tuples: Arc<Tuples>,
    /// All rows.
    pub rows: u64,
    /// Rows left out before counting because of a missing value.
    pub dropped: u64,
    /// Rows per leaf of each quasi column.
    pub leaf_rows: Vec<Vec<u64>>,
    /// The partition of every level of every quasi column.
    pub levels: Vec<Vec<Arc<ColumnSets>>>,
    /// Where the tuples are not here: whom to ask, and which nodes need not be asked for. Then `tuples` are groups.
    pub distant: Option<Arc<DistantNodes>>,
    pub(super) fusion: Fusion,
    pub(super) leaf_logs: OnceLock<Vec<f64>>,
}

impl FrequencyTable {
    /// The position of a tuple, given by its leaves; none where no row has them.
    pub fn position(&self, leaves: &[u32]) -> Option<usize> {
        let mut wanted = vec![0; self.fusion.members.len()];
        self.fusion.fuse(leaves, &mut wanted);
        let own = |tuple: usize| self.tuples.fused.iter().map(move |column| column.get(tuple) as u32);
        // Tuples are sorted by their fused codes.
        let (mut low, mut high) = (0, self.tuples.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match own(middle).cmp(wanted.iter().copied()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Positions of the sensitive attributes.
    pub fn sensitive(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.attributes.len()).filter(|attribute| self.attributes[*attribute].sensitive)
    }

    /// Positions of the targets.
    pub fn targets(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.attributes.len()).filter(|attribute| self.attributes[*attribute].target)
    }

    /// The height of each column's hierarchy.
    pub fn heights(&self) -> Vec<u32> {
        self.columns.iter().map(|column| column.hierarchy.height() as u32).collect()
    }

    /// Whether every column is recoded by levels, so that the recodings form a lattice.
    pub fn is_lattice(&self) -> bool {
        self.columns.iter().all(|column| column.family == Family::Levels)
    }

    /// What the entropy loss needs of each tuple, worked out when it is first asked for: the sum over its leaves of
    /// ln(rows of the leaf), times its rows.
    pub fn leaf_logs(&self) -> &[f64] {
        if !self.tuples.leaf_logs.is_empty() {
            return &self.tuples.leaf_logs;
        }
        self.leaf_logs.get_or_init(|| {
            let log = |column: &QuasiColumn, leaf: usize, rows: u64| (rows as f64).ln() + column.domain.log_share(leaf);
            let mut sums = vec![0.0; self.tuples.len()];
            for (at, (column, rows)) in self.columns.iter().zip(&self.leaf_rows).enumerate() {
                let logs: Vec<f64> = rows.iter().enumerate().map(|(leaf, rows)| log(column, leaf, *rows)).collect();
                let add = |(tuple, sum): (usize, &mut f64)| *sum += logs[self.leaf(&self.tuples, tuple, at) as usize];
                sums.iter_mut().enumerate().for_each(add);
            }
            sums.iter_mut().zip(self.tuples.rows.iter()).for_each(|(sum, rows)| *sum *= rows as f64);
            sums
        })
    }

    /// The logarithms of its own tuples, or of groups that know theirs.
    pub(super) fn logs_of<'a>(&'a self, tuples: &'a Tuples) -> &'a [f64] {
        let logs = if tuples.leaf_logs.is_empty() { self.leaf_logs() } else { &tuples.leaf_logs };
        debug_assert_eq!(logs.len(), tuples.len(), "groups that are grouped further must know their logarithms");
        logs
    }

    /// The leaf of a column behind a tuple or group.
    #[inline]
    pub fn leaf(&self, tuples: &Tuples, index: usize, column: usize) -> u32 {
        self.fusion.leaf(column, tuples.fused[self.fusion.fused_of(column)].get(index) as u32)
    }

    /// Calls `take` with the index and the leaf of some tuples or groups in a column. Many at once are cheaper.
    #[inline]
    pub fn each_leaf(&self, tuples: &Tuples, indices: &[u32], column: usize, mut take: impl FnMut(usize, usize)) {
        match (&tuples.fused[self.fusion.fused_of(column)], self.fusion.leaves(column)) {
            (Narrow::Two(codes), Some(leaves)) => {
                indices.iter().for_each(|at| take(*at as usize, leaves[codes[*at as usize] as usize].into()))
            }
            (codes, leaves) => indices.iter().for_each(|at| {
                let code = codes.get(*at as usize) as usize;
                take(*at as usize, leaves.map_or(code, |leaves| leaves[code].into()));
            }),
        }
    }
}
