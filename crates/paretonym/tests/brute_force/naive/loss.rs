//! Each loss metric, of a recoding with some groups suppressed.

use super::column::Column;
use super::{Naive, Node};

/// The loss of the kept rows and what the suppressed ones pay.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    pub kept: f64,
    pub suppressed: f64,
}

impl Naive {
    /// The loss of a node with some groups suppressed.
    pub fn loss(&self, name: &str, with_costs: bool, node: &Node, gone: &[bool]) -> Parts {
        let n = self.rows as f64;
        let kept: Vec<&Vec<usize>> = node.groups.iter().zip(gone).filter(|(_, gone)| !**gone).map(|(g, _)| g).collect();
        let kept_rows = || kept.iter().flat_map(|group| group.iter().copied());
        let suppressed: Vec<usize> =
            node.groups.iter().zip(gone).filter(|(_, gone)| **gone).flat_map(|(g, _)| g.iter().copied()).collect();
        let share_suppressed = suppressed.len() as f64 / n;
        let columns = || self.columns.iter().zip(node.levels.iter().copied());
        let by_width = name.ends_with("(numeric=interval)");
        match name.split('(').next().unwrap() {
            "general" => {
                let cells = columns()
                    .map(|(column, level)| kept_rows().map(|row| column.cell_loss(level, row, by_width)).sum::<f64>());
                Parts { kept: cells.sum::<f64>() / (n * self.columns.len() as f64), suppressed: share_suppressed }
            }
            "weighted" => {
                let cells = columns().map(|(column, level)| {
                    column.weight * kept_rows().map(|row| column.cell_loss(level, row, by_width)).sum::<f64>()
                });
                Parts { kept: cells.sum::<f64>() / n, suppressed: share_suppressed }
            }
            "discernibility" => Parts {
                kept: kept.iter().map(|group| (group.len() * group.len()) as f64).sum(),
                suppressed: suppressed.len() as f64 * n,
            },
            "classification" => {
                let paid: f64 = kept.iter().map(|group| self.wrong(group, with_costs)).sum();
                let group_of_its_own = name.ends_with("(suppressed=group)") && !suppressed.is_empty();
                let hidden =
                    if group_of_its_own { self.wrong(&suppressed, with_costs) } else { suppressed.len() as f64 };
                Parts { kept: paid / n, suppressed: hidden / n }
            }
            "regression" => self.regression(name.ends_with("(deviation=absolute)"), &kept, &suppressed),
            "precision" => {
                let heights = columns().map(|(column, level)| level as f64 / column.height() as f64);
                let mean = heights.sum::<f64>() / self.columns.len() as f64;
                Parts { kept: mean * (1.0 - share_suppressed), suppressed: share_suppressed }
            }
            "entropy" => self.entropy(node, &kept_rows().collect::<Vec<_>>(), &suppressed),
            "average-class" => {
                let k = kept.iter().map(|group| group.len()).min().unwrap();
                Parts { kept: kept_rows().count() as f64 / kept.len() as f64 / k as f64, suppressed: 0.0 }
            }
            _ => panic!("no definition of {name}"),
        }
    }

    /// What a group pays for its best class.
    fn wrong(&self, group: &[usize], with_costs: bool) -> f64 {
        let paid = |given: usize| -> f64 {
            let cost = |row: &usize| match (with_costs, self.class_of[*row]) {
                (true, truth) => self.costs[truth][given],
                (false, truth) if truth == given => 0.0,
                (false, _) => 1.0,
            };
            group.iter().map(cost).sum()
        };
        (0..self.classes).map(paid).fold(f64::INFINITY, f64::min)
    }

    fn regression(&self, absolute: bool, kept: &[&Vec<usize>], suppressed: &[usize]) -> Parts {
        let mut parts = Parts { kept: 0.0, suppressed: 0.0 };
        let everyone: Vec<usize> = (0..self.rows).collect();
        for numbers in &self.numbers {
            let middle = |rows: &[usize]| {
                let mut own: Vec<f64> = rows.iter().map(|row| numbers[*row]).collect();
                own.sort_by(f64::total_cmp);
                let (low, high) = (own[(own.len() - 1) / 2], own[own.len() / 2]);
                if absolute { (low + high) / 2.0 } else { own.iter().sum::<f64>() / own.len() as f64 }
            };
            let deviation = |rows: &[usize], middle: f64| -> f64 {
                let from = |row: &usize| (numbers[*row] - middle).abs();
                rows.iter().map(|row| if absolute { from(row) } else { from(row) * from(row) }).sum()
            };
            let of_table = middle(&everyone);
            if numbers.iter().all(|number| *number == numbers[0]) {
                // Nothing to explain: no recoding loses anything.
                continue;
            }
            let share = 1.0 / self.numbers.len() as f64 / deviation(&everyone, of_table);
            parts.kept += share * kept.iter().map(|group| deviation(group, middle(group))).sum::<f64>();
            parts.suppressed += share * deviation(suppressed, of_table);
        }
        parts
    }

    fn entropy(&self, node: &Node, kept: &[usize], suppressed: &[usize]) -> Parts {
        let rows_of = |column: &Column, level: usize, row: usize| column.set(level, row).0.len() as f64;
        let cell =
            |column: &Column, level: usize, row: usize| (rows_of(column, level, row) / rows_of(column, 0, row)).ln();
        let shown = |row: usize| -> f64 {
            self.columns.iter().zip(&node.levels).map(|(column, level)| cell(column, *level, row)).sum()
        };
        let hidden = |row: usize| -> f64 {
            self.columns.iter().map(|column| (self.rows as f64 / rows_of(column, 0, row)).ln()).sum()
        };
        let everything: f64 = (0..self.rows).map(hidden).sum();
        if everything == 0.0 {
            // All rows are equal: hiding them tells nothing that was not known.
            return Parts { kept: 0.0, suppressed: 0.0 };
        }
        Parts {
            kept: kept.iter().map(|row| shown(*row)).sum::<f64>() / everything,
            suppressed: suppressed.iter().map(|row| hidden(*row)).sum::<f64>() / everything,
        }
    }
}
