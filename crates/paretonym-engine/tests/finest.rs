//! Searches that start from some levels of the columns: they find what a search of all recodings finds among the coarser ones.

use paretonym::catalog;
use paretonym::engine::Unwatched;
use paretonym::front::FrontFile;
use paretonym::study::{Study, count, describe, run};
use paretonym_engine::Embedded;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const TOWNS: [&str; 6] = ["1010", "1020", "1100", "2010", "2020", "3300"];

fn table(seed: u64) -> String {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut text = "age,town,illness\n".to_owned();
    for _ in 0..160 {
        let town = if dice.random_range(0..30) == 0 { "?" } else { TOWNS[dice.random_range(0..6)] };
        let illness = ["flu", "cold", "gout"][dice.random_range(0..3)];
        text += &format!("{},{town},{illness}\n", dice.random_range(20..44));
    }
    text
}

/// A study of two columns, with a family and a finest level each; the ages in tens, or as they are.
fn study(path: &std::path::Path, families: [&str; 2], finest: [u32; 2], search: &str, more: &str) -> Study {
    let finest = finest.map(|level| if level > 0 { format!("finest = {level}\n") } else { String::new() });
    let text = format!(
        "[data]\npath = \"{{path}}\"\nmissing = [\"?\"]\non_missing = \"value\"\n{more}
         [[columns]]\nname = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\nwidths = [4, 12]\nrecode = \"{}\"\n{}
         [[columns]]\nname = \"town\"\nrole = \"quasi\"\nkind = \"categorical\"\nhierarchy = \"prefix\"\nrecode = \"{}\"\n{}
         [[columns]]\nname = \"illness\"\nrole = \"sensitive\"\n[search]\n{search}\n",
        families[0], finest[0], families[1], finest[1]
    );
    let text = paretonym_engine::folder::with_path(&text, path.to_str().unwrap());
    Study::from_toml(&text, "study").unwrap()
}

fn points(front: &FrontFile) -> Vec<String> {
    front.solutions.iter().map(|one| format!("{:?} {:?}", one.objectives, one.recoding)).collect()
}

#[test]
fn a_front_from_levels_on_is_that_of_the_coarser_recodings() {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    for seed in 0..4 {
        std::fs::write(file.path(), table(seed)).unwrap();
        for search in
            ["eta = 0.05", "eta = 0.05\nloss = \"general(numeric=interval)\"", "problem = \"kl-safety\"\neta = 0.1"]
        {
            // All nodes, and what a search from levels on leaves of them.
            let all = run(
                &study(file.path(), ["levels"; 2], [0, 0], &format!("optimizer = \"exhaustive\"\n{search}"), ""),
                &Embedded,
                &Unwatched,
            )
            .unwrap();
            let from = study(file.path(), ["levels"; 2], [1, 2], &format!("optimizer = \"exact\"\n{search}"), "");
            let found = run(&from, &Embedded, &Unwatched).unwrap().front;
            let coarser = |one: &&paretonym::front::Solution| {
                let level = |at: usize| match one.recoding.columns()[at].1 {
                    paretonym::recode::WrittenColumn::Level(level) => level,
                    _ => unreachable!("they are levels"),
                };
                level(0) >= 1 && level(1) >= 2
            };
            let kept = FrontFile {
                solutions: all.front.solutions.iter().filter(coarser).cloned().collect(),
                ..all.front.clone()
            };
            let (found_points, kept) = (points(&found), points(&kept));
            assert!(kept.iter().all(|point| found_points.contains(point)), "{search}: {kept:?} of {found_points:?}");
            assert!(found.exact && found.solutions.iter().all(|one| coarser(&one)));
            assert_eq!(
                found.solutions.first().map(|one| one.groups),
                Some(1),
                "all in one group is as coarse as can be"
            );
        }
    }
}

#[test]
fn breaks_and_cuts_start_from_levels() {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), table(9)).unwrap();
    for families in [["breaks", "cuts"], ["cuts", "levels"], ["breaks", "breaks"]] {
        let search = "optimizer = \"nsga2\"\nevaluations = 3000\neta = 0.05\nseed = 3";
        // All tuples come, or none but those of the levels.
        let explored = run(&study(file.path(), families, [1, 1], search, ""), &Embedded, &Unwatched).unwrap();
        let own = &explored.front;
        let few = study(file.path(), families, [1, 1], search, "groups_at_most = 60\n");
        let few = run(&few, &Embedded, &Unwatched).unwrap().front;
        assert_eq!(points(own), points(&few), "{families:?}");
        assert!(own.solutions.len() > 3);
        // What was found is what the recodings make of the whole table.
        for one in &own.solutions {
            assert!(one.described);
            let text = format!("{:?}", one.recoding);
            assert!(!text.contains("[[\"20\"]"), "an age alone is finer than four years: {text}");
        }
        // What is said of it is what all tuples say.
        let plain = study(file.path(), families, [0, 0], search, "");
        let whole = count(&plain, &Embedded, &Unwatched).unwrap();
        let problem = catalog::problem(&plain.search, &whole).unwrap();
        assert_eq!(describe(&whole, problem.as_ref(), &explored.entries).unwrap(), own.solutions, "{families:?}");
    }
}

#[test]
fn what_needs_the_values_says_so() {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), table(2)).unwrap();
    let asked = |families, finest, search: &str, more: &str| {
        let error = run(&study(file.path(), families, finest, search, more), &Embedded, &Unwatched).err().unwrap();
        assert!(error.is_input());
        error.to_string()
    };
    assert!(asked(["levels"; 2], [1, 0], "loss = \"entropy\"", "").contains("the loss entropy needs the values"));
    assert!(asked(["levels"; 2], [1, 0], "loss = \"precision\"", "").contains("the loss precision needs"));
    assert!(asked(["breaks"; 2], [1, 0], "optimizer = \"regions\"", "").contains("the optimizer regions needs"));
    assert!(asked(["levels"; 2], [9, 0], "", "").contains("finest = 9, and its levels go from 0 to 3"));
    assert!(asked(["breaks"; 2], [1, 0], "optimizer = \"nsga2\"", "groups_at_most = 3\n").contains("set higher ones"));
    assert!(asked(["breaks"; 2], [0, 0], "optimizer = \"nsga2\"", "groups_at_most = 3\n").contains("--coarser-than"));
}
