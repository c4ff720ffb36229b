//! Running a study and keeping what it gives: front.json, report.html, and the study as it was run.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use paretonym::engine::Watch;
use paretonym::error::Error;
use paretonym::front::{FORMAT, FrontFile, Limits, choose};
use paretonym::recode::{REGIONS_FORMAT, Regions};
use paretonym::report::{self, GroupCurve, Page};
use paretonym::study::{Exploration, Study, run};
use paretonym_engine::{Embedded, private_folder, write_atomically};

use crate::checkpoint::Checkpoints;
use crate::display;
use crate::progress::Progress;

/// At most this many solutions are printed; all are in front.json.
const PRINTED: usize = 30;

/// The boxes of local recodings, beside front.json.
const REGIONS: &str = "regions.json";

/// What is printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Show {
    /// A table.
    Table,
    /// front.json.
    Json,
    /// Nothing.
    Nothing,
}

impl Show {
    /// From the two options that every command has.
    pub fn of(json: bool, quiet: bool) -> Self {
        match (json, quiet) {
            (true, _) => Show::Json,
            (false, true) => Show::Nothing,
            (false, false) => Show::Table,
        }
    }
}

/// Runs a study and writes its results into a folder. `saved` is the state of a search that goes on, `behind` are fronts
/// to lay behind this one in the report.
pub fn explore(
    study: &Study,
    out: &Path,
    show: Show,
    saved: Option<String>,
    behind: &[(String, FrontFile)],
) -> Result<()> {
    let mut absolute = study.clone();
    absolute.resolve(&std::env::current_dir()?);
    let study_text = toml::to_string_pretty(&absolute)?;
    let progress = Progress::start(show == Show::Nothing);
    let checkpoints = Checkpoints::new(&progress, out, &study_text, saved);
    let exploration = run(study, &Embedded, &checkpoints);
    progress.finish();
    let Exploration { front, regions, .. } = exploration?;

    private_folder(out)?;
    let front_text = serde_json::to_string_pretty(&front)?;
    write_atomically(&out.join("study.toml"), |file| file.write_all(study_text.as_bytes()))?;
    let boxes = out.join(REGIONS);
    match &regions {
        Some(regions) => {
            let text = serde_json::to_string(regions)?;
            write_atomically(&boxes, |file| file.write_all(text.as_bytes()))?;
        }
        // The boxes of an earlier front would be taken for those of this one.
        None if boxes.exists() => std::fs::remove_file(&boxes)?,
        None => {}
    }
    write_atomically(&out.join("front.json"), |file| file.write_all(front_text.as_bytes()))?;
    let page = report(study, &front, behind);
    write_atomically(&out.join("report.html"), |file| file.write_all(page.as_bytes()))?;
    // A search that was stopped can go on; one that ended has no use for its checkpoint.
    if !progress.cancelled() {
        checkpoints.remove()?;
    }

    let mut stdout = std::io::stdout().lock();
    match show {
        Show::Json => writeln!(stdout, "{front_text}")?,
        Show::Table => write!(stdout, "{}", summary(&front, out))?,
        Show::Nothing => {}
    }
    if progress.cancelled() {
        let place = out.join("front.json");
        anyhow::bail!("stopped early; the best front so far is in {}, marked as incomplete", place.display());
    }
    Ok(())
}

/// The report of a front, for a publisher who can bear a quarter of the information lost.
fn report(study: &Study, front: &FrontFile, behind: &[(String, FrontFile)]) -> String {
    let title = study.data.path.file_name().map_or("table".into(), |name| name.to_string_lossy());
    let limits = Limits { max_loss: Some(0.25), ..Limits::default() };
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

/// Reads the front of a folder.
pub fn read_front(dir: &Path) -> Result<FrontFile> {
    let path = dir.join("front.json");
    let text =
        std::fs::read_to_string(&path).map_err(|source| Error::File { action: "read", path: path.clone(), source })?;
    let front: FrontFile = serde_json::from_str(&text).map_err(|error| Error::Table {
        place: path.display().to_string(),
        problem: format!("this is not a front of paretonym ({error}); run `paretonym explore` again"),
    })?;
    if front.format != FORMAT {
        let problem = format!("format {:?}, but this program reads {FORMAT:?}; explore again", front.format);
        return Err(Error::Table { place: path.display().to_string(), problem }.into());
    }
    Ok(front)
}

/// Reads the boxes of a front of local recodings; none for other fronts.
pub fn read_regions(dir: &Path, front: &FrontFile) -> Result<Option<Regions>> {
    if !front.solutions.iter().any(|solution| solution.recoding.contains_key("regions") && solution.recoding.len() == 1)
    {
        return Ok(None);
    }
    let path = dir.join(REGIONS);
    let text =
        std::fs::read_to_string(&path).map_err(|source| Error::File { action: "read", path: path.clone(), source })?;
    let wrong = |what: String| Error::Table {
        place: path.display().to_string(),
        problem: format!("{what}; run `paretonym explore` again"),
    };
    let regions: Regions = serde_json::from_str(&text)
        .map_err(|error| wrong(format!("these are not the boxes of a front of paretonym ({error})")))?;
    if regions.format != REGIONS_FORMAT || regions.solutions.len() != front.solutions.len() {
        return Err(wrong("these boxes do not belong to the front beside them".to_owned()).into());
    }
    Ok(Some(regions))
}

/// What was done and found.
fn summary(front: &FrontFile, out: &Path) -> String {
    let mut text = format!("{} rows, {} distinct tuples", front.rows, front.distinct);
    if front.dropped > 0 {
        text += &format!(", {} rows with missing values left out", front.dropped);
    }
    let space = front.space.map_or("more than 2^63".to_owned(), |space| space.to_string());
    text += &format!(
        "\n{}: {} of {} recodings evaluated, {} solutions, {}\n",
        front.optimizer,
        front.evaluated,
        space,
        front.solutions.len(),
        if front.exact { "proven to be the whole front" } else { "not proven to be the whole front" }
    );
    for note in &front.notes {
        text += &format!("{note}\n");
    }
    // With many solutions, the most private and an even choice of the others.
    let count = front.solutions.len();
    let step = count.div_ceil(PRINTED).max(1);
    text += &display::solutions(front, front.solutions.iter().step_by(step));
    text.push('\n');
    if step > 1 {
        text += &format!("Every {step}th of {count} solutions; all of them are in front.json.\n");
    }
    text += &format!("Wrote {} and {}.\n", out.join("front.json").display(), out.join("report.html").display());
    text
}
