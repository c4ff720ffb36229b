//! What a certificate tells, and how it can be checked.

use super::{explored, suppressing};

#[test]
fn the_certificate_can_be_checked() {
    let folder = explored(200);
    folder.run("release front --solution 2 -o out.csv --quiet");
    let certificate = folder.json("out.csv.certificate.json");
    let sum = |name: &str| {
        let sum = std::process::Command::new("sha256sum").arg(folder.at(name)).output().unwrap();
        String::from_utf8(sum.stdout).unwrap().split_whitespace().next().unwrap().to_owned()
    };
    let bytes = std::fs::read(folder.at("out.csv")).unwrap();
    assert_eq!(certificate["output"]["bytes"].as_u64(), Some(bytes.len() as u64));
    assert_eq!(certificate["output"]["sha256"].as_str(), Some(sum("out.csv").as_str()));
    for key in ["k", "weighted_k", "l", "t", "necd", "gl", "sl", "losses", "risk", "group_sizes", "study", "seed"] {
        assert!(!certificate[key].is_null(), "{key}");
    }
    let study = certificate["study"].to_string();
    assert!(!study.contains(folder.path().to_str().unwrap()), "folders are nobody's business");
    assert!(folder.read("out.csv.certificate.md").contains("k (smallest group)"));
    let public: Vec<String> = folder.names().into_iter().filter(|name| name.starts_with("out.csv")).collect();
    let endings = ["", ".certificate.json", ".certificate.md", ".recoding.json"];
    assert_eq!(public, endings.map(|ending| format!("out.csv{ending}")));
    let sql = std::fs::read_to_string(folder.private("out.csv", "recoding.sql")).unwrap();
    assert!(sql.contains("CASE"));
    assert_eq!(std::fs::read_dir(folder.private("out.csv", "values")).unwrap().count(), 3);

    // The original is known by a digest that only the holder of the key can make.
    let told = public.iter().map(|name| folder.read(name)).collect::<String>();
    assert!(!told.contains(&sum("people.csv")), "a plain digest lets who knows most rows test guesses at the others");
    let key = std::fs::read_to_string(folder.private("out.csv", "key")).unwrap();
    let mut openssl = std::process::Command::new("openssl");
    let hmac = openssl.args(["dgst", "-sha256", "-mac", "HMAC", "-macopt", &format!("hexkey:{}", key.trim())]);
    if let Ok(hmac) = hmac.arg(folder.at("people.csv")).output() {
        let hmac = String::from_utf8(hmac.stdout).unwrap();
        let digest = format!("hmac-sha256:{}", hmac.trim().rsplit(' ').next().unwrap());
        assert_eq!(certificate["input"]["digest"], digest);
    }
    folder.run("release front --solution 2 -o again.csv --quiet");
    assert_ne!(folder.json("again.csv.certificate.json")["input"], certificate["input"], "keys are not used twice");
}

#[test]
fn the_certificate_tells_decisions_and_nothing_of_the_data() {
    let folder = explored(200);
    let id = suppressing(&folder);
    folder.run(&format!("release front --solution {id} -o out.csv --quiet"));
    let certificate = folder.json("out.csv.certificate.json");
    let study = certificate["study"].as_object().unwrap();
    for key in ["problem", "privacy", "loss", "eta", "cutoffs", "optimizer", "on_missing"] {
        assert!(study.contains_key(key), "{key}");
    }
    for column in study["columns"].as_array().unwrap() {
        let keys: Vec<&String> = column.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["name", "role"]);
    }
    assert!(
        certificate["suppressed"].as_u64().unwrap().is_multiple_of(10),
        "no exact count of rows that are not there"
    );
    assert_eq!(folder.exact("out.csv")["suppressed"], 1);
    let markdown = folder.read("out.csv.certificate.md");
    let (measured, planned) = (markdown.find("## Measured").unwrap(), markdown.find("## Planned").unwrap());
    assert!(
        measured < planned && markdown[planned..].contains("| general |"),
        "losses of the plan are no measurements"
    );
    assert!(!markdown[measured..planned].contains("| general |"));
}
