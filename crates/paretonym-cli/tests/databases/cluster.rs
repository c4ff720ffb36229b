//! A Spark cluster with two workers: the front of a file, also where a worker is lost in the middle. Half a minute to start,
//! so only where there is time.

use std::process::Stdio;
use std::time::Duration;

use crate::engines::{Drivers, Engine};
use crate::fronts::{outcome, plain, same_front};
use crate::people::People;
use crate::releases::{counted, rows_of_file, rows_of_table, same, some_solutions};
use crate::site::{Running, Site, is_long};
use crate::studies::{QUASI, study};

#[test]
fn a_cluster_finds_what_a_file_gives_with_a_worker_lost_or_not() {
    if !is_long() {
        eprintln!("skipped: Spark takes half a minute to start ($PARETONYM_LONG asks for it)");
        return;
    }
    let Some(running) = Drivers::find().and_then(|drivers| Running::start(Engine::Spark, &drivers)) else { return };
    let site = Site::with(&running, &People::random(91, 400));
    let folder = &site.folder;
    for (number, quasi) in QUASI.into_iter().enumerate() {
        let search = "problem = \"max-suppression\"\neta = 0.05";
        folder.write("file.toml", &study("path = \"people.csv\"\n", "value", quasi, search));
        folder.write("front.toml", &study(&site.data("people"), "value", quasi, search));
        let expected = outcome(folder, "file.toml", "file").unwrap();
        same_front(&outcome(folder, "front.toml", "front").unwrap(), &expected, &format!("Spark, columns {number}"));

        let mut command = folder.command("explore front.toml -o lost --quiet");
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(1000));
        assert!(child.try_wait().unwrap().is_none(), "it ended before a worker could be lost");
        running.cluster.as_ref().unwrap().kill_worker();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        same_front(&plain(folder.front("lost")), &expected, &format!("Spark, columns {number}, a worker lost"));
        running.cluster.as_ref().unwrap().start_again();

        let id = some_solutions(folder, "front")[1]["id"].clone();
        folder.run(&format!("release file --solution {id} -o file.csv --force --quiet"));
        folder.run(&format!("release front --solution {id} -o out.csv --force --quiet"));
        folder.run(&format!("release front --solution {id} --to-table made --force --quiet"));
        let file = counted(rows_of_file(folder, "file.csv"), quasi);
        same(&counted(rows_of_file(folder, "out.csv"), quasi), &file, "Spark, a file");
        same(&counted(rows_of_table(&site, "made"), quasi), &file, "Spark, a table");
        stars_and_no_tokens(&site, quasi, &id.to_string());
    }
    beyond_the_limit(&site, &running);
    local_recodings(&site);
    site.tell(&["DROP TABLE made".to_owned(), "DROP TABLE people".to_owned()]);
}

/// More distinct tuples than may come: the cluster counts node by node, which takes long enough to lose a worker in the middle.
fn beyond_the_limit(site: &Site, running: &Running) {
    let folder = &site.folder;
    for (number, search) in [
        "optimizer = \"exact\"\neta = 0.05\nat_least = { k = 3 }",
        "optimizer = \"exact\"\neta = 0.05\nprivacy = \"frequency-l\"\nat_least = { k = 5, l = 2 }",
        "optimizer = \"exact\"\nproblem = \"zero-suppression\"\nprivacy = \"entropy-l\"\nat_least = { k = 5 }",
    ]
    .into_iter()
    .enumerate()
    {
        folder.write("file.toml", &study("path = \"people.csv\"\n", "value", QUASI[0], search));
        folder.write("far.toml", &study(&site.data("people"), "value", QUASI[0], search));
        let expected = outcome(folder, "file.toml", "file").unwrap();
        let mut command = folder.command("explore far.toml -o far --groups-at-most 20 --quiet");
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        if number == 0 {
            std::thread::sleep(Duration::from_secs(5));
            running.cluster.as_ref().unwrap().kill_worker();
            std::thread::sleep(Duration::from_secs(1));
            assert!(child.try_wait().unwrap().is_none(), "it ended before a worker was lost");
        }
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let points = |front: &serde_json::Value| {
            let of =
                |one: &serde_json::Value| ["objectives", "recoding", "alternatives"].map(|field| one[field].clone());
            front["solutions"].as_array().unwrap().iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(points(&folder.front("far")), points(&expected), "Spark, {search}");
        if number == 0 {
            running.cluster.as_ref().unwrap().start_again();
        }
    }
}

/// Rows of stars are those of a file; tokens are refused, since their key would stand in a query.
fn stars_and_no_tokens(site: &Site, quasi: &[(&str, &str)], id: &str) {
    let folder = &site.folder;
    folder.run(&format!("release file --solution {id} -o file.csv --suppressed-rows star --force --quiet"));
    folder.run(&format!("release front --solution {id} --to-table made --suppressed-rows star --force --quiet"));
    let file = counted(rows_of_file(folder, "file.csv"), quasi);
    same(&counted(rows_of_table(site, "made"), quasi), &file, "Spark, stars");
    let output = folder.command(&format!("release front --solution {id} --to-table never --tokens")).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("only in the text of a query"), "{said}");
}

fn local_recodings(site: &Site) {
    let folder = &site.folder;
    for (name, data) in [("file", "path = \"people.csv\"\n".to_owned()), ("there", site.data("people"))] {
        let search = "problem = \"max-suppression\"\neta = 0.05\noptimizer = \"regions\"\nseed = 3";
        folder.write("local.toml", &study(&data, "drop-row", QUASI[0], search));
        folder.run(&format!("explore local.toml -o local-{name} --quiet"));
    }
    let id = some_solutions(folder, "local-there")[1]["id"].clone();
    folder.run(&format!("release local-file --solution {id} -o file.csv --force --quiet"));
    folder.run(&format!("release local-there --solution {id} --to-table made --force --quiet"));
    let file = counted(rows_of_file(folder, "file.csv"), QUASI[0]);
    same(&counted(rows_of_table(site, "made"), QUASI[0]), &file, "Spark, regions");
}
