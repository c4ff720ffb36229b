//! What is done with boxes afterwards: used again, compared, refused, and Adult.

use super::*;

#[test]
fn a_later_table_goes_into_the_same_boxes() {
    let folder = explored("--eta 0.02");
    let all = solutions(&folder);
    let fine = all.iter().find(|one| one["groups"].as_u64() > Some(20)).unwrap();
    folder.run(&format!("release front --solution {} -o out.csv --allow-k1 --quiet", fine["id"]));
    // The same table gives the same release.
    let again =
        folder.run_json("reapply out.csv.recoding.json first.csv -o same.csv --unknown suppress --allow-k1 --json");
    let first = folder.json("out.csv.certificate.json");
    for key in ["k", "suppressed", "group_sizes", "gl"] {
        assert_eq!(again[key], first[key], "{key}");
    }

    folder.write("second.csv", &table(250, 1000));
    let command = "reapply out.csv.recoding.json second.csv -o later.csv --force --k 4 --no-fresh --json";
    let said = folder.refuse(command);
    assert!(said.contains("no region") && said.contains("--unknown nearest"), "{said}");
    let known: BTreeMap<Vec<String>, u64> = group_sizes(&folder.rows("out.csv", b','), &[0, 1, 2]);
    let mut kept = Vec::new();
    for rule in ["suppress", "nearest"] {
        let certificate = folder.run_json(&format!("{command} --unknown {rule}"));
        let groups = group_sizes(&folder.rows("later.csv", b','), &[0, 1, 2]);
        assert!(groups.values().all(|size| *size >= 4));
        assert_eq!(certificate["k"].as_u64().as_ref(), groups.values().min());
        assert!(groups.keys().all(|cells| known.contains_key(cells)), "a later release shows no new box");
        let again = &certificate["reapplied"];
        assert_eq!(again["moved_rows"].as_u64() > Some(0), rule == "nearest");
        assert_eq!(again["unknown_rows"].as_u64() > Some(0), rule == "suppress");
        kept.push(certificate["output"]["rows"].as_u64().unwrap());
    }
    assert!(kept[0] < kept[1]);
    // With a fresh search beside it.
    let text = folder.run("reapply out.csv.recoding.json second.csv -o text.csv --k 4 --unknown nearest");
    assert!(text.contains("best of a fresh search") && text.contains("show the nearest one"), "{text}");
}

#[test]
fn solutions_of_a_front_can_be_compared() {
    let folder = explored("");
    let all = solutions(&folder);
    let (one, two) = (&all[1], &all[all.len() - 2]);
    let found = folder.run_json(&format!("compare front --solutions {},{} --json", one["id"], two["id"]));
    let means = &found["properties"]["group-size"]["mean"];
    assert!(means[0].as_f64() > means[1].as_f64(), "{means}");
    assert!(found["properties"]["group-size"]["cov"][0][1].as_f64() > Some(0.5));
}

#[test]
fn boxes_of_another_front_are_refused() {
    let folder = explored("");
    let mut regions = folder.json("front/regions.json");
    regions["columns"][0]["sets"][0]["leaves"][0][1] = 100_000.into();
    folder.write("front/regions.json", &regions.to_string());
    assert!(folder.refuse("release front --solution 1 -o out.csv").contains("explore again"));
    std::fs::remove_file(folder.at("front/regions.json")).unwrap();
    assert!(folder.refuse("release front --solution 1 -o out.csv").contains("regions.json"));
}

#[test]
fn adult_is_released_at_the_k_it_claims() {
    let Some(data) = adult() else { return };
    let folder = Folder::new();
    let preset = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/preset/adult");
    for entry in std::fs::read_dir(&preset).unwrap() {
        let path = entry.unwrap().path();
        std::fs::copy(&path, folder.at(path.file_name().unwrap().to_str().unwrap())).unwrap();
    }
    let study = folder.read("study.toml");
    let study = study.replace("{path}", data.canonicalize().unwrap().to_str().unwrap());
    let study = study.replace("recode = \"levels\"\nwidths = [5, 10, 20]", "recode = \"breaks\"");
    let study = study.replace("taxonomy = \"education.csv\"\n", "").replace("\"exact\"", "\"regions\"");
    // Trees alone: local search on all of Adult takes a minute.
    let study = study.replace("[search]\n", "[search]\nimprove = false\n");
    folder.write("study.toml", &study);
    folder.run("explore study.toml -o front --eta 0 --quiet");
    let quasi = "age,workclass,education,marital-status,occupation,race,sex,native-country,salary-class";
    for solution in solutions(&folder).iter().step_by(10) {
        let run = format!("release front --solution {} -o out.csv --allow-k1 --force --json", solution["id"]);
        let certificate = folder.run_json(&run);
        let audit = folder.run_json(&format!("audit out.csv --quasi {quasi} --combinations 0 --json"));
        let sizes = group_sizes(&folder.rows("out.csv", b','), &[0, 1, 3, 5, 6, 8, 9, 13, 14]);
        assert_eq!(sizes.values().min(), solution["k"].as_u64().as_ref());
        assert_eq!((&audit["k"], &audit["groups"]), (&solution["k"], &solution["groups"]));
        assert_eq!(certificate["k"], solution["k"]);
        println!(
            "solution {}: k {}, {} groups, loss {}",
            solution["id"], audit["k"], audit["groups"], solution["loss"]
        );
    }
}
