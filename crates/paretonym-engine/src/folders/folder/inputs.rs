//! What a run was made from, as keyed digests: its table, its study and its taxonomies.

use std::path::{Path, PathBuf};

use paretonym::data::Source;
use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use paretonym::study::Study;
use serde::{Deserialize, Serialize};

use super::key::{Key, same};
use crate::rows::database::fingerprint;
use crate::rows::frame::Frame;

/// What a run was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inputs {
    /// Digest of the table's files, or of what a database says of its columns and rows.
    table: String,
    /// Digest of the study, but for where its files lie.
    pub(super) study: String,
    /// Digest of the taxonomy files.
    taxonomies: String,
}

impl Inputs {
    /// As they are now.
    pub(crate) fn now(study: &Study, key: &Key, watch: &dyn Watch) -> Result<Self> {
        let table = table_digest(&study.data, key, watch)?.0;
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

/// The digest of a table, which tells whether it changes, and the rows of a table that is counted for that.
pub(crate) fn table_digest(source: &Source, key: &Key, watch: &dyn Watch) -> Result<(String, u64)> {
    if source.is_in_files() {
        return Ok((key.digest_table(&source.path, watch)?, 0));
    }
    if source.frame.is_some() {
        let frame = Frame::of(source)?;
        return Ok((key.digest_frame(&frame)?, frame.rows()));
    }
    watch.phase("checking the table", None);
    let (found, rows) = fingerprint(source, watch)?;
    // Where the rows come from is part of what they are.
    Ok((key.digest(&[source.place().as_bytes(), found.as_bytes()].concat()), rows))
}

/// The files of a study's taxonomies.
pub fn taxonomy_files(study: &Study) -> impl Iterator<Item = PathBuf> {
    study.columns.iter().filter_map(|column| column.taxonomy.as_ref()?.as_str()).map(PathBuf::from)
}

/// Digest of all that a study decides. Where files lie is no part of it: what they hold has digests of its own.
pub(super) fn study_digest(study: &Study, key: &Key) -> Result<String> {
    let mut plain = study.clone();
    plain.data.path = PathBuf::new();
    plain.data.frame = None;
    plain.data.connections = None;
    for column in &mut plain.columns {
        if let Some(toml::Value::String(path)) = &mut column.taxonomy {
            *path = crate::rows::file::file_name(Path::new(path));
        }
    }
    let text =
        toml::to_string(&plain).map_err(|error| Error::internal(format!("the study cannot be sealed: {error}")))?;
    Ok(key.digest(text.as_bytes()))
}
