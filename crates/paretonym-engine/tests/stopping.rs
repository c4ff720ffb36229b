//! A stop is a stop, whatever a release is doing: never an error of the file or of the study, and nothing stays behind.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use paretonym::engine::{Unwatched, Watch};
use paretonym::error::Error;
use paretonym_engine::folder::{OpenRun, explore, read_study};
use paretonym_engine::release::{ReleaseOptions, release};

/// Has had enough when a phase of this number begins.
struct Impatient {
    enough: usize,
    phases: AtomicUsize,
}

impl Impatient {
    fn new(enough: usize) -> Self {
        Impatient { enough, phases: AtomicUsize::new(0) }
    }

    fn phases(&self) -> usize {
        self.phases.load(Ordering::SeqCst)
    }
}

impl Watch for Impatient {
    fn phase(&self, _name: &str, _steps: Option<u64>) {
        self.phases.fetch_add(1, Ordering::SeqCst);
    }

    fn cancelled(&self) -> bool {
        self.phases() >= self.enough
    }
}

const STUDY: &str = "[data]\npath = \"people.csv\"\n\
    [[columns]]\nname = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\nrecode = \"breaks\"\n\
    [[columns]]\nname = \"job\"\nrole = \"quasi\"\nkind = \"categorical\"\n\
    [search]\nproblem = \"max-suppression\"\neta = 0.1\noptimizer = \"exhaustive\"\n";

/// All files below a folder, and folders that are half-written.
fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<String> = entries
        .flat_map(|path| {
            let name = path.display().to_string();
            if path.is_dir() && !name.contains(".paretonym-") { files(&path) } else { vec![name] }
        })
        .collect();
    found.sort();
    found
}

#[test]
fn a_release_can_be_stopped_in_every_phase() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let rows: String = (0..400).map(|row| format!("{},{}\n", 20 + row % 7, ["cook", "clerk"][row % 2])).collect();
    std::fs::write(at("people.csv"), format!("age,job\n{rows}")).unwrap();
    std::fs::write(at("study.toml"), STUDY).unwrap();
    explore(&read_study(&at("study.toml")).unwrap(), &at("run"), None, &[], &Unwatched).unwrap();
    let run = OpenRun::open(&at("run")).unwrap();
    let before = files(folder.path());
    for (name, keep_order) in [("out.csv", false), ("out.csv", true), ("out.parquet", false), ("out.parquet", true)] {
        let options = ReleaseOptions { keep_order, ..ReleaseOptions::default() };
        let mut stopped = 0;
        loop {
            let watch = Impatient::new(stopped + 1);
            match release(&run, 1, &at(name), &options, &watch) {
                Err(Error::Cancelled) => stopped += 1,
                Err(error) => panic!("{name}, stopped in phase {}: {error}", stopped + 1),
                Ok(released) => {
                    assert_eq!(watch.phases(), stopped, "every phase was stopped in");
                    released.files.iter().for_each(|file| std::fs::remove_file(file).unwrap());
                    std::fs::remove_dir_all(released.private.unwrap()).unwrap();
                    break;
                }
            }
            assert_eq!(files(folder.path()), before, "{name}, stopped in phase {stopped}");
        }
        assert!(stopped >= if keep_order { 4 } else { 5 }, "{name}: only {stopped} phases");
    }
}
