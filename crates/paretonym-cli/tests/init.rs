//! `paretonym init` through the real program: what a draft reads, what it leaves out, what it says of it, and mistakes.

mod program;

use program::{Folder, group_sizes};

/// Numbers that look like chance and are the same on every machine.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// A table as a hospital in a land of decimal commas exports it: two rows for each patient.
fn clinic(rows: u64) -> String {
    let mut chance = Chance(7);
    let mut text = "Patient ID;born;age;zip;weight;bill;admitted;note;diagnosis;fax2;land\n".to_owned();
    for row in 0..rows {
        let year = 1950 + chance.below(50);
        let age = if chance.below(25) == 0 { ".".to_owned() } else { (2024 - year).to_string() };
        let zip = ["04109", "10115", "10117", "80331", "."][chance.below(5) as usize];
        let weight = format!("{},{}", 50 + chance.below(60), chance.below(10));
        let bill = format!("{}.{:03},{:02}", 1 + chance.below(9), chance.below(1000), chance.below(100));
        let note = format!("{} seen by {}", chance.below(100), chance.below(100));
        text += &format!(
            "{};{:02}.{:02}.{year};{age};{zip};{weight};{bill};{}/{}/2023 {}:05 PM;{note};{};;DE\n",
            row / 2,
            1 + chance.below(28),
            1 + chance.below(12),
            1 + chance.below(12),
            1 + chance.below(28),
            1 + chance.below(12),
            ["flu", "cold", "none"][chance.below(3) as usize],
        );
    }
    text
}

fn column<'a>(study: &'a toml::Table, name: &str) -> &'a toml::Value {
    let columns = study["columns"].as_array().unwrap();
    columns.iter().find(|column| column["name"].as_str() == Some(name)).unwrap()
}

#[test]
fn a_messy_file_is_read_explored_and_released() {
    let folder = Folder::new();
    folder.write("clinic.csv", &clinic(800));
    let said = folder.run("init clinic.csv");
    let study: toml::Table = folder.read("study.toml").parse().unwrap();
    assert_eq!(study["data"]["decimal"].as_str(), Some(","));
    assert!(study["data"]["missing"].as_array().unwrap().contains(&".".into()), "{study}");
    let key = |name: &str, key: &str| column(&study, name).get(key).map(|value| value.to_string());
    assert_eq!(key("born", "date_format").as_deref(), Some("\"dd.mm.yyyy\""));
    assert_eq!(key("admitted", "date_format").as_deref(), Some("\"mm/dd/yyyy\""));
    assert_eq!(key("zip", "hierarchy").as_deref(), Some("\"prefix\""));
    for name in ["age", "weight", "bill"] {
        assert_eq!(
            (key(name, "role").as_deref(), key(name, "kind").as_deref()),
            (Some("\"quasi\""), Some("\"numeric\""))
        );
    }
    let roles = ["Patient ID", "note", "fax2", "land", "diagnosis"].map(|name| key(name, "role").unwrap());
    assert_eq!(roles, ["\"identifying\"", "\"drop\"", "\"drop\"", "\"insensitive\"", "\"sensitive\""]);
    assert!(said.contains("Shown as they are: diagnosis, land."), "{said}");
    assert!(said.contains("recoded (day, month, quarter, year, decade)") && said.contains("left out"), "{said}");

    let explored = folder.run("explore study.toml -o front");
    assert!(explored.contains("Rows are not persons: the identifying column \"Patient ID\" repeats"), "{explored}");
    let front = folder.front("front");
    assert_eq!(front["rows"], 800, "missing is a value here, so that nothing is dropped");
    let solutions = front["solutions"].as_array().unwrap();
    let fine = solutions.iter().rev().find(|solution| solution["k"].as_u64() >= Some(2)).unwrap();
    let certificate = folder.run_json(&format!("release front --solution {} -o out.csv --json", fine["id"]));
    assert!(certificate["warnings"][0].as_str().unwrap().starts_with("Rows are not persons"), "{certificate}");
    let rows = folder.rows("out.csv", b';');
    let names = folder.read("out.csv").lines().next().unwrap().to_owned();
    assert_eq!(names, "born;age;zip;weight;bill;admitted;diagnosis;land");
    let sizes = group_sizes(&rows, &[0, 1, 2, 3, 4, 5]);
    assert_eq!(sizes.values().min(), fine["k"].as_u64().as_ref());
    // The same table again: every value that a release kept is known.
    let again = "reapply out.csv.recoding.json clinic.csv -o again.csv --unknown suppress --no-fresh --json";
    assert!(folder.run_json(again)["k"].as_u64() >= fine["k"].as_u64());
}

