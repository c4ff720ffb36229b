//! Writing the results of a run into its folder, sealed for the table that they were found for.

use std::path::Path;

use paretonym::engine::Unwatched;
use paretonym::error::{Error, FileAction, Result};
use paretonym::front::FrontFile;
use paretonym::recode::Regions;
use paretonym::study::Study;

use super::inputs::Inputs;
use super::key::Key;
use super::seal::Seal;
use super::{FRONT, REGIONS, STUDY, STUDY_HEAD};
use crate::{private_folder, write_atomically};

/// A file that says what the folder is to who finds it.
const WARNING: &str = "PRIVATE.txt";

/// What it says.
const PRIVATE_FOLDER: &str = "\
Everything in this folder is private. front.json, report.html, regions.json, study.toml and the checkpoint tell values of
persons that no release shows, and the folder \"private\" holds keys and what `reapply` needs of releases.

What may be handed on is what `paretonym release` wrote where you told it to: FILE, FILE.certificate.json,
FILE.certificate.md and FILE.recoding.json.
";

/// A study as its folder keeps it: with paths that hold wherever the file lies.
pub fn study_text(study: &Study) -> Result<String> {
    let here =
        std::env::current_dir().map_err(|source| Error::File { action: FileAction::Read, path: ".".into(), source })?;
    let mut absolute = study.clone();
    absolute.resolve(&here);
    let path = &absolute.data.path;
    if path.to_str().is_none() {
        let path = path.display();
        return Err(Error::study(format!("{path}: a study cannot keep a path that is no Unicode text; rename it")));
    }
    let text = toml::to_string_pretty(&absolute)
        .map_err(|error| Error::internal(format!("the study cannot be written: {error}")))?;
    Ok(format!("{STUDY_HEAD}\n\n{text}"))
}

/// Keeps a front, with its study and boxes, in a folder, sealed for the table as it is now; returns the text of front.json.
pub fn keep(dir: &Path, study: &Study, front: &FrontFile, regions: Option<&Regions>) -> Result<String> {
    let key = key_for(dir)?;
    let inputs = Inputs::now(study, &key, &Unwatched)?;
    write_results(dir, &study_text(study)?, front, regions, (&inputs, &key))
}

/// The key of a folder, or a new one.
pub(super) fn key_for(dir: &Path) -> Result<Key> {
    Key::of(dir)?.map_or_else(Key::random, Ok)
}

/// Writes a front with what it needs to be read, and the seal that binds them; the text of front.json.
pub(super) fn write_results(
    out: &Path,
    study_text: &str,
    front: &FrontFile,
    regions: Option<&Regions>,
    (inputs, key): (&Inputs, &Key),
) -> Result<String> {
    private_folder(out)?;
    key.keep(out)?;
    let unwritable = |error: serde_json::Error| Error::internal(format!("the front cannot be written: {error}"));
    let front_text = serde_json::to_string_pretty(front).map_err(unwritable)?;
    let regions_text = regions.map(serde_json::to_string).transpose().map_err(unwritable)?;
    let put = |name: &str, text: &str| write_atomically(&out.join(name), |file| file.write_all(text.as_bytes()));
    put(WARNING, PRIVATE_FOLDER)?;
    put(STUDY, study_text)?;
    match &regions_text {
        Some(text) => put(REGIONS, text)?,
        // The boxes of an earlier front would be taken for those of this one.
        None => remove(&out.join(REGIONS))?,
    }
    put(FRONT, &front_text)?;
    Seal::new(inputs, &front_text, regions_text.as_deref(), key).keep(out)?;
    Ok(front_text)
}

/// Removes a file if it is there.
pub(super) fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::File { action: FileAction::Remove, path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}
