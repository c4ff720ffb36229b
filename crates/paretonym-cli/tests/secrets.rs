//! What a release hides, no public file may show: bins, dates, regions, certificates, changed tables.

mod program;

use program::{Folder, group_sizes};
use serde_json::Value;

const PUBLIC: [&str; 4] = ["out.csv", "out.csv.certificate.json", "out.csv.certificate.md", "out.csv.recoding.json"];

/// Measured numbers with many digits, one of them far from the others; dates, one far from the others.
fn measured() -> String {
    let mut text = "score,born,sex,diagnosis\n".to_owned();
    for row in 0..400u32 {
        let score = f64::from(row * 7919 % 400) * 0.003_107_917 + 0.000_493_482;
        let (year, month, day) = (1950 + row * 31 % 50, 1 + row * 17 % 12, 1 + row * 13 % 28);
        let diagnosis = ["flu", "cold", "gout", "asthma"][(row * 5 % 17 % 4) as usize];
        text += &format!("{score:.9},{year}-{month:02}-{day:02},{},{diagnosis}\n", ["m", "f"][(row % 2) as usize]);
    }
    text + "7777.777777,1911-11-11,m,flu\n"
}

/// A study whose columns are recoded by a family, or searched by regions.
fn study(family: &str) -> String {
    let (recode, optimizer) = match family {
        "regions" => ("levels", "regions"),
        "levels" => ("levels", "exact"),
        other => (other, "nsga2"),
    };
    let evaluations = if optimizer == "nsga2" { "evaluations = 2000\n" } else { "" };
    format!(
        "[data]\npath = \"people.csv\"\n\
         [[columns]]\nname = \"score\"\nrole = \"quasi\"\nkind = \"numeric\"\nbins = 32\ngroups = [2, 4, 8, 16]\n\
         recode = {recode:?}\n\
         [[columns]]\nname = \"born\"\nrole = \"quasi\"\nhierarchy = \"dates\"\nrecode = {recode:?}\n\
         [[columns]]\nname = \"sex\"\nrole = \"quasi\"\nkind = \"categorical\"\nrecode = \"levels\"\n\
         [[columns]]\nname = \"diagnosis\"\nrole = \"sensitive\"\nkind = \"categorical\"\n\
         [search]\nproblem = \"max-suppression\"\neta = 0.05\noptimizer = {optimizer:?}\n{evaluations}"
    )
}

fn explored(family: &str) -> Folder {
    let folder = Folder::new();
    folder.write("people.csv", &measured());
    folder.write("study.toml", &study(family));
    folder.run("explore study.toml -o front --quiet");
    folder
}

fn solutions(folder: &Folder) -> Vec<Value> {
    folder.front("front")["solutions"].as_array().unwrap().clone()
}

/// A text without its long hexadecimal numbers, which are chance and hold any digits now and then.
fn without_digests(text: &str) -> String {
    let is_digest = |word: &str| word.len() >= 32 && word.chars().all(|digit| digit.is_ascii_hexdigit());
    let parts = text.split_inclusive(|end: char| !end.is_ascii_alphanumeric());
    parts.filter(|part| !is_digest(part.trim_end_matches(|end: char| !end.is_ascii_alphanumeric()))).collect()
}

/// Whether the label of a bin says the truth about a number.
fn covers(label: &str, number: f64) -> bool {
    let end = |text: &str| text.trim().parse::<f64>().unwrap();
    match (label.strip_prefix("< "), label.strip_prefix(">= "), label.strip_prefix('[')) {
        (Some(high), _, _) => number < end(high),
        (_, Some(low), _) => number >= end(low),
        (_, _, Some(ends)) => {
            let (low, high) = ends.trim_end_matches(')').split_once(", ").unwrap();
            (end(low)..end(high)).contains(&number)
        }
        _ => label == "*",
    }
}

#[test]
fn edges_of_bins_are_round_and_true_and_cost_what_they_cover() {
    for family in ["levels", "breaks", "regions"] {
        let folder = explored(family);
        let original = folder.rows("people.csv", b',');
        for solution in solutions(&folder).iter().filter(|one| one["k"].as_u64() > Some(1)).take(12) {
            let id = &solution["id"];
            folder.run(&format!("release front --solution {id} -o out.csv --keep-order --force --quiet"));
            for name in PUBLIC {
                let text = without_digests(&folder.read(name));
                assert!(!text.contains("7777"), "{family}: the outlier is in {name}");
                let exact = original.iter().find(|row| text.contains(&row[0]));
                assert!(exact.is_none(), "{family}: {exact:?} is in {name}");
            }
            let released = folder.rows("out.csv", b',');
            for label in released.iter().map(|row| &row[0]) {
                let digits = label.chars().filter(char::is_ascii_digit).count();
                assert!(digits <= 2 * 5, "{label} has too many digits");
            }
            if released.len() == original.len() {
                for (before, after) in original.iter().zip(&released) {
                    assert!(covers(&after[0], before[0].parse().unwrap()), "{} is shown as {}", before[0], after[0]);
                }
            }
        }
        // The finest recoding shows bins of a dozen values: that is not nothing.
        let all = solutions(&folder);
        let finest = all.last().unwrap();
        if finest["recoding"]["score"]["level"] == 0 {
            assert!(finest["loss"].as_f64() > Some(0.0), "{finest}");
        }
    }
}

