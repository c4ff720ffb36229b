//! A second implementation, written from the definitions alone and as plainly as they are: rows, sets of rows, sums.

use std::collections::HashMap;

use crate::support::{Quasi, Sample, Sensitive, Tree, Written, class_costs};

/// A quasi column.
pub struct Column {
    /// The leaf of each row.
    leaf_of: Vec<usize>,
    /// The number of leaves of the domain, whether they occur or not.
    leaves: usize,
    /// The set of each leaf at each level; level 0 shows the leaves, the last one shows one set.
    levels: Vec<Vec<usize>>,
    /// Where the leaves lie on the line of numbers.
    bounds: Option<Vec<(f64, f64)>>,
    weight: f64,
}

/// How far apart sensitive values are.
enum Distance {
    Nominal,
    Ordered,
    /// The sets of each level above the values.
    Taxonomy(Vec<Vec<usize>>),
}

struct Hidden {
    value_of: Vec<usize>,
    values: usize,
    distance: Distance,
}

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

/// The loss of the kept rows and what the suppressed ones pay.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    pub kept: f64,
    pub suppressed: f64,
}

/// The sets of each level of a tree: a leaf shows its highest ancestor that is no higher than the level.
fn tree_levels(tree: &Tree) -> Vec<Vec<usize>> {
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
fn join_levels(joins: &[usize]) -> Vec<Vec<usize>> {
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

fn number(cell: &str) -> f64 {
    cell.parse().unwrap()
}

fn occurring_texts(cells: &[&str]) -> Vec<String> {
    let mut texts: Vec<String> = cells.iter().map(|cell| (*cell).to_owned()).collect();
    texts.sort();
    texts.dedup();
    texts
}

fn occurring_numbers(cells: &[&str]) -> Vec<f64> {
    let mut numbers: Vec<f64> = cells.iter().map(|cell| number(cell)).collect();
    numbers.sort_by(f64::total_cmp);
    numbers.dedup();
    numbers
}

fn places<T: PartialEq>(values: &[T], cells: impl Iterator<Item = T>) -> Vec<usize> {
    cells.map(|cell| values.iter().position(|value| *value == cell).unwrap()).collect()
}

impl Column {
    fn new(quasi: &Quasi, cells: &[&str], weight: f64) -> Self {
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

    fn height(&self) -> usize {
        self.levels.len() - 1
    }

    /// The rows of a row's set, and the leaves of it.
    fn set(&self, level: usize, row: usize) -> (Vec<usize>, Vec<usize>) {
        let sets = &self.levels[level];
        let set = sets[self.leaf_of[row]];
        let rows = (0..self.leaf_of.len()).filter(|other| sets[self.leaf_of[*other]] == set).collect();
        (rows, (0..self.leaves).filter(|leaf| sets[*leaf] == set).collect())
    }

    /// (|set| - 1) / (|domain| - 1), or by width.
    fn cell_loss(&self, level: usize, row: usize, by_width: bool) -> f64 {
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

impl Hidden {
    fn new(sensitive: &Sensitive, cells: &[&str]) -> Self {
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
    fn counts(&self, rows: &[usize]) -> Vec<usize> {
        (0..self.values).map(|value| rows.iter().filter(|row| self.value_of[**row] == value).count()).collect()
    }

    fn shares(&self, rows: &[usize]) -> Vec<f64> {
        self.counts(rows).iter().map(|count| *count as f64 / rows.len() as f64).collect()
    }

    /// Counts of the values that occur, falling.
    fn falling(&self, rows: &[usize]) -> Vec<usize> {
        let mut counts: Vec<usize> = self.counts(rows).into_iter().filter(|count| *count > 0).collect();
        counts.sort_by(|a, b| b.cmp(a));
        counts
    }

    fn earth_movers(&self, rows: &[usize]) -> f64 {
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

    /// Whether less is better in a model.
    pub fn less_is_better(model: &str) -> bool {
        model == "t" || model.starts_with("alpha")
    }

    /// The level of a group.
    pub fn level(&self, model: &str, group: &[usize]) -> f64 {
        let size = group.len() as f64;
        let least = |level: &dyn Fn(&Hidden) -> f64| self.sensitive.iter().map(level).fold(f64::INFINITY, f64::min);
        let most = |level: &dyn Fn(&Hidden) -> f64| self.sensitive.iter().map(level).fold(0.0, f64::max);
        let distinct = |hidden: &Hidden| hidden.falling(group).len() as f64;
        let recursive = |hidden: &Hidden, c: f64| {
            let counts = hidden.falling(group);
            let holds = |l: &usize| (counts[0] as f64) < c * counts[l - 1..].iter().sum::<usize>() as f64;
            (1..=counts.len()).filter(holds).max().unwrap_or(0) as f64
        };
        match model {
            "k" => size,
            "frequency-l" => least(&|hidden| (group.len() / hidden.falling(group)[0]) as f64),
            "distinct-l" => least(&distinct),
            "entropy-l" => least(&|hidden| {
                let shares = hidden.falling(group).into_iter().map(|count| count as f64 / size);
                (-shares.map(|share| share * share.ln()).sum::<f64>()).exp()
            }),
            "recursive-l" => least(&|hidden| recursive(hidden, 2.0)),
            "recursive-l(c=3)" => least(&|hidden| recursive(hidden, 3.0)),
            "recursive-l(c=0.5)" => least(&|hidden| recursive(hidden, 0.5)),
            "t" => most(&|hidden| hidden.earth_movers(group)),
            "alpha(k=2)" if group.len() < 2 => 1.0,
            "alpha" | "alpha(k=2)" => most(&|hidden| hidden.falling(group)[0] as f64 / size),
            "p-sensitive(k=3)" if group.len() < 3 => 0.0,
            "p-sensitive" | "p-sensitive(k=3)" => least(&distinct),
            _ => panic!("no definition of {model}"),
        }
    }

    /// The mean over rows of their own group's level.
    pub fn weighted_level(&self, model: &str, groups: &[Vec<usize>]) -> f64 {
        groups.iter().map(|group| group.len() as f64 * self.level(model, group)).sum::<f64>() / self.rows as f64
    }

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

    /// The cut-offs that fit into a number of rows, from none on: which groups are suppressed at each.
    pub fn cutoffs(&self, model: &str, groups: &[Vec<usize>], budget: usize) -> Vec<Vec<bool>> {
        let sign = if Naive::less_is_better(model) { -1.0 } else { 1.0 };
        let levels: Vec<f64> = groups.iter().map(|group| sign * self.level(model, group)).collect();
        let mut order: Vec<usize> = (0..groups.len()).collect();
        order.sort_by(|a, b| levels[*a].total_cmp(&levels[*b]));
        let mut gone = vec![false; groups.len()];
        let mut cutoffs = vec![gone.clone()];
        while let Some(worst) = order.iter().find(|group| !gone[**group]) {
            let worst = levels[*worst];
            (0..groups.len()).filter(|group| levels[*group] <= worst + 1e-12).for_each(|group| gone[group] = true);
            let rows: usize = groups.iter().zip(&gone).filter(|(_, gone)| **gone).map(|(group, _)| group.len()).sum();
            if rows > budget {
                break;
            }
            cutoffs.push(gone.clone());
        }
        cutoffs
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
