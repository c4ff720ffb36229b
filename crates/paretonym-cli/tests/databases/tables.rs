//! Releases inside of an engine with all that a file can have: rows of stars, tokens and local recodings.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::engines::Engine;
use crate::people::{COLUMNS, Kind, People};
use crate::program::Folder;
use crate::releases::{counted, rows_of_file, rows_of_table, same, some_solutions};
use crate::site::{Rows, Site, running};
use crate::studies::{QUASI, study};

/// Quasi columns that leave the towns, which are hard to tell apart, to be identities.
const FEW: &[(&str, &str)] = &[QUASI[0][1], QUASI[0][2]];

const SEARCHES: [(&str, &str); 2] = [
    ("levels", "problem = \"max-suppression\"\neta = 0.1"),
    ("regions", "problem = \"max-suppression\"\neta = 0.1\noptimizer = \"regions\"\nseed = 3"),
];

/// People of whom some have the same number, and some none.
fn people() -> People {
    let mut people = People::random(17, 700);
    for (at, row) in people.rows.iter_mut().enumerate() {
        row[0] = (at % 50 != 0).then(|| (at / 3).to_string());
    }
    people
}

/// A study in which towns, prices and truth values are identities, too.
fn many_identities(text: &str) -> String {
    let mut text = text.to_owned();
    for name in ["town", "price", "active"] {
        let plain = format!("name = \"{name}\"\nrole = \"insensitive\"");
        assert!(text.contains(&plain));
        text = text.replace(&plain, &format!("name = \"{name}\"\nrole = \"identifying\""));
    }
    text
}

/// Rows with these columns alone.
fn only(rows: &Rows, names: &[&str], wanted: impl Fn(&str) -> bool) -> Rows {
    let at: Vec<usize> = (0..names.len()).filter(|at| wanted(names[*at])).collect();
    rows.iter().map(|row| at.iter().map(|at| row[*at].clone()).collect()).collect()
}

/// The rows that have the same token of a column, for every token, and those that have none: what tokens tell, whatever
/// they are called. A kept number or moment is left out, since engines and files write it differently.
fn partition(rows: &Rows, names: &[&str], column: &str) -> Vec<Rows> {
    let own = names.iter().position(|name| *name == column).unwrap();
    let mut with: BTreeMap<Option<String>, Rows> = BTreeMap::new();
    let beside = only(rows, names, |name| ["age", "Born on", "illness", "the \"note\""].contains(&name));
    for (row, beside) in rows.iter().zip(beside) {
        let token = row[own].clone().filter(|token| !token.is_empty());
        if let Some(token) = &token {
            assert!(token.len() == 32 && token.bytes().all(|digit| digit.is_ascii_hexdigit()), "{token}");
        }
        let beside = beside.into_iter().map(|cell| cell.filter(|cell| !cell.is_empty())).collect();
        with.entry(token).or_default().push(beside);
    }
    let mut parts: Vec<Rows> = with.into_values().collect();
    parts.iter_mut().for_each(|rows| rows.sort());
    parts.sort();
    parts
}

fn all_rows(site: &Site, table: &str, names: &[&str]) -> Rows {
    let engine = site.engine();
    let cells = names.iter().map(|name| format!("COALESCE({}, '')", engine.text(&engine.quoted(name))));
    site.ask(&format!("SELECT {} FROM {table}", cells.collect::<Vec<_>>().join(", ")))
}

/// What an audit of the written table says is what the certificate and the solution say.
fn confirmed(folder: &Folder, certificate: &Value, solution: &Value, stars: bool) {
    let star = if stars { " --ignore-suppressed" } else { "" };
    let mut command = folder.command(&format!("audit --json --sensitive illness{star} --quasi"));
    let output = command.arg("age,Born on").arg("database:warehouse/made").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let audit: Value = serde_json::from_slice(&output.stdout).unwrap();
    let suppressed = if stars { solution["suppressed"].as_u64() } else { Some(0) };
    assert_eq!((&audit["k"], &audit["groups"]), (&solution["k"], &solution["groups"]));
    assert_eq!((&audit["k"], audit["suppressed_rows"].as_u64()), (&certificate["k"], suppressed));
    let rows = audit["rows"].as_u64().unwrap() + suppressed.unwrap_or(0);
    assert_eq!(certificate["output"]["rows"].as_u64(), Some(rows));
    assert_eq!(certificate["suppressed_rows"], if stars { "star" } else { "dropped" });
}

#[test]
fn stars_and_regions_are_those_of_the_file() {
    for running in running() {
        let site = Site::with(&running, &people());
        for (name, search) in SEARCHES {
            for on_missing in ["drop-row", "value"] {
                for (run, data) in [("file", "path = \"people.csv\"\n".to_owned()), ("there", site.data("people"))] {
                    site.folder.write(&format!("{run}.toml"), &study(&data, on_missing, FEW, search));
                    site.folder.run(&format!("explore {run}.toml -o {run}-{name}-{on_missing} --quiet"));
                }
                for solution in some_solutions(&site.folder, &format!("file-{name}-{on_missing}")) {
                    for style in ["", "--suppressed-rows star"] {
                        released(&site, &format!("{name}-{on_missing}"), &solution, style);
                    }
                }
            }
        }
        assert_eq!(site.tables(), ["made", "people"]);
    }
}

