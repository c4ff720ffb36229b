//! `paretonym demo`

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use paretonym::error::Error;
use paretonym_engine::folder::{claim, read_study};
use paretonym_engine::outputs::Outputs;
use paretonym_engine::{census, private_folder, write_atomically};

use crate::numbers::seconds;
use crate::progress::Progress;
use crate::results::{self, Show};

const TABLE: &str = "census.csv";
const STUDY: &str = "census.toml";

/// Makes a synthetic census table, explores it, and writes front and report: no set-up, no files needed.
#[derive(Args)]
#[command(after_help = "Examples:\n  paretonym demo\n  paretonym demo --rows 1000000 --out big-demo")]
pub struct Arguments {
    /// The folder to write to.
    #[arg(short, long, value_name = "DIR", default_value = "paretonym-demo")]
    out: PathBuf,
    /// People in the table.
    #[arg(long, value_name = "N", default_value_t = 30_000)]
    rows: u64,
    /// Where chance comes from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Stop the search after so many seconds and write the best front so far. Making and reading the table are not
    /// counted.
    #[arg(long, value_name = "N", value_parser = seconds, allow_negative_numbers = true)]
    max_seconds: Option<Duration>,
    /// Print front.json.
    #[arg(long)]
    json: bool,
    /// Print nothing but errors.
    #[arg(long)]
    quiet: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.rows < 2 {
        return Err(Error::study("a table needs at least 2 rows; use --rows with a larger number").into());
    }
    let again = check_folder(&arguments.out)?;
    private_folder(&arguments.out)?;
    // The study first: by it a folder is known as one of a demo, even after a demo that was cut short.
    let study_file = arguments.out.join(STUDY);
    write_atomically(&study_file, |out| out.write_all(census::census_study(TABLE).as_bytes()))?;
    let data = arguments.out.join(TABLE);
    census::write_census_file(arguments.rows, arguments.seed, &data, &Progress::start(true))?;
    let show = Show::of(arguments.json, arguments.quiet);
    results::explore(&read_study(&study_file)?, &arguments.out, show, None, &[], arguments.max_seconds)?;
    if again && !arguments.quiet {
        eprintln!("replaced the earlier demo in {}", arguments.out.display());
    }
    Ok(())
}

/// Refuses a folder that holds anything but an earlier demo; whether it holds one.
fn check_folder(dir: &Path) -> Result<bool> {
    claim(dir, &Outputs::default())?;
    if std::fs::read_to_string(dir.join(STUDY)).is_ok_and(|text| text == census::census_study(TABLE)) {
        return Ok(true);
    }
    // What a killed program left behind is nobody's.
    let left_behind = |name: &str| name.starts_with(".paretonym-");
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    match names.find(|name| !left_behind(name)) {
        None => Ok(false),
        Some(name) => Err(Error::study(format!(
            "{} holds files that no demo wrote, such as {name}; give a new folder with --out",
            dir.display()
        ))
        .into()),
    }
}
