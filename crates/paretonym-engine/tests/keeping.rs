//! The front is on the disk before its solutions are described.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use paretonym::engine::Watch;
use paretonym_engine::census;
use paretonym_engine::folder::{explore, read_front, read_study};

/// Looks into the folder when description begins, and has had enough then.
struct Looker {
    out: PathBuf,
    describing: AtomicBool,
    saw: AtomicBool,
}

impl Watch for Looker {
    fn phase(&self, name: &str, _steps: Option<u64>) {
        if name.starts_with("describing") {
            let front = read_front(&self.out).expect("the front is there");
            let found = !front.solutions.is_empty() && front.solutions.iter().all(|own| !own.described && own.k > 0);
            self.saw.store(found && front.complete, Ordering::SeqCst);
            self.describing.store(true, Ordering::SeqCst);
        }
    }

    fn cancelled(&self) -> bool {
        self.describing.load(Ordering::SeqCst)
    }
}

#[test]
fn the_front_is_written_before_it_is_described() {
    let folder = tempfile::tempdir().unwrap();
    let (data, study, out) = (folder.path().join("c.csv"), folder.path().join("c.toml"), folder.path().join("out"));
    let mut table = Vec::new();
    census::write_census(2_000, 1, &mut table).unwrap();
    std::fs::write(&data, table).unwrap();
    std::fs::write(&study, census::census_study("c.csv")).unwrap();
    let looker = Looker { out: out.clone(), describing: AtomicBool::new(false), saw: AtomicBool::new(false) };
    let explored = explore(&read_study(&study).unwrap(), &out, None, &[], &looker).unwrap();
    assert!(looker.saw.load(Ordering::SeqCst), "a front of the search's own numbers was there");
    assert!(explored.front.complete);
    let read = read_front(&out).unwrap();
    assert_eq!(read.solutions.len(), explored.front.solutions.len());
    assert!(out.join("report.html").is_file());
}
