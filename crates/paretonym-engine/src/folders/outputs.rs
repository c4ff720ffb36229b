//! What may be written: never a file that the same command reads, by whatever name, and nothing that exists unless it was
//! said so. Checked before any work is done.

use std::collections::HashSet;
use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};

use paretonym::data::Source;
use paretonym::error::{Error, FileAction, Result};
use paretonym::study::Study;

use crate::folders::folder;
use crate::rows::listing::Listing;

/// The files that a command reads, against which it checks those that it is going to write.
#[derive(Clone, Debug, Default)]
pub struct Outputs {
    inputs: Vec<Input>,
    /// Tables in folders and of patterns: what is written among their files would be read as a part of them.
    tables: Vec<Listing>,
}

/// A file that is read: as it was named, and what tells it apart under any other name.
#[derive(Clone, Debug)]
struct Input {
    name: PathBuf,
    identity: Identity,
}

/// What two names of one file have in common: symbolic links are followed, and hard links are the same file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Identity {
    #[cfg(unix)]
    Node(u64, u64),
    #[cfg(not(unix))]
    Path(PathBuf),
}

impl Outputs {
    /// Of a command that reads these files. Those that are not there are left for their readers to complain about.
    pub fn besides<P: AsRef<Path>>(inputs: impl IntoIterator<Item = P>) -> Self {
        let mut outputs = Outputs::default();
        inputs.into_iter().for_each(|path| outputs.reads(path.as_ref()));
        outputs
    }

    /// One more file that is read.
    pub fn reads(&mut self, path: &Path) {
        if let Some(identity) = identity(path) {
            self.inputs.push(Input { name: path.to_owned(), identity });
        }
    }

    /// A table is read: its file, or all files of a folder or a pattern.
    pub fn reads_table(&mut self, path: &Path) {
        let Ok(listing) = Listing::of(path) else { return };
        listing.files().iter().for_each(|file| self.reads(file));
        if !listing.is_file() {
            self.tables.push(listing);
        }
    }

    /// The table of a source is read, with the file of its connections.
    pub fn reads_source(&mut self, source: &Source) {
        if source.is_in_files() {
            self.reads_table(&source.path);
        }
        self.reads_connections(source);
    }

    /// The files that a study names are read.
    pub fn reads_study(&mut self, study: &Study) {
        self.reads_source(&study.data);
        let taxonomies = study.columns.iter().filter_map(|column| column.taxonomy.as_ref()?.as_str());
        taxonomies.for_each(|path| self.reads(Path::new(path)));
    }

    /// The file of a source's connections is read.
    pub fn reads_connections(&mut self, source: &Source) {
        source.connections.iter().for_each(|path| self.reads(path));
    }

    /// Everything that a run keeps in its folder is read, though not what else lies there.
    pub fn reads_run(&mut self, dir: &Path) {
        folder::NAMES.iter().for_each(|name| self.reads(&dir.join(name)));
        self.reads_all(&dir.join(folder::PRIVATE));
    }

    /// All files below a folder.
    fn reads_all(&mut self, dir: &Path) {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            // A link to a folder is not followed, so that this ends.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => self.reads_all(&entry.path()),
                _ => self.reads(&entry.path()),
            }
        }
    }

    /// Refuses a file that must not be written.
    pub fn check(&self, path: &Path, force: bool) -> Result<()> {
        self.check_not_read(path)?;
        match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => {
                Err(Error::study(format!("{} is a folder; give the name of a file with another name", path.display())))
            }
            Ok(found) if !found.is_file() => Err(Error::study(format!(
                "{} is a pipe or a device, which a file would replace; give the name of a file",
                path.display()
            ))),
            // A link that leads nowhere is replaced like a file.
            found if (found.is_ok() || path.is_symlink()) && !force => Err(exists(path)),
            Err(source) if !matches!(source.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Err(Error::File { action: FileAction::Read, path: path.to_owned(), source })
            }
            _ => folder_of(path),
        }
    }

    /// Refuses files that must not be written, or not side by side.
    pub fn check_all<P: AsRef<Path>>(&self, paths: impl IntoIterator<Item = P>, force: bool) -> Result<()> {
        let mut places = HashSet::new();
        for path in paths {
            let path = path.as_ref();
            self.check(path, force)?;
            if !places.insert(place(path)) {
                return Err(Error::study(format!(
                    "{} would be written twice, for two different things; give another name with -o",
                    path.display()
                )));
            }
        }
        Ok(())
    }

    /// Refuses a file that is read, or would be.
    pub fn check_not_read(&self, path: &Path) -> Result<()> {
        self.check_file(path)?;
        self.tables.iter().try_for_each(|table| table.refuse(path))
    }

    fn check_file(&self, path: &Path) -> Result<()> {
        let Some(own) = identity(path) else { return Ok(()) };
        let Some(input) = self.inputs.iter().find(|input| input.identity == own) else { return Ok(()) };
        let same = if input.name == path { String::new() } else { format!(" (the same file as {})", path.display()) };
        Err(Error::study(format!(
            "{}{same} is read by this command and must not be written over; give another name",
            input.name.display()
        )))
    }
}

