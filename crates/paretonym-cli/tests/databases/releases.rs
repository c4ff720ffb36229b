//! Releases from an engine, into files and into tables: what the certificate says is what others count, and the rows are those
//! of a release from a file.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::engines::Engine;
use crate::people::{COLUMNS, Kind, People};
use crate::program::Folder;
use crate::site::{Rows, Site, running};
use crate::studies::{QUASI, study};

const SEARCH: &str = "problem = \"max-suppression\"\neta = 0.05";

/// Explores the table in the file and in the engine: `file-N` and `front-N`, for each choice of columns.
pub fn explored(site: &Site, on_missing: [&str; 2]) {
    for (number, on_missing) in on_missing.into_iter().enumerate() {
        let run = |name: &str, data: &str| {
            site.folder.write(&format!("{name}.toml"), &study(data, on_missing, QUASI[number], SEARCH));
            site.folder.run(&format!("explore {name}.toml -o {name}-{number} --quiet"));
        };
        run("file", "path = \"people.csv\"\n");
        run("front", &site.data("people"));
    }
}

/// Some solutions with k of two or more, from the most private to the least.
pub fn some_solutions(folder: &Folder, run: &str) -> Vec<Value> {
    let front = folder.front(run);
    let good = front["solutions"].as_array().unwrap().iter().filter(|one| one["k"].as_u64() > Some(1));
    let good: Vec<Value> = good.cloned().collect();
    assert!(good.len() > 2, "too few solutions to release");
    vec![good[1].clone(), good[good.len() / 2].clone(), good[good.len() - 1].clone()]
}

/// The columns of a release: all but the identifying one, with their kinds.
pub fn shown() -> Vec<(&'static str, Kind)> {
    COLUMNS.into_iter().filter(|(name, _)| *name != "id").collect()
}

/// How often each row occurs. Engines and files write a number or a moment differently, so what is kept is compared as what it
/// means; what was recoded, as it is shown.
pub fn counted(rows: Rows, quasi: &[(&str, &str)]) -> BTreeMap<Vec<String>, u64> {
    let columns = shown();
    let mut counts = BTreeMap::new();
    for row in rows {
        let cell = |(cell, (name, kind)): (Option<String>, &(&str, Kind))| {
            let cell = cell.unwrap_or_default();
            let recoded = quasi.iter().any(|(quasi, _)| quasi == name) && *kind != Kind::Moment;
            if recoded { cell } else { meant(&cell, *kind) }
        };
        *counts.entry(row.into_iter().zip(&columns).map(cell).collect()).or_insert(0) += 1;
    }
    counts
}

fn meant(cell: &str, kind: Kind) -> String {
    match kind {
        Kind::Integer | Kind::Decimal | Kind::Double => cell.parse::<f64>().map_or(cell.to_owned(), |x| x.to_string()),
        Kind::Moment => cell.replace(' ', "T"),
        _ => cell.to_owned(),
    }
}

/// The rows of a text table; an empty cell stands for a null, too.
pub fn rows_of_file(folder: &Folder, name: &str) -> Rows {
    folder.rows(name, b',').into_iter().map(|row| row.into_iter().map(Some).collect()).collect()
}

/// The rows of a table in the engine, as it writes them.
pub fn rows_of_table(site: &Site, table: &str) -> Rows {
    let engine = site.engine();
    let cells: Vec<String> = shown().iter().map(|(name, _)| engine.text(&engine.quoted(name))).collect();
    // The driver of SQLite guesses types from the first rows, and nulls tell it nothing.
    let cells: Vec<String> = cells.iter().map(|cell| format!("COALESCE({cell}, '')")).collect();
    site.ask(&format!("SELECT {} FROM {table}", cells.join(", ")))
}

/// Rows, groups and the smallest group, counted by the engine.
fn counted_by_engine(site: &Site, table: &str, quasi: &[(&str, &str)]) -> [u64; 3] {
    let names: Vec<String> = quasi.iter().map(|(name, _)| site.engine().quoted(name)).collect();
    let counts = ["SUM(n)", "COUNT(*)", "MIN(n)"].map(|count| format!("CAST({count} AS BIGINT)")).join(", ");
    let groups = format!("SELECT COUNT(*) AS n FROM {table} GROUP BY {}", names.join(", "));
    let rows = site.ask(&format!("SELECT {counts} FROM ({groups}) AS g"));
    std::array::from_fn(|at| rows[0][at].as_ref().unwrap().parse().unwrap())
}

