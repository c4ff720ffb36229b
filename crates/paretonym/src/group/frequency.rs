//! The table as a search sees it: distinct quasi tuples with their counts. Its size is the number of distinct tuples,
//! not of rows.

use std::sync::Arc;

use super::fusion::Fusion;
use super::{Attribute, Distribution, Tuples};
use crate::data::AttributeCount;
use crate::error::{Error, Result};
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
    /// The distinct tuples.
    pub tuples: Tuples,
    /// All rows.
    pub rows: u64,
    /// Rows left out before counting because of a missing value.
    pub dropped: u64,
    /// Rows per leaf of each quasi column.
    pub leaf_rows: Vec<Vec<u64>>,
    /// The partition of every level of every quasi column.
    pub levels: Vec<Vec<Arc<ColumnSets>>>,
    pub(super) fusion: Fusion,
}

impl FrequencyTable {
    /// From leaf codes (tuple after tuple), their counts, and the counts of attribute values per tuple. The tuples must
    /// be distinct; their order does not matter.
    pub fn new(
        columns: Vec<QuasiColumn>,
        attributes: Vec<Attribute>,
        leaves: &[u32],
        counts: &[u64],
        attribute_counts: &[Vec<AttributeCount>],
        dropped: u64,
    ) -> Result<Self> {
        Ok(FrequencyTable::of_tuples(columns, attributes, leaves, counts, attribute_counts, dropped)?.0)
    }

    /// The groups of a recoding in place of the distinct tuples: `leaves` are any leaves of the sets that a group shows,
    /// and `leaf_counts`, which come back sorted by the positions of the groups, say per column how many rows of each
    /// group have which leaf. What the recoding makes of this table is what it would make of the tuples.
    pub fn of_groups(
        columns: Vec<QuasiColumn>,
        attributes: Vec<Attribute>,
        leaves: &[u32],
        counts: &[u64],
        attribute_counts: &[Vec<AttributeCount>],
        dropped: u64,
        leaf_counts: &mut [Vec<AttributeCount>],
    ) -> Result<Self> {
        let (mut table, position) =
            FrequencyTable::of_tuples(columns, attributes, leaves, counts, attribute_counts, dropped)?;
        table.tuples.leaf_logs.fill(0.0);
        for (column, entries) in leaf_counts.iter_mut().enumerate() {
            let rows = &mut table.leaf_rows[column];
            rows.fill(0);
            entries.iter().for_each(|entry| rows[entry.value as usize] += entry.count);
            for entry in entries.iter_mut() {
                entry.tuple = position[entry.tuple as usize];
                let logs = &mut table.tuples.leaf_logs[entry.tuple as usize];
                *logs += entry.count as f64 * (rows[entry.value as usize] as f64).ln();
            }
            entries.sort_unstable();
        }
        table.levels = levels(&table.columns, &table.leaf_rows);
        Ok(table)
    }

    /// The table, and the position of each tuple in it.
    fn of_tuples(
        columns: Vec<QuasiColumn>,
        mut attributes: Vec<Attribute>,
        leaves: &[u32],
        counts: &[u64],
        attribute_counts: &[Vec<AttributeCount>],
        dropped: u64,
    ) -> Result<(Self, Vec<u32>)> {
        let rows: u64 = counts.iter().sum();
        if rows == 0 {
            return Err(Error::study("the table has no rows; nothing can be explored"));
        }
        if rows > u64::from(u32::MAX) {
            return Err(Error::study(format!("the table has {rows} rows; at most {} can be explored", u32::MAX)));
        }
        let sizes: Vec<usize> = columns.iter().map(|column| column.domain.len()).collect();
        let fusion = Fusion::of_sizes(&sizes);

        let (fused, leaf_rows) = fused_columns(&fusion, &sizes, leaves, counts);
        // Sorted by fused codes, neighbouring tuples fall into neighbouring groups: the kernel's counters stay cached.
        let mut order: Vec<u32> = (0..counts.len() as u32).collect();
        order.sort_unstable_by(|a, b| {
            let codes = |tuple: u32| fused.iter().map(move |column| column[tuple as usize]);
            codes(*a).cmp(codes(*b))
        });
        let mut position = vec![0u32; order.len()];
        for (new, &old) in order.iter().enumerate() {
            position[old as usize] = new as u32;
        }
        let fused: Vec<Vec<u32>> =
            fused.iter().map(|column| order.iter().map(|tuple| column[*tuple as usize]).collect()).collect();

        let mut distributions = Vec::with_capacity(attributes.len());
        for (attribute, counts) in attributes.iter_mut().zip(attribute_counts) {
            attribute.totals = vec![0; attribute.domain.len()];
            for entry in counts {
                attribute.totals[entry.value as usize] += entry.count;
            }
            distributions.push(distribution(counts, &position));
        }

        let leaf_logs = leaf_logs(&columns, &leaf_rows, leaves, counts, &order);
        let levels = levels(&columns, &leaf_rows);
        let rows_of = order.iter().map(|tuple| counts[*tuple as usize] as u32).collect();
        let tuples = Tuples { fused, rows: rows_of, attributes: distributions, leaf_logs };
        let table = FrequencyTable { columns, attributes, tuples, rows, dropped, leaf_rows, levels, fusion };
        Ok((table, position))
    }

