//! Reads a release to be compared, and finds out whose its rows are.

use std::collections::HashMap;
use std::path::Path;

use paretonym::compare::{Coded, Matched, contradiction, starred};
use paretonym::data::Source;
use paretonym::engine::{Engine, Watch};
use paretonym::error::{Error, Result};

use super::Files;
use super::matching::{placed, rows_by_id, rows_by_key};
use super::original::ReadOriginal;
use super::ours::Ours;
use crate::rows::columns::readable_columns;
use crate::{Embedded, read_columns};

/// A release as it was read: its cells by the rows of the original where these are known, else in its own order.
pub(super) struct Reading {
    pub name: String,
    pub cells: Vec<Coded>,
    pub present: Vec<bool>,
    /// The release's own sensitive cells, where its rows are not known.
    pub sensitive: Vec<Option<Coded>>,
    pub matched: Result<Matched, String>,
    pub ours: Option<Ours>,
}

impl Files<'_> {
    /// Reads a release and finds out whose its rows are.
    pub(super) fn reading(
        &self,
        path: &Path,
        name: String,
        original: &mut ReadOriginal,
        rows_of: Option<&HashMap<&str, usize>>,
        watch: &dyn Watch,
    ) -> Result<Reading> {
        let source = Source::at(path);
        let id: Vec<String> = self.id.iter().map(|&id| id.to_owned()).collect();
        let mut cells = read_columns(&source, &[self.quasi, &id].concat(), watch)?;
        let own_ids = self.id.is_some().then(|| cells.pop()).flatten();
        let ours = Ours::beside(path, original, self.front, watch)?;
        let (rows, of_original) = (cells[0].codes.len(), original.table.rows);
        if rows > of_original {
            return Err(Error::Table {
                place: path.display().to_string(),
                problem: format!("has {rows} rows and the original only {}; is it of this table?", of_original),
            });
        }
        let mut present = vec![true; of_original];
        let mut sensitive = Vec::new();
        let keys = ours.as_ref().and_then(|ours| ours.rows.as_ref());
        let matched = match (rows_of, own_ids, keys) {
            (Some(rows_of), Some(own_ids), _) => {
                let to = rows_by_id(&own_ids, &starred(&cells), rows_of, path)?;
                present = placed(&mut cells, &to, of_original);
                Ok(Matched::Id)
            }
            (_, _, Some(keys)) => {
                let to = rows_by_key(keys, rows, of_original, path)?;
                present = placed(&mut cells, &to, of_original);
                Ok(Matched::RowKey)
            }
            _ if rows != of_original => Err(format!("it has {rows} rows and the original {}", of_original)),
            _ => self.in_order(&source, original, &cells, watch)?.map_or(Ok(Matched::Position), Err),
        };
        if matched.is_err() {
            let has = Embedded.columns(&source)?;
            for name in self.sensitive {
                let own = if has.contains(name) {
                    read_columns(&source, std::slice::from_ref(name), watch)?.pop()
                } else {
                    None
                };
                sensitive.push(own);
            }
        }
        Ok(Reading { name, cells, present, sensitive, matched, ours })
    }

    /// What speaks against the rows of a release being in the order of the original, in all columns that both have.
    fn in_order(
        &self,
        release: &Source,
        original: &mut ReadOriginal,
        cells: &[Coded],
        watch: &dyn Watch,
    ) -> Result<Option<String>> {
        let known = Embedded.columns(self.original)?;
        let others = Embedded.columns(release)?.into_iter().filter(|name| known.contains(name));
        let others: Vec<String> = others.filter(|name| !self.quasi.contains(name)).collect();
        original.read(self, &others, watch)?;
        let (mut hidden, mut shown) = (original.table.quasi.clone(), cells.to_vec());
        // A column that cannot be read in one of them says nothing.
        for (name, released) in others.iter().zip(readable_columns(release, &others, watch)?) {
            if let (Some(own), Some(released)) = (original.column(name), released) {
                hidden.push(own.clone());
                shown.push(released);
            }
        }
        Ok(contradiction(&hidden, &shown))
    }
}
