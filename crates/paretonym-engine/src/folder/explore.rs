//! Running a study and keeping what it gives: front.json, report.html, and the study as it was run.

use std::path::Path;

use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use paretonym::front::{FrontFile, Limits, choose};
use paretonym::report::{self, GroupCurve, Page};
use paretonym::study::{Exploration, Study, run};

use super::checkpoint::Checkpoints;
use super::{FRONT, REGIONS, REPORT, STUDY, STUDY_HEAD};
use crate::{Embedded, private_folder, write_atomically};

/// What a run left in its folder.
pub struct Explored {
    /// The front.
    pub front: FrontFile,
    /// The text of front.json.
    pub front_text: String,
    /// Whether it was stopped, so that the front is the best so far.
    pub stopped: bool,
}

/// A study as its folder keeps it: with paths that hold wherever the file lies.
pub fn study_text(study: &Study) -> Result<String> {
    let here = std::env::current_dir().map_err(|source| Error::File { action: "read", path: ".".into(), source })?;
    let mut absolute = study.clone();
    absolute.resolve(&here);
    let text = toml::to_string_pretty(&absolute).map_err(|error| Error::study(error.to_string()))?;
    Ok(format!("{STUDY_HEAD}\n\n{text}"))
}

/// Runs a study and writes its results into a folder. `saved` is the state of a search that goes on, `behind` are fronts
/// to lay behind this one in the report.
pub fn explore(
    study: &Study,
    out: &Path,
    saved: Option<String>,
    behind: &[(String, FrontFile)],
    watch: &dyn Watch,
) -> Result<Explored> {
    let study_text = study_text(study)?;
    let checkpoints = Checkpoints::new(watch, out, &study_text, saved);
    let Exploration { front, regions, .. } = run(study, &Embedded, &checkpoints)?;
    let stopped = watch.cancelled();

    private_folder(out)?;
    let unwritable = |error: serde_json::Error| Error::study(error.to_string());
    let front_text = serde_json::to_string_pretty(&front).map_err(unwritable)?;
    write_atomically(&out.join(STUDY), |file| file.write_all(study_text.as_bytes()))?;
    let boxes = out.join(REGIONS);
    match &regions {
        Some(regions) => {
            let text = serde_json::to_string(regions).map_err(unwritable)?;
            write_atomically(&boxes, |file| file.write_all(text.as_bytes()))?;
        }
        // The boxes of an earlier front would be taken for those of this one.
        None if boxes.exists() => std::fs::remove_file(&boxes).map_err(|source| Error::File {
            action: "remove",
            path: boxes.clone(),
            source,
        })?,
        None => {}
    }
    write_atomically(&out.join(FRONT), |file| file.write_all(front_text.as_bytes()))?;
    let page = report(study, &front, behind);
    write_atomically(&out.join(REPORT), |file| file.write_all(page.as_bytes()))?;
    // A search that was stopped can go on from its own checkpoint, though not from that of an earlier study; one that
    // ended has no use for it.
    if !stopped || !checkpoints.are_ours() {
        checkpoints.remove()?;
    }
    Ok(Explored { front, front_text, stopped })
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
