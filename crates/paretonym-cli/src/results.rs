//! Running a study and keeping what it gives: front.json, report.html, and the study as it was run.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use paretonym::engine::Watch;
use paretonym::error::Error;
use paretonym::front::{FORMAT, FrontFile};
use paretonym::study::{Study, run};
use paretonym_engine::{Embedded, private_folder, write_atomically};

use crate::checkpoint::Checkpoints;
use crate::display;
use crate::progress::Progress;

/// At most this many solutions are printed; all are in front.json.
const PRINTED: usize = 30;

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

/// Runs a study and writes its results into a folder. `saved` is the state of a search that goes on.
pub fn explore(study: &Study, out: &Path, show: Show, saved: Option<String>) -> Result<()> {
    let mut absolute = study.clone();
    absolute.resolve(&std::env::current_dir()?);
    let study_text = toml::to_string_pretty(&absolute)?;
    let progress = Progress::start(show == Show::Nothing);
    let checkpoints = Checkpoints::new(&progress, out, &study_text, saved);
    let exploration = run(study, &Embedded, &checkpoints);
    progress.finish();
    let front = exploration?.front;

    private_folder(out)?;
    let front_text = serde_json::to_string_pretty(&front)?;
    write_atomically(&out.join("study.toml"), |file| file.write_all(study_text.as_bytes()))?;
    write_atomically(&out.join("front.json"), |file| file.write_all(front_text.as_bytes()))?;
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
    if !front.complete && show != Show::Nothing {
        writeln!(std::io::stderr(), "stopped early: the front is the best found so far, marked as incomplete")?;
    }
    Ok(())
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
    text += &format!("Wrote {}.\n", out.join("front.json").display());
    text
}
