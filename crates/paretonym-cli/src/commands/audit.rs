//! `paretonym audit`

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use paretonym::data::{Decimal, Source};
use paretonym::error::Error;
use paretonym::release::Audit;
use paretonym_engine::audit::{AuditRequest, Distance, SensitiveColumn, audit};

use crate::display;
use crate::numbers::{above_zero, share};
use crate::progress::Progress;
use crate::threads::Threads;

/// At most this many combinations of columns, and this many row numbers, are printed; --json has all of them.
const PRINTED: usize = 10;

/// Measures any release, whoever made it: k, l, t, risks, and which columns drive them.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  paretonym audit release.csv --quasi age,sex,zip --sensitive disease\n  paretonym audit release.parquet --quasi age,sex --below 5 --json"
)]
pub struct Arguments {
    /// The file: CSV, TSV or Parquet, text also as .gz; a folder of such files, or a pattern for them in quotes.
    file: PathBuf,
    /// The columns by which a person can be found, separated by commas.
    #[arg(long, value_name = "A,B,C", value_delimiter = ',', required = true)]
    quasi: Vec<String>,
    /// The columns that must not be learned about a person.
    #[arg(long, value_name = "S", value_delimiter = ',')]
    sensitive: Vec<String>,
    /// Sensitive columns whose values are numbers in an order, for t; guessed from the values otherwise.
    #[arg(long, value_name = "S", value_delimiter = ',')]
    ordered: Vec<String>,
    /// Sensitive columns whose values have no order, for t.
    #[arg(long, value_name = "S", value_delimiter = ',')]
    nominal: Vec<String>,
    /// Lists the rows in groups smaller than this by number.
    #[arg(long, value_name = "K")]
    below: Option<u64>,
    /// The risk above which a row counts as exposed.
    #[arg(long, value_name = "X", default_value_t = 0.2, value_parser = share, allow_negative_numbers = true)]
    threshold: f64,
    /// The c of recursive (c,l)-diversity.
    #[arg(long, value_name = "C", default_value_t = 2.0, value_parser = above_zero, allow_negative_numbers = true)]
    recursive_c: f64,
    /// How many columns are combined at most to find those that make rows unique.
    #[arg(long, value_name = "N", default_value_t = 3)]
    combinations: usize,
    /// A table about the whole population, recoded the same way: for the journalist's and marketer's risk.
    #[arg(long, value_name = "FILE")]
    population: Option<PathBuf>,
    /// Leaves out rows that show only stars in the quasi columns: suppressed rows that were kept in the file.
    #[arg(long)]
    ignore_suppressed: bool,
    #[command(flatten)]
    dialect: Dialect,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

/// How a text table is written, where guessing is not enough.
#[derive(Args)]
pub struct Dialect {
    /// The separator of a text table; guessed otherwise.
    #[arg(long, value_name = "CHARACTER")]
    delimiter: Option<char>,
    /// What separates whole part and fraction of a number.
    #[arg(long, value_name = "SIGN", value_enum, default_value_t = Sign::Point)]
    decimal: Sign,
    /// The names of the columns, where the file has no line of names.
    #[arg(long, value_name = "A,B,C", value_delimiter = ',')]
    columns: Option<Vec<String>>,
}

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sign {
    /// 3.14
    #[value(name = ".")]
    Point,
    /// 3,14
    #[value(name = ",")]
    Comma,
}

impl Dialect {
    /// How numbers are written.
    pub fn decimal(&self) -> Decimal {
        match self.decimal {
            Sign::Point => Decimal::Point,
            Sign::Comma => Decimal::Comma,
        }
    }

