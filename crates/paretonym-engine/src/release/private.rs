//! The private part of a release: a folder that must not leave the house, found by the random id that the public recoding
//! carries.

use std::path::{Path, PathBuf};

use paretonym::error::{Error, Result};

use crate::folder::PRIVATE;
use crate::write::folder_of;

/// The file that tells, for each row of a release in its order, which row of the original it was.
const ROWS: &str = "rows";
/// The longest id.
const LONGEST: usize = 64;

/// The private part of one release.
#[derive(Clone, Debug)]
pub struct PrivatePart {
    folder: PathBuf,
}

/// Looks for the private part of a release: in the folder of its front where that is given, in the folders beside its
/// recoding, and in the working folder.
pub fn find(recoding: &Path, front: Option<&Path>) -> Result<Option<PrivatePart>> {
    let Ok(text) = std::fs::read_to_string(recoding) else { return Ok(None) };
    let Ok(value) = serde_json::from_str::<serde_json::Value>(&text) else { return Ok(None) };
    let is_name = |id: &&str| {
        !id.is_empty() && id.len() <= LONGEST && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    let Some(id) = value["id"].as_str().filter(is_name) else { return Ok(None) };
    let beside = folder_of(recoding);
    let mut places: Vec<PathBuf> = front.map(Path::to_owned).into_iter().collect();
    for folder in [beside, Path::new(".")] {
        places.push(folder.to_owned());
        let mut below: Vec<PathBuf> =
            std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        below.sort();
        places.extend(below);
    }
    let found = places.into_iter().map(|place| place.join(PRIVATE).join(id)).find(|folder| folder.is_dir());
    Ok(found.map(|folder| PrivatePart { folder }))
}

impl PrivatePart {
    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// For each row of the release, in its order, the number of its row in the original, counted from 0.
    pub fn rows(&self) -> Result<Vec<u64>> {
        let path = self.folder.join(ROWS);
        let bytes =
            std::fs::read(&path).map_err(|source| Error::File { action: "read", path: path.clone(), source })?;
        let (numbers, rest) = bytes.as_chunks::<8>();
        if !rest.is_empty() {
            return Err(Error::Table {
                place: path.display().to_string(),
                problem: "is damaged: it should hold eight bytes for each row; release the solution again".to_owned(),
            });
        }
        Ok(numbers.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect())
    }
}
