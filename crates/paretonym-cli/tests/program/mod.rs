//! Runs the real program in a folder of its own.

// Each test file uses some of this.
#![allow(dead_code)]

pub mod studies;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// A folder in which the program runs.
pub struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    pub fn new() -> Self {
        Folder { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.at(name), text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.at(name)).unwrap()
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// The rows of a text table, without its line of names.
    pub fn rows(&self, name: &str, delimiter: u8) -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_path(self.at(name)).unwrap();
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
    }

    /// The names of all files and folders.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// A front that `explore` wrote.
    pub fn front(&self, folder: &str) -> Value {
        self.json(&format!("{folder}/front.json"))
    }

    /// A file of the private part of a release that was made from a folder in this one.
    pub fn private(&self, release: &str, name: &str) -> PathBuf {
        let id = self.json(&format!("{release}.recoding.json"))["id"].as_str().unwrap().to_owned();
        let runs = self.names().into_iter().map(|run| self.at(&run).join("private").join(&id));
        runs.into_iter().find(|part| part.is_dir()).expect("the private part is in a folder beside").join(name)
    }

    /// The whole recoding of a release.
    pub fn whole_recoding(&self, release: &str) -> Value {
        serde_json::from_str(&std::fs::read_to_string(self.private(release, "recoding.json")).unwrap()).unwrap()
    }

    /// The figures of a release without rounding.
    pub fn exact(&self, release: &str) -> Value {
        let text = std::fs::read_to_string(self.private(release, "exact.json")).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()["certificate"].clone()
    }

    /// The program with words separated by spaces.
    pub fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("paretonym"));
        command.current_dir(self.path()).args(arguments.split_whitespace());
        command
    }

    /// Runs the program with words separated by spaces.
    pub fn try_run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs the program, which must succeed; what it printed.
    pub fn run(&self, arguments: &str) -> String {
        let output = self.try_run(arguments);
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs the program and reads what it printed as JSON.
    pub fn run_json(&self, arguments: &str) -> Value {
        serde_json::from_str(&self.run(arguments)).unwrap()
    }

    /// Runs the program, which must refuse with exit code 2; what it said.
    pub fn refuse(&self, arguments: &str) -> String {
        let output = self.try_run(arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert!(said.starts_with("error: ") && !said.contains("panicked"), "{said}");
        said
    }
}

/// Rows per distinct combination of some columns: the naive count that everything is held against.
pub fn group_sizes(rows: &[Vec<String>], columns: &[usize]) -> BTreeMap<Vec<String>, u64> {
    let mut groups = BTreeMap::new();
    for row in rows {
        *groups.entry(columns.iter().map(|column| row[*column].trim().to_owned()).collect()).or_insert(0) += 1;
    }
    groups
}

/// Where Adult is expected, or a message.
pub fn adult() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/adult/adult.data");
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is not there", path.display());
    None
}
