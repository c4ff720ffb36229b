//! `paretonym explore` and `demo` through the real program.

mod program;

use program::{Folder, adult, studies};
use serde_json::Value;

#[test]
fn a_small_table_gives_the_front_that_a_pencil_gives() {
    let folder = studies::six_people();
    folder.run("explore study.toml -o out");
    let front = folder.front("out");
    assert_eq!(front["format"], "paretonym-front/1");
    assert_eq!(
        (front["rows"].as_u64(), front["space"].as_u64(), front["exact"].as_bool()),
        (Some(6), Some(6), Some(true))
    );
    let solutions: Vec<(u64, f64)> = front["solutions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|solution| (solution["k"].as_u64().unwrap(), solution["loss"].as_f64().unwrap()))
        .collect();
    // Decades and no job: groups 3 and 3, (2/5 + 1) / 2; decades with jobs have a group of one; ages hidden, jobs shown:
    // groups 3 and 3, (1 + 0) / 2; nothing recoded: 1.
    assert_eq!(solutions, [(6, 1.0), (3, 0.5), (1, 0.0)]);
    assert!(folder.read("out/report.html").contains("</html>"));
    assert_eq!(front["solutions"][1]["recoding"]["age"]["level"], 2);
}

#[test]
fn every_optimizer_of_the_lattice_agrees_and_threads_do_not_matter() {
    let folder = studies::six_people();
    let mut fronts: Vec<Value> = Vec::new();
    for arguments in ["--optimizer exhaustive --threads 1", "--optimizer exact --threads 2"] {
        folder.run(&format!("explore study.toml -o out --quiet {arguments}"));
        fronts.push(folder.front("out")["solutions"].clone());
    }
    assert_eq!(fronts[0], fronts[1]);
}

#[test]
fn the_demo_needs_nothing() {
    let folder = Folder::new();
    let printed = folder.run("demo --rows 500 --out d");
    assert!(printed.contains("500 rows"), "{printed}");
    let front = folder.front("d");
    assert_eq!(front["exact"], true);
    assert!(front["solutions"][0]["l"].is_number() && front["solutions"][0]["t"].is_number());
    let json: Value = serde_json::from_str(&folder.run("demo --rows 500 --out e --json")).unwrap();
    assert_eq!(json["solutions"], front["solutions"]);
}

#[test]
fn adult_preset_runs() {
    let Some(data) = adult() else { return };
    let folder = Folder::new();
    folder.run(&format!("init --preset adult {}", data.display()));
    folder.run("explore study.toml -o out --quiet");
    let front = folder.front("out");
    assert_eq!(front["rows"], 30162);
    assert_eq!(front["distinct"], 19502);
    assert_eq!(front["space"], 12960);
    assert_eq!(front["solutions"].as_array().unwrap().len(), 48);
    assert!(front["evaluated"].as_u64().unwrap() <= 907, "at most 7 % of the nodes: {}", front["evaluated"]);
}

/// The solutions of the whole front that reach a floor are those within it, from fewer recodings, and a release of one
/// holds it.
#[test]
fn floors_leave_what_could_be_published() {
    let folder = Folder::new();
    folder.run("demo --rows 3000 --out whole --quiet");
    let shown = folder.run("explore whole/census.toml -o part --at-least k=20");
    assert!(shown.contains("within k >= 20, proven to be the whole front"), "{shown}");
    let (whole, part) = (folder.front("whole"), folder.front("part"));
    let points = |front: &Value| {
        let solutions = front["solutions"].as_array().unwrap().iter();
        let private = solutions.filter(|own| own["k"].as_u64() >= Some(20));
        private
            .map(|own| (own["objectives"].clone(), own["suppressed"].clone(), own["recoding"].clone()))
            .collect::<Vec<_>>()
    };
    assert_eq!(points(&whole), points(&part));
    assert_eq!(part["solutions"].as_array().unwrap().len(), points(&part).len());
    assert_eq!((&part["exact"], &part["at_least"]["k"]), (&true.into(), &20.0.into()));
    assert!(
        part["evaluated"].as_u64() < whole["evaluated"].as_u64(),
        "{} of {}",
        part["evaluated"],
        whole["evaluated"]
    );
    assert!(whole.get("at_least").is_none() && part.get("at_most").is_none());
    let report = std::fs::read_to_string(folder.at("part/report.html")).unwrap();
    assert!(report.contains("within k &gt;= 20"), "the report says what it is the front of");

    let last = part["solutions"].as_array().unwrap().last().unwrap();
    folder.run(&format!("release part --solution {} -o out.csv --quiet", last["id"]));
    let certificate = std::fs::read_to_string(folder.at("out.csv.certificate.json")).unwrap();
    let certificate: Value = serde_json::from_str(&certificate).unwrap();
    assert_eq!(certificate["k"], last["k"]);
    assert!(certificate.to_string().contains("\"at_least\":{\"k\":20.0}"), "{certificate}");

    // What an option says takes the place of what the study says.
    let text = std::fs::read_to_string(folder.at("whole/census.toml")).unwrap();
    folder.write("whole/floors.toml", &text.replace("[search]", "[search]\nat_least = { k = 3 }"));
    folder.run("explore whole/floors.toml -o study --quiet");
    assert_eq!(folder.front("study")["at_least"]["k"], 3.0);
    folder.run("explore whole/floors.toml -o option --at-least k=20 --quiet");
    assert_eq!(folder.front("option")["solutions"], part["solutions"]);
}

#[test]
fn a_stopped_proof_has_bounds_at_or_below_the_truth() {
    let folder = Folder::new();
    folder.run("demo --rows 3000 --out whole --quiet");
    let needed = folder.front("whole")["evaluated"].as_u64().unwrap();
    let half = (needed / 2).to_string();
    folder.run(&format!("explore whole/census.toml -o half --evaluations {half} --quiet"));
    let (whole, half) = (folder.front("whole"), folder.front("half"));
    assert_eq!((half["complete"].as_bool(), half["exact"].as_bool()), (Some(false), Some(false)));
    for solution in half["solutions"].as_array().unwrap() {
        let truth = whole["solutions"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|own| own["k"].as_u64() >= solution["k"].as_u64())
            .map(|own| own["loss"].as_f64().unwrap())
            .fold(f64::INFINITY, f64::min);
        let bound = solution["loss_bound"].as_f64().expect("a bound");
        assert!(bound <= truth + 1e-9, "{solution}: {truth}");
        let (gap, loss) = (solution["gap"].as_f64().expect("a gap"), solution["loss"].as_f64().unwrap());
        assert!((gap * loss - (loss - bound)).abs() < 1e-12, "{solution}");
    }
    let answer = folder.run("choose half --max-loss 0.3");
    assert!(answer.contains("loss at least") && answer.contains("no recoding as private loses less than"), "{answer}");
    assert!(whole["solutions"][0].get("loss_bound").is_none(), "a proven front needs no bounds");
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_leaves_a_whole_front() {
    let folder = Folder::new();
    folder.run("demo --rows 20000 --out d --quiet");
    // Without the taxonomies' help the search of single people takes long enough to be interrupted.
    let mut run = folder
        .command("explore d/census.toml -o out --optimizer exhaustive --privacy t --threads 1")
        .stderr(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(700));
    let pid = run.id().to_string();
    std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap();
    run.wait().unwrap();
    if folder.at("out").exists() {
        let front = folder.front("out");
        assert!(!front["solutions"].as_array().unwrap().is_empty());
        assert_eq!(front["complete"], front["exact"]);
        let names = std::fs::read_dir(folder.at("out")).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(names.into_iter().all(|name| !name.to_string_lossy().starts_with(".paretonym")));
    }
}
