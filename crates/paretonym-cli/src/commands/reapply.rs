//! `paretonym reapply`

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use paretonym::error::Error;
use paretonym::release::{Enforce, Unknown};
use paretonym_engine::outputs::Outputs;
use paretonym_engine::release::private::find_recoding;
use paretonym_engine::release::{ReapplyOptions, check_target, release_again};

use super::release::{Style, show};
use crate::numbers::{from_one, share};
use crate::progress::Progress;
use crate::threads::Threads;

/// Applies the recoding of an earlier release to a later table, enforcing k by suppression.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  paretonym reapply census-2025.csv.recoding.json census-2026.csv -o public-2026.csv\n  paretonym reapply out.csv.recoding.json new.csv -o new-out.csv --k 25 --unknown nearest"
)]
pub struct Arguments {
    /// The FILE.recoding.json that `release` wrote. What else is needed is looked for in --front DIR, beside this file, and
    /// in the working folder.
    recoding: PathBuf,
    /// The later table, written like the earlier one: a file, a folder of files, or a pattern for them in quotes.
    data: PathBuf,
    /// The file to write: .csv, .tsv or .parquet.
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// The folder that `explore` wrote, which holds the private part of the recoding.
    #[arg(long, value_name = "DIR")]
    front: Option<PathBuf>,
    /// The smallest group that stays [default: the k of the earlier release]. Floors of its study (at_least, at_most) hold
    /// beside it.
    #[arg(long, value_name = "N")]
    k: Option<u64>,
    /// The least l-diversity (frequency form) of a group that stays.
    #[arg(long, value_name = "N", value_parser = from_one, allow_negative_numbers = true)]
    l: Option<f64>,
    /// The largest t of a group that stays.
    #[arg(long, value_name = "X", value_parser = share, allow_negative_numbers = true)]
    t: Option<f64>,
    /// What happens to values that the recoding does not know.
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = UnknownValues::Error)]
    unknown: UnknownValues,
    /// Does not search the later table for its own optimum to compare with.
    #[arg(long)]
    no_fresh: bool,
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

/// What happens to values that the recoding does not know.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum UnknownValues {
    /// They are an error.
    Error,
    /// Numbers go where the nearest known number goes.
    Nearest,
    /// Their rows are suppressed.
    Suppress,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    arguments.threads.set(arguments.quiet)?;
    let place = arguments.recoding.display().to_string();
    let (saved, home) = find_recoding(&arguments.recoding, arguments.front.as_deref())?;
    let mut outputs = Outputs::besides([&arguments.recoding]);
    outputs.reads_table(&arguments.data);
    outputs.reads_study(&saved.study);
    outputs.reads_run(&home);
    check_target(&arguments.out, arguments.style.force, &outputs)?;
    let k = arguments.k.unwrap_or(saved.k);
    if k == 0 {
        return Err(Error::study("--k must be at least 1").into());
    }
    let again = ReapplyOptions {
        enforce: Enforce { k, l: arguments.l, t: arguments.t },
        unknown: match arguments.unknown {
            UnknownValues::Error => Unknown::Error,
            UnknownValues::Nearest => Unknown::Nearest,
            UnknownValues::Suppress => Unknown::Suppress,
        },
        fresh: !arguments.no_fresh,
    };
    let name = arguments.recoding.file_name().map_or(place, |name| name.to_string_lossy().into_owned());
    let progress = Progress::start(arguments.quiet);
    let options = arguments.style.options();
    let (saved, out) = ((&saved, Some(home.as_path())), Some(arguments.out.as_path()));
    let released = release_again(saved, &name, &arguments.data, out, &again, &options, &progress);
    progress.finish();
    show(&released?, arguments.json, arguments.quiet)
}
