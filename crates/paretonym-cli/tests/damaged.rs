//! Files that are damaged, edited or no files at all: exit code 2 and a sentence; no panic, no waiting, no memory to speak of.

mod program;

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use program::{Folder, studies};
use serde_json::{Value, json};

fn study() -> String {
    let age = "name = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\n";
    let job = "name = \"job\"\nrole = \"quasi\"\ntaxonomy = [[\"nurse\", \"doctor\"], [\"clerk\", \"baker\"]]\n";
    studies::of("people.csv", &[age, job, studies::DISEASE], "optimizer = \"regions\"\neta = 0.1")
}

fn explored() -> Folder {
    let folder = Folder::new();
    let row = |row: usize| {
        let job = ["nurse", "doctor", "clerk", "baker"][row * row % 7 % 4];
        format!("{},{job},{}\n", 20 + row * 17 % 50, ["flu", "cold", "gout"][row * 5 % 11 % 3])
    };
    folder.write("people.csv", &("age,job,disease\n".to_owned() + &(0..150).map(row).collect::<String>()));
    folder.write("study.toml", &study());
    folder.run("explore study.toml -o front --quiet");
    folder
}

/// Runs the program, which must come back soon; its exit code and what it said.
fn soon(folder: &Folder, arguments: &str) -> (Option<i32>, String) {
    let mut command = folder.command(arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if started.elapsed() > Duration::from_secs(20) {
            child.kill().unwrap();
            panic!("{arguments} waits");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused_at_once() {
    let folder = explored();
    assert!(Command::new("mkfifo").arg(folder.at("pipe.csv")).status().unwrap().success());
    std::os::unix::net::UnixListener::bind(folder.at("socket.csv")).unwrap();
    std::fs::create_dir(folder.at("folder.csv")).unwrap();
    folder.run("release front --solution 1 -o out.csv --quiet");
    for input in ["pipe.csv", "/dev/zero", "/dev/stdin", "socket.csv", "folder.csv"] {
        let commands = [
            format!("audit {input} --quasi age"),
            format!("init {input}"),
            format!("explore {input} -o other"),
            format!("reapply out.csv.recoding.json {input} -o again.csv"),
            format!("reapply {input} people.csv -o again.csv"),
            format!("compare {input} out.csv --quasi age"),
        ];
        for command in commands {
            let (code, said) = soon(&folder, &command);
            assert_eq!(code, Some(2), "{command}: {said}");
        }
        folder.write("odd.toml", &study().replace("people.csv", input));
        assert_eq!(soon(&folder, "explore odd.toml -o other").0, Some(2));
    }
    for file in ["front.json", "study.toml"] {
        std::fs::rename(folder.at("pipe.csv"), folder.at("front").join(file)).unwrap();
        assert_eq!(soon(&folder, "release front --solution 1 -o other.csv").0, Some(2), "{file}");
        assert_eq!(soon(&folder, "explore --resume front").0, Some(2), "{file}");
        std::fs::rename(folder.at("front").join(file), folder.at("pipe.csv")).unwrap();
    }
}

/// Every command that reads the folder of a run must refuse it.
fn refuses_folder(folder: &Folder, why: &str) {
    for command in ["release front --solution 1 -o out.csv", "compare front --solutions 1,2"] {
        let output = folder.try_run(command);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{why}, {command}: {said}");
    }
    assert!(!folder.at("out.csv").exists());
}

#[test]
fn edited_regions() {
    let folder = explored();
    let fine = folder.json("front/regions.json");
    let edit = |change: &dyn Fn(&mut Value)| {
        let mut edited = fine.clone();
        change(&mut edited);
        folder.write("front/regions.json", &edited.to_string());
    };
    let numbers = [json!(4294967295u32), json!(1000000), json!(-1), json!(1e30), json!("x"), Value::Null];
    for number in &numbers {
        edit(&|regions| regions["columns"][0]["sets"][0]["leaves"] = json!([[0, number]]));
        refuses_folder(&folder, &format!("a leaf {number}"));
        edit(&|regions| regions["boxes"][0]["sets"][0] = number.clone());
        refuses_folder(&folder, &format!("a set {number}"));
        edit(&|regions| regions["solutions"][0]["boxes"][0] = number.clone());
        refuses_folder(&folder, &format!("a box {number}"));
    }
    edit(&|regions| regions["columns"][0]["sets"][0]["leaves"] = json!([[4294967295u32, 4294967295u32]]));
    refuses_folder(&folder, "a lone leaf far away");
    edit(&|regions| drop(regions["boxes"].as_array_mut().unwrap().pop()));
    refuses_folder(&folder, "a box too few");
    edit(&|regions| drop(regions["solutions"].as_array_mut().unwrap().pop()));
    refuses_folder(&folder, "a solution too few");
    edit(&|_| {});
    folder.run("release front --solution 1 -o out.csv --quiet");
}

#[test]
fn edited_fronts() {
    let folder = explored();
    let fine = folder.json("front/front.json");
    let edits: [&dyn Fn(&mut Value); 7] = [
        &|front| front["solutions"][0]["suppressed"] = json!(u64::MAX),
        &|front| front["solutions"][0]["id"] = json!(0),
        &|front| front["solutions"][0]["objectives"] = json!([]),
        &|front| front["solutions"][0]["recoding"] = json!({}),
        &|front| front["objectives"] = json!([]),
        &|front| front["rows"] = json!(0),
        &|front| front["format"] = json!("paretonym-front/0"),
    ];
    for edit in edits {
        let mut edited = fine.clone();
        edit(&mut edited);
        folder.write("front/front.json", &edited.to_string());
        refuses_folder(&folder, "an edited front");
        folder.refuse("choose front --max-loss 0.5");
    }
}

#[test]
fn edited_recodings() {
    let folder = explored();
    folder.run("release front --solution 2 -o local.csv --quiet");
    folder.write("wide.toml", &study().replace("optimizer = \"regions\"", "optimizer = \"exhaustive\""));
    folder.run("explore wide.toml -o wide --quiet");
    folder.run("release wide --solution 1 -o wide.csv --quiet");
    for name in ["local.csv", "wide.csv"] {
        let fine = folder.whole_recoding(name);
        // A value that a table-wide recoding does not list is one that it does not know, and their order says nothing.
        let of_local: [&dyn Fn(&mut Value); 3] =
            [&|saved| drop(mapped(saved).pop()), &|saved| drop(mapped(saved).remove(0)), &|saved| {
                mapped(saved).swap(0, 1)
            }];
        let of_all: [&dyn Fn(&mut Value); 6] = [
            &|saved| saved["columns"][0]["sets"] = json!([]),
            &|saved| drop(saved["columns"].as_array_mut().unwrap().pop()),
            &|saved| saved["columns"][0]["sets"][0]["loss"] = json!(-3),
            &|saved| saved["columns"][0]["sets"][0]["holds"] = json!([[0, 4294967295u32]]),
            &|saved| saved["study"]["search"]["eta"] = json!(7),
            &|saved| saved["regions"] = json!({"overlap": false, "boxes": [[0, 99]]}),
        ];
        let local = if name == "local.csv" { of_local.as_slice() } else { &[] };
        let edits: Vec<&dyn Fn(&mut Value)> = local.iter().chain(&of_all).copied().collect();
        for (at, edit) in edits.iter().enumerate() {
            let mut edited = fine.clone();
            edit(&mut edited);
            folder.write("edited.recoding.json", &edited.to_string());
            let output = folder.try_run("reapply edited.recoding.json people.csv -o again.csv --unknown nearest");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{name}, edit {at}: {said}");
            assert!(!said.contains("panicked") && !folder.at("again.csv").exists(), "{name}, edit {at}: {said}");
        }
    }
}

/// What the second column maps.
fn mapped(saved: &mut Value) -> &mut Vec<Value> {
    let mapping = &mut saved["columns"][1]["mapping"];
    let key = ["values", "numbers", "bins"].into_iter().find(|key| mapping[*key].is_array()).unwrap();
    mapping[key].as_array_mut().unwrap()
}

#[test]
fn a_damaged_parquet_file_is_the_files_fault() {
    let folder = explored();
    folder.run("release front --solution 1 -o out.parquet --quiet");
    let fine = std::fs::read(folder.at("out.parquet")).unwrap();
    let mut refused = 0;
    for at in (4..fine.len()).step_by(11) {
        for value in [0u8, 0x7f, 0xff] {
            let mut bytes = fine.clone();
            bytes[at] = value;
            std::fs::write(folder.at("damaged.parquet"), &bytes).unwrap();
            let output = folder.try_run("audit damaged.parquet --quasi age,job --sensitive disease --quiet");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(matches!(output.status.code(), Some(0 | 2)), "byte {at} as {value}: {said}");
            assert!(!said.contains("panicked"), "byte {at} as {value}: {said}");
            refused += u32::from(output.status.code() == Some(2));
        }
    }
    assert!(refused > 10);
    std::fs::write(folder.at("short.parquet"), &fine[..fine.len() / 2]).unwrap();
    folder.refuse("audit short.parquet --quasi age");
}
