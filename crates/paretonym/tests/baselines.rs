//! The baselines: what each would write, written, read back and counted.

mod tables;

use std::collections::BTreeMap;

use paretonym::engine::{Memory, Unwatched};
use paretonym::group::FrequencyTable;
use paretonym::recode::ColumnRecoding;
use paretonym::study::{Exploration, Study, run};

const ALL: [&str; 5] = ["datafly", "samarati", "incognito", "mondrian", "mondrian(form=relaxed)"];

/// A table of 300 people.
fn people() -> Memory {
    let text: String = (0..300u32)
        .map(|row| {
            let town = ["Aix", "Bonn", "Cork", "Dover", "Essen", "Fez"][(row * row % 13 % 6) as usize];
            format!(
                "{},{town},{}\n",
                20 + (row * 37 % 101) * (row % 3 + 1) / 6,
                ["f", "m"][(row * 11 % 5 % 2) as usize]
            )
        })
        .collect();
    tables::parse(&["age", "town", "sex"], &text)
}

fn study(search: &str) -> Study {
    let text = format!(
        r#"
        data = {{ path = "people.csv" }}
        columns = [
          {{ name = "age", role = "quasi", kind = "numeric", widths = [5, 10, 20] }},
          {{ name = "town", role = "quasi", taxonomy = {{ south = ["Aix", "Fez"], north = ["Bonn", "Cork", "Dover", "Essen"] }} }},
          {{ name = "sex", role = "quasi" }},
        ]
        [search]
        {search}
        "#
    );
    Study::from_toml(&text, "study.toml").expect("a study")
}

/// What a solution shows for each tuple, with its rows; none where the recoding itself leaves a tuple out.
fn shown(found: &Exploration, at: usize) -> Vec<(Option<Vec<String>>, u64)> {
    let table: &FrequencyTable = &found.table;
    let regions = found.regions.as_ref().map(|regions| regions.shown(at));
    let label = |column: usize, leaf: u32| {
        let ColumnRecoding::Level(level) = found.entries[at].recoding.table_wide().unwrap().columns[column] else {
            panic!("levels only")
        };
        let level = table.columns[column].hierarchy.level(level as usize);
        level.labels[level.set_of[leaf as usize] as usize].clone()
    };
    let tuples = (0..table.tuples.len()).map(|tuple| {
        let leaves: Vec<u32> =
            (0..table.columns.len()).map(|column| table.leaf(&table.tuples, tuple, column)).collect();
        let labels = match &regions {
            Some(shown) => shown.labels(&leaves).map(|labels| labels.into_iter().map(str::to_owned).collect()),
            None => Some(leaves.iter().enumerate().map(|(column, leaf)| label(column, *leaf)).collect()),
        };
        (labels, table.tuples.rows.get(tuple))
    });
    tuples.collect()
}

/// Writes the release of a solution as a file, reads it back, and returns the size of its smallest group.
fn smallest_group_of_the_file(found: &Exploration, at: usize, name: &str) -> u64 {
    let tuples = shown(found, at);
    // First the sizes, to know what the cut-off suppresses.
    let mut sizes: BTreeMap<&[String], u64> = BTreeMap::new();
    for (labels, rows) in &tuples {
        labels.iter().for_each(|labels| *sizes.entry(labels).or_default() += rows);
    }
    let cutoff = found.front.solutions[at].cutoff;
    let mut text = String::new();
    for (labels, rows) in &tuples {
        let kept = labels.iter().filter(|labels| !cutoff.suppresses(-(sizes[labels.as_slice()] as f64)));
        kept.for_each(|labels| (0..*rows).for_each(|_| text += &format!("{}\n", labels.join("\t"))));
    }
    let file = std::env::temp_dir().join(format!("paretonym-baseline-{}-{name}-{at}.tsv", std::process::id()));
    std::fs::write(&file, text).expect("it can be written");
    let written = std::fs::read_to_string(&file).expect("it can be read");
    std::fs::remove_file(&file).expect("it can be removed");
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    written.lines().for_each(|line| *counts.entry(line).or_default() += 1);
    let rows: u64 = counts.values().sum();
    assert_eq!(rows, found.front.rows - found.front.solutions[at].suppressed.unwrap(), "{name}");
    assert_eq!(counts.len() as u64, found.front.solutions[at].groups, "{name}");
    counts.values().copied().min().expect("rows are left")
}

