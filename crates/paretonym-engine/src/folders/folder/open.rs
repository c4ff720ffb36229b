//! A folder of a run, opened and checked: the study, the front and the boxes in it belong together.

use std::path::{Path, PathBuf};

use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use paretonym::front::FrontFile;
use paretonym::group::FrequencyTable;
use paretonym::recode::Regions;
use paretonym::study::{Study, count};

use super::seal::Seal;
use super::{STUDY, read_front, read_regions, read_study};
use crate::Embedded;

/// What `explore` left in a folder.
pub struct OpenRun {
    /// The folder.
    pub dir: PathBuf,
    /// The study as it was run.
    pub study: Study,
    /// The front.
    pub front: FrontFile,
    /// The boxes of a front of local recodings.
    pub regions: Option<Regions>,
}

impl OpenRun {
    /// Opens a folder and checks that its files belong together.
    pub fn open(dir: &Path) -> Result<Self> {
        let front = read_front(dir)?;
        let study = OpenRun::study(dir)?;
        let regions = read_regions(dir, &front)?;
        Ok(OpenRun { dir: dir.to_owned(), study, front, regions })
    }

    /// The study in a folder, if it is the one that the front beside it was found for.
    pub fn study(dir: &Path) -> Result<Study> {
        let path = dir.join(STUDY);
        let study = read_study(&path)?;
        if let Some((seal, key)) = Seal::of(dir)? {
            seal.check_study(&study, &key, &path)?;
        }
        Ok(study)
    }

    /// Counts the table, which must still be what the front was found for.
    pub fn count(&self, watch: &dyn Watch) -> Result<FrequencyTable> {
        self.check_inputs(watch)?;
        count(&self.study, &Embedded, watch)
    }

    /// Checks that table, study and taxonomies are still what the front was found for.
    pub fn check_inputs(&self, watch: &dyn Watch) -> Result<()> {
        check_inputs(&self.dir, &self.study, watch)
    }
}

/// Checks that the inputs of the run in a folder are still what its front was found for.
pub fn check_inputs(dir: &Path, study: &Study, watch: &dyn Watch) -> Result<()> {
    let (seal, key) = Seal::of(dir)?.ok_or_else(|| Error::Table {
        place: dir.display().to_string(),
        problem:
            "this folder has no seal: it was written by an earlier version, or its `private` folder was not copied \
                  along; explore again"
                .to_owned(),
    })?;
    seal.check_inputs(study, &key, watch)
}
