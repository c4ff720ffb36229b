//! Running a study and keeping what it gives: front.json, report.html, and the study as it was run.

use std::path::Path;

use paretonym::engine::Watch;
use paretonym::error::Result;
use paretonym::front::{FrontFile, choose};
use paretonym::recode::Regions;
use paretonym::release;
use paretonym::report::{self, GroupCurve, Page};
use paretonym::study::{Exploration, Study, run_keeping};
use paretonym::view::opening_limits;

use super::checkpoint::SavedSearch;
use super::checkpoint_keeper::CheckpointKeeper;
use super::inputs::Inputs;
use super::keeping::{keep, key_for, remove, study_text, write_results};
use super::meter::Meter;
use super::read::read_front;
use super::{FRONT, OpenRun, REPORT};
use crate::{Embedded, write_atomically};

/// What a run left in its folder.
pub struct Explored {
    /// The front.
    pub front: FrontFile,
    /// The text of front.json.
    pub front_text: String,
    /// Whether it was stopped, so that the front is the best so far, or not all of it is measured.
    pub stopped: bool,
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
    let meter = Meter::new(watch);
    let inputs = Inputs::now(study, &key, &meter)?;
    let sealing = (&inputs, &key);
    let checkpoints = CheckpointKeeper::new(watch, out, &study_text, sealing, saved)?;
    // The front first, as soon as it is found: whatever happens while its solutions are described, it is there.
    let mut keep = |front: &FrontFile, regions: Option<&Regions>| {
        write_results(out, &study_text, front, regions, sealing)?;
        remove(&out.join(REPORT))
    };
    let Exploration { mut front, regions, overdue, .. } = run_keeping(study, &Embedded, &checkpoints, &mut keep)?;
    front.moved = meter.with(front.moved);
    let stopped = is_short(&front, watch);
    let front_text = write_results(out, &study_text, &front, regions.as_ref(), sealing)?;
    let page = report(study, &front, behind);
    write_atomically(&out.join(REPORT), |file| file.write_all(page.as_bytes()))?;
    // A search that was stopped, by somebody or by its time, can go on from its own checkpoint, though not from that of an earlier study; one that
    // ended has no use for it.
    if !(stopped || overdue) || !checkpoints.are_ours() {
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

/// The report of a front: a page that opens without a network, with `behind` as fronts laid behind it.
pub fn report(study: &Study, front: &FrontFile, behind: &[(String, FrontFile)]) -> String {
    let title = study.data.title();
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
