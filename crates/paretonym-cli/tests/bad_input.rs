//! Wrong input: exit code 2, one clear message, nothing half-written.

mod program;

use program::{Folder, studies};

fn study() -> String {
    studies::of("people.csv", &[&studies::age("[10]"), studies::JOB_TREE], "optimizer = \"exhaustive\"")
}

/// A folder in which all is well.
fn fine() -> Folder {
    let folder = Folder::new();
    folder.write("people.csv", "age,job\n31,nurse\n32,baker\n41,nurse\n42,baker\n");
    folder.write("job.csv", "nurse;care;*\nbaker;food;*\n");
    folder.write("study.toml", &study());
    folder.run("explore study.toml -o fine --quiet");
    std::fs::remove_dir_all(folder.at("fine")).unwrap();
    folder
}

/// Explores; the program must refuse, write nothing, and say all of `expected`.
fn refused(folder: &Folder, arguments: &str, expected: &[&str]) {
    let before = folder.names();
    let message = folder.refuse(&format!("explore study.toml -o out {arguments}"));
    for part in expected {
        assert!(message.contains(part), "expected {part:?} in {message}");
    }
    assert_eq!(folder.names(), before, "{message}");
}

#[test]
fn a_missing_file() {
    let folder = fine();
    std::fs::remove_file(folder.at("people.csv")).unwrap();
    refused(&folder, "", &["cannot read", "people.csv"]);
    std::fs::remove_file(folder.at("study.toml")).unwrap();
    refused(&folder, "", &["cannot read", "study.toml"]);
}

#[test]
fn a_wrong_column_name_gets_the_closest() {
    let folder = fine();
    folder.write("study.toml", &study().replace("\"age\"", "\"agee\""));
    refused(&folder, "", &["no column \"agee\"", "did you mean \"age\"?", "people.csv"]);
}

#[test]
fn floors_that_cannot_be() {
    let folder = fine();
    let with = |line: &str| folder.write("study.toml", &format!("{}\n{line}\n", study().trim_end()));
    let line = study().trim_end().lines().count() + 1;
    let place = format!("study.toml, line {line}");
    with("at_least = { kk = 5 }");
    refused(&folder, "", &[&place, "no privacy model called \"kk\"", "did you mean \"k\"?"]);
    with("at_least = { t = 0.3 }");
    refused(&folder, "", &[&place, "less is better", "write at_most = { t = 0.3 }"]);
    with("at_most = { k = 5 }");
    refused(&folder, "", &[&place, "more is better", "write at_least = { k = 5 }"]);
    with("at_least = { l = 2 }");
    refused(&folder, "", &[&place, "the study has none", "role = \"sensitive\""]);
    for wrong in ["-1", "nan", "inf"] {
        with(&format!("at_least = {{ k = {wrong} }}"));
        refused(&folder, "", &[&place, "k must be a number from 0 on"]);
    }
    with("at_least = { k = \"many\" }");
    refused(&folder, "", &[&format!("line {line}"), "expected f64"]);
    with("at_least = 5");
    refused(&folder, "", &[&format!("line {line}")]);
    with("[search.at_most]\nk = 5");
    refused(&folder, "", &[&place, "more is better"]);
    folder.write("study.toml", &study());
    refused(&folder, "--at-least k", &["--at-least takes levels such as k=5,l=2", "\"k\""]);
    refused(&folder, "--at-least k=x", &["--at-least takes", "\"k=x\""]);
    refused(&folder, "--at-most k=5", &["more is better"]);
    refused(&folder, "--at-least k=5", &["k = 5, which is more than the table has rows (4)"]);
    refused(
        &folder,
        "--at-least k=4 --optimizer datafly(k=2)",
        &["no recoding that was evaluated keeps k >= 4", "at_least"],
    );
}

#[test]
fn a_forgotten_column() {
    let folder = fine();
    folder.write("people.csv", "age,job,shoe\n31,nurse,4\n32,baker,4\n");
    refused(&folder, "", &["shoe", "other_columns"]);
}

#[test]
fn a_value_outside_the_taxonomy() {
    let folder = fine();
    folder.write("people.csv", "age,job\n31,nurse\n32,\"ba\nker\"\n41,pilot\n");
    let message = folder.refuse("explore study.toml");
    assert!(message.contains("line 3") && message.contains("job"), "{message}");
    folder.write("people.csv", "age,job\n31,nurse\n32,baker\n41,pilot\n");
    refused(&folder, "", &["line 4", "\"job\"", "\"pilot\""]);
}

#[test]
fn tables_without_people() {
    let folder = fine();
    folder.write("people.csv", "");
    refused(&folder, "", &["people.csv"]);
    folder.write("people.csv", "age,job\n");
    refused(&folder, "", &["no rows"]);
    folder.write("people.csv", "age,job\n31,nurse\n");
    refused(&folder, "", &["one row"]);
}

