//! Lower bounds on the loss of nodes of the lattice with nothing suppressed. Why they hold: docs/theory/exact.md.

use crate::group::{FrequencyTable, Grouping};
use crate::measure::{Grouped, Knowledge, Remaining};
use crate::problem::Problem;
use crate::recode::Recoding;

/// Rounding may make the loss of a finer node larger than it is by about this share.
const ROUNDING: f64 = 1e-9;

/// What each node loses at least.
pub(in crate::search) enum LossFloor {
    /// The loss is a sum over columns of what each level adds: known without grouping.
    Sum {
        /// With every column as it is.
        base: f64,
        /// What each level of each column adds.
        levels: Vec<Vec<f64>>,
    },
    /// The loss must see groups, but never falls when generalizing: the largest loss known of nodes that raise only one
    /// or two of the columns.
    Learned(Learned),
    /// Nothing is known of it.
    Unknown,
}

/// Losses of nodes that raise at most two columns.
pub(in crate::search) struct Learned {
    heights: Vec<u32>,
    /// Whether losses are free of rounding.
    whole: bool,
    /// Whether what a column adds never falls when others are raised too.
    supermodular: bool,
    base: f64,
    /// By column and level.
    singles: Vec<Vec<f64>>,
    /// By pair of columns, the smaller first, and their levels.
    pairs: Vec<Vec<f64>>,
}

impl LossFloor {
    /// For a problem whose loss is bounded below.
    pub fn new(table: &FrequencyTable, problem: &dyn Problem) -> Self {
        let heights = table.heights();
        if problem.loss().knowledge() != Knowledge::Sets {
            let loss = problem.loss();
            return LossFloor::Learned(Learned::new(heights, loss.is_whole(table), loss.is_supermodular()));
        }
        let mut node = vec![0; heights.len()];
        let base = unsuppressed(table, problem, &node);
        let mut levels = Vec::with_capacity(heights.len());
        for (column, &height) in heights.iter().enumerate() {
            let mut adds = vec![0.0];
            for level in 1..=height {
                node[column] = level;
                adds.push(unsuppressed(table, problem, &node) - base);
            }
            node[column] = 0;
            levels.push(adds);
        }
        LossFloor::Sum { base, levels }
    }

    /// A lower bound of the loss of a node with nothing suppressed.
    pub fn of(&self, node: &[u32]) -> f64 {
        match self {
            LossFloor::Sum { base, levels } => {
                base + node.iter().zip(levels).map(|(level, adds)| adds[*level as usize]).sum::<f64>()
            }
            LossFloor::Learned(learned) => learned.of(node),
            LossFloor::Unknown => f64::NEG_INFINITY,
        }
    }

    /// Nodes worth evaluating before all others because floors are learned from them: at most `room`.
    pub fn lessons(&self, room: usize) -> Vec<Vec<u32>> {
        match self {
            LossFloor::Sum { .. } | LossFloor::Unknown => Vec::new(),
            LossFloor::Learned(learned) => learned.lessons(room),
        }
    }

    /// Takes note of the loss of an evaluated node with nothing suppressed.
    pub fn learn(&mut self, node: &[u32], loss: f64) {
        let own = self.of_loss(loss);
        if let LossFloor::Learned(learned) = self {
            learned.learn(node, own);
        }
    }

    /// What all coarser nodes lose at least, given the loss of a node with nothing suppressed.
    pub fn of_loss(&self, loss: f64) -> f64 {
        if self.is_whole() { loss } else { loss - ROUNDING * loss.abs().max(1.0) }
    }

    /// Whether a floor that equals a loss is no smaller than it.
    pub fn is_whole(&self) -> bool {
        matches!(self, LossFloor::Learned(learned) if learned.whole)
    }
}

impl Learned {
    fn new(heights: Vec<u32>, whole: bool, supermodular: bool) -> Self {
        let singles = heights.iter().map(|height| vec![f64::NEG_INFINITY; *height as usize + 1]).collect();
        let cells = |a: u32, b: u32| (a as usize + 1) * (b as usize + 1);
        let pairs = (0..heights.len())
            .flat_map(|second| (0..second).map(move |first| (first, second)))
            .map(|(first, second)| vec![f64::NEG_INFINITY; cells(heights[first], heights[second])])
            .collect();
        Learned { heights, whole, supermodular, base: f64::NEG_INFINITY, singles, pairs }
    }

    /// Where the losses of a pair of columns are, and at which place that of two levels.
    fn place(&self, first: usize, second: usize, node: &[u32]) -> (usize, usize) {
        let width = self.heights[second] as usize + 1;
        (second * (second - 1) / 2 + first, node[first] as usize * width + node[second] as usize)
    }

    fn of(&self, node: &[u32]) -> f64 {
        let mut floor = if self.supermodular { self.added_up(node) } else { self.base };
        for (second, &level) in node.iter().enumerate().filter(|(_, level)| **level > 0) {
            floor = floor.max(self.singles[second][level as usize]);
            for first in (0..second).filter(|first| node[*first] > 0) {
                let (pair, place) = self.place(first, second, node);
                floor = floor.max(self.pairs[pair][place]);
            }
        }
        floor
    }

