//! The experiments of the papers on genetic search, made again on UCI Adult: our figures beside the published ones.
//!
//! `cargo run --release -p paretonym-reproduce -- PATH [OUT] [s0] [s1] [s4]`: PATH is the folder that holds adult.data and
//! adult.test, OUT the Markdown file whose sections are replaced (docs/reproduction.md). Without a section all are made.

mod adult;
// The studies and trees of Adult come with the program, which is no library.
#[allow(dead_code, unused_imports)]
#[path = "../../paretonym-cli/src/preset/mod.rs"]
mod preset;
mod s0;
mod s1;
mod s4;
mod tables;

use std::path::{Path, PathBuf};

use adult::Adult;
use anyhow::{Context, Result};

/// One seed for everything.
pub const SEED: u64 = 1;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let data = PathBuf::from(arguments.first().context("give the folder that holds adult.data and adult.test")?);
    let sections = ["s0", "s1", "s4"];
    let chosen: Vec<&str> = sections.into_iter().filter(|name| arguments.iter().any(|given| given == name)).collect();
    let chosen = if chosen.is_empty() { sections.to_vec() } else { chosen };
    let out = arguments.iter().skip(1).find(|given| !sections.contains(&given.as_str()));
    let out = out.map_or_else(|| PathBuf::from("docs/reproduction.md"), PathBuf::from);
    let adult = Adult::open(&data)?;
    for name in chosen {
        let text = match name {
            "s0" => s0::section(&adult)?,
            "s1" => s1::section(&adult)?,
            _ => s4::section(&adult)?,
        };
        replace(&out, name, &text)?;
    }
    Ok(())
}

/// Puts a section into a file, in place of the one of that name or at the end.
fn replace(path: &Path, name: &str, section: &str) -> Result<()> {
    let head = "# Reproduction of published figures\n\n\
                The sections on S0, S1 and S4 are made by `cargo run --release -p paretonym-reproduce -- PATH`, PATH being the folder \
                that holds\nadult.data and adult.test of UCI Adult. Published figures are given where the paper prints a number.\n";
    let text = std::fs::read_to_string(path).unwrap_or_else(|_| head.to_owned());
    let (begin, end) = (format!("<!-- begin {name} -->\n"), format!("<!-- end {name} -->\n"));
    let section = format!("{begin}{section}{end}");
    let text = match (text.find(&begin), text.find(&end)) {
        (Some(from), Some(to)) => format!("{}{section}{}", &text[..from], &text[to + end.len()..]),
        _ => format!("{text}\n{section}"),
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    Ok(std::fs::write(path, text)?)
}
