//! From a table to a release through the server: what it answers is what the commands answer.

#[path = "server/people.rs"]
mod people;
mod program;
mod server;

use people::{people, run, started, study};
use program::group_sizes;
use serde_json::{Value, json};

#[test]
fn a_table_is_profiled_as_init_does() {
    let (folder, server) = started();
    folder.write("people.csv", &people(600));
    assert_eq!(server.upload("people.csv", people(600).as_bytes()).json()["bytes"], people(600).len());
    assert_eq!(server.upload("people.csv", people(600).as_bytes()).json()["name"], "people.csv", "the same again");
    assert_eq!(server.upload("people.csv", people(50).as_bytes()).json()["name"], "people-2.csv");

    let profile = server.post("/api/profile", &json!({ "table": "people.csv" })).json();
    assert_eq!(profile["rows"], 600);
    folder.run("init people.csv --quiet");
    // The study as the command writes it, read back by running both.
    folder.run("explore study.toml -o by-command --quiet");
    let created = server.post("/api/runs", &json!({ "table": "people.csv", "study": profile["study"] })).json();
    assert_eq!(created["name"], "people-1");
    assert_eq!(server.wait("people-1")["status"], "done");
    let (mut ours, mut theirs) = (folder.front("work/runs/people-1"), folder.front("by-command"));
    (ours["seconds"], theirs["seconds"]) = (Value::Null, Value::Null);
    assert_eq!(ours, theirs);

    let columns = profile["columns"].as_array().unwrap();
    let column = |name: &str| columns.iter().find(|column| column["name"] == name).unwrap();
    assert_eq!((&column("age")["kind"], &column("age")["missing"]), (&json!("numeric"), &json!(7)));
    let job = column("job");
    assert_eq!(job["distinct"], 5);
    let counts: u64 = job["values"].as_array().unwrap().iter().map(|value| value[1].as_u64().unwrap()).sum();
    assert_eq!(counts, 600);
    let leaves = job["tree"]["children"].as_array().unwrap();
    assert_eq!((leaves.len(), leaves[0].get("children")), (5, None));
    assert_eq!(column("person")["values"].as_array().unwrap().len(), 200);

    let state = server.get("/api/state").json();
    assert_eq!(state["tables"].as_array().unwrap().len(), 2);
    assert_eq!(state["runs"][0]["solutions"], ours["solutions"].as_array().unwrap().len());
    let catalog: Value = serde_json::from_str(&folder.run("catalog --json")).unwrap();
    assert_eq!(server.get("/api/catalog").json(), catalog);
}

#[test]
fn the_synthetic_table_comes_with_its_study() {
    let (folder, server) = started();
    let made = server.post("/api/demo", &json!({ "rows": 400 })).json();
    assert_eq!(made["name"], "census-400.csv");
    let profile = server.post("/api/profile", &json!({ "table": "census-400.csv" })).json();
    folder.run("demo --rows 400 --out demo --quiet");
    assert_eq!(folder.read("work/tables/census-400.csv"), folder.read("demo/census.csv"));
    server.post("/api/runs", &json!({ "name": "d", "table": "census-400.csv", "study": profile["study"] })).json();
    assert_eq!(server.wait("d")["status"], "done");
    assert_eq!(folder.front("work/runs/d")["solutions"], folder.front("demo")["solutions"]);
    for rows in [0, 1, 99_000_000] {
        assert!(server.post("/api/demo", &json!({ "rows": rows })).error(400).contains("rows"));
    }
}

