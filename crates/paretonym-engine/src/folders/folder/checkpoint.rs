//! Checkpoints of long searches: files in the folder that the search writes to, from which it goes on later.

use std::path::Path;

use paretonym::engine::Engine;
use paretonym::error::{Error, FileAction, Result};
use paretonym::study::Study;
use serde::{Deserialize, Serialize};

use super::CHECKPOINT;
use super::inputs::Inputs;
use crate::Embedded;

/// The value of `format` in a checkpoint.
pub(super) const FORMAT: &str = "paretonym-checkpoint/2";

/// A search that was stopped: what it was asked, and how far it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    pub format: String,
    /// The study, as study.toml would have it.
    pub study: String,
    /// What it was made from.
    pub inputs: Inputs,
    /// The search's own state.
    pub state: String,
}

/// A search that can go on.
pub struct SavedSearch {
    /// What it was asked.
    pub study: Study,
    pub(super) inputs: Inputs,
    pub(super) state: String,
}

/// The search in a folder. Where its table or a taxonomy changed meanwhile, it cannot go on.
pub fn read_checkpoint(dir: &Path) -> Result<SavedSearch> {
    let path = dir.join(CHECKPOINT);
    let text = match Embedded.read_text(&path) {
        Err(Error::File { source, .. }) if source.kind() == std::io::ErrorKind::NotFound && !dir.is_dir() => {
            return Err(Error::File { action: FileAction::Read, path: dir.to_owned(), source });
        }
        Err(Error::File { source, .. }) if source.kind() == std::io::ErrorKind::NotFound => {
            return Err(Error::study(format!(
                "{} holds no checkpoint: its search has ended, was none of the genetic ones, or was stopped before the first checkpoint; run `paretonym explore` again",
                dir.display()
            )));
        }
        read => read?,
    };
    let wrong = |problem: String| Error::Table { place: path.display().to_string(), problem };
    let checkpoint: Checkpoint = serde_json::from_str(&text).map_err(|error| {
        wrong(format!("this is no checkpoint of this version ({error}); run `paretonym explore` again"))
    })?;
    if checkpoint.format != FORMAT {
        let problem = format!("format {:?}, but this program reads {FORMAT:?}; explore again", checkpoint.format);
        return Err(wrong(problem));
    }
    let study = Study::from_toml(&checkpoint.study, &path.display().to_string())?;
    Ok(SavedSearch { study, inputs: checkpoint.inputs, state: checkpoint.state })
}
