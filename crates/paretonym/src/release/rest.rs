//! Measures the solutions of a front whose description was stopped.

use rayon::prelude::*;

use crate::catalog;
use crate::engine::Watch;
use crate::error::{Error, Result};
use crate::front::{FrontEntry, FrontFile, Point, Solution};
use crate::group::{FrequencyTable, Grouping, Needs, Workspace, group_regions};
use crate::recode::Regions;
use crate::study::{Describer, Study};

/// Describes those solutions of a front that are not described yet. `table` is the study's table as it is now, `regions` are
/// the boxes of a front of local recodings. After a stop the others stay as they are.
pub fn describe_rest(
    study: &Study,
    table: &FrequencyTable,
    front: &mut FrontFile,
    regions: Option<&Regions>,
    watch: &dyn Watch,
) -> Result<()> {
    let problem = catalog::problem(&study.search, table)?;
    let describer = Describer::new(table, problem.as_ref())?;
    let changed = || Error::study("the table or the study has changed since the front was found; explore again");
    if table.rows != front.rows || regions.is_some_and(|regions| !regions.fits(&table.columns)) {
        return Err(changed());
    }
    let objectives = front.objectives.clone();
    let places = front.solutions.iter().enumerate().filter(|(_, own)| !own.described).map(|(at, _)| at);
    let places: Vec<usize> = places.collect();
    watch.phase("describing solutions", Some(places.len() as u64));
    let solutions = &front.solutions;
    let describe = |at: &usize| -> Result<Option<Solution>> {
        if watch.cancelled() {
            return Ok(None);
        }
        let own = &solutions[*at];
        let grouping = match regions {
            Some(regions) => group_regions(table, regions, *at, Needs::ALL).0,
            None => {
                let recoding = own.recoding.read(&table.columns)?;
                let mut grouping = Grouping::default();
                let needs = Needs { group_of: false, ..Needs::ALL };
                Workspace::default().group(table, &table.tuples, &recoding, needs, &mut grouping);
                grouping
            }
        };
        let costs: Vec<f64> =
            own.objectives.iter().zip(&objectives).map(|(value, objective)| objective.sense.cost(*value)).collect();
        let (cutoff, alternatives) = (own.cutoff, own.alternatives);
        let entry = FrontEntry { point: Point::new(&costs), cutoff, recoding: (), alternatives };
        let described = describer.solution(own.id, own.recoding.clone(), &entry, &grouping);
        if own.k > 0 && own.k != described.k {
            return Err(changed());
        }
        watch.advance(1);
        let (loss_bound, gap) = (own.loss_bound, own.gap);
        Ok(Some(Solution { loss_bound, gap, ..described }))
    };
    let described = places.par_iter().map(describe).collect::<Result<Vec<Option<Solution>>>>()?;
    for (at, solution) in places.into_iter().zip(described) {
        if let Some(solution) = solution {
            front.solutions[at] = solution;
        }
    }
    front.note_undescribed();
    Ok(())
}
