//! `paretonym catalog`

use std::io::Write;

use anyhow::Result;
use clap::Args;
use paretonym::catalog;

use crate::display;

/// Lists every measure, problem and optimizer, with parameters and reference.
#[derive(Args)]
#[command(after_help = "Examples:\n  paretonym catalog\n  paretonym catalog --json")]
pub struct Arguments {
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Print nothing; check that the program runs.
    #[arg(long)]
    quiet: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let mut out = std::io::stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&catalog::to_json())?)?;
    } else if !arguments.quiet {
        let rows = catalog::all().into_iter().map(|(section, entry, property)| {
            let parameters = entry.parameters.iter().map(|one| format!("{}={}", one.name, one.default));
            vec![
                section.to_owned(),
                entry.name.to_owned(),
                entry.summary.to_owned(),
                parameters.collect::<Vec<_>>().join("\n"),
                property,
                entry.reference.to_owned(),
            ]
        });
        let header = ["section", "name", "what it is", "parameters", "property", "reference"];
        writeln!(out, "{}", display::table(&header, rows))?;
    }
    Ok(())
}
