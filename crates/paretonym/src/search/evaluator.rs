//! Evaluates recodings: groups, then asks the problem. One per worker.

use std::sync::Arc;

use crate::front::{Archive, Outcome};
use crate::group::{FrequencyTable, Grouping, Needs, Tuples, Workspace};
use crate::measure::Grouped;
use crate::problem::{Problem, Scratch};
use crate::recode::Recoding;

/// The buffers of one worker and what it evaluates.
pub struct Evaluator<'a> {
    /// The table.
    pub table: &'a FrequencyTable,
    /// The problem.
    pub problem: &'a dyn Problem,
    needs: Needs,
    workspace: Workspace,
    scratch: Scratch,
}

impl<'a> Evaluator<'a> {
    /// With empty buffers.
    pub fn new(table: &'a FrequencyTable, problem: &'a dyn Problem) -> Self {
        let needs = problem.needs();
        Evaluator { table, problem, needs, workspace: Workspace::default(), scratch: Scratch::default() }
    }

    /// Groups the table, or the groups of a finer recoding.
    pub fn group(&mut self, input: &Arc<Tuples>, recoding: &Recoding, out: &mut Grouping) {
        self.workspace.group(self.table, input, recoding, self.needs, out);
    }

    /// Calls `take` with every outcome of a grouping.
    pub fn judge(&mut self, grouping: &Grouping, take: &mut dyn FnMut(Outcome)) {
        self.problem.outcomes(&Grouped { table: self.table, grouping }, &mut self.scratch, take);
    }

    /// Calls `take` with every cut-off of a grouping, from none on, and whether it is an outcome.
    pub fn cutoffs(&mut self, grouping: &Grouping, take: &mut dyn FnMut(Outcome, bool)) {
        self.problem.cutoffs(&Grouped { table: self.table, grouping }, &mut self.scratch, take);
    }

    /// Adds the outcomes of a grouping to an archive.
    pub fn archive(&mut self, grouping: &Grouping, recoding: &Recoding, archive: &mut Archive) {
        self.judge(grouping, &mut |outcome| archive.insert(&outcome, recoding));
    }
}