#[test]
fn taxonomies_are_generated_and_read() {
    let (_folder, server) = started();
    server.upload("people.csv", people(600).as_bytes()).json();
    let make = |column: &str, kind: &str, method: &str, parameters: Value| {
        let wish = json!({ "table": "people.csv", "column": column, "kind": kind, "method": method, "parameters": parameters });
        server.post("/api/taxonomy", &wish)
    };
    let methods = server.get("/api/taxonomy").json();
    assert!(methods.as_array().unwrap().iter().any(|method| method["name"] == "prefix"));
    let prefix = make("zip", "categorical", "prefix", json!({})).json();
    assert_eq!(prefix["tree"]["children"][1]["name"], "131**");
    assert_eq!((&prefix["column"]["hierarchy"], &prefix["leaves"]), (&json!("prefix"), &json!(24)));
    let widths = make("age", "numeric", "widths", json!({ "widths": [5.0, 15.0] })).json();
    assert_eq!(widths["levels"], json!([45, 9, 4, 1]));
    let bins = make("age", "numeric", "quantiles", json!({ "bins": 8 })).json();
    assert_eq!((&bins["leaves"], &bins["column"]["bins"]), (&json!(8), &json!(8)));
    let flat = make("job", "categorical", "flat", json!({})).json();
    assert_eq!(flat["levels"], json!([5, 1]));

    assert!(make("job", "numeric", "widths", json!({ "widths": [5.0] })).error(400).contains("numeric"));
    assert!(make("job", "categorical", "magic", json!({})).error(400).contains("magic"));
    assert!(make("job", "categorical", "prefix", json!({ "size": 2 })).error(400).contains("size"));
    assert!(make("age", "numeric", "widths", json!({})).error(400).contains("widths"));
    assert!(make("none", "numeric", "flat", json!({})).error(400).contains("none"));

    let read = |text: &str| server.ask("POST", "/api/taxonomy/read", "application/octet-stream", text.as_bytes());
    let tree = read("baker;hand;*\nwelder;hand;*\nclerk;head;*\n").json();
    assert_eq!(tree["tree"]["name"], "*");
    assert_eq!(
        tree["tree"]["children"][0],
        json!({ "name": "hand", "children": [{ "name": "baker" }, { "name": "welder" }] })
    );
    let said = read("baker;hand;*\nbaker;head;*\n").error(400);
    assert!(said.contains("line 2"), "{said}");
}

