//! Privacy models: how levels behave under generalization, and that the score is the worst of the kept rows.

use paretonym::data::{Kind, Role};
use paretonym::front::Outcome;
use paretonym::group::Suppressed;
use paretonym::measure::{Behaviour, Grouped, Privacy, Sense};
use paretonym::problem::{Problem, Scratch};
use paretonym::recode::Recoding;
use paretonym::settings::{CutoffRule, OneOrMore, SearchSettings};
use paretonym::study::ColumnSpec;
use paretonym::{catalog, group};
use proptest::prelude::*;

use super::{Lattice, kept, models, plain, suppressions};
use crate::support::{check, config, counted, grouped, samples};

/// Levels are sums of fractions: the same level by two ways differs in the last bits.
const SLACK: f64 = 1e-9;

/// The table of docs/definitions.md, "What generalizing does to levels".
#[test]
fn the_catalogue_claims_what_the_definitions_say() {
    for entry in catalog::PRIVACY {
        let expected = match entry.entry.name {
            "k" | "distinct-l" | "p-sensitive" => Behaviour::PerRow,
            _ => Behaviour::WorstGroup,
        };
        assert_eq!(entry.behaviour, expected, "{}", entry.entry.name);
    }
}

/// What a study is told of a model before there is a table is what the model says.
#[test]
fn the_catalogue_knows_senses_and_who_needs_a_sensitive_column() {
    check(config(4), samples(2, 1..=1), |sample| {
        let table = sample.table();
        for entry in catalog::PRIVACY {
            let model = catalog::privacy(entry.entry.name, &table).unwrap();
            prop_assert_eq!((entry.sense, entry.sensitive), (model.sense(), model.needs().attributes));
        }
        Ok(())
    });
}

/// A group loses at least as many rows as its model says wherever a finer recoding keeps only what reaches a level.
#[test]
fn finer_recodings_lose_what_a_coarser_group_must() {
    check(config(60), samples(4, 1..=2), |sample| {
        let lattice = Lattice::of(&sample);
        for (form, model) in models(&lattice.table) {
            for (below, above) in lattice.steps() {
                let (fine, coarse) = (&lattice.groupings[below], &lattice.groupings[above]);
                let levels: Vec<f64> = (0..fine.len()).map(|group| model.level(fine.groups.view(group))).collect();
                let least = |level: f64| (0..coarse.len()).map(move |group| (group, level));
                for (group, level) in levels.iter().copied().chain([0.3, 1.5, 2.0]).flat_map(least) {
                    let worse = |own: f64| model.sense().cost(own) > model.sense().cost(level) + 1e-12 * level.max(1.0);
                    let inside =
                        (0..lattice.table.tuples.len()).filter(|tuple| coarse.group_of[*tuple] as usize == group);
                    let gone = inside.filter(|tuple| worse(levels[fine.group_of[*tuple] as usize]));
                    let rows: u64 = gone.map(|tuple| lattice.table.tuples.rows.get(tuple)).sum();
                    let told = model.least_lost(coarse.groups.view(group), level);
                    prop_assert!(told <= rows, "{form} at {level}: {told} of {rows} in group {group}");
                }
            }
        }
        Ok(())
    });
}

#[test]
fn levels_never_get_worse_under_generalization() {
    check(config(60), samples(4, 0..=2), |sample| {
        let lattice = Lattice::of(&sample);
        for (form, model) in models(&lattice.table) {
            let costs: Vec<Vec<f64>> = lattice
                .groupings
                .iter()
                .map(|grouping| {
                    (0..grouping.len()).map(|group| model.cost(grouping.groups.view(group))).collect::<Vec<f64>>()
                })
                .collect();
            let worst = |node: usize| costs[node].iter().copied().fold(f64::NEG_INFINITY, f64::max);
            for (below, above) in lattice.steps() {
                let place = format!("{form} from {:?} to {:?}", lattice.nodes[below], lattice.nodes[above]);
                if model.behaviour() != Behaviour::Nothing {
                    prop_assert!(worst(above) <= worst(below) + SLACK, "{place}: the table's worst level");
                }
                if model.behaviour() == Behaviour::PerRow {
                    let level =
                        |node: usize, tuple: usize| costs[node][lattice.groupings[node].group_of[tuple] as usize];
                    for tuple in 0..lattice.table.tuples.len() {
                        prop_assert!(level(above, tuple) <= level(below, tuple) + SLACK, "{place}: tuple {tuple}");
                    }
                }
            }
        }
        Ok(())
    });
}

/// The cost of the level that a problem's last outcome reaches, under a budget and the papers' rule.
fn reached(problem: &dyn Problem, table: &group::FrequencyTable, grouping: &group::Grouping) -> f64 {
    let mut last = f64::NAN;
    let mut take = |outcome: Outcome| last = outcome.point.costs()[0];
    problem.outcomes(&Grouped { table, grouping }, &mut Scratch::default(), &mut take);
    last
}

fn budget_problem(table: &group::FrequencyTable, form: &str, eta: f64) -> Box<dyn Problem> {
    let settings = SearchSettings {
        problem: "max-suppression".into(),
        privacy: OneOrMore::One(form.into()),
        cutoffs: CutoffRule::Budget,
        eta,
        ..SearchSettings::default()
    };
    catalog::problem(&settings, table).unwrap()
}

