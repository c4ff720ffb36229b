//! Releases that are killed: a file under the final name is whole.

use super::{explored, suppressing};

/// Kills a release at random moments: a file under the final name must be whole and hold what it claims.
fn kill_at_random_moments(rows: u64, times: u32) -> u32 {
    use std::time::{Duration, Instant};
    let folder = explored(rows);
    let id = suppressing(&folder).to_string();
    let start = || {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("paretonym"));
        command.current_dir(folder.path()).args(["release", "front", "--solution", &id, "-o", "out.csv", "--quiet"]);
        command.spawn().unwrap()
    };
    let clean = || {
        for name in folder.names().iter().filter(|name| name.starts_with("out.csv") || name.starts_with(".paretonym")) {
            let path = folder.at(name);
            if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) }.unwrap();
        }
    };
    let began = Instant::now();
    assert!(start().wait().unwrap().success());
    let whole = began.elapsed();
    clean();
    let mut named = 0;
    for time in 0..times {
        let mut child = start();
        // Spread over the run and a little beyond; the machine's own jitter does the rest.
        std::thread::sleep(whole.mul_f64(f64::from(time) * 1.05 / f64::from(times)) + Duration::from_micros(137));
        child.kill().unwrap();
        child.wait().unwrap();
        if folder.at("out.csv").exists() {
            named += 1;
            let certificate = folder.json("out.csv.certificate.json");
            let audit = folder.run_json("audit out.csv --quasi age,town,job --json --combinations 0");
            assert_eq!(audit["k"], certificate["k"]);
            assert_eq!(audit["rows"], certificate["output"]["rows"]);
            let bytes = std::fs::metadata(folder.at("out.csv")).unwrap().len();
            assert_eq!(certificate["output"]["bytes"].as_u64(), Some(bytes));
        }
        clean();
    }
    named
}

#[cfg(unix)]
#[test]
fn a_kill_leaves_no_file_that_fails_its_audit() {
    kill_at_random_moments(20_000, 12);
}

#[cfg(unix)]
#[test]
#[ignore = "a million rows, fifty times: minutes"]
fn fifty_kills_of_a_million_rows() {
    let named = kill_at_random_moments(1_000_000, 50);
    eprintln!("{named} of 50 releases had their name when they were killed");
}
