//! `paretonym catalog`

use std::io::Write;

use anyhow::Result;
use clap::Args;
use paretonym::catalog;

use crate::display;

/// Lists every measure, problem and optimizer, with parameters and reference; or prints all that is known of one.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  paretonym catalog\n  paretonym catalog t-closeness    # what it is, its parameters, its source\n  paretonym catalog --json"
)]
pub struct Arguments {
    /// A name of the catalogue, as a study writes it: its definition, its parameters and its references in full.
    name: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
    /// Print nothing; check that the program runs.
    #[arg(long)]
    quiet: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let mut out = std::io::stdout().lock();
    if let Some(name) = &arguments.name {
        let page = catalog::page(name)?;
        if arguments.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&page.to_json())?)?;
        } else if !arguments.quiet {
            write!(out, "{}", page.to_text())?;
        }
    } else if arguments.json {
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
