//! `paretonym compare` through the real program: S2's tables as files, and solutions of a front.

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

#[test]
fn files_in_row_order() {
    let folder = folder();
    let compare = ["compare", "original.csv", "a.csv", "b.csv", "--quasi", "zip,age,marital"];
    let text = program(folder.path(), &compare).success().get_output().stdout.clone();
    let text = String::from_utf8(text).unwrap();
    assert!(
        text.starts_with("b.csv gives 7 of 10 people a larger group; a.csv keeps more detail for 7 of 10"),
        "{text}"
    );
    assert!(text.contains("equal weights: a tie"), "{text}");

    let more = ["--sensitive", "marital", "--json", "--report", "page.html"];
    let found = json(folder.path(), &[&compare[..], &more].concat());
    let page = std::fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("<svg") && !page.contains("Never Married"), "a page holds no cell of the table");
    assert_eq!(found["releases"], serde_json::json!(["a.csv", "b.csv"]));
    let sizes = &found["properties"]["group-size"];
    assert_eq!(sizes["cov"], serde_json::json!([[1.0, 0.3], [1.0, 1.0]]));
    assert_eq!(sizes["spr"], serde_json::json!([[0.0, 0.0], [24.0, 0.0]]));
    assert_eq!(sizes["dominance"][1][0], "strong");
    assert_eq!(sizes["rank"].as_array().unwrap().len(), 2);
    assert!(sizes["hv"][1][0].as_f64().unwrap() > 0.0);
    assert_eq!(found["properties"]["sensitive-count:marital"]["mean"][0], 1.6);
    assert!(found["sets"]["wtd"].is_array() && found["sets"]["lex"].is_array() && found["sets"]["goal"].is_array());
}

#[test]
fn shuffled_and_shortened_files_need_an_id() {
    let folder = folder();
    write(&folder.path().join("b.csv"), &T3B, &[10, 9, 7, 6, 5, 3, 2]);
    let compare = ["compare", "original.csv", "a.csv", "b.csv", "--quasi", "zip,age,marital"];
    let error = program(folder.path(), &compare).code(2).get_output().stderr.clone();
    assert!(String::from_utf8(error).unwrap().contains("--id"));
    let found = json(folder.path(), &[&compare[..], &["--id", "id", "--json"]].concat());
    let sizes = &found["properties"]["group-size"];
    // The three missing rows are one suppressed group of three: as large as before, but worth nothing.
    assert_eq!(sizes["cov"], serde_json::json!([[1.0, 0.3], [1.0, 1.0]]));
    assert_eq!(found["properties"]["utility"]["cov"], serde_json::json!([[1.0, 1.0], [0.0, 1.0]]));
}

#[test]
fn wrong_input_is_said_clearly() {
    let folder = folder();
    for (arguments, said) in [
        (vec!["compare", "original.csv", "a.csv", "b.csv"], "--quasi"),
        (vec!["compare", "original.csv", "a.csv", "--quasi", "zip"], "at least two"),
        (vec!["compare", "original.csv", "a.csv", "b.csv", "--quasi", "zap"], "zip"),
        (vec!["compare", "original.csv", "a.csv", "b.csv", "--quasi", "zip", "--id", "marital"], "occurs twice"),
        (vec!["compare", "original.csv", "a.csv", "b.csv", "--quasi", "zip", "--by", "covv"], "did you mean"),
    ] {
        let error = program(folder.path(), &arguments).code(2).get_output().stderr.clone();
        let error = String::from_utf8(error).unwrap();
        assert!(error.contains(said), "{arguments:?}: {error}");
    }
}

#[test]
fn solutions_of_fronts() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (0..200u32)
        .map(|row| {
            let town = ["Aix", "Bonn", "Cork"][(row * row % 7 % 3) as usize];
            format!("{},{town},{}\n", 20 + row * 37 % 41, ["flu", "cold", "gout"][(row % 5 % 3) as usize])
        })
        .collect();
    std::fs::write(folder.path().join("people.csv"), format!("age,town,disease\n{rows}")).unwrap();
    let study = r#"
        data = { path = "people.csv" }
        columns = [
          { name = "age", role = "quasi", kind = "numeric", widths = [5, 10, 20] },
          { name = "town", role = "quasi" },
          { name = "disease", role = "sensitive" },
        ]
    "#;
    std::fs::write(folder.path().join("study.toml"), study).unwrap();
    for optimizer in ["exhaustive", "regions", "mondrian(form=relaxed)"] {
        let explored = ["explore", "study.toml", "--optimizer", optimizer, "--eta", "0.02", "-o", "out", "--quiet"];
        program(folder.path(), &explored).success();
        assert_eq!(folder.path().join("out/regions.json").exists(), optimizer != "exhaustive");
        let front: Value =
            serde_json::from_str(&std::fs::read_to_string(folder.path().join("out/front.json")).unwrap()).unwrap();
        let solutions = front["solutions"].as_array().unwrap();
        assert!(solutions.len() > 1, "{optimizer}");
        let last = solutions.len().to_string();
        let found = json(folder.path(), &["compare", "out", "--solutions", &format!("1,{last}"), "--json"]);
        assert_eq!(found["releases"][1], format!("solution {last}"));
        // The mean of the utility is what the general loss leaves.
        for (at, solution) in [&solutions[0], &solutions[solutions.len() - 1]].into_iter().enumerate() {
            let loss = solution["gl"].as_f64().unwrap() + solution["sl"].as_f64().unwrap();
            let mean = found["properties"]["utility"]["mean"][at].as_f64().unwrap();
            assert!((mean - 2.0 * (1.0 - loss)).abs() < 1e-9, "{optimizer}: {mean} and {loss}");
            if solution["suppressed"] == 0 {
                assert_eq!(found["properties"]["group-size"]["min"][at], solution["k"].as_f64().unwrap());
                assert_eq!(found["properties"]["l"]["min"][at], solution["l"].as_f64().unwrap());
            }
        }
        assert!(solutions[0]["bias"]["curve"].is_array() && solutions[0]["bias"]["below_twice_k"].is_number());
    }
    let error = program(folder.path(), &["compare", "out", "--solutions", "1,999"]).code(2).get_output().stderr.clone();
    assert!(String::from_utf8(error).unwrap().contains("no solution 999"));
}
