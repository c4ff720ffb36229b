//! single: the least loss for a fixed k.

use super::{AS_NAMED, Pieces, Problem, ProblemEntry, Scratch, Trade, only};
use crate::error::{Error, Result};
use crate::front::{Cutoff, Objective, Outcome, Point};
use crate::group::{FrequencyTable, Needs};
use crate::measure::{CatalogEntry, Loss, Parameter, Privacy, Sense, Takes};

/// Its line in the catalogue.
pub const ENTRY: ProblemEntry = ProblemEntry {
    entry: CatalogEntry {
        name: "single",
        aliases: &[],
        summary: "min loss for a fixed k; smaller groups are suppressed",
        parameters: &[Parameter {
            name: "k",
            default: "none",
            takes: Takes::Whole(1, u64::MAX),
            summary: "the level that every kept group must have",
        }],
        reference: "S4 2 to 4",
    },
    suppresses: true,
    models: AS_NAMED,
    make: |privacy, loss, call| {
        let privacy = only("single", privacy)?;
        if privacy.sense() == Sense::Min {
            return Err(Error::study(format!(
                "the problem single fixes the least level of a model, and of {} less is better; take k or a form of l",
                privacy.name()
            )));
        }
        let k: u64 = call.optional("k")?.ok_or_else(|| {
            Error::study("the problem single needs the k that must hold; write k = 10 under [search]")
        })?;
        Ok(Box::new(Single { privacy, loss, k: k as f64 }))
    },
};

/// k is fixed and one metric is minimised; rows in groups smaller than k are suppressed and pay for it.
///
/// Example: groups of 2 and 5 rows, k = 3: the group of 2 is suppressed, loss 13/21 in S0's Table 1.
///
/// [Reference](mod@crate::theory::references): S4 2 to 4.
///
/// In the catalogue `single`: [definition](crate::theory::definitions#single).
pub struct Single {
    /// The model whose level is fixed.
    pub privacy: Box<dyn Privacy>,
    /// The loss that is minimised.
    pub loss: Box<dyn Loss>,
    /// The level.
    pub k: f64,
}

impl Problem for Single {
    fn name(&self) -> &'static str {
        "single"
    }

    fn objectives(&self) -> Vec<Objective> {
        vec![Objective::min("loss")]
    }

    fn needs(&self) -> Needs {
        self.privacy.needs().or(self.loss.needs())
    }

    fn outcomes(&self, pieces: &dyn Pieces, scratch: &mut Scratch, take: &mut dyn FnMut(Outcome)) {
        let loss = self.loss.as_ref();
        let cutoff = Cutoff::WorseThan(-self.k);
        scratch.fill_costs(pieces, 0, self.privacy.as_ref());
        let remaining = scratch.start_kept(pieces, loss, cutoff);
        if remaining.rows == 0 {
            return;
        }
        let total = loss.parts(pieces.table(), &scratch.sums, remaining).total();
        let cutoff = if remaining.rows + pieces.lost_rows() == pieces.table().rows { Cutoff::Nothing } else { cutoff };
        take(Outcome { point: Point::new(&[total]), cutoff });
    }

    fn models(&self) -> Vec<&dyn Privacy> {
        vec![self.privacy.as_ref()]
    }

    fn loss(&self) -> &dyn Loss {
        self.loss.as_ref()
    }

    fn trade(&self, _: &FrequencyTable) -> Option<Trade> {
        self.privacy.counts_rows().then_some(Trade::FixedSize(self.k as u64))
    }

    fn check(&self, table: &FrequencyTable) -> Result<()> {
        if self.k > table.rows as f64 {
            return Err(Error::study(format!(
                "k = {} is more than the table has rows ({}): no release could hold it",
                self.k, table.rows
            )));
        }
        Ok(())
    }
}
