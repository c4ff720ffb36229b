//! Which files a table is in: one, all of a folder, or all that a pattern stands for.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use paretonym::data::Source;
use paretonym::error::{Error, FileAction, Result};

use crate::rows::file;
use crate::rows::glob::{is_pattern, matches};

/// The files of a table, in the order in which their rows follow each other: that of the bytes of their names.
#[derive(Clone, Debug)]
pub(crate) struct Listing {
    path: PathBuf,
    files: Vec<PathBuf>,
    named: Named,
}

/// What a path names.
#[derive(Clone, Debug)]
enum Named {
    File,
    Folder,
    /// What matches these names, one inside the other, in a folder.
    Pattern {
        folder: PathBuf,
        names: Vec<String>,
    },
}

/// The files that a table is in; none where it is in a database or in memory.
pub fn table_files(source: &Source) -> Result<Vec<PathBuf>> {
    match source.is_in_files() {
        true => Listing::of(&source.path).map(|listing| listing.files),
        false => Ok(Vec::new()),
    }
}

impl Listing {
    /// What a path stands for. Whatever exists under this name is meant, whatever signs the name has.
    pub fn of(path: &Path) -> Result<Self> {
        let one = |path: &Path| Listing { path: path.to_owned(), files: vec![path.to_owned()], named: Named::File };
        match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => Listing::of_folder(path),
            Ok(_) => Ok(one(path)),
            // Where there is no file, whoever opens it says so.
            Err(_) => pattern_of(path).map_or(Ok(one(path)), |(folder, names)| Listing::matching(path, folder, names)),
        }
    }

    fn of_folder(path: &Path) -> Result<Self> {
        let mut files: Vec<PathBuf> = Vec::new();
        for (_, inside) in entries(path)?.into_iter().filter(|(name, _)| !is_hidden(name)) {
            files.push(no_folder(path, inside)?);
        }
        if files.is_empty() {
            let problem = "is a folder without a file to read; files whose names begin with . or _ are left out";
            return Err(file::table(path, problem));
        }
        sort(&mut files);
        Ok(Listing { path: path.to_owned(), files, named: Named::Folder })
    }

    fn matching(path: &Path, folder: PathBuf, names: Vec<String>) -> Result<Self> {
        let mut files = Vec::new();
        expand(path, &folder, &names, &mut files)?;
        if files.is_empty() {
            let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder.as_path() };
            let problem = match place.is_dir() {
                true => format!("no file matches: looked for {} in the folder {}", names.join("/"), place.display()),
                false => format!("no file matches: there is no folder {}", place.display()),
            };
            return Err(file::table(path, problem));
        }
        sort(&mut files);
        Ok(Listing { path: path.to_owned(), files, named: Named::Pattern { folder, names } })
    }

    /// The files.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Whether a single file was named, rather than a folder or a pattern.
    pub fn is_file(&self) -> bool {
        matches!(self.named, Named::File)
    }

    /// Each file with what it is called inside the folder.
    pub fn named_files(&self) -> impl Iterator<Item = (&OsStr, &Path)> {
        let folder = match &self.named {
            Named::File | Named::Folder => &self.path,
            Named::Pattern { folder, .. } => folder,
        };
        self.files.iter().map(move |path| (path.strip_prefix(folder).unwrap_or(path).as_os_str(), path.as_path()))
    }

    /// Why a file must not be written here: it would be a part of the table when that is read again.
    pub fn refuse(&self, target: &Path) -> Result<()> {
        let taken = match &self.named {
            Named::File => false,
            Named::Folder => below(target, &self.path).first().is_some_and(|name| !is_hidden(name)),
            Named::Pattern { folder, names } => {
                let below = below(target, folder);
                below.len() >= names.len() && below.iter().zip(names).all(|(name, pattern)| stands_for(pattern, name))
            }
        };
        if !taken {
            return Ok(());
        }
        let what = match self.named {
            Named::Pattern { .. } => "matches",
            _ => "lies in",
        };
        Err(Error::study(format!(
            "{} {what} {}, which is the table that this command reads: the next one would take it for a part of the table; \
             write it elsewhere",
            target.display(),
            self.path.display()
        )))
    }
}

fn sort(files: &mut [PathBuf]) {
    files.sort_by(|one, other| one.as_os_str().as_encoded_bytes().cmp(other.as_os_str().as_encoded_bytes()));
}

/// Files of programs rather than of people: `_SUCCESS`, `.part-0.crc`.
fn is_hidden(name: &str) -> bool {
    name.starts_with(['.', '_'])
}

/// Whether a pattern stands for a name. One that is hidden must be asked for.
fn stands_for(pattern: &str, name: &str) -> bool {
    (!is_hidden(name) || pattern.chars().next() == name.chars().next()) && matches(pattern, name)
}

/// The folder of a path with signs that stand for others, and the names behind it.
fn pattern_of(path: &Path) -> Option<(PathBuf, Vec<String>)> {
    let mut folder = PathBuf::new();
    let mut components = path.components();
    let name = |component: Component| component.as_os_str().to_string_lossy().into_owned();
    while let Some(component) = components.next() {
        let next = folder.join(component);
        // A folder may be called like that too.
        if is_pattern(&name(component)) && !next.exists() {
            return Some((folder, [component].into_iter().chain(components).map(name).collect()));
        }
        folder = next;
    }
    None
}

