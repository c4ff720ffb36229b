//! A table in a folder or behind a pattern: the same results as from one file, and nothing is written among its files.

mod program;

use program::Folder;
use serde_json::Value;

const COLUMNS: &str = r#"
    columns = [
      { name = "age", role = "quasi", kind = "numeric", widths = [5, 10, 20] },
      { name = "town", role = "quasi", kind = "categorical" },
      { name = "disease", role = "sensitive" },
    ]
"#;

fn lines(from: u32, to: u32) -> String {
    let line = |row: u32| {
        let town = ["Aix", "Bonn", "Cork"][(row * row % 7 % 3) as usize];
        format!("{},{town},{}\n", 20 + row * 37 % 41, ["flu", "cold", "gout"][(row % 5 % 3) as usize])
    };
    format!("age,town,disease\n{}", (from..to).map(line).collect::<String>())
}

/// The same table as a file and in seven files, with a study for each.
fn people() -> Folder {
    let folder = Folder::new();
    folder.write("people.csv", &lines(0, 700));
    std::fs::create_dir(folder.at("people")).unwrap();
    for part in 0..7 {
        folder.write(&format!("people/part-{part}.csv"), &lines(part * 100, part * 100 + 100));
    }
    folder.write("people/_SUCCESS", "");
    for (name, path) in [("file", "people.csv"), ("folder", "people/"), ("glob", "people/part-?.csv")] {
        folder.write(&format!("{name}.toml"), &format!("data = {{ path = {path:?} }}\n{COLUMNS}"));
    }
    folder
}

/// A front without how long it took.
fn timeless(mut front: Value) -> Value {
    front.as_object_mut().unwrap().retain(|name, _| !name.contains("seconds"));
    front
}

fn sorted(folder: &Folder, name: &str) -> Vec<Vec<String>> {
    let mut rows = folder.rows(name, b',');
    rows.sort();
    rows
}

#[test]
fn a_folder_gives_what_a_file_gives() {
    let folder = people();
    for name in ["file", "folder", "glob"] {
        folder.run(&format!("explore {name}.toml -o {name}-front --quiet"));
        folder.run(&format!("release {name}-front --solution 2 -o {name}-out.csv --seed 7 --quiet"));
    }
    let audit =
        |path: &str| folder.run_json(&format!("audit {path} --quasi age,town --sensitive disease --below 3 --json"));
    for name in ["folder", "glob"] {
        assert_eq!(timeless(folder.front(&format!("{name}-front"))), timeless(folder.front("file-front")));
        assert_eq!(sorted(&folder, &format!("{name}-out.csv")), sorted(&folder, "file-out.csv"));
        assert_eq!(audit(&format!("{name}-out.csv")), audit("file-out.csv"));
    }
    assert_eq!(audit("people"), audit("people.csv"));
    assert_eq!(audit("people/*.csv"), audit("people.csv"));
    // Each row of a release is found in the table again by its number.
    folder.run("release folder-front --solution 1 -o other.csv --quiet");
    let compared =
        folder.run_json("compare people folder-out.csv other.csv --quasi age,town --front folder-front --json");
    let matched = compared.to_string();
    assert!(!matched.contains("audits"), "{matched}");
    folder.run("reapply file-out.csv.recoding.json people/*.csv -o again.csv --no-fresh --k 2 --quiet");
    assert_eq!(sorted(&folder, "again.csv").len(), {
        folder.run("reapply file-out.csv.recoding.json people.csv -o same.csv --no-fresh --k 2 --quiet");
        sorted(&folder, "same.csv").len()
    });
    for file in ["folder-out.csv.certificate.json", "glob-out.csv.certificate.md", "again.csv.certificate.json"] {
        assert!(!folder.read(file).contains("part-") && !folder.read(file).contains("people/"), "{file}");
    }
}

#[test]
fn a_study_is_drafted_for_a_folder_and_for_a_pattern() {
    let folder = people();
    for (table, kept) in [("people", "people"), ("people/", "people"), ("people/*.csv", "people/*.csv")] {
        folder.run(&format!("init {table} -o new.toml --force --quiet"));
        assert!(folder.read("new.toml").contains(&format!("path = {kept:?}")), "{}", folder.read("new.toml"));
        folder.run("explore new.toml -o new-front --quiet");
        assert_eq!(folder.front("new-front")["rows"], 700);
    }
}

#[test]
fn a_table_that_changes_is_another_one() {
    let folder = people();
    folder.run("explore folder.toml -o front --quiet");
    let release = "release front --solution 2 -o out.csv --force --quiet";
    folder.run(release);
    folder.write("people/part-7.csv", "age,town,disease\n");
    assert!(folder.refuse(release).contains("the table has changed"), "a file more");
    std::fs::remove_file(folder.at("people/part-7.csv")).unwrap();
    folder.run(release);
    std::fs::rename(folder.at("people/part-6.csv"), folder.at("people/part-8.csv")).unwrap();
    assert!(folder.refuse(release).contains("the table has changed"), "a file renamed");
    std::fs::rename(folder.at("people/part-8.csv"), folder.at("people/part-6.csv")).unwrap();
    folder.write("people/part-3.csv", &lines(300, 399));
    assert!(folder.refuse(release).contains("the table has changed"), "a file written to");
}

#[test]
fn nothing_is_written_among_the_files_of_a_table() {
    let folder = people();
    folder.run("explore folder.toml -o front --quiet");
    folder.run("explore glob.toml -o glob-front --quiet");
    folder.run("release front --solution 1 -o out.csv --quiet");
    for command in [
        "release front --solution 1 -o people/out.csv --force",
        "release front --solution 1 -o people/part-1.csv --force",
        "release glob-front --solution 1 -o people/part-9.csv",
        "reapply out.csv.recoding.json people -o people/out.csv --no-fresh",
        "init people -o people/study.toml",
        "explore folder.toml -o people/front",
        "compare people out.csv out.csv --quasi age,town --report people/report.html",
    ] {
        let said = folder.refuse(command);
        assert!(said.contains("elsewhere") || said.contains("is read by this command"), "{command}: {said}");
    }
    let names = std::fs::read_dir(folder.at("people")).unwrap().count();
    assert_eq!(names, 8);
    folder.run("release glob-front --solution 1 -o people/out.tsv --quiet");
}

#[test]
fn what_is_wrong_with_the_files_is_said() {
    let folder = people();
    let said = folder.refuse("init people/*.parquet -o x.toml");
    assert!(said.contains("*.parquet") && said.contains("no file matches"), "{said}");
    folder.write("people/part-3.csv", "age,city,disease\n1,Aix,flu\n2,Bonn,flu\n");
    let said = folder.refuse("explore folder.toml -o front");
    for part in ["part-0.csv", "part-3.csv", "\"city\"", "\"town\""] {
        assert!(said.contains(part), "{said}");
    }
}
