//! Numbers that people demand: what is none, or none that can be meant, is refused instead of letting everything through.

mod program;

use program::{Folder, studies};
use serde_json::json;

fn study() -> String {
    let search = "optimizer = \"exhaustive\"\neta = 0.1";
    studies::of("people.csv", &[&studies::age("[10, 20]"), studies::JOB, studies::DISEASE], search)
}

fn explored() -> Folder {
    let folder = Folder::new();
    let row = |row: u32| {
        format!(
            "{},{},{}\n",
            20 + row * 7 % 40,
            ["a", "b"][row as usize % 2],
            ["x", "y", "z"][row as usize * 5 % 7 % 3]
        )
    };
    folder.write("people.csv", &("age,job,disease\n".to_owned() + &(0..120).map(row).collect::<String>()));
    folder.write("study.toml", &study());
    folder.run("explore study.toml -o front --quiet");
    folder.run("release front --solution 1 -o out.csv --quiet");
    folder
}

#[test]
fn a_demand_that_is_no_number_is_refused() {
    let folder = explored();
    for odd in ["nan", "NaN", "inf", "-inf", "infinity", "-1", "1e999"] {
        for flag in ["--t", "--l", "--threshold"] {
            folder.refuse(&format!("reapply out.csv.recoding.json people.csv -o again.csv {flag} {odd}"));
        }
        for flag in ["--threshold", "--recursive-c"] {
            folder.refuse(&format!("audit out.csv --quasi age,job --sensitive disease {flag} {odd}"));
        }
        for flag in ["--max-loss", "--max-suppression", "--min-k", "--min-l", "--max-t"] {
            folder.refuse(&format!("choose front {flag} {odd}"));
        }
        folder.refuse(&format!("explore study.toml --eta {odd} -o other"));
        folder.refuse(&format!("explore study.toml --privacy recursive-l(c={odd}) -o other"));
        folder.refuse(&format!("release front --solution 1 -o other.csv --threshold {odd}"));
    }
    assert!(!folder.at("again.csv").exists() && !folder.at("other").exists() && !folder.at("other.csv").exists());
    folder.run("reapply out.csv.recoding.json people.csv -o again.csv --t 0.9 --l 1 --threshold 0.3 --quiet");
}

#[test]
fn numbers_of_a_study_that_are_none() {
    let folder = explored();
    let odd_studies = [
        study().replace("eta = 0.1", "eta = nan"),
        study().replace("widths = [10, 20]", "widths = [inf]"),
        study().replace("widths = [10, 20]", "widths = [10, 20]\nweight = nan"),
        study().replace("widths = [10, 20]", "widths = [10, 20]\nweight = -1"),
        study().replace("widths = [10, 20]", "range = [0, inf]\ngranularity = 5"),
        study().replace("widths = [10, 20]", "range = [nan, 100]\ngranularity = 5"),
        study().replace("widths = [10, 20]", "range = [0, 100]\ngranularity = nan"),
        study().replace("widths = [10, 20]", "range = [-1e308, 1e308]\ngranularity = 1e307"),
        study().replace("eta = 0.1", "mutation = nan"),
        study().replace("eta = 0.1", "crossover = inf"),
        study().replace("eta = 0.1", "k_pref = nan"),
        study().replace("eta = 0.1", "nwp_pref = -inf"),
        study().replace("eta = 0.1", "costs = [[\"x\", \"y\", nan]]"),
    ];
    for study in odd_studies {
        folder.write("odd.toml", &study);
        let said = folder.refuse("explore odd.toml -o other");
        assert!(!folder.at("other").exists(), "{said}");
    }
}

