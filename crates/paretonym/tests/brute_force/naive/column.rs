//! A quasi column: its leaves, and the sets of each of its levels.

use crate::support::{Quasi, Tree, Written};

/// A quasi column.
pub struct Column {
    /// The leaf of each row.
    pub(super) leaf_of: Vec<usize>,
    /// The number of leaves of the domain, whether they occur or not.
    pub(super) leaves: usize,
    /// The set of each leaf at each level; level 0 shows the leaves, the last one shows one set.
    pub(super) levels: Vec<Vec<usize>>,
    /// Where the leaves lie on the line of numbers.
    pub(super) bounds: Option<Vec<(f64, f64)>>,
    pub(super) weight: f64,
}

/// The sets of each level of a tree: a leaf shows its highest ancestor that is no higher than the level.
pub(super) fn tree_levels(tree: &Tree) -> Vec<Vec<usize>> {
    fn height(tree: &Tree) -> usize {
        match tree {
            Tree::Leaf(_) => 0,
            Tree::Node(children) => 1 + children.iter().map(height).max().unwrap(),
        }
    }
    fn show(tree: &Tree, level: usize, next: &mut usize, sets: &mut Vec<usize>) {
        match tree {
            Tree::Node(children) if height(tree) > level => {
                children.iter().for_each(|child| show(child, level, next, sets));
            }
            _ => {
                sets.extend(tree.leaves().iter().map(|_| *next));
                *next += 1;
            }
        }
    }
    let level = |level| {
        let (mut next, mut sets) = (0, Vec::new());
        show(tree, level, &mut next, &mut sets);
        sets
    };
    (0..=height(tree)).map(level).collect()
}

/// The sets of each level, from the levels at which neighbours come together.
pub(super) fn join_levels(joins: &[usize]) -> Vec<Vec<usize>> {
    let level = |level: usize| {
        let mut sets = vec![0];
        joins.iter().for_each(|join| sets.push(sets[sets.len() - 1] + usize::from(*join > level)));
        sets
    };
    (0..=*joins.iter().max().unwrap()).map(level).collect()
}

/// Level 0, a level per naming of the leaves' sets, and the top unless the last level is already one set.
fn levels_by(leaves: usize, namings: &[Vec<i64>]) -> Vec<Vec<usize>> {
    let mut levels: Vec<Vec<usize>> = vec![(0..leaves).collect()];
    for names in namings {
        let mut sets: Vec<usize> = vec![0];
        (1..leaves).for_each(|leaf| sets.push(sets[leaf - 1] + usize::from(names[leaf] != names[leaf - 1])));
        levels.push(sets);
    }
    if levels.len() == 1 || levels[levels.len() - 1][leaves - 1] > 0 {
        levels.push(vec![0; leaves]);
    }
    levels
}

/// Levels of so many neighbouring leaves.
fn by_groups(leaves: usize, sizes: &[usize]) -> Vec<Vec<usize>> {
    let naming = |size: &usize| (0..leaves).map(|leaf| (leaf / size) as i64).collect();
    levels_by(leaves, &sizes.iter().map(naming).collect::<Vec<_>>())
}

pub(super) fn number(cell: &str) -> f64 {
    cell.parse().unwrap()
}

pub(super) fn occurring_texts(cells: &[&str]) -> Vec<String> {
    let mut texts: Vec<String> = cells.iter().map(|cell| (*cell).to_owned()).collect();
    texts.sort();
    texts.dedup();
    texts
}

pub(super) fn occurring_numbers(cells: &[&str]) -> Vec<f64> {
    let mut numbers: Vec<f64> = cells.iter().map(|cell| number(cell)).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    numbers
}

pub(super) fn places<T: PartialEq>(values: &[T], cells: impl Iterator<Item = T>) -> Vec<usize> {
    cells.map(|cell| values.iter().position(|value| *value == cell).unwrap()).collect()
}

