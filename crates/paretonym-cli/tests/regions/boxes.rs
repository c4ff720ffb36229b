//! What a release of boxes shows, and what is saved of them.

use super::*;

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
    let columns = recoding["columns"].as_array().unwrap();
    let leaf = |at: usize, code: &Value| columns[at]["leaves"][code.as_u64().unwrap() as usize].as_str().unwrap();
    let exceptions: BTreeMap<Vec<&str>, Option<u64>> = recoding["regions"]["exceptions"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| {
            (one[0].as_array().unwrap().iter().enumerate().map(|(at, code)| leaf(at, code)).collect(), one[1].as_u64())
        })
        .collect();
    let mut sizes = vec![0u64; boxes.len()];
    for row in folder.rows("first.csv", b',') {
        let inside =
            |held: &Vec<BTreeSet<String>>| held.iter().zip(&row[1..]).all(|(held, value)| held.contains(value));
        let values: Vec<&str> = row[1..4].iter().map(String::as_str).collect();
        let first = (0..boxes.len()).find(|at| inside(&boxes[*at]));
        let own = exceptions.get(&values).map_or(first, |region| region.map(|region| region as usize));
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
