//! `paretonym compare` through the real program: S2's tables as files, and solutions of a front.

mod ours;
mod rows;

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

const ORIGINAL: &str = "id,zip,age,marital\n1,13053,28,CF-Spouse\n2,13268,41,Separated\n3,13268,39,Never Married\n\
                        4,13053,26,CF-Spouse\n5,13253,50,Divorced\n6,13253,55,Spouse Absent\n7,13250,49,Divorced\n\
                        8,13052,31,Spouse Present\n9,13269,42,Separated\n10,13250,47,Separated\n";

const T3A: [&str; 10] = ["A", "B", "B", "A", "C", "C", "C", "A", "B", "C"];

const T3B: [&str; 10] = ["D", "E", "E", "D", "E", "E", "E", "D", "E", "E"];

fn cells(group: &str) -> &str {
    match group {
        "A" => "1305*,\"(25,35]\",Married",
        "B" => "1326*,\"(35,45]\",Not Married",
        "C" => "1325*,\"(45,55]\",Not Married",
        "D" => "130**,\"(15,35]\",Married",
        _ => "132**,\"(35,55]\",Not Married",
    }
}

/// A release as a file; `rows` are row numbers from 1 in the order of the file.
fn write(path: &Path, groups: &[&str; 10], rows: &[usize]) {
    let lines = rows.iter().map(|row| format!("{row},{}\n", cells(groups[row - 1])));
    std::fs::write(path, format!("id,zip,age,marital\n{}", lines.collect::<String>())).unwrap();
}

fn program(folder: &Path, arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("paretonym").unwrap().current_dir(folder).args(arguments).assert()
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = program(folder, arguments).success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("original.csv"), ORIGINAL).unwrap();
    let order: Vec<usize> = (1..=10).collect();
    write(&folder.path().join("a.csv"), &T3A, &order);
    write(&folder.path().join("b.csv"), &T3B, &order);
    folder
}