impl Column {
    pub(super) fn new(quasi: &Quasi, cells: &[&str], weight: f64) -> Self {
        let named = |labels: &[String]| places(labels, cells.iter().map(|cell| (*cell).to_owned()));
        let (leaf_of, levels, bounds) = match &quasi.written {
            Written::Lines(joins) => (named(&quasi.written.cells()), join_levels(joins), None),
            Written::Nested(tree) => (named(&tree.leaves()), tree_levels(tree), None),
            Written::Widths(widths) => {
                let numbers = occurring_numbers(cells);
                let naming = |width: &f64| numbers.iter().map(|number| (number / width).floor() as i64).collect();
                let levels = levels_by(numbers.len(), &widths.iter().map(naming).collect::<Vec<_>>());
                let bounds = numbers.iter().map(|number| (*number, *number)).collect();
                (places(&numbers, cells.iter().map(|cell| number(cell))), levels, Some(bounds))
            }
            Written::Bins(sizes) => {
                let leaf_of = cells.iter().map(|cell| (number(cell) / 5.0).floor() as usize).collect();
                let bounds = (0..6).map(|bin| (f64::from(bin) * 5.0, f64::from(bin + 1) * 5.0)).collect();
                (leaf_of, by_groups(6, sizes), Some(bounds))
            }
            Written::Ordered(sizes) => (named(&quasi.written.cells()), by_groups(5, sizes), None),
            Written::Texts => {
                let texts = occurring_texts(cells);
                (named(&texts), levels_by(texts.len(), &[]), None)
            }
        };
        Column { leaf_of, leaves: levels[0].len(), levels, bounds, weight }
    }

    /// Takes all partitions into runs of leaves in place of the levels; or only those whose sets are all in some level, which
    /// are the cuts of a tree.
    pub fn take_partitions(&mut self, cuts: bool) {
        let runs = |bits: u32| {
            let mut sets = vec![0];
            (1..self.leaves).for_each(|leaf| sets.push(sets[leaf - 1] + (bits >> (leaf - 1) & 1) as usize));
            sets
        };
        let members =
            |sets: &[usize], set: usize| -> Vec<usize> { (0..sets.len()).filter(|leaf| sets[*leaf] == set).collect() };
        let known = |own: &Vec<usize>| self.levels.iter().any(|sets| members(sets, sets[own[0]]) == *own);
        // The leaves themselves come first, as among levels.
        let all = (0..1u32 << (self.leaves - 1)).rev().map(runs);
        let fits = |sets: &Vec<usize>| !cuts || sets.iter().all(|set| known(&members(sets, *set)));
        self.levels = all.filter(fits).collect();
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        self.leaves
    }

    pub(super) fn height(&self) -> usize {
        self.levels.len() - 1
    }

    /// The rows of a row's set, and the leaves of it.
    pub(super) fn set(&self, level: usize, row: usize) -> (Vec<usize>, Vec<usize>) {
        let sets = &self.levels[level];
        let set = sets[self.leaf_of[row]];
        let rows = (0..self.leaf_of.len()).filter(|other| sets[self.leaf_of[*other]] == set).collect();
        (rows, (0..self.leaves).filter(|leaf| sets[*leaf] == set).collect())
    }

    /// (|set| - 1) / (|domain| - 1), or by width.
    pub(super) fn cell_loss(&self, level: usize, row: usize, by_width: bool) -> f64 {
        let (_, leaves) = self.set(level, row);
        match &self.bounds {
            Some(bounds) if by_width => {
                let upper = leaves.iter().map(|leaf| bounds[*leaf].1).fold(f64::MIN, f64::max);
                let lower = leaves.iter().map(|leaf| bounds[*leaf].0).fold(f64::MAX, f64::min);
                (upper - lower) / (bounds[bounds.len() - 1].1 - bounds[0].0)
            }
            _ => (leaves.len() - 1) as f64 / (self.leaves - 1) as f64,
        }
    }
}
