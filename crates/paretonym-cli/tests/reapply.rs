//! `paretonym reapply` through the real program.

mod program;

use program::{Folder, group_sizes, studies};

fn study() -> String {
    let columns =
        [&studies::plain("id", "identifying"), &studies::age("[10, 20]"), studies::JOB_TREE, studies::DISEASE];
    studies::of("first.csv", &columns, "problem = \"max-suppression\"\neta = 0.1\noptimizer = \"exhaustive\"")
}

fn table(rows: u64, shift: u64) -> String {
    let mut text = "id,age,job,disease\n".to_owned();
    for row in 0..rows {
        let job = ["nurse", "doctor", "clerk"][(row * row % 7 % 3) as usize];
        let disease = ["flu", "cold", "gout", "asthma"][((row + shift) * 5 % 11 % 4) as usize];
        text += &format!("{row},{},{job},{disease}\n", 20 + (row + shift) * 17 % 50);
    }
    text
}

/// A folder with a release of the first table, and a second table.
fn released() -> Folder {
    released_within("")
}

/// The same with more lines in the study.
fn released_within(lines: &str) -> Folder {
    let folder = Folder::new();
    folder.write("first.csv", &table(300, 0));
    folder.write("second.csv", &table(160, 3));
    folder.write("job.csv", "nurse;care;*\ndoctor;care;*\nclerk;office;*\n");
    folder.write("study.toml", &format!("{}\n{lines}", study().trim_end()));
    folder.run("explore study.toml -o front --quiet");
    let front = folder.json("front/front.json");
    let solutions = front["solutions"].as_array().unwrap();
    let middle = solutions.iter().find(|one| one["groups"].as_u64() > Some(5)).unwrap();
    folder.run(&format!("release front --solution {} -o first-out.csv --quiet", middle["id"]));
    folder
}

#[test]
fn floors_of_the_study_hold_for_later_tables() {
    let folder = released_within("at_least = { k = 4, distinct-l = 3 }\n");
    // So few rows that some groups are too small.
    folder.write("second.csv", &table(40, 3));
    folder.run("reapply first-out.csv.recoding.json second.csv -o out.csv --k 1 --allow-k1 --quiet");
    let rows = folder.rows("out.csv", b',');
    let groups = group_sizes(&rows, &[0, 1]);
    assert!(groups.values().all(|size| *size >= 4), "{groups:?}");
    for group in groups.keys() {
        let inside = rows.iter().filter(|row| row[..2] == group[..]);
        let diseases: std::collections::BTreeSet<&String> = inside.map(|row| &row[2]).collect();
        assert!(diseases.len() >= 3, "{group:?}: {diseases:?}");
    }
    assert!(folder.exact("out.csv")["suppressed"].as_u64() > Some(0), "some groups of the later table miss a floor");
}

#[test]
fn the_same_sets_with_k_enforced() {
    let folder = released();
    let labels = |name: &str, column: usize| {
        let mut labels: Vec<String> = folder.rows(name, b',').into_iter().map(|mut row| row.remove(column)).collect();
        labels.sort();
        labels.dedup();
        labels
    };
    for k in [1, 5, 12, 20] {
        let command =
            format!("reapply first-out.csv.recoding.json second.csv -o out.csv --k {k} --allow-k1 --force --json");
        let certificate = folder.run_json(&command);
        let rows = folder.rows("out.csv", b',');
        let groups = group_sizes(&rows, &[0, 1]);
        assert!(groups.values().all(|size| *size >= k));
        assert_eq!(certificate["k"].as_u64().as_ref(), groups.values().min());
        assert_eq!(rows.len() as u64, 160 - folder.exact("out.csv")["suppressed"].as_u64().unwrap());
        let known = labels("first-out.csv", 0);
        assert!(labels("out.csv", 0).iter().all(|label| known.contains(label)));
        let fresh = &certificate["reapplied"]["fresh"];
        assert_eq!(fresh["exact"], true);
        assert!(fresh["k"].as_u64() >= Some(k));
        assert!(fresh["ratio"].as_f64().unwrap() > 1.0 - 1e-9, "nothing beats the optimum: {fresh}");
    }
    let text = folder.run("reapply first-out.csv.recoding.json second.csv -o text.csv --k 5");
    assert!(text.contains("fresh optimum") && text.contains("this recoding"), "{text}");
}

#[test]
fn l_and_t_are_enforced_too() {
    let folder = released();
    let run = |options: &str| {
        folder.run_json(&format!(
            "reapply first-out.csv.recoding.json second.csv -o out.csv --force --no-fresh --json {options}"
        ))
    };
    let plain = run("--k 2");
    let diverse = run("--k 2 --l 2");
    assert!(diverse["l"]["disease"]["frequency"].as_u64() >= Some(2));
    assert!(diverse["suppressed"].as_u64() >= plain["suppressed"].as_u64());
    let close = run("--k 2 --t 0.2");
    assert!(close["t"]["disease"].as_f64().unwrap() <= 0.2);
    assert!(close["reapplied"]["fresh"].is_null());
}

