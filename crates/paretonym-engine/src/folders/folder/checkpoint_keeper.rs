//! Keeps the checkpoints of a search while it goes on.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use paretonym::engine::{Glimpse, Keeper, Watch};
use paretonym::error::{Error, FileAction, Result};

use super::CHECKPOINT;
use super::checkpoint::{Checkpoint, FORMAT, SavedSearch};
use super::inputs::Inputs;
use super::key::Key;
use crate::{private_folder, write_atomically};

/// Watches a search for somebody else, and keeps its state.
pub(super) struct CheckpointKeeper<'a> {
    watch: &'a dyn Watch,
    dir: PathBuf,
    study: &'a str,
    inputs: &'a Inputs,
    key: &'a Key,
    saved: Option<String>,
    started: AtomicBool,
}

impl<'a> CheckpointKeeper<'a> {
    /// For a search whose results go to a folder. `saved` is the search that it goes on with.
    pub fn new(
        watch: &'a dyn Watch,
        dir: &Path,
        study: &'a str,
        (inputs, key): (&'a Inputs, &'a Key),
        saved: Option<SavedSearch>,
    ) -> Result<Self> {
        if let Some(what) = saved.as_ref().and_then(|saved| inputs.changed_since(&saved.inputs)) {
            return Err(Error::study(format!(
                "{what} since the search in {} was stopped; it cannot go on, explore again",
                dir.display()
            )));
        }
        let saved = saved.map(|saved| saved.state);
        Ok(CheckpointKeeper { watch, dir: dir.to_owned(), study, inputs, key, saved, started: AtomicBool::new(false) })
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
                Err(Error::File { action: FileAction::Remove, path, source })
            }
            _ => Ok(()),
        }
    }
}

impl Watch for CheckpointKeeper<'_> {
    fn phase(&self, name: &str, steps: Option<u64>) {
        self.watch.phase(name, steps);
    }

    fn advance(&self, steps: u64) {
        self.watch.advance(steps);
    }

    fn note(&self, text: &str) {
        self.watch.note(text);
    }

    fn moved(&self, rows: u64, bytes: u64) {
        self.watch.moved(rows, bytes);
    }

    fn front(&self, look: &dyn Fn() -> Glimpse) {
        self.watch.front(look);
    }

    fn cancelled(&self) -> bool {
        self.watch.cancelled()
    }

    fn time_limit(&self) -> Option<Duration> {
        self.watch.time_limit()
    }

    fn keeper(&self) -> Option<&dyn Keeper> {
        Some(self)
    }
}

impl Keeper for CheckpointKeeper<'_> {
    fn saved(&self) -> Option<String> {
        self.saved.clone()
    }

    fn save(&self, state: &str) -> Result<()> {
        // The study goes along: that in the folder belongs to an earlier front, if there is one, until this one is found.
        if !self.started.swap(true, Ordering::Relaxed) {
            private_folder(&self.dir)?;
            self.key.keep(&self.dir)?;
        }
        let checkpoint = Checkpoint {
            format: FORMAT.to_owned(),
            study: self.study.to_owned(),
            inputs: self.inputs.clone(),
            state: state.to_owned(),
        };
        let text = serde_json::to_string(&checkpoint)
            .map_err(|error| Error::internal(format!("the checkpoint cannot be written: {error}")))?;
        write_atomically(&self.dir.join(CHECKPOINT), |file| file.write_all(text.as_bytes()))
    }

    /// That of the results, or the one that it is going to be made in.
    fn folder(&self) -> Option<PathBuf> {
        let dir = std::path::absolute(&self.dir).ok()?;
        dir.ancestors().find(|folder| folder.is_dir()).map(Path::to_owned)
    }
}