#[test]
fn a_quasi_column_of_one_value() {
    let folder = fine();
    folder.write("people.csv", "age,job\n31,nurse\n31,baker\n");
    refused(&folder, "", &["\"age\"", "single value"]);
}

#[test]
fn two_columns_of_one_name() {
    let folder = fine();
    folder.write("people.csv", "age,job,job\n31,nurse,a\n32,baker,b\n");
    refused(&folder, "", &["job"]);
}

#[test]
fn settings_out_of_range() {
    let folder = fine();
    refused(&folder, "--eta 1.5", &["eta", "0 to 1"]);
    refused(&folder, "--eta -0.1", &["eta"]);
    refused(&folder, "--evaluations 0", &["evaluations"]);
    refused(&folder, "--loss generel", &["generel", "did you mean \"general\"?"]);
    refused(&folder, "--privacy l", &["sensitive"]);
    refused(&folder, "--loss classification", &["target"]);
    refused(&folder, "--loss regression", &["target"]);
    refused(&folder, "--privacy recursive-l(d=2)", &["\"d\""]);
    refused(&folder, "--optimizer magic", &["magic", "exhaustive"]);
}

#[test]
fn an_optimizer_that_does_not_fit_the_recodings() {
    let folder = fine();
    folder.write("study.toml", &study().replacen("levels", "breaks", 1));
    for optimizer in ["poka", "samarati", "incognito", "datafly"] {
        refused(&folder, &format!("--optimizer {optimizer}"), &[optimizer, "\"age\"", "breaks", "levels"]);
    }
    refused(&folder, "--loss precision", &["levels"]);
    // Ages from 0 to 29 are 2^29 break patterns, and jobs have three levels.
    let rows: String = (0..30).map(|age| format!("{age},nurse\n")).collect();
    folder.write("people.csv", &format!("age,job\n{rows}"));
    refused(&folder, "--optimizer exhaustive", &["exhaustive", "1610612736", "1048576", "levels", "nsga2"]);
    // exact goes beyond that, for k and losses that are sums of cells.
    let why = ["exact", "discernibility", "not a sum of cells", "1610612736", "levels", "nsga2"];
    refused(&folder, "--optimizer exact --loss discernibility", &why);
}

#[test]
fn unreadable_studies() {
    let folder = fine();
    folder.write("study.toml", "[data\npath = 1");
    refused(&folder, "", &["study.toml", "line 1"]);
    folder.write("study.toml", &study().replace("widths", "width"));
    refused(&folder, "", &["width"]);
    folder.write("study.toml", &study().replace("role = \"quasi\"", "role = \"insensitive\""));
    refused(&folder, "", &["no quasi column"]);
    folder.write("study.toml", &study().replace("\"job\"", "\"age\""));
    refused(&folder, "", &["twice"]);
}

#[test]
fn taxonomies_that_are_none() {
    let folder = fine();
    folder.write("job.csv", "nurse;care;*\nbaker;food;*\nnurse;care;*\n");
    refused(&folder, "", &["job.csv", "line 3", "nurse"]);
    folder.write("job.csv", "nurse;a;x;*\nbaker;a;y;*\n");
    refused(&folder, "", &["job.csv", "line"]);
    folder.write("study.toml", &study().replace("widths = [10]", "widths = [10, 15]"));
    folder.write("job.csv", "nurse;care;*\nbaker;food;*\n");
    refused(&folder, "", &["\"age\"", "15"]);
}

#[test]
fn other_encodings_get_told_so() {
    let folder = fine();
    std::fs::write(folder.at("people.csv"), b"age,job\n31,nurse\n32,b\xe4ker\n").unwrap();
    refused(&folder, "", &["UTF-8", "iconv", "3"]);
    std::fs::write(folder.at("people.csv"), b"\xff\xfea\0g\0e\0").unwrap();
    refused(&folder, "", &["UTF-16"]);
}

#[test]
fn a_file_in_the_way_of_a_folder_is_left_there() {
    let folder = fine();
    folder.write("out", "a file is in the way");
    assert!(folder.refuse("explore study.toml -o out").contains("out is a file"));
    assert_eq!(folder.read("out"), "a file is in the way");
}

#[cfg(unix)]
#[test]
fn a_path_that_is_no_unicode_text() {
    use std::os::unix::ffi::OsStrExt;
    let folder = fine();
    let odd = folder.path().join(std::ffi::OsStr::from_bytes(b"odd\xff"));
    std::fs::create_dir(&odd).unwrap();
    for name in ["people.csv", "job.csv", "study.toml"] {
        std::fs::copy(folder.at(name), odd.join(name)).unwrap();
    }
    let output = folder.command("explore study.toml -o out").current_dir(&odd).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("no Unicode text") && !odd.join("out").exists(), "{said}");
}