#[test]
fn dates_of_regions_are_intervals_of_months() {
    let folder = explored("regions");
    for cells in ["nodes", "sets", "sets(most=8)"] {
        folder.write("study.toml", &(study("regions") + &format!("cells = {cells:?}\n")));
        folder.run("explore study.toml -o front --quiet");
        let all = solutions(&folder);
        let middle = &all[all.len() / 2];
        folder.run(&format!("release front --solution {} -o out.csv --force --quiet", middle["id"]));
        let rows = folder.rows("out.csv", b',');
        assert_eq!(group_sizes(&rows, &[0, 1, 2]).values().min(), middle["k"].as_u64().as_ref());
        for date in rows.iter().map(|row| row[1].as_str()) {
            assert!(date.len() <= 18, "{cells}: {date}");
            let months = date.trim_matches(['[', ']']).split(", ").all(|end| end == "*" || end.len() == 7);
            assert!(months || date.len() == 10, "{cells}: {date} is neither months nor one day");
        }
    }
}

#[test]
fn sets_can_be_capped() {
    let folder = Folder::new();
    let mut text = "town,age\n".to_owned();
    (0..600u32).for_each(|row| text += &format!("town {},{}\n", row * 37 % 60, 20 + row * 7 % 30));
    folder.write("people.csv", &text);
    let mut most = Vec::new();
    for cells in ["sets", "sets(most=4)"] {
        folder.write(
            "study.toml",
            &format!(
                "[data]\npath = \"people.csv\"\n\
                 [[columns]]\nname = \"town\"\nrole = \"quasi\"\nkind = \"categorical\"\n\
                 [[columns]]\nname = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\nrecode = \"breaks\"\n\
                 [search]\noptimizer = \"regions\"\neta = 0.0\ncells = {cells:?}\n"
            ),
        );
        folder.run("explore study.toml -o front --quiet");
        let all = solutions(&folder);
        let some = all.iter().find(|one| one["groups"].as_u64() > Some(3)).unwrap();
        folder.run(&format!("release front --solution {} -o out.csv --force --quiet", some["id"]));
        let values = |row: &Vec<String>| row[0].matches("town").count();
        most.push(folder.rows("out.csv", b',').iter().map(values).max().unwrap());
    }
    assert!(most[0] > 4 && most[1] <= 4, "{most:?}");
}

#[test]
fn a_changed_table_is_not_released() {
    let folder = explored("levels");
    let original = folder.read("people.csv");
    let lines: Vec<&str> = original.lines().collect();
    let mut changed = vec![
        original.replacen("flu", "cold", 1),
        original.replacen(",m,", ",f,", 1),
        original.trim_end().to_owned(),
        [&lines[..1], &lines[2..3], &lines[1..2], &lines[3..]].concat().join("\n") + "\n",
        lines[..lines.len() - 1].join("\n") + "\n",
    ];
    // Digits that vanish in their bins or their decade change nothing that was counted.
    changed.push(original.replacen("19", "18", 1));
    changed.push(original.replacen("-01", "-02", 1));
    for text in &changed {
        folder.write("people.csv", text);
        let said = folder.refuse("release front --solution 1 -o out.csv");
        assert!(said.contains("the table has changed") && said.contains("explore again"), "{said}");
        assert!(folder.refuse("compare front --solutions 1,2 --json").contains("the table has changed"));
        assert!(!folder.at("out.csv").exists());
    }
    folder.write("people.csv", &original);
    folder.run("release front --solution 1 -o out.csv --quiet");
}

#[test]
fn a_study_of_another_run_publishes_nothing() {
    let folder = explored("levels");
    let study = folder.read("front/study.toml");
    folder.write("front/study.toml", &study.replace("role = \"sensitive\"", "role = \"insensitive\""));
    let said = folder.refuse("release front --solution 2 -o out.csv");
    assert!(said.contains("study.toml") && said.contains("explore again"), "{said}");
    folder.write("front/study.toml", &study);
    folder.run("release front --solution 2 -o out.csv --quiet");

    // A key or a seal of another folder fits nothing here.
    folder.run("explore study.toml -o other --quiet");
    std::fs::copy(folder.at("other/private/key"), folder.at("front/private/key")).unwrap();
    assert!(folder.refuse("release front --solution 2 -o again.csv").contains("explore again"));
    std::fs::remove_dir_all(folder.at("front/private")).unwrap();
    let said = folder.refuse("release front --solution 2 -o again.csv");
    assert!(said.contains("earlier version") && said.contains("explore again"), "{said}");
    folder.run("choose front --max-loss 0.9");
}

#[test]
fn a_changed_taxonomy_is_noticed() {
    let folder = Folder::new();
    let mut text = "job,age\n".to_owned();
    (0..90u32).for_each(|row| text += &format!("{},{}\n", ["a", "b", "c", "d"][(row % 4) as usize], 20 + row % 30));
    folder.write("people.csv", &text);
    folder.write("job.csv", "a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\n");
    folder.write(
        "study.toml",
        "[data]\npath = \"people.csv\"\n[[columns]]\nname = \"job\"\nrole = \"quasi\"\ntaxonomy = \"job.csv\"\n\
         [[columns]]\nname = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\nwidths = [10]\n[search]\noptimizer = \"exact\"\n",
    );
    folder.run("explore study.toml -o front --quiet");
    folder.write("job.csv", "a;AB;*\nb;AB;*\nc;cd;*\nd;cd;*\n");
    let said = folder.refuse("release front --solution 1 -o out.csv");
    assert!(said.contains("taxonomy") && said.contains("explore again"), "{said}");
}
