//! A frequency table from what was counted. Whatever came in goes as soon as the table holds it: there is never more than
//! one column twice.

use std::sync::{Arc, OnceLock};

use super::fusion::Fusion;
use super::{Attribute, Distribution, FrequencyTable, Tuples};
use crate::data::{AttributeCount, Narrow, sorted_order};
use crate::error::{Error, Result};
use crate::recode::{ColumnSets, QuasiColumn};

/// Distinct tuples by their leaves, in any order.
#[derive(Clone, Debug, Default)]
pub struct LeafCounts {
    /// Per quasi column: the leaf of each tuple.
    pub leaves: Vec<Narrow>,
    /// The rows of each tuple.
    pub rows: Narrow,
    /// Per attribute: how often each of its values occurs with each tuple.
    pub attributes: Vec<Distribution>,
}

impl LeafCounts {
    /// From leaves tuple after tuple, `width` of them each, and attribute counts in any order.
    fn of_tuples(width: usize, leaves: &[u32], counts: &[u64], attribute_counts: &[Vec<AttributeCount>]) -> Self {
        let column = |at: usize| leaves.iter().skip(at).step_by(width.max(1)).copied().collect();
        let attributes = attribute_counts.iter().map(|entries| {
            let mut entries = entries.clone();
            entries.sort_unstable();
            Distribution::of_sorted(counts.len(), entries.into_iter())
        });
        LeafCounts {
            leaves: (0..width).map(column).collect(),
            rows: counts.iter().copied().collect(),
            attributes: attributes.collect(),
        }
    }
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
        let counts = LeafCounts::of_tuples(columns.len(), leaves, counts, attribute_counts);
        FrequencyTable::of_counts(columns, attributes, counts, dropped)
    }

    /// From counted tuples, which must be distinct.
    pub fn of_counts(
        columns: Vec<QuasiColumn>,
        attributes: Vec<Attribute>,
        counts: LeafCounts,
        dropped: u64,
    ) -> Result<Self> {
        Ok(FrequencyTable::build(columns, attributes, counts, dropped)?.0)
    }

    /// The groups of a recoding in place of the distinct tuples: the leaves are any leaves of the sets that a group shows,
    /// and `leaf_counts`, which come back sorted by the positions of the groups, say per column how many rows of each
    /// group have which leaf. What the recoding makes of this table is what it would make of the tuples.
    pub fn of_groups(
        columns: Vec<QuasiColumn>,
        attributes: Vec<Attribute>,
        counts: LeafCounts,
        dropped: u64,
        leaf_counts: &mut [Vec<AttributeCount>],
    ) -> Result<Self> {
        let (mut table, order) = FrequencyTable::build(columns, attributes, counts, dropped)?;
        let mut position = vec![0u32; order.len()];
        order.iter().enumerate().for_each(|(new, old)| position[*old as usize] = new as u32);
        let mut leaf_logs = vec![0.0; order.len()];
        for (column, entries) in leaf_counts.iter_mut().enumerate() {
            let rows = &mut table.leaf_rows[column];
            rows.fill(0);
            entries.iter().for_each(|entry| rows[entry.value as usize] += entry.count);
            for entry in entries.iter_mut() {
                entry.tuple = position[entry.tuple as usize];
                leaf_logs[entry.tuple as usize] += entry.count as f64 * (rows[entry.value as usize] as f64).ln();
            }
            entries.sort_unstable();
        }
        Tuples::alone(&mut table.tuples).leaf_logs = leaf_logs;
        table.levels = levels(&table.columns, &table.leaf_rows);
        Ok(table)
    }

    /// The groups of a node in place of the distinct tuples, each by some leaf of each of its sets; what every coarser node
    /// makes of them is what it would make of the tuples. The rows of each leaf are given, since groups do not tell.
    pub fn of_coarse(
        columns: Vec<QuasiColumn>,
        attributes: Vec<Attribute>,
        counts: LeafCounts,
        dropped: u64,
        leaf_rows: Vec<Vec<u64>>,
    ) -> Result<Self> {
        let (mut table, _) = FrequencyTable::build(columns, attributes, counts, dropped)?;
        table.leaf_rows = leaf_rows;
        table.levels = levels(&table.columns, &table.leaf_rows);
        Ok(table)
    }

    /// The table, and where each of its tuples came from.
    fn build(
        columns: Vec<QuasiColumn>,
        mut attributes: Vec<Attribute>,
        counts: LeafCounts,
        dropped: u64,
    ) -> Result<(Self, Vec<u32>)> {
        let LeafCounts { leaves, rows: counts, attributes: distributions } = counts;
        let rows: u64 = counts.iter().sum();
        if rows == 0 {
            return Err(Error::study("the table has no rows; nothing can be explored"));
        }
        let sizes: Vec<usize> = columns.iter().map(|column| column.domain.len()).collect();
        let fusion = Fusion::of_sizes(&sizes);
        let leaf_rows: Vec<Vec<u64>> =
            leaves.iter().zip(&sizes).map(|(leaves, size)| rows_of_leaves(leaves, &counts, *size)).collect();
        let mut fused = fusion.fuse_columns(leaves);

        // Sorted by fused codes, neighbouring tuples fall into neighbouring groups: the kernel's counters stay cached.
        let order = sorted_order(&fused, counts.len());
        fused.iter_mut().for_each(|codes| *codes = codes.at(&order));
        let mut rows_of = rows_up_to(rows);
        rows_of.reserve_exact(counts.len());
        order.iter().for_each(|tuple| rows_of.push(counts.get(*tuple as usize)));
        drop(counts);

        let mut sorted = Vec::with_capacity(distributions.len());
        for (attribute, distribution) in attributes.iter_mut().zip(distributions) {
            attribute.totals = vec![0; attribute.domain.len()];
            let entries = distribution.values.iter().zip(distribution.counts.iter());
            entries.for_each(|(value, rows)| attribute.totals[value as usize] += rows);
            sorted.push(in_order(&distribution, &order));
        }

        let levels = levels(&columns, &leaf_rows);
        let tuples = Arc::new(Tuples { fused, rows: rows_of, attributes: sorted, leaf_logs: Vec::new() });
        let leaf_logs = OnceLock::new();
        let distant = None;
        let table = FrequencyTable {
            columns,
            attributes,
            tuples,
            rows,
            dropped,
            leaf_rows,
            levels,
            distant,
            fusion,
            leaf_logs,
        };
        Ok((table, order))
    }
}

