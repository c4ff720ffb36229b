//! What a worker keeps between two recodings.

use super::Pieces;
use super::sizes::SizeCounts;
use crate::data::Narrow;
use crate::front::{Cutoff, round};
use crate::measure::{Loss, Privacy, Remaining};

/// Buffers of one worker, reused from recoding to recoding.
#[derive(Default)]
pub struct Scratch {
    /// Cost of each piece in the privacy model.
    pub(crate) costs: Vec<f64>,
    /// Pieces that may be suppressed, worst first.
    pub(crate) order: Vec<(f64, u32)>,
    /// How many of them go at each cut-off, and the cost of the worst piece that is left.
    pub(crate) cutoffs: Vec<(usize, f64)>,
    /// Running sums of the loss.
    pub(crate) sums: Vec<f64>,
    /// What some pieces add to them.
    pub(crate) share: Vec<f64>,
    /// Those pieces.
    some: Vec<u32>,
    /// How many pieces are of each small size.
    pub(super) size_counts: SizeCounts,
}

impl Scratch {
    /// Fills in the cost of every piece in the model at a place among the problem's models.
    pub(crate) fn fill_costs(&mut self, pieces: &dyn Pieces, place: usize, privacy: &dyn Privacy) {
        self.costs.clear();
        pieces.costs(place, privacy, &mut self.costs);
    }

    /// The mean over all rows of their own group's level, before suppression, as a cost. Needs the costs.
    pub(crate) fn weighted_cost(&self, pieces: &dyn Pieces) -> f64 {
        let (mut sum, mut rows) = (0.0, 0.0);
        for (cost, own) in self.costs.iter().zip(pieces.rows().iter()) {
            sum += own as f64 * cost;
            rows += own as f64;
        }
        sum / rows
    }

    /// The same where the level of a group is its number of rows.
    pub(crate) fn mean_size(pieces: &dyn Pieces) -> f64 {
        let (mut sum, mut rows) = (0.0, 0.0);
        let mut add = |size: f64, own: f64| {
            sum -= own * size;
            rows += own;
        };
        match (pieces.sizes(), pieces.rows()) {
            (Narrow::Four(sizes), Narrow::Four(rows)) => {
                sizes.iter().zip(rows).for_each(|(size, own)| add((*size).into(), (*own).into()));
            }
            (sizes, rows) => sizes.iter().zip(rows.iter()).for_each(|(size, own)| add(size as f64, own as f64)),
        }
        sum / rows
    }

    /// Starts the sums of a loss with every piece kept.
    pub(crate) fn start_sums(&mut self, pieces: &dyn Pieces, loss: &dyn Loss) -> Remaining {
        let width = loss.sums(pieces.table());
        self.sums.clear();
        self.sums.resize(width, 0.0);
        self.share.clear();
        self.share.resize(width, 0.0);
        pieces.add_all(loss, &mut self.sums);
        let sizes = pieces.sizes();
        let smallest = if loss.needs_smallest() { sizes.iter().min().unwrap_or(0) } else { 0 };
        Remaining { rows: pieces.table().rows - pieces.lost_rows(), groups: pieces.all_groups(), smallest }
    }

    /// The loss with every piece kept, rounded as points are.
    pub(crate) fn whole_loss(&mut self, pieces: &dyn Pieces, loss: &dyn Loss) -> f64 {
        let remaining = self.start_sums(pieces, loss);
        round(loss.parts(pieces.table(), &self.sums, remaining).total())
    }

    /// Starts the sums of a loss with the pieces that a cut-off leaves, adding those or taking out the others, whichever
    /// are fewer. Needs the costs.
    pub(crate) fn start_kept(&mut self, pieces: &dyn Pieces, loss: &dyn Loss, cutoff: Cutoff) -> Remaining {
        let count = pieces.len();
        let gone = self.costs.iter().filter(|cost| cutoff.suppresses(**cost)).count();
        let mut remaining = self.start_sums(pieces, loss);
        let taking_out = 2 * gone <= count;
        let costs = self.costs.iter().enumerate();
        let some = costs.filter(|(_, cost)| cutoff.suppresses(**cost) == taking_out).map(|(piece, _)| piece as u32);
        self.some.clear();
        self.some.extend(some);
        if taking_out {
            self.suppress_some(pieces, loss, &mut remaining);
        } else {
            self.sums.iter_mut().for_each(|sum| *sum = 0.0);
            pieces.add(loss, &self.some, &mut self.sums);
            let kept = || self.some.iter().map(|piece| *piece as usize);
            remaining.rows = kept().map(|piece| pieces.rows().get(piece)).sum();
            remaining.groups = kept().map(|piece| pieces.groups(piece)).sum();
        }
        if loss.needs_smallest() {
            remaining.smallest = self.smallest_kept(pieces, cutoff);
        }
        remaining
    }

    /// The rows of the smallest group that a cut-off leaves; 0 where it leaves none. Needs the costs.
    pub(crate) fn smallest_kept(&self, pieces: &dyn Pieces, cutoff: Cutoff) -> u64 {
        let kept = self.costs.iter().zip(pieces.sizes().iter()).filter(|(cost, _)| !cutoff.suppresses(**cost));
        kept.map(|(_, size)| size).min().unwrap_or_default()
    }

    /// Takes one piece out of the sums.
    pub(crate) fn suppress(&mut self, pieces: &dyn Pieces, loss: &dyn Loss, piece: usize, remaining: &mut Remaining) {
        self.some.clear();
        self.some.push(piece as u32);
        self.suppress_some(pieces, loss, remaining);
    }

    /// Takes a part of those that may be suppressed out of the sums.
    pub(crate) fn suppress_next(
        &mut self,
        pieces: &dyn Pieces,
        loss: &dyn Loss,
        part: std::ops::Range<usize>,
        remaining: &mut Remaining,
    ) {
        self.some.clear();
        self.some.extend(self.order[part].iter().map(|(_, piece)| *piece));
        self.suppress_some(pieces, loss, remaining);
    }

    /// Takes the pieces listed in `some` out of the sums.
    fn suppress_some(&mut self, pieces: &dyn Pieces, loss: &dyn Loss, remaining: &mut Remaining) {
        self.share.iter_mut().for_each(|share| *share = 0.0);
        pieces.add(loss, &self.some, &mut self.share);
        self.sums.iter_mut().zip(&self.share).for_each(|(sum, share)| *sum -= share);
        for &piece in &self.some {
            remaining.rows -= pieces.rows().get(piece as usize);
            remaining.groups -= pieces.groups(piece as usize);
        }
    }
}
