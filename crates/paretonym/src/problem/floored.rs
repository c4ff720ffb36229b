//! A problem within floors: groups that miss one are suppressed before the problem's own cut-offs begin.

use std::cmp::Ordering;

use super::remainder::Remainder;
use super::{Budget, Floors, Paper, Pieces, Problem, Ranked, Scratch, Trade, budget_rows};
use crate::data::format_number;
use crate::error::{Error, Result};
use crate::front::{Cutoff, Objective, Outcome, Point};
use crate::group::{FrequencyTable, GroupView, Needs};
use crate::measure::{Grouped, Loss, Measure, Privacy};

/// Another problem, of which only what could be published counts: `at_least` and `at_most` of a study.
///
/// Groups that miss a floor are suppressed first and count against the budget; the problem goes on with what remains. Where
/// they alone exceed the budget, or nothing may be suppressed and there are any, a recoding has no outcome. An outcome's
/// cut-off says what the problem itself suppresses beside them: [`Problem::suppresses`] answers for both.
pub struct Floored {
    inner: Box<dyn Problem>,
    floors: Floors,
    /// Those that bound what finer recodings can do, where these are not all.
    bounding: Option<Floors>,
}

impl Floored {
    /// A problem within floors.
    pub fn new(inner: Box<dyn Problem>, floors: Floors) -> Self {
        let suppresses = inner.may_suppress() && inner.budget().is_none_or(|budget| budget.eta > 0.0);
        let bounding = floors.bounding(suppresses);
        Floored { inner, bounding: (bounding.len() < floors.len()).then_some(bounding), floors }
    }

    /// Judges what floors leave of a recoding; nothing where they leave no outcome.
    fn within(&self, floors: &Floors, pieces: &dyn Pieces, judge: &mut dyn FnMut(&dyn Pieces)) {
        let (lost, rows) = self.lost(floors, pieces);
        if lost.is_empty() {
            return judge(pieces);
        }
        if rows <= self.most_lost(pieces.table().rows) {
            judge(&Remainder::new(pieces, lost, rows));
        }
    }

    /// The pieces that miss a floor, and their rows.
    fn lost(&self, floors: &Floors, pieces: &dyn Pieces) -> (Vec<u32>, u64) {
        let mut lost: Vec<u32> = Vec::new();
        if floors.look_inside() {
            let mut missed = Vec::with_capacity(pieces.len());
            pieces.costs(self.inner.models().len(), floors, &mut missed);
            lost.extend((0..missed.len() as u32).filter(|piece| missed[*piece as usize] > 0.0));
        } else {
            let sizes = pieces.sizes().iter().enumerate();
            lost.extend(sizes.filter(|(_, size)| *size < floors.rows()).map(|(piece, _)| piece as u32));
        }
        let rows = lost.iter().map(|piece| pieces.rows().get(*piece as usize)).sum();
        (lost, rows)
    }

    /// The most rows that may be suppressed.
    fn most_lost(&self, rows: u64) -> u64 {
        match self.inner.budget() {
            _ if !self.inner.may_suppress() => 0,
            Some(budget) => budget_rows(budget.eta, rows),
            None => rows.saturating_sub(1),
        }
    }
}

impl Problem for Floored {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn objectives(&self) -> Vec<Objective> {
        self.inner.objectives()
    }

    fn needs(&self) -> Needs {
        self.inner.needs().or(self.floors.needs())
    }

    fn outcomes(&self, pieces: &dyn Pieces, scratch: &mut Scratch, take: &mut dyn FnMut(Outcome)) {
        self.within(&self.floors, pieces, &mut |left| self.inner.outcomes(left, scratch, take));
    }

    /// Where some floors bound nothing, cut-offs are those within the others, and none of them is an outcome.
    fn cutoffs(&self, pieces: &dyn Pieces, scratch: &mut Scratch, take: &mut dyn FnMut(Outcome, bool)) {
        match &self.bounding {
            None => self.within(&self.floors, pieces, &mut |left| self.inner.cutoffs(left, scratch, take)),
            Some(bounding) => self.within(bounding, pieces, &mut |left| {
                self.inner.cutoffs(left, scratch, &mut |outcome, _| take(outcome, false));
            }),
        }
    }

    fn models(&self) -> Vec<&dyn Privacy> {
        self.inner.models()
    }

    fn judged(&self) -> Vec<&dyn Privacy> {
        let mut models = self.inner.models();
        if self.floors.look_inside() {
            models.push(&self.floors);
        }
        models
    }

    fn floors(&self) -> Option<&Floors> {
        Some(&self.floors)
    }

    fn bounded_by_floors(&self) -> bool {
        self.floors.len() > 0
    }

    /// No row that misses one of the bounding floors reaches it in a finer recoding; of the other groups some rows must go.
    fn rules_out(&self, grouped: Grouped) -> bool {
        let bounding = self.bounding.as_ref().unwrap_or(&self.floors);
        let groups = &grouped.grouping.groups;
        let lost = |group: usize| match groups.view(group) {
            view if bounding.misses(view) => view.rows(),
            view => self.floors.least_lost(view),
        };
        (0..groups.len()).map(lost).sum::<u64>() > self.most_lost(grouped.table.rows)
    }

    fn pieces_rule_out(&self, pieces: &dyn Pieces) -> bool {
        let bounding = self.bounding.as_ref().unwrap_or(&self.floors);
        self.lost(bounding, pieces).1 > self.most_lost(pieces.table().rows)
    }

    fn cutoffs_are_outcomes(&self) -> bool {
        self.bounding.is_none()
    }

    fn suppresses(&self, cutoff: &Cutoff, group: GroupView) -> bool {
        self.floors.misses(group) || self.inner.suppresses(cutoff, group)
    }

    fn loss(&self) -> &dyn Loss {
        self.inner.loss()
    }

    fn prunable(&self) -> Result<(), String> {
        self.inner.prunable()
    }

    fn budget(&self) -> Option<Budget> {
        self.inner.budget()
    }

    /// A floor of rows is a least size of groups; where nothing may be suppressed it decides what is possible at all.
    fn trade(&self, table: &FrequencyTable) -> Option<Trade> {
        let rows = self.floors.rows();
        match self.inner.trade(table).filter(|_| !self.floors.look_inside())? {
            Trade::SmallestGroup { least, most_suppressed } => {
                Some(Trade::SmallestGroup { least: least.max(rows), most_suppressed })
            }
            Trade::FixedSize(size) => Some(Trade::FixedSize(size.max(rows))),
            Trade::MeanGroup => (rows <= 1).then_some(Trade::MeanGroup),
        }
    }

    fn may_suppress(&self) -> bool {
        self.inner.may_suppress()
    }

    fn paper(&self) -> Paper {
        self.inner.paper()
    }

    fn check(&self, table: &FrequencyTable) -> Result<()> {
        self.inner.check(table)?;
        if self.floors.rows() > table.rows {
            return Err(Error::study(format!(
                "at_least asks for k = {}, which is more than the table has rows ({}): no release could hold it",
                format_number(self.floors.rows() as f64),
                table.rows
            )));
        }
        Ok(())
    }

    fn ranked(&self) -> Ranked {
        self.inner.ranked()
    }

    fn prefers(&self, a: &Point, b: &Point) -> Option<Ordering> {
        self.inner.prefers(a, b)
    }

    fn answer(&self, front: &[Point]) -> Option<(usize, String)> {
        self.inner.answer(front)
    }
}
