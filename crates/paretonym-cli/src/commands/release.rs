//! `paretonym release`

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use paretonym::front::LeftOut;
use paretonym::release::{Certificate, Shown};
use paretonym_engine::folder::OpenRun;
use paretonym_engine::release::{ReleaseOptions, Released, Target, ToTable, drafts_left, release_to};

use crate::display;
use crate::numbers::share;
use crate::progress::Progress;
use crate::threads::Threads;

/// Writes the anonymized table of a solution, with certificate and recoding beside it.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  paretonym release paretonym-demo --solution 12 -o census-public.csv\n  paretonym release study-front --solution 3 -o out.parquet --tokens --suppressed-rows star\n  paretonym release study-front --solution 3 --to-table public.people_k5\n\nThe file or table gets its name only after it was read back and found to hold what it claims."
)]
pub struct Arguments {
    /// The folder that `explore` or `demo` wrote.
    dir: PathBuf,
    /// The number of the solution; `paretonym choose` helps to choose.
    #[arg(long, value_name = "ID")]
    solution: u32,
    /// The file to write: .csv, .tsv or .parquet. With --to-table, what the certificate and the other files beside the
    /// release are called, without their endings.
    #[arg(short, long, value_name = "FILE", required_unless_present = "to_table")]
    out: Option<PathBuf>,
    /// Write the release into a new table of the database that holds the original: no row leaves it. Tokens are made there, too,
    /// and refused where the engine could be told their key only in a query (Spark).
    #[arg(long, value_name = "TABLE")]
    to_table: Option<String>,
    #[command(flatten)]
    style: Style,
    #[command(flatten)]
    threads: Threads,
    /// Print the certificate as JSON.
    #[arg(long)]
    json: bool,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

/// What a release looks like.
#[derive(Args)]
pub struct Style {
    /// Replaces identifying values by random tokens instead of leaving their columns out.
    #[arg(long)]
    tokens: bool,
    /// What becomes of rows in too small groups.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = SuppressedRows::Drop)]
    suppressed_rows: SuppressedRows,
    /// What a recoded number shows: the label of its interval, or the median of the released entries in it.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = Representative::Label)]
    representative: Representative,
    /// Keeps the order of the rows, which links each of them to its source.
    #[arg(long)]
    keep_order: bool,
    /// Makes row order and tokens repeatable. Keep it secret: whoever knows it can undo both. It is written nowhere.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The risk above which the certificate counts a row as exposed.
    #[arg(long, value_name = "X", default_value_t = 0.2, value_parser = share, allow_negative_numbers = true)]
    threshold: f64,
    /// Replaces files that exist.
    #[arg(long)]
    pub force: bool,
    /// Releases rows that are alone in their group (k = 1), which is refused otherwise.
    #[arg(long)]
    allow_k1: bool,
}

/// What becomes of rows in too small groups.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SuppressedRows {
    /// They are left out.
    Drop,
    /// They stay as rows of stars.
    Star,
}

/// What a recoded number shows.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Representative {
    /// The label of its interval.
    Label,
    /// The median of the released entries in its interval.
    Median,
}

