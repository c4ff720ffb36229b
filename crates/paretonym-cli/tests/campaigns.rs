//! Short forms of the campaigns: programs that attack the program from outside and share no code with it. The long forms are
//! run by `./test --long`.

use std::path::Path;
use std::process::Command;

/// Runs a campaign, which must find nothing.
fn campaign(script: &str, count: u32) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../campaigns").join(script);
    let mut command = Command::new("python3");
    command.arg(&path).arg(assert_cmd::cargo::cargo_bin!("paretonym"));
    command.args(["--seed", "12", "--workers", "1", "--count", &count.to_string()]);
    let output = match command.output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            println!("skipped: there is no python3 here, which the campaigns are written in");
            return;
        }
        Err(error) => panic!("{script}: {error}"),
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{script}\n{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains(" 0 failed"), "{said}");
}

#[test]
fn releases_hold_what_a_foreign_count_finds() {
    campaign("recount.py", 60);
}

#[test]
fn nothing_is_released_of_a_changed_table_study_or_taxonomy() {
    campaign("changes.py", 24);
}

#[test]
fn a_kill_leaves_files_that_belong_together() {
    campaign("kills.py", 10);
}

#[test]
fn of_releases_with_one_name_one_succeeds() {
    campaign("races.py", 10);
}

#[test]
fn no_public_file_holds_a_canary() {
    campaign("canaries.py", 36);
}
