//! The seal of a run: keyed digests that bind its table, study, taxonomies, front and boxes to each other. Whoever reads the
//! folder later finds out whether one of them was changed, or belongs to another run.

use std::path::{Path, PathBuf};

use paretonym::engine::Watch;
use paretonym::error::{Error, FileAction, Result};
use paretonym::study::Study;
use serde::{Deserialize, Serialize};

use super::PRIVATE;
use super::key::{Key, same};
use crate::write_atomically;

/// The value of `format` in a seal.
const FORMAT: &str = "paretonym-seal/1";

/// The file of the seal, beside the key.
const SEAL: &str = "seal.json";

/// What a run was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs {
    /// Digest of the table's file.
    table: String,
    /// Digest of the study, but for where its files lie.
    study: String,
    /// Digest of the taxonomy files.
    taxonomies: String,
}

impl Inputs {
    /// As they are now.
    pub(crate) fn now(study: &Study, key: &Key, watch: &dyn Watch) -> Result<Self> {
        let table = key.digest_file(&study.data.path, watch)?;
        let mut taxonomies = String::new();
        for path in taxonomy_files(study) {
            taxonomies += &key.digest_file(&path, watch)?;
        }
        Ok(Inputs { table, study: study_digest(study, key)?, taxonomies: key.digest(taxonomies.as_bytes()) })
    }

    /// What differs from what they were, in words.
    pub(crate) fn changed_since(&self, earlier: &Inputs) -> Option<&'static str> {
        if !same(&self.study, &earlier.study) {
            Some("the study has changed")
        } else if !same(&self.table, &earlier.table) {
            Some("the table has changed")
        } else if !same(&self.taxonomies, &earlier.taxonomies) {
            Some("a taxonomy file has changed")
        } else {
            None
        }
    }
}

/// The files of a study's taxonomies.
pub fn taxonomy_files(study: &Study) -> impl Iterator<Item = PathBuf> {
    study.columns.iter().filter_map(|column| column.taxonomy.as_ref()?.as_str()).map(PathBuf::from)
}

/// Digest of all that a study decides. Where files lie is no part of it: what they hold has digests of its own.
fn study_digest(study: &Study, key: &Key) -> Result<String> {
    let mut plain = study.clone();
    plain.data.path = PathBuf::new();
    for column in &mut plain.columns {
        if let Some(toml::Value::String(path)) = &mut column.taxonomy {
            *path = crate::rows::file::file_name(Path::new(path));
        }
    }
    let text =
        toml::to_string(&plain).map_err(|error| Error::internal(format!("the study cannot be sealed: {error}")))?;
    Ok(key.digest(text.as_bytes()))
}

/// Digests of everything that belongs together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Seal {
    format: String,
    inputs: Inputs,
    front: String,
    regions: Option<String>,
}

impl Seal {
    /// For a front and its boxes, as they are written.
    pub fn new(inputs: &Inputs, front: &str, regions: Option<&str>, key: &Key) -> Self {
        Seal {
            format: FORMAT.to_owned(),
            inputs: inputs.clone(),
            front: key.digest(front.as_bytes()),
            regions: regions.map(|regions| key.digest(regions.as_bytes())),
        }
    }

    /// Writes it into the folder of a run.
    pub fn keep(&self, dir: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| Error::internal(format!("the seal cannot be written: {error}")))?;
        write_atomically(&dir.join(PRIVATE).join(SEAL), |file| file.write_all(text.as_bytes()))
    }

    /// That of the folder of a run; none where an earlier version wrote the folder.
    pub fn of(dir: &Path) -> Result<Option<(Self, Key)>> {
        let path = dir.join(PRIVATE).join(SEAL);
        let Some(key) = Key::of(dir)? else { return Ok(None) };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(Error::File { action: FileAction::Read, path, source }),
        };
        let seal: Option<Seal> = serde_json::from_str(&text).ok().filter(|seal: &Seal| seal.format == FORMAT);
        let seal = seal.ok_or_else(|| Error::Table {
            place: path.display().to_string(),
            problem: "this is not the seal of a run of this version; explore again".to_owned(),
        })?;
        Ok(Some((seal, key)))
    }

    /// Whether the text of front.json is the one that was sealed.
    pub fn check_front(&self, text: &str, key: &Key, path: &Path) -> Result<()> {
        if same(&self.front, &key.digest(text.as_bytes())) { Ok(()) } else { Err(apart(path)) }
    }

    /// Whether the text of regions.json is the one that was sealed.
    pub fn check_regions(&self, text: &str, key: &Key, path: &Path) -> Result<()> {
        let own = key.digest(text.as_bytes());
        if self.regions.as_ref().is_some_and(|sealed| same(sealed, &own)) { Ok(()) } else { Err(apart(path)) }
    }

    /// Whether a study is the one that was run; its files are not looked at.
    pub fn check_study(&self, study: &Study, key: &Key, path: &Path) -> Result<()> {
        if same(&self.inputs.study, &study_digest(study, key)?) { Ok(()) } else { Err(apart(path)) }
    }

    /// Whether table, study and taxonomies are still what the front was found for.
    pub fn check_inputs(&self, study: &Study, key: &Key, watch: &dyn Watch) -> Result<()> {
        match Inputs::now(study, key, watch)?.changed_since(&self.inputs) {
            None => Ok(()),
            Some(what) => Err(Error::study(format!("{what} since the front was found; explore again"))),
        }
    }
}

fn apart(path: &Path) -> Error {
    Error::Table {
        place: path.display().to_string(),
        problem: "this file was changed after the front was found, or an `explore` into this folder was interrupted; \
                  explore again"
            .to_owned(),
    }
}
