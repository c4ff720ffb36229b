//! What people are warned of before they publish: columns that tell too much, rows that are alone, rows that are left out.

mod program;

use program::Folder;

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
