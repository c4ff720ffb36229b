//! Tables with more distinct tuples than may come: the front is proven from counts of groups that stay where they are.

use crate::fronts::plain;
use crate::people::People;
use crate::site::{Site, running};
use crate::studies::{QUASI, study};

#[test]
fn a_front_is_proven_without_its_tuples() {
    for running in running() {
        let site = Site::with(&running, &People::random(71, 150));
        let folder = &site.folder;
        for (number, search) in [
            "optimizer = \"exact\"\neta = 0.05",
            "optimizer = \"exact\"\neta = 0.05\nat_least = { k = 3 }",
            "optimizer = \"poka\"\neta = 0.05",
            "optimizer = \"exact\"\neta = 0.05\nprivacy = \"frequency-l\"",
            "optimizer = \"exact\"\nproblem = \"zero-suppression\"\nprivacy = \"entropy-l\"",
            "optimizer = \"exact\"\neta = 0.1\nproblem = \"kl-safety\"",
            "optimizer = \"exact\"\neta = 0.1\nat_least = { l = 2 }",
        ]
        .into_iter()
        .enumerate()
        {
            let on_missing = ["drop-row", "value"][number % 2];
            let written = |data: &str| {
                let text = study(data, on_missing, QUASI[usize::from(number == 1)], search);
                // Two sensitive columns are looked at one by one.
                let insensitive = "name = \"wage\"\nrole = \"insensitive\"";
                match search.contains("kl-safety") {
                    true => text.replace(insensitive, "name = \"wage\"\nrole = \"sensitive\"\nkind = \"numeric\""),
                    false => text,
                }
            };
            folder.write("study.toml", &written(&site.data("people")));
            folder.write("file.toml", &written("path = \"people.csv\"\n"));
            folder.run(&format!("explore file.toml -o whole-{number} --quiet"));
            folder.run(&format!("explore study.toml -o few-{number} --groups-at-most 20 --quiet"));
            let (whole, few) =
                (plain(folder.front(&format!("whole-{number}"))), folder.front(&format!("few-{number}")));
            assert!(few["moved"]["rows"].as_u64().unwrap() > 0);
            for field in ["rows", "dropped", "distinct", "exact", "complete"] {
                assert_eq!(whole[field], few[field], "{field} of {search}");
            }
            let points = |front: &serde_json::Value| {
                let of = |one: &serde_json::Value| {
                    [&one["objectives"], &one["recoding"], &one["alternatives"]].map(Clone::clone)
                };
                front["solutions"].as_array().unwrap().iter().map(of).collect::<Vec<_>>()
            };
            assert_eq!(points(&whole), points(&few), "{search}");
        }
        // A solution whose groups never came is released all the same, and measured.
        folder.run("release few-0 --solution 2 -o few.csv --quiet");
        folder.run("release few-0 --solution 2 --to-table few_released --quiet");

        // Cuts and breaks need more than that; they start from a solution that was chosen before.
        let finer = |data: &str| {
            let text = study(data, "drop-row", QUASI[0], "optimizer = \"nsga2\"\nevaluations = 2000\neta = 0.05");
            text.replacen("recode = \"levels\"", "recode = \"cuts\"", 1)
                .replace("recode = \"levels\"", "recode = \"breaks\"")
        };
        folder.write("breaks.toml", &finer(&site.data("people")));
        folder.write("breaks-file.toml", &finer("path = \"people.csv\"\n"));
        let refused = folder.refuse("explore breaks.toml -o breaks --groups-at-most 20 --quiet");
        assert!(refused.contains("--coarser-than"), "{refused}");
        let from = "--coarser-than few-0 --solution 1 --quiet";
        folder.run(&format!("explore breaks.toml -o breaks --groups-at-most 20 {from}"));
        folder.run(&format!("explore breaks-file.toml -o breaks-file {from}"));
        let front = folder.front("breaks");
        assert_eq!(front["solutions"], folder.front("breaks-file")["solutions"]);
        folder.run("release breaks --solution 1 -o breaks.csv --quiet");
    }
}
