//! Queries for those who may not connect: somebody else runs them, and comes to the same front and the same release.

use serde_json::Value;

use crate::fronts::{plain, same_front};
use crate::people::People;
use crate::program::Folder;
use crate::releases::{counted, rows_of_file, rows_of_table, same, some_solutions};
use crate::site::{Rows, Site, running};
use crate::studies::{QUASI, study};

/// The statements of a printed text.
fn statements(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("--")).collect();
    lines
        .join("\n")
        .split(";\n")
        .map(|sql| sql.trim().trim_end_matches(';').to_owned())
        .filter(|sql| !sql.is_empty())
        .collect()
}

/// The numbers of a line such as `-- Expected: groups = 3, k = 2, rows_released = 9.`
fn expected(text: &str) -> Vec<String> {
    let line = text.lines().find(|line| line.starts_with("-- Expected:")).unwrap();
    let words = line.split(|letter: char| !letter.is_ascii_digit());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

fn write_counts(folder: &Folder, names: &[&str], rows: Rows) {
    let mut writer = csv::Writer::from_path(folder.at("counts.csv")).unwrap();
    writer.write_record(names).unwrap();
    for row in rows {
        writer.write_record(row.iter().map(|cell| cell.as_deref().unwrap_or(""))).unwrap();
    }
    writer.flush().unwrap();
}

#[test]
fn printed_queries_count_and_release_as_the_program_does() {
    for running in running() {
        let site = Site::with(&running, &People::random(21, 800));
        for (number, on_missing) in ["value", "drop-row"].into_iter().enumerate() {
            check(&site, number, on_missing);
        }
    }
}

fn check(site: &Site, number: usize, on_missing: &str) {
    let (folder, engine, quasi) = (&site.folder, site.engine(), QUASI[number]);
    let dialect = engine.dialect();
    let what = format!("{engine:?}, {on_missing}");
    let search = "problem = \"max-suppression\"\neta = 0.04\nprivacy = \"frequency-l\"";
    folder.write("file.toml", &study("path = \"people.csv\"\n", on_missing, quasi, search));
    folder.run(&format!("explore file.toml -o file-{number} --quiet"));

    let query = statements(&folder.run(&format!("sql file.toml --dialect {dialect}"))).remove(0);
    // In the order of the table, with the sensitive column: what the study counts.
    let names: Vec<&str> = quasi.iter().map(|(name, _)| *name).chain(["illness"]).collect();
    let cells: Vec<String> = names.iter().map(|name| format!("COALESCE({}, '')", engine.quoted(name))).collect();
    let rows = site.ask(&format!("SELECT {}, CAST(paretonym_rows AS BIGINT) FROM ({query}) AS q", cells.join(", ")));
    write_counts(folder, &[names.as_slice(), &["paretonym_rows"]].concat(), rows);
    folder.run(&format!("explore file.toml --counts counts.csv -o counts-{number} --quiet"));
    let [mut found, mut front] = ["counts", "file"].map(|run| plain(folder.front(&format!("{run}-{number}"))));
    // Whoever has only counts cannot be warned of what the other columns hold.
    (found["warnings"], front["warnings"]) = (Value::Null, Value::Null);
    same_front(&found, &front, &what);

    folder.write("front.toml", &study(&site.data("people"), on_missing, quasi, search));
    folder.run(&format!("explore front.toml -o front-{number} --quiet"));
    for solution in some_solutions(folder, &format!("file-{number}")) {
        let id = &solution["id"];
        folder.run(&format!("release file-{number} --solution {id} -o file.csv --force --quiet"));
        // Whoever has only counts has seen nothing else.
        let by_counts = format!("counts-{number} --solution {id} --dialect {dialect} --table people");
        for run in [by_counts, format!("front-{number} --solution {id}")] {
            let text = folder.run(&format!("sql {run} --to-table printed"));
            released(site, &text, quasi, &solution, &format!("{what}, {run}"));
        }
    }
}

/// Runs the queries of a release, and holds what they make and answer against the release of the file.
fn released(site: &Site, text: &str, quasi: &[(&str, &str)], solution: &Value, what: &str) {
    let statements = statements(text);
    site.tell(&["DROP TABLE IF EXISTS printed".to_owned(), statements[0].clone()]);
    let file = counted(rows_of_file(&site.folder, "file.csv"), quasi);
    same(&counted(rows_of_table(site, "printed"), quasi), &file, what);
    let names = ["groups", "k", "rows_released"].map(|name| format!("CAST({name} AS BIGINT)")).join(", ");
    let answer = site.ask(&format!("SELECT {names} FROM ({}) AS a", statements[1])).remove(0);
    assert_eq!(answer.into_iter().flatten().collect::<Vec<_>>(), expected(text), "{what}");
    let distinct = site.ask(&format!("SELECT CAST(distinct_l AS BIGINT) FROM ({}) AS a", statements[2]));
    let l: f64 = distinct[0][0].as_ref().unwrap().parse().unwrap();
    assert!(l >= solution["l"].as_f64().unwrap(), "{what}");
}
