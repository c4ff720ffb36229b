//! Signals: whatever is running stops soon, keeps what it has, and leaves no draft behind.
#![cfg(unix)]

mod program;

use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use program::Folder;
use serde_json::{Value, json};

/// A program that goes on for so long after a signal does not stop.
const PATIENCE: Duration = Duration::from_secs(60);

/// A table of people with columns for every kind of search, and as many values in the sensitive one.
fn write_people(folder: &Folder, rows: u64) {
    let mut text = String::from("id,age,zip,job,sex,pay\n");
    let mut state = 9u64;
    let mut draw = |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    for row in 0..rows {
        let age = 18 + draw(40) + draw(40);
        let (zip, job, sex, pay) = (10_000 + draw(90) * 100 + age, draw(24), draw(2), draw(rows / 2));
        text += &format!("{row},{age},{zip},job{job},s{sex},{pay}\n");
    }
    folder.write("people.csv", &text);
}

fn write_study(folder: &Folder, recode: &str, search: &str) {
    let jobs: Vec<String> = (0..24).map(|job| format!("\"job{job}\"")).collect();
    let groups: Vec<String> =
        jobs.chunks(4).enumerate().map(|(at, some)| format!("g{at} = [{}]", some.join(", "))).collect();
    let text = format!(
        "[data]\npath = \"people.csv\"\n\
         [[columns]]\nname = \"id\"\nrole = \"identifying\"\n\
         [[columns]]\nname = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\nwidths = [5, 10, 20, 40]\nrecode = \"{recode}\"\n\
         [[columns]]\nname = \"zip\"\nrole = \"quasi\"\nkind = \"categorical\"\nhierarchy = \"prefix\"\nrecode = \"levels\"\n\
         [[columns]]\nname = \"job\"\nrole = \"quasi\"\nkind = \"categorical\"\nrecode = \"levels\"\ntaxonomy = {{ {} }}\n\
         [[columns]]\nname = \"sex\"\nrole = \"quasi\"\nkind = \"categorical\"\n\
         [[columns]]\nname = \"pay\"\nrole = \"sensitive\"\nkind = \"numeric\"\n\
         [search]\n{search}\n",
        groups.join(", ")
    );
    folder.write("study.toml", &text);
}

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

/// Waits for the end of a program; a panic where there is none.
fn ended(child: &mut Child, what: &str) -> ExitStatus {
    let began = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        if began.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{what} does not stop");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn drafts(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.starts_with(".paretonym")).collect()
}

#[test]
fn every_optimizer_stops_at_a_signal_and_keeps_its_front() {
    let folder = Folder::new();
    write_people(&folder, 60_000);
    let searches = [
        ("levels", "optimizer = \"exhaustive\"\nprivacy = \"t\""),
        ("levels", "optimizer = \"exact\""),
        ("levels", "optimizer = \"poka\"\ndepth = 4"),
        ("levels", "optimizer = \"samarati\""),
        ("levels", "optimizer = \"incognito\""),
        ("levels", "optimizer = \"datafly\""),
        ("breaks", "optimizer = \"nsga2\"\nprivacy = \"l\""),
        ("breaks", "optimizer = \"genitor\"\nproblem = \"single\"\nk = 5"),
        ("levels", "optimizer = \"regions\""),
        ("levels", "optimizer = \"regions\"\nprivacy = \"t\""),
        ("levels", "optimizer = \"mondrian\""),
    ];
    let mut stopped = 0;
    for (number, (recode, search)) in searches.into_iter().enumerate() {
        write_study(&folder, recode, search);
        // Moments in the reading of the table, early and later in the search; signals in turn.
        for (at, moment) in [60, 500, 1500].into_iter().enumerate() {
            let name = ["-TERM", "-HUP", "-INT"][(number + at) % 3];
            let what = format!("{search} at {moment} ms, {name}");
            let out = format!("front-{number}-{at}");
            let mut command = folder.command(&format!("explore study.toml -o {out} --quiet"));
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            std::thread::sleep(Duration::from_millis(moment));
            if child.try_wait().unwrap().is_none() {
                signal(&child, name);
            }
            let status = ended(&mut child, &what);
            assert!(matches!(status.code(), Some(0 | 1)), "{what}: {status}");
            let done = status.code() == Some(0);
            stopped += u32::from(!done);
            assert_eq!(drafts(&folder.at(&out)), [] as [String; 0], "{what}");
            if folder.at(&out).join("front.json").exists() {
                let front = folder.front(&out);
                let solutions = front["solutions"].as_array().unwrap();
                assert!(!solutions.is_empty(), "{what}");
                let whole = solutions.iter().all(|own| own["described"] != false);
                assert!(!done || whole, "{what}");
                // What is kept can be chosen from.
                let chosen = folder.run_json(&format!("choose {out} --json"));
                assert_eq!(chosen["feasible"], json!(solutions.len()), "{what}");
            } else {
                assert!(!done, "{what}");
            }
        }
    }
    assert!(stopped > 10, "most were stopped: {stopped}");
}

