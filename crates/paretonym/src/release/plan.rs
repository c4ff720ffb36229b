//! From a solution of a front to everything that a release of it needs.

use std::collections::BTreeMap;

use super::column::ReleasedColumn;
use super::local::local_columns;
use super::saved::{SavedColumn, SavedRecoding, SavedRegions, Shown};
use super::{Claim, KeptGroups, RECODING_FORMAT, ReleaseTable};
use crate::catalog;
use crate::data::format_number;
use crate::error::{Error, Result};
use crate::front::{FrontEntry, FrontFile, Point, Solution};
use crate::group::{FrequencyTable, Grouping, Kept, Needs, Suppressed, Workspace, group_regions};
use crate::problem::Problem;
use crate::recode::{Recoding, Regions};
use crate::study::{Describer, Study};

/// What a release of one solution consists of.
pub struct ReleasePlan {
    /// The mapping of every value.
    pub saved: SavedRecoding,
    /// The rows that stay.
    pub kept: KeptGroups,
    /// What is claimed of the release.
    pub claim: Claim,
    /// Every loss of the catalogue that the table allows, by name.
    pub losses: BTreeMap<String, f64>,
}

/// Quasi columns, boxes and kept rows of a release.
pub(super) type RecodedTable = (Vec<SavedColumn>, Option<SavedRegions>, KeptGroups);

/// Plans the release of a solution. `counted` is the study's table as it is now: where it no longer gives what the front
/// says, nothing is planned. `regions` are the boxes of a front of local recodings.
pub fn plan(
    study: &Study,
    counted: &ReleaseTable,
    front: &FrontFile,
    solution: &Solution,
    regions: Option<&Regions>,
    shown: Shown,
) -> Result<ReleasePlan> {
    let table = &counted.table;
    let problem = catalog::problem(&study.search, table)?;
    let local = match regions.filter(|_| solution.recoding.is_local()) {
        Some(regions) => Some((regions, place(table, front, regions, solution)?)),
        None => None,
    };
    let (recoding, grouping) = match local {
        Some((regions, at)) => (Recoding { columns: Vec::new() }, group_regions(table, regions, at, Needs::ALL).0),
        None => {
            let recoding = solution.recoding.read(&table.columns)?;
            let mut grouping = Grouping::default();
            Workspace::default().group(table, &table.tuples, &recoding, Needs::ALL, &mut grouping);
            (recoding, grouping)
        }
    };
    let claim = checked_claim(table, problem.as_ref(), front, solution, &grouping)?;

    let gone = |group: usize| problem.suppresses(&solution.cutoff, grouping.groups.view(group));
    let suppressed = Suppressed::by(&grouping, gone);
    let all = Kept { table, grouping: &grouping, suppressed: &suppressed };
    let (columns, boxes, kept) = match local {
        Some((regions, at)) => local_columns(study, counted, &all, regions, at, shown)?,
        None => table_wide_columns(study, counted, &all, &recoding, shown)?,
    };
    let losses = catalog::LOSSES.iter().filter_map(|entry| {
        let loss = catalog::loss(entry.entry.name, table, &study.search).ok()?;
        let defined = local.is_none() || !loss.levels_only();
        let score = defined.then(|| loss.score(&all)).filter(|score| score.is_finite())?;
        Some((entry.entry.name.to_owned(), crate::front::round(score)))
    });
    let saved = SavedRecoding {
        format: RECODING_FORMAT.to_owned(),
        program: concat!("paretonym ", env!("CARGO_PKG_VERSION")).to_owned(),
        id: String::new(),
        solution: solution.id,
        k: claim.k,
        study: study.clone(),
        columns,
        regions: boxes,
    };
    Ok(ReleasePlan { saved, kept, claim, losses: losses.collect() })
}

/// The place of a solution among local recodings that belong to the table.
fn place(table: &FrequencyTable, front: &FrontFile, regions: &Regions, solution: &Solution) -> Result<usize> {
    let at = front.solutions.iter().position(|own| own.id == solution.id);
    at.filter(|at| *at < regions.solutions.len() && regions.fits(&table.columns))
        .ok_or_else(|| Error::study("the boxes beside the front do not belong to the study's table; explore again"))
}

/// One recoding for the whole table.
fn table_wide_columns(
    study: &Study,
    counted: &ReleaseTable,
    all: &Kept,
    recoding: &Recoding,
    shown: Shown,
) -> Result<RecodedTable> {
    let Kept { table, grouping, .. } = *all;
    let mut kept = KeptGroups::default();
    for group in all.groups() {
        let sets: Vec<u32> = (0..table.columns.len()).map(|column| grouping.set(table, group, column) as u32).collect();
        kept.insert(&sets);
    }
    let columns = (0..table.columns.len()).map(|at| {
        let column = ReleasedColumn::new(study, table, at, counted.kept_rows(all, at))?;
        Ok(column.table_wide(&recoding.columns[at], &grouping.columns[at], shown))
    });
    Ok((columns.collect::<Result<_>>()?, None, kept))
}

/// What is claimed of a solution: what the front says, which the table must still give. Of one that was not measured, the
/// front says no more than its objectives.
fn checked_claim(
    table: &FrequencyTable,
    problem: &dyn Problem,
    front: &FrontFile,
    solution: &Solution,
    grouping: &Grouping,
) -> Result<Claim> {
    let costs: Vec<f64> =
        solution.objectives.iter().zip(&front.objectives).map(|(value, own)| own.sense.cost(*value)).collect();
    let entry = FrontEntry {
        point: Point::new(&costs),
        cutoff: solution.cutoff,
        recoding: (),
        alternatives: solution.alternatives,
    };
    let now = Describer::new(table, problem)?.solution(solution.id, solution.recoding.clone(), &entry, grouping);
    let measured = Claim::of(&now, table.rows, &front.privacy);
    let claim = if solution.described {
        Claim::of(solution, front.rows, &front.privacy)
    } else {
        let (l, t) = (measured.l.map(|l| solution.l.unwrap_or(l)), measured.t.map(|t| solution.t.unwrap_or(t)));
        let known = Claim { k: if solution.k > 0 { solution.k } else { measured.k }, l, t, ..measured.clone() };
        Claim { rows: front.rows.saturating_sub(measured.suppressed), ..known }
    };
    let differences = claim.differences(&measured);
    if differences.is_empty() {
        return Ok(claim);
    }
    let list = differences
        .iter()
        .map(|one| format!("{} was {} and is {}", one.what, format_number(one.claimed), format_number(one.measured)));
    Err(Error::study(format!(
        "the table or the study has changed since the front was found ({}); explore again",
        list.collect::<Vec<_>>().join(", ")
    )))
}
