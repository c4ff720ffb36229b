//! Fronts of local recoding through the real program: released, counted again, used again, audited, compared.

mod program;

use std::collections::{BTreeMap, BTreeSet};

use program::{Folder, adult, group_sizes, studies};
use serde_json::Value;

fn study() -> String {
    let columns = [
        &studies::plain("name", "identifying"),
        "name = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\nrecode = \"breaks\"\n",
        &studies::JOB_TREE.replace("levels", "cuts"),
        studies::TOWN,
        studies::DISEASE,
    ];
    studies::of(
        "first.csv",
        &columns,
        "problem = \"max-suppression\"\neta = 0.05\noptimizer = \"regions\"\ncells = \"sets\"",
    )
}

const JOBS: [(&str, &str); 5] =
    [("nurse", "care"), ("doctor", "care"), ("clerk", "office"), ("judge", "office"), ("cook", "kitchen")];

fn table(rows: u64, shift: u64) -> String {
    let mut text = "name,age,job,town,disease\n".to_owned();
    for row in 0..rows {
        let at = row + shift;
        let job = JOBS[(at * at % 13 % 5) as usize].0;
        let town = ["Aix", "Bonn", "Cork", "Dover"][(at * 7 % 11 % 4) as usize];
        let disease = ["flu", "cold", "gout", "asthma"][(at * 5 % 17 % 4) as usize];
        text += &format!("Person {row},{},{job},{town},{disease}\n", 20 + at * at * 3 % 41);
    }
    text
}

/// A folder with a front of local recodings, one row of which is alone with its values.
fn explored(options: &str) -> Folder {
    let folder = Folder::new();
    folder.write("first.csv", &(table(300, 0) + "Canaryname,987654,cook,Canarytown,canarypox\n"));
    folder.write("job.csv", &JOBS.map(|(job, branch)| format!("{job};{branch};*\n")).concat());
    folder.write("study.toml", &study());
    folder.run(&format!("explore study.toml -o front --quiet {options}"));
    folder
}

fn solutions(folder: &Folder) -> Vec<Value> {
    folder.front("front")["solutions"].as_array().unwrap().clone()
}

/// Whether a label says the truth about a value.
fn covers(label: &str, value: &str) -> bool {
    let below = |node: &str| JOBS.iter().any(|(job, branch)| *job == value && *branch == node);
    if label == "*" || label == value || below(label) {
        return true;
    }
    let inside: Vec<&str> = label.trim_matches(['{', '}', '[', ']']).split(", ").collect();
    match value.parse::<f64>() {
        Ok(number) if label.starts_with('[') => {
            let ends: Vec<f64> = inside.iter().map(|end| end.parse().unwrap()).collect();
            (ends[0]..=ends[1]).contains(&number)
        }
        _ => inside.contains(&value) || (label.ends_with('*') && value.starts_with(label.trim_end_matches('*'))),
    }
}

#[test]
fn every_cell_shows_what_covers_it() {
    for options in
        ["", "--privacy frequency-l", "--privacy t", "--eta 0", "--problem kl-safety", "--loss discernibility"]
    {
        let folder = explored(options);
        let original = folder.rows("first.csv", b',');
        for solution in solutions(&folder).iter().step_by(3) {
            let id = &solution["id"];
            let run = format!("release front --solution {id} -o out.csv --keep-order --allow-k1 --force --json");
            let star = folder.try_run(&format!("{run} --suppressed-rows star"));
            let certificate: Value = match star.status.success() {
                true => serde_json::from_slice(&star.stdout).unwrap(),
                // All cells of a box may be stars.
                false => folder.run_json(&run),
            };
            assert_eq!(certificate["k"], solution["k"], "{options} {id}");
            assert!((folder.exact("out.csv")["gl"].as_f64().unwrap() - solution["gl"].as_f64().unwrap()).abs() < 1e-9);
            let rows = folder.rows("out.csv", b',');
            let shown: Vec<Vec<String>> = rows.iter().filter(|row| !row[3].is_empty()).cloned().collect();
            let groups = group_sizes(&shown, &[0, 1, 2]);
            assert_eq!(groups.values().min(), solution["k"].as_u64().as_ref());
            assert_eq!(groups.len() as u64, solution["groups"].as_u64().unwrap());
            assert_eq!(shown.len() as u64, 301 - solution["suppressed"].as_u64().unwrap());
            if rows.len() == original.len() {
                for (before, after) in original.iter().zip(&rows).filter(|(_, after)| !after[3].is_empty()) {
                    assert!((0..3).all(|at| covers(&after[at], &before[at + 1])), "{before:?} is shown as {after:?}");
                }
            }
            let audit =
                folder.run_json("audit out.csv --quasi age,job,town --sensitive disease --ignore-suppressed --json");
            assert_eq!((&audit["k"], &audit["groups"]), (&solution["k"], &solution["groups"]));
        }
    }
}

