//! Repair of bits that are no cut of their tree, or no level: the nearest valid pattern, counted in bits (S4 4: "while
//! retaining as much as possible of the original characteristics").

use super::{Genome, Layout, Segment};
use crate::recode::Family;

impl Layout {
    /// Turns every column's bits into the nearest valid ones.
    pub fn repair(&self, genome: &mut Genome) {
        self.segments.iter().for_each(|segment| segment.repair(genome));
    }
}

impl Segment {
    /// Of equally near patterns the coarser.
    pub fn repair(&self, genome: &mut Genome) {
        match self.family {
            Family::Breaks => {}
            Family::Levels => {
                let ones = genome.ones(self.bits.clone());
                genome.fill(self.bits.clone(), false);
                genome.fill(self.bits.start..self.bits.start + ones, true);
            }
            Family::Cuts => self.repair_cut(genome),
        }
    }

    /// From the leaves up, what it would cost to open each node and keep the best below it, or to close all of it; then
    /// from the root down the cheaper of the two.
    fn repair_cut(&self, genome: &mut Genome) {
        let mut opened = vec![0usize; self.tree.len()];
        let mut closed = vec![0usize; self.tree.len()];
        for (at, inner) in self.tree.iter().enumerate().rev() {
            closed[at] = genome.ones(inner.span.clone());
            let own = inner.gaps.iter().filter(|gap| !genome.get(**gap)).count();
            opened[at] = own + inner.children.iter().map(|child| opened[*child].min(closed[*child])).sum::<usize>();
        }
        let mut open = vec![false; self.tree.len()];
        for (at, inner) in self.tree.iter().enumerate() {
            let above = inner.parent.is_none_or(|parent| open[parent]);
            open[at] = above && opened[at] < closed[at];
            inner.gaps.iter().for_each(|gap| genome.set(*gap, open[at]));
        }
    }
}