/// The refusal of a file that exists.
pub(crate) fn exists(path: &Path) -> Error {
    Error::study(format!("{} exists; give another name, or --force to replace it", path.display()))
}

/// Refuses a name in a folder that is not there, which would be found out only after all the work.
fn folder_of(path: &Path) -> Result<()> {
    let folder = crate::folders::write::folder_of(path);
    match std::fs::metadata(folder) {
        Ok(found) if found.is_dir() => Ok(()),
        Ok(_) => Err(Error::study(format!("{} is no folder, so nothing can be written in it", folder.display()))),
        Err(_) => Err(Error::study(format!("there is no folder {}; make it first", folder.display()))),
    }
}

fn identity(path: &Path) -> Option<Identity> {
    let found = std::fs::metadata(path).ok()?;
    identity_of(path, &found)
}

#[cfg(unix)]
fn identity_of(_path: &Path, found: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some(Identity::Node(found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity_of(path: &Path, _found: &Metadata) -> Option<Identity> {
    path.canonicalize().ok().map(Identity::Path)
}

/// Where a file is or would be, the same for every way to write its path.
fn place(path: &Path) -> PathBuf {
    let folder = crate::folders::write::folder_of(path);
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    folder.join(path.file_name().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(outcome: Result<()>) -> String {
        let error = outcome.unwrap_err();
        assert!(error.is_input(), "{error}");
        error.to_string()
    }

    #[test]
    fn an_input_is_known_by_every_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("people.csv"), "a\n1\n").unwrap();
        std::fs::create_dir(at("sub")).unwrap();
        let mut names = vec![at("people.csv"), at("./people.csv"), at("sub/../people.csv")];
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("people.csv"), at("link.csv")).unwrap();
            std::fs::hard_link(at("people.csv"), at("twin.csv")).unwrap();
            std::os::unix::fs::symlink(folder.path(), at("sub/up")).unwrap();
            names.extend([at("link.csv"), at("twin.csv"), at("sub/up/people.csv")]);
        }
        let outputs = Outputs::besides([at("people.csv"), at("missing.csv")]);
        for name in names {
            for force in [false, true] {
                assert!(refused(outputs.check(&name, force)).contains("is read by this command"), "{name:?}");
            }
        }
        outputs.check(&at("missing.csv"), false).unwrap();
    }

    #[test]
    fn a_table_of_many_files_is_no_place_to_write() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("people")).unwrap();
        std::fs::write(at("people/a.csv"), "a\n1\n").unwrap();
        std::fs::write(at("people/b.csv"), "a\n1\n").unwrap();
        let mut of_folder = Outputs::default();
        of_folder.reads_table(&at("people"));
        let mut of_pattern = Outputs::default();
        of_pattern.reads_table(&at("people/*.csv"));
        for outputs in [&of_folder, &of_pattern] {
            assert!(refused(outputs.check(&at("people/b.csv"), true)).contains("is read by this command"));
            assert!(refused(outputs.check(&at("people/new.csv"), true)).contains("write it elsewhere"));
            outputs.check(&at("new.csv"), false).unwrap();
        }
        refused(of_folder.check_not_read(&at("people/front/front.json")));
        of_pattern.check(&at("people/new.parquet"), false).unwrap();
    }

    #[test]
    fn nothing_is_replaced_unasked_and_a_folder_never() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let outputs = Outputs::default();
        std::fs::write(at("old.csv"), "x").unwrap();
        std::fs::create_dir(at("dir")).unwrap();
        outputs.check(&at("new.csv"), false).unwrap();
        outputs.check(&at("old.csv"), true).unwrap();
        assert!(refused(outputs.check(&at("old.csv"), false)).contains("--force"));
        assert!(refused(outputs.check(&at("dir"), true)).contains("is a folder"));
        assert!(refused(outputs.check(&at("no/new.csv"), true)).contains("make it first"));
        assert!(refused(outputs.check(&at("old.csv/new.csv"), true)).contains("old.csv"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("nowhere"), at("dangling")).unwrap();
            assert!(refused(outputs.check(&at("dangling"), false)).contains("--force"));
            assert!(refused(outputs.check(Path::new("/dev/null"), true)).contains("device"));
        }
        let twice = [at("a.csv"), at("dir/../a.csv")];
        assert!(refused(outputs.check_all(&twice, true)).contains("twice"));
    }

    #[test]
    fn what_a_run_keeps_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        std::fs::create_dir_all(run.join("private/7f")).unwrap();
        for name in ["front.json", "report.html", "private/7f/rows", "out.csv"] {
            std::fs::write(run.join(name), "x").unwrap();
        }
        let mut outputs = Outputs::default();
        outputs.reads_run(&run);
        for name in ["front.json", "report.html", "private/7f/rows"] {
            refused(outputs.check(&run.join(name), true));
        }
        outputs.check(&run.join("out.csv"), true).unwrap();
    }
}
