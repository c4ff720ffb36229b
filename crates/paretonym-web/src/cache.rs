//! What was read from files and is asked for again and again: kept as long as the files are the same.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use paretonym::data::Source;
use paretonym::error::{Error, FileAction, Result};

/// Seconds for which what was read from a database is good.
const FRESH: u64 = 600;

/// Files as they were: another content differs in time or length.
type Stamps = Vec<(PathBuf, SystemTime, u64)>;

/// The last few things that were made from files.
pub struct Cache<T> {
    items: Mutex<Vec<(Stamps, Arc<T>)>>,
    most: usize,
}

impl<T> Cache<T> {
    /// Keeps at most so many.
    pub fn new(most: usize) -> Self {
        Cache { items: Mutex::default(), most }
    }

    /// What `make` makes of these files, or made of them before.
    pub fn get(&self, files: &[&Path], make: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
        let stamps: Stamps = files.iter().map(|file| stamp(file)).collect::<Result<_>>()?;
        let lock = || self.items.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, item)) = lock().iter().find(|(own, _)| *own == stamps) {
            return Ok(Arc::clone(item));
        }
        // Made without the lock: others need not wait, and twice the same is no harm.
        let item = Arc::new(make()?);
        let mut items = lock();
        items.retain(|(own, _)| own[0].0 != stamps[0].0);
        if items.len() >= self.most {
            items.remove(0);
        }
        items.push((stamps, Arc::clone(&item)));
        Ok(item)
    }
}

fn stamp(path: &Path) -> Result<(PathBuf, SystemTime, u64)> {
    let failed = |source| Error::File { action: FileAction::Read, path: path.to_owned(), source };
    if Source::is_database_name(path) {
        // Nobody tells when a table in a database changes: what is known of it is asked for again after a while.
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs() / FRESH);
        return Ok((path.to_owned(), SystemTime::UNIX_EPOCH, now));
    }
    let facts = std::fs::metadata(path).map_err(failed)?;
    Ok((path.to_owned(), facts.modified().unwrap_or(SystemTime::UNIX_EPOCH), facts.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = ["a", "b", "c"].iter().map(|name| folder.path().join(name)).collect();
        paths.iter().for_each(|path| std::fs::write(path, "x").unwrap());
        let cache = Cache::new(2);
        let get = |path: &Path, now: u32| *cache.get(&[path], || Ok(now)).unwrap();
        assert_eq!((get(&paths[0], 1), get(&paths[0], 2), get(&paths[1], 3)), (1, 1, 3));
        std::fs::write(&paths[0], "xy").unwrap();
        assert_eq!((get(&paths[0], 4), get(&paths[1], 5)), (4, 3));
        assert_eq!((get(&paths[2], 6), get(&paths[1], 7)), (6, 7), "the oldest went");
        assert!(cache.get(&[&folder.path().join("none")], || Ok(0)).is_err());
    }
}
