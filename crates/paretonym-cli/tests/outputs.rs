//! No command writes over a file that it reads, and none replaces anything unasked.

mod program;

use std::collections::BTreeMap;
use std::path::Path;

use program::Folder;

const STUDY: &str = r#"
    data = { path = "people.csv" }
    columns = [
      { name = "age", role = "quasi", kind = "numeric", widths = [5, 10, 20] },
      { name = "town", role = "quasi", kind = "categorical", taxonomy = "towns.csv" },
      { name = "disease", role = "sensitive" },
    ]
"#;

/// A table with a study and a taxonomy, explored into `front`.
fn people() -> Folder {
    let folder = Folder::new();
    let row = |row: u32| {
        let town = ["Aix", "Bonn", "Cork"][(row * row % 7 % 3) as usize];
        format!("{},{town},{}\n", 20 + row * 37 % 41, ["flu", "cold", "gout"][(row % 5 % 3) as usize])
    };
    folder.write("people.csv", &format!("age,town,disease\n{}", (0..120).map(row).collect::<String>()));
    folder.write("towns.csv", "Aix;south;*\nBonn;south;*\nCork;north;*\n");
    folder.write("study.toml", STUDY);
    folder.run("explore study.toml -o front --quiet");
    folder
}

/// Every file below a folder and what it holds.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            files.extend(contents(&entry));
            files.insert(entry.display().to_string(), Vec::new());
        } else {
            files.insert(entry.display().to_string(), std::fs::read(&entry).unwrap_or_default());
        }
    }
    files
}

/// Each command is refused with exit code 2 and leaves every file as it was.
fn refused_without_a_trace(folder: &Folder, commands: &[&str]) {
    for command in commands {
        let before = contents(folder.path());
        let said = folder.refuse(command);
        assert!(contents(folder.path()) == before, "{command} changed a file: {said}");
    }
}

#[test]
fn no_output_is_an_input() {
    let folder = people();
    folder.run("release front --solution 1 -o a.csv --keep-order --quiet");
    folder.run("release front --solution 2 -o b.csv --keep-order --quiet");
    // The table under the name that a companion of a release would get.
    folder.write("c.csv.recoding.json", &folder.read("people.csv"));
    let mut commands = vec![
        "init people.csv -o people.csv --force --quiet",
        "init people.csv -o ./front/../people.csv --force --quiet",
        "release front --solution 1 -o people.csv --force",
        "release front --solution 1 -o towns.csv --force",
        "release front --solution 1 -o front/../people.csv --force",
        "reapply a.csv.recoding.json people.csv -o people.csv --force --no-fresh",
        "reapply a.csv.recoding.json people.csv -o a.csv --force --no-fresh",
        "reapply a.csv.recoding.json c.csv.recoding.json -o c.csv --force --no-fresh",
        "compare people.csv a.csv b.csv --quasi age,town --report people.csv",
        "compare people.csv a.csv b.csv --quasi age,town --report people.csv --force",
        "compare people.csv a.csv b.csv --quasi age,town --report b.csv --force",
        "compare front --solutions 1,2 --report people.csv --force",
        "compare front --solutions 1,2 --report towns.csv --force",
        "compare front --solutions 1,2 --report front/front.json --force",
        "compare front --solutions 1,2 --report front/report.html --force",
        "explore study.toml -o .",
        "explore front/study.toml -o front",
        "explore study.toml --behind front -o front",
    ];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.at("people.csv"), folder.at("link.csv")).unwrap();
        std::fs::hard_link(folder.at("people.csv"), folder.at("twin.csv")).unwrap();
        std::os::unix::fs::symlink(folder.at("front"), folder.at("other")).unwrap();
        commands.extend([
            "release front --solution 1 -o link.csv --force",
            "release front --solution 1 -o twin.csv --force",
            "init people.csv -o twin.csv --force",
            "compare people.csv a.csv b.csv --quasi age,town --report link.csv --force",
            "compare front --solutions 1,2 --report other/front.json --force",
            "explore study.toml --behind front -o other",
        ]);
    }
    refused_without_a_trace(&folder, &commands);
}

