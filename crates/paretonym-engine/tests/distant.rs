//! Tables whose tuples are more than may be held: nodes that are asked for one by one give the front that all tuples give.

use paretonym::engine::Unwatched;
use paretonym::front::FrontFile;
use paretonym::study::{Study, run};
use paretonym_engine::Embedded;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random people, some of them with cells that mean "missing".
fn table(seed: u64, rows: usize) -> String {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut text = "age,town,sex,diagnosis\n".to_owned();
    let cell =
        |dice: &mut ChaCha8Rng, value: String| if dice.random_range(0..25) == 0 { "?".to_owned() } else { value };
    for _ in 0..rows {
        let age = dice.random_range(20..60).to_string();
        let town = ["1010", "1020", "1100", "2010", "2020"][dice.random_range(0..5)].to_owned();
        let sex = ["f", "m"][(dice.next_u32() % 2) as usize].to_owned();
        let diagnosis = ["flu", "cold", "gout"][dice.random_range(0..3)].to_owned();
        let cells = [age, town, sex, diagnosis].map(|value| cell(&mut dice, value));
        text += &(cells.join(",") + "\n");
    }
    text
}

fn study(path: &std::path::Path, on_missing: &str, search: &str, at_most: Option<u64>) -> Study {
    let most = at_most.map_or(String::new(), |most| format!("groups_at_most = {most}\n"));
    let text = format!(
        "[data]\npath = \"{{path}}\"\nmissing = [\"?\"]\non_missing = \"{on_missing}\"\n{most}
         [[columns]]\nname = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\nrecode = \"levels\"\nwidths = [5, 20]
         [[columns]]\nname = \"town\"\nrole = \"quasi\"\nkind = \"categorical\"\nrecode = \"levels\"\nhierarchy = \"prefix\"
         [[columns]]\nname = \"sex\"\nrole = \"quasi\"\nkind = \"categorical\"\nrecode = \"levels\"
         [[columns]]\nname = \"diagnosis\"\nrole = \"sensitive\"
         [search]\n{search}\n"
    );
    let text = paretonym_engine::folder::with_path(&text, path.to_str().unwrap());
    Study::from_toml(&text, "study").unwrap()
}

/// What a front is, without how its solutions measure besides.
fn points(front: &FrontFile) -> Vec<String> {
    let solution =
        |one: &paretonym::front::Solution| format!("{:?} {:?} {}", one.objectives, one.recoding, one.alternatives);
    front.solutions.iter().map(solution).collect()
}

#[test]
fn nodes_that_are_asked_for_give_the_front_of_all_tuples() {
    let searches = [
        "optimizer = \"exact\"\neta = 0.05",
        "optimizer = \"exact\"\neta = 0.05\nat_least = { k = 4 }",
        "optimizer = \"exact\"\nproblem = \"zero-suppression\"",
        "optimizer = \"exact\"\neta = 0.1\nloss = \"discernibility\"",
        "optimizer = \"exhaustive\"\neta = 0.05\nloss = \"precision\"",
        "optimizer = \"exhaustive\"\nproblem = \"any-suppression\"\nloss = \"weighted\"",
        "optimizer = \"poka\"\neta = 0.05",
        "optimizer = \"exact\"\neta = 0.05\nprivacy = \"frequency-l\"",
        "optimizer = \"exact\"\neta = 0.05\nprivacy = \"distinct-l\"\nat_least = { k = 3 }",
        "optimizer = \"exact\"\nproblem = \"zero-suppression\"\nprivacy = \"entropy-l\"",
        "optimizer = \"exhaustive\"\neta = 0.1\nprivacy = \"recursive-l(c=2)\"",
        "optimizer = \"exact\"\neta = 0.1\nproblem = \"kl-safety\"",
        "optimizer = \"exact\"\neta = 0.1\nproblem = \"kl-safety\"\nprivacy = [\"k\", \"entropy-l\"]\nform = \"ordered\"",
        "optimizer = \"exact\"\neta = 0.1\nat_least = { l = 2 }\nat_most = { alpha = 0.8 }",
    ];
    let mut asked = 0;
    for (seed, on_missing) in [(1, "value"), (2, "drop-row")] {
        let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
        std::fs::write(file.path(), table(seed, 200)).unwrap();
        for (number, search) in searches.into_iter().enumerate() {
            let whole = run(&study(file.path(), on_missing, search, None), &Embedded, &Unwatched).unwrap().front;
            for most in [[4], [50]][number % 2] {
                let own = run(&study(file.path(), on_missing, search, Some(most)), &Embedded, &Unwatched).unwrap();
                let (front, place) = (own.front, format!("seed {seed}, {search}, at most {most}"));
                asked += u64::from(own.table.distant.is_some());
                assert_eq!(points(&front), points(&whole), "{place}");
                assert_eq!((front.exact, front.complete), (whole.exact, whole.complete), "{place}");
                assert_eq!(
                    (front.rows, front.dropped, front.distinct),
                    (whole.rows, whole.dropped, whole.distinct),
                    "{place}"
                );
                let described = front.solutions.iter().zip(&whole.solutions).filter(|(one, _)| one.described);
                described.for_each(|(one, other)| assert_eq!(one, other, "{place}"));
            }
        }
    }
    assert!(asked > 22, "most of these tables are too large: {asked}");
}

