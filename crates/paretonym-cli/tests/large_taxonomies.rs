//! Taxonomies of 18,000 values: memory grows with values and rows, not with their product.

mod program;

use std::process::Stdio;
use std::time::{Duration, Instant};

use program::Folder;

const LEAVES: usize = 18_000;

/// A folder with a taxonomy, a table that has each of its values, and a study.
fn folder(recode: &str, optimizer: &str) -> Folder {
    let folder = Folder::new();
    let line = |leaf: usize| format!("code{leaf:05};section{:04};chapter{:03};*\n", leaf / 30, leaf / 600);
    folder.write("codes.csv", &(0..LEAVES).map(line).collect::<String>());
    let row = |row: usize| format!("code{:05},{}\n", row * 7919 % LEAVES, row * 31 % 47);
    folder.write("people.csv", &("code,age\n".to_owned() + &(0..LEAVES).map(row).collect::<String>()));
    let study = format!(
        "[data]\npath = \"people.csv\"\n\
         [[columns]]\nname = \"code\"\nrole = \"quasi\"\nrecode = \"{recode}\"\ntaxonomy = \"codes.csv\"\n\
         [[columns]]\nname = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\nrecode = \"levels\"\nwidths = [5, 10]\n\
         [search]\noptimizer = \"{optimizer}\"\n"
    );
    folder.write("study.toml", &study);
    folder
}

/// The peak memory of a process so far, in MiB.
fn peak(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? / 1024)
}

/// Runs the program until it ends, or until `enough`; its peak memory in MiB.
fn run(folder: &Folder, arguments: &str, enough: impl Fn() -> bool) -> u64 {
    let mut child = folder.command(arguments).stdout(Stdio::null()).spawn().unwrap();
    let (mut most, started) = (0, Instant::now());
    loop {
        most = most.max(peak(child.id()).unwrap_or(0));
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success());
            return most;
        }
        if enough() {
            child.kill().unwrap();
            child.wait().unwrap();
            return most;
        }
        assert!(started.elapsed() < Duration::from_secs(300), "{arguments} takes too long");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn regions() {
    let folder = folder("levels", "regions");
    let most = run(&folder, "explore study.toml -o front --threads 2 --quiet", || false);
    // 320 MiB for the masks alone, once.
    assert!(most < 200, "{most} MiB");
}

#[test]
fn checkpoints_of_cuts() {
    let folder = folder("cuts", "nsga2");
    let checkpoint = folder.at("front/checkpoint.json");
    let most =
        run(&folder, "explore study.toml -o front --threads 2 --quiet --evaluations 1000000", || checkpoint.exists());
    assert!(most < 200, "{most} MiB");
    let kept = folder.json("front/checkpoint.json");
    let state: serde_json::Value = serde_json::from_str(kept["state"].as_str().unwrap()).unwrap();
    let seen = state["seen"].as_array().unwrap();
    assert!(seen.len() > 20 && seen.iter().all(|one| one.as_str().unwrap().len() == 32), "not whole chromosomes");
    let written = std::fs::metadata(&checkpoint).unwrap().len();
    assert!(written < 20 << 20, "{written} bytes");
}