#[test]
fn dates_in_other_formats_show_standard_months_and_years() {
    let folder = Folder::new();
    for (format, date) in [("dd.mm.yyyy", "{d}.{m}.{y}"), ("mm/dd/yyyy", "{m}/{d}/{y}"), ("yyyy/mm/dd", "{y}/{m}/{d}")]
    {
        let lines: String = (0..400u32)
            .map(|row| {
                let (day, month, year) = (1 + row % 28, 1 + row % 12, 1960 + row % 3);
                let date = date.replace("{d}", &format!("{day:02}")).replace("{m}", &format!("{month:02}"));
                format!("{},{}\n", date.replace("{y}", &year.to_string()), ["a", "b"][(row % 2) as usize])
            })
            .collect();
        folder.write("dates.csv", &format!("born,sex\n{lines}"));
        folder.run("init dates.csv -o dates.toml --force --quiet");
        assert!(
            folder.read("dates.toml").contains(&format!("date_format = \"{format}\"")),
            "{}",
            folder.read("dates.toml")
        );
        folder.run("explore dates.toml -o dates-front --quiet");
        let front = folder.front("dates-front");
        let year =
            front["solutions"].as_array().unwrap().iter().find(|one| one["recoding"]["born"]["level"] == 3).unwrap();
        folder.run(&format!("release dates-front --solution {} -o dates-out.csv --force --quiet", year["id"]));
        let rows = folder.rows("dates-out.csv", b',');
        assert!(rows.iter().all(|row| ["1960", "1961", "1962"].contains(&row[0].as_str())), "{format}: {:?}", rows[0]);
    }
}

#[test]
fn day_and_month_that_nobody_can_tell_apart_are_asked_for() {
    let folder = Folder::new();
    let lines: String = (0..100u32).map(|row| format!("{:02}/{:02}/1980\n", 1 + row % 12, 1 + row % 5)).collect();
    folder.write("dates.csv", &format!("born\n{lines}"));
    folder.run("init dates.csv --quiet");
    let study = folder.read("study.toml");
    assert!(study.contains("or \"mm/dd/yyyy\": no value tells day from month"), "{study}");
    let silent: String =
        study.lines().filter(|line| !line.starts_with("date_format")).map(|line| line.to_owned() + "\n").collect();
    folder.write("silent.toml", &silent);
    assert!(folder.refuse("explore silent.toml").contains("date_format = \"dd/mm/yyyy\" or \"mm/dd/yyyy\""));
}

#[test]
fn what_cannot_be_recoded_is_not_released_until_somebody_says_so() {
    let folder = Folder::new();
    let lines: String = (0..300u32)
        .map(|row| format!("{},{},remark {}\n", ["m", "f"][(row % 2) as usize], 20 + row % 40, row % 90))
        .collect();
    folder.write("people.csv", &format!("sex,age,remark\n{lines}"));
    let told = folder.run_json("init people.csv --json");
    assert_eq!((&told["columns"][2]["role"], &told["columns"][2]["shown"]), (&"drop".into(), &"left out".into()));
    folder.run("explore study.toml -o front --quiet");
    folder.run("release front --solution 2 -o out.csv --quiet");
    let released = folder.read("out.csv");
    assert!(!released.contains("remark"), "{}", released.lines().next().unwrap());
    // Tokens are for identifying columns, not for these.
    folder.run("release front --solution 2 -o tokens.csv --tokens --quiet");
    assert!(!folder.read("tokens.csv").contains("remark"));

    assert!(folder.refuse("init people.csv --keep remarks -o kept.toml").contains("did you mean \"remark\""));
    let said = folder.run("init people.csv --keep remark -o kept.toml");
    assert!(said.contains("Shown as they are: remark."), "{said}");
    folder.run("explore kept.toml -o kept --quiet");
    folder.run("release kept --solution 2 -o kept.csv --quiet");
    assert!(folder.read("kept.csv").contains("remark 7"));
}

