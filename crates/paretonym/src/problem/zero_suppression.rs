//! zero-suppression: weighted level against loss.

use super::{AS_NAMED, Pieces, Problem, ProblemEntry, Scratch, Trade, only, prunable_loss};
use crate::front::{Cutoff, Objective, Outcome, Point};
use crate::group::{FrequencyTable, Needs};
use crate::measure::{Behaviour, CatalogEntry, Loss, Privacy};

/// Its line in the catalogue.
pub const ENTRY: ProblemEntry = ProblemEntry {
    entry: CatalogEntry {
        name: "zero-suppression",
        aliases: &[],
        summary: "max weighted level, min loss, nothing suppressed",
        parameters: &[],
        reference: "S0 5.3.1",
    },
    suppresses: false,
    models: AS_NAMED,
    make: |privacy, loss, _| {
        let privacy = only("zero-suppression", privacy)?;
        let objective = format!("weighted_{}", privacy.letter().name());
        Ok(Box::new(ZeroSuppression { privacy, loss, objective }))
    },
};

/// Max weighted level, min loss, nothing suppressed.
///
/// Example: S0's Table 1: T1 (29/7, 13/30), T2 (17/7, 32/105).
///
/// [Reference](mod@crate::theory::references): S0 5.3.1.
///
/// In the catalogue `zero-suppression`: [definition](crate::theory::definitions#zero-suppression).
pub struct ZeroSuppression {
    /// The model whose weighted level is maximised.
    pub privacy: Box<dyn Privacy>,
    /// The loss that is minimised.
    pub loss: Box<dyn Loss>,
    /// The name of the privacy objective.
    pub objective: String,
}

impl Problem for ZeroSuppression {
    fn name(&self) -> &'static str {
        "zero-suppression"
    }

    fn objectives(&self) -> Vec<Objective> {
        vec![Objective { name: self.objective.clone(), sense: self.privacy.sense() }, Objective::min("loss")]
    }

    fn may_suppress(&self) -> bool {
        ENTRY.suppresses
    }

    fn needs(&self) -> Needs {
        self.privacy.needs().or(self.loss.needs())
    }

    fn outcomes(&self, pieces: &dyn Pieces, scratch: &mut Scratch, take: &mut dyn FnMut(Outcome)) {
        let level = if self.privacy.counts_rows() {
            Scratch::mean_size(pieces)
        } else {
            scratch.fill_costs(pieces, 0, self.privacy.as_ref());
            scratch.weighted_cost(pieces)
        };
        let remaining = scratch.start_sums(pieces, self.loss.as_ref());
        let loss = self.loss.parts(pieces.table(), &scratch.sums, remaining).total();
        take(Outcome { point: Point::new(&[level, loss]), cutoff: Cutoff::Nothing });
    }

    fn models(&self) -> Vec<&dyn Privacy> {
        vec![self.privacy.as_ref()]
    }

    fn loss(&self) -> &dyn Loss {
        self.loss.as_ref()
    }

    fn trade(&self, _: &FrequencyTable) -> Option<Trade> {
        self.privacy.counts_rows().then_some(Trade::MeanGroup)
    }

    fn prunable(&self) -> Result<(), String> {
        if self.privacy.behaviour() != Behaviour::PerRow {
            return Err(format!("the weighted level of {} can fall when generalizing", self.privacy.name()));
        }
        prunable_loss(self.loss.as_ref())
    }
}