/// An empty list for the rows of tuples and groups of a table of so many rows.
fn rows_up_to(rows: u64) -> Narrow {
    if rows <= u64::from(u32::MAX) { Narrow::Four(Vec::new()) } else { Narrow::Eight(Vec::new()) }
}

fn rows_of_leaves(leaves: &Narrow, counts: &Narrow, size: usize) -> Vec<u64> {
    let mut rows = vec![0; size];
    leaves.iter().zip(counts.iter()).for_each(|(leaf, count)| rows[leaf as usize] += count);
    rows
}

/// The partition of every level of every column.
fn levels(columns: &[QuasiColumn], leaf_rows: &[Vec<u64>]) -> Vec<Vec<Arc<ColumnSets>>> {
    let of_column = |(column, rows): (&QuasiColumn, &Vec<u64>)| {
        let levels = 0..=column.hierarchy.height();
        levels.map(|n| Arc::new(ColumnSets::of_sets(&column.hierarchy.level(n).set_of, rows))).collect()
    };
    columns.iter().zip(leaf_rows).map(of_column).collect()
}

/// The value counts of tuples in another order.
fn in_order(from: &Distribution, order: &[u32]) -> Distribution {
    let mut to = Distribution { values: from.values.alike(), counts: from.counts.alike(), ..Distribution::empty() };
    to.offsets.reserve_exact(order.len());
    to.values.reserve_exact(from.values.len());
    to.counts.reserve_exact(from.counts.len());
    for &tuple in order {
        from.of(tuple as usize).iter().for_each(|(value, count)| to.push(value, count));
        to.end_group();
    }
    to
}
