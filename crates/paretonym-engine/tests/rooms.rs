//! The engine's two rooms: passes over rows know nothing of the folders of runs and releases.

use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

#[test]
fn rows_know_nothing_of_folders() {
    let rows = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rows");
    let found = sources(&rows);
    assert!(found.len() > 20, "the room is where it is looked for");
    for path in found {
        let text = std::fs::read_to_string(&path).unwrap();
        for other in ["folders::", "crate::write_", "crate::private_folder", "crate::Embedded", "crate::census"] {
            assert!(!text.contains(other), "{} uses {other}", path.display());
        }
    }
}
