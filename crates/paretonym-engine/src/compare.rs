//! Releases to be compared row by row: files of any tool beside the original table, or solutions of a front.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use paretonym::compare::{Coded, Original, Release, properties_of, released};
use paretonym::data::Source;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use paretonym::study::count;

use crate::folder::OpenRun;
use crate::recoded::Recoded;
use crate::{Embedded, read_columns};

/// What is known of releases that are compared as files.
pub struct Files<'a> {
    /// The table that they were made from.
    pub original: &'a Source,
    /// The releases.
    pub releases: &'a [PathBuf],
    /// The columns that they recode.
    pub quasi: &'a [String],
    /// The columns that they protect.
    pub sensitive: &'a [String],
    /// The column that tells rows apart; without it they are matched by their order.
    pub id: Option<&'a str>,
}

impl Files<'_> {
    /// What each release is worth to each row of the original.
    pub fn read(&self, watch: &dyn Watch) -> Result<Vec<Release>> {
        let id: Vec<String> = self.id.iter().map(|&id| id.to_owned()).collect();
        let wanted = [self.quasi, self.sensitive, &id].concat();
        let mut columns = read_columns(self.original, &wanted, watch)?;
        let ids = self.id.is_some().then(|| columns.pop()).flatten();
        let sensitive = columns.split_off(self.quasi.len());
        let original = Original { rows: columns[0].codes.len(), quasi: columns, sensitive };
        let rows_of = ids.as_ref().map(|ids| places(ids, &self.original.path)).transpose()?;

        let names = short_names(self.releases);
        let mut releases = Vec::new();
        for (path, name) in self.releases.iter().zip(&names) {
            let wanted = [self.quasi, &id].concat();
            let mut cells = read_columns(&Source::at(path), &wanted, watch)?;
            let own_ids = self.id.is_some().then(|| cells.pop()).flatten();
            let mut present = vec![true; original.rows];
            match (&rows_of, own_ids) {
                (Some(rows_of), Some(own_ids)) => {
                    present = matched(&mut cells, &own_ids, rows_of, original.rows, path)?;
                }
                _ if cells[0].codes.len() != original.rows => {
                    return Err(Error::Table {
                        place: path.display().to_string(),
                        problem: format!(
                            "has {} rows and the original {}; name a column that tells rows apart with --id, kept in the release",
                            cells[0].codes.len(),
                            original.rows
                        ),
                    });
                }
                _ => {}
            }
            go_on(watch)?;
            releases.push(released(name, &original, &cells, &present));
        }
        Ok(releases)
    }
}

/// The row of each identifier.
fn places<'a>(ids: &'a Coded, path: &Path) -> Result<HashMap<&'a str, usize>> {
    let mut rows = HashMap::with_capacity(ids.codes.len());
    for (row, code) in ids.codes.iter().enumerate() {
        let text = ids.texts[*code as usize].as_str();
        if rows.insert(text, row).is_some() {
            return Err(Error::Table {
                place: path.display().to_string(),
                problem: format!("{:?} occurs twice in column {:?}, which cannot tell rows apart then", text, ids.name),
            });
        }
    }
    Ok(rows)
}

/// Puts the cells of a release into the order of the original's rows; tells which rows it has.
fn matched(
    cells: &mut [Coded],
    own: &Coded,
    rows_of: &HashMap<&str, usize>,
    rows: usize,
    path: &Path,
) -> Result<Vec<bool>> {
    places(own, path)?;
    let place = |code: u32| {
        let text = own.texts[code as usize].as_str();
        rows_of.get(text).copied().ok_or_else(|| Error::Table {
            place: path.display().to_string(),
            problem: format!("the original has no row whose {:?} is {text:?}", own.name),
        })
    };
    let to = own.codes.iter().map(|code| place(*code)).collect::<Result<Vec<usize>>>()?;
    let mut present = vec![false; rows];
    to.iter().for_each(|row| present[*row] = true);
    for column in cells {
        let mut codes = vec![0; rows];
        to.iter().zip(&column.codes).for_each(|(row, code)| codes[*row] = *code);
        column.codes = codes;
    }
    Ok(present)
}

/// File names without folders, or whole paths where two files have one name.
fn short_names(paths: &[PathBuf]) -> Vec<String> {
    let name = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let names: Vec<String> = paths.iter().map(name).collect();
    let unique = |at: usize| names.iter().filter(|other| **other == names[at]).count() == 1;
    (0..paths.len()).map(|at| if unique(at) { names[at].clone() } else { paths[at].display().to_string() }).collect()
}

/// Solutions of the front in a folder, measured anew on the study's table.
pub fn solutions(dir: &Path, ids: &[u32], watch: &dyn Watch) -> Result<Vec<Release>> {
    let run = OpenRun::open(dir)?;
    run.check_inputs(watch)?;
    let OpenRun { study, front, regions, .. } = &run;
    let table = count(study, &Embedded, watch)?;
    let mut releases = Vec::new();
    for id in ids {
        go_on(watch)?;
        let recoded = Recoded::new(study, &table, front, regions.as_ref(), *id)?;
        releases.push(Release { name: solution_name(*id), properties: properties_of(&recoded.kept())? });
    }
    Ok(releases)
}

/// Solutions of the front in a folder beside files of any tool: the solutions too are judged by the cells that they show.
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
    let columns = read_columns(&study.data, &[quasi.as_slice(), &sensitive, &targets].concat(), watch)?;
    let original = Original {
        rows: columns.first().map_or(0, |column| column.codes.len()),
        quasi: columns[..quasi.len()].to_vec(),
        sensitive: columns[quasi.len()..quasi.len() + sensitive.len()].to_vec(),
    };
    let mut releases = Vec::new();
    for id in ids {
        go_on(watch)?;
        let recoded = Recoded::new(study, &table, front, regions.as_ref(), *id)?;
        let (cells, present) = recoded.rows(&columns)?;
        releases.push(released(&solution_name(*id), &original, &cells, &present));
    }
    let source = &study.data;
    let files = Files { original: source, releases: files, quasi: &quasi, sensitive: &sensitive, id };
    releases.extend(files.read(watch)?);
    Ok(releases)
}

/// An error where the user has had enough.
fn go_on(watch: &dyn Watch) -> Result<()> {
    if watch.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
}

fn solution_name(id: u32) -> String {
    format!("solution {id}")
}
