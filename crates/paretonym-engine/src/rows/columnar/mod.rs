//! Tables in Parquet files: row groups are read in parallel, texts as positions in a dictionary, so that each distinct
//! text of a row group is coded once.

pub(crate) mod described;
mod file;
mod pass;
mod scan;

use std::path::PathBuf;

use arrow_schema::{Field, Schema};
use paretonym::data::Source;
use paretonym::error::Result;
use rayon::prelude::*;

use crate::rows::alike::order_of;
use crate::rows::file as files;
use crate::rows::guard::guarded;
use file::ParquetFile;

/// A table in Parquet files, one or several.
pub(crate) struct ParquetTable {
    path: PathBuf,
    pub names: Vec<String>,
    files: Vec<ParquetFile>,
    /// All row groups in the order of the table: file and number in it.
    groups: Vec<(usize, usize)>,
    rows: u64,
}

impl ParquetTable {
    /// Reads the descriptions of the files, which must have the same columns.
    pub fn open(source: &Source, paths: &[&PathBuf]) -> Result<Self> {
        let opened: Vec<Result<ParquetFile>> = paths.par_iter().map(|path| ParquetFile::open(source, path)).collect();
        let mut opened: Vec<ParquetFile> = opened.into_iter().collect::<Result<_>>()?;
        // The order of the columns is that of the first file with rows.
        let first = opened.iter().position(|file| file.rows > 0).unwrap_or(0);
        let (first, names) = (opened[first].path.clone(), opened[first].names.clone());
        for file in &mut opened {
            for (at, column) in order_of((&file.path, &file.names), (&first, &names))?.into_iter().enumerate() {
                file.own[column] = at;
            }
        }
        let files: Vec<ParquetFile> = opened.into_iter().filter(|file| file.rows > 0).collect();
        if files.is_empty() {
            return Err(files::table(if paths.len() == 1 { &first } else { &source.path }, "holds no rows"));
        }
        let numbered = files.iter().enumerate();
        let groups = numbered.flat_map(|(number, file)| (0..file.before.len()).map(move |group| (number, group)));
        let groups = groups.collect();
        let rows = files.iter().map(|file| file.rows).fold(0, u64::saturating_add);
        Ok(ParquetTable { path: source.path.clone(), names, files, groups, rows })
    }

    /// Whether the cells of a column can be read.
    pub fn is_readable(&self, column: usize) -> bool {
        self.files.iter().all(|file| file.is_readable(column))
    }

    /// The fields of all columns: texts as dictionaries, but for those that are to be read as they are.
    pub fn fields(&self, native: impl Fn(usize) -> bool) -> Vec<Field> {
        let field = |column: usize| {
            let nullable = self.files.iter().any(|file| file.field_as(column, true).is_nullable());
            self.files[0].field_as(column, native(column)).with_nullable(nullable)
        };
        (0..self.names.len()).map(field).collect()
    }

    /// Whether a column holds numbers, in every file.
    pub fn is_numeric(&self, column: usize) -> bool {
        self.files.iter().all(|file| file.field_as(column, false).data_type().is_numeric())
    }

    /// Refuses columns that are to be written as they are, with these fields, where files hold them with different types.
    pub fn check_types(&self, fields: &Schema, kept: impl Fn(usize) -> bool) -> Result<()> {
        for column in (0..self.names.len()).filter(|column| kept(*column)) {
            let wanted = fields.field(column).data_type();
            if let Some(file) = self.files.iter().find(|file| file.shared_type(column, wanted).is_none()) {
                let first = &self.files[0];
                let problem = format!(
                    "column {:?} holds {}, and {} in {}; a release needs one type: convert it, or leave the column out",
                    self.names[column],
                    file.field_as(column, true).data_type(),
                    first.field_as(column, true).data_type(),
                    first.path.display()
                );
                return Err(files::table(&file.path, problem));
            }
        }
        Ok(())
    }

    /// Whether all pages of a column refer to a list of its distinct values, in every row group: it is short then.
    pub fn is_listed(&self, column: usize) -> bool {
        self.files.iter().all(|file| file.is_listed(column))
    }

    /// Whether whoever wrote a file began a list of the distinct values of a column, and found that there are too many.
    pub fn is_unlisted(&self, column: usize) -> bool {
        self.files.iter().any(|file| file.is_unlisted(column))
    }

    /// About how many bytes the rows take in memory.
    pub fn estimated_bytes(&self) -> u64 {
        let stored = self.files.iter().map(ParquetFile::stored_bytes).fold(0, u64::saturating_add);
        // What dictionaries save on the disk is spent again in memory.
        stored.saturating_mul(3).max(self.rows.saturating_mul(8 * self.names.len() as u64))
    }
}

/// Runs a step of the Parquet library, which fails or panics where a file is damaged.
fn sound<T, E: std::fmt::Display>(step: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match guarded(step) {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(panic) => Err(format!("the file is damaged ({panic})")),
    }
}
