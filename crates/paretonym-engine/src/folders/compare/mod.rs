//! Releases to be compared row by row: files of any tool beside the original table, or solutions of a front.

mod matching;
mod original;
mod ours;
mod reading;
mod solutions;

use std::path::{Path, PathBuf};

use paretonym::compare::{Coded, Known, Original, Release, released, sorted};
use paretonym::data::Source;
use paretonym::engine::{Engine, Watch};
use paretonym::error::{Error, Result};
use paretonym::group::{Attribute, FrequencyTable};
use paretonym::privacy::Reference;
use paretonym::release::{Audit, incomplete_rows, text_leaves};
use paretonym::study::Study;

use crate::Embedded;
use crate::rows::audit::{AuditRequest, Distance, SensitiveColumn, audit};
use matching::places;
use original::ReadOriginal;
use reading::Reading;
pub use solutions::{solutions, solutions_and_files};

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
    /// The column that tells rows apart.
    pub id: Option<&'a str>,
    /// The folder of the front that they were released from, which keeps what is private of them.
    pub front: Option<&'a Path>,
}

impl Files<'_> {
    /// What each release is worth to each row of the original. Rows are matched by the id, by the row keys of our own
    /// releases, or by their order where nothing contradicts that.
    pub fn read(&self, watch: &dyn Watch) -> Result<Vec<Release>> {
        self.releases_of(ReadOriginal::new(self, &[], watch)?, watch)
    }

    /// The same, where the original was read before.
    fn releases_of(&self, mut original: ReadOriginal, watch: &dyn Watch) -> Result<Vec<Release>> {
        let ids = original.ids.take();
        let rows_of = ids.as_ref().map(|ids| places(ids, Path::new(&self.original.place()))).transpose()?;
        let names = short_names(self.releases);
        let mut readings = Vec::new();
        for (path, name) in self.releases.iter().zip(names) {
            go_on(watch)?;
            readings.push(self.reading(path, name, &mut original, rows_of.as_ref(), watch)?);
        }
        let (original, references) = self.as_studied(original, &mut readings, watch)?;
        let finished = |reading: &Reading| {
            let ours = reading.ours.as_ref();
            let known = Known {
                losses: ours.and_then(|ours| ours.losses(&reading.cells)),
                references: references.as_ref().map(|make| make()),
                stars_stay: ours.is_some_and(|ours| ours.dropped),
            };
            let Reading { name, cells, .. } = reading;
            let mut release = match &reading.matched {
                Ok(matched) => released(name, &original, cells, &reading.present, *matched, &known),
                Err(reason) => {
                    let mut release = sorted(name, &original, cells, &reading.sensitive, &known);
                    release.notes.push(format!(
                        "{name}: {reason}; so its rows cannot be matched with the original's, and nothing is compared row by row. Name a column that tells rows apart with --id, kept in the release; or, for a release of ours, the folder of its front with --front"
                    ));
                    release
                }
            };
            if known.losses.is_none() && release.matched.is_some() {
                release.notes.push(format!(
                    "{name}: the set behind a label is taken to be the original values seen under it, which may be fewer than it stands for"
                ));
            }
            release
        };
        Ok(readings.iter().map(finished).collect())
    }

    /// The original as the study of our own releases has it: without rows that are left out for missing values, and with
    /// sensitive values in their order. As it stands where some release is not ours, or the study does not fit.
    fn as_studied(
        &self,
        mut original: ReadOriginal,
        readings: &mut [Reading],
        watch: &dyn Watch,
    ) -> Result<(Original, Option<MakeReferences>)> {
        let studies: Option<Vec<&Study>> =
            readings.iter().map(|reading| reading.ours.as_ref()?.study.as_ref()).collect();
        let Some(study) = studies.as_ref().and_then(|studies| studies.first()) else {
            return Ok((original.table, None));
        };
        let mut study: Study = (*study).clone();
        study.data.move_to(self.original);
        let table = match original.counted(&study, watch) {
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Err(_) => return Ok((original.table, None)),
            Ok(table) => table,
        };
        let used = table.columns.iter().map(|column| &column.name).chain(table.attributes.iter().map(|one| &one.name));
        let used: Vec<String> = used.cloned().collect();
        original.read(self, &used, watch)?;
        let columns: Vec<&Coded> = used.iter().filter_map(|name| original.column(name)).collect();
        let gone = incomplete_rows(&study.data, &columns);
        let original = original.table;
        let Some((sensitive, attributes)) = self.ordered(&study, &table, &original, &gone) else {
            return Ok((original, None));
        };
        let stays: Vec<usize> = (0..original.rows).filter(|row| !gone[*row]).collect();
        let some =
            |column: &Coded| Coded { codes: stays.iter().map(|row| column.codes[*row]).collect(), ..column.clone() };
        for reading in readings.iter_mut().filter(|reading| reading.matched.is_ok()) {
            reading.cells = reading.cells.iter().map(some).collect();
            reading.present = stays.iter().map(|row| reading.present[*row]).collect();
        }
        let original = Original {
            rows: stays.len(),
            quasi: original.quasi.iter().map(some).collect(),
            sensitive: sensitive.iter().map(some).collect(),
        };
        let make = move || attributes.iter().map(Reference::new).collect::<Vec<Reference>>();
        Ok((original, Some(Box::new(make))))
    }

    /// The sensitive columns by the codes of a study's values. None where a row that stays has a value that it lacks.
    fn ordered(
        &self,
        study: &Study,
        table: &FrequencyTable,
        original: &Original,
        gone: &[bool],
    ) -> Option<(Vec<Coded>, Vec<Attribute>)> {
        let (mut sensitive, mut attributes) = (Vec::new(), Vec::new());
        for column in &original.sensitive {
            let attribute = table.attributes.iter().find(|one| one.name == column.name)?;
            let leaves = text_leaves(&study.data, &attribute.domain, column);
            let leaf = |(code, gone): (&u32, &bool)| leaves[*code as usize].or(gone.then_some(0));
            let codes = column.codes.iter().zip(gone).map(leaf).collect::<Option<Vec<u32>>>()?;
            sensitive.push(Coded { name: column.name.clone(), codes, texts: attribute.domain.labels.clone() });
            attributes.push(attribute.clone());
        }
        Some((sensitive, attributes))
    }

    /// What an audit says of each release on its own, whoever knows its rows.
    pub fn audits(&self, watch: &dyn Watch) -> Result<Vec<Audit>> {
        let of_file = |path: &PathBuf| {
            let source = Source::at(path);
            let has = Embedded.columns(&source)?;
            let sensitive = self.sensitive.iter().filter(|name| has.contains(name));
            let request = AuditRequest {
                sensitive: sensitive
                    .map(|name| SensitiveColumn { name: name.clone(), distance: Distance::Guessed })
                    .collect(),
                ignore_suppressed: true,
                ..AuditRequest::of(self.quasi.to_vec())
            };
            Ok(audit(&source, &request, watch)?.audit)
        };
        self.releases.iter().map(of_file).collect()
    }
}

/// Makes the distances of the sensitive columns.
type MakeReferences = Box<dyn Fn() -> Vec<Reference>>;

/// File names without folders, or whole paths where two files have one name.
fn short_names(paths: &[PathBuf]) -> Vec<String> {
    let name = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let names: Vec<String> = paths.iter().map(name).collect();
    let unique = |at: usize| names.iter().filter(|other| **other == names[at]).count() == 1;
    (0..paths.len()).map(|at| if unique(at) { names[at].clone() } else { paths[at].display().to_string() }).collect()
}

/// An error where the user has had enough.
fn go_on(watch: &dyn Watch) -> Result<()> {
    if watch.cancelled() { Err(Error::Cancelled) } else { Ok(()) }
}
