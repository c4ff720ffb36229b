//! `paretonym release` through the real program: what is written, what is not, and what a kill leaves behind.

mod certificate;
mod hiding;
mod kills;
#[path = "../program/mod.rs"]
mod program;

use program::{Folder, group_sizes, studies};

/// A table with every role. The last row is alone with its town, its age and everything else.
fn people(rows: u64) -> String {
    let mut text = "name,age,town,job,disease,note\n".to_owned();
    for row in 0..rows {
        let town = ["Aachen", "Aalen", "Bonn", "Berlin"][(row % 4) as usize];
        let job = ["nurse", "clerk"][(row / 4 % 2) as usize];
        let disease = ["flu", "cold", "gout"][(row * 7 % 3) as usize];
        text += &format!("Person {row},{},{town},{job},{disease},\"note, {row}\"\n", 20 + row * 13 % 40);
    }
    text += "Canaryname Only,987654,Canarytown,clerk,canarypox,canary note\n";
    text
}

const JOBS: &str = "nurse;care;*\nclerk;office;*\n";

fn study() -> String {
    let columns = [
        &studies::plain("name", "identifying"),
        &studies::age("[10, 20]"),
        studies::TOWN,
        studies::JOB_TREE,
        studies::DISEASE,
        &studies::plain("note", "insensitive"),
    ];
    studies::of("people.csv", &columns, "problem = \"max-suppression\"\neta = 0.05\noptimizer = \"exhaustive\"")
}

/// A folder with a front of the people.
fn explored(rows: u64) -> Folder {
    let folder = Folder::new();
    folder.write("people.csv", &people(rows));
    folder.write("job.csv", JOBS);
    folder.write("study.toml", &study());
    folder.run("explore study.toml -o front --quiet");
    folder
}

/// A solution that suppresses some rows and still shows something.
fn suppressing(folder: &Folder) -> u64 {
    let front = folder.json("front/front.json");
    let solutions = front["solutions"].as_array().unwrap();
    let some = |one: &&serde_json::Value| one["suppressed"].as_u64() > Some(0) && one["groups"].as_u64() > Some(1);
    solutions.iter().find(some).expect("a solution suppresses the last row")["id"].as_u64().unwrap()
}

#[test]
fn the_file_holds_what_the_solution_says() {
    let folder = explored(200);
    let front = folder.json("front/front.json");
    for (name, delimiter) in [("out.csv", b','), ("out.tsv", b'\t')] {
        for solution in front["solutions"].as_array().unwrap() {
            let id = &solution["id"];
            let certificate =
                folder.run_json(&format!("release front --solution {id} -o {name} --force --allow-k1 --json"));
            let rows = folder.rows(name, delimiter);
            let groups = group_sizes(&rows, &[0, 1, 2]);
            assert_eq!(rows[0].len(), 5, "the names are gone");
            assert_eq!(groups.values().min(), solution["k"].as_u64().as_ref());
            assert_eq!(rows.len() as u64, 201 - solution["suppressed"].as_u64().unwrap());
            assert_eq!(groups.len() as u64, solution["groups"].as_u64().unwrap());
            assert_eq!(certificate["k"], solution["k"]);
            assert_eq!(folder.exact(name)["gl"].as_f64().map(round), solution["gl"].as_f64().map(round));
            for key in ["gl", "sl"] {
                let (told, exact) = (certificate[key].as_f64().unwrap(), solution[key].as_f64().unwrap());
                assert!(told >= exact - 1e-9 && told < exact + 0.01, "{key}: {told} for {exact}");
                assert_eq!((told * 100.0).round() / 100.0, told, "two digits");
            }
            // Insensitive cells are as they were, commas and all.
            let mut notes: Vec<&str> = rows.iter().map(|row| row[4].as_str()).collect();
            notes.sort_unstable();
            notes.dedup();
            assert_eq!(notes.len(), rows.len());
            assert!(notes.iter().all(|note| note.starts_with("note, ") || *note == "canary note"));
        }
    }
}

fn round(value: f64) -> i64 {
    (value * 1e9).round() as i64
}

#[test]
fn the_recoding_lists_what_every_value_became() {
    let folder = explored(200);
    let id = suppressing(&folder);
    folder.run(&format!(
        "release front --solution {id} -o out.csv --keep-order --allow-k1 --suppressed-rows star --quiet"
    ));
    let recoding = folder.whole_recoding("out.csv");
    let original = folder.rows("people.csv", b',');
    let released = folder.rows("out.csv", b',');
    assert_eq!(original.len(), released.len());
    for (before, after) in original.iter().zip(&released) {
        if after[0] == "*" && after[1] == "*" && after[2] == "*" && after[3].is_empty() {
            continue;
        }
        let towns = recoding["columns"][1]["mapping"]["values"].as_array().unwrap();
        let town = towns.iter().find(|one| one["value"] == before[2].as_str()).unwrap();
        assert_eq!(town["label"], after[1].as_str());
        let ages = recoding["columns"][0]["mapping"]["numbers"].as_array().unwrap();
        let age = ages.iter().find(|one| one["value"].as_f64() == before[1].parse().ok()).unwrap();
        assert_eq!(age["label"], after[0].as_str());
    }
}

