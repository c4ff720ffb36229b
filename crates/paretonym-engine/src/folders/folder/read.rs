//! Reading the folder of a run.

use std::path::Path;

use paretonym::engine::Engine;
use paretonym::error::{Error, Result};
use paretonym::front::FrontFile;
use paretonym::recode::Regions;
use paretonym::study::Study;

use super::seal::Seal;
use super::{FRONT, REGIONS};
use crate::Embedded;

/// Reads a study file; its paths are relative to it.
pub fn read_study(path: &Path) -> Result<Study> {
    let mut study = Study::from_toml(&Embedded.read_text(path)?, &path.display().to_string())?;
    study.resolve(path.parent().unwrap_or(Path::new("")));
    Ok(study)
}

/// Reads the front of a folder.
pub fn read_front(dir: &Path) -> Result<FrontFile> {
    let path = dir.join(FRONT);
    let text = Embedded.read_text(&path)?;
    let front = FrontFile::from_json(&text, &path.display().to_string())?;
    if let Some((seal, key)) = Seal::of(dir)? {
        seal.check_front(&text, &key, &path)?;
    }
    Ok(front)
}

/// Reads the boxes of a front of local recodings; none for other fronts.
pub fn read_regions(dir: &Path, front: &FrontFile) -> Result<Option<Regions>> {
    if !front.solutions.iter().any(|solution| solution.recoding.is_local()) {
        return Ok(None);
    }
    let path = dir.join(REGIONS);
    let place = path.display().to_string();
    let text = Embedded.read_text(&path)?;
    if let Some((seal, key)) = Seal::of(dir)? {
        seal.check_regions(&text, &key, &path)?;
    }
    let regions = Regions::from_json(&text, &place)?;
    if regions.solutions.len() != front.solutions.len() {
        let problem = "these boxes do not belong to the front beside them; run `paretonym explore` again".to_owned();
        return Err(Error::Table { place, problem });
    }
    Ok(Some(regions))
}
