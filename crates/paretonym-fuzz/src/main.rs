//! `paretonym-fuzz TARGET`: throws broken inputs at a reader until the time or the runs are up.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Parser;
use paretonym_fuzz::checkpoints::write_states;
use paretonym_fuzz::tables::write_tables;
use paretonym_fuzz::{Fuzzer, Limits, TARGETS};

/// Throws broken inputs at whatever reads files. Exit code 1 where one panics or takes too much memory, 3 where one hangs.
#[derive(Parser)]
#[command(name = "paretonym-fuzz", after_help = "Example:\n  paretonym-fuzz regions --seconds 60 --corpus fuzz/corpus")]
struct Arguments {
    /// What to break; `list`, or `make`: the corpus of checkpoints and Parquet files.
    target: String,
    /// The most inputs.
    #[arg(long, default_value_t = u64::MAX)]
    runs: u64,
    /// The most seconds.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Where chance comes from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder with a folder of inputs for each target.
    #[arg(long, default_value = "fuzz/corpus")]
    corpus: PathBuf,
    /// Where inputs that break something are kept.
    #[arg(long, default_value = "fuzz/crashes")]
    crashes: PathBuf,
    /// Seconds after which an input hangs.
    #[arg(long, default_value_t = 10)]
    patience: u64,
    /// The most memory, in MiB.
    #[arg(long, default_value_t = 1024)]
    memory: u64,
    /// Runs one input instead, with its panic shown.
    #[arg(long)]
    input: Option<PathBuf>,
}

fn run(arguments: &Arguments) -> Result<bool> {
    if arguments.target == "list" {
        TARGETS.iter().for_each(|target| println!("{}", target.name));
        return Ok(true);
    }
    if arguments.target == "make" {
        write_states(&arguments.corpus.join("checkpoint"))?;
        write_tables(&arguments.corpus.join("parquet"))?;
        return Ok(true);
    }
    let Some(target) = TARGETS.iter().find(|target| target.name == arguments.target) else {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        bail!("there is no target {:?}; there are {}", arguments.target, names.join(", "));
    };
    // One input at a time on one thread: what several make of it would only hide who was to blame.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    if let Some(path) = &arguments.input {
        println!("{}", (target.prepare)()?(&std::fs::read(path)?));
        return Ok(true);
    }
    let limits = Limits {
        runs: arguments.runs,
        time: Duration::from_secs(arguments.seconds),
        patience: Duration::from_secs(arguments.patience),
        memory: arguments.memory,
    };
    let report = Fuzzer::new(*target, &arguments.corpus, &arguments.crashes)?.run(arguments.seed, &limits)?;
    let speed = report.runs as f64 / report.time.as_secs_f64();
    println!(
        "{:<12} {:>10} runs, {speed:>8.0} a second, {:>5} outcomes, {:>4} MiB, {} panics",
        target.name,
        report.runs,
        report.outcomes,
        report.memory,
        report.panics.len()
    );
    for (what, path) in &report.panics {
        println!("  {} ({})", what.lines().next().unwrap_or_default(), path.display());
    }
    Ok(report.panics.is_empty())
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
