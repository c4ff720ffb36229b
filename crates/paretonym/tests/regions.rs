//! Local recodings, counted again from what they would show.

mod tables;

use std::collections::BTreeMap;

use paretonym::data::Kind;
use paretonym::engine::Unwatched;
use paretonym::group::{FrequencyTable, Kept, Needs, Suppressed, group_regions};
use paretonym::recode::{Regions, WrittenRecoding};
use paretonym::study::{Exploration, Study, run};

/// The rows of each combination of labels, and the suppressed rows.
fn released(table: &FrequencyTable, regions: &Regions, solution: usize) -> (BTreeMap<Vec<String>, u64>, u64) {
    let shown = regions.shown(solution);
    let (mut groups, mut gone) = (BTreeMap::new(), 0);
    for tuple in 0..table.tuples.len() {
        let leaves: Vec<u32> =
            (0..table.columns.len()).map(|column| table.leaf(&table.tuples, tuple, column)).collect();
        let rows = table.tuples.rows.get(tuple);
        match shown.labels(&leaves) {
            Some(labels) => *groups.entry(labels.into_iter().map(str::to_owned).collect()).or_default() += rows,
            None => gone += rows,
        }
    }
    (groups, gone)
}

/// General loss from nothing but labels: how many of its domain's values a label stands for.
fn loss_of(table: &FrequencyTable, groups: &BTreeMap<Vec<String>, u64>, gone: u64) -> f64 {
    let mut sum = gone as f64 * table.columns.len() as f64;
    for (labels, rows) in groups {
        for (label, column) in labels.iter().zip(&table.columns) {
            let domain = &column.domain;
            let find = |text: &str| domain.labels.iter().position(|own| own == text);
            let node = column.hierarchy.nodes().iter().find(|node| node.label == *label);
            let inside = label.trim_matches(['{', '}', '[', ']']);
            let covered = if find(label).is_some() {
                1
            } else if let Some(node) = node.filter(|_| domain.kind == Kind::Categorical) {
                node.leaves.len()
            } else if label.starts_with('[') {
                let ends: Vec<usize> = inside.split(", ").map(|end| find(end).expect("an end")).collect();
                ends[1] - ends[0] + 1
            } else {
                inside.split(", ").filter(|value| find(value).is_some()).count()
            };
            sum += *rows as f64 * (covered as f64 - 1.0) / (domain.len() as f64 - 1.0);
        }
    }
    sum / (table.rows as f64 * table.columns.len() as f64)
}

fn check(found: &Exploration, solution: usize) {
    let regions = found.regions.as_ref().expect("regions");
    let (groups, gone) = released(&found.table, regions, solution);
    let own = &found.front.solutions[solution];
    assert_eq!(groups.values().min(), Some(&own.k), "solution {}", own.id);
    assert_eq!((groups.len() as u64, gone), (own.groups, own.suppressed.unwrap()), "solution {}", own.id);
    let loss = loss_of(&found.table, &groups, gone);
    assert!((loss - (own.gl + own.sl)).abs() < 1e-9, "solution {}: {loss} is not {}", own.id, own.gl + own.sl);
    let WrittenRecoding::Regions(boxes) = own.recoding else { panic!("{:?} is not local", own.recoding) };
    assert!(boxes >= own.groups);
}

/// Trees alone: local search on all of Adult is what the benchmark is for.
fn adult(change: impl FnOnce(&mut Study)) -> Option<Exploration> {
    let (rows, mut study) = tables::adult()?;
    study.search.set("improve", "false");
    change(&mut study);
    Some(run(&study, &rows, &Unwatched).expect("Adult can be explored"))
}

fn best(found: &Exploration, k: u64) -> f64 {
    let large = found.front.solutions.iter().filter(|solution| solution.k >= k);
    large.map(|solution| solution.loss).fold(f64::INFINITY, f64::min)
}