/// One solution from the file and as a table.
fn released(site: &Site, name: &str, solution: &Value, style: &str) {
    let (folder, id) = (&site.folder, &solution["id"]);
    let what = format!("{:?}, {name}, solution {id} {style}", site.engine());
    let from_file = format!("release file-{name} --solution {id} -o file.csv --force --json {style}");
    let expected_certificate = folder.run_json(&from_file);
    let certificate =
        folder.run_json(&format!("release there-{name} --solution {id} --to-table made --force --json {style}"));
    let expected = counted(rows_of_file(folder, "file.csv"), FEW);
    same(&counted(rows_of_table(site, "made"), FEW), &expected, &what);
    confirmed(folder, &certificate, solution, !style.is_empty());
    for same in ["k", "l", "gl", "sl", "suppressed", "suppressed_rows", "dropped_for_missing", "risk", "group_sizes"] {
        assert_eq!(certificate[same], expected_certificate[same], "{what}: {same}");
    }
    if !style.is_empty() && solution["suppressed"].as_u64() > Some(0) {
        let stars = |row: &&Vec<String>| row.iter().all(|cell| cell == "*" || cell.is_empty());
        let stars: u64 = expected.iter().filter(|(row, _)| stars(row)).map(|(_, count)| count).sum();
        assert_eq!(Some(stars), solution["suppressed"].as_u64(), "{what}");
    }
}

#[test]
fn tokens_tell_as_much_as_in_a_file() {
    let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    for running in running() {
        let site = Site::with(&running, &people());
        let search = SEARCHES[0].1;
        site.folder.write("there.toml", &many_identities(&study(&site.data("people"), "value", FEW, search)));
        site.folder.run("explore there.toml -o there --quiet");
        for (solution, style) in some_solutions(&site.folder, "there").iter().zip(["", "--suppressed-rows star", ""]) {
            let what = format!("{:?}, solution {} {style}", site.engine(), solution["id"]);
            let id = &solution["id"];
            site.folder.run(&format!("release there --solution {id} -o out.csv --tokens --force --quiet {style}"));
            let release = format!("release there --solution {id} --to-table made --tokens --force --json {style}");
            let certificate = site.folder.run_json(&release);
            confirmed(&site.folder, &certificate, solution, !style.is_empty());
            let fates = certificate["columns"].as_array().unwrap();
            assert_eq!(fates.iter().filter(|one| one["fate"] == "token").count(), 4, "{what}");
            let (file, table) = (rows_of_file(&site.folder, "out.csv"), all_rows(&site, "made", &names));
            for column in ["id", "town", "price", "active"] {
                let expected = partition(&file, &names, column);
                assert!(expected.len() > 1, "{what}: {column} has no tokens");
                assert_eq!(partition(&table, &names, column), expected, "{what}: {column}");
            }
            // A token of one column is none of another, and none of the next release.
            let of = [(&table, "id"), (&table, "town"), (&file, "id"), (&file, "town")];
            let of = of.map(|(rows, column)| tokens(rows, &names, column));
            let all: BTreeSet<&String> = of.iter().flatten().collect();
            assert_eq!(all.len(), of.iter().map(BTreeSet::len).sum::<usize>(), "{what}");
        }
        assert_eq!(site.tables(), ["made", "people"]);
    }
}

/// The tokens of a column.
fn tokens(rows: &Rows, names: &[&str], column: &str) -> BTreeSet<String> {
    only(rows, names, |name| name == column).into_iter().flatten().flatten().filter(|token| !token.is_empty()).collect()
}

/// What is kept keeps its type, whether or not rows of stars stand beside it.
#[test]
fn kept_columns_keep_their_types() {
    for running in running().into_iter().filter(|running| running.engine != Engine::Sqlite) {
        let site = Site::with(&running, &people());
        site.folder.write("there.toml", &study(&site.data("people"), "value", FEW, SEARCHES[0].1));
        site.folder.run("explore there.toml -o there --quiet");
        let id = some_solutions(&site.folder, "there")[1]["id"].clone();
        let types = |table: &str| {
            let kept: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).filter(|name| *name != "id").collect();
            let sql = format!(
                "SELECT CAST(column_name AS TEXT), CAST(data_type AS TEXT) FROM information_schema.columns \
                 WHERE table_name = '{table}' ORDER BY 1"
            );
            let mut rows = site.ask(&sql);
            let recoded = |name: &str| FEW.iter().any(|(quasi, _)| *quasi == name);
            rows.retain(|row| kept.contains(&row[0].as_deref().unwrap()) && !recoded(row[0].as_deref().unwrap()));
            rows
        };
        for style in ["", "--suppressed-rows star"] {
            site.folder.run(&format!("release there --solution {id} --to-table made --force --quiet {style}"));
            assert_eq!(types("made"), types("people"), "{:?} {style}", site.engine());
        }
        assert!(types("people").len() > 5 && COLUMNS.iter().any(|(_, kind)| *kind == Kind::Moment));
    }
}

/// An engine of which nothing is known would have to be told the key in a query.
#[test]
fn tokens_are_refused_where_their_key_would_be_told() {
    for running in running() {
        let site = Site::with(&running, &people());
        site.folder.write("there.toml", &study(&site.data("people"), "value", FEW, SEARCHES[0].1));
        site.folder.run("explore there.toml -o there --quiet");
        let id = some_solutions(&site.folder, "there")[1]["id"].clone();
        site.folder.write("connections.toml", &(running.connection() + "dialect = \"generic\"\n"));
        let release = format!("release there --solution {id} --to-table made --tokens --quiet");
        let output = site.folder.command(&release).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.code() == Some(2) && said.contains("only in the text of a query"), "{said}");
        site.folder.write("connections.toml", &running.connection());
        assert_eq!(site.tables(), ["people"]);
    }
}
