//! Running a study and keeping what it gives: front.json, report.html, and the study as it was run.

use std::path::Path;

use paretonym::engine::{Unwatched, Watch};
use paretonym::error::{Error, FileAction, Result};
use paretonym::front::{FrontFile, choose};
use paretonym::recode::Regions;
use paretonym::release;
use paretonym::report::{self, GroupCurve, Page};
use paretonym::study::{Exploration, Study, run_keeping};
use paretonym::view::opening_limits;

use super::OpenRun;
use super::checkpoint::{CheckpointKeeper, SavedSearch};
use super::key::Key;
use super::read::read_front;
use super::seal::{Inputs, Seal};
use super::{FRONT, REGIONS, REPORT, STUDY, STUDY_HEAD};
use crate::{Embedded, private_folder, write_atomically};

/// A file that says what the folder is to who finds it.
const WARNING: &str = "PRIVATE.txt";

/// What it says.
const PRIVATE_FOLDER: &str = "\
Everything in this folder is private. front.json, report.html, regions.json, study.toml and the checkpoint tell values of
persons that no release shows, and the folder \"private\" holds keys and what `reapply` needs of releases.

What may be handed on is what `paretonym release` wrote where you told it to: FILE, FILE.certificate.json,
FILE.certificate.md and FILE.recoding.json.
";

/// What a run left in its folder.
pub struct Explored {
    /// The front.
    pub front: FrontFile,
    /// The text of front.json.
    pub front_text: String,
    /// Whether it was stopped, so that the front is the best so far, or not all of it is measured.
    pub stopped: bool,
}

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

/// Runs a study and writes its results into a folder. `saved` is a search that goes on, `behind` are fronts to lay behind
/// this one in the report.
pub fn explore(
    study: &Study,
    out: &Path,
    saved: Option<SavedSearch>,
    behind: &[(String, FrontFile)],
    watch: &dyn Watch,
) -> Result<Explored> {
    study.validate()?;
    let study_text = study_text(study)?;
    let key = key_for(out)?;
    // Of the table as it is before it is counted: should it change meanwhile, it is not what the seal says.
    let inputs = Inputs::now(study, &key, watch)?;
    let sealing = (&inputs, &key);
    let checkpoints = CheckpointKeeper::new(watch, out, &study_text, sealing, saved)?;
    // The front first, as soon as it is found: whatever happens while its solutions are described, it is there.
    let mut keep = |front: &FrontFile, regions: Option<&Regions>| {
        write_results(out, &study_text, front, regions, sealing)?;
        remove(&out.join(REPORT))
    };
    let Exploration { front, regions, .. } = run_keeping(study, &Embedded, &checkpoints, &mut keep)?;
    let stopped = is_short(&front, watch);
    let front_text = write_results(out, &study_text, &front, regions.as_ref(), sealing)?;
    let page = report(study, &front, behind);
    write_atomically(&out.join(REPORT), |file| file.write_all(page.as_bytes()))?;
    // A search that was stopped can go on from its own checkpoint, though not from that of an earlier study; one that
    // ended has no use for it.
    if !stopped || !checkpoints.are_ours() {
        checkpoints.remove()?;
    }
    Ok(Explored { front, front_text, stopped })
}

/// Whether all solutions of the front in a folder were measured; true where there is no front.
pub fn is_described(dir: &Path) -> Result<bool> {
    let there = dir.join(FRONT).is_file();
    Ok(!there || read_front(dir)?.solutions.iter().all(|solution| solution.described))
}

/// Measures the solutions that were not measured before the work was stopped.
pub fn describe_rest(dir: &Path, behind: &[(String, FrontFile)], watch: &dyn Watch) -> Result<Explored> {
    let open = OpenRun::open(dir)?;
    let table = open.count(watch)?;
    let OpenRun { study, mut front, regions, .. } = open;
    release::describe_rest(&study, &table, &mut front, regions.as_ref(), watch)?;
    let front_text = keep(dir, &study, &front, regions.as_ref())?;
    let page = report(&study, &front, behind);
    write_atomically(&dir.join(REPORT), |file| file.write_all(page.as_bytes()))?;
    let stopped = is_short(&front, watch);
    Ok(Explored { front, front_text, stopped })
}

/// Whether a stop came before everything was found and measured.
fn is_short(front: &FrontFile, watch: &dyn Watch) -> bool {
    watch.cancelled() && !(front.complete && front.solutions.iter().all(|solution| solution.described))
}

/// Keeps a front, with its study and boxes, in a folder, sealed for the table as it is now; returns the text of front.json.
pub fn keep(dir: &Path, study: &Study, front: &FrontFile, regions: Option<&Regions>) -> Result<String> {
    let key = key_for(dir)?;
    let inputs = Inputs::now(study, &key, &Unwatched)?;
    write_results(dir, &study_text(study)?, front, regions, (&inputs, &key))
}

/// The key of a folder, or a new one.
fn key_for(dir: &Path) -> Result<Key> {
    Key::of(dir)?.map_or_else(Key::random, Ok)
}

/// Writes a front with what it needs to be read, and the seal that binds them; the text of front.json.
fn write_results(
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
fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::File { action: FileAction::Remove, path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// The report of a front.
fn report(study: &Study, front: &FrontFile, behind: &[(String, FrontFile)]) -> String {
    let title = study.data.path.file_name().map_or("table".into(), |name| name.to_string_lossy());
    let limits = opening_limits(front);
    let backdrops: Vec<(String, &FrontFile)> = behind.iter().map(|(name, front)| (name.clone(), front)).collect();
    // Curves of the solution that the limits allow, and of some more private ones.
    let best = choose(front, &limits).ok().and_then(|choice| choice.best.first().map(|solution| solution.id));
    let last = best.unwrap_or(front.solutions.len() as u32);
    let mut shown: Vec<u32> = [4, 3, 2, 1].iter().map(|part| (last * part / 4).max(1)).collect();
    shown.dedup();
    let curves: Vec<GroupCurve> = shown
        .into_iter()
        .filter_map(|id| front.solutions.get(id as usize - 1))
        .map(|solution| GroupCurve { id: solution.id, points: solution.bias.curve.clone() })
        .collect();
    report::html(&Page { title: &title, front, backdrops: &backdrops, curves: &curves, limits })
}
