//! What a problem judges, piece by piece.

use crate::data::Narrow;
use crate::group::FrequencyTable;
use crate::measure::{Grouped, Loss, Privacy};

/// What a problem judges, piece by piece: the groups of a recoding, or groups that are alike taken together.
///
/// Every formulation looks at rows, levels and the sums of a loss alone. So it can judge a recoding whose groups were
/// never made, where those numbers are known in another way ([how](crate::theory::skeleton)).
pub trait Pieces {
    /// The original table.
    fn table(&self) -> &FrequencyTable;

    /// The rows of each piece.
    fn rows(&self) -> &Narrow;

    /// The rows of one group of each piece.
    fn sizes(&self) -> &Narrow;

    /// Adds to a list what each piece costs in a privacy model, given with its place among the problem's models.
    fn costs(&self, place: usize, model: &dyn Privacy, out: &mut Vec<f64>);

    /// Adds what some pieces contribute to the sums of the problem's loss.
    fn add(&self, loss: &dyn Loss, pieces: &[u32], sums: &mut [f64]);

    /// Adds what all pieces contribute.
    fn add_all(&self, loss: &dyn Loss, sums: &mut [f64]);

    /// Rows of the table that are in no piece, since they were suppressed before. They count against a budget.
    fn lost_rows(&self) -> u64 {
        0
    }

    /// All pieces, where some were suppressed before.
    fn whole(&self) -> Option<&dyn Pieces> {
        None
    }

    /// The number of pieces.
    fn len(&self) -> usize {
        self.rows().len()
    }

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.rows().is_empty()
    }

    /// How many groups a piece stands for.
    fn groups(&self, piece: usize) -> u64 {
        self.rows().get(piece) / self.sizes().get(piece).max(1)
    }

    /// How many groups there are in all.
    fn all_groups(&self) -> u64 {
        (0..self.len()).map(|piece| self.groups(piece)).sum()
    }
}

/// Each group is a piece of its own.
impl Pieces for Grouped<'_> {
    fn table(&self) -> &FrequencyTable {
        self.table
    }

    fn rows(&self) -> &Narrow {
        &self.grouping.groups.rows
    }

    fn sizes(&self) -> &Narrow {
        &self.grouping.groups.rows
    }

    fn groups(&self, _piece: usize) -> u64 {
        1
    }

    fn all_groups(&self) -> u64 {
        self.grouping.len() as u64
    }

    fn costs(&self, _place: usize, model: &dyn Privacy, out: &mut Vec<f64>) {
        let groups = &self.grouping.groups;
        out.extend((0..groups.len()).map(|group| model.cost(groups.view(group))));
    }

    fn add(&self, loss: &dyn Loss, pieces: &[u32], sums: &mut [f64]) {
        loss.add_some(*self, pieces, sums);
    }

    fn add_all(&self, loss: &dyn Loss, sums: &mut [f64]) {
        loss.add_all(*self, sums);
    }
}
