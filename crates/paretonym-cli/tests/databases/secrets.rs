//! What a connection holds is written nowhere, and no row leaves the engine where counts are enough.

use std::path::Path;

use crate::engines::{Drivers, Engine};
use crate::people::People;
use crate::site::{Running, Site};
use crate::studies::{QUASI, study};

/// One person whom every value tells from all others.
const PLANTED: [(usize, &str); 5] =
    [(1, "Nowhereville"), (2, "103"), (3, "1901-02-03"), (9, "plantedpox"), (10, "planted remark")];

fn planted() -> People {
    let mut people = People::random(81, 500);
    let mut row = people.rows[7].clone();
    PLANTED.iter().for_each(|(at, value)| row[*at] = Some((*value).to_owned()));
    people.rows.push(row);
    people
}

/// Every file below a folder that holds a text.
fn holding(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holding(&path, text));
        } else if std::fs::read(&path).unwrap().windows(text.len()).any(|part| part == text.as_bytes()) {
            found.push(path.display().to_string());
        }
    }
    found
}

/// Runs a command with a password in its environment; all that it prints must do without.
fn quietly(site: &Site, arguments: &str, password: &str, secrets: &[&str]) -> bool {
    let output = site.folder.command(arguments).env("PLANTED_PASSWORD", password).output().unwrap();
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    for secret in secrets {
        assert!(!said.contains(secret), "{arguments}: {said}");
    }
    output.status.success()
}

const COMMANDS: [&str; 13] = [
    "init --database warehouse --table people -o drafted.toml",
    "explore study.toml -o front",
    "explore study.toml -o regions --optimizer regions",
    "choose front --min-k 2",
    "release front --solution 3 -o out.csv",
    "release front --solution 4 -o out.parquet",
    "release front --solution 3 --to-table made",
    "release front --solution 4 --to-table second -o beside",
    "reapply out.csv.recoding.json database:warehouse/people -o later.csv --no-fresh --k 2",
    "audit database:warehouse/made --quasi town,age --sensitive illness",
    "compare database:warehouse/people database:warehouse/made database:warehouse/second --quasi town,age --report seen.html",
    "sql study.toml",
    "sql front --solution 3",
];

const FAILING: [&str; 5] = [
    "explore study.toml -o never",
    "init --database warehouse --table people --print",
    "release front --solution 3 --to-table never",
    "audit database:warehouse/people --quasi town",
    "explore wrong.toml -o never",
];

#[test]
fn credentials_are_written_nowhere() {
    let Some(running) = Drivers::find().and_then(|drivers| Running::start(Engine::Postgresql, &drivers)) else {
        return;
    };
    let server = running.server.as_ref().unwrap();
    let site = Site::with(&running, &planted());
    let (password, port) = (server.password(), server.port());
    let others = ["geheim-token-0815", "wrong4711"];
    let secrets = [password.as_str(), others[0], others[1]];
    site.folder.write("study.toml", &study(&site.data("people"), "value", QUASI[0], "eta = 0.05"));
    site.folder.write("wrong.toml", &study(&site.data("nobody"), "value", QUASI[0], ""));
    let uri = |password: &str, port: &str| {
        format!("uri = \"postgresql://tester:{password}@127.0.0.1:{port}/postgres?application_name={}\"", others[0])
    };
    let connect = |uri: &str| site.folder.write("connections.toml", &running.connection_with(uri));
    for uri in [uri("${PLANTED_PASSWORD}", &port), uri(&password, &port)] {
        connect(&uri);
        for command in COMMANDS {
            let force = ["init", "release", "reapply", "compare"].iter().any(|name| command.starts_with(name));
            let command = format!("{command}{}", if force { " --force" } else { "" });
            assert!(quietly(&site, &command, &password, &secrets), "{command}");
        }
    }
    for uri in [
        uri("${PLANTED_PASSWORD}", &port),
        uri(others[1], &port),
        uri(others[1], "1"),
        uri(&format!("{}%zz", others[1]), &port),
        uri(&format!("{}@[", others[1]), &port),
    ] {
        connect(&uri);
        for command in FAILING {
            assert!(!quietly(&site, command, others[1], &secrets), "{command}");
        }
    }
    std::fs::remove_file(site.folder.at("connections.toml")).unwrap();
    for secret in secrets {
        assert_eq!(holding(site.folder.path(), secret), [] as [String; 0]);
        assert!(
            secret == others[0] || !server.log().contains(secret),
            "the server was told a credential in a statement"
        );
    }
    assert!(holding(site.folder.path(), "warehouse").len() > 2, "the files name their connection");
}

/// The statements of a log, each with all of its lines.
fn statements(log: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in log.lines() {
        let begins =
            line.len() > 5 && line.as_bytes()[4] == b'-' && line[..4].bytes().all(|digit| digit.is_ascii_digit());
        match found.last_mut() {
            Some(last) if !begins => *last += line,
            _ => found.push(line.to_owned()),
        }
    }
    found
}

#[test]
fn no_row_travels_where_counts_are_enough() {
    let Some(running) = Drivers::find().and_then(|drivers| Running::start(Engine::Postgresql, &drivers)) else {
        return;
    };
    let server = running.server.as_ref().unwrap();
    let site = Site::with(&running, &planted());
    let folder = &site.folder;
    folder.write("study.toml", &study(&site.data("people"), "drop-row", QUASI[0], "eta = 0.05"));
    let from = server.log().len();
    folder.run("init --database warehouse --table people -o drafted.toml --quiet");
    folder.run("explore study.toml -o front --quiet");
    folder.run("release front --solution 3 --to-table made --quiet");
    folder.run("audit database:warehouse/made --quasi town,age --sensitive illness --quiet");
    let log = server.log()[from..].to_owned();
    let asked: Vec<String> = statements(&log).into_iter().filter(|one| one.contains("TO STDOUT")).collect();
    assert!(asked.len() > 10, "{log}");
    for statement in &asked {
        let counts = ["GROUP BY", "COUNT(", "1 = 0", "LIMIT"].iter().any(|words| statement.contains(words));
        assert!(counts, "rows are asked for: {statement}");
    }
    folder.run("release front --solution 3 -o out.csv --quiet");
    for statement in statements(&server.log()[from..]) {
        let held: Vec<&str> =
            PLANTED.iter().map(|(_, value)| *value).filter(|value| statement.contains(value)).collect();
        assert!(held.len() < 2, "{held:?} are in one statement: {statement}");
    }
    // What travelled is told: distinct combinations of what the study uses, and never as much as the table.
    let front = folder.front("front");
    let (moved, distinct) = (front["moved"]["rows"].as_u64().unwrap(), front["distinct"].as_u64().unwrap());
    assert!(
        moved >= distinct && moved < 2 * distinct + 200 && front["moved"]["bytes"].as_u64() > Some(0),
        "{}",
        front["moved"]
    );
}
