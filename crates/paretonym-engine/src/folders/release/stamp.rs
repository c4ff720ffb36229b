//! Whether a file was written to while it was read.

use std::path::Path;
use std::time::SystemTime;

use paretonym::data::Source;
use paretonym::error::{Error, FileAction, Result};

/// What tells a file that was written to meanwhile.
#[derive(PartialEq, Eq)]
pub(super) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    #[cfg(unix)]
    place: (u64, u64, i64, i64),
}

impl Stamp {
    /// Of a table's file; none where it is in a database, whose counts tell.
    pub fn of_source(source: &Source) -> Result<Option<Self>> {
        match source.database {
            None => Stamp::of(&source.path).map(Some),
            Some(_) => Ok(None),
        }
    }

    /// Of a file as it is now.
    fn of(path: &Path) -> Result<Self> {
        let failed = |source| Error::File { action: FileAction::Read, path: path.to_owned(), source };
        let facts = std::fs::metadata(path).map_err(failed)?;
        #[cfg(unix)]
        let place = {
            use std::os::unix::fs::MetadataExt;
            (facts.dev(), facts.ino(), facts.ctime(), facts.ctime_nsec())
        };
        Ok(Stamp {
            length: facts.len(),
            modified: facts.modified().ok(),
            #[cfg(unix)]
            place,
        })
    }
}
