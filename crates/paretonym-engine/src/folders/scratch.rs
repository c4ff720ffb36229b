//! Files and folders that are there only while something is being written. They go when they are dropped; a process that ends
//! without dropping anything takes them away with [`remove_scratch`].

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Everything of this process that is not finished yet.
static OPEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn open() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    OPEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes whatever is half-written: for a process that is to end at once.
pub fn remove_scratch() {
    for path in open().iter() {
        // There may be nothing left to remove, and nobody to tell.
        let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
    }
}

/// Does something during which nothing half-written is removed; a process that is to end at once waits for it. For a moment
/// only, and nothing is begun meanwhile.
pub(crate) fn undisturbed<T>(work: impl FnOnce() -> T) -> T {
    let _open = open();
    work()
}

/// A path that is known to be half-written until this is dropped.
pub(crate) struct Listed(PathBuf);

impl Listed {
    /// Must be dropped after what it lists.
    pub fn new(path: &Path) -> Self {
        // The working folder may change; where the file lies does not.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        open().insert(path.clone());
        Listed(path)
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        open().remove(&self.0);
    }
}

/// A folder that only its owner may enter; it goes away with everything in it.
pub(crate) struct ScratchFolder {
    folder: tempfile::TempDir,
    _listed: Listed,
}

impl ScratchFolder {
    /// Inside another folder.
    pub fn new(parent: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".paretonym-");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let folder = builder.tempdir_in(parent)?;
        let listed = Listed::new(folder.path());
        Ok(ScratchFolder { folder, _listed: listed })
    }

    /// Gives it another name, under which it stays.
    pub fn keep(self, name: &Path) -> io::Result<()> {
        std::fs::rename(self.folder.path(), name)?;
        // There is nothing left to remove under the old name.
        let _ = self.folder.keep();
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_half_written_can_be_removed_at_any_time() {
        let parent = tempfile::tempdir().unwrap();
        let folder = ScratchFolder::new(parent.path()).unwrap();
        std::fs::write(folder.path().join("half"), "x").unwrap();
        let listed = Listed::new(&parent.path().join("file"));
        std::fs::write(parent.path().join("file"), "x").unwrap();
        std::fs::write(parent.path().join("finished"), "x").unwrap();
        remove_scratch();
        let left: Vec<_> = std::fs::read_dir(parent.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(left, ["finished"]);
        let path = folder.path().to_owned();
        drop((folder, listed));
        assert!(!open().contains(&path));
    }
}