/// The boxes of a saved recoding, as the values that each holds in each column.
fn boxes(recoding: &Value) -> Vec<Vec<BTreeSet<String>>> {
    let columns = recoding["columns"].as_array().unwrap();
    let held = |column: &Value, set: &Value| -> BTreeSet<String> {
        let runs = column["sets"][set.as_u64().unwrap() as usize]["holds"].as_array().unwrap();
        let positions = runs.iter().flat_map(|run| run[0].as_u64().unwrap()..=run[1].as_u64().unwrap());
        positions.map(|at| column["leaves"][at as usize].as_str().unwrap().to_owned()).collect()
    };
    let boxes = recoding["regions"]["boxes"].as_array().unwrap().iter();
    boxes.map(|sets| columns.iter().zip(sets.as_array().unwrap()).map(|(c, set)| held(c, set)).collect()).collect()
}

#[test]
fn the_saved_boxes_are_the_release() {
    let folder = explored("--eta 0.02");
    let middle = &solutions(&folder)[3];
    folder.run(&format!("release front --solution {} -o out.csv --allow-k1 --quiet", middle["id"]));
    let recoding = folder.whole_recoding("out.csv");
    assert_eq!(recoding["regions"]["overlap"], false);
    let boxes = boxes(&recoding);
    let mut sizes = vec![0u64; boxes.len()];
    for row in folder.rows("first.csv", b',') {
        let inside =
            |held: &Vec<BTreeSet<String>>| held.iter().zip(&row[1..]).all(|(held, value)| held.contains(value));
        let own: Vec<usize> = (0..boxes.len()).filter(|at| inside(&boxes[*at])).collect();
        assert!(own.len() <= 1, "a row lies in {} boxes", own.len());
        own.iter().for_each(|at| sizes[*at] += 1);
    }
    assert_eq!(sizes.iter().min(), middle["k"].as_u64().as_ref());
    assert_eq!(sizes.len() as u64, middle["groups"].as_u64().unwrap());
    let tables = folder.private("out.csv", "values/00-regions.csv");
    let listed = folder.rows(tables.strip_prefix(folder.path()).unwrap().to_str().unwrap(), b',');
    assert_eq!(listed.len(), boxes.len());
    let shown = group_sizes(&folder.rows("out.csv", b','), &[0, 1, 2]);
    assert!(listed.iter().all(|row| shown.contains_key(&row[1..])));
    assert!(std::fs::read_to_string(folder.private("out.csv", "recoding.sql")).unwrap().contains("END AS region"));
}

#[test]
fn nodes_tell_no_more_than_the_release() {
    let folder = explored("");
    folder.write("study.toml", &study().replace("cells = \"sets\"\n", ""));
    folder.run("explore study.toml -o front --quiet");
    let all = solutions(&folder);
    folder.run(&format!("release front --solution {} -o out.csv --allow-k1 --quiet", all[all.len() / 2]["id"]));
    let recoding = folder.whole_recoding("out.csv");
    assert_eq!(recoding["regions"]["overlap"], true);
    for set in recoding["columns"][1]["sets"].as_array().unwrap() {
        let whole = match set["label"].as_str().unwrap() {
            "*" => 5,
            "care" | "office" => 2,
            _ => 1,
        };
        let held: u64 = set["holds"]
            .as_array()
            .unwrap()
            .iter()
            .map(|run| run[1].as_u64().unwrap() - run[0].as_u64().unwrap() + 1)
            .sum();
        assert_eq!(held, whole, "{set}");
    }
    assert!(std::fs::read_to_string(folder.private("out.csv", "recoding.sql")).unwrap().contains("Regions overlap"));
}