#[test]
fn every_baseline_keeps_its_k_in_the_written_file() {
    for eta in [0.0, 0.05] {
        for (number, name) in ALL.into_iter().enumerate() {
            for k in [2, 5, 20] {
                let search = format!("optimizer = {name:?}\nk = {k}\neta = {eta:?}\ncutoffs = \"all\"");
                let found = run(&study(&search), &people(), &Unwatched).expect(name);
                assert!(!found.front.solutions.is_empty(), "{name}");
                for at in 0..found.front.solutions.len() {
                    let smallest = smallest_group_of_the_file(&found, at, &format!("{number}-{k}"));
                    assert!(smallest >= k, "{name}, k = {k}, eta = {eta}: a group of {smallest}");
                    assert_eq!(smallest, found.front.solutions[at].k, "{name}");
                }
            }
        }
    }
}

#[test]
fn several_k_make_a_front() {
    for name in ["datafly(k=2/5/20)", "mondrian(k=2/5/20, form=relaxed)", "incognito(k=2/5/20)", "samarati(k=2/5/20)"] {
        let found = run(&study(&format!("optimizer = {name:?}\neta = 0.0")), &people(), &Unwatched).expect(name);
        assert!(found.front.solutions[0].k >= 20 && !found.front.exact, "{name}");
    }
}

/// Without suppression incognito finds the least loss of the lattice; samarati and datafly are no better.
#[test]
fn incognito_is_complete() {
    let front = |optimizer: &str| {
        let study = study(&format!("optimizer = {optimizer:?}\neta = 0.0"));
        run(&study, &people(), &Unwatched).expect(optimizer).front.solutions
    };
    let everything = front("exhaustive");
    for k in [2, 5, 20] {
        let best = |solutions: &[paretonym::front::Solution]| {
            let large = solutions.iter().filter(|solution| solution.k >= k);
            large.map(|solution| solution.loss).fold(f64::INFINITY, f64::min)
        };
        assert_eq!(best(&front(&format!("incognito(k={k})"))), best(&everything), "k = {k}");
        for other in ["samarati", "datafly"] {
            assert!(best(&front(&format!("{other}(k={k})"))) >= best(&everything), "{other}");
        }
    }
}

/// On Adult: every baseline at k = 5, and regions beside them.
#[test]
fn adult_at_five() {
    let Some((rows, study)) = tables::adult() else { return };
    let Some((_, levels)) = tables::adult_levels() else { return };
    let mut losses = Vec::new();
    for name in ["datafly", "samarati", "mondrian", "mondrian(form=relaxed)"] {
        let mut study = if name.starts_with("mondrian") { study.clone() } else { levels.clone() };
        study.search.optimizer = name.to_owned();
        study.search.eta = 0.01;
        study.search.set("k", 5);
        let found = run(&study, &rows, &Unwatched).expect(name);
        let best = found.front.solutions.iter().min_by(|a, b| a.loss.total_cmp(&b.loss)).expect("a solution");
        let at = best.id as usize - 1;
        assert!(smallest_group_of_the_file(&found, at, &name.replace(['(', ')', '='], "-")) >= 5, "{name}");
        losses.push((name, best.loss));
    }
    let of = |name: &str| losses.iter().find(|(own, _)| *own == name).expect(name).1;
    assert!(of("mondrian") < of("samarati"), "{losses:?}");
}

#[test]
fn wrong_k_is_an_error() {
    for wrong in ["datafly(k=0)", "mondrian(k=few)", "mondrian(form=loose)", "samarati(l=3)"] {
        let error = run(&study(&format!("optimizer = {wrong:?}")), &people(), &Unwatched).err().expect(wrong);
        assert!(error.is_input(), "{wrong}: {error}");
    }
}
