//! Checkpoints of long searches: files in the folder that the search writes to, from which it goes on later.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use paretonym::engine::{Engine, Glimpse, Keeper, Watch};
use paretonym::error::{Error, Result};

use super::{CHECKPOINT, STUDY};
use crate::{Embedded, private_folder, write_atomically};

/// The state of the search in a folder.
pub fn read_checkpoint(dir: &Path) -> Result<String> {
    let path = dir.join(CHECKPOINT);
    match Embedded.read_text(&path) {
        Err(Error::File { source, .. }) if source.kind() == std::io::ErrorKind::NotFound && !dir.is_dir() => {
            Err(Error::File { action: "read", path: dir.to_owned(), source })
        }
        Err(Error::File { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => Err(Error::study(format!(
            "{} holds no checkpoint: its search has ended, was none of the genetic ones, or was stopped before the first checkpoint; run `paretonym explore` again",
            dir.display()
        ))),
        read => read,
    }
}

/// Watches a search for somebody else, and keeps its state.
pub(super) struct Checkpoints<'a> {
    watch: &'a dyn Watch,
    dir: PathBuf,
    study: &'a str,
    saved: Option<String>,
    started: AtomicBool,
}

impl<'a> Checkpoints<'a> {
    /// For a search whose results go to a folder. `saved` is the state that it goes on from.
    pub fn new(watch: &'a dyn Watch, dir: &Path, study: &'a str, saved: Option<String>) -> Self {
        Checkpoints { watch, dir: dir.to_owned(), study, saved, started: AtomicBool::new(false) }
    }

    /// Whether the checkpoint in the folder, if there is one, is of this search.
    pub fn are_ours(&self) -> bool {
        self.saved.is_some() || self.started.load(Ordering::Relaxed)
    }

    /// Takes the checkpoint away.
    pub fn remove(&self) -> Result<()> {
        let path = self.dir.join(CHECKPOINT);
        match std::fs::remove_file(&path) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::File { action: "remove", path, source })
            }
            _ => Ok(()),
        }
    }
}

impl Watch for Checkpoints<'_> {
    fn phase(&self, name: &str, steps: Option<u64>) {
        self.watch.phase(name, steps);
    }

    fn advance(&self, steps: u64) {
        self.watch.advance(steps);
    }

    fn note(&self, text: &str) {
        self.watch.note(text);
    }

    fn front(&self, look: &dyn Fn() -> Glimpse) {
        self.watch.front(look);
    }

    fn cancelled(&self) -> bool {
        self.watch.cancelled()
    }

    fn keeper(&self) -> Option<&dyn Keeper> {
        Some(self)
    }
}

impl Keeper for Checkpoints<'_> {
    fn saved(&self) -> Option<String> {
        self.saved.clone()
    }

    fn save(&self, state: &str) -> Result<()> {
        // A checkpoint is of use only beside the study that it belongs to.
        if !self.started.swap(true, Ordering::Relaxed) {
            private_folder(&self.dir)?;
            write_atomically(&self.dir.join(STUDY), |file| file.write_all(self.study.as_bytes()))?;
        }
        write_atomically(&self.dir.join(CHECKPOINT), |file| file.write_all(state.as_bytes()))
    }
}
