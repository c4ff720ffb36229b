//! A second implementation, written from the definitions alone and as plainly as they are: rows, sets of rows, sums.

// Each test program uses a part of this.
#![allow(dead_code, unused_imports)]

mod column;
mod hidden;
mod loss;
mod privacy;

use std::collections::HashMap;

use crate::support::{Quasi, Sample, Sensitive, class_costs};
use column::{Column, number, occurring_texts, places};
use hidden::Hidden;
pub use loss::Parts;

/// A table as rows.
pub struct Naive {
    pub rows: usize,
    pub columns: Vec<Column>,
    sensitive: Vec<Hidden>,
    class_of: Vec<usize>,
    classes: usize,
    /// cost[truth][given] from 0 to 1, where the study gives costs.
    costs: Vec<Vec<f64>>,
    numbers: Vec<Vec<f64>>,
}

/// What a recoding makes of the table.
pub struct Node {
    pub levels: Vec<usize>,
    /// The rows of each group.
    pub groups: Vec<Vec<usize>>,
}

impl Naive {
    pub fn new(sample: &Sample) -> Self {
        let weights: f64 = sample.quasi.iter().map(|quasi| quasi.weight.unwrap_or(1.0)).sum();
        let column = |(at, quasi): (usize, &Quasi)| {
            Column::new(quasi, &sample.column(at), quasi.weight.unwrap_or(1.0) / weights)
        };
        let hidden = |(at, own): (usize, &Sensitive)| Hidden::new(own, &sample.column(sample.quasi.len() + at));
        let cells = sample.column(sample.class());
        // A class label with a taxonomy or an order has the classes that it declares.
        let classes = match sample.quasi_class.then(|| &sample.quasi[0].written) {
            Some(written) if !written.takes_what_occurs() => written.cells(),
            _ => occurring_texts(&cells),
        };
        let mut costs: Vec<Vec<f64>> = (0..classes.len())
            .map(|truth| (0..classes.len()).map(|given| if truth == given { 0.0 } else { 1.0 }).collect())
            .collect();
        let class = |name: &String| classes.iter().position(|own| own == name).unwrap();
        for (truth, given, cost) in class_costs(&sample.classes()) {
            costs[class(&truth)][class(&given)] = cost;
        }
        let dearest = costs.iter().flatten().copied().fold(0.0, f64::max);
        costs.iter_mut().flatten().for_each(|cost| *cost /= dearest);
        let numbers = (0..sample.numeric_targets)
            .map(|at| sample.column(sample.first_number() + at).iter().map(|cell| number(cell)).collect());
        Naive {
            rows: sample.rows.len(),
            columns: sample.quasi.iter().enumerate().map(column).collect(),
            sensitive: sample.sensitive.iter().enumerate().map(hidden).collect(),
            class_of: places(&classes, cells.iter().map(|cell| (*cell).to_owned())),
            classes: classes.len(),
            costs,
            numbers: numbers.collect(),
        }
    }

    /// Every node of the lattice.
    pub fn nodes(&self) -> Vec<Node> {
        let mut all: Vec<Vec<usize>> = vec![Vec::new()];
        for column in &self.columns {
            let levels = 0..=column.height();
            all = all.iter().flat_map(|node| levels.clone().map(|level| [&node[..], &[level]].concat())).collect();
        }
        all.into_iter().map(|levels| Node { groups: self.groups(&levels), levels }).collect()
    }

    /// Rows that are equal in every recoded quasi column.
    fn groups(&self, levels: &[usize]) -> Vec<Vec<usize>> {
        let mut groups: HashMap<Vec<usize>, Vec<usize>> = HashMap::new();
        for row in 0..self.rows {
            let shown =
                self.columns.iter().zip(levels).map(|(column, level)| column.levels[*level][column.leaf_of[row]]);
            groups.entry(shown.collect()).or_default().push(row);
        }
        groups.into_values().collect()
    }
}

/// B: the largest whole number not above eta × n, at most n - 1.
pub fn budget(eta: f64, rows: usize) -> usize {
    let fitting = (0..=rows).filter(|own| *own as f64 <= eta * rows as f64 + 1e-9);
    fitting.max().unwrap().min(rows - 1)
}

/// Points that no other point dominates, one per objective vector, with the items that reach it. Less is better.
pub fn front<T>(points: Vec<(Vec<f64>, T)>) -> Vec<(Vec<f64>, Vec<T>)> {
    let same = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9);
    let dominates = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| *a <= b + 1e-9) && !same(a, b);
    let vectors: Vec<Vec<f64>> = points.iter().map(|(vector, _)| vector.clone()).collect();
    let mut front: Vec<(Vec<f64>, Vec<T>)> = Vec::new();
    for (vector, item) in points {
        if vectors.iter().any(|other| dominates(other, &vector)) {
            continue;
        }
        match front.iter_mut().find(|(own, _)| same(own, &vector)) {
            Some((_, items)) => items.push(item),
            None => front.push((vector, vec![item])),
        }
    }
    front.sort_by(|a, b| {
        let differing = a.0.iter().zip(&b.0).find(|(a, b)| (*a - *b).abs() > 1e-9);
        differing.map_or(std::cmp::Ordering::Equal, |(a, b)| a.total_cmp(b))
    });
    front
}