#[test]
fn parameters_stand_in_brackets_or_on_lines_of_their_own() {
    let folder = explored();
    let with = |line: &str| study().replace("eta = 0.1", line);
    let refusals = [
        ("problem = \"max-suppression(eta=0.3)\"", "line of its own"),
        ("popluation = 3", "did you mean \"population\"?"),
        ("optimizer = \"nsga2(population=1)\"", "population must be"),
        ("optimizer = \"exact(depth=1)\"", "has no parameters"),
        ("depth = 0", "depth must be"),
    ];
    for (line, said) in refusals {
        let own = if line.starts_with("optimizer") {
            with(line).replace("optimizer = \"exhaustive\"\n", "")
        } else {
            with(line)
        };
        folder.write("odd.toml", &own);
        let message = folder.refuse("explore odd.toml -o other");
        assert!(message.contains(said), "{line}: {message}");
    }
}

#[test]
fn what_is_absurdly_much_gets_a_sentence() {
    let folder = explored();
    let absurd = [
        ("range = [0, 1000000]\ngranularity = 1", "bins"),
        ("range = [0, 100]\ngranularity = 1e-320", "bins"),
        ("range = [1e18, 1.0000000000001e18]\ngranularity = 10", "granularity"),
        ("bins = 4000000000", "bins"),
        (&format!("groups = {:?}", (1..200).map(|n| 1u64 << (n % 60)).collect::<Vec<_>>()), "levels"),
    ];
    for (keys, word) in absurd {
        folder.write("absurd.toml", &study().replace("widths = [10, 20]", keys));
        let said = folder.refuse("explore absurd.toml -o other");
        assert!(said.contains(word) && said.contains("age"), "{keys}: {said}");
    }
    folder.write("people.csv", "age,job,disease\n1e300,a,x\n2,b,y\n3,a,x\n4,b,y\n");
    let said = folder.refuse("explore study.toml -o other");
    assert!(said.contains("too large") && said.contains("age"), "{said}");
    let many: Vec<String> = (0..40).map(|at| format!("c{at}")).collect();
    folder.write("wide.csv", &format!("{}\n{}\n", many.join(","), vec!["1"; 40].join(",")));
    let said = folder.refuse(&format!("audit wide.csv --quasi {} --combinations 20", many.join(",")));
    assert!(said.contains("combine at most"), "{said}");
}

#[test]
fn huge_weights_are_relative_like_all_others() {
    let folder = explored();
    let weighted = |age: &str, job: &str| {
        let study = study().replace("widths = [10, 20]", &format!("widths = [10, 20]\nweight = {age}"));
        let study = study.replace("name = \"job\"", &format!("name = \"job\"\nweight = {job}"));
        folder.write("weights.toml", &study);
        let mut front = folder.run_json("explore weights.toml --loss weighted -o weighted --json --quiet");
        std::fs::remove_dir_all(folder.at("weighted")).unwrap();
        front["seconds"] = json!(0);
        front
    };
    let plain = weighted("1", "1");
    assert!(plain["solutions"][0]["loss"].as_f64().unwrap() > 0.0);
    assert_eq!(weighted("1e308", "1e308"), plain);
    assert_eq!(weighted("2e307", "4e307"), weighted("1", "2"));
}

#[test]
fn l_says_that_it_is_rounded_down() {
    let folder = explored();
    let words = "(frequency, rounded down)";
    assert!(folder.run("audit out.csv --quasi age,job --sensitive disease").contains("frequency (rounded down)"));
    assert!(folder.run("explore study.toml -o front --privacy k").contains("rounded"));
    assert!(folder.run("choose front --min-l 1").contains("rounded"));
    assert!(folder.run("release front --solution 1 -o two.csv").contains(words));
    assert!(folder.read("two.csv.certificate.md").contains("frequency (rounded down)"));
    assert!(folder.read("front/report.html").contains(words));
    assert!(folder.run("catalog").contains("rounded down"));
    // Other forms of l are not rounded.
    folder.run("explore study.toml -o entropy --privacy entropy-l --quiet");
    let report = folder.read("entropy/report.html");
    assert!(report.contains("l (entropy)") && !report.contains(words));
}
