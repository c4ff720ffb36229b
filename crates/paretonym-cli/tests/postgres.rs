//! The SQL of a recoding, run by PostgreSQL on the original table: it gives the groups of the release. A cluster of its own
//! is started in a temporary folder, without a network; where PostgreSQL is not installed, a message says so.

#![cfg(unix)]

mod program;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use program::{Folder, group_sizes};

const STUDY: &str = r#"
[data]
path = "people.csv"
missing = [""]
on_missing = "value"

[[columns]]
name = "age"
role = "quasi"
kind = "numeric"
recode = "breaks"

[[columns]]
name = "the \"job\""
role = "quasi"
kind = "categorical"
recode = "cuts"
taxonomy = { care = ["nurse", "doctor"], office = ["clerk", "judge"] }

[[columns]]
name = "town"
role = "quasi"
kind = "categorical"
recode = "levels"
hierarchy = "prefix"

[[columns]]
name = "size"
role = "quasi"
kind = "numeric"
recode = "breaks"
range = [0, 20]
granularity = 5

[search]
problem = "max-suppression"
eta = 0.05
seed = 1
"#;

fn people() -> String {
    let mut text = "age,\"the \"\"job\"\"\",town,size\n".to_owned();
    for row in 0u64..400 {
        let age = if row % 29 == 0 { String::new() } else { (20 + row * row * 3 % 41).to_string() };
        let job = ["nurse", "doctor", "clerk", "judge"][(row * row % 13 % 4) as usize];
        let town = ["Aix", "O'Fallon", "Cork", "Dover"][(row * 7 % 11 % 4) as usize];
        text += &format!("{age},{job},{town},{}\n", row * 5 % 17);
    }
    text
}

/// A cluster that stops when it is dropped.
struct Cluster {
    bin: PathBuf,
    folder: tempfile::TempDir,
    /// PostgreSQL refuses to run as root.
    root: bool,
}

impl Cluster {
    /// None, and a message, where PostgreSQL is not installed.
    fn start() -> Option<Self> {
        let Some(bin) = binaries() else {
            println!("skipped: PostgreSQL is not installed");
            return None;
        };
        let id = |arguments: &[&str]| Command::new("id").args(arguments).stderr(Stdio::null()).output().unwrap();
        let root = id(&["-u"]).stdout.trim_ascii() == b"0";
        if root && !id(&["-u", "postgres"]).status.success() {
            println!("skipped: there is no user postgres, and PostgreSQL does not run as root");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        if root {
            assert!(Command::new("chown").arg("postgres").arg(folder.path()).status().unwrap().success());
        }
        let cluster = Cluster { bin, folder, root };
        let data = cluster.data();
        cluster.run("initdb", &["-D", &data, "-A", "trust", "-U", "tester", "-E", "UTF8", "--no-locale", "--no-sync"]);
        let options =
            format!("-F -c listen_addresses='' -c unix_socket_directories='{}'", cluster.folder.path().display());
        let log = cluster.folder.path().join("log").display().to_string();
        cluster.run("pg_ctl", &["-D", &data, "-o", &options, "-l", &log, "-w", "start"]);
        Some(cluster)
    }

    fn data(&self) -> String {
        self.folder.path().join("data").display().to_string()
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let path = self.bin.join(program);
        let mut command = match self.root {
            true => Command::new("runuser"),
            false => Command::new(&path),
        };
        if self.root {
            command.args(["-u", "postgres", "--"]).arg(&path);
        }
        // A server that was started keeps the pipes of whoever started it open.
        let output = command.args(arguments).current_dir("/").stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(output.unwrap().success(), "{program} {arguments:?}");
    }

    /// The rows of a query, without names.
    fn query(&self, sql: &str) -> Vec<Vec<String>> {
        let mut command = Command::new(self.bin.join("psql"));
        command.args(["-X", "-q", "-t", "--csv", "-v", "ON_ERROR_STOP=1", "-U", "tester", "-d", "postgres", "-h"]);
        let output = command.arg(self.folder.path()).arg("-c").arg(sql).output().unwrap();
        assert!(output.status.success(), "{}\n{sql}", String::from_utf8_lossy(&output.stderr));
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(output.stdout.as_slice());
        reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect()
    }

    fn load(&self, table: &Path) {
        self.query("CREATE TABLE people (age numeric, \"the \"\"job\"\"\" text, town text, size numeric)");
        self.query(&format!("\\copy people FROM '{}' CSV HEADER", table.display()));
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let data = self.data();
        self.run("pg_ctl", &["-D", &data, "-m", "immediate", "-w", "stop"]);
    }
}

/// Where the programs of the server are: on the path, or where Debian puts them.
fn binaries() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    folders.extend(versions.map(|version| version.path().join("bin")));
    folders.into_iter().find(|folder| ["initdb", "pg_ctl", "psql"].iter().all(|name| folder.join(name).is_file()))
}

