//! Watches a run from outside: an input that takes too long ends the process, since nothing inside can stop it.

use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What the watcher knows of the run.
pub struct Watchdog {
    started: Instant,
    /// When the current input began, in milliseconds from the start and 1 more; 0 between inputs.
    since: Arc<AtomicU64>,
    /// The input under way, so that it is known even after an abort.
    current: File,
    path: PathBuf,
}

impl Watchdog {
    /// Keeps the input under way in `folder`. One that takes longer than `patience` ends the process with exit code 3.
    pub fn start(folder: &Path, target: &str, patience: Duration) -> std::io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let path = folder.join(format!("{target}.current"));
        let current = File::create(&path)?;
        let (started, since) = (Instant::now(), Arc::new(AtomicU64::new(0)));
        let (watched, kept, hung) = (Arc::clone(&since), path.clone(), folder.join(format!("{target}.hang")));
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_millis(200));
                let begun = watched.load(Ordering::Relaxed);
                let now = millis(started.elapsed());
                if begun > 0 && now.saturating_sub(begun - 1) > millis(patience) {
                    let saved = std::fs::copy(&kept, &hung);
                    eprintln!("hang: more than {} seconds; kept as {} ({saved:?})", patience.as_secs(), hung.display());
                    std::process::exit(3);
                }
            }
        });
        Ok(Watchdog { started, since, current, path })
    }

    /// An input begins.
    pub fn begin(&mut self, input: &[u8]) -> std::io::Result<()> {
        self.current.seek(SeekFrom::Start(0))?;
        self.current.write_all(input)?;
        self.current.set_len(input.len() as u64)?;
        self.since.store(millis(self.started.elapsed()) + 1, Ordering::Relaxed);
        Ok(())
    }

    /// It has ended.
    pub fn end(&self) {
        self.since.store(0, Ordering::Relaxed);
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.end();
        // A file that cannot be removed says no more than that the run was here.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// The most memory that the process has had so far, in MiB; 0 where the system does not tell.
pub fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}
