//! What each run of leaves comes to: one pass over the contexts of its leaves, shared by all runs from one leaf on.

use super::{ColumnCounts, Runs};
use crate::group::FrequencyTable;
use crate::measure::{GroupCost, Loss};

/// The cost and the weight of each run of a column, in rows: a loss is the sum of costs divided by the rows of the table.
#[derive(Clone, Debug, Default)]
pub struct Prices {
    /// What a run costs.
    pub cost: Vec<f64>,
    /// What is limited, or traded against the cost.
    pub weight: Vec<f64>,
    /// Rows of each context in the run at hand.
    held: Vec<u32>,
    /// Rows of each context and class, and of the largest class of each context.
    classes: Vec<u32>,
    largest: Vec<u32>,
}

impl Prices {
    /// Groups of fewer than `size` rows are suppressed: costs are what kept groups lose and suppressed rows pay, weights the
    /// suppressed rows.
    pub fn at_size(&mut self, table: &FrequencyTable, loss: &dyn Loss, counts: &ColumnCounts, runs: &Runs, size: u32) {
        self.clear(runs);
        match loss.group_cost(table) {
            GroupCost::Cells => self.cells_at_size(counts, runs, size),
            GroupCost::Minority(_) => self.minority_at_size(counts, runs, size),
            GroupCost::Squares => self.squares_at_size(counts, runs, size, table.rows as f64),
            GroupCost::Other => unreachable!("only sums over groups have prices"),
        }
    }

    /// Nothing is suppressed: costs are what groups lose, weights the squares of their sizes below zero. For losses of cells.
    pub fn of_squares(&mut self, counts: &ColumnCounts, runs: &Runs) {
        self.clear(runs);
        for start in 0..runs.leaves() {
            self.held.clear();
            self.held.resize(counts.contexts(), 0);
            let (mut rows, mut others, mut squares, mut leaf) = (0.0, 0.0, 0.0, start);
            for run in runs.from(start) {
                while leaf < runs.ends[run] as usize {
                    for entry in counts.of_leaf(leaf) {
                        let held = &mut self.held[entry.context as usize];
                        let (before, own) = (f64::from(*held), f64::from(entry.rows));
                        *held += entry.rows;
                        squares += own * (2.0 * before + own);
                        rows += own;
                        others += own * counts.others[entry.context as usize];
                    }
                    leaf += 1;
                }
                self.cost[run] = others + rows * runs.cells[run];
                self.weight[run] = -squares;
            }
        }
    }

    /// Costs for weights and weights for costs.
    pub fn swap(&mut self) {
        std::mem::swap(&mut self.cost, &mut self.weight);
    }

    fn clear(&mut self, runs: &Runs) {
        for list in [&mut self.cost, &mut self.weight] {
            list.clear();
            list.resize(runs.count(), 0.0);
        }
    }

    fn cells_at_size(&mut self, counts: &ColumnCounts, runs: &Runs, size: u32) {
        for start in 0..runs.leaves() {
            self.held.clear();
            self.held.resize(counts.contexts(), 0);
            let (mut kept, mut others, mut lost, mut leaf) = (0u64, 0.0, 0u64, start);
            for run in runs.from(start) {
                while leaf < runs.ends[run] as usize {
                    for entry in counts.of_leaf(leaf) {
                        let held = &mut self.held[entry.context as usize];
                        let before = *held;
                        let after = before + entry.rows;
                        *held = after;
                        if after < size {
                            lost += u64::from(entry.rows);
                            continue;
                        }
                        // A context that has become large enough brings the rows along that were lost so far.
                        let (new, back) = if before < size { (after, before) } else { (entry.rows, 0) };
                        kept += u64::from(new);
                        lost -= u64::from(back);
                        others += f64::from(new) * counts.others[entry.context as usize];
                    }
                    leaf += 1;
                }
                self.cost[run] = others + kept as f64 * runs.cells[run] + lost as f64;
                self.weight[run] = lost as f64;
            }
        }
    }

    fn squares_at_size(&mut self, counts: &ColumnCounts, runs: &Runs, size: u32, price: f64) {
        for start in 0..runs.leaves() {
            self.held.clear();
            self.held.resize(counts.contexts(), 0);
            let (mut squares, mut lost, mut leaf) = (0.0, 0u64, start);
            for run in runs.from(start) {
                while leaf < runs.ends[run] as usize {
                    for entry in counts.of_leaf(leaf) {
                        let held = &mut self.held[entry.context as usize];
                        let before = *held;
                        *held += entry.rows;
                        if *held < size {
                            lost += u64::from(entry.rows);
                            continue;
                        }
                        let earlier = if before < size { 0.0 } else { f64::from(before).powi(2) };
                        lost -= u64::from(if before < size { before } else { 0 });
                        squares += f64::from(*held).powi(2) - earlier;
                    }
                    leaf += 1;
                }
                self.cost[run] = squares + lost as f64 * price;
                self.weight[run] = lost as f64;
            }
        }
    }

    fn minority_at_size(&mut self, counts: &ColumnCounts, runs: &Runs, size: u32) {
        for start in 0..runs.leaves() {
            for (list, length) in [
                (&mut self.held, counts.contexts()),
                (&mut self.largest, counts.contexts()),
                (&mut self.classes, counts.contexts() * counts.classes),
            ] {
                list.clear();
                list.resize(length, 0);
            }
            // Rows that are kept and of the class of their group, and rows that are lost.
            let (mut right, mut all, mut lost, mut leaf) = (0u64, 0u64, 0u64, start);
            for run in runs.from(start) {
                while leaf < runs.ends[run] as usize {
                    for (entry, classes) in counts.classes_of_leaf(leaf) {
                        let context = entry.context as usize;
                        let (before, most) = (self.held[context], self.largest[context]);
                        let own = &mut self.classes[context * counts.classes..(context + 1) * counts.classes];
                        let mut largest = most;
                        for (class, rows) in classes {
                            own[*class as usize] += rows;
                            largest = largest.max(own[*class as usize]);
                        }
                        (self.held[context], self.largest[context]) = (before + entry.rows, largest);
                        all += u64::from(entry.rows);
                        match (before < size, before + entry.rows < size) {
                            (_, true) => lost += u64::from(entry.rows),
                            (true, false) => {
                                lost -= u64::from(before);
                                right += u64::from(largest);
                            }
                            (false, false) => right += u64::from(largest - most),
                        }
                    }
                    leaf += 1;
                }
                self.cost[run] = (all - right) as f64;
                self.weight[run] = lost as f64;
            }
        }
    }
}