    /// What the columns add, each beside the column that makes it add most: a tree of columns, the heaviest there is. Only
    /// where all that it takes is known.
    fn added_up(&self, node: &[u32]) -> f64 {
        let mut left: Vec<(usize, f64)> = (0..node.len()).filter(|c| node[*c] > 0).map(|c| (c, 0.0)).collect();
        let single = |column: usize| self.singles[column][node[column] as usize] - self.base;
        let mut floor = self.base;
        while let Some(heaviest) = (0..left.len()).max_by(|a, b| left[*a].1.total_cmp(&left[*b].1)) {
            let (column, beside) = left.swap_remove(heaviest);
            floor += single(column) + beside;
            for (other, weight) in &mut left {
                let (first, second) = (column.min(*other), column.max(*other));
                let (pair, place) = self.place(first, second, node);
                let together = self.pairs[pair][place] - self.base - single(first) - single(second);
                *weight = weight.max(together);
            }
        }
        if floor.is_nan() { self.base } else { floor }
    }

    fn learn(&mut self, node: &[u32], loss: f64) {
        let raised: Vec<usize> = (0..node.len()).filter(|column| node[*column] > 0).collect();
        match raised[..] {
            [] => self.base = loss,
            [column] => self.singles[column][node[column] as usize] = loss,
            [first, second] => {
                let (pair, place) = self.place(first, second, node);
                self.pairs[pair][place] = loss;
            }
            _ => {}
        }
    }

    fn lessons(&self, room: usize) -> Vec<Vec<u32>> {
        let node = |raised: &[(usize, u32)]| {
            let mut node = vec![0; self.heights.len()];
            raised.iter().for_each(|(column, level)| node[*column] = *level);
            node
        };
        let steps: Vec<(usize, u32)> =
            self.heights.iter().enumerate().flat_map(|(c, h)| (1..=*h).map(move |l| (c, l))).collect();
        let mut lessons: Vec<Vec<u32>> = steps.iter().map(|step| node(&[*step])).collect();
        let pairs = steps.iter().flat_map(|a| steps.iter().filter(|b| a.0 < b.0).map(|b| node(&[*a, *b])));
        lessons.extend(pairs);
        lessons.truncate(room);
        lessons
    }
}

/// The loss of a node with nothing suppressed, from its sets alone.
fn unsuppressed(table: &FrequencyTable, problem: &dyn Problem, node: &[u32]) -> f64 {
    let mut grouping = Grouping::default();
    grouping.set_columns(table, &Recoding::of_levels(node));
    let mut sums = vec![0.0; problem.loss().sums(table)];
    problem.loss().add_all(Grouped { table, grouping: &grouping }, &mut sums);
    let remaining = Remaining { rows: table.rows, groups: 0, smallest: 0 };
    problem.loss().parts(table, &sums, remaining).total()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors_are_learned_from_nodes_that_raise_two_columns() {
        let mut floors = LossFloor::Learned(Learned::new(vec![2, 1, 3], false, false));
        assert_eq!(floors.lessons(usize::MAX).len(), 6 + 2 + 6 + 3);
        assert_eq!(floors.lessons(7).len(), 7);
        for (node, loss) in [([0, 0, 0], 0.0), ([2, 0, 0], 0.3), ([0, 1, 2], 0.5), ([2, 1, 0], 0.4)] {
            floors.learn(&node, loss);
        }
        let near = |node: &[u32], loss: f64| assert!((floors.of(node) - loss).abs() < 1e-8, "{node:?}");
        near(&[1, 0, 0], 0.0);
        near(&[2, 0, 1], 0.3);
        near(&[2, 1, 1], 0.4);
        near(&[2, 1, 2], 0.5);
    }

    #[test]
    fn what_columns_add_is_added_up_along_the_heaviest_tree() {
        let mut floors = LossFloor::Learned(Learned::new(vec![1, 1, 1], true, true));
        let singles = [([0, 0, 0], 10.0), ([1, 0, 0], 12.0), ([0, 1, 0], 13.0), ([0, 0, 1], 14.0)];
        singles.iter().for_each(|(node, loss)| floors.learn(node, *loss));
        assert_eq!(floors.of(&[1, 1, 1]), 19.0, "10 and 2, 3, 4: nothing is known of pairs");
        [([1, 1, 0], 16.0), ([1, 0, 1], 19.0), ([0, 1, 1], 19.0)]
            .iter()
            .for_each(|(node, loss)| floors.learn(node, *loss));
        assert_eq!(floors.of(&[1, 1, 1]), 19.0 + 3.0 + 2.0, "of 1, 3 and 2 beside each other the two largest");
        assert_eq!(floors.of(&[1, 1, 0]), 16.0);
        assert_eq!(floors.of(&[0, 0, 1]), 14.0);
    }
}
