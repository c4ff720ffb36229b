//! What is left of a recoding once some of its pieces are suppressed.

use super::Pieces;
use crate::data::Narrow;
use crate::group::FrequencyTable;
use crate::measure::{Loss, Privacy};

/// The pieces of a recoding that stay when others are suppressed before a problem begins.
pub(super) struct Remainder<'a> {
    whole: &'a dyn Pieces,
    /// The places of those that stay, and of the others.
    kept: Vec<u32>,
    lost: Vec<u32>,
    rows: Narrow,
    sizes: Narrow,
    lost_rows: u64,
}

impl<'a> Remainder<'a> {
    /// What is left without some pieces of so many rows.
    pub fn new(whole: &'a dyn Pieces, lost: Vec<u32>, lost_rows: u64) -> Self {
        let mut next = lost.iter().copied().peekable();
        let kept: Vec<u32> = (0..whole.len() as u32).filter(|piece| next.next_if_eq(piece).is_none()).collect();
        let (rows, sizes) = (whole.rows().at(&kept), whole.sizes().at(&kept));
        Remainder { whole, kept, lost, rows, sizes, lost_rows }
    }
}

impl Pieces for Remainder<'_> {
    fn table(&self) -> &FrequencyTable {
        self.whole.table()
    }

    fn rows(&self) -> &Narrow {
        &self.rows
    }

    fn sizes(&self) -> &Narrow {
        &self.sizes
    }

    fn costs(&self, place: usize, model: &dyn Privacy, out: &mut Vec<f64>) {
        let mut all = Vec::with_capacity(self.whole.len());
        self.whole.costs(place, model, &mut all);
        out.extend(self.kept.iter().map(|piece| all[*piece as usize]));
    }

    fn add(&self, loss: &dyn Loss, pieces: &[u32], sums: &mut [f64]) {
        let own: Vec<u32> = pieces.iter().map(|piece| self.kept[*piece as usize]).collect();
        self.whole.add(loss, &own, sums);
    }

    /// Adds those that stay, or takes the others from the sum of all, whichever are fewer.
    fn add_all(&self, loss: &dyn Loss, sums: &mut [f64]) {
        if self.kept.len() < self.lost.len() {
            return self.whole.add(loss, &self.kept, sums);
        }
        let mut lost = vec![0.0; sums.len()];
        self.whole.add(loss, &self.lost, &mut lost);
        self.whole.add_all(loss, sums);
        sums.iter_mut().zip(lost).for_each(|(sum, lost)| *sum -= lost);
    }

    fn groups(&self, piece: usize) -> u64 {
        self.whole.groups(self.kept[piece] as usize)
    }

    fn lost_rows(&self) -> u64 {
        self.lost_rows
    }

    fn whole(&self) -> Option<&dyn Pieces> {
        Some(self.whole)
    }
}