#[test]
fn adult_loses_less_than_any_table_wide_recoding() {
    let Some(found) = adult(|study| study.search.set("cells", "sets")) else { return };
    for (k, most) in [(5, 0.030), (10, 0.055), (25, 0.090), (50, 0.130), (100, 0.175)] {
        assert!(best(&found, k) <= most, "k = {k}: {} is more than {most}", best(&found, k));
    }
    let step = found.front.solutions.len() / 6;
    (0..found.front.solutions.len()).step_by(step).for_each(|solution| check(&found, solution));
    assert!(!found.front.exact && found.front.complete);
    let pairs = found.front.solutions.windows(2);
    assert!(pairs.into_iter().all(|pair| pair[0].k > pair[1].k && pair[0].loss > pair[1].loss));
}

#[test]
fn adult_with_nodes() {
    let Some(found) = adult(|_| {}) else { return };
    let step = found.front.solutions.len() / 5;
    (0..found.front.solutions.len()).step_by(step).for_each(|solution| check(&found, solution));
    assert!(best(&found, 5) <= 0.059 && best(&found, 25) <= 0.136, "no worse than the best existing tool");
}

#[test]
fn local_search_loses_much_less_than_trees() {
    for cells in ["sets", "nodes"] {
        let explored = |improve: &str| {
            let (rows, mut study) = tables::some_of_adult(2500)?;
            study.search.set("improve", improve);
            study.search.set("cells", cells);
            Some(run(&study, &rows, &Unwatched).expect("Adult can be explored"))
        };
        let (Some(trees), Some(found)) = (explored("false"), explored("true")) else { return };
        for k in [2, 3, 5, 10, 25, 50] {
            let (before, after) = (best(&trees, k), best(&found, k));
            assert!(after <= 0.93 * before, "{cells}, k = {k}: {after} is not much less than {before}");
        }
        (0..found.front.solutions.len()).for_each(|solution| check(&found, solution));
        for own in &found.front.solutions {
            let bound = own.loss_bound.expect("a lower bound");
            assert!(bound <= own.loss && (own.k < 2 || bound > 0.0), "{bound} at k = {}", own.k);
        }
    }
}

#[test]
fn a_budget_buys_less_loss() {
    let Some(nothing) = adult(|_| {}) else { return };
    let Some(found) = adult(|study| study.search.eta = 0.02) else { return };
    let budget = (0.02 * found.front.rows as f64) as u64;
    assert!(found.front.solutions.iter().all(|solution| solution.suppressed.unwrap() <= budget));
    assert!(found.front.solutions.iter().any(|solution| solution.suppressed > Some(0)));
    for k in [10, 50, 250] {
        assert!(best(&found, k) <= best(&nothing, k) + 1e-12, "k = {k}");
    }
    let step = found.front.solutions.len() / 5;
    (0..found.front.solutions.len()).step_by(step).for_each(|solution| check(&found, solution));
}

/// A table small enough to look at: age, town, disease.
fn small(search: &str) -> Exploration {
    explore(search).expect("a front")
}

fn explore(search: &str) -> paretonym::error::Result<Exploration> {
    let text: String = (0..60)
        .map(|row: u32| {
            let town = ["Aix", "Bonn", "Cork", "Dover"][(row * 7 % 11 % 4) as usize];
            let disease = ["flu", "cold", "gout"][(row * 5 % 7 % 3) as usize];
            format!("{},{town},{disease}\n", 20 + row * 13 % 17)
        })
        .collect();
    let study = format!(
        r#"
        data = {{ path = "people.csv" }}
        columns = [
          {{ name = "age", role = "quasi", kind = "numeric", recode = "breaks" }},
          {{ name = "town", role = "quasi", recode = "cuts", taxonomy = {{ south = ["Aix"], north = ["Bonn", "Cork", "Dover"] }} }},
          {{ name = "disease", role = "sensitive" }},
        ]
        [search]
        optimizer = "regions"
        {search}
        "#
    );
    let study = Study::from_toml(&study, "study.toml").expect("a study");
    run(&study, &tables::parse(&["age", "town", "disease"], &text), &Unwatched)
}

#[test]
fn every_solution_of_a_small_table() {
    for (search, limit) in [("eta = 0.0", 0), ("eta = 0.1", 6), ("eta = 0.0\ncells = \"nodes\"", 0)] {
        let found = small(search);
        assert!(found.front.solutions.len() > 3, "{search}");
        for solution in 0..found.front.solutions.len() {
            check(&found, solution);
            assert!(found.front.solutions[solution].suppressed.unwrap() <= limit);
        }
    }
}

