//! The private part of a release: the whole recoding with every value, in the languages of other tools too, the key of the
//! certificate's digest, the exact figures, and which row of the table each row of the release is. It lies in the folder of
//! the run, under the random id that the public files carry, and is for the publisher alone.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use paretonym::engine::Watch;
use paretonym::error::{Error, FileAction, Result};
use paretonym::release::{
    Certificate, FileFacts, PublicRecoding, SavedRecoding, case_expression, region_query, region_table, value_table,
    values_of_labels,
};
use serde::Serialize;

use super::recoding_beside;
use crate::folders::folder::PRIVATE;
use crate::folders::folder::key::{KEY, Key, sha256_file};
use crate::folders::scratch::ScratchFolder;
use crate::folders::write::folder_of;
use crate::rows::write::output::quote;
use crate::{private_folder, write_atomically};

/// The whole recoding.
const RECODING: &str = "recoding.json";
/// The same as SQL.
const SQL: &str = "recoding.sql";
/// The same as tables, one per column.
const TABLES: &str = "values";
/// The exact figures, and the original file.
const EXACT: &str = "exact.json";
/// For each row of the release the number of its row in the original, eight bytes each, the lowest first.
const ROWS: &str = "rows";

/// Folders that are looked at for the private part of a release, so that a search through a large disk ends.
const MOST_FOLDERS: usize = 10_000;

/// What only the publisher may know of the figures.
#[derive(Serialize)]
struct ExactFigures<'a> {
    original: &'a FileFacts,
    certificate: &'a Certificate,
}

/// The private part of a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrivatePart {
    folder: PathBuf,
}

impl PrivatePart {
    /// The private part that a public recoding belongs to. It is looked for in the folder of a run, where one is given;
    /// else in folders beside the recoding and in the working folder. None where it is not there.
    pub fn find(id: &str, recoding: &Path, front: Option<&Path>) -> Option<Self> {
        let in_run = |dir: &Path| Some(dir.join(PRIVATE).join(id)).filter(|folder| folder.join(RECODING).is_file());
        let beside = folder_of(recoding);
        let given = front.and_then(in_run);
        let found = given.or_else(|| [beside, Path::new(".")].into_iter().find_map(|start| around(start, &in_run)));
        found.map(|folder| PrivatePart { folder })
    }

    /// That of a release of ours, by the recoding beside it; none where there is no such file, or no private part of it.
    pub fn of_release(release: &Path, front: Option<&Path>) -> Result<Option<Self>> {
        let recoding = recoding_beside(release);
        if !recoding.is_file() {
            return Ok(None);
        }
        let id = PublicRecoding::id_in(&crate::rows::file::read_text(&recoding)?, &recoding.display().to_string())?;
        Ok(id.and_then(|id| PrivatePart::find(&id, &recoding, front)))
    }

    fn exact(&self) -> Result<serde_json::Value> {
        let path = self.folder.join(EXACT);
        serde_json::from_str(&crate::rows::file::read_text(&path)?).map_err(|error| Error::Table {
            place: path.display().to_string(),
            problem: format!("this file is damaged ({error}); release the table again"),
        })
    }

    /// Whether suppressed rows are in the release, as rows of stars.
    pub fn keeps_stars(&self) -> Result<bool> {
        Ok(self.exact()?["certificate"]["suppressed_rows"] == "star")
    }

    /// Whether a file is the release that it was written for.
    pub fn is_of(&self, release: &Path, watch: &dyn Watch) -> Result<bool> {
        let sha256 = sha256_file(release, watch)?.0;
        Ok(self.exact()?["certificate"]["output"]["sha256"] == sha256.as_str())
    }

    /// Whether a table is the one that was released, by the SHA-256 of its file.
    pub fn is_of_table(&self, sha256: &str) -> Result<bool> {
        Ok(self.exact()?["original"]["sha256"] == sha256)
    }

    /// The whole recoding.
    pub fn recoding(&self) -> Result<SavedRecoding> {
        let path = self.folder.join(RECODING);
        SavedRecoding::from_json(&crate::rows::file::read_text(&path)?, &path.display().to_string())
    }

    /// For each row of the release the number of its row in the original, counted from 0.
    pub fn rows(&self) -> Result<Vec<u64>> {
        let path = self.folder.join(ROWS);
        let bytes = std::fs::read(&path).map_err(|source| Error::File {
            action: FileAction::Read,
            path: path.clone(),
            source,
        })?;
        let (rows, rest) = bytes.as_chunks::<8>();
        if !rest.is_empty() {
            let problem = "this file is cut off; release the table again".to_owned();
            return Err(Error::Table { place: path.display().to_string(), problem });
        }
        Ok(rows.iter().map(|row| u64::from_le_bytes(*row)).collect())
    }

    /// The folder of the run that it belongs to, where another release of the same recoding keeps its own.
    pub fn run(&self) -> PathBuf {
        let run = self.folder.parent().and_then(Path::parent).unwrap_or(Path::new("."));
        run.to_owned()
    }
}

/// A recoding that `reapply` can use: that in the file itself, where an earlier version wrote it, or the private part of the
/// release that the file is a public part of. The second result is the folder of its run.
pub fn find_recoding(path: &Path, front: Option<&Path>) -> Result<(SavedRecoding, PathBuf)> {
    let place = path.display().to_string();
    let text = crate::rows::file::read_text(path)?;
    let Some(id) = PublicRecoding::id_in(&text, &place)? else {
        let beside = folder_of(path);
        let home = front.map_or_else(|| beside.to_owned(), Path::to_owned);
        return Ok((SavedRecoding::from_json(&text, &place)?, home));
    };
    let part = PrivatePart::find(&id, path, front).ok_or_else(|| Error::Table {
        place,
        problem: format!(
            "this is the public part of a recoding; what else a later table needs is in {PRIVATE}/{id} of the folder that \
             `explore` wrote, which is neither beside this file nor in the working folder: name it with --front DIR"
        ),
    })?;
    Ok((part.recoding()?, part.run()))
}

/// What `look` finds in a folder or in the folders below it, the nearest first.
fn around(start: &Path, look: &dyn Fn(&Path) -> Option<PathBuf>) -> Option<PathBuf> {
    let mut open = VecDeque::from([(start.to_owned(), 0)]);
    let mut seen = 0;
    while let Some((dir, depth)) = open.pop_front() {
        if let Some(found) = look(&dir) {
            return Some(found);
        }
        seen += 1;
        if depth == 2 || seen > MOST_FOLDERS {
            continue;
        }
        let entries = std::fs::read_dir(&dir).into_iter().flatten().flatten();
        let mut below: Vec<PathBuf> = entries
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .map(|entry| entry.path())
            .collect();
        below.sort();
        open.extend(below.into_iter().map(|dir| (dir, depth + 1)));
    }
    None
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
