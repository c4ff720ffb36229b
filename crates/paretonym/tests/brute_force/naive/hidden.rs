//! A sensitive column: its values, and how far apart they are.

use super::column::{join_levels, number, occurring_numbers, occurring_texts, places, tree_levels};
use crate::support::Sensitive;

/// How far apart sensitive values are.
enum Distance {
    Nominal,
    Ordered,
    /// The sets of each level above the values.
    Taxonomy(Vec<Vec<usize>>),
}

pub(super) struct Hidden {
    pub(super) value_of: Vec<usize>,
    pub(super) values: usize,
    distance: Distance,
}

impl Hidden {
    pub(super) fn new(sensitive: &Sensitive, cells: &[&str]) -> Self {
        let named = |labels: &[String]| places(labels, cells.iter().map(|cell| (*cell).to_owned()));
        let (value_of, values, distance) = match sensitive {
            Sensitive::Nominal => {
                let texts = occurring_texts(cells);
                (named(&texts), texts.len(), Distance::Nominal)
            }
            Sensitive::Ordinal => (named(&sensitive.cells()), 4, Distance::Ordered),
            Sensitive::Numeric => {
                let numbers = occurring_numbers(cells);
                (places(&numbers, cells.iter().map(|cell| number(cell))), numbers.len(), Distance::Ordered)
            }
            Sensitive::Nested(tree) => {
                (named(&tree.leaves()), tree.leaves().len(), Distance::Taxonomy(tree_levels(tree)))
            }
            Sensitive::Lines(joins) => {
                (named(&sensitive.cells()), joins.len() + 1, Distance::Taxonomy(join_levels(joins)))
            }
        };
        Hidden { value_of, values, distance }
    }

    /// How often each value of the domain occurs among rows.
    pub(super) fn counts(&self, rows: &[usize]) -> Vec<usize> {
        (0..self.values).map(|value| rows.iter().filter(|row| self.value_of[**row] == value).count()).collect()
    }

    pub(super) fn shares(&self, rows: &[usize]) -> Vec<f64> {
        self.counts(rows).iter().map(|count| *count as f64 / rows.len() as f64).collect()
    }

    /// Counts of the values that occur, falling.
    pub(super) fn falling(&self, rows: &[usize]) -> Vec<usize> {
        let mut counts: Vec<usize> = self.counts(rows).into_iter().filter(|count| *count > 0).collect();
        counts.sort_by(|a, b| b.cmp(a));
        counts
    }

    pub(super) fn earth_movers(&self, rows: &[usize]) -> f64 {
        let everyone: Vec<usize> = (0..self.value_of.len()).collect();
        let (p, q) = (self.shares(rows), self.shares(&everyone));
        let extra: Vec<f64> = p.iter().zip(&q).map(|(p, q)| p - q).collect();
        match &self.distance {
            Distance::Nominal => extra.iter().map(|extra| extra.abs()).sum::<f64>() / 2.0,
            Distance::Ordered if self.values == 1 => 0.0,
            Distance::Ordered => {
                let up_to = |i: usize| extra[..=i].iter().sum::<f64>().abs();
                (0..self.values - 1).map(up_to).sum::<f64>() / (self.values - 1) as f64
            }
            Distance::Taxonomy(levels) => {
                let sum = |sets: &[usize], set: usize| -> f64 {
                    (0..self.values).filter(|value| sets[*value] == set).map(|value| extra[value]).sum()
                };
                let height = levels.len() - 1;
                let mut work = 0.0;
                for level in 1..=height {
                    // A set that the level below shows too has one child, and nothing moves within it.
                    for set in 0..=*levels[level].last().unwrap() {
                        let inside = |value: &usize| levels[level][*value] == set;
                        let mut children: Vec<usize> =
                            (0..self.values).filter(inside).map(|value| levels[level - 1][value]).collect();
                        children.dedup();
                        let moved: Vec<f64> = children.iter().map(|child| sum(&levels[level - 1], *child)).collect();
                        let surplus: f64 = moved.iter().filter(|extra| **extra > 0.0).sum();
                        let shortage: f64 = moved.iter().filter(|extra| **extra < 0.0).map(|extra| -extra).sum();
                        work += level as f64 / height as f64 * surplus.min(shortage);
                    }
                }
                work
            }
        }
    }
}