#[test]
fn a_later_table_goes_into_the_same_boxes() {
    let folder = explored("--eta 0.02");
    let all = solutions(&folder);
    let fine = all.iter().find(|one| one["groups"].as_u64() > Some(20)).unwrap();
    folder.run(&format!("release front --solution {} -o out.csv --allow-k1 --quiet", fine["id"]));
    // The same table gives the same release.
    let again =
        folder.run_json("reapply out.csv.recoding.json first.csv -o same.csv --unknown suppress --allow-k1 --json");
    let first = folder.json("out.csv.certificate.json");
    for key in ["k", "suppressed", "group_sizes", "gl"] {
        assert_eq!(again[key], first[key], "{key}");
    }

    folder.write("second.csv", &table(250, 1000));
    let command = "reapply out.csv.recoding.json second.csv -o later.csv --force --k 4 --no-fresh --json";
    let said = folder.refuse(command);
    assert!(said.contains("no region") && said.contains("--unknown nearest"), "{said}");
    let known: BTreeMap<Vec<String>, u64> = group_sizes(&folder.rows("out.csv", b','), &[0, 1, 2]);
    let mut kept = Vec::new();
    for rule in ["suppress", "nearest"] {
        let certificate = folder.run_json(&format!("{command} --unknown {rule}"));
        let groups = group_sizes(&folder.rows("later.csv", b','), &[0, 1, 2]);
        assert!(groups.values().all(|size| *size >= 4));
        assert_eq!(certificate["k"].as_u64().as_ref(), groups.values().min());
        assert!(groups.keys().all(|cells| known.contains_key(cells)), "a later release shows no new box");
        let again = &certificate["reapplied"];
        assert_eq!(again["moved_rows"].as_u64() > Some(0), rule == "nearest");
        assert_eq!(again["unknown_rows"].as_u64() > Some(0), rule == "suppress");
        kept.push(certificate["output"]["rows"].as_u64().unwrap());
    }
    assert!(kept[0] < kept[1]);
    // With a fresh search beside it.
    let text = folder.run("reapply out.csv.recoding.json second.csv -o text.csv --k 4 --unknown nearest");
    assert!(text.contains("best of a fresh search") && text.contains("show the nearest one"), "{text}");
}

#[test]
fn solutions_of_a_front_can_be_compared() {
    let folder = explored("");
    let all = solutions(&folder);
    let (one, two) = (&all[1], &all[all.len() - 2]);
    let found = folder.run_json(&format!("compare front --solutions {},{} --json", one["id"], two["id"]));
    let means = &found["properties"]["group-size"]["mean"];
    assert!(means[0].as_f64() > means[1].as_f64(), "{means}");
    assert!(found["properties"]["group-size"]["cov"][0][1].as_f64() > Some(0.5));
}

