//! What a connection holds is written nowhere, and no row leaves the engine where counts are enough.

use std::path::Path;

use crate::engines::{Drivers, Engine};
use crate::people::People;
use crate::site::{Running, Site};
use crate::studies::{QUASI, study};
use crate::wire::Wire;

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

/// Whether a statement can be answered by no row of the table: by counts of groups, by values of one column, by the columns
/// and their types, or by nothing.
fn asks_for_no_row(statement: &str) -> bool {
    let Some((_, asked)) = statement.split_once("COPY (") else { return false };
    let asked = asked.split_once(") TO STDOUT").map_or(asked, |(asked, _)| asked).trim();
    let Some(selected) = asked.strip_prefix("SELECT ") else { return false };
    let (shown, rest) = selected.split_once(" FROM ").unwrap_or((selected, ""));
    let names_alone =
        |text: &str| text.split(", ").all(|name| name.len() < 4 && name.starts_with(['c', 's', 'm', 'n']));
    let counted = shown.contains("COUNT(*)") || shown.starts_with("COUNT(");
    let grouped = rest.rsplit_once(" GROUP BY ").is_some_and(|(_, by)| {
        let by = by.split(" ORDER BY ").next().unwrap_or(by);
        names_alone(&by.replace("m0.s", "s0").replace("m1.s", "s1").replace("m2.s", "s2"))
    });
    let no_rows = asked.ends_with("WHERE 1 = 0")
        || shown.starts_with("CAST(pg_typeof(")
        || rest.starts_with("information_schema.");
    let kept = rest.contains("_tuples\"") && shown.ends_with(", n");
    no_rows || kept || (grouped && (counted || shown.split(", ").count() <= 2)) || (counted && !shown.contains(", c"))
}

#[test]
fn statements_that_ask_for_rows_are_told_from_others() {
    let copy = |query: &str| format!("2026-01-01 LOG:  execute <unnamed>: COPY ({query}) TO STDOUT (FORMAT binary)");
    for good in [
        "SELECT c0, c1, CAST(COUNT(*) AS BIGINT) AS n FROM (SELECT a AS c0, b AS c1 FROM t) AS cells GROUP BY c0, c1",
        "SELECT c0, CAST(c0 AS text) AS c1 FROM (SELECT a AS c0 FROM t) AS cells GROUP BY c0",
        "SELECT * FROM \"people\" WHERE 1 = 0",
        "SELECT CAST(COUNT(*) AS BIGINT) FROM \"people\"",
    ] {
        assert!(asks_for_no_row(&copy(good)), "{good}");
    }
    for bad in [
        "SELECT c0, c1 FROM (SELECT a AS c0, b AS c1 FROM t) AS cells",
        "SELECT c0, c1 FROM (SELECT a AS c0, b AS c1 FROM t) AS cells LIMIT 10",
        "SELECT c0, c1, c2 FROM (SELECT a AS c0, b AS c1, d AS c2 FROM t) AS cells GROUP BY c0, c1, c2",
        "SELECT * FROM \"people\"",
        "SELECT * FROM \"people\" WHERE id IN (SELECT id FROM x GROUP BY id)",
    ] {
        assert!(!asks_for_no_row(&copy(bad)), "{bad}");
    }
}

/// Runs a command whose connection is heard; what the server said to it, message by message.
fn heard(site: &Site, wire: &Wire, command: &str) -> Vec<(u8, Vec<u8>)> {
    wire.messages();
    site.folder.run(command);
    wire.messages()
}

/// Which of the planted values are in a message.
fn held(message: &[u8]) -> Vec<&'static str> {
    let holds = |text: &str| message.windows(text.len()).any(|part| part == text.as_bytes());
    PLANTED.iter().map(|(_, value)| *value).filter(|value| value.len() > 3 && holds(value)).collect()
}

/// What nobody but its own table may know beside anything else: no study here counts it.
const REMARK: &str = "planted remark";

/// The identity of the person whom every value tells from others, as the table has it and as the server says it.
const IDENTITY: &str = "1987654321";

