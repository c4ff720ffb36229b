//! What a watcher sees of a search that is under way.

use super::SearchRun;
use crate::engine::Glimpse;
use crate::front::{Archive, Scale};
use crate::group::FrequencyTable;
use crate::measure::Sense;
use crate::problem::Problem;

/// An exact hypervolume of more objectives takes too long to be shown now and then.
const SHOWN_OBJECTIVES: usize = 3;

impl SearchRun<'_> {
    /// Offers the watcher a look at everything found so far.
    pub(super) fn show<P>(&self, table: &FrequencyTable, problem: &dyn Problem, archive: &Archive<P>, evaluated: u64) {
        self.watch.front(&|| {
            let mut glimpse = glimpse(problem, archive);
            let objectives = problem.objectives();
            if objectives.len() <= SHOWN_OBJECTIVES {
                let points = || archive.entries().iter().map(|entry| &entry.point);
                glimpse.hypervolume = Some(Scale::new(&objectives, table.rows, points()).hypervolume(points()));
            }
            Glimpse { evaluated: Some(evaluated), ..glimpse }
        });
    }

    /// Offers the watcher a look at what one of several parallel parts has found so far.
    pub(super) fn show_part<P>(&self, problem: &dyn Problem, archive: &Archive<P>) {
        self.watch.front(&|| Glimpse { whole: false, ..glimpse(problem, archive) });
    }
}

fn glimpse<P>(problem: &dyn Problem, archive: &Archive<P>) -> Glimpse {
    let objectives = problem.objectives();
    let values = |costs: &[f64]| costs.iter().zip(&objectives).map(|(cost, own)| own.sense.cost(*cost)).collect();
    Glimpse {
        points: archive.entries().iter().map(|entry| values(entry.point.costs())).collect(),
        objectives: objectives.iter().map(|own| (own.name.clone(), own.sense == Sense::Max)).collect(),
        whole: true,
        evaluated: None,
        hypervolume: None,
    }
}