#[test]
fn a_stopped_release_leaves_nothing_behind() {
    let folder = Folder::new();
    folder.run("demo --rows 200000 --out d --quiet");
    for (name, twice) in [("-TERM", false), ("-HUP", false), ("-INT", true), ("-TERM", true)] {
        let mut command = folder.command("release d --solution 2 -o released.csv --quiet");
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while drafts(folder.path()).is_empty() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        if child.try_wait().unwrap().is_none() {
            signal(&child, name);
            if twice && child.try_wait().unwrap().is_none() {
                // At once, so that the first is still being heeded.
                let _ = Command::new("kill").args([name, &child.id().to_string()]).status();
            }
        }
        let status = ended(&mut child, name);
        assert!(matches!(status.code(), Some(0 | 1)), "{name}: {status}");
        assert_eq!(drafts(folder.path()), [] as [String; 0], "{name}, twice: {twice}");
        let released = folder.at("released.csv").exists();
        assert_eq!(released, status.code() == Some(0), "{name}");
        for file in folder.names().iter().filter(|file| file.starts_with("released.csv")) {
            let path = folder.at(file);
            if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }.unwrap();
        }
    }
}

/// A solution that was not measured before the end can be chosen, and is measured when it is released.
#[test]
fn a_solution_that_was_not_measured_can_be_released() {
    let folder = Folder::new();
    folder.run("demo --rows 3000 --out d --quiet");
    let mut front = folder.front("d");
    let whole = front.clone();
    for solution in front["solutions"].as_array_mut().unwrap() {
        for name in ["gl", "sl", "weighted_k", "l", "t", "necd", "suppressed", "groups"] {
            solution[name] = Value::Null;
        }
        (solution["privacy"], solution["described"]) = (json!([]), json!(false));
    }
    let study = paretonym_engine::folder::read_study(&folder.at("d/study.toml")).unwrap();
    let stopped = paretonym::front::FrontFile::from_json(&front.to_string(), "front.json").unwrap();
    for dir in ["d", "later"] {
        paretonym_engine::folder::keep(&folder.at(dir), &study, &stopped, None).unwrap();
    }
    let limits = "--max-loss 0.4";
    let chosen = folder.run_json(&format!("choose d {limits} --json"));
    let best = &chosen["best"][0];
    assert_eq!((&best["gl"], &best["described"]), (&Value::Null, &json!(false)));
    assert!(folder.run(&format!("choose d {limits}")).contains('–'));
    let refused = folder.command("choose d --min-l 2").output().unwrap();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(2) && said.contains("was not measured"), "{said}");
    // What is left is measured on demand, and comes to what it would have come to.
    folder.run("explore --resume later --quiet");
    assert_eq!(folder.front("later")["solutions"], whole["solutions"]);
    let again = folder.command("explore --resume later").output().unwrap();
    assert_eq!(again.status.code(), Some(2), "there is nothing left to do");
    let id = best["id"].as_u64().unwrap();
    let certificate = folder.run_json(&format!("release d --solution {id} -o r.csv --json"));
    let same = whole["solutions"].as_array().unwrap().iter().find(|own| own["id"] == best["id"]).unwrap();
    assert_eq!(certificate["k"], same["k"]);
    // A front that claims what the table does not give is still refused.
    let at = front["solutions"].as_array().unwrap().iter().position(|own| own["id"] == best["id"]).unwrap();
    front["solutions"][at]["k"] = json!(best["k"].as_u64().unwrap() + 1);
    folder.write("d/front.json", &front.to_string());
    let refused = folder.command(&format!("release d --solution {id} -o s.csv")).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
}

#[test]
fn more_threads_than_cores_are_not_started() {
    let folder = Folder::new();
    folder.run("demo --rows 1000 --out d --quiet");
    let run = |threads: &str, out: &str| {
        let output = folder.command(&format!("explore d/census.toml -o {out} --threads {threads}")).output().unwrap();
        assert!(output.status.success(), "{threads}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = run("100000", "many");
    assert!(said.contains("100000 threads are more than the cores"), "{said}");
    assert!(run("0", "all").is_empty() && run("1", "one").is_empty());
    let solutions = |out: &str| folder.front(out)["solutions"].clone();
    assert_eq!((solutions("many"), solutions("all")), (solutions("one"), solutions("one")));
}