fn identity(message: &[u8]) -> bool {
    let bytes = 1_987_654_321u32.to_be_bytes();
    message.windows(4).any(|part| part == bytes)
        || message.windows(IDENTITY.len()).any(|part| part == IDENTITY.as_bytes())
}

#[test]
fn no_row_travels_where_counts_are_enough() {
    let Some(running) = Drivers::find().and_then(|drivers| Running::start(Engine::Postgresql, &drivers)) else {
        return;
    };
    let server = running.server.as_ref().unwrap();
    let mut people = planted();
    people.rows.last_mut().unwrap()[0] = Some(IDENTITY.to_owned());
    let site = Site::with(&running, &people);
    let folder = &site.folder;
    let wire = Wire::to(server.port().parse().unwrap());
    let uri = server.uri().replace(&format!(":{}/", server.port()), &format!(":{}/", wire.port));
    assert_ne!(uri, server.uri());
    folder.write("connections.toml", &running.connection_with(&format!("uri = {uri:?}")));
    folder.write("study.toml", &study(&site.data("people"), "drop-row", QUASI[0], "eta = 0.05"));
    folder.write(
        "regions.toml",
        &study(&site.data("people"), "drop-row", QUASI[0], "eta = 0.05\noptimizer = \"regions\""),
    );
    let from = server.log().len();
    for (command, counts_tuples) in [
        ("init --database warehouse --table people -o drafted.toml --quiet", false),
        ("explore study.toml -o front --quiet", true),
        ("explore regions.toml -o boxes --quiet", true),
        ("release front --solution 3 --to-table made --quiet", true),
        ("release front --solution 3 --to-table full --tokens --suppressed-rows star --quiet", true),
        ("release boxes --solution 3 --to-table local --tokens --quiet", true),
        ("audit database:warehouse/made --quasi town,age --sensitive illness --quiet", false),
    ] {
        let messages = heard(&site, &wire, command);
        assert!(messages.len() > 10, "{command}: nothing is heard");
        for (_, message) in &messages {
            let held = held(message);
            let used = if counts_tuples { 4 } else { 1 };
            assert!(held.len() <= used, "{command}: {held:?} travel together");
            assert!(held.len() < 2 || !held.contains(&REMARK), "{command}: {held:?} travel together");
            let profiles = command.starts_with("init");
            assert!(!identity(message) || (profiles && held.is_empty()), "{command}: an identity travels");
        }
        // The planted person is counted with the others, so that the ears are good.
        let together = messages.iter().any(|(_, message)| held(message).len() > 1);
        assert_eq!(together, counts_tuples, "{command}");
    }
    let log = server.log()[from..].to_owned();
    let asked: Vec<String> = statements(&log).into_iter().filter(|one| one.contains("TO STDOUT")).collect();
    assert!(asked.len() > 10, "{log}");
    for statement in &asked {
        assert!(asks_for_no_row(statement), "rows are asked for: {statement}");
    }
    no_key_is_told(&log);
    assert!(
        heard(&site, &wire, "release front --solution 3 -o out.csv --quiet").iter().any(|(_, row)| held(row).len() > 3)
    );
    for statement in statements(&server.log()[from..]) {
        let held: Vec<&str> =
            PLANTED.iter().map(|(_, value)| *value).filter(|value| statement.contains(value)).collect();
        assert!(held.len() < 2, "{held:?} are in one statement: {statement}");
        assert!(!statement.contains(IDENTITY), "an identity is in a statement: {statement}");
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

/// Tokens are made there, and nothing in the log could be their key: no bytes, and no text as long as one.
fn no_key_is_told(log: &str) {
    assert!(log.contains("sha256("), "no tokens were made: {log}");
    for statement in statements(log) {
        assert!(!statement.contains("\\x"), "bytes are in a statement: {statement}");
        let long = |word: &str| word.len() >= 32 && word.bytes().all(|letter| letter.is_ascii_hexdigit());
        let words = statement.split(|letter: char| !letter.is_ascii_alphanumeric());
        assert_eq!(words.filter(|word| long(word)).collect::<Vec<_>>(), [] as [&str; 0], "{statement}");
    }
}
