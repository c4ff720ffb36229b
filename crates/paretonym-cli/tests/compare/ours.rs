//! Files of ours, and solutions of fronts.

use super::*;

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
