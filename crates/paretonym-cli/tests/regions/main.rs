//! Fronts of local recoding through the real program: released, counted again, used again, audited, compared.

mod boxes;
mod later;
#[path = "../program/mod.rs"]
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
