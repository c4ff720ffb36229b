//! `paretonym serve`

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use paretonym_web::{Options, Stop, serve};

use crate::signals;

/// Serves the web page: from a table to a front to a release, in the browser, on this machine.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  paretonym serve\n  paretonym serve study-front\n  paretonym serve --port 9000 --max-upload 2G\n  paretonym serve --connections connections.toml --table warehouse/people\n\nPrints the address to open; whoever has it may use the page, so keep it to yourself. Ctrl-C ends the server; a search that runs keeps what it has found."
)]
pub struct Arguments {
    /// The working folder, made where it is not there; or a folder that `explore` or `demo` wrote.
    #[arg(default_value = "paretonym-work")]
    dir: PathBuf,
    /// The port to listen on, 0 for any free one [default: 8765, or any free one where it is taken].
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// The largest file that may be uploaded, such as 500M or 2G.
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = size)]
    max_upload: u64,
    /// A table in a database that the page may ask, by the names of its connection and its own; may be repeated.
    #[arg(long, value_name = "NAME/TABLE", value_parser = in_database)]
    table: Vec<String>,
}

/// A table in a database.
fn in_database(text: &str) -> Result<String, String> {
    let named = text.split_once('/').filter(|(database, table)| !database.is_empty() && !table.is_empty());
    named.map(|_| text.to_owned()).ok_or_else(|| "name a connection and a table: warehouse/people".to_owned())
}

/// Bytes from a number with K, M or G behind it.
fn size(text: &str) -> Result<u64, String> {
    let lower = text.trim().to_ascii_lowercase();
    let plain = lower.trim_end_matches("ib").trim_end_matches('b');
    let (digits, unit) = match plain.chars().last() {
        Some('k') => (&plain[..plain.len() - 1], 1u64 << 10),
        Some('m') => (&plain[..plain.len() - 1], 1 << 20),
        Some('g') => (&plain[..plain.len() - 1], 1 << 30),
        _ => (plain, 1),
    };
    let number = digits.trim().parse::<u64>().ok().filter(|number| *number > 0);
    number.and_then(|number| number.checked_mul(unit)).ok_or_else(|| "give a size such as 500M or 2G".to_owned())
}

pub fn run(arguments: &Arguments) -> Result<()> {
    // What a failed check says may hold a value of the data; where it failed does not.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic
            .location()
            .map_or("an unknown place".to_owned(), |place| format!("{}:{}", place.file(), place.line()));
        eprintln!("error: the program failed at {place}; please report this");
    }));
    let options = Options {
        dir: arguments.dir.clone(),
        port: arguments.port,
        max_upload: arguments.max_upload,
        tables: arguments.table.clone(),
    };
    let stop = Stop::default();
    let asked = stop.clone();
    signals::on_first(move || asked.ask());
    serve(&options, &stop, |address| {
        let mut out = std::io::stdout().lock();
        writeln!(out, "{address}")?;
        out.flush()
    })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes() {
        assert_eq!(
            (size("500M"), size("2g"), size("1KiB"), size("7")),
            (Ok(500 << 20), Ok(2 << 30), Ok(1 << 10), Ok(7))
        );
        assert!(["", "0", "x", "-1M", "1T", "99999999999G"].iter().all(|text| size(text).is_err()));
    }
}
