//! `paretonym compare`

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use paretonym::catalog;
use paretonym::compare::{Comparators, Comparison, Release, page, verdict};
use paretonym::data::Source;
use paretonym::engine::Unwatched;
use paretonym::error::Error;
use paretonym::release::Audit;
use paretonym_engine::compare::{Files, solutions};
use paretonym_engine::folder::{OpenRun, STUDY, read_study};
use paretonym_engine::outputs::Outputs;
use paretonym_engine::write_output;

use crate::display;
use crate::progress::Progress;

/// Which release is better, and for whom: compares releases of one table row by row.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  paretonym compare people.csv ours.csv theirs.csv --quasi age,zip,sex --sensitive disease\n  paretonym compare people.csv a.csv b.csv --quasi age,zip --id person --json\n  paretonym compare study-front --solutions 1,5,12\n\nFiles may come from any tool. Rows are matched by an identifying column (--id); those of our own releases by the row keys that are kept beside the front (--front, or looked for in the folders around); others by their order where nothing contradicts it. Where rows cannot be matched, releases are compared as wholes. Rows that a release lacks, or shows as stars only, count as suppressed."
)]
pub struct Arguments {
    /// The original table; or, with --solutions, the folder that `explore` wrote.
    original: PathBuf,
    /// The releases.
    releases: Vec<PathBuf>,
    /// The columns that the releases recode, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    quasi: Vec<String>,
    /// The columns that the releases protect, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    sensitive: Vec<String>,
    /// The column that tells rows apart, in the original and in the releases.
    #[arg(long, value_name = "NAME")]
    id: Option<String>,
    /// The folder of the front that releases of ours came from: it keeps which row is whose.
    #[arg(long, value_name = "DIR", conflicts_with = "solutions")]
    front: Option<PathBuf>,
    /// The solutions to compare, by number, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "IDS", conflicts_with_all = ["quasi", "sensitive", "id"])]
    solutions: Vec<u32>,
    /// A comparator with parameters, such as "rank(wished=10)" or "wtd(weights=2/1)"; may be given several times.
    #[arg(long = "by", value_name = "COMPARATOR")]
    by: Vec<String>,
    /// Also write a page with the verdict and the sorted values of each property as charts.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Replaces the report where it exists.
    #[arg(long, requires = "report")]
    force: bool,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Print the verdict only.
    #[arg(long)]
    quiet: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    if let Some(path) = &arguments.report {
        inputs(arguments).check(path, arguments.force)?;
    }
    let progress = Progress::start(arguments.quiet);
    let releases =
        if arguments.solutions.is_empty() { of_files(arguments, &progress) } else { of_front(arguments, &progress) };
    progress.finish();
    let releases = releases?;
    let comparison = Comparison::new(&releases, &comparators(&arguments.by)?)?;
    let audits = match releases.iter().all(|release| release.matched.is_some()) {
        true => Vec::new(),
        false => files(arguments, &Source::at(&arguments.original)).audits(&Unwatched)?,
    };
    // Where rows could not be matched is said in any case: whoever misses it takes the rest for more than it is.
    for release in releases.iter().filter(|release| !arguments.quiet || release.matched.is_none()) {
        release.notes.iter().for_each(|note| eprintln!("note: {note}"));
    }
    if let Some(path) = &arguments.report {
        let html = page("Releases compared, row by row", &releases, &comparison);
        write_output(path, arguments.force, |file| file.write_all(html.as_bytes()))?;
    }
    let mut out = std::io::stdout().lock();
    if arguments.json {
        let mut told = comparison.to_json();
        if !audits.is_empty() {
            told["audits"] = serde_json::to_value(&audits)?;
        }
        writeln!(out, "{}", serde_json::to_string_pretty(&told)?)?;
        return Ok(());
    }
    for sentence in verdict(&comparison) {
        writeln!(out, "{sentence}")?;
    }
    if !arguments.quiet {
        write!(out, "{}{}", measured(&comparison, &audits), tables(&comparison))?;
    }
    Ok(())
}

