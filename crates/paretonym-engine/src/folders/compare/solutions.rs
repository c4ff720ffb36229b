//! Solutions of a front as releases to be compared, alone or beside files.

use std::path::{Path, PathBuf};

use paretonym::compare::{Coded, Known, Matched, Release, properties_of, released};
use paretonym::engine::Watch;
use paretonym::error::Result;
use paretonym::release::AppliedSolution;
use paretonym::study::count;

use super::original::ReadOriginal;
use super::{Files, go_on};
use crate::Embedded;
use crate::folders::folder::OpenRun;

/// Solutions of the front in a folder, measured anew on the study's table.
pub fn solutions(dir: &Path, ids: &[u32], watch: &dyn Watch) -> Result<Vec<Release>> {
    let run = OpenRun::open(dir)?;
    run.check_inputs(watch)?;
    let OpenRun { study, front, regions, .. } = &run;
    let table = count(study, &Embedded, watch)?;
    let mut releases = Vec::new();
    for id in ids {
        go_on(watch)?;
        let applied = AppliedSolution::new(study, &table, front, regions.as_ref(), *id)?;
        releases.push(Release::new(solution_name(*id), properties_of(&applied.kept())?, Matched::Solution));
    }
    Ok(releases)
}

/// Solutions of the front in a folder beside files of any tool: the solutions too are judged by the cells that they show.
/// The table is counted once, and its rows are read once, for all of them.
pub fn solutions_and_files(
    dir: &Path,
    ids: &[u32],
    files: &[PathBuf],
    id: Option<&str>,
    watch: &dyn Watch,
) -> Result<Vec<Release>> {
    let run = OpenRun::open(dir)?;
    run.check_inputs(watch)?;
    let OpenRun { study, front, regions, .. } = &run;
    let table = count(study, &Embedded, watch)?;
    let quasi: Vec<String> = table.columns.iter().map(|column| column.name.clone()).collect();
    let sensitive: Vec<String> = table.sensitive().map(|at| table.attributes[at].name.clone()).collect();
    let targets = table.attributes.iter().filter(|one| !one.sensitive).map(|one| one.name.clone());
    let targets: Vec<String> = targets.filter(|name| !quasi.contains(name)).collect();
    let files =
        Files { original: &study.data, releases: files, quasi: &quasi, sensitive: &sensitive, id, front: Some(dir) };
    let mut original = ReadOriginal::new(&files, &targets, watch)?;
    original.counted = Some((study, &table));
    let mut releases = Vec::new();
    for id in ids {
        go_on(watch)?;
        let applied = AppliedSolution::new(study, &table, front, regions.as_ref(), *id)?;
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
