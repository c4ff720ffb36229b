//! From a messy file through `init` to a release: what a draft reads, what it leaves out, and what it says of it.

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
fn columns_that_tell_too_much_are_warned_of() {
    let folder = Folder::new();
    let lines: String = (0..240u32)
        .map(|row| {
            let ward = row % 4;
            format!("{row},{},w{ward},{},d{ward},yes\n", 20 + row % 50, if row < 200 { row } else { 7 })
        })
        .collect();
    folder.write("people.csv", &format!("id,age,ward,badge,diagnosis,smoker\n{lines}"));
    let column = |name: &str, rest: &str| format!("[[columns]]\nname = \"{name}\"\n{rest}\n");
    folder.write(
        "study.toml",
        &[
            "[data]\npath = \"people.csv\"\n".to_owned(),
            column("id", "role = \"identifying\""),
            column("age", "role = \"quasi\"\nkind = \"numeric\"\nwidths = [10, 20]"),
            column("ward", "role = \"quasi\""),
            column("badge", "role = \"insensitive\""),
            column("diagnosis", "role = \"sensitive\""),
            column("smoker", "role = \"sensitive\""),
        ]
        .concat(),
    );
    let said = folder.run("explore study.toml -o front");
    let front = folder.front("front");
    let expected = [
        "Column \"badge\" is released as it is and singles people out: about 83 % of its cells",
        "Quasi column \"ward\" decides the sensitive column \"diagnosis\"",
        "Sensitive column \"smoker\" has one value only",
        "some group has but one value of a sensitive column (l = 1)",
    ];
    let report = folder.read("front/report.html").replace("&quot;", "\"");
    for words in expected {
        assert!(front["warnings"].to_string().replace("\\\"", "\"").contains(words), "{words}: {}", front["warnings"]);
        assert!(said.contains(words) && report.contains(words), "{words}: {said}");
    }
    // An identifier that is one repeats no warning.
    assert!(!said.contains("Rows are not persons"), "{said}");

    let all = front["solutions"].as_array().unwrap();
    let fine = all.iter().rev().find(|one| one["k"].as_u64() >= Some(2)).unwrap();
    let told = folder.run(&format!("release front --solution {} -o out.csv", fine["id"]));
    assert!(told.contains("WARNING: Column \"badge\""), "{told}");
    assert!(told.contains("Some group has but one value of \"diagnosis\" and of \"smoker\" (l = 1)"), "{told}");
    let certificate = folder.json("out.csv.certificate.json");
    assert!(certificate["warnings"].as_array().unwrap().len() >= 4, "{}", certificate["warnings"]);
    // Warnings may be handed out: no value of the table is in them.
    let warnings = certificate["warnings"].to_string();
    assert!(!["w0", "d0", "yes"].iter().any(|value| warnings.contains(value)), "{warnings}");
    assert!(folder.read("out.csv.certificate.md").contains("singles people out"));
}

#[test]
fn rows_that_are_alone_are_released_on_request_only() {
    let folder = Folder::new();
    let lines: String = (0..60u32).map(|row| format!("{},{}\n", row % 30, row % 7)).collect();
    folder.write("people.csv", &format!("age,zone\n{lines}"));
    folder.run("init people.csv --quiet");
    folder.run("explore study.toml -o front --quiet");
    let front = folder.front("front");
    let all = front["solutions"].as_array().unwrap();
    let alone = &all.iter().find(|one| one["k"] == 1).unwrap()["id"];
    let said = folder.refuse(&format!("release front --solution {alone} -o out.csv"));
    assert!(said.contains("--allow-k1"), "{said}");
    assert!(!folder.at("out.csv").exists());
    let told = folder.run(&format!("release front --solution {alone} -o out.csv --allow-k1"));
    assert!(told.contains("Some rows are alone in their group (k = 1)"), "{told}");
    let again = "reapply out.csv.recoding.json people.csv -o again.csv --no-fresh";
    assert!(folder.refuse(again).contains("--allow-k1"), "the k of the earlier release is 1");
    assert!(folder.refuse(&format!("{again} --k 1")).contains("--allow-k1"));
    folder.run(&format!("{again} --k 1 --allow-k1 --quiet"));
    assert_eq!(folder.json("again.csv.certificate.json")["k"], 1);
}

#[test]
fn all_rows_that_are_left_out_are_told() {
    let folder = Folder::new();
    let lines: String = (0..1000u32)
        .map(|row| {
            // A few are older than all others: worth suppressing.
            let age = if row % 100 == 7 { 90 + row / 100 % 3 } else { 20 + row % 50 };
            format!("{age},{}\n", if row % 10 == 3 { "" } else { ["a", "b", "c"][(row % 3) as usize] })
        })
        .collect();
    folder.write("people.csv", &format!("age,zone\n{lines}"));
    let said = folder.run("init people.csv");
    assert!(said.contains("100 of 1000 rows (10.00 %) have a missing value; they stay"), "{said}");
    let study = folder.read("study.toml");
    assert!(study.contains("on_missing = \"value\""), "{study}");
    folder.run("explore study.toml -o whole --quiet");
    assert_eq!(folder.front("whole")["rows"], 1000);

    folder.write(
        "drop.toml",
        &study.replace("on_missing = \"value\"", "on_missing = \"drop-row\"").replace("eta = 0.01", "eta = 0.1"),
    );
    let said = folder.run("explore drop.toml -o front");
    assert!(said.contains("100 more rows of the 1000 in the table (10.00 %) are left out of every release"), "{said}");
    assert!(said.contains("left out in all"), "{said}");
    let front = folder.front("front");
    let solution =
        front["solutions"].as_array().unwrap().iter().find(|one| one["suppressed"].as_u64() > Some(0)).unwrap();
    let (id, suppressed) = (solution["id"].as_u64().unwrap(), solution["suppressed"].as_u64().unwrap());
    let all = format!("{} of 1000 ({:.2} %)", suppressed + 100, (suppressed + 100) as f64 / 10.0);
    let told = folder.run(&format!("release front --solution {id} -o out.csv"));
    assert!(told.contains("rows left out in all") && told.contains(&all), "{told}");
    let chosen = folder.run(&format!("choose front --min-k {} --max-suppression 0.1", solution["k"]));
    assert!(chosen.contains("with missing values left out: ") && chosen.contains(" of 1,000 ("), "{chosen}");
    let report = folder.read("front/report.html");
    assert!(report.contains("100 more rows of the table, 10.00\u{a0}% of it, are left out"), "the report tells too");
}