#[test]
fn nothing_of_a_suppressed_row_is_anywhere() {
    let families = ["levels", "breaks", "cuts", "regions"];
    for family in families {
        let study = match family {
            "levels" => {
                study().replace("\"breaks\"", "\"levels\"\nwidths = [10, 20]").replace("\"cuts\"", "\"levels\"")
            }
            "breaks" => {
                study().replace("hierarchy = \"prefix\"\n", "").replace("recode = \"levels\"", "recode = \"breaks\"")
            }
            _ => study().replace("\"levels\"", "\"cuts\""),
        };
        let optimizer = match family {
            "levels" => "exhaustive",
            "regions" => "regions",
            _ => "nsga2\"\ngenerations = 30\npopulation = 40\nform = \"joint",
        };
        let folder = explored("");
        // By width, the one large number costs so much that its row goes.
        let loss = if family == "regions" { "loss = \"general(numeric=interval)\"\n" } else { "" };
        folder.write("study.toml", &(study.replace("regions", optimizer) + loss));
        folder.run("explore study.toml -o front --quiet");
        let all = solutions(&folder);
        let some = |one: &&Value| one["suppressed"].as_u64() > Some(0) && one["groups"].as_u64() > Some(1);
        let gone: Vec<&Value> = all.iter().filter(some).collect();
        assert!(!gone.is_empty(), "{family}: the last row is suppressed somewhere");
        let mut looked = 0;
        for solution in gone {
            let name = ["out.csv", "out.tsv", "out.parquet"][looked % 3];
            let run = format!("release front --solution {} -o {name} --allow-k1 --force", solution["id"]);
            let said = folder.run(&run);
            // A recoding wide enough may keep the last row among others, which is not what is looked for.
            let kept = folder.read(&format!("{name}.certificate.json"));
            let sensitive = String::from_utf8_lossy(&std::fs::read(folder.at(name)).unwrap()).contains("canarypox");
            if sensitive {
                continue;
            }
            looked += 1;
            let audit = folder.run(&format!("audit {name} --quasi age,job,town --sensitive disease --below 50"));
            // A report of breaks or cuts says which values they join, in all solutions, of which some keep the last row.
            let says_values = matches!(family, "breaks" | "cuts");
            let report = if says_values { String::new() } else { folder.read("front/report.html") };
            let mut texts = vec![("output", said), ("certificate", kept), ("audit", audit), ("report", report)];
            for ending in ["certificate.md", "recoding.json"] {
                texts.push((ending, folder.read(&format!("{name}.{ending}"))));
            }
            texts.push(("release", String::from_utf8_lossy(&std::fs::read(folder.at(name)).unwrap()).into_owned()));
            for canary in ["canary", "987654"] {
                let told = texts.iter().find(|(_, text)| text.to_lowercase().contains(canary));
                assert!(told.is_none(), "{family}: {canary} is in the {}", told.unwrap().0);
            }
        }
        assert!(looked > 0, "{family}: some solution suppresses the last row");
    }
}

#[test]
fn boxes_of_another_front_are_refused() {
    let folder = explored("");
    let mut regions = folder.json("front/regions.json");
    regions["columns"][0]["sets"][0]["leaves"][0][1] = 100_000.into();
    folder.write("front/regions.json", &regions.to_string());
    assert!(folder.refuse("release front --solution 1 -o out.csv").contains("explore again"));
    std::fs::remove_file(folder.at("front/regions.json")).unwrap();
    assert!(folder.refuse("release front --solution 1 -o out.csv").contains("regions.json"));
}

#[test]
fn adult_is_released_at_the_k_it_claims() {
    let Some(data) = adult() else { return };
    let folder = Folder::new();
    let preset = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/preset/adult");
    for entry in std::fs::read_dir(&preset).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.at(path.file_name().unwrap().to_str().unwrap())).unwrap();
    }
    let study = folder.read("study.toml");
    let study = study.replace("{path}", data.canonicalize().unwrap().to_str().unwrap());
    let study = study.replace("recode = \"levels\"\nwidths = [5, 10, 20]", "recode = \"breaks\"");
    let study = study.replace("taxonomy = \"education.csv\"\n", "").replace("\"exact\"", "\"regions\"");
    folder.write("study.toml", &study);
    folder.run("explore study.toml -o front --eta 0 --quiet");
    let quasi = "age,workclass,education,marital-status,occupation,race,sex,native-country,salary-class";
    for solution in solutions(&folder).iter().step_by(10) {
        let run = format!("release front --solution {} -o out.csv --allow-k1 --force --json", solution["id"]);
        let certificate = folder.run_json(&run);
        let audit = folder.run_json(&format!("audit out.csv --quasi {quasi} --combinations 0 --json"));
        let sizes = group_sizes(&folder.rows("out.csv", b','), &[0, 1, 3, 5, 6, 8, 9, 13, 14]);
        assert_eq!(sizes.values().min(), solution["k"].as_u64().as_ref());
        assert_eq!((&audit["k"], &audit["groups"]), (&solution["k"], &solution["groups"]));
        assert_eq!(certificate["k"], solution["k"]);
        println!(
            "solution {}: k {}, {} groups, loss {}",
            solution["id"], audit["k"], audit["groups"], solution["loss"]
        );
    }
}
