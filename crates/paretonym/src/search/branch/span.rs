//! All recodings between a coarsest and a finest one, and the questions that halve them.

use crate::recode::Family;
use crate::search::genetic::{Genome, Layout};

/// A yes-or-no question about one column. Yes is finer: a break is there, a node of the tree is open, the level lies below one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Question {
    pub column: usize,
    /// Breaks: the gap between two neighbouring leaves. Cuts: the inner node. Levels: whether the level is lower than this.
    pub about: usize,
}

/// The recodings between two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// What all of them tell apart, at least.
    pub coarsest: Genome,
    /// What none of them goes beyond.
    pub finest: Genome,
}

impl Span {
    /// All recodings.
    pub fn whole(layout: &Layout) -> Self {
        let mut finest = Genome::zeros(layout.bits);
        finest.fill(0..layout.bits, true);
        Span { coarsest: Genome::zeros(layout.bits), finest }
    }

    /// Whether one recoding is left.
    pub fn is_single(&self) -> bool {
        self.coarsest == self.finest
    }

    /// Keeps those of which the answer is yes.
    pub fn demand(&mut self, layout: &Layout, question: Question) {
        let segment = &layout.segments[question.column];
        let start = segment.bits.start;
        match segment.family {
            Family::Breaks => self.coarsest.set(start + question.about, true),
            Family::Cuts => {
                let mut node = Some(question.about);
                while let Some(open) = node {
                    segment.tree[open].gaps.iter().for_each(|gap| self.coarsest.set(*gap, true));
                    node = segment.tree[open].parent;
                }
            }
            // As many ones as levels below the top, all in front.
            Family::Levels => self.coarsest.fill(start..segment.bits.end + 1 - question.about, true),
        }
    }

    /// Keeps those of which the answer is no.
    pub fn forbid(&mut self, layout: &Layout, question: Question) {
        let segment = &layout.segments[question.column];
        match segment.family {
            Family::Breaks => self.finest.set(segment.bits.start + question.about, false),
            Family::Cuts => self.finest.fill(segment.tree[question.about].span.clone(), false),
            Family::Levels => self.finest.fill(segment.bits.end - question.about..segment.bits.end, false),
        }
    }
}
