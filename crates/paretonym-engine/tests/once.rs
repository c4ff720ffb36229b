//! What was read or counted is not read or counted again.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use paretonym::data::{CountRequest, Counted, Domain, Source};
use paretonym::engine::{Engine, Unwatched, Watch};
use paretonym::error::Result;
use paretonym::study::{Study, count};
use paretonym_engine::Embedded;
use paretonym_engine::compare::{Files, solutions_and_files};
use paretonym_engine::folder::{OpenRun, explore, read_study};
use paretonym_engine::release::{ReleaseOptions, release};

/// Counts the passes over a file, by what is told of them.
struct Passes {
    of: &'static str,
    passes: AtomicUsize,
}

impl Passes {
    fn of(file: &'static str) -> Self {
        Passes { of: file, passes: AtomicUsize::new(0) }
    }

    fn number(&self) -> usize {
        self.passes.load(Ordering::SeqCst)
    }
}

impl Watch for Passes {
    fn phase(&self, name: &str, _steps: Option<u64>) {
        if name == format!("reading {}", self.of) {
            self.passes.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// Counts how often it is asked to count.
#[derive(Default)]
struct Asked(AtomicUsize);

impl Engine for Asked {
    fn read_text(&self, path: &Path) -> Result<String> {
        Embedded.read_text(path)
    }

    fn columns(&self, source: &Source) -> Result<Vec<String>> {
        Embedded.columns(source)
    }

    fn count(&self, source: &Source, request: &CountRequest, watch: &dyn Watch) -> Result<Counted> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Embedded.count(source, request, watch)
    }
}

fn table(folder: &Path) -> PathBuf {
    // Some cells are missing, in each column elsewhere.
    let cell = |row: usize, column: usize| match (row + 5 * column) % 11 {
        0 => String::new(),
        _ => ((row * (7 + column) + column) % (40 + 10 * column)).to_string(),
    };
    let rows: String = (0..300).map(|row| format!("{},{},{}\n", cell(row, 0), cell(row, 1), cell(row, 2))).collect();
    let path = folder.join("people.csv");
    std::fs::write(&path, format!("age,pay,score\n{rows}")).unwrap();
    path
}

/// A study that cuts some columns into bins and leaves the others out.
fn binned(path: &Path, on_missing: &str, columns: &[(&str, &str)]) -> Study {
    let column = |(name, role): &(&str, &str)| {
        format!("[[columns]]\nname = {name:?}\nrole = {role}\nkind = \"numeric\"\nbins = 6\nrecode = \"breaks\"\n")
    };
    let columns: String = columns.iter().map(column).collect();
    let data = format!("[data]\npath = {path:?}\nother_columns = \"drop\"\non_missing = {on_missing:?}\n");
    Study::from_toml(&format!("{data}{columns}"), "study.toml").unwrap()
}

#[test]
fn one_pass_finds_the_bins_of_all_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = table(folder.path());
    // A column may be asked for twice.
    for (on_missing, both) in [("drop-row", "[\"quasi\", \"target\"]"), ("value", "\"quasi\"")] {
        let roles = [("age", "\"quasi\""), ("pay", both), ("score", "\"sensitive\"")];
        let asked = Asked::default();
        let together = count(&binned(&path, on_missing, &roles), &asked, &Unwatched).unwrap();
        assert_eq!(asked.0.load(Ordering::SeqCst), 2, "one pass for the bins, one for the table");
        let domain = |name: &str| -> &Domain {
            let quasi = together.columns.iter().find(|column| column.name == name).map(|column| &column.domain);
            quasi.unwrap_or_else(|| &together.attributes.iter().find(|one| one.name == name).unwrap().domain)
        };
        for (name, _) in roles {
            let alone = count(&binned(&path, on_missing, &[(name, "\"quasi\"")]), &Embedded, &Unwatched).unwrap();
            assert!(alone.columns[0].domain.len() > 3);
            // As text: the bounds of a missing cell are no numbers, and those equal nothing.
            let (own, only) = (format!("{:?}", domain(name)), format!("{:?}", alone.columns[0].domain));
            assert_eq!(own, only, "{name} as if it were the only one, {on_missing}");
        }
    }
}

#[test]
fn comparing_counts_once_and_reads_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let rows: String =
        (0..200).map(|row| format!("{},{},{},{row}\n", 20 + row % 7, ["cook", "clerk"][row % 2], row % 3)).collect();
    std::fs::write(at("people.csv"), format!("age,job,ill,note\n{rows}")).unwrap();
    let study = "[data]\npath = \"people.csv\"\nother_columns = \"insensitive\"\n\
        [[columns]]\nname = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\nrecode = \"breaks\"\n\
        [[columns]]\nname = \"job\"\nrole = \"quasi\"\n[[columns]]\nname = \"ill\"\nrole = \"sensitive\"\n\
        [search]\noptimizer = \"exhaustive\"\n";
    std::fs::write(at("study.toml"), study).unwrap();
    explore(&read_study(&at("study.toml")).unwrap(), &at("run"), None, &[], &Unwatched).unwrap();
    let run = OpenRun::open(&at("run")).unwrap();
    release(&run, 1, &at("out.csv"), &ReleaseOptions::default(), &Unwatched).unwrap();

    let passes = Passes::of("people.csv");
    let both = solutions_and_files(
        &run,
        &run.count(&passes).unwrap(),
        &[1, 2],
        &[at("out.csv"), at("out.csv")],
        None,
        &passes,
    )
    .unwrap();
    assert_eq!(passes.number(), 2, "one pass counts, one reads the rows");
    let [solution, _, file, _] = both.as_slice() else { panic!("two solutions and two files") };
    assert_eq!(solution.properties, file.properties, "a release is worth what its solution is");

    // A file of somebody else in the order of the table: all columns that both have are looked at, in one pass.
    std::fs::copy(at("people.csv"), at("copy.csv")).unwrap();
    let (quasi, sensitive) = (["age".to_owned(), "job".to_owned()], ["ill".to_owned()]);
    let (original, releases) = (Source::at(at("people.csv")), [at("copy.csv")]);
    let files =
        Files { original: &original, releases: &releases, quasi: &quasi, sensitive: &sensitive, id: None, front: None };
    let passes = Passes::of("people.csv");
    assert!(files.read(&passes).unwrap()[0].matched.is_some());
    assert_eq!(passes.number(), 2);
    let passes = Passes::of("copy.csv");
    files.read(&passes).unwrap();
    assert_eq!(passes.number(), 2);
}
