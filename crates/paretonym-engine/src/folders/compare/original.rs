//! The original table of a comparison, as far as it was read: no column is read twice, and what was counted is not counted
//! again.

use std::borrow::Cow;
use std::path::PathBuf;

use paretonym::compare::{Coded, Original};
use paretonym::engine::Watch;
use paretonym::error::Result;
use paretonym::group::FrequencyTable;
use paretonym::study::{Study, count};

use super::Files;
use crate::folders::folder::digest::sha256_table;
use crate::rows::columns::readable_columns;
use crate::{Embedded, read_columns};

/// What is known of the original.
pub(super) struct ReadOriginal<'a> {
    /// Its file, or what names its files; empty where it is in a database.
    path: PathBuf,
    /// Where it is, as messages name it.
    pub place: String,
    /// Its quasi and sensitive columns.
    pub table: Original,
    /// The column that tells rows apart.
    pub ids: Option<Coded>,
    /// Further columns.
    others: Vec<Coded>,
    /// The SHA-256 of its files, where somebody asked for it.
    sha256: Option<String>,
    /// Columns that cannot be read.
    unreadable: Vec<String>,
    /// The table of a study, where it was counted before.
    pub counted: Option<(&'a Study, &'a FrequencyTable)>,
}

impl<'a> ReadOriginal<'a> {
    /// Reads what the comparison of files needs, and some other columns, in one pass.
    pub fn new(files: &Files, others: &[String], watch: &dyn Watch) -> Result<Self> {
        let id: Vec<String> = files.id.iter().map(|&id| id.to_owned()).collect();
        let wanted = [files.quasi, files.sensitive, others, &id].concat();
        let mut columns = read_columns(files.original, &wanted, watch)?;
        let ids = files.id.is_some().then(|| columns.pop()).flatten();
        let others = columns.split_off(files.quasi.len() + files.sensitive.len());
        let sensitive = columns.split_off(files.quasi.len());
        let table = Original { rows: columns[0].codes.len(), quasi: columns, sensitive };
        let (path, place) = (files.original.path.clone(), files.original.place());
        Ok(ReadOriginal { path, place, table, ids, others, sha256: None, unreadable: Vec::new(), counted: None })
    }

    /// The SHA-256 of its files, which are read for it once.
    pub fn sha256(&mut self, watch: &dyn Watch) -> Result<&str> {
        if self.sha256.is_none() {
            // A table in a database has no bytes of its own.
            let in_file = !self.path.as_os_str().is_empty();
            let digest = in_file.then(|| sha256_table(&self.path, watch)).transpose()?;
            self.sha256 = Some(digest.unwrap_or_default());
        }
        Ok(self.sha256.as_deref().unwrap_or_default())
    }

    /// All columns that were read, but for the identifier.
    pub fn columns(&self) -> impl Iterator<Item = &Coded> {
        self.table.quasi.iter().chain(&self.table.sensitive).chain(&self.others)
    }

    /// A column that was read.
    pub fn column(&self, name: &str) -> Option<&Coded> {
        self.columns().chain(&self.ids).find(|column| column.name == name)
    }

    /// Reads those of some columns that were not read yet, in one pass; some may turn out not to be readable.
    pub fn read(&mut self, files: &Files, names: &[String], watch: &dyn Watch) -> Result<()> {
        let unread = |name: &&String| self.column(name).is_none() && !self.unreadable.contains(name);
        let unread: Vec<String> = names.iter().filter(unread).cloned().collect();
        if unread.is_empty() {
            return Ok(());
        }
        for (name, column) in unread.iter().zip(readable_columns(files.original, &unread, watch)?) {
            match column {
                Some(column) => self.others.push(column),
                None => self.unreadable.push(name.clone()),
            }
        }
        Ok(())
    }

    /// The table of a study whose data this is.
    pub fn counted(&self, study: &Study, watch: &dyn Watch) -> Result<Cow<'a, FrequencyTable>> {
        match self.counted {
            Some((own, table)) if own == study => Ok(Cow::Borrowed(table)),
            _ => count(study, &Embedded, watch).map(Cow::Owned),
        }
    }
}