#[test]
fn per_row_levels_never_fall_with_a_budget() {
    check(config(40), samples(4, 0..=2), |sample| {
        let lattice = Lattice::of(&sample);
        for (form, model) in models(&lattice.table) {
            if model.behaviour() != Behaviour::PerRow {
                continue;
            }
            for eta in [0.05, 0.1, 0.3, 0.6, 1.0] {
                let problem = budget_problem(&lattice.table, form, eta);
                let reached = |node: usize| reached(problem.as_ref(), &lattice.table, &lattice.groupings[node]);
                let levels: Vec<f64> = (0..lattice.nodes.len()).map(reached).collect();
                for (below, above) in lattice.steps() {
                    let nodes = (&lattice.nodes[below], &lattice.nodes[above]);
                    prop_assert!(levels[above] <= levels[below] + SLACK, "{form}, eta {eta}, {nodes:?}");
                }
            }
        }
        Ok(())
    });
}

/// Rows with one quasi column (a tree) and one sensitive column.
fn witness(tree: &str, rows: &[(&str, &str, usize)]) -> group::FrequencyTable {
    let mut place = ColumnSpec::new("place", Role::Quasi);
    place.taxonomy = Some(toml::from_str::<toml::Table>(&format!("tree = {tree}")).unwrap()["tree"].clone());
    let illness = ColumnSpec { kind: Some(Kind::Categorical), ..ColumnSpec::new("illness", Role::Sensitive) };
    let rows: Vec<[&str; 2]> =
        rows.iter().flat_map(|(place, illness, count)| vec![[*place, *illness]; *count]).collect();
    counted(vec![place, illness], &rows.iter().map(|row| row.as_slice()).collect::<Vec<_>>())
}

/// A bad group that fitted the budget merges with a good one: that is why these models promise no more.
#[test]
fn with_a_budget_the_other_levels_can_get_worse() {
    let diverse =
        witness(r#"["a", "b"]"#, &[("a", "w", 1), ("b", "w", 1), ("b", "x", 1), ("b", "y", 1), ("b", "z", 1)]);
    let close =
        witness(r#"[["a", "b"], "c"]"#, &[("a", "x", 1), ("b", "x", 1), ("b", "y", 1), ("c", "x", 9), ("c", "y", 10)]);
    for entry in catalog::PRIVACY.iter().filter(|entry| entry.behaviour == Behaviour::WorstGroup) {
        let (table, eta) = if entry.entry.name == "t" { (&close, 1.0 / 22.0) } else { (&diverse, 0.2) };
        let problem = budget_problem(table, entry.entry.name, eta);
        let level = |level| reached(problem.as_ref(), table, &grouped(table, &Recoding::of_levels(&[level])));
        assert!(level(1) > level(0) + SLACK, "{}: {} and {}", entry.entry.name, level(0), level(1));
    }
}

#[test]
fn the_score_is_the_worst_of_the_kept_rows() {
    check(config(40), samples(3, 0..=2), |sample| {
        let lattice = Lattice::of(&sample);
        let models = models(&lattice.table);
        let everyone: Vec<&dyn Privacy> = models.iter().map(|(_, model)| model.as_ref()).collect();
        for grouping in &lattice.groupings {
            for suppressed in suppressions(grouping, &everyone) {
                for (form, model) in &models {
                    let kept = kept(&lattice.table, grouping, &suppressed);
                    let vector = model.vector(&kept);
                    let (mut worst, mut gone, mut rows_seen) = (f64::NEG_INFINITY, Vec::new(), 0);
                    vector.for_each(&lattice.table, |tuple, rows, value| {
                        rows_seen += rows;
                        if suppressed.groups[grouping.group_of[tuple] as usize] {
                            gone.push(value);
                        } else {
                            worst = worst.max(model.sense().cost(value));
                        }
                    });
                    prop_assert_eq!(rows_seen, lattice.table.rows, "{}", form);
                    prop_assert_eq!(model.sense().cost(model.score(&kept)), worst, "{}", form);
                    // Suppressed rows stay in the vector as one fully generalized group (S2 3).
                    prop_assert!(gone.windows(2).all(|pair| pair[0] == pair[1]), "{form}: {gone:?}");
                    if *form == "k" {
                        prop_assert!(gone.iter().all(|value| *value == suppressed.rows as f64));
                    }
                }
            }
        }
        Ok(())
    });
}

/// One fully generalized group of suppressed rows has the level of that group.
#[test]
fn suppressed_rows_have_the_level_of_their_own_group() {
    let table = witness(r#"["a", "b", "c"]"#, &[("a", "x", 1), ("b", "y", 2), ("c", "x", 3), ("c", "y", 3)]);
    let grouping = grouped(&table, &Recoding::of_levels(&[0]));
    let size = |group: usize| grouping.groups.rows.get(group);
    let suppressed = Suppressed::by(&grouping, |group| size(group) < 6);
    let kept = kept(&table, &grouping, &suppressed);
    // The rows x, y, y: k = 3, floor(3 / 2) = 1, two values, alpha = 2/3, half of |1/3 - 4/9| + |2/3 - 5/9| = 1/9.
    let expected = [("k", 3.0), ("frequency-l", 1.0), ("distinct-l", 2.0), ("alpha", 2.0 / 3.0), ("t", 1.0 / 9.0)];
    for (form, level) in expected {
        let vector = catalog::privacy(form, &table).unwrap().vector(&kept);
        vector.for_each(&table, |tuple, _, value| {
            if suppressed.groups[grouping.group_of[tuple] as usize] {
                assert!((value - level).abs() < 1e-12, "{form}: {value}");
            }
        });
    }
}

#[test]
fn senses_are_those_of_the_definitions() {
    let table = witness(r#"["a", "b"]"#, &[("a", "x", 1), ("b", "y", 2)]);
    for (form, model) in models(&table) {
        let less = matches!(plain(form), "t" | "alpha");
        assert_eq!(model.sense(), if less { Sense::Min } else { Sense::Max }, "{form}");
    }
}