#[test]
fn tokens_are_one_per_value_and_new_in_every_release() {
    let folder = Folder::new();
    let table = people(40).replace("Person 3,", "Person 2,");
    folder.write("people.csv", &table);
    folder.write("job.csv", JOBS);
    folder.write("study.toml", &study());
    folder.run("explore study.toml -o front --quiet --problem zero-suppression");
    let tokens = |name: &str| -> Vec<String> {
        folder.run(&format!("release front --solution 1 -o {name} --tokens --keep-order --quiet"));
        folder.rows(name, b',').into_iter().map(|mut row| row.remove(0)).collect()
    };
    let (one, two) = (tokens("a.csv"), tokens("b.csv"));
    assert_eq!(one[2], one[3], "equal values have equal tokens");
    let mut distinct = one.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 40);
    assert!(one.iter().all(|token| !two.contains(token)));
}

#[test]
fn parquet_keeps_the_types_of_untouched_columns() {
    let folder = explored(100);
    let zero = folder.json("front/front.json")["solutions"].as_array().unwrap().len();
    folder.run(&format!("release front --solution {zero} -o out.parquet --keep-order --allow-k1 --quiet"));
    // The release is a table like any other: it can be audited, and a study of it can be drafted.
    let audit = folder.run_json("audit out.parquet --quasi age,town,job --sensitive disease --json");
    assert_eq!(audit["rows"], folder.json("out.parquet.certificate.json")["output"]["rows"]);
    assert!(folder.run("init out.parquet --print").contains("name = \"note\""));
}

#[test]
fn rows_with_missing_values_are_counted_apart() {
    let folder = Folder::new();
    folder.write("people.csv", &(people(60) + "X,,Bonn,nurse,flu,a\nY,30,Bonn,nurse,,b\nZ,30,Bonn,nurse,flu,\n"));
    folder.write("job.csv", JOBS);
    folder.write("study.toml", &study());
    folder.run("explore study.toml -o front --quiet");
    let certificate = folder.run_json("release front --solution 1 -o out.csv --json");
    assert_eq!(folder.exact("out.csv")["dropped_for_missing"], 2, "a missing note is not a missing value of the study");
    assert_eq!(certificate["dropped_for_missing"], 10, "rounded up for everybody");
    let exact: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.private("out.csv", "exact.json")).unwrap()).unwrap();
    assert_eq!(exact["original"]["rows"], 64);
    assert_eq!(folder.rows("out.csv", b',').len() as u64, certificate["output"]["rows"].as_u64().unwrap());
    assert!(folder.read("out.csv.certificate.md").contains("At most 10 rows with missing values"));
}

#[test]
fn a_changed_table_is_not_released() {
    let folder = explored(100);
    let mut text = people(100);
    text += "Somebody,21,Bonn,nurse,flu,new\n";
    folder.write("people.csv", &text);
    let said = folder.refuse("release front --solution 1 -o out.csv");
    assert!(said.contains("has changed") && said.contains("explore again"), "{said}");
    assert!(!folder.names().iter().any(|name| name.starts_with("out.csv") || name.starts_with(".paretonym")));
}

#[test]
fn a_front_that_claims_too_much_is_not_released() {
    let folder = explored(100);
    let mut front = folder.json("front/front.json");
    let k = front["solutions"][2]["k"].as_u64().unwrap();
    front["solutions"][2]["k"] = (k + 1).into();
    folder.write("front/front.json", &front.to_string());
    let said = folder.refuse("release front --solution 3 -o out.csv");
    assert!(said.contains("front.json") && said.contains("explore again"), "{said}");
    assert!(!folder.at("out.csv").exists());
}

#[test]
fn mistakes_are_explained() {
    let folder = explored(50);
    assert!(folder.refuse("release front --solution 999 -o out.csv").contains("no solution 999"));
    assert!(folder.refuse("release front --solution 1 -o out.xlsx").contains(".csv, .tsv or .parquet"));
    assert!(folder.refuse("release nowhere --solution 1 -o out.csv").contains("front.json"));
    folder.run("release front --solution 1 -o out.csv --quiet");
    assert!(folder.refuse("release front --solution 1 -o out.csv").contains("--force"));
    // All columns at the top: a row of stars would look like the rest.
    assert!(folder.refuse("release front --solution 1 -o s.csv --suppressed-rows star").contains("only stars"));
}
