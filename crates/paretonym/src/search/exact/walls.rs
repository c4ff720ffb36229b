//! What evaluated nodes say of others: which are ruled out, and which are known to do. Many nodes are asked at once, a bit
//! for each.

use crate::search::lattice::Node;

/// More nodes than this are not remembered: asking them would take longer than evaluating.
const MOST: usize = 1 << 14;

/// Nodes with what reaching a target adds to their loss; infinite where they cannot reach it.
#[derive(Default)]
pub(super) struct Evaluated {
    nodes: Vec<Node>,
    extras: Vec<f64>,
    /// By column and level, a bit for each node that is at this level or above.
    at_least: Vec<Vec<Vec<u64>>>,
}

/// No node of a box can be of use.
pub(super) struct RuledOut;

impl Evaluated {
    /// None yet, of a lattice of so many levels.
    pub fn new(heights: &[u32]) -> Self {
        let levels = |height: &u32| vec![Vec::new(); *height as usize + 2];
        Evaluated { nodes: Vec::new(), extras: Vec::new(), at_least: heights.iter().map(levels).collect() }
    }

    /// Remembers a node, if there is room.
    pub fn push(&mut self, node: &Node, extra: f64) {
        if self.nodes.len() >= MOST {
            return;
        }
        let (word, bit) = (self.nodes.len() / 64, 1u64 << (self.nodes.len() % 64));
        for (levels, own) in self.at_least.iter_mut().zip(node) {
            for (level, words) in levels.iter_mut().enumerate() {
                words.resize(word + 1, 0);
                words[word] |= if level as u32 <= *own { bit } else { 0 };
            }
        }
        self.nodes.push(node.clone());
        self.extras.push(extra);
    }

    /// Whether a finer node is known that reaches the target for less than so much extra: then so does this one.
    pub fn reached(&self, node: &Node, limit: f64) -> bool {
        (0..self.nodes.len().div_ceil(64)).any(|word| {
            let mut finer = self.all(word);
            for (levels, own) in self.at_least.iter().zip(node) {
                finer &= !levels[*own as usize + 1][word];
            }
            places(word, finer).any(|at| self.extras[at] < limit)
        })
    }

    /// Raises the lower corner of a box above every node that rules its nodes out because reaching the target costs them
    /// `limit` or more. A node that rules out the whole box, or leaves but one column to get above it, is enough: others are
    /// of no use here. Says which columns were raised.
    pub fn climb(&self, low: &mut Node, high: &Node, limit: f64) -> Result<Vec<usize>, RuledOut> {
        let mut raised = Vec::new();
        for word in 0..self.nodes.len().div_ceil(64) {
            // Nodes at or above the lower corner; of those, in how many columns the box reaches above them: one, or more.
            let (mut above, mut one, mut more) = (self.all(word), 0, 0);
            for ((levels, low), high) in self.at_least.iter().zip(low.iter()).zip(high) {
                above &= levels[*low as usize][word];
                if above == 0 {
                    break;
                }
                let free = !levels[*high as usize][word];
                more |= one & free;
                one |= free;
            }
            for at in places(word, above & !more) {
                if self.extras[at] < limit {
                    continue;
                }
                let wall = &self.nodes[at];
                let free = (0..low.len()).find(|column| wall[*column] < high[*column]).ok_or(RuledOut)?;
                if low[free] <= wall[free] {
                    low[free] = wall[free] + 1;
                    raised.push(free);
                }
            }
        }
        Ok(raised)
    }

    /// The bits of a word that stand for nodes.
    fn all(&self, word: usize) -> u64 {
        match self.nodes.len() - word * 64 {
            some @ 0..64 => (1 << some) - 1,
            _ => u64::MAX,
        }
    }
}

/// The places behind some bits of a word.
fn places(word: usize, bits: u64) -> impl Iterator<Item = usize> {
    let mut rest = bits;
    std::iter::from_fn(move || {
        let bit = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (bit < 64).then_some(word * 64 + bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_raise_the_corner_that_they_rule_out() {
        let mut walls = Evaluated::new(&[3, 2, 2]);
        walls.push(&vec![1, 2, 2], f64::INFINITY);
        walls.push(&vec![3, 0, 0], 0.5);
        let (mut low, high) = (vec![0, 0, 0], vec![3, 2, 2]);
        assert_eq!(walls.climb(&mut low, &high, 0.1).ok(), Some(vec![0]), "the second leaves two columns");
        assert_eq!(low, [2, 0, 0]);
        assert!(walls.climb(&mut vec![0, 0, 0], &vec![1, 2, 1], 0.1).is_err());
        assert!(walls.climb(&mut vec![2, 0, 0], &vec![3, 0, 0], 0.1).is_err());
        assert!(walls.climb(&mut vec![2, 0, 0], &vec![3, 0, 0], 0.6).is_ok_and(|raised| raised.is_empty()));
    }

    #[test]
    fn what_a_finer_node_reaches_is_reached() {
        let mut good = Evaluated::new(&[3, 2]);
        (0..70).for_each(|_| good.push(&vec![3, 2], 0.0));
        good.push(&vec![1, 1], 0.2);
        assert!(good.reached(&vec![1, 2], 0.3) && good.reached(&vec![3, 2], 0.1));
        assert!(!good.reached(&vec![1, 2], 0.2) && !good.reached(&vec![0, 2], 0.3));
    }
}
