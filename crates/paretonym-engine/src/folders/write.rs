//! Writing files that hold data about people: readable by their owner only, and never seen half-written.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use paretonym::error::{Error, FileAction, Result};

use crate::folders::outputs::exists;
use crate::folders::scratch::Listed;

/// How the names of temporary files begin; a killed program may leave some behind.
pub(crate) const TEMPORARY: &str = ".paretonym-";

/// Writes a file as a whole: into a temporary file beside it, readable by its owner only, which takes the name once
/// everything is on the disk. Where anything fails, the temporary file is removed and an older file of that name stays
/// as it was.
pub fn write_atomically(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    written(path, write)?.persist(path).map_err(|error| failed(path, error.error))?;
    sync_folder(path);
    Ok(())
}

/// The same for a file that was asked for by name: one that has come up since it was checked is replaced only where
/// `force` says so.
pub fn write_output(path: &Path, force: bool, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    if force {
        return write_atomically(path, write);
    }
    written(path, write)?.persist_noclobber(path).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => exists(path),
        _ => failed(path, error.error),
    })?;
    sync_folder(path);
    Ok(())
}

fn failed(path: &Path, source: io::Error) -> Error {
    Error::File { action: FileAction::Write, path: path.to_owned(), source }
}

/// The folder that a file lies in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A temporary file beside a path, complete and on the disk.
fn written(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<tempfile::NamedTempFile> {
    let failed = |source: io::Error| failed(path, source);
    // tempfile creates files with mode 0600 and removes them when they are dropped before they are kept.
    let mut file = tempfile::Builder::new().prefix(TEMPORARY).tempfile_in(folder_of(path)).map_err(failed)?;
    let _listed = Listed::new(file.path());
    let mut buffer = BufWriter::with_capacity(1 << 16, file.as_file_mut());
    write(&mut buffer).and_then(|()| buffer.flush()).map_err(failed)?;
    drop(buffer);
    file.as_file().sync_all().map_err(failed)?;
    Ok(file)
}

/// A new name is safe only when its folder is on the disk too; not every file system allows that.
fn sync_folder(path: &Path) {
    #[cfg(unix)]
    if let Ok(folder) = std::fs::File::open(folder_of(path)) {
        let _ = folder.sync_all();
    }
    #[cfg(not(unix))]
    let _ = path;
}

/// Creates a folder, and those above it, that only its owner may enter. A folder that exists keeps its permissions.
pub fn private_folder(path: &Path) -> Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|source| Error::File { action: FileAction::Create, path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    fn mode(path: &Path) -> u32 {
        std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path).unwrap().permissions()) & 0o777
    }

    #[test]
    fn a_file_appears_whole_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        std::fs::write(&path, "old").unwrap();
        write_atomically(&path, |out| out.write_all(b"new")).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        #[cfg(unix)]
        assert_eq!(mode(&path), 0o600);
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        std::fs::write(&path, "old").unwrap();
        let error = write_atomically(&path, |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("the disk is full"))
        })
        .unwrap_err();
        assert!(error.to_string().contains("the disk is full"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_came_up_meanwhile_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.html");
        write_output(&path, false, |out| out.write_all(b"first")).unwrap();
        let error = write_output(&path, false, |out| out.write_all(b"second")).unwrap_err();
        assert!(error.is_input() && error.to_string().contains("--force"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "first");
        write_output(&path, true, |out| out.write_all(b"third")).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "third");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write_atomically(&folder.path().join("no/out.csv"), |_| Ok(())).is_err());
    }

    #[test]
    #[cfg(unix)]
    fn a_folder_is_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        private_folder(&path).unwrap();
        private_folder(&path).unwrap();
        assert_eq!(mode(&path), 0o700);
    }
}
