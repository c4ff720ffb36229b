//! Giving a release its name, in one step as far as anybody can see: under a lock, the old set of files goes first, then
//! the new files are named without replacing any other, and the release itself is the last. Whenever it has its name, the
//! files beside it are its own.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use paretonym::error::{Error, FileAction, Result};

use super::companions;
use crate::folders::scratch::undisturbed;
use crate::folders::write::folder_of;
use crate::rows::write::output::OutputFormat;

/// Refuses a target before any work is done, and again before the files are named.
pub(super) fn check_target(out: &Path, force: bool) -> Result<()> {
    OutputFormat::of(out)?;
    check_free(out, force)?;
    check_beside(out, force)
}

/// Names a release that lies, with its companions, in a working folder; returns all paths, the release last.
pub(super) fn name_files(draft: &Path, out: &Path, force: bool) -> Result<Vec<PathBuf>> {
    let folder = folder_of(out);
    let _lock = lock(folder)?;
    check_target(out, force)?;
    let old = draft.parent().unwrap_or(folder).join("replaced");
    let failed =
        |path: &Path, source: io::Error| Error::File { action: FileAction::Write, path: path.to_owned(), source };
    std::fs::create_dir(&old).map_err(|error| failed(&old, error))?;
    // While neither has its name, the old set lies in the working folder with the new one: that must not be removed now.
    let files = undisturbed(|| {
        let named = move_aside(out, &old).and_then(|()| name_all(draft, out));
        named.inspect_err(|_| {
            // What was there before is there again.
            for path in companions::paths(out).iter().chain([&out.to_owned()]) {
                let _ = name_new(&old.join(path.file_name().unwrap_or_default()), path);
            }
        })
    })?;
    #[cfg(unix)]
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(files)
}

/// Names the files that lie beside a release which is no file, then does what names the release itself; all or nothing.
/// Returns their paths.
pub(super) fn name_beside(
    draft: &Path,
    beside: &Path,
    force: bool,
    name_release: impl FnOnce() -> Result<()>,
) -> Result<Vec<PathBuf>> {
    let _lock = lock(folder_of(beside))?;
    check_beside(beside, force)?;
    let mut aside = Vec::new();
    undisturbed(|| {
        let mut named: Vec<PathBuf> = Vec::new();
        let name = || -> Result<()> {
            for (from, to) in companions::paths(draft).into_iter().zip(companions::paths(beside)) {
                let failed = |source| Error::File { action: FileAction::Write, path: to.clone(), source };
                let mut old = from.as_os_str().to_owned();
                old.push(".replaced");
                let old = PathBuf::from(old);
                if to.symlink_metadata().is_ok() {
                    std::fs::rename(&to, &old).map_err(failed)?;
                    aside.push((old, to.clone()));
                }
                name_new(&from, &to).map_err(failed)?;
                named.push(to);
            }
            name_release()
        };
        let done = name();
        if done.is_err() {
            named.iter().for_each(|path| drop(std::fs::remove_file(path)));
            // What was there before is there again.
            aside.iter().for_each(|(old, path)| drop(std::fs::rename(old, path)));
        }
        done.map(|()| named)
    })
}

/// Refuses files beside a release that are there already, or are folders.
pub(super) fn check_beside(beside: &Path, force: bool) -> Result<()> {
    companions::paths(beside).iter().try_for_each(|path| check_free(path, force))
}

fn check_free(path: &Path, force: bool) -> Result<()> {
    // A link that leads nowhere is taken too.
    let Ok(facts) = std::fs::symlink_metadata(path) else { return Ok(()) };
    if facts.is_dir() {
        let problem = format!("{} is a folder, which is never replaced; give another name with -o", path.display());
        return Err(Error::study(problem));
    }
    if !force {
        return Err(Error::study(format!("{} exists; give another name with -o, or --force", path.display())));
    }
    Ok(())
}

/// Moves an old release and its companions into a folder, the release first: without it, nobody takes them for a set.
fn move_aside(out: &Path, old: &Path) -> Result<()> {
    for path in [out.to_owned()].iter().chain(&companions::paths(out)) {
        match std::fs::rename(path, old.join(path.file_name().unwrap_or_default())) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(Error::File { action: FileAction::Replace, path: path.clone(), source });
            }
            _ => {}
        }
    }
    Ok(())
}

