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
    let output = program(folder.path(), &[&compare[..], &["--json"]].concat()).success().get_output().clone();
    assert!(String::from_utf8(output.stderr).unwrap().contains("--id"));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["matched"], serde_json::json!(["position", null]));
    assert_eq!(found["properties"]["group-size"]["cov"], Value::Null);
    let found = json(folder.path(), &[&compare[..], &["--id", "id", "--json"]].concat());
    let sizes = &found["properties"]["group-size"];
    // The three missing rows are one suppressed group of three: as large as before, but worth nothing.
    assert_eq!(sizes["cov"], serde_json::json!([[1.0, 0.3], [1.0, 1.0]]));
    assert_eq!(found["properties"]["utility"]["cov"], serde_json::json!([[1.0, 1.0], [0.0, 1.0]]));
}

/// Rows in another order are not taken for the rows at the same place: what compares rows is refused, the rest goes on.
#[test]
fn shuffled_rows_are_not_matched_by_position() {
    let folder = folder();
    write(&folder.path().join("b.csv"), &T3B, &[10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    let compare = ["compare", "original.csv", "a.csv", "b.csv", "--quasi", "zip,age,marital", "--report", "page.html"];
    let output = program(folder.path(), &[&compare[..], &["--json"]].concat()).success().get_output().clone();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("b.csv") && said.contains("--id") && said.contains("row by row"), "{said}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["matched"], serde_json::json!(["position", null]));
    assert!(found["notes"].as_array().unwrap().iter().any(|note| note.as_str().unwrap().contains("b.csv")));
    for property in ["group-size", "utility"] {
        for index in ["cov", "spr", "hv", "rank", "dominance", "better"] {
            assert_eq!(found["properties"][property][index], Value::Null, "{property} {index}");
        }
        assert!(found["properties"][property]["notes"].is_array());
    }
    for index in ["wtd", "lex", "goal", "dominance"] {
        assert_eq!(found["sets"][index], Value::Null, "{index}");
    }
    // What needs no rows is the same as in order.
    let sizes = &found["properties"]["group-size"];
    assert_eq!((&sizes["min"], &sizes["mean"]), (&serde_json::json!([3.0, 3.0]), &serde_json::json!([3.4, 5.8])));
    assert_eq!(sizes["sorted"]["cov"], serde_json::json!([[1.0, 0.3], [1.0, 1.0]]));
    assert_eq!((&found["audits"][0]["k"], &found["audits"][1]["groups"]), (&Value::from(3), &Value::from(2)));
    assert_eq!(found["properties"]["utility"]["mean"][1], Value::Null);
    // In words, and quietly.
    let text = program(folder.path(), &[&compare[..6], &["--quiet"]].concat()).success().get_output().clone();
    assert!(String::from_utf8(text.stdout).unwrap().contains("cannot be compared row by row"));
    assert!(String::from_utf8(text.stderr).unwrap().contains("b.csv"), "this is said in any case");
    // With an id nothing is lost.
    let by_id = json(folder.path(), &[&compare[..6], &["--id", "id", "--json"]].concat());
    assert_eq!(by_id["matched"], serde_json::json!(["id", "id"]));
    assert_eq!(by_id["properties"]["group-size"]["cov"], serde_json::json!([[1.0, 0.3], [1.0, 1.0]]));
}

/// A row of stars is worth nothing, whichever values were seen under the stars.
#[test]
fn starred_rows_are_suppressed_rows() {
    let folder = folder();
    let stars: String = (1..=10)
        .map(|row| match row {
            1 | 4 | 8 => format!("{row},*,*,*\n"),
            _ => format!("{row},{}\n", cells(T3A[row - 1])),
        })
        .collect();
    std::fs::write(folder.path().join("stars.csv"), format!("id,zip,age,marital\n{stars}")).unwrap();
    write(&folder.path().join("short.csv"), &T3A, &[2, 3, 5, 6, 7, 9, 10]);
    let compare =
        ["compare", "original.csv", "stars.csv", "short.csv", "--quasi", "zip,age,marital", "--id", "id", "--json"];
    let found = json(folder.path(), &compare);
    for (name, property) in found["properties"].as_object().unwrap() {
        assert_eq!(property["dominance"][0][1], "weak", "{name}: a starred row is as good as one that is left out");
    }
    assert_eq!(found["properties"]["utility"]["min"], serde_json::json!([0.0, 0.0]));
    // A single star is a suppressed cell and costs it all.
    let one = "id,zip,age,marital\n1,*,28,CF-Spouse\n2,13268,41,Separated\n";
    std::fs::write(folder.path().join("one.csv"), one).unwrap();
    std::fs::write(folder.path().join("two.csv"), one.replace("*,28", "13053,28")).unwrap();
    let found = json(
        folder.path(),
        &["compare", "original.csv", "one.csv", "two.csv", "--quasi", "zip,age,marital", "--id", "id", "--json"],
    );
    assert_eq!(found["properties"]["utility"]["spr"], serde_json::json!([[0.0, 0.0], [1.0, 0.0]]));
}

/// Two solutions, as files and by number, are worth the same to every row: the table has values that a tree knows and the
/// data lacks, rows that are left out for missing values, an ordered sensitive column, and suppressed rows.
#[test]
fn files_of_ours_compare_as_their_solutions() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (0..240u32)
        .map(|row| {
            let town = ["Aix", "Bonn", "Cork"][(row * row % 7 % 3) as usize];
            let age = if row % 50 == 7 { String::new() } else { (20 + row * 37 % 41).to_string() };
            format!("p{row},{age},{town},{}\n", 1 + row * row % 11)
        })
        .collect();
    std::fs::write(folder.path().join("people.csv"), format!("nr,age,town,score\n{rows}")).unwrap();
    std::fs::write(
        folder.path().join("towns.csv"),
        "Aix;south;*\nBonn;south;*\nRome;south;*\nCork;north;*\nOslo;north;*\n",
    )
    .unwrap();
    let study = r#"
        data = { path = "people.csv" }
        columns = [
          { name = "nr", role = "insensitive" },
          { name = "age", role = "quasi", kind = "numeric", range = [0, 100], granularity = 5, groups = [2, 4] },
          { name = "town", role = "quasi", kind = "categorical", taxonomy = "towns.csv" },
          { name = "score", role = "sensitive", kind = "numeric" },
        ]
    "#;
    std::fs::write(folder.path().join("study.toml"), study).unwrap();
    for optimizer in ["exhaustive", "regions"] {
        let explored = ["explore", "study.toml", "--optimizer", optimizer, "--eta", "0.1", "-o", "out", "--quiet"];
        program(folder.path(), &explored).success();
        let front: Value =
            serde_json::from_str(&std::fs::read_to_string(folder.path().join("out/front.json")).unwrap()).unwrap();
        let solutions = front["solutions"].as_array().unwrap();
        let first = solutions.iter().max_by_key(|one| one["suppressed"].as_u64()).unwrap();
        assert!(optimizer == "regions" || first["suppressed"].as_u64() > Some(0));
        let first = first["id"].to_string();
        let second = solutions[solutions.len() - 1]["id"].to_string();
        let by_number = json(folder.path(), &["compare", "out", "--solutions", &format!("{first},{second}"), "--json"]);
        for style in [vec![], vec!["--keep-order"], vec!["--suppressed-rows", "star"]] {
            for (solution, file) in [(&first, "a.csv"), (&second, "b.csv")] {
                let release =
                    ["release", "out", "--solution", solution, "-o", file, "--force", "--quiet", "--allow-k1"];
                program(folder.path(), &[&release[..], &style].concat()).success();
            }
            let compare = ["compare", "people.csv", "a.csv", "b.csv", "--quasi", "age,town", "--sensitive", "score"];
            let by_file = json(folder.path(), &[&compare[..], &["--id", "nr", "--json"]].concat());
            assert_eq!(by_file["rows"], by_number["rows"], "{optimizer} {style:?}");
            for (name, property) in by_number["properties"].as_object().unwrap() {
                assert_eq!(by_file["properties"][name], *property, "{optimizer} {style:?} {name}");
            }
            assert_eq!(by_file["sets"], by_number["sets"], "{optimizer} {style:?}");
            // The same by the private row keys, whatever the order of the rows.
            let by_key = json(folder.path(), &[&compare[..], &["--front", "out", "--json"]].concat());
            assert_eq!(by_key["properties"], by_file["properties"], "{optimizer} {style:?}");
            assert_eq!(by_key["matched"], serde_json::json!(["row-key", "row-key"]));
        }
    }
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

/// Row keys are of one table: a changed one is refused rather than matched with the wrong persons.
#[test]
fn row_keys_of_another_table_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String =
        (0..120u32).map(|row| format!("{},{}\n", 20 + row * 37 % 41, ["m", "f"][(row % 2) as usize])).collect();
    std::fs::write(folder.path().join("people.csv"), format!("age,sex\n{rows}")).unwrap();
    let study = "[data]\npath = \"people.csv\"\n[[columns]]\nname = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\n\
                 widths = [5, 10]\n[[columns]]\nname = \"sex\"\nrole = \"quasi\"\nkind = \"categorical\"\n";
    std::fs::write(folder.path().join("study.toml"), study).unwrap();
    program(folder.path(), &["explore", "study.toml", "-o", "out", "--quiet"]).success();
    for (solution, file) in [("1", "a.csv"), ("2", "b.csv")] {
        program(folder.path(), &["release", "out", "--solution", solution, "-o", file, "--quiet"]).success();
    }
    let compare = ["compare", "people.csv", "a.csv", "b.csv", "--quasi", "age,sex", "--json"];
    assert_eq!(json(folder.path(), &compare)["matched"], serde_json::json!(["row-key", "row-key"]));
    std::fs::write(folder.path().join("people.csv"), format!("age,sex\n{rows}").replacen("20,m", "21,m", 1)).unwrap();
    let refused = program(folder.path(), &compare).failure().code(2);
    let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(said.contains("not the table that a.csv was released from"), "{said}");
}
