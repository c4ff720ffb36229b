//! `paretonym compare`

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use paretonym::catalog;
use paretonym::compare::{Coded, Comparators, Comparison, Original, Release, page, properties_of, released, verdict};
use paretonym::data::Source;
use paretonym::error::Error;
use paretonym::group::{FrequencyTable, Grouping, Kept, Needs, Suppressed, Workspace, group_regions};
use paretonym::release::recoding_of;
use paretonym::study::count;
use paretonym_engine::{Embedded, read_columns, write_atomically};

use super::explore::read_study;
use crate::progress::Progress;
use crate::{display, results};

/// Which release is better, and for whom: compares releases of one table row by row.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  paretonym compare people.csv ours.csv theirs.csv --quasi age,zip,sex --sensitive disease\n  paretonym compare people.csv a.csv b.csv --quasi age,zip --id person --json\n  paretonym compare study-front --solutions 1,5,12\n\nFiles may come from any tool. Rows are matched by their order, or by an identifying column (--id) where a release left rows out or changed the order; rows that a release lacks count as suppressed."
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
    /// The solutions to compare, by number, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "IDS", conflicts_with_all = ["quasi", "sensitive", "id"])]
    solutions: Vec<u32>,
    /// A comparator with parameters, such as "rank(wished=10)" or "wtd(weights=2/1)"; may be given several times.
    #[arg(long = "by", value_name = "COMPARATOR")]
    by: Vec<String>,
    /// Also write a page with the verdict and the sorted values of each property as charts.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Print the verdict only.
    #[arg(long)]
    quiet: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let progress = Progress::start(arguments.quiet);
    let releases =
        if arguments.solutions.is_empty() { of_files(arguments, &progress) } else { of_front(arguments, &progress) };
    progress.finish();
    let releases = releases?;
    let comparison = Comparison::new(&releases, &comparators(&arguments.by)?)?;
    if let Some(path) = &arguments.report {
        let html = page("Releases compared, row by row", &releases, &comparison);
        write_atomically(path, |file| file.write_all(html.as_bytes()))?;
    }
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&comparison.to_json())?)?;
        return Ok(());
    }
    for sentence in verdict(&comparison) {
        writeln!(out, "{sentence}")?;
    }
    if !arguments.quiet {
        write!(out, "{}", tables(&comparison))?;
    }
    Ok(())
}

