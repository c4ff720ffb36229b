//! The working folder: tables that were uploaded, and one folder per run. No name leads out of it.

use std::path::{Path, PathBuf};

use paretonym::error::{Error, FileAction};
use paretonym_engine::folder::{FRONT, STUDY};
use paretonym_engine::private_folder;

use crate::answer::Refusal;

const TABLES: &str = "tables";
const RUNS: &str = "runs";
const RELEASES: &str = "releases";
const LONGEST_NAME: usize = 100;

/// The working folder.
pub struct Folder {
    root: PathBuf,
    /// Where the folder itself is that of a run: the run's name.
    own_run: Option<String>,
    /// Tables in databases that whoever started the server named: `database:NAME/TABLE`.
    in_databases: Vec<String>,
}

/// Letters, digits, dots, dashes and underscores, not starting with a dot: nothing that a path could be made of.
pub fn is_name(name: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-');
    !name.is_empty() && name.len() <= LONGEST_NAME && !name.starts_with('.') && name.chars().all(plain)
}

/// The nearest name to a text.
pub fn name_like(text: &str) -> String {
    let plain = |letter: char| if is_name(&format!("a{letter}")) { letter } else { '-' };
    let name: String = text.chars().map(plain).take(LONGEST_NAME - 10).collect();
    let name = name.trim_start_matches(['.', '-']).to_owned();
    if name.is_empty() { "run".to_owned() } else { name }
}

fn checked(name: &str) -> Result<&str, Refusal> {
    let wrong = "a name has letters, digits, dots, dashes and underscores only, and does not start with a dot";
    if is_name(name) { Ok(name) } else { Err(Refusal::wrong(wrong)) }
}

impl Folder {
    /// Opens a working folder, or makes it.
    pub fn open(dir: &Path) -> Result<Self, Error> {
        private_folder(dir)?;
        let root = dir.canonicalize().map_err(|source| Error::File {
            action: FileAction::Read,
            path: dir.to_owned(),
            source,
        })?;
        let own_run = root.join(FRONT).is_file().then(|| {
            let last = root.file_name().map_or("run".into(), |name| name.to_string_lossy());
            name_like(&last)
        });
        Ok(Folder { root, own_run, in_databases: Vec::new() })
    }

    /// The same with tables of databases beside those that are uploaded.
    pub fn with_databases(mut self, tables: &[String]) -> Self {
        self.in_databases = tables.iter().map(|table| format!("database:{table}")).collect();
        self
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The folder of the uploaded tables, made where it is not there.
    pub fn tables(&self) -> Result<PathBuf, Refusal> {
        let path = self.root.join(TABLES);
        private_folder(&path)?;
        Ok(path)
    }

    /// Names and sizes of the tables.
    pub fn table_list(&self) -> Vec<(String, u64)> {
        let is_file = |path: &Path| path.is_file();
        let size = |name: &String| std::fs::metadata(self.root.join(TABLES).join(name)).map_or(0, |facts| facts.len());
        let files = names(&self.root.join(TABLES), is_file).into_iter().map(|name| (name.clone(), size(&name)));
        // What lies in a database has no size here.
        self.in_databases.iter().map(|name| (name.clone(), 0)).chain(files).collect()
    }

    /// A table that is there.
    pub fn table(&self, name: &str) -> Result<PathBuf, Refusal> {
        if self.in_databases.iter().any(|own| own == name) {
            return Ok(PathBuf::from(name));
        }
        let path = self.root.join(TABLES).join(checked(name)?);
        let missing = || Refusal::not_found(format!("there is no table {name:?}; upload it first"));
        if path.is_file() { Ok(path) } else { Err(missing()) }
    }

    /// Where a table of this name goes: the name itself, or one with a number where that is taken.
    pub fn free_table(&self, name: &str) -> Result<PathBuf, Refusal> {
        let folder = self.tables()?;
        let (stem, extension) = checked(name)?.split_once('.').unwrap_or((name, ""));
        let numbered = |number: u32| match (number, extension) {
            (1, _) => name.to_owned(),
            (number, "") => format!("{stem}-{number}"),
            (number, extension) => format!("{stem}-{number}.{extension}"),
        };
        let free = (1..).map(numbered).map(|name| folder.join(name)).find(|path| !path.exists());
        free.ok_or_else(Refusal::broken)
    }

    /// The names of the runs.
    pub fn run_list(&self) -> Vec<String> {
        let runs = names(&self.root.join(RUNS), |path| path.join(STUDY).is_file());
        self.own_run
            .iter()
            .cloned()
            .chain(runs.into_iter().filter(|name| Some(name) != self.own_run.as_ref()))
            .collect()
    }

    /// The folder of a run that is there.
    pub fn run(&self, name: &str) -> Result<PathBuf, Refusal> {
        if self.own_run.as_deref() == Some(checked(name)?) {
            return Ok(self.root.clone());
        }
        let path = self.root.join(RUNS).join(name);
        let missing = || Refusal::not_found(format!("there is no run {name:?}"));
        if path.join(STUDY).is_file() { Ok(path) } else { Err(missing()) }
    }

    /// Makes the folder of a new run, under the name asked for or one like the table's.
    pub fn new_run(&self, name: Option<&str>, table: &str) -> Result<(String, PathBuf), Refusal> {
        let runs = self.root.join(RUNS);
        let taken = |name: &str| runs.join(name).exists() || self.own_run.as_deref() == Some(name);
        let name = match name {
            Some(name) if taken(checked(name)?) => {
                return Err(Refusal::conflict(format!("there is a run {name:?} already; choose another name")));
            }
            Some(name) => name.to_owned(),
            None => {
                let stem = name_like(table.split('.').next().unwrap_or(table));
                let mut numbered = (1..).map(|number: u32| format!("{stem}-{number}"));
                numbered.find(|name| !taken(name)).ok_or_else(Refusal::broken)?
            }
        };
        let path = runs.join(&name);
        private_folder(&runs)?;
        // Only one of two requests that come at once makes the folder.
        match std::fs::create_dir(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(Refusal::conflict(format!("there is a run {name:?} already; choose another name")))
            }
            Err(source) => Err(Error::File { action: FileAction::Create, path, source }.into()),
            Ok(()) => Ok((name, path)),
        }
    }

