//! Whose folder is it? A run writes into a folder that is new, that lies empty, or that an earlier run wrote; what others
//! keep under the same names stays as it is.

use std::io::Read;
use std::path::Path;

use paretonym::error::{Error, FileAction, Result};

use super::{CHECKPOINT, FRONT, NAMES, STUDY, STUDY_HEAD};
use crate::folders::outputs::Outputs;

/// How the formats of all our fronts and checkpoints begin, of whatever version.
const FORMATS: &str = "\"format\": \"paretonym-";
/// The format stands at the beginning of a file; a front may be large.
const BEGINNING: u64 = 4096;

/// What a folder held before a run writes into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// Nothing of a run.
    New,
    /// A run that left no front.
    Unfinished,
    /// A run with a front, which is going to be replaced.
    Earlier,
}

/// Whether a run may write its results into a folder, which is refused where that would replace a file of somebody else or
/// one that the run reads.
pub fn claim(dir: &Path, outputs: &Outputs) -> Result<Claimed> {
    // Also where there is no such folder yet: it may not be made inside a table.
    NAMES.iter().try_for_each(|name| outputs.check_not_read(&dir.join(name)))?;
    match std::fs::metadata(dir) {
        Err(source) if source.kind() == std::io::ErrorKind::NotFound && !dir.is_symlink() => return Ok(Claimed::New),
        Err(source) => return Err(Error::File { action: FileAction::Read, path: dir.to_owned(), source }),
        Ok(found) if !found.is_dir() => {
            return Err(Error::study(format!("{} is a file; give the name of a folder with -o", dir.display())));
        }
        Ok(_) => {}
    }
    for name in NAMES {
        if dir.join(name).is_dir() {
            return Err(refusal(dir, name));
        }
    }
    if is_ours(&dir.join(FRONT)) {
        return Ok(Claimed::Earlier);
    }
    if is_ours(&dir.join(CHECKPOINT)) || begins_with(&dir.join(STUDY), STUDY_HEAD) {
        // A front beside them that is none of ours is not of this run.
        return match dir.join(FRONT).symlink_metadata().is_ok() {
            true => Err(refusal(dir, FRONT)),
            false => Ok(Claimed::Unfinished),
        };
    }
    match NAMES.iter().find(|name| dir.join(name).symlink_metadata().is_ok()) {
        Some(name) => Err(refusal(dir, name)),
        None => Ok(Claimed::New),
    }
}

fn refusal(dir: &Path, name: &str) -> Error {
    Error::study(format!(
        "{} exists and was not written by an earlier run, so it is not replaced; give another folder with -o",
        dir.join(name).display()
    ))
}

/// Whether a file is a front or a checkpoint of ours.
fn is_ours(path: &Path) -> bool {
    // Fronts are written with spaces, checkpoints without; early checkpoints did not name their format.
    let ours = |text: String| {
        let early = text.starts_with("{\"optimizer\":") && text.contains("\"dice\":");
        text.contains(FORMATS) || text.contains(&FORMATS.replace(' ', "")) || early
    };
    beginning(path).is_some_and(ours)
}

fn begins_with(path: &Path, head: &str) -> bool {
    beginning(path).is_some_and(|text| text.starts_with(head))
}

/// The first bytes of a file; none where it is no file.
fn beginning(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(BEGINNING).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
        folder
    }

    fn claimed(files: &[(&str, &str)]) -> Option<Claimed> {
        claim(folder(files).path(), &Outputs::default()).ok()
    }

    #[test]
    fn folders_of_others_are_left_alone() {
        let front = ("front.json", "{\n  \"format\": \"paretonym-front/1\",\n  \"x\": 1 }");
        let study = format!("{STUDY_HEAD}\n[data]\n");
        assert_eq!(claimed(&[]), Some(Claimed::New));
        assert_eq!(claimed(&[("people.csv", "a\n")]), Some(Claimed::New));
        assert_eq!(claimed(&[front, ("study.toml", "[data]\n"), ("report.html", "")]), Some(Claimed::Earlier));
        assert_eq!(claimed(&[("study.toml", &study)]), Some(Claimed::Unfinished));
        assert_eq!(
            claimed(&[("checkpoint.json", "{\"format\":\"paretonym-checkpoint/1\"}")]),
            Some(Claimed::Unfinished)
        );
        let early = "{\"optimizer\":\"nsga2\",\"table\":[9,9,4],\"dice\":[1,7]}";
        assert_eq!(claimed(&[("checkpoint.json", early), ("study.toml", "[data]\n")]), Some(Claimed::Unfinished));
        assert_eq!(claimed(&[("study.toml", "[data]\n")]), None);
        assert_eq!(claimed(&[("report.html", "<p>mine</p>")]), None);
        assert_eq!(claimed(&[("front.json", "{}")]), None);
        assert_eq!(claimed(&[("study.toml", &study), ("front.json", "{}")]), None);
    }

    #[test]
    fn a_file_is_no_folder_and_an_input_no_output() {
        let folder =
            folder(&[("x", ""), ("front.json", "{\"format\":\"paretonym-front/1\"}"), ("study.toml", "[data]")]);
        assert!(claim(&folder.path().join("x"), &Outputs::default()).unwrap_err().is_input());
        assert_eq!(claim(&folder.path().join("new"), &Outputs::default()).unwrap(), Claimed::New);
        assert_eq!(claim(folder.path(), &Outputs::default()).unwrap(), Claimed::Earlier);
        let reading = Outputs::besides([folder.path().join("study.toml")]);
        assert!(claim(folder.path(), &reading).unwrap_err().to_string().contains("is read by this command"));
        std::fs::remove_file(folder.path().join("study.toml")).unwrap();
        std::fs::create_dir(folder.path().join("report.html")).unwrap();
        assert!(claim(folder.path(), &Outputs::default()).is_err());
    }
}