/// Rows by what they show, as PostgreSQL counts them.
fn groups(rows: Vec<Vec<String>>) -> BTreeMap<Vec<String>, u64> {
    rows.into_iter().map(|mut row| (row.split_off(1), row[0].parse().unwrap())).collect()
}

/// PostgreSQL shows 25.0 as it was written.
fn plain(cells: Vec<String>) -> Vec<String> {
    cells.into_iter().map(|cell| cell.parse::<f64>().map_or(cell, |number| number.to_string())).collect()
}

fn check(cluster: &Cluster, folder: &Folder, local: bool) {
    let front = folder.front("front");
    let solutions = front["solutions"].as_array().unwrap();
    for solution in solutions.iter().step_by(solutions.len().div_ceil(6)) {
        for style in ["label", "median"] {
            let id = &solution["id"];
            let run =
                format!("release front --solution {id} -o out.csv --force --allow-k1 --quiet --representative {style}");
            let output = folder.try_run(&run);
            if local && style == "median" && !output.status.success() {
                continue;
            }
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let sql = std::fs::read_to_string(folder.private("out.csv", "recoding.sql")).unwrap();
            let query = match local {
                true => {
                    let query = sql.replace("your_table", "people").trim_end().trim_end_matches(';').to_owned();
                    format!("SELECT count(*), q.* FROM (\n{query}\n) q GROUP BY 2, 3, 4, 5")
                }
                false => {
                    let cases: Vec<&str> = sql.split("\n\n").skip(1).map(str::trim).collect();
                    format!("SELECT count(*), {} FROM people GROUP BY 2, 3, 4, 5", cases.join(",\n"))
                }
            };
            let counted: BTreeMap<Vec<String>, u64> =
                groups(cluster.query(&query)).into_iter().map(|(cells, rows)| (plain(cells), rows)).collect();
            let released: BTreeMap<Vec<String>, u64> = group_sizes(&folder.rows("out.csv", b','), &[0, 1, 2, 3])
                .into_iter()
                .map(|(cells, rows)| (plain(cells), rows))
                .collect();
            for (cells, rows) in &released {
                assert_eq!(counted.get(cells), Some(rows), "solution {id}, {style}: {cells:?}");
            }
            // What is not released is too small, and none of it where boxes decide.
            let others: u64 =
                counted.iter().filter(|(cells, _)| !released.contains_key(*cells)).map(|(_, rows)| rows).sum();
            assert_eq!(others, if local { 0 } else { solution["suppressed"].as_u64().unwrap() });
        }
    }
}

#[test]
fn the_sql_of_a_recoding_makes_the_groups_of_the_release() {
    let Some(cluster) = Cluster::start() else { return };
    let folder = Folder::new();
    folder.write("people.csv", &people());
    folder.write("study.toml", STUDY);
    cluster.load(&folder.at("people.csv"));
    folder.run("explore study.toml -o front --quiet --optimizer nsga2 --evaluations 3000");
    check(&cluster, &folder, false);
    // Trees that show nodes, and local search that shows sets: elsewhere boxes that show nodes overlap, which the query says.
    for search in ["improve = false", "cells = \"sets\""] {
        folder.write("study.toml", &STUDY.replace("[search]\n", &format!("[search]\n{search}\n")));
        folder.run("explore study.toml -o front --quiet --optimizer regions");
        check(&cluster, &folder, true);
    }
}
