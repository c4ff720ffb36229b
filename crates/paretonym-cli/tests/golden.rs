//! Golden runs through the real program: for each folder of `tests/golden` a study is explored, its front and the release of
//! the middle solution are held against what is stored, and every entry of the catalogue appears in one of them.
//!
//! `BLESS=1 cargo nextest run -p paretonym-cli --test golden` stores what the program does now; read the difference.

mod program;

use std::path::{Path, PathBuf};

use program::Folder;
use serde_json::Value;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The folders, by name.
fn cases() -> Vec<String> {
    let entries = std::fs::read_dir(golden()).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<String> =
        entries.filter(|entry| entry.path().is_dir()).map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A number in as many digits as no machine disagrees on.
fn digits(value: &Value) -> String {
    match value.as_f64() {
        Some(number) if number.fract() != 0.0 => format!("{number:.9}"),
        _ => value.to_string(),
    }
}

/// A front in lines: what was found and how, one line for each solution.
fn lines(front: &Value) -> String {
    let mut text = String::new();
    for key in ["problem", "optimizer", "loss", "rows", "distinct", "evaluated", "space", "exact", "complete"] {
        text += &format!("{key} {}\n", front[key]);
    }
    for note in front["notes"].as_array().into_iter().flatten() {
        text += &format!("note {note}\n");
    }
    for solution in front["solutions"].as_array().unwrap() {
        let list = |key: &str| -> Vec<String> { solution[key].as_array().unwrap().iter().map(digits).collect() };
        text += &format!("{}: {}", solution["id"], list("objectives").join(" "));
        for key in ["k", "l", "t", "loss", "gl", "suppressed", "groups", "weighted_k", "alternatives", "loss_bound"] {
            text += &format!(" {key}={}", digits(&solution[key]));
        }
        text += &format!(" {}\n", solution["recoding"]);
    }
    text
}

/// Compares a file of a case with what it should be, or stores it.
fn hold(case: &str, name: &str, now: &str) {
    let path = golden().join(case).join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, now).unwrap();
        return;
    }
    let stored = std::fs::read_to_string(&path).unwrap_or_default();
    for (at, (now, stored)) in now.lines().zip(stored.lines()).enumerate() {
        assert_eq!(now, stored, "{case}/{name}, line {}", at + 1);
    }
    assert_eq!(now.lines().count(), stored.lines().count(), "{case}/{name}");
}

#[test]
fn fronts_and_releases_are_what_they_were() {
    let folder = Folder::new();
    folder.write("people.csv", &std::fs::read_to_string(golden().join("people.csv")).unwrap());
    for case in cases() {
        std::fs::create_dir(folder.at(&case)).unwrap();
        let study = std::fs::read_to_string(golden().join(&case).join("study.toml")).unwrap();
        folder.write(&format!("{case}/study.toml"), &study);
        folder.run(&format!("explore {case}/study.toml -o {case}/front --quiet"));
        let front = folder.front(&format!("{case}/front"));
        hold(&case, "front.txt", &lines(&front));
        let middle = front["solutions"].as_array().unwrap().len().div_ceil(2);
        folder.run(&format!(
            "release {case}/front --solution {middle} -o {case}/release.csv --keep-order --allow-k1 --quiet"
        ));
        hold(&case, "release.csv", &folder.read(&format!("{case}/release.csv")));
    }
}

#[test]
fn comparisons_are_what_they_were() {
    let folder = Folder::new();
    let people = std::fs::read_to_string(golden().join("people.csv")).unwrap();
    folder.write("people.csv", &people);
    for (name, case) in [("a.csv", "problem-preference"), ("b.csv", "problem-zero-suppression")] {
        folder.write(name, &std::fs::read_to_string(golden().join(case).join("release.csv")).unwrap());
    }
    let found = folder.run_json("compare people.csv a.csv b.csv --quasi age,town,job --sensitive ill --json");
    let mut text = String::new();
    flatten("", &found, &mut text);
    hold("", "compare.txt", &text);
    for entry in catalogue().iter().filter(|entry| entry["section"].as_str().unwrap().contains("compar")) {
        let name = entry["name"].as_str().unwrap();
        // Weak and strong dominance are told by one matrix.
        let key = if name.ends_with("dominance") { "dominance" } else { name };
        assert!(text.contains(&format!("/{key}/")), "{name} is in no golden comparison");
    }
}

/// One line for each number or text of a JSON value, with the way to it.
fn flatten(way: &str, value: &Value, text: &mut String) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| flatten(&format!("{way}/{key}"), value, text)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(at, value)| flatten(&format!("{way}/{at}"), value, text))
        }
        value => *text += &format!("{way} {}\n", digits(value)),
    }
}

fn catalogue() -> Vec<Value> {
    Folder::new().run_json("catalog --json").as_array().unwrap().clone()
}

#[test]
fn every_entry_of_the_catalogue_has_a_case() {
    let cases = cases();
    for entry in catalogue() {
        let (section, name) = (entry["section"].as_str().unwrap(), entry["name"].as_str().unwrap());
        if section.contains("compar") {
            continue;
        }
        let case = format!("{section}-{name}");
        assert!(cases.contains(&case), "tests/golden/{case} is not there");
    }
}
