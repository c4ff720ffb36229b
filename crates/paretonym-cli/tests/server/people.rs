//! A table, studies of it, and a server that has run one.

// Each test file uses some of this.
#![allow(dead_code)]

use serde_json::{Value, json};

use crate::program::Folder;
use crate::server::Server;

/// A table of people who do not exist, with some cells missing.
pub fn people(rows: u32) -> String {
    let mut text = "person,age,zip,job,disease\n".to_owned();
    for row in 0..rows {
        let mixed = row.wrapping_mul(2_654_435_761) >> 8;
        let age = 20 + mixed % 45;
        let zip = 13_000 + mixed / 7 % 4 * 100 + mixed / 31 % 6;
        let job = ["baker", "clerk", "nurse", "welder", "teacher"][(mixed / 101 % 5) as usize];
        let disease = ["flu", "cold", "asthma", "none"][((mixed / 1009 + age / 15) % 4) as usize];
        let age = if row % 97 == 5 { String::new() } else { age.to_string() };
        text += &format!("p{row},{age},{zip},{job},{disease}\n");
    }
    text
}

/// A study of that table.
pub fn study(optimizer: &str) -> Value {
    json!({
        "data": { "path": "ignored", "missing": [""] },
        "columns": [
            { "name": "person", "role": "identifying" },
            { "name": "age", "role": "quasi", "kind": "numeric", "recode": "levels", "widths": [5.0, 15.0] },
            { "name": "zip", "role": "quasi", "kind": "categorical", "recode": "levels", "hierarchy": "prefix" },
            { "name": "job", "role": "quasi", "kind": "categorical", "recode": "levels",
              "taxonomy": { "hand": ["baker", "welder"], "head": ["clerk", "teacher", "nurse"] } },
            { "name": "disease", "role": "sensitive" },
        ],
        "search": { "problem": "max-suppression", "eta": 0.05, "privacy": "k", "loss": "general",
                    "optimizer": optimizer, "seed": 3 },
    })
}

/// A long genetic search of breaks.
pub fn long_study(evaluations: u64) -> Value {
    let mut study = study("nsga2");
    study["columns"][1] = json!({ "name": "age", "role": "quasi", "kind": "numeric", "recode": "breaks" });
    study["columns"][2] = json!({ "name": "zip", "role": "quasi", "kind": "categorical", "recode": "breaks" });
    study["search"]["evaluations"] = json!(evaluations);
    study["search"]["population"] = json!(40);
    study
}

pub fn started() -> (Folder, Server) {
    let folder = Folder::new();
    let server = Server::start(&folder.at("work"), &[]);
    (folder, server)
}

/// Uploads the table and runs a study of it to its end.
pub fn run(server: &Server, name: &str, study: &Value) {
    assert_eq!(server.upload("people.csv", people(600).as_bytes()).json()["name"], "people.csv");
    let created = server.post("/api/runs", &json!({ "name": name, "table": "people.csv", "study": study })).json();
    assert_eq!(created["name"], name);
    assert_eq!(server.wait(name)["status"], "done");
}
