//! Writing the private part of a release: into a working folder inside the folder of the run, which gets its name last.

use std::path::{Path, PathBuf};

use paretonym::error::{Error, FileAction, Result};
use paretonym::release::{
    Certificate, FileFacts, SavedRecoding, case_expression, region_query, region_table, value_table, values_of_labels,
};
use serde::Serialize;

use super::private::{EXACT, RECODING, ROWS};
use crate::folders::folder::PRIVATE;
use crate::folders::folder::key::{KEY, Key};
use crate::folders::scratch::ScratchFolder;
use crate::rows::write::output::quote;
use crate::{private_folder, write_atomically};

/// The recoding as SQL.
const SQL: &str = "recoding.sql";
/// The same as tables, one per column.
const TABLES: &str = "values";

/// What only the publisher may know of the figures.
#[derive(Serialize)]
struct ExactFigures<'a> {
    original: &'a FileFacts,
    certificate: &'a Certificate,
}

/// A private part that is being written, in a working folder inside the folder of the run.
pub(super) struct PrivateDraft {
    work: ScratchFolder,
    run: PathBuf,
}

impl PrivateDraft {
    /// For a release of the run in a folder.
    pub fn new(run: &Path) -> Result<Self> {
        let home = run.join(PRIVATE);
        private_folder(&home)?;
        Ok(PrivateDraft { work: super::publish::working_folder(&home)?, run: run.to_owned() })
    }

    /// Where the rows go.
    pub fn rows(&self) -> PathBuf {
        self.work.path().join(ROWS)
    }

    /// Writes all but the rows.
    pub fn write(
        &self,
        saved: &SavedRecoding,
        certificate: &Certificate,
        original: &FileFacts,
        key: &Key,
    ) -> Result<()> {
        let folder = self.work.path();
        let broken = |error: serde_json::Error| Error::internal(format!("the recoding cannot be written: {error}"));
        let put = |name: &str, text: String| write_atomically(&folder.join(name), |out| out.write_all(text.as_bytes()));
        put(RECODING, serde_json::to_string_pretty(saved).map_err(broken)? + "\n")?;
        let exact = ExactFigures { original, certificate };
        put(EXACT, serde_json::to_string_pretty(&exact).map_err(broken)? + "\n")?;
        key.write(&folder.join(KEY))?;
        let tables = folder.join(TABLES);
        private_folder(&tables)?;
        let name = |at: usize, name: &str| tables.join(format!("{at:02}-{}.csv", file_name(name)));
        match &saved.regions {
            None => {
                let mut all =
                    "-- The recoding of each column. Rows of too small groups are suppressed besides.\n".to_owned();
                for (at, column) in saved.columns.iter().enumerate() {
                    all += &format!("\n{}\n", case_expression(column));
                    write_table(&name(at + 1, &column.name), &value_table(column))?;
                }
                put(SQL, all)
            }
            Some(regions) => {
                write_table(&name(0, "regions"), &region_table(saved, regions))?;
                for (at, column) in saved.columns.iter().enumerate() {
                    write_table(&name(at + 1, &column.name), &values_of_labels(column))?;
                }
                put(SQL, region_query(saved, regions))
            }
        }
    }

    /// Gives it its name.
    pub fn keep(self, id: &str) -> Result<PathBuf> {
        let folder = self.run.join(PRIVATE).join(id);
        self.work.keep(&folder).map_err(|source| Error::File {
            action: FileAction::Write,
            path: folder.clone(),
            source,
        })?;
        Ok(folder)
    }
}

/// Writes rows of cells as separated text.
fn write_table(path: &Path, rows: &[Vec<String>]) -> Result<()> {
    let mut lines = Vec::new();
    for row in rows {
        for (cell, text) in row.iter().enumerate() {
            if cell > 0 {
                lines.push(b',');
            }
            quote(text, b',', &mut lines);
        }
        lines.push(b'\n');
    }
    write_atomically(path, |out| out.write_all(&lines))
}

/// A column's name as a part of a file's name.
fn file_name(column: &str) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() || "-_. ".contains(letter) { letter } else { '_' };
    column.chars().take(80).map(plain).collect()
}
