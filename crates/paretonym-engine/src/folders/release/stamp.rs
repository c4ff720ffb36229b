//! Whether a table was written to while it was read.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use paretonym::data::Source;
use paretonym::error::{Error, FileAction, Result};

use crate::table_files;

/// What tells a table that was written to meanwhile: its files, and each of them as it was. A file more or less is a change.
#[derive(PartialEq, Eq)]
pub(super) struct Stamp(Vec<(PathBuf, FileStamp)>);

#[derive(PartialEq, Eq)]
struct FileStamp {
    length: u64,
    modified: Option<SystemTime>,
    #[cfg(unix)]
    place: (u64, u64, i64, i64),
}

impl Stamp {
    /// Of a table's files as they are now; none where it is in a database or in memory, whose counts tell.
    pub fn of_source(source: &Source) -> Result<Option<Self>> {
        if !source.is_in_files() {
            return Ok(None);
        }
        let files = table_files(source)?.into_iter().map(|path| FileStamp::of(&path).map(|stamp| (path, stamp)));
        files.collect::<Result<_>>().map(|files| Some(Stamp(files)))
    }
}

impl FileStamp {
    fn of(path: &Path) -> Result<Self> {
        let failed = |source| Error::File { action: FileAction::Read, path: path.to_owned(), source };
        let facts = std::fs::metadata(path).map_err(failed)?;
        #[cfg(unix)]
        let place = {
            use std::os::unix::fs::MetadataExt;
            (facts.dev(), facts.ino(), facts.ctime(), facts.ctime_nsec())
        };
        Ok(FileStamp {
            length: facts.len(),
            modified: facts.modified().ok(),
            #[cfg(unix)]
            place,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_more_or_less_is_a_change() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("a.csv"), "x").unwrap();
        std::fs::write(at("b.csv"), "x").unwrap();
        for path in [folder.path().to_owned(), at("*.csv")] {
            let source = Source::at(path);
            let stamp = || Stamp::of_source(&source).unwrap();
            let before = stamp();
            assert!(stamp() == before);
            std::fs::write(at("c.csv"), "").unwrap();
            assert!(stamp() != before);
            std::fs::remove_file(at("c.csv")).unwrap();
            assert!(stamp() == before);
            std::fs::rename(at("b.csv"), at("c.csv")).unwrap();
            assert!(stamp() != before);
            std::fs::rename(at("c.csv"), at("b.csv")).unwrap();
            let before = stamp();
            std::fs::write(at("b.csv"), "longer").unwrap();
            assert!(stamp() != before);
        }
    }
}