/// Holds an audit against a certificate and a solution.
fn confirm(site: &Site, what: &str, quasi: &[(&str, &str)], certificate: &Value, solution: &Value) {
    let names: Vec<&str> = quasi.iter().map(|(name, _)| *name).collect();
    let mut command = site.folder.command("audit --json --sensitive illness --quasi");
    let output = command.arg(names.join(",")).arg(what).output().unwrap();
    assert!(output.status.success(), "{what}: {}", String::from_utf8_lossy(&output.stderr));
    let audit: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&audit["k"], &audit["groups"]), (&solution["k"], &solution["groups"]), "{what}");
    assert_eq!((&audit["k"], &audit["rows"]), (&certificate["k"], &certificate["output"]["rows"]), "{what}");
    // A file that is audited by itself has a t of its own; an l is an l.
    assert_eq!(audit["l"]["illness"]["frequency"].as_f64(), solution["l"].as_f64(), "{what}");
}

#[test]
fn releases_are_those_of_the_file_and_confirmed() {
    for running in running() {
        let site = Site::with(&running, &People::random(11, 900));
        explored(&site, ["drop-row", "value"]);
        for (number, quasi) in QUASI.into_iter().enumerate() {
            let run = format!("front-{number}");
            for solution in some_solutions(&site.folder, &run) {
                released(&site, number, quasi, &solution);
            }
        }
        assert_eq!(site.tables(), ["made", "people"]);
    }
}

/// One solution as text, as Parquet and as a table.
fn released(site: &Site, number: usize, quasi: &[(&str, &str)], solution: &Value) {
    let (folder, engine, id) = (&site.folder, site.engine(), &solution["id"]);
    let what = format!("{engine:?}, columns {number}, solution {id}");
    folder.run(&format!("release file-{number} --solution {id} -o file.csv --force --quiet"));
    let expected = counted(rows_of_file(folder, "file.csv"), quasi);

    let certificate = folder.run_json(&format!("release front-{number} --solution {id} -o out.csv --force --json"));
    same(&counted(rows_of_file(folder, "out.csv"), quasi), &expected, &format!("{what}, text"));
    confirm(site, "out.csv", quasi, &certificate, solution);

    let certificate = folder.run_json(&format!("release front-{number} --solution {id} -o out.parquet --force --json"));
    confirm(site, "out.parquet", quasi, &certificate, solution);
    if engine == Engine::Duckdb {
        let file = format!("'{}'", folder.at("out.parquet").display());
        same(&counted(rows_of_table(site, &file), quasi), &expected, &format!("{what}, Parquet"));
    }

    let certificate =
        folder.run_json(&format!("release front-{number} --solution {id} --to-table made --force --json"));
    same(&counted(rows_of_table(site, "made"), quasi), &expected, &format!("{what}, table"));
    confirm(site, "database:warehouse/made", quasi, &certificate, solution);
    let numbers = ["suppressed", "groups", "k"].map(|name| solution[name].as_u64().unwrap());
    let rows = folder.front(&format!("front-{number}"))["rows"].as_u64().unwrap() - numbers[0];
    assert_eq!(counted_by_engine(site, "made", quasi), [rows, numbers[1], numbers[2]], "{what}");
    assert!(certificate["counted"].as_str().unwrap().contains("in the database"), "{what}");
}

/// Fails with the first rows that differ.
pub fn same(found: &BTreeMap<Vec<String>, u64>, expected: &BTreeMap<Vec<String>, u64>, what: &str) {
    let differs = |one: &BTreeMap<Vec<String>, u64>, other: &BTreeMap<Vec<String>, u64>| {
        one.iter().find(|(row, count)| other.get(*row) != Some(count)).map(|(row, count)| (row.clone(), *count))
    };
    let (odd, lacking) = (differs(found, expected), differs(expected, found));
    assert!(odd.is_none() && lacking.is_none(), "{what}: found {odd:?}, expected {lacking:?}");
}