    /// Removes a run and everything in it.
    pub fn remove_run(&self, name: &str) -> Result<(), Refusal> {
        let path = self.run(name)?;
        if path == self.root {
            return Err(Refusal::conflict("this run is the folder that is served; remove it yourself"));
        }
        std::fs::remove_dir_all(&path).map_err(|source| Error::File { action: FileAction::Remove, path, source }.into())
    }

    /// Where a release of a run goes.
    pub fn new_release(&self, run: &str, file: &str) -> Result<PathBuf, Refusal> {
        let releases = self.run(run)?.join(RELEASES);
        let path = releases.join(checked(file)?);
        private_folder(&releases)?;
        Ok(path)
    }

    /// A file of a run's releases that is there.
    pub fn release(&self, run: &str, file: &str) -> Result<PathBuf, Refusal> {
        let path = self.run(run)?.join(RELEASES).join(checked(file)?);
        let missing = || Refusal::not_found(format!("the run has no release {file:?}"));
        if path.is_file() { Ok(path) } else { Err(missing()) }
    }
}

/// The names in a folder that could have been made here, in order.
fn names(folder: &Path, fits: impl Fn(&Path) -> bool) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .filter(|entry| fits(&entry.path()))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| is_name(name))
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_a_path() {
        assert!(is_name("people-2.csv") && is_name("a") && is_name("x..y"));
        for name in ["", ".", "..", "../x", "a/b", "a\\b", "%2e%2e", ".hidden", "a b", "a\0", "ä", &"x".repeat(101)] {
            assert!(!is_name(name), "{name:?}");
        }
        for text in ["../etc/passwd", "...", "Meine Daten (1)", "", "-x", &"y".repeat(500)] {
            assert!(is_name(&name_like(text)), "{text:?}");
        }
    }

    #[test]
    fn a_taken_name_gets_a_number() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Folder::open(folder.path()).unwrap();
        let first = folder.free_table("a.csv.gz").unwrap();
        std::fs::write(&first, "x").unwrap();
        assert_eq!(folder.free_table("a.csv.gz").unwrap().file_name().unwrap(), "a-2.csv.gz");
        assert_eq!(folder.new_run(None, "a.csv.gz").unwrap().0, "a-1");
        assert_eq!(folder.new_run(None, "a.csv.gz").unwrap().0, "a-2");
        assert!(folder.new_run(Some("a-1"), "a.csv").is_err());
    }
}
