//! Reading the folder of a run.

use std::path::Path;

use paretonym::engine::Engine;
use paretonym::error::{Error, Result};
use paretonym::front::{FORMAT, FrontFile, Solution};
use paretonym::recode::{REGIONS_FORMAT, Regions};
use paretonym::study::Study;

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
    let text =
        std::fs::read_to_string(&path).map_err(|source| Error::File { action: "read", path: path.clone(), source })?;
    let front: FrontFile = serde_json::from_str(&text).map_err(|error| Error::Table {
        place: path.display().to_string(),
        problem: format!("this is not a front of paretonym ({error}); run `paretonym explore` again"),
    })?;
    if front.format != FORMAT {
        let problem = format!("format {:?}, but this program reads {FORMAT:?}; explore again", front.format);
        return Err(Error::Table { place: path.display().to_string(), problem });
    }
    Ok(front)
}

/// Reads the boxes of a front of local recodings; none for other fronts.
pub fn read_regions(dir: &Path, front: &FrontFile) -> Result<Option<Regions>> {
    if !front.solutions.iter().any(Solution::is_local) {
        return Ok(None);
    }
    let path = dir.join(REGIONS);
    let text =
        std::fs::read_to_string(&path).map_err(|source| Error::File { action: "read", path: path.clone(), source })?;
    let wrong = |what: String| Error::Table {
        place: path.display().to_string(),
        problem: format!("{what}; run `paretonym explore` again"),
    };
    let regions: Regions = serde_json::from_str(&text)
        .map_err(|error| wrong(format!("these are not the boxes of a front of paretonym ({error})")))?;
    if regions.format != REGIONS_FORMAT || regions.solutions.len() != front.solutions.len() {
        return Err(wrong("these boxes do not belong to the front beside them".to_owned()));
    }
    Ok(Some(regions))
}
