//! What inputs are thrown at: a table, its study, and a folder for files.

use std::path::{Path, PathBuf};

use anyhow::Result;
use paretonym::engine::Unwatched;
use paretonym::group::FrequencyTable;
use paretonym::study::{Study, count};
use paretonym_engine::Embedded;
use tempfile::TempDir;

/// The table that studies of the corpus are about, and a taxonomy beside it.
pub const TABLE: &str = "age,job,zip,disease,pay\n31,nurse,10115,flu,10\n32,baker,10117,cold,20\n41,nurse,20095,flu,30\n\
    42,baker,10115,gout,40\n?,clerk,10119,flu,50\n55,clerk,20095,cold,60\n31,missing,10117,gout,20\n58,nurse,10115,,30\n";

/// The taxonomy of `job`.
pub const JOBS: &str = "nurse;care;*\nbaker;food;*\nclerk;office;*\nmissing;none;*\n";

/// A study of that table; searches go on from checkpoints of it.
pub const STUDY: &str = r#"
[data]
path = "people.csv"
missing = ["?", ""]
on_missing = "value"

[[columns]]
name = "age"
role = "quasi"
kind = "numeric"
recode = "breaks"

[[columns]]
name = "job"
role = "quasi"
recode = "cuts"
taxonomy = "jobs.csv"

[[columns]]
name = "zip"
role = "quasi"
recode = "levels"
hierarchy = "prefix"

[[columns]]
name = "disease"
role = "sensitive"

[[columns]]
name = "pay"
role = "target"
kind = "numeric"

[search]
optimizer = "nsga2"
eta = 0.3
population = 6
evaluations = 40
"#;

/// A folder, in memory where the system has such, with a table in it.
pub(crate) struct Ground {
    folder: TempDir,
}

impl Ground {
    pub(crate) fn new() -> Result<Self> {
        let memory = PathBuf::from("/dev/shm");
        let place = if memory.is_dir() { memory } else { std::env::temp_dir() };
        let folder = tempfile::Builder::new().prefix("paretonym-fuzz-").tempdir_in(place)?;
        std::fs::write(folder.path().join("people.csv"), TABLE)?;
        std::fs::write(folder.path().join("jobs.csv"), JOBS)?;
        Ok(Ground { folder })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn study(&self) -> Result<Study> {
        let mut study = Study::from_toml(STUDY, "study.toml")?;
        study.resolve(self.folder.path());
        Ok(study)
    }

    pub(crate) fn table(&self) -> Result<FrequencyTable> {
        Ok(count(&self.study()?, &Embedded, &Unwatched)?)
    }

    /// A file with these bytes.
    pub(crate) fn file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).expect("memory can be written to");
        path
    }
}
