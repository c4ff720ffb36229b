//! `paretonym explore`

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use paretonym::data::{COUNTS, OtherColumns, Role};
use paretonym::error::Error;
use paretonym::recode::WrittenColumn;
use paretonym::settings::{CutoffRule, OneOrMore, WantedLevels};
use paretonym::study::Study;
use paretonym_engine::folder::{CHECKPOINT, Claimed, claim, is_described, read_checkpoint, read_front, read_study};
use paretonym_engine::outputs::Outputs;

use crate::numbers::{bytes, seconds, share};
use crate::results::{self, Show};
use crate::threads::Threads;

/// Runs a study: reads the table, finds the front, writes front.json and report.html.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  paretonym explore study.toml\n  paretonym explore study.toml --eta 0.1 --loss discernibility -o front-10\n  paretonym explore study.toml --privacy distinct-l --json --quiet\n  paretonym explore study.toml --optimizer nsga2 --max-seconds 60\n  paretonym explore study.toml --at-least k=5,l=2 --at-most t=0.3\n  paretonym explore cuts.toml --coarser-than levels-front --solution 4\n  paretonym explore --resume study-front"
)]
pub struct Arguments {
    /// The study file; `paretonym init` writes one.
    #[arg(required_unless_present = "resume")]
    study: Option<PathBuf>,
    /// The folder to write to [default: the study's name with -front behind it].
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with a genetic search that was stopped or killed, from its last checkpoint in the folder it writes to; or
    /// measure the solutions of any front that a stop left unmeasured.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["study", "out", "Overrides"])]
    resume: Option<PathBuf>,
    /// The answer to the query that `paretonym sql STUDY` prints, as CSV or Parquet, in place of the table: for those who may
    /// not connect.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    counts: Option<PathBuf>,
    /// The most distinct tuples that may come here from a database; of a table with more, the counts of groups are asked for,
    /// node by node [default: 5000000].
    #[arg(long, value_name = "N", conflicts_with = "resume", value_parser = clap::value_parser!(u64).range(1..))]
    groups_at_most: Option<u64>,
    /// About how much memory the distinct tuples of a file may take, such as 500MB or 2GiB: where they need more, groups are
    /// counted in several passes.
    #[arg(long, value_name = "SIZE", value_parser = bytes, conflicts_with_all = ["resume", "groups_at_most"])]
    memory: Option<u64>,
    /// Search only among recodings that are as coarse as a solution of an earlier run on levels, or coarser: what a search of
    /// cuts and breaks starts from where the table has more distinct tuples than may be counted. The study that is written
    /// has the levels as `finest` of its columns.
    #[arg(long, value_name = "DIR", requires = "solution", conflicts_with = "resume")]
    coarser_than: Option<PathBuf>,
    /// The solution of that run.
    #[arg(long, value_name = "ID", requires = "coarser_than")]
    solution: Option<u32>,
    #[command(flatten)]
    overrides: Overrides,
    /// Lay the front of another folder behind this one in the report: other families, other settings. May be repeated.
    #[arg(long, value_name = "DIR")]
    behind: Vec<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// Stop the search after so many seconds and write the best front so far, with the bounds that it has. The clock
    /// runs from the start of the search: reading the table before and measuring the solutions after it are not counted.
    /// Without a limit nothing depends on time.
    #[arg(long, value_name = "N", value_parser = seconds, allow_negative_numbers = true)]
    max_seconds: Option<Duration>,
    /// Print front.json.
    #[arg(long)]
    json: bool,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

/// What a distinct tuple takes at most, counted and searched (docs/performance.md).
const BYTES_PER_TUPLE: u64 = 60;

/// Options that override the study's `[search]` section.
#[derive(Args)]
pub struct Overrides {
    /// The problem, such as max-suppression.
    #[arg(long)]
    problem: Option<String>,
    /// The loss metric, such as general.
    #[arg(long)]
    loss: Option<String>,
    /// The privacy model, such as k or recursive-l(c=2); several separated by commas.
    #[arg(long)]
    privacy: Option<String>,
    /// The optimizer, such as exhaustive.
    #[arg(long)]
    optimizer: Option<String>,
    /// The largest share of rows that may be suppressed.
    #[arg(long, value_name = "X", value_parser = share, allow_negative_numbers = true)]
    eta: Option<f64>,
    /// Which cut-offs are outcomes: all, or budget (the papers' rule).
    #[arg(long, value_name = "RULE")]
    cutoffs: Option<String>,
    /// Levels that every solution must have, such as k=5,l=2: only that part of the front is searched. Those of the study
    /// are left aside.
    #[arg(long, value_name = "LEVELS")]
    at_least: Option<String>,
    /// The same for models of which less is better, such as t=0.3.
    #[arg(long, value_name = "LEVELS")]
    at_most: Option<String>,
    /// Where chance comes from.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The most recodings that may be evaluated.
    #[arg(long, value_name = "N")]
    evaluations: Option<u64>,
    /// Run the algorithm exactly as its paper has it.
    #[arg(long)]
    faithful: bool,
}

impl Overrides {
    fn apply(&self, study: &mut Study) -> Result<(), Error> {
        let search = &mut study.search;
        let set = |place: &mut String, value: &Option<String>| value.iter().for_each(|value| place.clone_from(value));
        set(&mut search.problem, &self.problem);
        set(&mut search.loss, &self.loss);
        set(&mut search.optimizer, &self.optimizer);
        if let Some(names) = &self.privacy {
            search.privacy = models(names);
        }
        if let Some(text) = &self.at_least {
            search.at_least = levels("--at-least", text)?;
        }
        if let Some(text) = &self.at_most {
            search.at_most = levels("--at-most", text)?;
        }
        search.eta = self.eta.unwrap_or(search.eta);
        search.seed = self.seed.unwrap_or(search.seed);
        search.evaluations = self.evaluations.or(search.evaluations);
        if self.faithful {
            search.set("faithful", true);
        }
        search.cutoffs = match self.cutoffs.as_deref() {
            None => search.cutoffs,
            Some("all") => CutoffRule::All,
            Some("budget") => CutoffRule::Budget,
            Some(other) => {
                let known = vec!["all".to_owned(), "budget".to_owned()];
                return Err(Error::UnknownName { what: "rule of cut-offs", name: other.to_owned(), known });
            }
        };
        Ok(())
    }
}

/// Levels by model: k=5,l=2. None where there is nothing between the commas.
fn levels(option: &str, text: &str) -> Result<WantedLevels, Error> {
    let level = |part: String| {
        // A parameter in brackets has an equals sign too.
        let parts = part.rsplit_once('=').map(|(name, level)| (name.trim().to_owned(), level.trim().parse::<f64>()));
        match parts {
            Some((name, Ok(level))) if !name.is_empty() => Ok((name, level)),
            _ => Err(Error::study(format!(
                "{option} takes levels such as k=5,l=2, and {:?} is none; write a model, = and a number",
                part.trim()
            ))),
        }
    };
    split(text).into_iter().filter(|part| !part.trim().is_empty()).map(level).collect()
}

/// A list of models.
fn models(names: &str) -> OneOrMore {
    let list = split(names);
    match list.as_slice() {
        [one] => OneOrMore::One(one.clone()),
        _ => OneOrMore::More(list),
    }
}

/// The parts between commas; those inside brackets belong to a part.
fn split(names: &str) -> Vec<String> {
    let (mut list, mut depth) = (vec![String::new()], 0);
    for letter in names.chars() {
        match letter {
            ',' if depth == 0 => list.push(String::new()),
            _ => {
                depth += i32::from(letter == '(') - i32::from(letter == ')');
                list.last_mut().expect("there is one").push(letter);
            }
        }
    }
    list
}

/// Sets the finest levels of a study to those of a solution of an earlier run.
fn start_from(study: &mut Study, dir: &Path, id: u32) -> Result<(), Error> {
    let front = read_front(dir)?;
    let solution = front.solution(id)?;
    for (name, shown) in solution.recoding.columns() {
        let WrittenColumn::Level(level) = shown else {
            return Err(Error::study(format!(
                "solution {id} of {} shows column {name:?} by runs of values or nodes of a tree, and a search can start from \
                 levels only; choose a run with recode = \"levels\"",
                dir.display()
            )));
        };
        let column =
            study.columns.iter_mut().find(|column| column.name == *name).filter(|own| own.role.has(Role::Quasi));
        let column = column.ok_or_else(|| {
            Error::study(format!("the solution recodes column {name:?}, which is no quasi column of this study"))
        })?;
        column.finest = Some(*level);
    }
    if solution.recoding.is_local() {
        return Err(Error::study("a search can start from levels only, and this solution is a local recoding"));
    }
    Ok(())
}

pub fn run(arguments: &Arguments) -> Result<()> {
    arguments.threads.set(arguments.quiet)?;
    let behind = arguments.behind.iter().map(|dir| {
        let front = read_front(dir)?;
        Ok((format!("{} ({})", front.optimizer, dir.display()), front))
    });
    let behind = behind.collect::<Result<Vec<_>>>()?;
    let show = Show::of(arguments.json, arguments.quiet);
    if let Some(dir) = &arguments.resume {
        // Whatever was found, somebody stopped before it was measured.
        if !dir.join(CHECKPOINT).is_file() && !is_described(dir)? {
            return results::describe_rest(dir, show, &behind);
        }
        let saved = read_checkpoint(dir)?;
        return results::explore(&saved.study.clone(), dir, show, Some(saved), &behind, arguments.max_seconds);
    }
    let path = arguments.study.as_deref().expect("it is there unless resuming");
    let mut study = read_study(path)?;
    arguments.overrides.apply(&mut study)?;
    let in_memory = arguments.memory.map(|bytes| (bytes / BYTES_PER_TUPLE).max(1));
    study.data.groups_at_most = in_memory.or(arguments.groups_at_most).or(study.data.groups_at_most);
    if let (Some(dir), Some(solution)) = (&arguments.coarser_than, arguments.solution) {
        start_from(&mut study, dir, solution)?;
    }
    if let Some(file) = &arguments.counts {
        study.data.locate(file);
        study.data.counts = Some(COUNTS.to_owned());
        study.data.other_columns = OtherColumns::Drop;
    }
    let stem = path.file_stem().map_or("study".into(), |stem| stem.to_string_lossy());
    let out = arguments.out.clone().unwrap_or_else(|| PathBuf::from(format!("{stem}-front")));
    let mut outputs = Outputs::besides([path]);
    outputs.reads_study(&study);
    arguments.behind.iter().for_each(|dir| outputs.reads_run(dir));
    let claimed = claim(&out, &outputs)?;
    results::explore(&study, &out, show, None, &behind, arguments.max_seconds)?;
    if claimed == Claimed::Earlier && show != Show::Nothing {
        eprintln!("replaced the earlier front in {}", out.display());
    }
    Ok(())
}
