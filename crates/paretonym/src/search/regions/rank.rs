//! Which splits of a node are worth remembering: the best ones, or for every number of rows that both halves might have
//! to keep the best one that keeps it.

/// A split of a node: the values of a column from `first` to before `end`, as numbered in the node, go left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Split {
    pub loss: f64,
    pub smaller: u64,
    pub field: usize,
    pub first: u32,
    pub end: u32,
}

impl Split {
    /// Less loss first, then more even halves, then the earlier column.
    fn key(&self) -> (f64, std::cmp::Reverse<u64>, usize, u32, u32) {
        (self.loss, std::cmp::Reverse(self.smaller), self.field, self.first, self.end)
    }

    fn beats(&self, other: &Split) -> bool {
        self.key() < other.key()
    }
}

/// What is asked of the splits of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Wanted {
    /// The best one for every floor from `least` rows to `most`.
    ForFloors { least: u64, most: u64 },
    /// So many of the best.
    Best(usize),
}

/// Splits that are remembered, best first.
pub(super) struct Ranking {
    wanted: Wanted,
    splits: Vec<Split>,
}

impl Default for Ranking {
    fn default() -> Self {
        Ranking { wanted: Wanted::Best(0), splits: Vec::new() }
    }
}

impl Ranking {
    /// Forgets all of them.
    pub fn clear(&mut self, wanted: Wanted) {
        self.wanted = wanted;
        self.splits.clear();
    }

    /// Best first. Where they are for floors, each has a larger smaller half than those before it, as far as that matters.
    pub fn splits(&self) -> &[Split] {
        &self.splits
    }

    /// The place of the best split whose halves have so many rows.
    pub fn keeping(&self, rows: u64) -> Option<usize> {
        self.splits.iter().position(|split| split.smaller >= rows)
    }

    /// Whether a split with such a smaller half can be wanted.
    pub fn takes(&self, smaller: u64) -> bool {
        match self.wanted {
            Wanted::ForFloors { least, .. } => smaller >= least,
            Wanted::Best(_) => smaller > 0,
        }
    }

    /// Remembers a split if it is wanted.
    pub fn offer(&mut self, split: Split) {
        if !self.takes(split.smaller) {
            return;
        }
        let place = self.splits.partition_point(|other| !split.beats(other));
        match self.wanted {
            Wanted::Best(keep) => {
                if place < keep {
                    self.splits.insert(place, split);
                    self.splits.truncate(keep);
                }
            }
            Wanted::ForFloors { most, .. } => {
                // No floor is higher, so that larger halves than that are no advantage.
                let reach = |split: &Split| split.smaller.min(most);
                let served = |better: &Split| reach(better) >= reach(&split);
                if self.splits[..place].last().is_some_and(served) {
                    return;
                }
                let worse = self.splits[place..].iter().take_while(|other| reach(other) <= reach(&split)).count();
                self.splits.splice(place..place + worse, [split]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_floor_finds_its_best_split(
            offered in prop::collection::vec((0u32..12, 1u64..40, 0usize..3, 0u32..4), 0..60),
            least in 1u64..20,
            more in 0u64..20,
        ) {
            let most = least + more;
            let mut ranking = Ranking::default();
            ranking.clear(Wanted::ForFloors { least, most });
            let splits: Vec<Split> = offered
                .iter()
                .map(|&(loss, smaller, field, first)| {
                    Split { loss: f64::from(loss), smaller, field, first, end: first + 1 }
                })
                .collect();
            splits.iter().for_each(|split| ranking.offer(*split));
            for rows in least..=most {
                let fitting = splits.iter().filter(|split| split.smaller >= rows);
                let best = fitting.fold(None::<Split>, |best, split| match best {
                    Some(best) if !split.beats(&best) => Some(best),
                    _ => Some(*split),
                });
                prop_assert_eq!(ranking.keeping(rows).map(|at| ranking.splits()[at]), best);
            }
        }
    }
}
