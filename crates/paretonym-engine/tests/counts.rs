//! Lines that each stand for many rows give what the rows give.

use paretonym::engine::Unwatched;
use paretonym::error::Error;
use paretonym::study::{Exploration, Study, run};
use paretonym_engine::Embedded;
use paretonym_engine::folder::with_path;

fn explore(table: &str, counts: &str) -> Result<Exploration, Error> {
    explore_for(table, counts, "")
}

fn explore_for(table: &str, counts: &str, search: &str) -> Result<Exploration, Error> {
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), table).unwrap();
    let text = format!(
        "[data]\npath = \"{{path}}\"\n{counts}
         [[columns]]\nname = \"person\"\nrole = \"identifying\"
         [[columns]]\nname = \"age\"\nrole = \"quasi\"\nkind = \"numeric\"\nrecode = \"levels\"\nwidths = [10]
         [[columns]]\nname = \"illness\"\nrole = \"sensitive\"
         [search]\noptimizer = \"exact\"\neta = 0.2\n{search}"
    );
    let study = with_path(&text, file.path().to_str().unwrap());
    run(&Study::from_toml(&study, "study").unwrap(), &Embedded, &Unwatched)
}

const COUNTS: &str = "counts = \"paretonym_rows\"\nother_columns = \"drop\"\n";

#[test]
fn counts_stand_for_rows() {
    let lines = [("31", "flu", 3), ("31", "gout", 2), ("34", "flu", 1), ("", "flu", 2), ("48", "gout", 300)];
    let mut counted = "illness,paretonym_rows,age\n".to_owned();
    let mut rows = "person,age,illness\n".to_owned();
    for (age, illness, times) in lines {
        counted += &format!("{illness},{times},{age}\n");
        (0..times).for_each(|_| rows += &format!("p{},{age},{illness}\n", rows.len()));
    }
    let (of_counts, of_rows) = (explore(&counted, COUNTS).unwrap().front, explore(&rows, "").unwrap().front);
    assert_eq!((of_counts.rows, of_counts.dropped), (306, 2));
    assert_eq!(of_counts.solutions, of_rows.solutions);
    assert_eq!((of_counts.rows, of_counts.dropped), (of_rows.rows, of_rows.dropped));
}

#[test]
fn counts_that_do_not_fit_are_counted_in_parts() {
    let mut counted = "illness,paretonym_rows,age\n".to_owned();
    (0..60).for_each(|line| {
        counted += &format!("{},{},{}\n", ["flu", "gout", "cold"][line % 3], 1 + line % 4, 20 + line % 23)
    });
    for search in ["privacy = \"frequency-l\"\n", "problem = \"kl-safety\"\n", ""] {
        let whole = explore_for(&counted, COUNTS, search).unwrap();
        let few = explore_for(&counted, &format!("{COUNTS}groups_at_most = 2\n"), search).unwrap();
        assert!(whole.table.distant.is_none() && few.table.distant.is_some(), "{search}");
        let points = |run: &Exploration| {
            let of =
                |one: &paretonym::front::Solution| (one.objectives.clone(), one.recoding.clone(), one.alternatives);
            run.front.solutions.iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(points(&few), points(&whole), "{search}");
        assert_eq!(few.front.rows, whole.front.rows);
    }
}

#[test]
fn a_line_may_stand_for_more_rows_than_any_file_has() {
    let front = explore("age,illness,paretonym_rows\n31,flu,300000000000\n31,flu,70000\n48,gout,65536\n", COUNTS)
        .unwrap()
        .front;
    assert_eq!(front.rows, 300_000_135_536);
    assert_eq!(front.solutions.last().unwrap().k, 65_536);
}

#[test]
fn what_is_no_number_of_rows_is_said_with_its_line() {
    for wrong in ["0", "-3", "1.5", "x", "", "1e13", "NaN"] {
        let error = explore(&format!("age,illness,paretonym_rows\n31,flu,2\n48,flu,{wrong}\n"), COUNTS).err().unwrap();
        assert!(
            error.is_input() && error.to_string().contains("line 3: column \"paretonym_rows\""),
            "{wrong}: {error}"
        );
    }
    let error = explore("age,illness\n31,flu\n", COUNTS).err().unwrap();
    assert!(error.to_string().contains("there is no column \"paretonym_rows\""), "{error}");
}