#[test]
fn unknown_values_are_a_choice() {
    let folder = released();
    folder.write("third.csv", &(table(100, 1) + "x,71.5,nurse,flu\ny,44,clerk,flu\n"));
    let command = "reapply first-out.csv.recoding.json third.csv -o out.csv --k 3 --no-fresh --json --force";
    let said = folder.refuse(command);
    assert!(said.contains("71.5") && said.contains("--unknown nearest"), "{said}");
    assert!(!folder.at("out.csv").exists());
    let exact = |command: &str| {
        folder.run_json(command);
        folder.exact("out.csv")
    };
    let nearest = exact(&format!("{command} --unknown nearest"));
    assert_eq!(nearest["reapplied"]["moved_values"]["age"], 1);
    assert_eq!(nearest["reapplied"]["unknown_rows"], 0);
    let suppressed = exact(&format!("{command} --unknown suppress"));
    assert_eq!(suppressed["reapplied"]["unknown_rows"], 1);
    // Its row goes, and with it perhaps a group that needed it.
    assert!(suppressed["suppressed"].as_u64() > nearest["suppressed"].as_u64());

    folder.write("fourth.csv", &(table(100, 1) + "x,30,pilot,flu\n"));
    let command = "reapply first-out.csv.recoding.json fourth.csv -o out.csv --k 3 --no-fresh --json --force";
    assert!(folder.refuse(&format!("{command} --unknown nearest")).contains("not numeric"));
    assert_eq!(exact(&format!("{command} --unknown suppress"))["reapplied"]["unknown_rows"], 1);
}

#[test]
fn the_private_part_is_looked_for_and_asked_for() {
    let folder = released();
    std::fs::create_dir(folder.at("sent")).unwrap();
    for name in ["first-out.csv.recoding.json", "second.csv"] {
        std::fs::copy(folder.at(name), folder.at("sent").join(name)).unwrap();
    }
    let options = "-o later.csv --k 3 --no-fresh --force --quiet";
    // Beside the recoding, in the working folder, and where --front says.
    folder.run(&format!("reapply first-out.csv.recoding.json second.csv {options}"));
    folder.run(&format!("reapply sent/first-out.csv.recoding.json second.csv {options}"));
    let elsewhere = tempfile::tempdir().unwrap();
    let run = |arguments: &str| {
        let mut command = folder.command(arguments);
        command.current_dir(elsewhere.path()).output().unwrap()
    };
    let recoding = folder.at("sent/first-out.csv.recoding.json");
    std::fs::copy(&recoding, elsewhere.path().join("r.json")).unwrap();
    let data = folder.at("second.csv").display().to_string();
    let refused = run(&format!("reapply r.json {data} {options}"));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("private") && said.contains("--front"), "{said}");
    let front = folder.at("front").display().to_string();
    assert!(run(&format!("reapply r.json {data} --front {front} {options}")).status.success());
    // A recoding that leads elsewhere leads nowhere.
    let text = folder.read("sent/first-out.csv.recoding.json");
    let id = folder.json("sent/first-out.csv.recoding.json")["id"].as_str().unwrap().to_owned();
    folder.write("forged.json", &text.replace(&id, "../../../../../../etc/passwd"));
    assert!(folder.refuse(&format!("reapply forged.json second.csv {options}")).contains("id of a release"));
}

#[test]
fn whole_recodings_of_earlier_versions_can_be_used() {
    let folder = released();
    let mut whole = folder.whole_recoding("first-out.csv");
    whole["format"] = "paretonym-recoding/1".into();
    whole.as_object_mut().unwrap().remove("id");
    folder.write("old.json", &whole.to_string());
    folder.run("reapply old.json second.csv -o later.csv --k 3 --no-fresh --quiet");
    whole["format"] = "paretonym-recoding/0".into();
    folder.write("older.json", &whole.to_string());
    assert!(folder.refuse("reapply older.json second.csv -o x.csv").contains("release the table again"));
}

#[test]
fn mistakes_are_explained() {
    let folder = released();
    assert!(folder.refuse("reapply first-out.csv second.csv -o out.csv").contains("recoding.json"));
    assert!(folder.refuse("reapply first-out.csv.recoding.json none.csv -o out.csv").contains("none.csv"));
    let said = folder.refuse("reapply first-out.csv.recoding.json second.csv -o out.csv --k 1000");
    assert!(said.contains("no group of the table reaches k = 1000"), "{said}");
    folder.write("short.csv", "id,age,disease\n1,20,flu\n2,20,flu\n");
    assert!(folder.refuse("reapply first-out.csv.recoding.json short.csv -o out.csv").contains("job"));
}
