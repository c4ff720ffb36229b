//! Every problem, model and optimizer on levels finds the same front in an engine as in a file.

use std::sync::Mutex;

use serde_json::Value;

use crate::people::People;
use crate::program::Folder;
use crate::site::{Site, is_long, running};
use crate::studies::{QUASI, study};

const MODELS: [&str; 6] = ["k", "frequency-l", "distinct-l", "entropy-l", "recursive-l(c=2)", "t"];
const PROBLEMS: [&str; 6] = [
    "problem = \"zero-suppression\"",
    "problem = \"max-suppression\"\neta = 0.05",
    "problem = \"any-suppression\"",
    "problem = \"kl-safety\"\neta = 0.05",
    "problem = \"preference\"\nk_pref = 3",
    "problem = \"single\"\nk = 4",
];
const OPTIMIZERS: [&str; 3] = ["exact", "exhaustive", "poka"];

/// What is to be searched: the number of a table, what becomes of missing values, the number of a choice of columns, the rest.
struct Task {
    /// Which of the engines, where not all of them.
    turn: usize,
    table: usize,
    on_missing: &'static str,
    quasi: usize,
    search: String,
}

/// Every combination once, spread over the tables and, in turn, over the engines: each of them meets each problem with each
/// model twice.
fn tasks() -> Vec<Task> {
    let mut tasks = Vec::new();
    for (shift, problem) in PROBLEMS.into_iter().enumerate() {
        for (further, model) in MODELS.into_iter().enumerate() {
            for (at, optimizer) in OPTIMIZERS.into_iter().enumerate() {
                for (missing, on_missing) in ["drop-row", "value"].into_iter().enumerate() {
                    let search = format!("{problem}\nprivacy = \"{model}\"\noptimizer = \"{optimizer}\"");
                    let (number, turn) = (tasks.len(), shift + further + at + missing);
                    // The large table seldom, since it takes the longest.
                    let table = [0, 1, 0, 1, 2][number % 5];
                    tasks.push(Task { turn, table, on_missing, quasi: number / 5 % 2, search });
                }
            }
        }
    }
    for (turn, search) in [
        "optimizer = \"nsga2\"\nevaluations = 300\npopulation = 40",
        "optimizer = \"regions\"\neta = 0.02",
        "optimizer = \"exact\"\nloss = \"discernibility\"",
        "optimizer = \"exact\"\nloss = \"entropy\"",
    ]
    .into_iter()
    .enumerate()
    {
        tasks.push(Task { turn, table: 1, on_missing: "value", quasi: 0, search: search.to_owned() });
    }
    tasks
}

/// What a search came to: its front without what tells of time and travel, or what was said instead.
pub fn outcome(folder: &Folder, study: &str, out: &str) -> Result<Value, String> {
    let output = folder.try_run(&format!("explore {study} -o {out} --quiet --threads 1"));
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    Ok(plain(folder.front(out)))
}

/// A front without what tells of time and travel.
pub fn plain(mut front: Value) -> Value {
    let fields = front.as_object_mut().unwrap();
    fields.remove("seconds");
    fields.remove("moved");
    front
}

/// Fails with the fields that differ.
pub fn same_front(found: &Value, expected: &Value, what: &str) {
    for (name, value) in expected.as_object().unwrap() {
        if name != "solutions" {
            assert_eq!(&found[name], value, "{what}: {name}");
        }
    }
    let [found, expected] = [found, expected].map(|front| front["solutions"].as_array().unwrap());
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found, expected, "{what}");
    }
    assert_eq!(found.len(), expected.len(), "{what}: solutions");
}

#[test]
fn every_search_finds_what_it_finds_in_a_file() {
    let engines = running();
    if engines.is_empty() {
        return;
    }
    let people = [(1, 200), (2, 400), (3, 2300)].map(|(seed, rows)| People::random(seed, rows));
    let sites: Vec<Site> = engines.iter().map(Site::new).collect();
    for (number, people) in people.iter().enumerate() {
        sites.iter().for_each(|site| site.fill(&format!("people{number}"), people));
    }
    sites.iter().for_each(Site::only_read);
    let tasks = Mutex::new(tasks().into_iter().enumerate());
    let (found, refused) = (Mutex::new(0), Mutex::new(0));
    let work = || {
        while let Some((number, task)) = { tasks.lock().unwrap().next() } {
            let some = if is_long() { &sites[..] } else { std::slice::from_ref(&sites[task.turn % sites.len()]) };
            match check(&sites[0].folder, some, number, &task) {
                true => *found.lock().unwrap() += 1,
                false => *refused.lock().unwrap() += 1,
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
    let (found, refused) = (found.into_inner().unwrap(), refused.into_inner().unwrap());
    eprintln!("{found} fronts are the same, {refused} searches are refused everywhere");
    assert!(found >= 100, "only {found} searches found anything");
}

/// Whether a front was found, from the file and from every engine.
fn check(file: &Folder, sites: &[Site], number: usize, task: &Task) -> bool {
    let table = format!("people{}", task.table);
    let quasi = QUASI[task.quasi];
    let (name, out) = (format!("study{number}.toml"), format!("front{number}"));
    let own = format!("file{number}.toml");
    file.write(&own, &study(&format!("path = \"{table}.csv\"\n"), task.on_missing, quasi, &task.search));
    let expected = outcome(file, &own, &format!("file{number}"));
    for site in sites {
        site.folder.write(&name, &study(&site.data(&table), task.on_missing, quasi, &task.search));
        let found = outcome(&site.folder, &name, &out);
        let what =
            format!("{:?}, {table}, {}, columns {}, {}", site.engine(), task.on_missing, task.quasi, task.search);
        match (&found, &expected) {
            (Ok(found), Ok(expected)) => same_front(found, expected, &what),
            (Err(found), Err(expected)) => {
                let told = |said: &String| {
                    said.replace(&format!("database:warehouse/{table}"), "").replace(&format!("{table}.csv"), "")
                };
                assert_eq!(told(found), told(expected), "{what}");
            }
            (Err(said), Ok(_)) => panic!("{what}: {said}"),
            (Ok(_), Err(said)) => panic!("{what}: from the file it is refused: {said}"),
        }
        if site.folder.at(&out).is_dir() {
            std::fs::remove_dir_all(site.folder.at(&out)).unwrap();
        }
    }
    expected.is_ok()
}