/// Everything that is read, so that the report replaces none of it.
fn inputs(arguments: &Arguments) -> Outputs {
    let mut outputs = Outputs::default();
    arguments.releases.iter().for_each(|release| outputs.reads_table(release));
    if arguments.solutions.is_empty() {
        outputs.reads_table(&arguments.original);
    }
    for release in &arguments.releases {
        for ending in [".recoding.json", ".certificate.json"] {
            let mut beside = release.clone().into_os_string();
            beside.push(ending);
            outputs.reads(Path::new(&beside));
        }
    }
    for dir in arguments.front.iter().chain([&arguments.original]).filter(|dir| dir.is_dir()) {
        outputs.reads_run(dir);
        if let Ok(study) = read_study(&dir.join(STUDY)) {
            outputs.reads_study(&study);
        }
    }
    outputs
}

/// The catalogue's comparators, with those of the command line in place of their namesakes.
fn comparators(named: &[String]) -> Result<Comparators> {
    let mut comparators = Comparators::default();
    for name in named {
        match catalog::comparator(name) {
            Ok(comparator) => comparators.register(comparator),
            Err(error) => {
                let set = catalog::set_comparator(name).map_err(|other| match other {
                    Error::UnknownName { what: "comparator of sets", .. } => error,
                    other => other,
                })?;
                comparators.register_set(set);
            }
        }
    }
    Ok(comparators)
}

/// Releases as files.
fn of_files(arguments: &Arguments, progress: &Progress) -> Result<Vec<Release>> {
    if arguments.quasi.is_empty() {
        return Err(Error::study(
            "name the columns that the releases recode, such as --quasi age,zip; or compare solutions of a front with --solutions 1,5",
        )
        .into());
    }
    if arguments.releases.len() < 2 {
        return Err(Error::study("name at least two releases to compare: paretonym compare ORIGINAL A B").into());
    }
    Ok(files(arguments, &Source::at(&arguments.original)).read(progress)?)
}

fn files<'a>(arguments: &'a Arguments, original: &'a Source) -> Files<'a> {
    Files {
        original,
        releases: &arguments.releases,
        quasi: &arguments.quasi,
        sensitive: &arguments.sensitive,
        id: arguments.id.as_deref(),
        front: arguments.front.as_deref(),
    }
}

/// What an audit says of each release, where rows could not be matched.
fn measured(comparison: &Comparison, audits: &[Audit]) -> String {
    let rows = comparison.releases.iter().zip(audits).map(|(name, audit)| {
        let numbers = [audit.rows as f64, audit.groups as f64, audit.k as f64, audit.average_group, audit.risk.average];
        [name.clone()].into_iter().chain(numbers.map(display::number)).collect::<Vec<String>>()
    });
    match audits.is_empty() {
        true => String::new(),
        false => format!(
            "\n{}\n",
            display::table(&["each on its own", "rows", "groups", "k", "average group", "average risk"], rows)
        ),
    }
}

/// Solutions of a front.
fn of_front(arguments: &Arguments, progress: &Progress) -> Result<Vec<Release>> {
    if !arguments.releases.is_empty() {
        return Err(Error::study("--solutions compares solutions of one folder; leave the other paths out").into());
    }
    let run = OpenRun::open(&arguments.original)?;
    Ok(solutions(&run, &run.count(progress)?, &arguments.solutions, progress)?)
}

/// The indices of every property as tables.
fn tables(comparison: &Comparison) -> String {
    let mut text = String::new();
    for property in &comparison.properties {
        let name = property.kind.name();
        let mut header = vec![name.as_str(), "mean"];
        let against: Vec<String> = comparison.releases.iter().map(|name| format!("against {name}")).collect();
        header.extend(against.iter().map(String::as_str));
        let rows = comparison.releases.iter().enumerate().map(|(i, name)| {
            let mean = property.means[i];
            let mut row = vec![name.clone(), if mean.is_nan() { "–".to_owned() } else { display::number(mean) }];
            row.extend((0..comparison.releases.len()).map(|j| {
                if i == j {
                    return String::new();
                }
                let told = property.indices.iter().filter(|(_, matrix)| !matrix[i][j].is_nan());
                let indices = told.map(|(name, matrix)| format!("{name} {}", display::number(matrix[i][j])));
                let sorted = property.sorted.iter();
                let indices = indices
                    .chain(sorted.map(|(name, matrix)| format!("sorted {name} {}", display::number(matrix[i][j]))));
                indices.collect::<Vec<_>>().join(", ")
            }));
            row
        });
        text += &format!("\n{}\n", display::table(&header, rows));
        property.notes.iter().for_each(|note| text += &format!("{note}\n"));
    }
    text
}