    /// A file written that way.
    pub fn source(&self, path: impl Into<PathBuf>) -> Source {
        let mut source = Source::at(path);
        source.delimiter = self.delimiter;
        source.columns.clone_from(&self.columns);
        source
    }
}

pub fn run(arguments: &Arguments) -> Result<()> {
    arguments.threads.set(arguments.quiet)?;
    for name in arguments.ordered.iter().chain(&arguments.nominal) {
        if !arguments.sensitive.contains(name) {
            let known = arguments.sensitive.clone();
            return Err(Error::UnknownName { what: "sensitive column", name: name.clone(), known }.into());
        }
    }
    let trimmed = |name: &String| name.trim().to_owned();
    let column = |name: &String| {
        let distance = match (arguments.ordered.contains(name), arguments.nominal.contains(name)) {
            (true, _) => Distance::Ordered,
            (false, true) => Distance::Nominal,
            (false, false) => Distance::Guessed,
        };
        SensitiveColumn { name: trimmed(name), distance }
    };
    let request = AuditRequest {
        sensitive: arguments.sensitive.iter().map(column).collect(),
        ignore_suppressed: arguments.ignore_suppressed,
        decimal: arguments.dialect.decimal(),
        threshold: arguments.threshold,
        recursive_c: arguments.recursive_c,
        combinations: arguments.combinations,
        below: arguments.below,
        population: arguments.population.as_ref().map(|path| arguments.dialect.source(path)),
        ..AuditRequest::of(arguments.quasi.iter().map(trimmed).collect())
    };
    let progress = Progress::start(arguments.quiet);
    let audited = audit(&arguments.dialect.source(&arguments.file), &request, &progress);
    progress.finish();
    let found = audited?.audit;
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&found)?)?;
    } else if !arguments.quiet {
        write!(out, "{}", summary(&found))?;
    }
    Ok(())
}

/// An audit for people.
pub fn summary(found: &Audit) -> String {
    let mut text = display::table(&["measure", "value"], measures(found)) + "\n";
    text += &combinations(found);
    text += &below(found);
    text
}

/// Each measure and its value.
fn measures(found: &Audit) -> Vec<[String; 2]> {
    let risk = &found.risk;
    let mut rows: Vec<[String; 2]> = vec![
        ["rows".into(), found.rows.to_string()],
        ["groups".into(), found.groups.to_string()],
        ["k (smallest group)".into(), found.k.to_string()],
        ["average group".into(), display::number(found.average_group)],
        ["weighted k".into(), display::number(found.weighted_k)],
        ["NECD".into(), display::number(found.necd)],
        ["discernibility".into(), display::number(found.discernibility)],
        ["highest risk".into(), display::percent(risk.highest)],
        ["average risk".into(), display::percent(risk.average)],
        ["unique rows".into(), display::percent(risk.share_of_unique_rows)],
        [
            format!("rows with a risk above {}", display::percent(risk.threshold)),
            display::percent(risk.share_over_threshold),
        ],
        ["journalist, highest risk".into(), display::percent(risk.journalist.highest)],
        ["marketer".into(), display::percent(risk.marketer)],
    ];
    if found.suppressed_rows > 0 {
        rows.insert(1, ["suppressed rows left out".into(), found.suppressed_rows.to_string()]);
    }
    for (name, l) in found.l.iter().flatten() {
        let forms = format!(
            "frequency (rounded down) {}, distinct {}, entropy {}, recursive (c = {}) {}",
            l.frequency,
            l.distinct,
            display::number(l.entropy),
            l.c,
            l.recursive
        );
        rows.push([format!("l of {name}"), forms]);
    }
    for (name, t) in found.t.iter().flatten() {
        let how = found.t_distance.as_ref().and_then(|all| all.get(name)).map_or("", String::as_str);
        rows.push([format!("t of {name}"), format!("{} ({how})", display::number(*t))]);
    }
    for (name, alpha) in found.alpha.iter().flatten() {
        rows.push([format!("alpha of {name}"), display::number(*alpha)]);
    }
    rows
}

/// The combinations of columns that make most rows unique.
fn combinations(found: &Audit) -> String {
    let worst = found.combinations.iter().take_while(|one| one.unique_rows > 0).take(PRINTED);
    let worst: Vec<[String; 3]> = worst
        .map(|one| [one.columns.join(", "), one.unique_rows.to_string(), display::percent(one.share_of_unique_rows)])
        .collect();
    if !worst.is_empty() {
        let table = display::table(&["columns", "unique rows", "share"], worst);
        format!("Columns that make most rows unique:\n{table}\n")
    } else if !found.combinations.is_empty() {
        "No combination of these few columns makes a row unique.\n".to_owned()
    } else {
        String::new()
    }
}

/// The rows of groups that are too small.
fn below(found: &Audit) -> String {
    let Some(below) = &found.below else { return String::new() };
    let shown: Vec<String> = below.rows.iter().take(PRINTED).map(u64::to_string).collect();
    let more = below.rows.len().saturating_sub(PRINTED);
    let mut text = format!("Rows in groups smaller than {}: {}", below.k, below.rows.len());
    if !shown.is_empty() {
        text += &format!(" (rows {}{})", shown.join(", "), if more > 0 { ", …; all with --json" } else { "" });
    }
    text + "\n"
}