    /// The position of a tuple, given by its leaves; none where no row has them.
    pub fn position(&self, leaves: &[u32]) -> Option<usize> {
        let mut wanted = vec![0; self.fusion.members.len()];
        self.fusion.fuse(leaves, &mut wanted);
        let own = |tuple: usize| self.tuples.fused.iter().map(move |column| column[tuple]);
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

    /// The leaf of a column behind a tuple or group.
    #[inline]
    pub fn leaf(&self, tuples: &Tuples, index: usize, column: usize) -> u32 {
        self.fusion.leaf(column, tuples.fused[self.fusion.fused_of(column)][index])
    }

    /// Calls `take` with the index and the leaf of some tuples or groups in a column. Many at once are cheaper.
    #[inline]
    pub fn each_leaf(&self, tuples: &Tuples, indices: &[u32], column: usize, mut take: impl FnMut(usize, usize)) {
        let codes = &tuples.fused[self.fusion.fused_of(column)];
        match self.fusion.leaves(column) {
            Some(leaves) => {
                indices.iter().for_each(|at| take(*at as usize, leaves[codes[*at as usize] as usize].into()))
            }
            None => indices.iter().for_each(|at| take(*at as usize, codes[*at as usize] as usize)),
        }
    }
}

/// The fused codes of the tuples, column by column, and the rows of each leaf.
fn fused_columns(fusion: &Fusion, sizes: &[usize], leaves: &[u32], counts: &[u64]) -> (Vec<Vec<u32>>, Vec<Vec<u64>>) {
    let width = sizes.len();
    let mut fused = vec![vec![0u32; counts.len()]; fusion.members.len()];
    let mut codes = vec![0u32; fusion.members.len()];
    let mut leaf_rows: Vec<Vec<u64>> = sizes.iter().map(|size| vec![0; *size]).collect();
    for (tuple, &count) in counts.iter().enumerate() {
        let leaves = &leaves[tuple * width..(tuple + 1) * width];
        for (column, &leaf) in leaves.iter().enumerate() {
            leaf_rows[column][leaf as usize] += count;
        }
        fusion.fuse(leaves, &mut codes);
        for (column, &code) in fused.iter_mut().zip(&codes) {
            column[tuple] = code;
        }
    }
    (fused, leaf_rows)
}

/// What the entropy loss needs of each tuple, in the order of the table: the sum over its leaves, times its rows.
fn leaf_logs(
    columns: &[QuasiColumn],
    leaf_rows: &[Vec<u64>],
    leaves: &[u32],
    counts: &[u64],
    order: &[u32],
) -> Vec<f64> {
    let width = columns.len();
    let log = |column: &QuasiColumn, leaf: usize, rows: u64| (rows as f64).ln() + column.domain.log_share(leaf);
    let logs: Vec<Vec<f64>> = columns
        .iter()
        .zip(leaf_rows)
        .map(|(column, rows)| rows.iter().enumerate().map(|(leaf, rows)| log(column, leaf, *rows)).collect())
        .collect();
    order
        .iter()
        .map(|&tuple| {
            let leaves = &leaves[tuple as usize * width..(tuple as usize + 1) * width];
            let sum: f64 = leaves.iter().zip(&logs).map(|(leaf, logs)| logs[*leaf as usize]).sum();
            sum * counts[tuple as usize] as f64
        })
        .collect()
}

/// The partition of every level of every column.
fn levels(columns: &[QuasiColumn], leaf_rows: &[Vec<u64>]) -> Vec<Vec<Arc<ColumnSets>>> {
    let of_column = |(column, rows): (&QuasiColumn, &Vec<u64>)| {
        let levels = 0..=column.hierarchy.height();
        levels.map(|n| Arc::new(ColumnSets::of_sets(&column.hierarchy.level(n).set_of, rows))).collect()
    };
    columns.iter().zip(leaf_rows).map(of_column).collect()
}

/// Compressed rows of one attribute, tuples at their sorted positions.
fn distribution(counts: &[AttributeCount], position: &[u32]) -> Distribution {
    let mut entries: Vec<(u32, u32, u32)> =
        counts.iter().map(|entry| (position[entry.tuple as usize], entry.value, entry.count as u32)).collect();
    entries.sort_unstable();
    let mut offsets = vec![0u32; position.len() + 1];
    for (tuple, _, _) in &entries {
        offsets[*tuple as usize + 1] += 1;
    }
    for tuple in 0..position.len() {
        offsets[tuple + 1] += offsets[tuple];
    }
    Distribution {
        offsets,
        values: entries.iter().map(|entry| entry.1).collect(),
        counts: entries.iter().map(|entry| entry.2).collect(),
    }
}
