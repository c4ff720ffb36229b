//! The folder of a run: what `explore` writes and every later step reads.
//!
//! `study.toml` as it was run, `front.json`, `regions.json` for local recodings, `report.html`, and `checkpoint.json` while a
//! search can go on. All of them tell values of the data: the folder is for its owner alone. `private/` in it holds the key
//! and the seal that bind these files to the table, and a folder with the private part of each release.

mod checkpoint;
mod checkpoint_keeper;
mod claim;
pub(crate) mod digest;
mod explore;
pub(crate) mod inputs;
mod keeping;
pub(crate) mod key;
mod meter;
mod open;
mod read;
mod seal;

pub use checkpoint::{SavedSearch, read_checkpoint};
pub use claim::{Claimed, claim};
pub use explore::{Explored, describe_rest, explore, is_described, report};
pub use inputs::taxonomy_files;
pub use keeping::{keep, study_text};
pub use key::frame_digest;
pub use open::{OpenRun, check_inputs};
pub use read::{read_front, read_regions, read_study};

/// The study as it was run.
pub const STUDY: &str = "study.toml";
/// The front.
pub const FRONT: &str = "front.json";
/// The boxes of local recodings, beside the front.
pub const REGIONS: &str = "regions.json";
/// The page that shows the front.
pub const REPORT: &str = "report.html";
/// The state of a search that can go on.
pub const CHECKPOINT: &str = "checkpoint.json";
/// The folder of what must not leave the house.
pub const PRIVATE: &str = "private";
/// All files that a run writes.
pub const NAMES: [&str; 5] = [STUDY, FRONT, REGIONS, REPORT, CHECKPOINT];
/// How the study in a folder begins, by which it can be told from one that somebody else put there.
pub(crate) const STUDY_HEAD: &str =
    "# The study as it was run. Written by paretonym, which replaces it with the next run.";

/// The text of a study with the path of the data filled in where it says `"{path}"`, whatever characters the path has.
pub fn with_path(study: &str, path: &str) -> String {
    // A JSON string is a TOML string, but for DEL, which JSON leaves as it is.
    let quoted = serde_json::Value::from(path).to_string().replace('\u{7f}', "\\u007F");
    study.replace("\"{path}\"", &quoted)
}