#[test]
fn nothing_is_replaced_unasked() {
    let folder = people();
    folder.run("release front --solution 1 -o a.csv --keep-order --quiet");
    folder.run("release front --solution 2 -o b.csv --keep-order --quiet");
    folder.write("notes.html", "mine");
    folder.write("d.csv.certificate.md", "mine");
    refused_without_a_trace(
        &folder,
        &[
            "init people.csv --quiet",
            "release front --solution 1 -o a.csv",
            "release front --solution 1 -o d.csv",
            "reapply a.csv.recoding.json people.csv -o b.csv --no-fresh",
            "compare people.csv a.csv b.csv --quasi age,town --report notes.html",
            "compare front --solutions 1,2 --report notes.html",
        ],
    );
    folder.run("compare front --solutions 1,2 --report notes.html --force --quiet");
    assert!(folder.read("notes.html").contains("<svg"));
    folder.run("release front --solution 1 -o d.csv --force --quiet");
    folder.run("release front --solution 2 -o d.csv --force --quiet");
}

#[test]
fn a_folder_is_never_deleted() {
    let folder = people();
    for name in ["a.csv", "b.csv.recoding.json", "c.csv.certificate.json", "d.csv.certificate.md", "notes.html"] {
        std::fs::create_dir(folder.at(name)).unwrap();
        folder.write(&format!("{name}/diary.txt"), "mine");
    }
    for name in ["a", "b", "c", "d"] {
        refused_without_a_trace(&folder, &[&format!("release front --solution 1 -o {name}.csv --force")]);
    }
    folder.run("release front --solution 1 -o e.csv --quiet");
    refused_without_a_trace(
        &folder,
        &[
            "reapply e.csv.recoding.json people.csv -o b.csv --force --no-fresh",
            "compare front --solutions 1,2 --report notes.html --force",
            "init people.csv -o notes.html --force",
        ],
    );
    // Whatever becomes of a folder with the name that the tables of a recoding had, nobody's files go with it.
    std::fs::create_dir(folder.at("f.csv.recoding")).unwrap();
    folder.write("f.csv.recoding/diary.txt", "mine");
    folder.try_run("release front --solution 1 -o f.csv --force --quiet");
    assert_eq!(folder.read("f.csv.recoding/diary.txt"), "mine");
}

#[test]
fn explore_leaves_the_files_of_others() {
    let folder = people();
    for (name, file) in [("a", "front.json"), ("b", "report.html"), ("c", "study.toml"), ("d", "regions.json")] {
        std::fs::create_dir(folder.at(name)).unwrap();
        folder.write(&format!("{name}/{file}"), "mine");
        refused_without_a_trace(&folder, &[&format!("explore study.toml -o {name}")]);
    }
    refused_without_a_trace(&folder, &["explore study.toml -o people.csv"]);

    // A folder with other files keeps them, and an earlier front is replaced with a word.
    std::fs::create_dir(folder.at("mixed")).unwrap();
    folder.write("mixed/diary.txt", "mine");
    let first = folder.try_run("explore study.toml -o mixed");
    assert!(first.status.success() && !String::from_utf8_lossy(&first.stderr).contains("replaced"));
    let second = folder.try_run("explore study.toml -o mixed --eta 0.1");
    assert!(second.status.success());
    assert!(String::from_utf8_lossy(&second.stderr).contains("replaced the earlier front in mixed"));
    assert_eq!(folder.read("mixed/diary.txt"), "mine");

    // A run that was cut short before it had a front can be started again.
    std::fs::remove_file(folder.at("mixed/front.json")).unwrap();
    std::fs::remove_file(folder.at("mixed/report.html")).unwrap();
    folder.run("explore study.toml -o mixed --quiet");
}

#[test]
fn a_demo_goes_into_a_folder_of_its_own() {
    let folder = people();
    refused_without_a_trace(&folder, &["demo --rows 200 -o .", "demo --rows 200 -o front", "demo -o people.csv"]);
    std::fs::create_dir(folder.at("mine")).unwrap();
    folder.write("mine/census.csv", "name\nAda\n");
    refused_without_a_trace(&folder, &["demo --rows 200 -o mine"]);

    std::fs::create_dir(folder.at("empty")).unwrap();
    folder.run("demo --rows 200 -o empty --quiet");
    let again = folder.try_run("demo --rows 300 -o empty");
    assert!(again.status.success());
    assert!(String::from_utf8_lossy(&again.stderr).contains("replaced the earlier demo in empty"));
    // A demo's study that somebody has edited is theirs.
    folder.write("empty/census.toml", &(folder.read("empty/census.toml") + "# my notes\n"));
    refused_without_a_trace(&folder, &["demo --rows 200 -o empty"]);
}

#[test]
fn files_of_a_preset_do_not_replace_each_other() {
    let folder = people();
    refused_without_a_trace(&folder, &["init --preset adult people.csv -o occupation.csv --force"]);
}
