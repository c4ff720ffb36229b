//! What any local recoding with groups of k rows loses at least.
//!
//! A row's group has k rows, so that one of them is no nearer to it than its k-th nearest row; and a cell that stands for
//! both costs what showing these two together costs, or more. The sum over all rows is a lower bound, whatever the groups
//! are, and whether or not they overlap. Rows that may be left out might pay nothing.

use rayon::prelude::*;

use super::refine::Units;
use crate::engine::Watch;

/// With more tuples there is no bound: all pairs are looked at.
const MOST_TUPLES: usize = 1 << 15;
/// Distances are rounded down to so many parts of the whole, what they consist of to finer ones.
const PARTS: usize = 4096;
const FINER: u32 = 8;
/// Tuples that one thread takes together.
const BATCH: usize = 256;

/// For each k, which must ascend, a lower bound of the loss of a row on average, where at most so many rows are left out.
/// The weights of all columns must be 1 together. None where that takes too long, or after a stop.
pub(super) fn loss_bounds(units: &Units, ks: &[u64], left_out: u64, watch: &dyn Watch) -> Option<Vec<f64>> {
    let count = units.len();
    if count > MOST_TUPLES {
        return None;
    }
    let all: Vec<u32> = (0..count as u32).collect();
    // Rows by what they pay at least, for each k.
    let nothing = || vec![0u64; ks.len() * PARTS];
    let batches: Vec<Vec<u64>> = all
        .par_chunks(BATCH)
        .map(|batch| {
            let mut paid = nothing();
            let (mut near, mut distances) = (vec![0u64; PARTS], vec![0u32; count]);
            for &unit in batch.iter().take_while(|_| !watch.cancelled()) {
                near.fill(0);
                distances.fill(0);
                for (at, column) in units.split_table.columns.iter().enumerate() {
                    let costs = costs(units, at, units.codes(unit)[at]);
                    distances.iter_mut().zip(&column.codes).for_each(|(sum, leaf)| *sum += costs[*leaf as usize]);
                }
                for (distance, rows) in distances.iter().zip(&units.rows) {
                    near[((distance >> FINER) as usize).min(PARTS - 1)] += rows;
                }
                let (mut part, mut rows) = (0, near[0]);
                for (at, k) in ks.iter().enumerate() {
                    while rows < *k && part + 1 < PARTS {
                        part += 1;
                        rows += near[part];
                    }
                    paid[at * PARTS + part] += units.rows[unit as usize];
                }
            }
            paid
        })
        .collect();
    if watch.cancelled() {
        return None;
    }
    let paid = batches.into_iter().fold(nothing(), |mut sum, batch| {
        sum.iter_mut().zip(batch).for_each(|(sum, rows)| *sum += rows);
        sum
    });
    let rows: u64 = units.rows.iter().sum();
    Some(
        paid.chunks_exact(PARTS)
            .map(|paid| {
                let mut free = left_out;
                let sum: u64 = paid
                    .iter()
                    .enumerate()
                    .rev()
                    .map(|(part, rows)| {
                        let gone = free.min(*rows);
                        free -= gone;
                        part as u64 * (rows - gone)
                    })
                    .sum();
                sum as f64 / PARTS as f64 / rows as f64
            })
            .collect(),
    )
}

/// What showing one leaf of a column together with each of its leaves costs, rounded down.
fn costs(units: &Units, column: usize, leaf: u32) -> Vec<u32> {
    let whole = f64::from((PARTS as u32) << FINER);
    let cost = |other: u32| (units.together(column, leaf, other) * whole * (1.0 - 1e-9)) as u32;
    (0..units.columns[column].leaves as u32).map(cost).collect()
}