#[test]
fn searches_that_need_all_tuples_say_so() {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), table(5, 300)).unwrap();
    for (search, words) in [
        ("optimizer = \"nsga2\"", "optimizer = \"exact\""),
        ("optimizer = \"exact\"\nprivacy = \"t\"", "--groups-at-most"),
        ("optimizer = \"exact\"\nloss = \"entropy\"", "loss = \"general\""),
        ("optimizer = \"exact\"\nat_most = { t = 0.3 }", "the privacy model t needs"),
    ] {
        let refused = run(&study(file.path(), "value", search, Some(20)), &Embedded, &Unwatched);
        let error = refused.err().unwrap();
        assert!(error.is_input() && error.to_string().contains(words), "{search}: {error}");
    }
}

#[test]
fn lines_that_stand_for_many_rows_are_packed_with_their_rows() {
    let search = "optimizer = \"exact\"\neta = 0.05";
    let mut dice = ChaCha8Rng::seed_from_u64(6);
    let (mut counted, mut rows) = (String::new(), String::new());
    for (number, line) in table(6, 200).lines().enumerate() {
        let times = dice.random_range(1..4);
        counted += &if number == 0 { format!("{line},times\n") } else { format!("{line},{times}\n") };
        rows += &format!("{line}\n").repeat(if number == 0 { 1 } else { times });
    }
    let file = |text: &str| {
        let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file
    };
    let (counted, rows) = (file(&counted), file(&rows));
    for on_missing in ["value", "drop-row"] {
        let whole = run(&study(rows.path(), on_missing, search, None), &Embedded, &Unwatched).unwrap().front;
        let mut own = study(counted.path(), on_missing, search, Some(7));
        own.data.counts = Some("times".into());
        let own = run(&own, &Embedded, &Unwatched).unwrap();
        assert!(own.table.distant.is_some());
        assert_eq!(points(&own.front), points(&whole), "{on_missing}");
        assert_eq!((own.front.rows, own.front.dropped), (whole.rows, whole.dropped), "{on_missing}");
    }
}

#[test]
fn packed_tuples_leave_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("people.csv");
    std::fs::write(&path, table(7, 300)).unwrap();
    let out = folder.path().join("front");
    let study = study(&path, "value", "optimizer = \"exact\"\neta = 0.05", Some(20));
    paretonym_engine::folder::explore(&study, &out, None, &[], &Unwatched).unwrap();
    let names = |folder: &std::path::Path| {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    };
    assert_eq!(names(folder.path()), ["front", "people.csv"]);
    assert_eq!(names(&out), ["PRIVATE.txt", "front.json", "private", "report.html", "study.toml"]);
}
