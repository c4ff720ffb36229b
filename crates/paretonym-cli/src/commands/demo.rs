//! `paretonym demo`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use paretonym::error::Error;
use paretonym_engine::folder::read_study;
use paretonym_engine::{census, private_folder, write_atomically};

use crate::progress::Progress;
use crate::results::{self, Show};

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
    private_folder(&arguments.out)?;
    let data = arguments.out.join("census.csv");
    census::write_census_file(arguments.rows, arguments.seed, &data, &Progress::start(true))?;
    let study_file = arguments.out.join("census.toml");
    write_atomically(&study_file, |out| out.write_all(census::census_study("census.csv").as_bytes()))?;
    results::explore(&read_study(&study_file)?, &arguments.out, Show::of(arguments.json, arguments.quiet), None, &[])
}
