//! Solutions of a front as releases to be compared, alone or beside files.

use std::path::PathBuf;

use paretonym::compare::{Coded, Known, Matched, Release, properties_of, released};
use paretonym::engine::Watch;
use paretonym::error::Result;
use paretonym::group::FrequencyTable;
use paretonym::release::AppliedSolution;

use super::original::ReadOriginal;
use super::{Files, go_on};
use crate::folders::folder::OpenRun;

/// Solutions of the front of a run, measured anew on its table, which [`OpenRun::count`] counted.
pub fn solutions(run: &OpenRun, table: &FrequencyTable, ids: &[u32], watch: &dyn Watch) -> Result<Vec<Release>> {
    let OpenRun { study, front, regions, .. } = run;
    let mut releases = Vec::new();
    for id in ids {
        go_on(watch)?;
        let applied = AppliedSolution::new(study, table, front, regions.as_ref(), *id)?;
        releases.push(Release::new(solution_name(*id), properties_of(&applied.kept())?, Matched::Solution));
    }
    Ok(releases)
}

/// Solutions of the front of a run beside files of any tool: the solutions too are judged by the cells that they show. The
/// rows of the table are read once for all of them.
pub fn solutions_and_files(
    run: &OpenRun,
    table: &FrequencyTable,
    ids: &[u32],
    files: &[PathBuf],
    id: Option<&str>,
    watch: &dyn Watch,
) -> Result<Vec<Release>> {
    let OpenRun { dir, study, front, regions } = run;
    let quasi: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let sensitive: Vec<String> = table.sensitive().map(|at| table.attributes[at].name.clone()).collect();
    let targets = table.attributes.iter().filter(|one| !one.sensitive).map(|one| one.name.clone());
    let targets: Vec<String> = targets.filter(|name| !quasi.contains(name)).collect();
    let files =
        Files { original: &study.data, releases: files, quasi: &quasi, sensitive: &sensitive, id, front: Some(dir) };
    let mut original = ReadOriginal::new(&files, &targets, watch)?;
    original.counted = Some((study, table));
    let mut releases = Vec::new();
    for id in ids {
        go_on(watch)?;
        let applied = AppliedSolution::new(study, table, front, regions.as_ref(), *id)?;
        let (cells, present) = applied.rows(&original.columns().collect::<Vec<&Coded>>())?;
        let known = Known { stars_stay: true, ..Known::default() };
        releases.push(released(&solution_name(*id), &original.table, &cells, &present, Matched::Solution, &known));
    }
    releases.extend(files.releases_of(original, watch)?);
    Ok(releases)
}

fn solution_name(id: u32) -> String {
    format!("solution {id}")
}
