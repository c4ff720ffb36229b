//! max-suppression: level against loss, with a budget of rows to suppress.

use super::budget::rows_left;
use super::{AS_NAMED, Budget, Pieces, Problem, ProblemEntry, Scratch, Trade, budget_rows, only, prunable_loss};
use crate::front::{Cutoff, Objective, Outcome, Point};
use crate::group::{FrequencyTable, Needs};
use crate::measure::{Behaviour, CatalogEntry, Loss, Parameter, Privacy, Takes};
use crate::settings::CutoffRule;

/// Its line in the catalogue.
pub const ENTRY: ProblemEntry = ProblemEntry {
    entry: CatalogEntry {
        name: "max-suppression",
        aliases: &[],
        summary: "max level, min loss, at most a share eta of the rows suppressed",
        parameters: &[
            Parameter {
                name: "eta",
                default: "0.01",
                takes: Takes::Share,
                summary: "the largest share of rows that may be suppressed",
            },
            Parameter {
                name: "cutoffs",
                default: "all",
                takes: Takes::OneOf(&["all", "budget"]),
                summary: "every cut-off that fits, or \"budget\", the papers' rule",
            },
        ],
        reference: "S0 5.3.2; S3 5.1",
    },
    suppresses: true,
    models: AS_NAMED,
    make: |privacy, loss, call| {
        let privacy = only("max-suppression", privacy)?;
        let objective = privacy.letter().name().to_owned();
        let Budget { eta, cutoffs } = Budget::of(call)?;
        Ok(Box::new(MaxSuppression { privacy, loss, objective, eta, cutoffs }))
    },
};

/// Max level, min loss, with at most a share eta of the rows suppressed. The usual choice.
///
/// Example: S0's Table 1 recoded as T1, eta = 0.3: the budget rule suppresses the group of 2 and gives k = 5, loss
/// 13/21; the rule of all cut-offs gives (2, 13/30) as well.
///
/// [Reference](mod@crate::theory::references): S0 5.3.2, eq. 7; S3 5.1.
///
/// In the catalogue `max-suppression`: [definition](crate::theory::definitions#max-suppression).
pub struct MaxSuppression {
    /// The model whose level is maximised.
    pub privacy: Box<dyn Privacy>,
    /// The loss that is minimised.
    pub loss: Box<dyn Loss>,
    /// The name of the privacy objective.
    pub objective: String,
    /// The largest share of rows that may be suppressed.
    pub eta: f64,
    /// Which cut-offs are outcomes.
    pub cutoffs: CutoffRule,
}

impl Problem for MaxSuppression {
    fn name(&self) -> &'static str {
        "max-suppression"
    }

    fn objectives(&self) -> Vec<Objective> {
        vec![Objective { name: self.objective.clone(), sense: self.privacy.sense() }, Objective::min("loss")]
    }

    fn budget(&self) -> Option<Budget> {
        Some(Budget { eta: self.eta, cutoffs: self.cutoffs })
    }

    fn needs(&self) -> Needs {
        self.privacy.needs().or(self.loss.needs())
    }

    fn outcomes(&self, pieces: &dyn Pieces, scratch: &mut Scratch, take: &mut dyn FnMut(Outcome)) {
        self.each_cutoff(pieces, scratch, self.cutoffs == CutoffRule::Budget, &mut |outcome, _| take(outcome));
    }

    fn cutoffs(&self, pieces: &dyn Pieces, scratch: &mut Scratch, take: &mut dyn FnMut(Outcome, bool)) {
        let budget_rule = self.cutoffs == CutoffRule::Budget;
        self.each_cutoff(pieces, scratch, false, &mut |outcome, last| take(outcome, last || !budget_rule));
    }

    fn models(&self) -> Vec<&dyn Privacy> {
        vec![self.privacy.as_ref()]
    }

    fn loss(&self) -> &dyn Loss {
        self.loss.as_ref()
    }

    fn trade(&self, table: &FrequencyTable) -> Option<Trade> {
        let most_suppressed = budget_rows(self.eta, table.rows);
        self.privacy.counts_rows().then_some(Trade::SmallestGroup { least: 1, most_suppressed })
    }

    fn prunable(&self) -> Result<(), String> {
        match self.privacy.behaviour() {
            Behaviour::PerRow => {}
            Behaviour::WorstGroup if self.eta == 0.0 => {}
            _ => {
                return Err(format!(
                    "with suppression the level of {} can fall when generalizing",
                    self.privacy.name()
                ));
            }
        }
        prunable_loss(self.loss.as_ref())
    }
}

impl MaxSuppression {
    /// Calls `take` with each cut-off that fits the budget, or the last alone, and whether it is the last.
    fn each_cutoff(
        &self,
        pieces: &dyn Pieces,
        scratch: &mut Scratch,
        last_only: bool,
        take: &mut dyn FnMut(Outcome, bool),
    ) {
        let budget = rows_left(self.eta, pieces);
        let loss = self.loss.as_ref();
        // Sizes that are told apart by more than rounding, which all are up to this many rows.
        let by_size = self.privacy.counts_rows() && !loss.needs_smallest() && pieces.table().rows < 1 << 39;
        if !by_size || !scratch.find_cutoffs_by_size(pieces, budget) {
            scratch.fill_costs(pieces, 0, self.privacy.as_ref());
            scratch.find_cutoffs(pieces, budget);
        }
        let mut remaining = scratch.start_sums(pieces, loss);
        let (last, mut start) = (scratch.cutoffs.len() - 1, 0);
        let first = if last_only { last } else { 0 };
        for at in first..=last {
            let (end, cost) = scratch.cutoffs[at];
            scratch.suppress_next(pieces, loss, start..end, &mut remaining);
            start = end;
            if loss.needs_smallest() {
                remaining.smallest = scratch.smallest_kept(pieces, Cutoff::WorseThan(cost));
            }
            let total = loss.parts(pieces.table(), &scratch.sums, remaining).total();
            let cutoff = if end == 0 { Cutoff::Nothing } else { Cutoff::WorseThan(cost) };
            take(Outcome { point: Point::new(&[cost, total]), cutoff }, at == last);
        }
    }
}
