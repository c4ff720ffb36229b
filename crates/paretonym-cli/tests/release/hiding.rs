//! What nobody can find in a release, or beside it.

use std::path::Path;

use super::{explored, suppressing};

/// What must be nowhere but in the table, in lower case.
const CANARIES: [&str; 5] = ["canary", "987654", "98765", "canarypox", "person 1"];

#[test]
fn nothing_of_a_suppressed_row_is_anywhere() {
    let folder = explored(200);
    let id = suppressing(&folder);
    let mut said = String::new();
    for options in ["", "--suppressed-rows star", "--tokens --representative median", "--keep-order"] {
        for name in ["out.csv", "out.tsv", "out.parquet"] {
            let output =
                folder.try_run(&format!("release front --solution {id} -o {name} --force --allow-k1 {options}"));
            assert!(output.status.success());
            said += &String::from_utf8_lossy(&output.stdout);
            said += &String::from_utf8_lossy(&output.stderr);
            let audit = format!("audit {name} --quasi age,town,job --sensitive disease --below 50");
            said += &folder.run(&audit);
            search(folder.path());
        }
    }
    for canary in CANARIES {
        assert!(!said.to_lowercase().contains(canary), "{canary} was printed");
    }
}

/// Looks for planted values in everything that was written, except the table itself and what says that it is private.
fn search(folder: &Path) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if path.file_name().unwrap() != "private" {
                search(&path);
            }
        } else if path.file_name().unwrap() != "people.csv" {
            let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).to_lowercase();
            for canary in CANARIES {
                assert!(!text.contains(canary), "{canary} is in {}", path.display());
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn everything_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let folder = explored(50);
    folder.run("release front --solution 1 -o out.csv --quiet");
    for name in folder.names().iter().filter(|name| name.starts_with("out.csv") || *name == "front") {
        let path = folder.at(name);
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, expected, "{name}");
    }
    assert!(!folder.names().iter().any(|name| name.starts_with(".paretonym")), "the working folder is gone");
}

#[test]
fn the_order_of_rows_says_nothing() {
    let folder = explored(400);
    let notes =
        |name: &str| -> Vec<String> { folder.rows(name, b',').into_iter().map(|mut row| row.remove(4)).collect() };
    folder.run("release front --solution 1 -o a.csv --quiet");
    folder.run("release front --solution 1 -o b.csv --quiet");
    folder.run("release front --solution 1 -o c.csv --seed 5 --quiet");
    folder.run("release front --solution 1 -o d.csv --seed 5 --quiet");
    folder.run("release front --solution 1 -o e.csv --keep-order --quiet");
    assert_ne!(notes("a.csv"), notes("b.csv"));
    assert_eq!(notes("c.csv"), notes("d.csv"));
    let original: Vec<String> = folder.rows("people.csv", b',').into_iter().map(|mut row| row.remove(5)).collect();
    assert_eq!(notes("e.csv"), original);
    let stayed = notes("a.csv").iter().zip(&original).filter(|(after, before)| after == before).count();
    assert!(stayed < 20, "{stayed} of 401 rows stayed where they were");
    assert!(!folder.read("c.csv.certificate.json").contains("order_seed"));
}
