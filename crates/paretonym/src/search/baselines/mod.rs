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

use super::{Evaluator, Found};
use crate::error::{Error, Result};
use crate::front::Outcome;
use crate::group::Grouping;
use crate::measure::{Call, Parameter};
use crate::problem::{Problem, budget_rows};
use crate::recode::Recoding;
use crate::settings::SearchSettings;

/// The values of k where none is asked for.
const USUAL: [u64; 7] = [2, 3, 5, 10, 25, 50, 100];

/// The parameter that all of them have.
const K_PARAMETER: Parameter =
    Parameter { name: "k", default: "2/3/5/10/25/50/100", summary: "the k to reach, or several for a front" };

/// What all of them are asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The values of k.
    pub ks: Vec<u64>,
    /// The largest share of rows that may be suppressed.
    pub eta: f64,
}

impl Asked {
    /// From the optimizer's parameters, or the study's k.
    fn of(settings: &SearchSettings) -> Result<Self> {
        let call = Call::parse(&settings.optimizer)?;
        let ks = match (call.text("k"), settings.k) {
            (Some(list), _) => {
                let wrong =
                    || Error::study(format!("{}: k takes whole numbers from 1 on, such as 5 or 2/5/10", call.name));
                let parse = |word: &str| word.trim().parse::<u64>().ok().filter(|k| *k > 0).ok_or_else(wrong);
                list.split('/').map(parse).collect::<Result<_>>()?
            }
            (None, Some(k)) => vec![k],
            (None, None) => USUAL.to_vec(),
        };
        let suppresses = !matches!(settings.problem.as_str(), "zero-suppression" | "preference");
        Ok(Asked { ks, eta: if suppresses { settings.eta } else { 0.0 } })
    }

    /// The values of k that a table allows, largest first.
    fn possible(&self, rows: u64) -> Vec<u64> {
        let mut ks: Vec<u64> = self.ks.iter().copied().filter(|k| *k <= rows).collect();
        ks.sort_unstable_by(|a, b| b.cmp(a));
        ks.dedup();
        ks
    }

    fn budget(&self, rows: u64) -> u64 {
        budget_rows(self.eta, rows)
    }
}

/// Rows in groups smaller than k.
fn rows_below(grouping: &Grouping, k: u64) -> u64 {
    grouping.groups.rows.iter().map(|rows| u64::from(*rows)).filter(|rows| *rows < k).sum()
}

/// Whether every group that an outcome keeps has at least k rows.
fn keeps(problem: &dyn Problem, grouping: &Grouping, outcome: &Outcome, k: u64) -> bool {
    let groups = (0..grouping.len()).map(|group| grouping.groups.view(group));
    groups.into_iter().all(|view| u64::from(view.rows()) >= k || problem.suppresses(&outcome.cutoff, view))
}

/// Adds those outcomes of a recoding that keep k.
fn take(evaluator: &mut Evaluator, grouping: &Grouping, recoding: &Recoding, k: u64, found: &mut Found) {
    let mut outcomes = Vec::new();
    evaluator.judge(grouping, &mut |outcome| outcomes.push(outcome));
    let fitting = outcomes.iter().filter(|outcome| keeps(evaluator.problem, grouping, outcome, k));
    fitting.for_each(|outcome| found.archive.insert(outcome, recoding));
}
