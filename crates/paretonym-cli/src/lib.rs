//! The `paretonym` program: what privacy costs, from a table to a front to a choice.
//!
//! One file per command in `commands/`: each builds a study or opens a folder, calls the library and the engine, and prints.
//! `progress.rs` and `signals.rs` are the watcher of long work, `display.rs` and `numbers.rs` what numbers look like. Whatever
//! goes wrong ends here: exit code 2 where the input is wrong, 1 otherwise.

#![warn(clippy::cast_possible_truncation)]

mod commands;
mod display;
mod numbers;
mod preset;
mod progress;
mod results;
mod signals;
mod threads;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Shows what privacy costs: the recodings of a table that no other recoding beats in both privacy and information
/// kept.
#[derive(Parser)]
#[command(name = "paretonym", version, propagate_version = true)]
#[command(after_help = "Start here:\n  paretonym demo\n  paretonym init people.csv && paretonym explore study.toml")]
struct Program {
    #[command(subcommand)]
    command: Command,
    /// The file that describes connections to databases [default: $PARETONYM_CONNECTIONS, or connections.toml beside the
    /// study].
    #[arg(long, value_name = "FILE", global = true)]
    connections: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    Demo(commands::demo::Arguments),
    Init(commands::init::Arguments),
    Explore(Box<commands::explore::Arguments>),
    Choose(commands::choose::Arguments),
    Release(commands::release::Arguments),
    Reapply(commands::reapply::Arguments),
    Audit(commands::audit::Arguments),
    Compare(commands::compare::Arguments),
    Sql(commands::sql::Arguments),
    Serve(commands::serve::Arguments),
    Catalog(commands::catalog::Arguments),
}

/// Runs the program with its name and its arguments.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let Program { command, connections } = Program::parse_from(arguments);
    connections.iter().for_each(|file| paretonym_engine::use_connections(file));
    // The server has its own way to end.
    if !matches!(command, Command::Serve(_)) {
        signals::on_first(progress::stop);
    }
    let outcome = match command {
        Command::Demo(arguments) => commands::demo::run(&arguments),
        Command::Init(arguments) => commands::init::run(&arguments),
        Command::Explore(arguments) => commands::explore::run(&arguments),
        Command::Choose(arguments) => commands::choose::run(&arguments),
        Command::Release(arguments) => commands::release::run(&arguments),
        Command::Reapply(arguments) => commands::reapply::run(&arguments),
        Command::Audit(arguments) => commands::audit::run(&arguments),
        Command::Compare(arguments) => commands::compare::run(&arguments),
        Command::Sql(arguments) => commands::sql::run(&arguments),
        Command::Serve(arguments) => commands::serve::run(&arguments),
        Command::Catalog(arguments) => commands::catalog::run(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A closed pipe (`| head`) is the reader's choice, not a failure.
            if error
                .downcast_ref::<std::io::Error>()
                .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
            {
                return ExitCode::SUCCESS;
            }
            let own = error.downcast_ref::<paretonym::error::Error>();
            // Our own messages name their cause already; those of others are told with their causes.
            match own {
                Some(own) => eprintln!("error: {own}"),
                None => eprintln!("error: {error:#}"),
            }
            let input = own.is_some_and(paretonym::error::Error::is_input);
            ExitCode::from(if input { 2 } else { 1 })
        }
    }
}
