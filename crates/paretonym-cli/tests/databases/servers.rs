//! Servers that a test starts and that end with it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A script beside the crates.
fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../databases").join(name)
}

fn run(script: &Path, folder: &Path, what: &str) -> Result<(), String> {
    // A server keeps the pipes open of whoever started it, so what it says goes to a file.
    let said = tempfile::NamedTempFile::new().unwrap();
    let mut command = Command::new(script);
    let [out, errors] = [(); 2].map(|()| said.reopen().unwrap());
    command.arg(folder).arg(what).stdin(Stdio::null()).stdout(out).stderr(errors);
    let done = command.status().is_ok_and(|status| status.success());
    if done { Ok(()) } else { Err(std::fs::read_to_string(said.path()).unwrap_or_default()) }
}

/// The value of a name in a file of `NAME=value`.
fn value(file: &Path, name: &str) -> String {
    let text = std::fs::read_to_string(file).unwrap();
    let found = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    found.unwrap_or_else(|| panic!("{} says nothing of {name}", file.display())).to_owned()
}

/// A PostgreSQL server that logs every statement.
pub struct Postgresql {
    folder: tempfile::TempDir,
}

impl Postgresql {
    /// None, and a message, where it is not installed.
    pub fn start() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let server = Postgresql { folder };
        match server.tell("start") {
            Ok(()) => Some(server),
            Err(said) => {
                eprintln!("skipped: PostgreSQL: {}", said.trim());
                None
            }
        }
    }

    pub fn tell(&self, what: &str) -> Result<(), String> {
        run(&script("postgresql"), self.folder.path(), what)
    }

    /// Ends it as a failing machine would.
    pub fn crash(&self) {
        self.tell("crash").unwrap();
    }

    pub fn start_again(&self) {
        self.tell("start").unwrap();
    }

    fn value(&self, name: &str) -> String {
        value(&self.folder.path().join("postgresql.env"), name)
    }

    pub fn uri(&self) -> String {
        self.value("POSTGRESQL_URI")
    }

    pub fn password(&self) -> String {
        self.value("POSTGRESQL_PASSWORD")
    }

    pub fn port(&self) -> String {
        self.value("POSTGRESQL_PORT")
    }

    /// Everything that it was asked so far.
    pub fn log(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(self.folder.path().join("postgresql.log")).unwrap()).into_owned()
    }
}

impl Drop for Postgresql {
    fn drop(&mut self) {
        let _ = self.tell("stop");
    }
}

/// A Spark cluster with two workers, in the folder that Spark was installed in.
pub struct Spark {
    folder: PathBuf,
}

impl Spark {
    pub fn start(folder: &Path) -> Option<Self> {
        match run(&script("spark"), folder, "start") {
            Ok(()) => Some(Spark { folder: folder.to_owned() }),
            Err(said) => {
                eprintln!("skipped: Spark: {}", said.trim());
                None
            }
        }
    }

    pub fn kill_worker(&self) {
        run(&script("spark"), &self.folder, "kill-worker").unwrap();
    }

    /// Brings a worker back that was lost.
    pub fn start_again(&self) {
        run(&script("spark"), &self.folder, "start").unwrap();
    }

    pub fn uri(&self) -> String {
        value(&self.folder.join("spark.env"), "SPARK_URI")
    }
}

impl Drop for Spark {
    fn drop(&mut self) {
        let _ = run(&script("spark"), &self.folder, "stop");
    }
}
