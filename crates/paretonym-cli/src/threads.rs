//! How many threads a command works on.

use anyhow::Result;
use clap::Args;

/// The option of every command that works through rows or searches.
#[derive(Args)]
pub struct Threads {
    /// Worker threads, at most one per core [default: one per core, as with 0]. The result does not depend on it.
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
}

impl Threads {
    /// Limits the worker threads. More than there are cores only take memory and time from each other.
    pub fn set(&self, quiet: bool) -> Result<()> {
        if let Some(asked) = self.threads {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let threads = if asked == 0 { cores } else { asked.min(cores) };
            if asked > threads && !quiet {
                eprintln!("note: {asked} threads are more than the cores of this machine; using {threads}");
            }
            rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
        }
        Ok(())
    }
}
