//! `paretonym choose` through the real program: the best within limits, and what a little more would buy.

mod program;

use program::{Folder, studies};
use serde_json::{Value, json};

/// A folder with a front that a pencil gives: (k, loss) of (6, 1), (3, 0.5) and (1, 0).
fn explored() -> Folder {
    let folder = studies::six_people();
    folder.run("explore study.toml -o out --quiet");
    folder
}

fn ids(choice: &Value) -> Vec<u64> {
    choice["best"].as_array().unwrap().iter().map(|solution| solution["id"].as_u64().unwrap()).collect()
}

#[test]
fn a_limited_price_gets_the_most_private() {
    let folder = explored();
    let choice = folder.run_json("choose out --max-loss 0.5 --json");
    assert_eq!((&choice["limits"], &choice["feasible"]), (&json!({ "max_loss": 0.5 }), &json!(2)));
    assert_eq!((ids(&choice), &choice["best"][0]["k"]), (vec![2], &json!(3)));
    let more = &choice["relaxations"][0];
    assert_eq!((&more["limit"], &more["from"], &more["to"]), (&json!("max_loss"), &json!(0.5), &json!(1.0)));
    assert_eq!(more["solution"]["k"], 6);
    // Who sets no limit is shown the most private of all.
    assert_eq!(ids(&folder.run_json("choose out --json")), [1]);
}

#[test]
fn a_demand_gets_the_cheapest() {
    let folder = explored();
    let choice = folder.run_json("choose out --min-k 2 --json");
    assert_eq!((ids(&choice), &choice["best"][0]["loss"]), (vec![2], &json!(0.5)));
    let less = &choice["relaxations"][0];
    assert_eq!((&less["limit"], &less["to"], &less["solution"]["loss"]), (&json!("min_k"), &json!(1.0), &json!(0.0)));
    assert_eq!(ids(&folder.run_json("choose out --min-k 4 --json")), [1]);
}

#[test]
fn where_nothing_holds_all_limits_the_nearest_is_told() {
    let folder = explored();
    let choice = folder.run_json("choose out --min-k 4 --max-loss 0.5 --json");
    assert_eq!((&choice["feasible"], ids(&choice).len()), (&json!(0), 0));
    let told = folder.run("choose out --min-k 4 --max-loss 0.5");
    assert!(told.contains("None of the 3 solutions holds these limits.") && told.contains("Nearest:"), "{told}");
    assert!(told.contains("max-loss 100.00 % instead of 50.00 %: k = 6"), "{told}");
    assert!(told.contains("min-k 3 instead of 4: k = 3"), "{told}");
}

#[test]
fn the_answer_is_in_words_or_in_numbers_alone() {
    let folder = explored();
    let told = folder.run("choose out --max-loss 0.5");
    for part in ["2 of 3 solutions hold the limits. Best:", "What a little more would buy:", "(solution 1)"] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert_eq!(folder.run("choose out --max-loss 0.5 --quiet"), "2\n");
    assert_eq!(folder.run("choose out --min-k 7 --quiet"), "");
}

#[test]
fn every_limit_is_answered_as_by_hand() {
    let folder = Folder::new();
    folder.run("demo --rows 800 --out demo --quiet");
    let front = folder.front("demo");
    let solutions = front["solutions"].as_array().unwrap();
    let number = |solution: &Value, key: &str| solution[key].as_f64().unwrap();
    for step in 0..=10 {
        let (loss, suppressed) = (f64::from(step) / 10.0, 0.005);
        let held = |one: &&Value| number(one, "loss") <= loss && number(one, "sl") <= suppressed;
        let choice = folder.run_json(&format!("choose demo --max-loss {loss} --max-suppression {suppressed} --json"));
        assert_eq!(choice["feasible"], solutions.iter().filter(held).count(), "{loss}");
        let most = solutions.iter().filter(held).map(|one| number(one, "k")).reduce(f64::max);
        assert_eq!(choice["best"].as_array().unwrap().first().map(|one| number(one, "k")), most, "{loss}");
    }
    for (limit, key) in [("--min-l", "l"), ("--max-t", "t")] {
        let middle = number(&solutions[solutions.len() / 2], key);
        let held = |one: &&Value| if key == "l" { number(one, key) >= middle } else { number(one, key) <= middle };
        let choice = folder.run_json(&format!("choose demo {limit} {middle} --json"));
        let least = solutions.iter().filter(held).map(|one| number(one, "loss")).reduce(f64::min);
        assert_eq!(choice["best"].as_array().unwrap().last().map(|one| number(one, "loss")), least, "{limit}");
    }
}

#[test]
fn mistakes_are_explained() {
    let folder = explored();
    assert!(folder.refuse("choose nowhere").contains("front.json"));
    assert!(folder.refuse("choose people.csv").contains("front.json"));
    assert!(folder.refuse("choose out --max-loss -1").contains("a number from 0 on"));
    assert!(folder.refuse("choose out --max-suppression 1.5").contains("a number from 0 to 1"));
    assert!(folder.refuse("choose out --max-los 0.5").contains("--max-loss"));
    folder.write("plain.toml", &folder.read("study.toml").replace("sensitive", "insensitive"));
    folder.run("explore plain.toml -o plain --quiet");
    for limit in ["--min-l 2", "--max-t 0.5"] {
        let said = folder.refuse(&format!("choose plain {limit}"));
        assert!(said.contains("needs a sensitive column"), "{said}");
    }
    let edited = folder.read("out/front.json").replace("\"k\": 3", "\"k\": 4");
    assert_ne!(edited, folder.read("out/front.json"));
    folder.write("out/front.json", &edited);
    assert!(folder.refuse("choose out --min-k 4").contains("explore again"));
}
