//! Every other command takes a table from a database in place of a file: init, reapply, audit, compare, choose.

use serde_json::Value;

use crate::people::People;
use crate::program::Folder;
use crate::releases::{counted, explored, rows_of_file, same, some_solutions};
use crate::site::{Site, running};
use crate::studies::{QUASI, study};

/// A draft without where its table is.
fn without_data(text: &str) -> String {
    let (before, behind) = text.split_once("[data]").unwrap();
    let (_, behind) = behind.split_once("[[columns]]").unwrap();
    format!("{before}{behind}")
}

#[test]
fn drafts_are_those_of_the_file() {
    for running in running() {
        let site = Site::with(&running, &People::random(31, 2500));
        let file = site.folder.run("init people.csv --print");
        let table = site.folder.run("init --database warehouse --table people --print");
        assert_eq!(without_data(&table), without_data(&file), "{:?}", running.engine);
        let named = site.folder.run("init database:warehouse/people --print");
        assert_eq!(named, table, "{:?}", running.engine);
        let mut asked = site.folder.command("init --database warehouse --print --query");
        let asked = asked.arg("select * from people").output().unwrap();
        assert!(asked.status.success(), "{}", String::from_utf8_lossy(&asked.stderr));
        assert_eq!(
            without_data(&String::from_utf8(asked.stdout).unwrap()),
            without_data(&file),
            "{:?}",
            running.engine
        );
    }
}

/// A certificate without names, digests and times.
fn numbers(certificate: &Value) -> Value {
    let mut own = certificate.clone();
    for name in ["input", "output", "counted", "created", "id", "recoding", "reapplied", "warnings", "program"] {
        own.as_object_mut().unwrap().remove(name);
    }
    own
}

#[test]
fn a_recoding_serves_a_later_table_in_the_database() {
    for running in running() {
        let site = Site::with(&running, &People::random(41, 900));
        let folder = &site.folder;
        explored(&site, ["drop-row", "value"]);
        site.fill("later", &People::random(42, 700));
        for (number, quasi) in QUASI.into_iter().enumerate() {
            let id = some_solutions(folder, &format!("front-{number}"))[0]["id"].clone();
            folder.run(&format!("release front-{number} --solution {id} -o out.csv --force --quiet"));
            let again = |data: &str, out: &str| {
                let unknown = "--unknown suppress --no-fresh --force --json --k 3";
                folder.run_json(&format!("reapply out.csv.recoding.json {data} -o {out} {unknown}"))
            };
            let file = again("later.csv", "file.csv");
            let table = again("database:warehouse/later", "table.csv");
            assert_eq!(numbers(&table), numbers(&file), "{:?}", running.engine);
            let [table, file] = ["table.csv", "file.csv"].map(|name| counted(rows_of_file(folder, name), quasi));
            same(&table, &file, &format!("{:?}, reapplied", running.engine));
        }
    }
}

/// What was measured, without what the tables are called.
fn compared(folder: &Folder, arguments: &str, names: [&str; 3]) -> Value {
    let text = folder.run(&format!("compare {} {arguments} --json", names.join(" ")));
    let mut told: Value = serde_json::from_str(&text).unwrap();
    told["releases"] = Value::Null;
    told
}

#[test]
fn comparisons_and_audits_are_those_of_the_file() {
    for running in running() {
        let site = Site::with(&running, &People::random(51, 600));
        let folder = &site.folder;
        let what = format!("{:?}", running.engine);
        // Whose row it is stays to be seen, so that rows can be matched.
        let search = "problem = \"max-suppression\"\neta = 0.05";
        let numbered = |data: &str| {
            study(data, "value", QUASI[0], search).replace("role = \"identifying\"", "role = \"insensitive\"")
        };
        folder.write("file.toml", &numbered("path = \"people.csv\"\n"));
        folder.write("front.toml", &numbered(&site.data("people")));
        folder.run("explore file.toml -o file --quiet");
        folder.run("explore front.toml -o front --quiet");
        let ids: Vec<u64> = some_solutions(folder, "file").iter().map(|one| one["id"].as_u64().unwrap()).collect();
        for (table, id) in ["one", "two"].into_iter().zip(&ids) {
            folder.run(&format!("release file --solution {id} -o {table}.csv --quiet"));
            folder.run(&format!("release front --solution {id} --to-table {table} --quiet"));
            folder.run(&format!("release front --solution {id} -o {table}-here.csv --quiet"));
        }
        let quasi = "--quasi town,age --sensitive illness";
        let tables = ["people", "one", "two"].map(|table| format!("database:warehouse/{table}"));
        let tables = tables.each_ref().map(String::as_str);
        let by_id = format!("{quasi} --id id");
        let file = compared(folder, &by_id, ["people.csv", "one.csv", "two.csv"]);
        let here = [tables[0], "one-here.csv", "two-here.csv"];
        for names in [here, tables] {
            let found = compared(folder, &by_id, names);
            for (name, property) in file["properties"].as_object().unwrap() {
                assert_eq!(&found["properties"][name], property, "{what}, {names:?}: {name}");
            }
            for (name, value) in file.as_object().unwrap() {
                assert_eq!(&found[name], value, "{what}, {names:?}: {name}");
            }
        }
        // Without it nobody knows whose row is whose: a table in a database has no order.
        let wholes = compared(folder, quasi, tables);
        assert_eq!(wholes["matched"], serde_json::json!([null, null]), "{what}");
        for index in ["mean", "min"] {
            assert_eq!(wholes["properties"]["group-size"][index], file["properties"]["group-size"][index], "{what}");
        }
        let refused = folder.refuse(&format!("compare {} one.csv two.csv {quasi}", tables[0]));
        assert!(refused.starts_with("error: database:warehouse/people: this is not the table"), "{refused}");
        let solutions = format!("--solutions {},{} --json", ids[0], ids[1]);
        let [table, file] = ["front", "file"].map(|run| folder.run_json(&format!("compare {run} {solutions}")));
        assert_eq!(table["properties"], file["properties"], "{what}");
        let audit = |table: &str| folder.run_json(&format!("audit {table} {quasi} --below 3 --json"));
        let [mut table, mut file] = ["database:warehouse/people", "people.csv"].map(audit);
        // The rows of a table in a database have no numbers.
        for audit in [&mut table, &mut file] {
            audit.as_object_mut().unwrap().remove("below");
        }
        assert_eq!(table, file, "{what}");
        let chosen = |run: &str| folder.run_json(&format!("choose {run} --min-k 3 --json"))["best"].clone();
        assert_eq!(chosen("front"), chosen("file"), "{what}");
    }
}