#[test]
fn diversity_and_closeness_are_limits_on_a_box() {
    for (privacy, better) in [("frequency-l", 2.0), ("entropy-l", 1.5)] {
        let found = small(&format!("eta = 0.0\nprivacy = {privacy:?}"));
        assert!(found.front.solutions.iter().any(|solution| solution.privacy[0] >= better), "{privacy}");
        (0..found.front.solutions.len()).for_each(|solution| check(&found, solution));
    }
    let found = small("eta = 0.0\nprivacy = \"t\"");
    let levels: Vec<f64> = found.front.solutions.iter().map(|solution| solution.privacy[0]).collect();
    assert!(levels.windows(2).all(|pair| pair[0] < pair[1]) && levels[0] < 0.1, "{levels:?}");
}

/// Boxes that miss a floor are suppressed, and counted as such.
#[test]
fn boxes_stay_within_floors() {
    for privacy in ["k", "frequency-l", "t"] {
        for (floors, k, l, t) in [
            ("at_least = { k = 4 }", 4, 1.0, 1.0),
            ("at_least = { k = 2, frequency-l = 2 }", 2, 2.0, 1.0),
            ("at_least = { k = 5 }\nat_most = { t = 0.35 }", 5, 1.0, 0.35),
        ] {
            for (eta, budget) in [(0.0, 0), (0.1, 6)] {
                let found = small(&format!("eta = {eta}\nprivacy = {privacy:?}\n{floors}"));
                for (at, own) in found.front.solutions.iter().enumerate() {
                    check(&found, at);
                    assert!(own.k >= k && own.suppressed.unwrap() <= budget, "{privacy} {floors}: {own:?}");
                    assert!(privacy != "k" || own.l.unwrap() >= l, "{privacy} {floors}: {own:?}");
                    assert!(own.t.unwrap() <= t + 1e-9, "{privacy} {floors}: {own:?}");
                }
            }
        }
    }
    // Floors on sizes leave what a search without them finds there, or better.
    let (whole, part) = (small("eta = 0.0"), small("eta = 0.0\nat_least = { k = 4 }"));
    assert!(part.front.solutions.len() > 2 && best(&part, 4) <= best(&whole, 4) + 1e-12);
    assert_eq!(
        best(&whole, 1).to_bits() == best(&part, 1).to_bits(),
        whole.front.solutions.iter().all(|own| own.k >= 4)
    );
}

#[test]
fn all_losses_can_prune() {
    for loss in ["weighted", "discernibility", "entropy", "average-class", "general(numeric=interval)"] {
        let found = small(&format!("eta = 0.0\nloss = {loss:?}"));
        assert!(!found.front.solutions.is_empty(), "{loss}");
        (0..found.front.solutions.len()).for_each(|at| {
            let own = &found.front.solutions[at];
            let shown = released(&found.table, found.regions.as_ref().expect("regions"), at);
            assert_eq!(shown.0.values().min(), Some(&own.k), "{loss}");
        });
    }
}

#[test]
fn a_stored_recoding_groups_alike() {
    let found = small("eta = 0.1");
    let regions = found.regions.as_ref().expect("regions");
    let text = serde_json::to_string(regions).expect("it can be written");
    let again: Regions = serde_json::from_str(&text).expect("it can be read");
    assert_eq!(again, *regions);
    for (at, own) in found.front.solutions.iter().enumerate() {
        let (grouping, homeless) = group_regions(&found.table, &again, at, Needs::ALL);
        assert!(!homeless);
        let gone = |group: usize| match own.cutoff {
            paretonym::front::Cutoff::Nothing => false,
            cutoff => cutoff.suppresses(-(grouping.groups.rows.get(group) as f64)),
        };
        let suppressed = Suppressed::by(&grouping, gone);
        let kept = Kept { table: &found.table, grouping: &grouping, suppressed: &suppressed };
        assert_eq!((kept.groups().count() as u64, suppressed.rows), (own.groups, own.suppressed.unwrap()));
    }
}

#[test]
fn unknown_cells_are_refused() {
    let error = explore("eta = 0.0\ncells = \"boxes\"").err().expect("an error");
    assert!(error.is_input() && error.to_string().contains("nodes, sets, sets(most=8)"), "{error}");
}
