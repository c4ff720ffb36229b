//! Valid tables whose releases once failed their own check.

mod program;

use program::{Folder, group_sizes};

fn explored(table: &str, study: &str) -> Folder {
    let folder = Folder::new();
    folder.write("people.csv", table);
    folder.write("study.toml", study);
    folder.run("explore study.toml -o front --quiet");
    folder
}

/// Releases every solution of a front; each release must hold what it claims.
fn release_all(folder: &Folder, arguments: &str) -> u64 {
    let front = folder.front("front");
    let solutions = front["solutions"].as_array().unwrap();
    // Where all rows show the same, rows of stars are refused: they could not be told from the others.
    let shown = |one: &&serde_json::Value| !arguments.contains("star") || one["groups"].as_u64() > Some(1);
    for solution in solutions.iter().filter(shown) {
        folder.run(&format!("release front --solution {} -o out.csv --force --quiet {arguments}", solution["id"]));
    }
    solutions.len() as u64
}

#[test]
fn a_value_that_reads_missing_is_not_a_missing_cell() {
    let cells = ["missing", "", "known", "missing", "", "other", "(missing)"];
    let rows: String = (0..70).map(|row| format!("{},{},{}\n", cells[row % 7], row % 3, cells[row / 7 % 7])).collect();
    let table = format!("state,part,illness\n{rows}");
    for kind in ["levels", "cuts", "breaks"] {
        let study = format!(
            "[data]\npath = \"people.csv\"\non_missing = \"value\"\n\
             [[columns]]\nname = \"state\"\nrole = \"quasi\"\nrecode = \"{kind}\"\n\
             [[columns]]\nname = \"part\"\nrole = \"quasi\"\nkind = \"numeric\"\nrecode = \"levels\"\n\
             [[columns]]\nname = \"illness\"\nrole = \"sensitive\"\n\
             [search]\noptimizer = \"nsga2\"\nevaluations = 200\neta = 0.3\n"
        );
        let folder = explored(&table, &study);
        assert!(release_all(&folder, "") > 1);
        release_all(&folder, "--suppressed-rows star");
        // Where every value is shown as it is, an empty cell and the word are still two groups.
        folder.run("reapply out.csv.recoding.json people.csv -o again.csv --k 1 --allow-k1 --quiet");
    }
    let regions = "[data]\npath = \"people.csv\"\non_missing = \"value\"\n\
        [[columns]]\nname = \"state\"\nrole = \"quasi\"\n[[columns]]\nname = \"part\"\nrole = \"quasi\"\n\
        [[columns]]\nname = \"illness\"\nrole = \"sensitive\"\n[search]\noptimizer = \"regions\"\n";
    let folder = explored(&table, regions);
    assert!(release_all(&folder, "") > 1);
}

#[test]
fn a_number_that_means_missing_is_not_the_same_number_written_otherwise() {
    let rows: String = (0..60).map(|row| format!("{},{}\n", ["-9", "-9.0", "1", "2"][row % 4], row % 2)).collect();
    let study = "[data]\npath = \"people.csv\"\non_missing = \"value\"\nmissing = [\"-9\"]\n\
        [[columns]]\nname = \"score\"\nrole = \"quasi\"\nkind = \"numeric\"\nrecode = \"levels\"\n\
        [[columns]]\nname = \"part\"\nrole = \"quasi\"\nrecode = \"levels\"\n";
    let folder = explored(&format!("score,part\n{rows}"), study);
    assert!(release_all(&folder, "") > 1);
    let finest = folder.front("front")["solutions"].as_array().unwrap().len();
    folder.run(&format!("release front --solution {finest} -o finest.csv --quiet"));
    assert_eq!(group_sizes(&folder.rows("finest.csv", b','), &[0, 1]).len(), 4, "{}", folder.read("finest.csv"));
}

const WITH_TARGET: &str = "[data]\npath = \"people.csv\"\n\
    [[columns]]\nname = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\nrecode = \"levels\"\nwidths = [10]\n\
    [[columns]]\nname = \"pay\"\nrole = \"target\"\nkind = \"numeric\"\n";

#[test]
fn an_empty_target_cell_leaves_its_row_out_of_a_repeated_release_too() {
    let table = |odd: &str| -> String {
        let rows: String = (0..60).map(|row| format!("{},{}\n", 20 + row % 30, row * 10)).collect();
        format!("age,pay\n{rows}{odd}")
    };
    let folder = explored(&table(""), WITH_TARGET);
    folder.run("release front --solution 1 -o out.csv --quiet");
    folder.write("later.csv", &table("21,\n22,\n"));
    let certificate = folder.run_json("reapply out.csv.recoding.json later.csv -o again.csv --json --quiet");
    assert_eq!(certificate["output"]["rows"], 60, "{certificate}");
    folder.write("error.toml", &WITH_TARGET.replace("people.csv\"\n", "later.csv\"\non_missing = \"error\"\n"));
    folder.refuse("explore error.toml -o other");
}

