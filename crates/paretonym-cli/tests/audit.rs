//! `paretonym audit` through the real program.

mod program;

use program::Folder;
use serde_json::json;

/// Three groups of 2, 3 and 1 rows.
const PATIENTS: &str = "age,zip,disease,pay\n\
    20-29,130**,flu,10\n\
    20-29,130**,cold,20\n\
    30-39,148**,flu,30\n\
    30-39,148**,flu,30\n\
    30-39,148**,gout,40\n\
    40-49,130**,flu,10\n";

fn close(value: &serde_json::Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < 1e-9, "{value} is not {expected}");
}

#[test]
fn every_measure_of_a_small_file() {
    let folder = Folder::new();
    folder.write("a.csv", PATIENTS);
    let audit = folder.run_json("audit a.csv --quasi age,zip --sensitive disease,pay --threshold 0.4 --json");
    assert_eq!(audit["rows"], 6);
    assert_eq!(audit["groups"], 3);
    assert_eq!(audit["k"], 1);
    close(&audit["average_group"], 2.0);
    close(&audit["weighted_k"], 14.0 / 6.0);
    close(&audit["necd"], 2.0 / 5.0);
    close(&audit["discernibility"], 14.0);
    let risk = &audit["risk"];
    close(&risk["highest"], 1.0);
    close(&risk["average"], 0.5);
    close(&risk["share_of_unique_rows"], 1.0 / 6.0);
    close(&risk["share_over_threshold"], 0.5);
    close(&risk["marketer"], 0.5);
    let l = &audit["l"]["disease"];
    assert_eq!((&l["frequency"], &l["distinct"], &l["recursive"]), (&json!(1), &json!(1), &json!(1)));
    close(&l["entropy"], 1.0);
    close(&audit["alpha"]["disease"], 1.0);
    // flu 4/6, cold 1/6, gout 1/6; the group of one has flu alone.
    close(&audit["t"]["disease"], 1.0 / 3.0);
    assert_eq!(audit["t_distance"], json!({"disease": "nominal", "pay": "ordered"}));
    // 10, 20, 30, 40 with shares 2/6, 1/6, 2/6, 1/6: the group of one has 10 alone and carries 4/6, 3/6, 1/6.
    close(&audit["t"]["pay"], (4.0 / 6.0 + 3.0 / 6.0 + 1.0 / 6.0) / 3.0);
    assert_eq!(audit["group_sizes"].as_array().unwrap().len(), 3);
}

#[test]
fn the_columns_that_drive_the_risk_and_the_rows_below_k() {
    let folder = Folder::new();
    folder.write("a.csv", PATIENTS);
    let audit = folder.run_json("audit a.csv --quasi age,zip,pay --below 2 --json");
    let worst = &audit["combinations"][0];
    assert_eq!((&worst["columns"], &worst["unique_rows"]), (&json!(["age", "pay"]), &json!(4)));
    assert_eq!(audit["combinations"].as_array().unwrap().len(), 7);
    assert_eq!(audit["below"], json!({"k": 2, "rows": [1, 2, 5, 6]}));
    assert!(audit["l"].is_null() && audit["t"].is_null());
    let text = folder.run("audit a.csv --quasi age,zip,pay --below 2");
    assert!(text.contains("rows 1, 2, 5, 6"), "{text}");
}

#[test]
fn a_population_lowers_the_journalists_risk_only() {
    let folder = Folder::new();
    folder.write("a.csv", PATIENTS);
    folder.write("all.csv", &format!("{PATIENTS}40-49,130**,flu,10\n40-49,130**,cold,10\n20-29,130**,flu,10\n"));
    let audit = folder.run_json("audit a.csv --quasi age,zip --population all.csv --json");
    close(&audit["risk"]["prosecutor"]["highest"], 1.0);
    close(&audit["risk"]["journalist"]["highest"], 1.0 / 3.0);
    close(&audit["risk"]["marketer"], (2.0 / 3.0 + 3.0 / 3.0 + 1.0 / 3.0) / 6.0);
    assert_eq!(audit["risk"]["population"], 9);
}

#[test]
fn rows_of_stars_can_be_left_out() {
    let folder = Folder::new();
    folder.write("a.csv", "age,zip\n1,*\n1,*\n*,*\n");
    assert_eq!(folder.run_json("audit a.csv --quasi age,zip --json")["k"], 1);
    let audit = folder.run_json("audit a.csv --quasi age,zip --ignore-suppressed --json");
    assert_eq!((&audit["k"], &audit["rows"], &audit["suppressed_rows"]), (&json!(2), &json!(2), &json!(1)));
}

#[test]
fn mistakes_are_explained() {
    let folder = Folder::new();
    folder.write("a.csv", PATIENTS);
    assert!(folder.refuse("audit a.csv --quasi age,zap").contains("did you mean \"zip\"?"));
    assert!(folder.refuse("audit a.csv --quasi age,age").contains("twice"));
    assert!(folder.refuse("audit a.csv --quasi age --sensitive age").contains("quasi and as sensitive"));
    assert!(folder.refuse("audit b.csv --quasi age").contains("b.csv"));
    assert!(folder.refuse("audit a.csv --quasi age --threshold 20").contains("from 0 to 1"));
    assert!(folder.refuse("audit a.csv --quasi age --sensitive pay --ordered pey").contains("pay"));
}
