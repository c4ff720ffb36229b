//! `--max-seconds`: every search ends when its time is up, keeps what it has, and says so.

mod program;

use paretonym::catalog;
use program::Folder;
use serde_json::Value;

const NOTE: &str = "its time was up";

/// People with columns for every kind of search: more recodings than any search looks at in a moment.
fn write_people(folder: &Folder) {
    let mut text = String::from("age,zip,job,sex,ill\n");
    let mut state = 5u64;
    let mut draw = |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    for _ in 0..20_000 {
        let age = 18 + draw(40) + draw(40);
        text += &format!("{age},{},job{},s{},d{}\n", 10_000 + draw(90) * 100 + age, draw(24), draw(2), draw(200));
    }
    folder.write("people.csv", &text);
}

fn write_study(folder: &Folder, recode: &str, search: &str) {
    let jobs: Vec<String> = (0..24).map(|job| format!("\"job{job}\"")).collect();
    let groups: Vec<String> =
        jobs.chunks(4).enumerate().map(|(at, some)| format!("g{at} = [{}]", some.join(", "))).collect();
    let text = format!(
        "[data]\npath = \"people.csv\"\n\
         [[columns]]\nname = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\nwidths = [5, 10, 20, 40]\nrecode = \"{recode}\"\n\
         [[columns]]\nname = \"zip\"\nrole = \"quasi\"\nkind = \"categorical\"\nhierarchy = \"prefix\"\nrecode = \"levels\"\n\
         [[columns]]\nname = \"job\"\nrole = \"quasi\"\nkind = \"categorical\"\nrecode = \"levels\"\ntaxonomy = {{ {} }}\n\
         [[columns]]\nname = \"sex\"\nrole = \"quasi\"\nkind = \"categorical\"\n\
         [[columns]]\nname = \"ill\"\nrole = \"sensitive\"\nkind = \"categorical\"\n\
         [search]\n{search}\n",
        groups.join(", ")
    );
    folder.write("study.toml", &text);
}

fn notes(front: &Value) -> Vec<&str> {
    front["notes"].as_array().into_iter().flatten().map(|note| note.as_str().unwrap()).collect()
}

#[test]
fn every_optimizer_ends_when_its_time_is_up() {
    let folder = Folder::new();
    write_people(&folder);
    let searches = [
        ("exhaustive", "levels", "privacy = \"t\""),
        ("exact", "levels", "privacy = \"t\""),
        ("exact", "levels", ""),
        ("poka", "levels", "depth = 4"),
        ("samarati", "levels", ""),
        ("incognito", "levels", ""),
        ("datafly", "levels", ""),
        ("nsga2", "breaks", "privacy = \"l\""),
        ("genitor", "breaks", "problem = \"single\"\nk = 5"),
        ("regions", "levels", "privacy = \"t\""),
        ("mondrian", "levels", ""),
    ];
    for entry in catalog::OPTIMIZERS {
        assert!(searches.iter().any(|search| search.0 == entry.entry.name), "{}", entry.entry.name);
    }
    let mut cut_short = 0;
    for (optimizer, recode, search) in searches {
        let what = format!("{optimizer} {search}");
        write_study(&folder, recode, &format!("optimizer = \"{optimizer}\"\n{search}"));
        let front = folder.run_json("explore study.toml -o front --max-seconds 0.2 --json");
        let complete = front["complete"].as_bool().unwrap();
        let noted = notes(&front).iter().filter(|note| note.contains(NOTE)).count();
        assert!(complete || noted == 1, "{what}: {:?}", front["notes"]);
        assert!(!complete || noted == 0, "{what}: {:?}", front["notes"]);
        assert!(complete || front["exact"] == false, "{what}");
        // The solutions are measured all the same, and can be chosen from.
        let solutions = front["solutions"].as_array().unwrap();
        assert!(!solutions.is_empty() && solutions.iter().all(|own| own["described"] != false), "{what}");
        assert_eq!(folder.run_json("choose front --json")["feasible"], solutions.len(), "{what}");
        cut_short += u32::from(!complete);
    }
    assert!(cut_short >= 2, "{cut_short} were cut short");
}

#[test]
fn a_search_whose_time_was_up_can_go_on() {
    let folder = Folder::new();
    write_people(&folder);
    write_study(&folder, "breaks", "optimizer = \"nsga2\"\nprivacy = \"l\"\nevaluations = 6000");
    let short = folder.run_json("explore study.toml -o front --max-seconds 0.2 --json");
    if short["complete"] == false && folder.at("front/checkpoint.json").exists() {
        folder.run("explore --resume front --quiet");
        let on = folder.front("front");
        assert!(on["evaluated"].as_u64() > short["evaluated"].as_u64(), "it went on");
        assert!(notes(&on).iter().all(|note| !note.contains(NOTE)), "{:?}", on["notes"]);
    }
}

#[test]
fn without_a_limit_or_with_a_generous_one_the_front_is_the_same() {
    let folder = Folder::new();
    folder.run("demo --rows 2000 --out d --quiet --max-seconds 3600");
    assert!(notes(&folder.front("d")).iter().all(|note| !note.contains(NOTE)));
    folder.run("explore d/census.toml -o plain --quiet");
    folder.run("explore d/census.toml -o limited --quiet --max-seconds 3600");
    let told = |out: &str| {
        let mut front = folder.front(out);
        front["seconds"] = Value::Null;
        front
    };
    assert_eq!(told("plain"), told("limited"));
}

#[test]
fn a_limit_that_is_no_time_is_refused() {
    let folder = Folder::new();
    folder.run("demo --rows 100 --out d --quiet");
    for odd in ["0", "-1", "-0.5", "nan", "inf", "1e400", "soon", "1e-300"] {
        for command in ["explore d/census.toml -o out", "demo --rows 100 --out e"] {
            let said = folder.refuse(&format!("{command} --max-seconds {odd}"));
            assert!(said.contains("--max-seconds") && said.contains("seconds above 0"), "{odd}: {said}");
        }
    }
    assert!(!folder.at("out").exists() && !folder.at("e").exists());
}
