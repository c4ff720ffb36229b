//! Running a study and showing what it gives.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use paretonym::front::FrontFile;
use paretonym::settings::within;
use paretonym::study::Study;
use paretonym_engine::folder::{self, Explored, SavedSearch};

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

/// Runs a study, writes its results into a folder and prints them. `saved` is a search that goes on, `behind` are
/// fronts to lay behind this one in the report, `limit` is how long the search may take.
pub fn explore(
    study: &Study,
    out: &Path,
    show: Show,
    saved: Option<SavedSearch>,
    behind: &[(String, FrontFile)],
    limit: Option<Duration>,
) -> Result<()> {
    let progress = Progress::start(show == Show::Nothing).limited(limit);
    let explored = folder::explore(study, out, saved, behind, &progress);
    progress.finish();
    tell(&explored?, out, show)
}

/// Measures what an earlier run had left, and prints all of it.
pub fn describe_rest(dir: &Path, show: Show, behind: &[(String, FrontFile)]) -> Result<()> {
    let progress = Progress::start(show == Show::Nothing);
    let explored = folder::describe_rest(dir, behind, &progress);
    progress.finish();
    tell(&explored?, dir, show)
}

fn tell(explored: &Explored, out: &Path, show: Show) -> Result<()> {
    let mut stdout = std::io::stdout().lock();
    match show {
        Show::Json => writeln!(stdout, "{}", explored.front_text)?,
        Show::Table => write!(stdout, "{}", summary(&explored.front, out))?,
        Show::Nothing => {}
    }
    if explored.stopped {
        let place = out.join(folder::FRONT);
        if explored.front.complete {
            anyhow::bail!(
                "stopped while the solutions were described; the front is in {}; `paretonym explore --resume {}` measures the rest",
                place.display(),
                out.display()
            );
        }
        let going_on = match out.join(folder::CHECKPOINT).is_file() {
            true => format!("; `paretonym explore --resume {}` goes on", out.display()),
            false => String::new(),
        };
        anyhow::bail!("stopped early; the best front so far is in {}, marked as incomplete{going_on}", place.display());
    }
    Ok(())
}

/// What was done and found.
fn summary(front: &FrontFile, out: &Path) -> String {
    let mut text = format!("{} rows, {} distinct tuples", front.rows, front.distinct);
    if front.dropped > 0 {
        let all = front.rows + front.dropped;
        let share = display::percent(front.dropped as f64 / all as f64);
        text += &format!(
            "; {} more rows of the {all} in the table ({share}) are left out of every release, because a value is missing \
             (on_missing = \"value\" keeps them)",
            front.dropped
        );
    }
    let space = front.space.map_or("more than 2^63".to_owned(), |space| space.to_string());
    text += &format!(
        "\n{}: {} of {} recodings evaluated, {} solution{}{}, {}\n",
        front.optimizer,
        front.evaluated,
        space,
        front.solutions.len(),
        if front.solutions.len() == 1 { "" } else { "s" },
        within(&front.at_least, &front.at_most).map_or(String::new(), |limits| format!(" within {limits}")),
        if front.exact { "proven to be the whole front" } else { "not proven to be the whole front" }
    );
    for note in &front.notes {
        text += &format!("{note}\n");
    }
    text += &display::warnings(&front.warnings);
    // With many solutions, the most private and an even choice of the others.
    let count = front.solutions.len();
    let step = count.div_ceil(PRINTED).max(1);
    text += &display::solutions(front, front.solutions.iter().step_by(step));
    text.push('\n');
    if step > 1 {
        text += &format!("One in {step} of {count} solutions is shown; all of them are in front.json.\n");
    }
    text += &format!("Wrote {} and {}.\n", out.join(folder::FRONT).display(), out.join(folder::REPORT).display());
    text
}
