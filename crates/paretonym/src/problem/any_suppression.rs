//! any-suppression: whatever is worse than the weighted level goes.

use super::{AS_NAMED, Pieces, Problem, ProblemEntry, Scratch, only};
use crate::front::{Cutoff, Objective, Outcome, Point};
use crate::group::Needs;
use crate::measure::{CatalogEntry, Loss, Privacy};

/// Its line in the catalogue.
pub const ENTRY: ProblemEntry = ProblemEntry {
    entry: CatalogEntry {
        name: "any-suppression",
        aliases: &[],
        summary: "groups worse than the weighted level go; max weighted level, min GL, min SL",
        parameters: &[],
        reference: "S0 5.3.3",
    },
    suppresses: true,
    models: AS_NAMED,
    make: |privacy, loss, _| {
        let privacy = only("any-suppression", privacy)?;
        let objective = format!("weighted_{}", privacy.letter().name());
        Ok(Box::new(AnySuppression { privacy, loss, objective }))
    },
};

/// Every group worse than the weighted level is suppressed; max weighted level, min loss of what is kept (GL), min
/// share of suppressed rows (SL). The resulting k is at least weighted-k.
///
/// Example: groups of 2 and 5 rows: weighted-k = 29/7, so the group of 2 goes: SL = 2/7, k = 5.
///
/// [Reference](mod@crate::theory::references): S0 5.3.3.
///
/// In the catalogue `any-suppression`: [definition](crate::theory::definitions#any-suppression).
pub struct AnySuppression {
    /// The model whose weighted level is maximised.
    pub privacy: Box<dyn Privacy>,
    /// The loss whose kept part is minimised.
    pub loss: Box<dyn Loss>,
    /// The name of the privacy objective.
    pub objective: String,
}

impl Problem for AnySuppression {
    fn name(&self) -> &'static str {
        "any-suppression"
    }

    fn objectives(&self) -> Vec<Objective> {
        let privacy = Objective { name: self.objective.clone(), sense: self.privacy.sense() };
        vec![privacy, Objective::min("gl"), Objective::min("sl")]
    }

    fn needs(&self) -> Needs {
        self.privacy.needs().or(self.loss.needs())
    }

    fn outcomes(&self, pieces: &dyn Pieces, scratch: &mut Scratch, take: &mut dyn FnMut(Outcome)) {
        let loss = self.loss.as_ref();
        // The weighted level is that of the recoding, before anything is suppressed.
        let whole = pieces.whole().unwrap_or(pieces);
        scratch.fill_costs(whole, 0, self.privacy.as_ref());
        let weighted = scratch.weighted_cost(whole);
        if pieces.lost_rows() > 0 {
            scratch.fill_costs(pieces, 0, self.privacy.as_ref());
        }
        let cutoff = Cutoff::WorseThan(weighted);
        let remaining = scratch.start_kept(pieces, loss, cutoff);
        if remaining.rows == 0 {
            return;
        }
        let gl = loss.parts(pieces.table(), &scratch.sums, remaining).kept;
        let sl = (pieces.table().rows - remaining.rows) as f64 / pieces.table().rows as f64;
        let cutoff = if remaining.rows + pieces.lost_rows() == pieces.table().rows { Cutoff::Nothing } else { cutoff };
        take(Outcome { point: Point::new(&[weighted, gl, sl]), cutoff });
    }

    fn models(&self) -> Vec<&dyn Privacy> {
        vec![self.privacy.as_ref()]
    }

    fn loss(&self) -> &dyn Loss {
        self.loss.as_ref()
    }
}
