//! Algorithms that a publisher would compare with. Each gives one solution for one k, or a front when asked for several:
//! `optimizer = "datafly(k=5)"`, `"mondrian(k=2/5/10)"`. They serve k-anonymity; a problem judges what they make like any
//! other recoding, and what does not keep its k is left out.

pub(crate) mod datafly;
pub(crate) mod incognito;
pub(crate) mod mondrian;
pub(crate) mod samarati;

pub use datafly::Datafly;
pub use incognito::Incognito;
pub use mondrian::Mondrian;
pub use samarati::Samarati;

use super::{Evaluator, Found, FoundRecoding};
use crate::error::Result;
use crate::front::Outcome;
use crate::group::Grouping;
use crate::measure::{Call, Parameter, Takes};
use crate::problem::{Problem, budget_rows};
use crate::recode::Recoding;

/// The values of k where none is asked for.
const USUAL: [u64; 7] = [2, 3, 5, 10, 25, 50, 100];

/// The parameters that all of them have.
const K_PARAMETER: Parameter = Parameter {
    name: "k",
    default: "2/3/5/10/25/50/100",
    takes: Takes::Wholes,
    summary: "the k to reach, or several for a front",
};
pub(super) const ETA_PARAMETER: Parameter = Parameter {
    name: "eta",
    default: "0.01",
    takes: Takes::Share,
    summary: "the largest share of rows that may be suppressed, where the problem suppresses any",
};

/// What all of them are asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The values of k.
    pub ks: Vec<u64>,
    /// The largest share of rows that may be suppressed.
    pub eta: f64,
}

impl Asked {
    /// From the optimizer's parameters.
    fn of(call: &Call) -> Result<Self> {
        let ks = match call.text("k") {
            Some(list) => list.split('/').filter_map(|word| word.trim().parse().ok()).collect(),
            None => USUAL.to_vec(),
        };
        Ok(Asked { ks, eta: call.number("eta", 0.0)? })
    }

    /// The values of k that a table allows, largest first.
    fn possible(&self, rows: u64) -> Vec<u64> {
        let mut ks: Vec<u64> = self.ks.iter().copied().filter(|k| *k <= rows).collect();
        ks.sort_unstable_by(|a, b| b.cmp(a));
        ks.dedup();
        ks
    }

    /// The rows that may go, where the problem suppresses any.
    fn budget(&self, problem: &dyn Problem, rows: u64) -> u64 {
        if problem.may_suppress() { budget_rows(self.eta, rows) } else { 0 }
    }
}

/// Rows in groups smaller than k.
fn rows_below(grouping: &Grouping, k: u64) -> u64 {
    grouping.groups.rows.iter().filter(|rows| *rows < k).sum()
}

/// Whether every group that an outcome keeps has at least k rows.
fn keeps(problem: &dyn Problem, grouping: &Grouping, outcome: &Outcome, k: u64) -> bool {
    let groups = (0..grouping.len()).map(|group| grouping.groups.view(group));
    groups.into_iter().all(|view| view.rows() >= k || problem.suppresses(&outcome.cutoff, view))
}

/// Adds those outcomes of a recoding that keep k.
fn take(evaluator: &mut Evaluator, grouping: &Grouping, recoding: &Recoding, k: u64, found: &mut Found) {
    let mut outcomes = Vec::new();
    evaluator.judge(grouping, &mut |outcome| outcomes.push(outcome));
    let fitting = outcomes.iter().filter(|outcome| keeps(evaluator.problem, grouping, outcome, k));
    let recoding = FoundRecoding::TableWide(recoding.clone());
    fitting.for_each(|outcome| found.archive.insert(outcome, &recoding));
}
