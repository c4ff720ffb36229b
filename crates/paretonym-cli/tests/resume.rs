//! A search that is killed goes on from its last checkpoint and ends with the front of an uninterrupted one.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

/// Rows whose columns depend on each other, so that fronts are not trivial.
fn write_table(path: &Path) {
    let mut text = String::from("age,zip,job,illness\n");
    let mut state = 12345u64;
    let mut draw = |limit: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % limit
    };
    for _ in 0..3000 {
        let age = draw(40) + draw(41);
        let zip = 100 + age / 4 + draw(20);
        text += &format!("{age},{zip},job{},ill{}\n", (age / 10 + draw(6)) % 12, draw(5));
    }
    std::fs::write(path, text).unwrap();
}

fn write_study(dir: &Path, search: &str) {
    let column = |name: &str, kind: &str| {
        format!("[[columns]]\nname = \"{name}\"\nrole = \"quasi\"\nkind = \"{kind}\"\nrecode = \"breaks\"\n")
    };
    let text = format!(
        "[data]\npath = \"table.csv\"\n{}{}{}[[columns]]\nname = \"illness\"\nrole = \"sensitive\"\nkind = \"categorical\"\n[search]\n{search}\n",
        column("age", "numeric"),
        column("zip", "numeric"),
        column("job", "categorical"),
    );
    std::fs::write(dir.join("study.toml"), text).unwrap();
}

fn program() -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("paretonym"));
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn finish(mut command: Command) {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// front.json without the time that it took.
fn front(dir: &Path) -> Value {
    let mut front: Value = serde_json::from_str(&std::fs::read_to_string(dir.join("front.json")).unwrap()).unwrap();
    front["seconds"] = Value::Null;
    front
}

/// Whether there is a front whose solutions were measured. One that was found is kept before: a kill may come in between.
fn is_measured(dir: &Path) -> bool {
    dir.join("front.json").exists() && !front(dir)["solutions"][0]["gl"].is_null()
}

/// Waits until there is a checkpoint that a process has written, or the process has ended.
fn wait_for_checkpoint(child: &mut Child, out: &Path, before: Option<&[u8]>) -> bool {
    loop {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        let now = std::fs::read(out.join("checkpoint.json")).ok();
        if now.is_some() && now.as_deref() != before {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Kills a search at several moments, lets it go on, and compares its end with an uninterrupted run.
fn survives(search: &str) {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    write_table(&dir.join("table.csv"));
    write_study(dir, search);
    let (whole, out) = (dir.join("whole"), dir.join("killed"));
    let start = |out: &Path| {
        let mut command = program();
        command.arg("explore").arg(dir.join("study.toml")).arg("-o").arg(out).arg("--quiet");
        command
    };
    finish(start(&whole));
    assert!(!whole.join("checkpoint.json").exists(), "a search that has ended leaves no checkpoint");

    let mut kills = 0;
    let mut command = start(&out);
    for moment in [0, 60, 190] {
        let before = std::fs::read(out.join("checkpoint.json")).ok();
        let mut child = command.spawn().unwrap();
        let alive = wait_for_checkpoint(&mut child, &out, before.as_deref());
        std::thread::sleep(Duration::from_millis(moment));
        // SIGKILL: no handler runs.
        child.kill().unwrap();
        child.wait().unwrap();
        if !alive || is_measured(&out) {
            break;
        }
        kills += 1;
        command = program();
        command.arg("explore").arg("--resume").arg(&out).arg("--quiet").args(["--threads", "1"]);
    }
    assert!(kills > 0, "the search ended before it could be killed");
    if !is_measured(&out) {
        finish(command);
    }
    assert_eq!(front(&out), front(&whole), "after {kills} kills");
    assert!(!out.join("checkpoint.json").exists());
}

#[test]
fn nsga2() {
    survives("problem = \"max-suppression\"\neta = 0.1\noptimizer = \"nsga2\"\nevaluations = 60000\nseed = 3");
}

#[test]
fn nsga2_with_three_objectives_until_it_stalls() {
    survives("problem = \"kl-safety\"\neta = 0.1\noptimizer = \"nsga2\"\npopulation = 60\ngenerations = 300\nseed = 4");
}

#[test]
fn the_faithful_form() {
    survives("problem = \"max-suppression\"\neta = 0.1\noptimizer = \"nsga2\"\nfaithful = true\nevaluations = 60000");
}

#[test]
fn genitor() {
    survives("problem = \"single\"\nk = 5\noptimizer = \"genitor\"\nevaluations = 150000");
}

#[test]
fn genitor_faithful() {
    survives("problem = \"single\"\nk = 5\noptimizer = \"genitor\"\nevaluations = 60000\nfaithful = true");
}

#[test]
fn nothing_to_resume_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let output = program().args(["explore", "--resume"]).arg(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("holds no checkpoint"), "{message}");
}

#[test]
fn a_checkpoint_of_another_table_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    write_table(&dir.join("table.csv"));
    write_study(dir, "eta = 0.1\noptimizer = \"nsga2\"\nevaluations = 1000000");
    let out = dir.join("out");
    let mut child =
        program().arg("explore").arg(dir.join("study.toml")).arg("-o").arg(&out).arg("--quiet").spawn().unwrap();
    assert!(wait_for_checkpoint(&mut child, &out, None));
    child.kill().unwrap();
    child.wait().unwrap();
    let text = std::fs::read_to_string(dir.join("table.csv")).unwrap();
    std::fs::write(dir.join("table.csv"), text + "7,103,job1,ill1\n").unwrap();
    let output = program().args(["explore", "--quiet", "--resume"]).arg(&out).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("the table has changed") && message.contains("explore again"), "{message}");
}
