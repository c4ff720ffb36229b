//! `paretonym sql`

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use paretonym::error::Error;
use paretonym_engine::folder::{OpenRun, read_study};
use paretonym_engine::queries::{counting_query, release_queries};

use crate::progress::Progress;

/// Prints queries for those who may not connect: what is to be counted, or, of a front that was found, what releases a
/// solution and checks the release. Nothing is connected to.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  paretonym sql study.toml --dialect postgresql > count.sql\n  psql -f count.sql --csv > counts.csv\n  paretonym explore study.toml --counts counts.csv\n  paretonym sql study-front --solution 3 --dialect postgresql --to-table people_k5 > release.sql"
)]
pub struct Arguments {
    /// The study, or the folder that `explore` wrote.
    study: PathBuf,
    /// The number of the solution to release.
    #[arg(long, value_name = "ID")]
    solution: Option<u32>,
    /// How the database wants to be asked: postgresql, duckdb, sqlite, spark or generic [default: as its connection says, or
    /// generic].
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
    /// The table that holds the rows, where it is not the one that the study names.
    #[arg(long, value_name = "TABLE")]
    table: Option<String>,
    /// What the release is to be called.
    #[arg(long, value_name = "TABLE", default_value = "paretonym_release", requires = "solution")]
    to_table: String,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let (dialect, table) = (arguments.dialect.as_deref(), arguments.table.as_deref());
    let text = match (arguments.solution, arguments.study.is_dir()) {
        (None, false) => counting_query(&study(&arguments.study)?, dialect, table)?,
        (None, true) => counting_query(&OpenRun::study(&arguments.study)?, dialect, table)?,
        (Some(solution), true) => {
            let run = OpenRun::open(&arguments.study)?;
            let progress = Progress::start(true);
            let text = release_queries(&run, solution, dialect, table, &arguments.to_table, &progress)?;
            progress.finish();
            text
        }
        (Some(_), false) => {
            let problem = "--solution goes with the folder that `paretonym explore` wrote, not with a study";
            return Err(Error::study(problem).into());
        }
    };
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(())
}

fn study(path: &Path) -> Result<paretonym::study::Study> {
    let study = read_study(path)?;
    study.validate()?;
    Ok(study)
}