#[test]
fn init_writes_a_study_that_runs_as_it_is() {
    let folder = Folder::new();
    let mut table = String::from("id;born;zip;sex;weight\n");
    for row in 0..200 {
        let (month, zip) = (row % 12 + 1, 13000 + row % 40);
        table +=
            &format!("p{row};19{}-{month:02}-11;{zip};{};{}.5\n", 50 + row % 30, ["f", "m"][row % 2], 50 + row % 47);
    }
    folder.write("people.csv", &table);
    folder.run("init people.csv");
    let study = folder.read("study.toml");
    assert!(study.contains("identifying") && study.contains("prefix") && study.contains("dates"), "{study}");
    folder.run("explore study.toml -o out --evaluations 200");
    assert!(!folder.front("out")["solutions"].as_array().unwrap().is_empty());
    assert!(folder.refuse("init people.csv").contains("exists"));
    folder.run("init people.csv --force");
}

/// A table that needs no thought.
fn people() -> Folder {
    let folder = Folder::new();
    let lines: String =
        (0..120u32).map(|row| format!("{},{}\n", 20 + row % 40, ["m", "f"][(row % 2) as usize])).collect();
    folder.write("people.csv", &format!("age,sex\n{lines}"));
    folder
}

#[test]
fn a_study_is_printed_or_told_as_json() {
    let folder = people();
    let printed = folder.run("init people.csv --print");
    assert_eq!(folder.names(), ["people.csv"], "nothing is written");
    let told = folder.run_json("init people.csv --json -o told.toml");
    assert_eq!(folder.read("told.toml"), printed);
    assert_eq!((&told["study"], &told["on_missing"]), (&"told.toml".into(), &"drop-row".into()));
    let columns = told["columns"].as_array().unwrap();
    assert_eq!(columns.iter().map(|column| &column["name"]).collect::<Vec<_>>(), ["age", "sex"]);
    assert!(columns.iter().all(|column| column["role"] == "quasi" && column["reason"].is_string()), "{told}");
    assert_eq!(folder.run("init people.csv -o quiet.toml --quiet"), "");
}

#[test]
fn a_preset_brings_its_trees() {
    let folder = people();
    std::fs::create_dir(folder.at("adult")).unwrap();
    let said = folder.run("init --preset adult people.csv -o adult/study.toml");
    assert!(said.contains("adult/study.toml") && said.contains("workclass.csv"), "{said}");
    let study: toml::Table = folder.read("adult/study.toml").parse().unwrap();
    let full = folder.at("people.csv").canonicalize().unwrap();
    assert_eq!(study["data"]["path"].as_str(), full.to_str(), "the table is not below the study");
    for column in study["columns"].as_array().unwrap() {
        let tree = column.get("taxonomy").and_then(|tree| tree.as_str());
        assert!(tree.is_none_or(|tree| folder.at("adult").join(tree).is_file()), "{column}");
    }
    // One file in the way, and none is written.
    std::fs::remove_file(folder.at("adult/study.toml")).unwrap();
    folder.write("adult/sex.csv", "mine");
    let said = folder.refuse("init --preset adult people.csv -o adult/study.toml");
    assert!(said.contains("exists") && said.contains("--force"), "{said}");
    assert!(!folder.at("adult/study.toml").exists());
    assert_eq!(folder.read("adult/sex.csv"), "mine");
}

#[test]
fn mistakes_are_explained() {
    let folder = people();
    assert!(folder.refuse("init nobody.csv").contains("nobody.csv"));
    assert!(folder.refuse("init").contains("<DATA>"));
    let said = folder.refuse("init people.csv --preset adlut");
    assert!(said.contains("no preset called \"adlut\"") && said.contains("adult"), "{said}");
    assert!(folder.refuse("init people.csv --preset adult --keep age").contains("--keep"));
    assert!(folder.refuse("init people.csv --print --json").contains("--json"));
    assert!(folder.refuse("init people.csv -o nowhere/study.toml").contains("nowhere"));
    std::fs::create_dir(folder.at("folder")).unwrap();
    assert!(folder.refuse("init people.csv -o folder").contains("is a folder"));
    assert!(folder.refuse("init folder").contains("folder"));
    // The table is never written over, whatever is forced.
    let table = folder.read("people.csv");
    assert!(folder.refuse("init people.csv -o people.csv --force").contains("people.csv"));
    assert_eq!(folder.read("people.csv"), table);
    std::fs::write(folder.at("sheet.xlsx"), b"PK\x03\x04rest").unwrap();
    assert!(folder.refuse("init sheet.xlsx").contains("Excel"));
    folder.write("empty.csv", "age,sex\n");
    assert!(folder.refuse("init empty.csv").contains("no rows"));
    assert!(!folder.at("study.toml").exists());
}