/// Names the files of a set, the release last; all of them or none.
fn name_all(draft: &Path, out: &Path) -> Result<Vec<PathBuf>> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut pairs: Vec<(PathBuf, PathBuf)> = companions::paths(draft).into_iter().zip(companions::paths(out)).collect();
    pairs.push((draft.to_owned(), out.to_owned()));
    for (from, to) in pairs {
        if let Err(source) = name_new(&from, &to) {
            // Somebody took a name meanwhile. What was named here goes again; the names are ours, under the lock.
            files.iter().for_each(|path| drop(std::fs::remove_file(path)));
            return Err(match source.kind() {
                io::ErrorKind::AlreadyExists => Error::study(format!(
                    "{} was written by somebody else meanwhile; choose another name",
                    to.display()
                )),
                _ => Error::File { action: FileAction::Write, path: to, source },
            });
        }
        files.push(to);
    }
    Ok(files)
}

/// Gives a file a second name that must be free, and takes the first away.
fn name_new(from: &Path, to: &Path) -> io::Result<()> {
    match std::fs::hard_link(from, to) {
        Ok(()) => std::fs::remove_file(from),
        // Some file systems have no second names; there the lock alone keeps others of us out.
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists && !to.exists() => std::fs::rename(from, to),
        Err(error) => Err(error),
    }
}

/// Keeps other releases out of a folder while files are named in it. The lock goes with the file, however the process ends.
#[cfg(unix)]
fn lock(folder: &Path) -> Result<File> {
    let failed = |source| Error::File { action: FileAction::Lock, path: folder.to_owned(), source };
    let lock = File::open(folder).map_err(failed)?;
    match lock.lock() {
        Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(failed(error)),
        _ => Ok(lock),
    }
}

#[cfg(not(unix))]
fn lock(_: &Path) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A set of files that says everywhere what it is.
    fn draft(folder: &Path, text: &str) -> (tempfile::TempDir, PathBuf) {
        let work = tempfile::Builder::new().prefix(".work").tempdir_in(folder).unwrap();
        let draft = work.path().join("out.csv");
        for path in companions::paths(&draft).iter().chain([&draft]) {
            std::fs::write(path, text).unwrap();
        }
        (work, draft)
    }

    fn texts(out: &Path) -> Vec<Option<String>> {
        companions::paths(out).iter().chain([&out.to_owned()]).map(|path| std::fs::read_to_string(path).ok()).collect()
    }

    #[test]
    fn a_set_replaces_a_set_only_where_asked() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.csv");
        let (_work, first) = draft(folder.path(), "first");
        assert_eq!(name_files(&first, &out, false).unwrap().last(), Some(&out));
        let (_work, second) = draft(folder.path(), "second");
        assert!(name_files(&second, &out, false).unwrap_err().to_string().contains("exists"));
        assert_eq!(texts(&out), vec![Some("first".to_owned()); 4]);
        name_files(&second, &out, true).unwrap();
        assert_eq!(texts(&out), vec![Some("second".to_owned()); 4]);
    }

    #[test]
    fn a_folder_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.csv");
        let other = folder.path().join("out.csv.recoding.json");
        std::fs::create_dir(&other).unwrap();
        std::fs::write(other.join("thesis.tex"), "years of work").unwrap();
        let (_work, draft) = draft(folder.path(), "new");
        assert!(check_target(&out, true).unwrap_err().is_input());
        assert!(name_files(&draft, &out, true).is_err());
        assert!(other.join("thesis.tex").exists() && !out.exists());
    }

    #[test]
    fn of_many_with_one_name_one_gets_it() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.csv");
        for round in 0..50 {
            let drafts: Vec<_> = (0..4).map(|at| draft(folder.path(), &format!("{round} {at}"))).collect();
            let done: Vec<bool> = std::thread::scope(|scope| {
                let name = |draft: &PathBuf| name_files(draft, &out, false).is_ok();
                let threads: Vec<_> = drafts.iter().map(|(_, draft)| scope.spawn(move || name(draft))).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert_eq!(done.iter().filter(|done| **done).count(), 1);
            let texts = texts(&out);
            assert!(texts[0].is_some() && texts.iter().all(|text| *text == texts[0]), "{texts:?}");
            companions::paths(&out).iter().chain([&out]).for_each(|path| std::fs::remove_file(path).unwrap());
        }
    }
}
