//! Whose row a row is: by order, by an id, by keys, or by nothing.

use super::*;

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