fn expand(path: &Path, folder: &Path, names: &[String], found: &mut Vec<PathBuf>) -> Result<()> {
    let Some((first, rest)) = names.split_first() else { return Ok(()) };
    let literal = folder.join(first);
    let matching = match !is_pattern(first) || literal.exists() {
        true => vec![literal],
        false => {
            let matching = entries(folder)?.into_iter().filter(|(name, _)| stands_for(first, name));
            matching.map(|(_, inside)| inside).collect()
        }
    };
    for inside in matching {
        match rest.is_empty() {
            false if inside.is_dir() => expand(path, &inside, rest, found)?,
            true if inside.symlink_metadata().is_ok() => found.push(no_folder(path, inside)?),
            _ => {}
        }
    }
    Ok(())
}

/// What lies in a folder, by its name; nothing where there is no such folder.
fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>> {
    let place = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let failed = |source| Error::File { action: FileAction::Read, path: place.to_owned(), source };
    if !place.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in std::fs::read_dir(place).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        found.push((name.to_string_lossy().into_owned(), folder.join(name)));
    }
    Ok(found)
}

/// A file of the table. Rows in folders inside a folder would be left out without a word, so that they are refused.
fn no_folder(table: &Path, inside: PathBuf) -> Result<PathBuf> {
    if !inside.is_dir() {
        return Ok(inside);
    }
    let problem = format!(
        "{} is a folder among its files; folders inside a folder are not read: name the files, as in {}/*",
        inside.display(),
        inside.display()
    );
    Err(file::table(table, problem))
}

/// The names that lead from a folder to a file below it, which need not be there yet; none where it lies elsewhere.
fn below(target: &Path, folder: &Path) -> Vec<String> {
    let here = |path: &Path| if path.as_os_str().is_empty() { PathBuf::from(".") } else { path.to_owned() };
    let Ok(folder) = here(folder).canonicalize() else { return Vec::new() };
    // As much of the target as there is, in its one true place.
    let place = target.ancestors().find_map(|known| Some((known, here(known).canonicalize().ok()?)));
    let Some((known, place)) = place else { return Vec::new() };
    let place = place.join(target.strip_prefix(known).unwrap_or(Path::new("")));
    let names = place.strip_prefix(&folder).map(|rest| rest.components());
    names.map_or(Vec::new(), |names| names.map(|name| name.as_os_str().to_string_lossy().into_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
        }
        folder
    }

    fn listed(folder: &tempfile::TempDir, path: &str) -> Result<Vec<String>, String> {
        let listing = Listing::of(&folder.path().join(path)).map_err(|error| {
            assert!(error.is_input(), "{error}");
            error.to_string()
        })?;
        let name = |path: &PathBuf| path.strip_prefix(folder.path()).unwrap().display().to_string();
        Ok(listing.files().iter().map(name).collect())
    }

    #[test]
    fn a_table_is_a_file_a_folder_or_a_pattern() {
        let folder = folder(&[
            "p/b.csv",
            "p/B.csv",
            "p/a.csv.gz",
            "p/_SUCCESS",
            "p/.b.crc",
            "p/a-2.csv",
            "q/1/x.csv",
            "q/2/x.csv",
            "q/2/y.csv",
            "odd[1].csv",
            "odd1.csv",
            "[r]/x.csv",
            "empty/_x",
        ]);
        assert_eq!(listed(&folder, "p").unwrap(), ["p/B.csv", "p/a-2.csv", "p/a.csv.gz", "p/b.csv"]);
        assert_eq!(listed(&folder, "p/").unwrap().len(), 4);
        assert_eq!(listed(&folder, "p/*").unwrap().len(), 4);
        assert_eq!(listed(&folder, "p/*.csv").unwrap(), ["p/B.csv", "p/a-2.csv", "p/b.csv"]);
        assert_eq!(listed(&folder, "p/_*").unwrap(), ["p/_SUCCESS"]);
        assert_eq!(listed(&folder, "q/*/x.csv").unwrap(), ["q/1/x.csv", "q/2/x.csv"]);
        assert_eq!(listed(&folder, "q/2/?.csv").unwrap(), ["q/2/x.csv", "q/2/y.csv"]);
        assert_eq!(listed(&folder, "odd[1].csv").unwrap(), ["odd[1].csv"], "a file of that name");
        assert_eq!(listed(&folder, "[r]/*").unwrap(), ["[r]/x.csv"], "a folder of that name");
        assert_eq!(listed(&folder, "none.csv").unwrap(), ["none.csv"], "left to whoever opens it");
        let said = listed(&folder, "p/*.parquet").unwrap_err();
        assert!(said.contains("looked for *.parquet in the folder") && said.contains("/p"), "{said}");
        assert!(listed(&folder, "no/*.csv").unwrap_err().contains("there is no folder"));
        assert!(listed(&folder, "empty").unwrap_err().contains("without a file to read"));
        for path in ["q", "q/*"] {
            let said = listed(&folder, path).unwrap_err();
            assert!(said.contains("q/") && said.contains("is a folder among its files"), "{said}");
        }
    }

    #[test]
    fn nothing_is_written_into_a_table() {
        let folder = folder(&["p/a.csv", "p/b.csv", "x"]);
        let at = |name: &str| folder.path().join(name);
        let refused = |path: &str, target: &str| Listing::of(&at(path)).unwrap().refuse(&at(target)).is_err();
        for target in ["p/new.csv", "p/a.csv", "p/front/front.json", "p/../p/x", "new/../p/x.html"] {
            // Where a folder does not exist, nothing can be written through it.
            assert_eq!(refused("p", target), !target.starts_with("new"), "{target}");
        }
        for target in ["p/.hidden", "p/_notes/x", "x", "pp.csv", "y/z.csv"] {
            assert!(!refused("p", target), "{target}");
        }
        assert!(refused("p/*.csv", "p/new.csv") && refused("p/*", "p/front/front.json"));
        assert!(
            !refused("p/*.csv", "p/new.parquet") && !refused("p/*.csv", "new.csv") && !refused("p/a.csv", "p/b.csv")
        );
    }
}