#[test]
fn stars_beside_an_ordered_sensitive_column() {
    let grades = ["low", "middle", "high"];
    let rows: String =
        (0..80).map(|row| format!("{},{},{}\n", row * row % 23, grades[row % 3], 5 * (row % 7))).collect();
    let table = format!("age,grade,pay\n{rows}99,low,5\n");
    let study = "[data]\npath = \"people.csv\"\n\
        [[columns]]\nname = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\nrecode = \"breaks\"\n\
        [[columns]]\nname = \"grade\"\nrole = \"sensitive\"\nkind = \"ordinal\"\norder = [\"low\", \"middle\", \"high\"]\n\
        [[columns]]\nname = \"pay\"\nrole = \"sensitive\"\nkind = \"numeric\"\n\
        [search]\noptimizer = \"nsga2\"\nevaluations = 300\neta = 0.2\n";
    let folder = explored(&table, study);
    let front = folder.front("front");
    let solutions = front["solutions"].as_array().unwrap();
    let starred =
        solutions.iter().filter(|one| one["suppressed"].as_u64() > Some(0) && one["groups"].as_u64() > Some(1));
    let mut tried = 0;
    for solution in starred {
        folder.run(&format!(
            "release front --solution {} -o out.csv --force --quiet --suppressed-rows star",
            solution["id"]
        ));
        let audit = folder.run_json("audit out.csv --quasi age --sensitive grade,pay --ignore-suppressed --json");
        let plain =
            folder.run_json(&format!("release front --solution {} -o plain.csv --force --json", solution["id"]));
        assert_eq!(audit["t_distance"]["pay"], "ordered", "an empty cell of a starred row is no value");
        assert_eq!((&audit["k"], &audit["rows"]), (&plain["k"], &plain["output"]["rows"]));
        let alone = folder.run_json("audit plain.csv --quasi age --sensitive grade,pay --json");
        assert_eq!((&audit["t"], &audit["l"]), (&alone["t"], &alone["l"]));
        tried += 1;
    }
    assert!(tried > 0);
}

#[test]
fn cells_of_starred_rows_count_for_nothing() {
    let folder = Folder::new();
    // Without the starred rows: 1, 2, 4 with shares 1/4, 1/4, 1/2, and the first group has 1 and 2 alone.
    folder.write("a.csv", "age,pay\n1,1\n1,2\n2,4\n2,4\n*,\n*,\n*,77\n");
    folder.write("b.csv", "age,pay\n1,1\n1,2\n2,4\n2,4\n");
    let starred = folder.run_json("audit a.csv --quasi age --sensitive pay --ignore-suppressed --json");
    let alone = folder.run_json("audit b.csv --quasi age --sensitive pay --json");
    assert_eq!(starred["suppressed_rows"], 3);
    for what in ["k", "rows", "groups", "l", "t", "t_distance", "alpha", "risk", "discernibility"] {
        assert_eq!(starred[what], alone[what], "{what}");
    }
    assert_eq!(alone["t"]["pay"], 0.375);
}

#[test]
fn columns_that_are_called_like_keys() {
    for name in ["regions", "level", "cut", "breaks", "k", "missing"] {
        for recode in ["levels", "cuts", "breaks"] {
            let rows: String = (0..40).map(|row| format!("{}\n", row * row % 6)).collect();
            let study = format!(
                "[data]\npath = \"people.csv\"\n[[columns]]\nname = \"{name}\"\nrole = \"quasi\"\nkind = \"numeric\"\n\
                 recode = \"{recode}\"\ngroups = [2]\n[search]\noptimizer = \"nsga2\"\nevaluations = 50\n"
            );
            let folder = explored(&format!("{name}\n{rows}"), &study);
            if release_all(&folder, "") > 1 {
                folder.run("compare front --solutions 1,2 --json");
            }
            folder.run("reapply out.csv.recoding.json people.csv -o again.csv --quiet");
        }
    }
    let rows: String = (0..40).map(|row| format!("{}\n", row * row % 6)).collect();
    let study = "[data]\npath = \"people.csv\"\n[[columns]]\nname = \"regions\"\nrole = \"quasi\"\n\
        [search]\noptimizer = \"regions\"\n";
    let folder = explored(&format!("regions\n{rows}"), study);
    assert!(release_all(&folder, "") > 0);
}

#[test]
fn declared_values_are_found_whatever_blanks_stand_around_them() {
    let rows: String = (0..60).map(|row| format!("{} ,{}\n", ["low", "high"][row % 2], row % 3)).collect();
    let study = "[data]\npath = \"people.csv\"\n\
        [[columns]]\nname = \"grade\"\nrole = \"quasi\"\nkind = \"ordinal\"\norder = [\"low \", \" high\"]\n\
        [[columns]]\nname = \"part\"\nrole = \"quasi\"\nrecode = \"levels\"\n";
    let folder = explored(&format!("grade,part\n{rows}"), study);
    let finest = release_all(&folder, "");
    assert!(finest > 1);
    folder.run(&format!("release front --solution {finest} -o finest.csv --quiet"));
    let shown: std::collections::BTreeSet<String> =
        folder.rows("finest.csv", b',').into_iter().map(|row| row[0].clone()).collect();
    assert_eq!(shown.into_iter().collect::<Vec<_>>(), ["high", "low"]);
    folder.run("reapply finest.csv.recoding.json people.csv -o again.csv --k 2 --quiet");
}

#[test]
fn a_number_of_a_taxonomy_is_what_a_cell_of_the_table_says() {
    // With decimal commas "1.5" is no number, though it is a value of the taxonomy.
    let rows: String = (0..60).map(|row| format!("{};{}\n", ["1.5", "2.5", "3"][row % 3], row % 2)).collect();
    let study = "[data]\npath = \"people.csv\"\ndecimal = \",\"\n\
        [[columns]]\nname = \"dose\"\nrole = \"quasi\"\nkind = \"numeric\"\ntaxonomy = [[\"1.5\", \"2.5\"], \"3\"]\n\
        [[columns]]\nname = \"part\"\nrole = \"quasi\"\nrecode = \"levels\"\n";
    let folder = explored(&format!("dose;part\n{rows}"), study);
    let finest = release_all(&folder, "");
    assert!(finest > 1);
    folder.run(&format!("release front --solution {finest} -o finest.csv --quiet"));
    assert_eq!(group_sizes(&folder.rows("finest.csv", b';'), &[0, 1]).len(), 6, "{}", folder.read("finest.csv"));
}