impl Style {
    /// As the engine takes it.
    pub fn options(&self) -> ReleaseOptions {
        ReleaseOptions {
            tokens: self.tokens,
            stars: self.suppressed_rows == SuppressedRows::Star,
            keep_order: self.keep_order,
            shown: match self.representative {
                Representative::Label => Shown::Labels,
                Representative::Median => Shown::Median,
            },
            seed: self.seed,
            threshold: self.threshold,
            force: self.force,
            allow_k1: self.allow_k1,
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<()> {
    arguments.threads.set(arguments.quiet)?;
    let run = OpenRun::open(&arguments.dir)?;
    let progress = Progress::start(arguments.quiet);
    let options = arguments.style.options();
    let target = match (&arguments.to_table, &arguments.out) {
        (Some(table), beside) => Target::Table(ToTable::new(table, beside.as_deref())?),
        (None, out) => Target::File(out.clone().unwrap_or_default()),
    };
    if let (Target::Table(to), false) = (&target, arguments.quiet) {
        for statement in drafts_left(&run.study, to) {
            eprintln!(
                "warning: a release that was killed, or is still at work, has left a table in the database; if no release is at \
                 work, remove it: {statement}"
            );
        }
    }
    let released = release_to(&run, arguments.solution, &target, &options, &progress);
    progress.finish();
    show(&released?, arguments.json, arguments.quiet)
}

/// Prints what was released.
pub fn show(released: &Released, json: bool, quiet: bool) -> Result<()> {
    let mut out = std::io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(&released.certificate)?)?;
    } else if !quiet {
        write!(out, "{}", summary(&released.exact))?;
        let names: Vec<String> = released.files.iter().rev().map(|path| path.display().to_string()).collect();
        writeln!(out, "Public, to hand on: {}.", names.join(", "))?;
        if let Some(private) = &released.private {
            writeln!(out, "Private, to keep: {}.", private.display())?;
        }
    }
    Ok(())
}

fn summary(one: &Certificate) -> String {
    let mut rows = vec![
        ["rows released".to_owned(), one.output.rows.to_string()],
        [
            "rows suppressed".to_owned(),
            format!("{} ({} of the rows counted)", one.suppressed, display::percent(one.sl)),
        ],
        ["k (smallest group)".to_owned(), one.k.to_string()],
        ["loss".to_owned(), display::percent(one.gl + one.sl)],
        ["of it cells".to_owned(), display::percent(one.gl)],
        ["highest risk".to_owned(), display::percent(one.risk.highest)],
        ["average risk".to_owned(), display::percent(one.risk.average)],
    ];
    if one.dropped_for_missing > 0 {
        rows.insert(2, ["rows with missing values left out".to_owned(), one.dropped_for_missing.to_string()]);
        // Rows of stars are in the file, though they show nothing.
        let gone = if one.suppressed_rows == "star" { 0 } else { one.suppressed };
        let all = one.output.rows + gone + one.dropped_for_missing;
        let left_out = LeftOut { suppressed: one.suppressed, dropped: one.dropped_for_missing, rows: all };
        let share = format!("{} of {} ({})", left_out.total(), left_out.rows, display::percent(left_out.share()));
        rows.insert(3, ["rows left out in all".to_owned(), share]);
    }
    for (name, l) in one.l.iter().flatten() {
        rows.push([format!("l of {name} (frequency, rounded down)"), l.frequency.to_string()]);
    }
    for (name, t) in one.t.iter().flatten() {
        rows.push([format!("t of {name}"), display::number(*t)]);
    }
    let mut text = display::table(&["measured on the written file", ""], rows) + "\n";
    text += &display::warnings(&one.warnings);
    if let Some(again) = &one.reapplied {
        let line = |name: &str, k: u64, gl: f64, sl: f64| {
            [name.to_owned(), k.to_string(), display::percent(gl + sl), display::percent(gl), display::percent(sl)]
        };
        let mut rows = vec![line("this recoding", one.k, one.gl, one.sl)];
        if let Some(fresh) = &again.fresh {
            let name = if fresh.exact { "fresh optimum" } else { "best of a fresh search" };
            rows.push(line(name, fresh.k, fresh.gl, fresh.sl));
        }
        text += &(display::table(&["", "k", "loss", "of it cells", "suppressed"], rows) + "\n");
        if let Some(fresh) = &again.fresh {
            text += &format!("Using the recoding again costs {:.3} times the loss of a fresh search.\n", fresh.ratio);
        }
        if let Some(reason) = &again.no_fresh {
            let said = again.failure.as_ref().map_or(String::new(), |said| format!(" ({said})"));
            text += &format!("No comparison with a fresh search: {reason}{said}.\n");
        }
        if again.unknown_rows > 0 {
            text += &format!("{} rows hold values that the recoding does not know.\n", again.unknown_rows);
        }
        if again.moved_rows > 0 {
            text += &format!("{} rows lie in no region and show the nearest one.\n", again.moved_rows);
        }
        for (name, values) in &again.moved_values {
            text += &format!("{values} unknown values of {name} went to the nearest known one.\n");
        }
    }
    text
}