#[test]
fn a_run_gives_what_the_command_gives() {
    let (folder, server) = started();
    run(&server, "exact", &study("exact"));
    let events = server.events("exact");
    assert_eq!(events.last().unwrap().0, "end", "a late listener gets the end");
    assert!(events.iter().any(|(name, data)| name == "progress" && data["done"].as_u64() > Some(0)), "{events:?}");

    let text = server.get("/api/runs/exact/front");
    assert_eq!(text.body, std::fs::read(folder.at("work/runs/exact/front.json")).unwrap());
    let front = text.json();
    folder.run("explore work/runs/exact/study.toml -o again --quiet");
    assert_eq!(front["solutions"], folder.front("again")["solutions"]);
    assert!(front["exact"] == true && front["solutions"].as_array().unwrap().len() > 5);

    let info = server.get("/api/runs/exact").json();
    assert_eq!((&info["status"], &info["exact"], &info["table"]), (&json!("done"), &json!(true), &json!("people.csv")));
    assert_eq!(info["study"]["search"]["optimizer"], "exact");
    let report = server.get("/api/runs/exact/report");
    assert!(report.header("content-disposition").unwrap().starts_with("attachment"));
    assert_eq!(report.body, std::fs::read(folder.at("work/runs/exact/report.html")).unwrap());

    let limits = [
        (json!({ "max_loss": 0.3 }), "--max-loss 0.3"),
        (json!({ "max_loss": 0.2, "max_suppression": 0.01 }), "--max-loss 0.2 --max-suppression 0.01"),
        (json!({ "min_k": 10, "min_l": 2 }), "--min-k 10 --min-l 2"),
        (json!({ "max_t": 0.4 }), "--max-t 0.4"),
        (json!({}), ""),
    ];
    for (asked, options) in limits {
        let ours = server.post("/api/runs/exact/choose", &asked).json();
        assert_eq!(ours, folder.run_json(&format!("choose work/runs/exact --json {options}")), "{options}");
    }
    assert!(server.post("/api/runs/exact/choose", &json!({ "max_loss": -1 })).error(400).contains("max_loss"));

    let ours = server.post("/api/runs/exact/compare", &json!({ "solutions": [1, 3, 5] })).json();
    assert_eq!(ours["comparison"], folder.run_json("compare work/runs/exact --solutions 1,3,5 --json"));
    let said = folder.run("compare work/runs/exact --solutions 1,3,5 --quiet");
    let verdict: Vec<&str> = ours["verdict"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    assert_eq!(said.lines().collect::<Vec<_>>(), verdict);
    for curve in ours["curves"]["group-size"].as_array().unwrap() {
        let values: Vec<f64> =
            curve["values"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
        assert!(values.len() <= 400 && values.is_sorted());
    }
    assert!(server.post("/api/runs/exact/compare", &json!({ "solutions": [1] })).error(400).contains("two"));
    assert!(server.post("/api/runs/exact/compare", &json!({ "solutions": [1, 999] })).error(400).contains("999"));
}

#[test]
fn cells_lose_by_the_form_of_the_study() {
    let (folder, server) = started();
    let mut study = study("exact");
    study["search"]["loss"] = json!("general(numeric=interval)");
    run(&server, "exact", &study);
    for solution in folder.front("work/runs/exact")["solutions"].as_array().unwrap() {
        let details = server.get(&format!("/api/runs/exact/solutions/{}", solution["id"])).json();
        let columns = details["columns"].as_array().unwrap();
        let losses: f64 = columns.iter().map(|column| column["loss"].as_f64().unwrap()).sum();
        assert!((losses / 3.0 - solution["gl"].as_f64().unwrap()).abs() < 1e-9, "{}", solution["id"]);
    }
}

#[test]
fn the_details_of_a_solution_add_up() {
    let (folder, server) = started();
    run(&server, "exact", &study("exact"));
    let front = folder.front("work/runs/exact");
    let count = front["solutions"].as_array().unwrap().len();
    let mut with_suppressed = 0;
    for at in 0..count {
        let solution = &front["solutions"][at];
        let details = server.get(&format!("/api/runs/exact/solutions/{}", solution["id"])).json();
        let kept = front["rows"].as_u64().unwrap() - solution["suppressed"].as_u64().unwrap();
        let sum = |list: &Value, at: usize| -> u64 {
            list.as_array().unwrap().iter().map(|entry| entry[at].as_u64().unwrap()).sum()
        };
        assert_eq!(sum(&details["sizes"], 2), kept);
        assert_eq!(sum(&details["sizes"], 1), solution["groups"].as_u64().unwrap());
        assert_eq!(details["sizes"][0][0], solution["k"]);
        let columns = details["columns"].as_array().unwrap();
        let losses: f64 = columns.iter().map(|column| column["loss"].as_f64().unwrap()).sum();
        assert!((losses / 3.0 - solution["gl"].as_f64().unwrap()).abs() < 1e-9, "{at}");
        for column in columns {
            let (sets, leaves) = (column["sets"].as_array().unwrap(), column["leaves"].as_array().unwrap());
            assert_eq!(sets.iter().map(|set| set["count"].as_u64().unwrap()).sum::<u64>(), kept);
            let mut next = 0;
            for set in sets {
                assert_eq!(set["first"], next);
                next = set["last"].as_u64().unwrap() + 1;
                assert_eq!(set["leaves"][0], leaves[set["first"].as_u64().unwrap() as usize]);
            }
            assert_eq!(next as usize, leaves.len());
            assert_eq!(shown(&column["tree"]), sets.len(), "{}", column["tree"]);
        }

        // What the first rows show is what a release that keeps their order holds.
        folder.run(&format!(
            "release work/runs/exact --solution {} -o out{at}.csv --keep-order --allow-k1 --suppressed-rows star --quiet",
            solution["id"]
        ));
        let released = folder.rows(&format!("out{at}.csv"), b',');
        let after = details["rows"]["after"].as_array().unwrap();
        assert_eq!((after.len(), &details["rows"]["before"][0]), (10, &json!(["p0", "20", "13000", "baker", "cold"])));
        let mut of_release = released.iter();
        for (row, cells) in after.iter().enumerate() {
            if row == 5 {
                assert_eq!(*cells, Value::Null, "a row with a missing value is not released");
                continue;
            }
            let line = of_release.next().unwrap();
            match cells {
                Value::Null => {
                    with_suppressed += 1;
                    assert!(line[..3].iter().all(|cell| cell == "*"), "{line:?}");
                }
                cells => {
                    assert_eq!(cells[0], Value::Null, "an identifying column is left out");
                    let cells: Vec<&str> = (1..5).map(|at| cells[at].as_str().unwrap()).collect();
                    assert_eq!(cells, line.iter().map(String::as_str).collect::<Vec<_>>());
                }
            }
        }
    }
    assert!(with_suppressed > 0, "some solution suppresses one of the first rows");
    server.get("/api/runs/exact/solutions/9999").error(404);
    server.get("/api/runs/exact/solutions/x").error(400);
}

/// Marked nodes of a tree.
fn shown(tree: &Value) -> usize {
    let below: usize = tree["children"].as_array().into_iter().flatten().map(shown).sum();
    below + usize::from(tree["shown"] == true)
}

#[test]
fn local_recodings_are_shown_by_their_groups_and_rows() {
    let (folder, server) = started();
    run(&server, "local", &study("regions"));
    let front = folder.front("work/runs/local");
    for solution in front["solutions"].as_array().unwrap().iter().step_by(7) {
        let details = server.get(&format!("/api/runs/local/solutions/{}", solution["id"])).json();
        let compared = folder.run_json(&format!("compare work/runs/local --solutions {},1 --json", solution["id"]));
        let smallest = compared["properties"]["group-size"]["min"][0].as_f64();
        assert_eq!(details["sizes"][0][0], solution["k"], "the smallest group is k: {solution}");
        // In property vectors suppressed rows are one group more.
        let gone = solution["suppressed"].as_u64().filter(|rows| *rows > 0);
        let least = solution["k"].as_u64().unwrap().min(gone.unwrap_or(u64::MAX));
        assert_eq!(smallest, Some(least as f64), "{solution}");
        assert!(details["columns"][0].get("sets").is_none());
        assert_eq!(details["rows"]["after"].as_array().unwrap().len(), 10);
    }
    let ours = server.post("/api/runs/local/compare", &json!({ "solutions": [1, 2] })).json();
    assert_eq!(ours["comparison"], folder.run_json("compare work/runs/local --solutions 1,2 --json"));
}

#[test]
fn a_release_is_verified_and_downloaded() {
    let (folder, server) = started();
    run(&server, "exact", &study("exact"));
    let front = folder.front("work/runs/exact");
    let solution = front["solutions"].as_array().unwrap().iter().find(|one| one["k"].as_u64() >= Some(5)).unwrap();
    let wish = json!({ "solution": solution["id"], "name": "public.csv", "suppressed_rows": "drop" });
    let released = server.post("/api/runs/exact/release", &wish).json();
    assert_eq!(released["certificate"]["k"], solution["k"]);
    assert_eq!(released["files"][0], "public.csv");
    for file in released["files"].as_array().unwrap() {
        let name = file.as_str().unwrap();
        let download = server.get(&format!("/api/runs/exact/releases/{name}"));
        assert_eq!(download.header("content-disposition"), Some(format!("attachment; filename=\"{name}\"").as_str()));
        assert_eq!(download.body, std::fs::read(folder.at(&format!("work/runs/exact/releases/{name}"))).unwrap());
        folder.write(name, &download.text());
    }
    let audit = folder.run_json("audit public.csv --quasi age,zip,job --sensitive disease --json");
    assert_eq!((&audit["k"], &audit["rows"]), (&solution["k"], &released["certificate"]["output"]["rows"]));
    let smallest = group_sizes(&folder.rows("public.csv", b','), &[0, 1, 2]).into_values().min();
    assert_eq!(smallest, solution["k"].as_u64());

    assert!(server.post("/api/runs/exact/release", &wish).error(409).contains("another name"));
    let of =
        |name: &str| json!({ "solution": solution["id"], "name": name, "representative": "median", "tokens": true });
    assert_eq!(server.post("/api/runs/exact/release", &of("public.parquet")).status, 200);
    assert_eq!(server.post("/api/runs/exact/release", &of("public.pdf")).status, 400);
    assert_eq!(server.post("/api/runs/exact/release", &of("../public.csv")).status, 400);
    assert_eq!(server.post("/api/runs/exact/release", &json!({ "solution": 999, "name": "x.csv" })).status, 400);
    server.get("/api/runs/exact/releases/none.csv").error(404);
}

#[test]
fn solutions_are_compared_with_files_of_other_tools() {
    let (folder, server) = started();
    run(&server, "exact", &study("exact"));
    folder.write("people.csv", &people(600));
    let id = folder.front("work/runs/exact")["solutions"][3]["id"].as_u64().unwrap();
    // Another tool's release: it keeps all rows and knows two kinds of job.
    let other: String = people(600)
        .lines()
        .enumerate()
        .map(|(row, line)| {
            let cells: Vec<&str> = line.split(',').collect();
            let job = if matches!(cells[3], "baker" | "welder") { "hand" } else { "head" };
            if row == 0 { format!("{line}\n") } else { format!("{},*,13***,{job},{}\n", cells[0], cells[4]) }
        })
        .collect();
    let stored = server.upload("other.csv", other.as_bytes()).json();
    let asked = json!({ "solutions": [id], "files": [stored["name"]] });
    let ours = server.post("/api/runs/exact/compare", &asked).json();
    let releases = &ours["comparison"]["releases"];
    assert_eq!(*releases, json!([format!("solution {id}"), "other.csv"]));

    // The same through files: the solution released in the order of the rows, rows with missing values put back as stars.
    folder.write("other.csv", &other);
    folder.run(&format!(
        "release work/runs/exact --solution {id} -o ordered.csv --keep-order --allow-k1 --suppressed-rows star --quiet"
    ));
    let mut rows = folder.rows("ordered.csv", b',').into_iter();
    let mut again = "person,age,zip,job\n".to_owned();
    for (at, line) in people(600).lines().skip(1).enumerate() {
        let own = if line.split(',').nth(1) == Some("") { None } else { rows.next() };
        if let Some(own) = own.filter(|own| own[..3].iter().any(|cell| cell != "*")) {
            again += &format!("p{at},\"{}\",\"{}\",\"{}\"\n", own[0], own[1], own[2]);
        }
    }
    folder.write(&format!("solution {id}.csv"), &again);
    let mut command = folder.command("compare people.csv");
    command.arg(format!("solution {id}.csv"));
    command.args("other.csv --quasi age,zip,job --sensitive disease --id person --json".split(' '));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let theirs: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(ours["comparison"]["properties"], theirs["properties"]);
    assert_eq!(ours["comparison"]["sets"], theirs["sets"]);

    let short = server.upload("short.csv", people(100).as_bytes()).json();
    let apart = server.post("/api/runs/exact/compare", &json!({ "solutions": [id], "files": [short["name"]] })).json();
    assert!(apart["comparison"]["notes"].to_string().contains("100 rows"), "{apart}");
    assert_eq!(apart["comparison"]["properties"]["group-size"]["cov"], Value::Null);
    assert!(apart["curves"]["group-size"].is_array() && apart["curves"].get("utility").is_none());
    server.post("/api/runs/exact/compare", &json!({ "solutions": [id], "files": ["none.csv"] })).error(404);
}