/// The catalogue's comparators, with those of the command line in place of their namesakes.
fn comparators(named: &[String]) -> Result<Comparators> {
    let mut comparators = Comparators::default();
    for name in named {
        match catalog::comparator(name) {
            Ok(comparator) => comparators.register(comparator),
            Err(error) => {
                let by = catalog::comparator("cov")?;
                let set = catalog::set_comparator(name, by).map_err(|other| match other {
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
    let id: Vec<String> = arguments.id.iter().cloned().collect();
    let wanted = [arguments.quasi.as_slice(), &arguments.sensitive, &id].concat();
    let mut columns = read_columns(&Source::at(&arguments.original), &wanted, progress)?;
    let ids = arguments.id.is_some().then(|| columns.pop()).flatten();
    let sensitive = columns.split_off(arguments.quasi.len());
    let original = Original { rows: columns[0].codes.len(), quasi: columns, sensitive };
    let rows_of = ids.as_ref().map(|ids| places(ids, &arguments.original)).transpose()?;

    let names = short_names(&arguments.releases);
    let mut releases = Vec::new();
    for (path, name) in arguments.releases.iter().zip(&names) {
        let wanted = [arguments.quasi.as_slice(), &id].concat();
        let mut cells = read_columns(&Source::at(path), &wanted, progress)?;
        let own_ids = arguments.id.is_some().then(|| cells.pop()).flatten();
        let mut present = vec![true; original.rows];
        match (&rows_of, own_ids) {
            (Some(rows_of), Some(own_ids)) => present = matched(&mut cells, &own_ids, rows_of, original.rows, path)?,
            _ if cells[0].codes.len() != original.rows => {
                return Err(Error::Table {
                    place: path.display().to_string(),
                    problem: format!(
                        "has {} rows and the original {}; name a column that tells rows apart with --id, kept in the release",
                        cells[0].codes.len(),
                        original.rows
                    ),
                }
                .into());
            }
            _ => {}
        }
        releases.push(released(name, &original, &cells, &present));
    }
    Ok(releases)
}

/// The row of each identifier.
fn places<'a>(ids: &'a Coded, path: &Path) -> Result<HashMap<&'a str, usize>, Error> {
    let mut rows = HashMap::with_capacity(ids.codes.len());
    for (row, code) in ids.codes.iter().enumerate() {
        let text = ids.texts[*code as usize].as_str();
        if rows.insert(text, row).is_some() {
            return Err(Error::Table {
                place: path.display().to_string(),
                problem: format!("{:?} occurs twice in column {:?}, which cannot tell rows apart then", text, ids.name),
            });
        }
    }
    Ok(rows)
}

/// Puts the cells of a release into the order of the original's rows; tells which rows it has.
fn matched(
    cells: &mut [Coded],
    own: &Coded,
    rows_of: &HashMap<&str, usize>,
    rows: usize,
    path: &Path,
) -> Result<Vec<bool>, Error> {
    places(own, path)?;
    let place = |code: u32| {
        let text = own.texts[code as usize].as_str();
        rows_of.get(text).copied().ok_or_else(|| Error::Table {
            place: path.display().to_string(),
            problem: format!("the original has no row whose {:?} is {text:?}", own.name),
        })
    };
    let to = own.codes.iter().map(|code| place(*code)).collect::<Result<Vec<usize>, Error>>()?;
    let mut present = vec![false; rows];
    to.iter().for_each(|row| present[*row] = true);
    for column in cells {
        let mut codes = vec![0; rows];
        to.iter().zip(&column.codes).for_each(|(row, code)| codes[*row] = *code);
        column.codes = codes;
    }
    Ok(present)
}

/// File names without folders, or whole paths where two files have one name.
fn short_names(paths: &[PathBuf]) -> Vec<String> {
    let name = |path: &PathBuf| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let names: Vec<String> = paths.iter().map(name).collect();
    let unique = |at: usize| names.iter().filter(|other| **other == names[at]).count() == 1;
    (0..paths.len()).map(|at| if unique(at) { names[at].clone() } else { paths[at].display().to_string() }).collect()
}

/// Solutions of a front, measured anew on the study's table.
fn of_front(arguments: &Arguments, progress: &Progress) -> Result<Vec<Release>> {
    if !arguments.releases.is_empty() {
        return Err(Error::study("--solutions compares solutions of one folder; leave the other paths out").into());
    }
    let dir = &arguments.original;
    let front = results::read_front(dir)?;
    let study = read_study(&dir.join("study.toml"))?;
    let table = count(&study, &Embedded, progress)?;
    let problem = catalog::problem(&study.search, &table)?;
    let regions = results::read_regions(dir, &front)?;
    let mut releases = Vec::new();
    for id in &arguments.solutions {
        let at = front.solutions.iter().position(|solution| solution.id == *id).ok_or_else(|| {
            Error::study(format!("the front has no solution {id}; it has 1 to {}", front.solutions.len()))
        })?;
        let solution = &front.solutions[at];
        let grouping = match &regions {
            Some(regions) => group_regions(&table, regions, at, Needs::ALL).0,
            None => table_wide(&table, &recoding_of(&table.columns, &solution.recoding)?),
        };
        let gone = |group: usize| problem.suppresses(&solution.cutoff, grouping.groups.view(group));
        let suppressed = Suppressed::by(&grouping, gone);
        let kept = Kept { table: &table, grouping: &grouping, suppressed: &suppressed };
        releases.push(Release { name: format!("solution {id}"), properties: properties_of(&kept)? });
    }
    Ok(releases)
}

fn table_wide(table: &FrequencyTable, recoding: &paretonym::recode::Recoding) -> Grouping {
    let mut grouping = Grouping::default();
    Workspace::default().group(table, &table.tuples, recoding, Needs::ALL, &mut grouping);
    grouping
}

/// The indices of every property as tables.
fn tables(comparison: &Comparison) -> String {
    let mut text = String::new();
    for property in &comparison.properties {
        let mut header = vec![property.name.as_str(), "mean"];
        let against: Vec<String> = comparison.releases.iter().map(|name| format!("against {name}")).collect();
        header.extend(against.iter().map(String::as_str));
        let rows = comparison.releases.iter().enumerate().map(|(i, name)| {
            let mut row = vec![name.clone(), display::number(property.means[i])];
            row.extend((0..comparison.releases.len()).map(|j| {
                if i == j {
                    return String::new();
                }
                let indices =
                    property.indices.iter().map(|(name, matrix)| format!("{name} {}", display::number(matrix[i][j])));
                indices.collect::<Vec<_>>().join(", ")
            }));
            row
        });
        text += &format!("\n{}\n", display::table(&header, rows));
        property.notes.iter().for_each(|note| text += &format!("{note}\n"));
    }
    text
}
