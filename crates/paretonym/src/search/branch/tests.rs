//! Branch and bound against the evaluation of every recoding, started from nothing but the coarsest one.

use proptest::prelude::*;

use super::bound::Bounder;
use super::ground::{Ground, why_not};
use super::ladder::Ladder;
use super::span::Span;
use crate::catalog;
use crate::engine::{Memory, Unwatched};
use crate::front::Archive;
use crate::group::FrequencyTable;
use crate::problem::Problem;
use crate::search::genetic::{Genome, Layout, Pool};
use crate::search::{Exhaustive, Found, Optimizer, SearchRun};
use crate::settings::SearchSettings;
use crate::study::{Study, count};

/// Eight ordered values, as one tree or as levels of widths 2 and 4.
const FAMILIES: [&str; 3] = [
    r#"recode = "breaks", kind = "ordinal", order = ["0", "1", "2", "3", "4", "5"]"#,
    r#"recode = "cuts", taxonomy = { "low" = { "lowest" = ["0", "1"], "lower" = ["2"] }, "high" = ["3", "4", "5"] }"#,
    r#"recode = "levels", kind = "ordinal", order = ["0", "1", "2", "3", "4", "5"], groups = [2, 4]"#,
];

#[derive(Clone, Debug)]
struct Case {
    families: Vec<usize>,
    weights: Vec<f64>,
    rows: Vec<Vec<u8>>,
    eta: f64,
    rule: &'static str,
    loss: &'static str,
}

fn cases() -> impl Strategy<Value = Case> {
    let columns = prop::collection::vec((0..FAMILIES.len(), prop_oneof![Just(1.0), Just(2.0), Just(0.5)]), 1..=3);
    columns.prop_flat_map(|columns| {
        let (families, weights): (Vec<usize>, Vec<f64>) = columns.into_iter().unzip();
        // Few values of each column are frequent, so that groups of several sizes come about.
        let cell = prop_oneof![3 => 0u8..2, 2 => 2u8..4, 1 => 0u8..6];
        let rows = prop::collection::vec(prop::collection::vec(cell, families.len()), 2..60);
        let eta = prop_oneof![Just(0.0), Just(0.1), Just(0.3), Just(0.7)];
        let rule = prop_oneof![Just("all"), Just("budget")];
        let loss = prop_oneof![Just("general"), Just("weighted")];
        (Just(families), Just(weights), rows, eta, rule, loss)
            .prop_map(|(families, weights, rows, eta, rule, loss)| Case { families, weights, rows, eta, rule, loss })
    })
}

impl Case {
    fn table(&self) -> (FrequencyTable, SearchSettings) {
        let column = |(at, (family, weight)): (usize, (&usize, &f64))| {
            format!("{{ name = \"c{at}\", role = \"quasi\", weight = {weight:?}, {} }}", FAMILIES[*family])
        };
        let columns: Vec<String> = self.families.iter().zip(&self.weights).enumerate().map(column).collect();
        let study = format!(
            "data = {{ path = \"memory\" }}\ncolumns = [{}]\nsearch = {{ eta = {:?}, cutoffs = \"{}\", loss = \"{}\" }}",
            columns.join(", "),
            self.eta,
            self.rule,
            self.loss
        );
        let names: Vec<String> = (0..self.families.len()).map(|at| format!("c{at}")).collect();
        let rows: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.iter().map(|cell| cell.to_string()).collect()).collect();
        let study = Study::from_toml(&study, "study").unwrap();
        (count(&study, &Memory::new(names, rows), &Unwatched).unwrap(), study.search)
    }
}

fn truth(table: &FrequencyTable, problem: &dyn Problem) -> Found {
    Exhaustive.search(table, problem, &SearchRun { seed: 1, evaluations: None, watch: &Unwatched }).unwrap()
}

fn points(archive: impl Iterator<Item = [f64; 2]>) -> Vec<(u64, f64)> {
    archive.map(|[cost, loss]| (-cost as u64, loss)).collect()
}

fn costs<P>(archive: &Archive<P>) -> Vec<(u64, f64)> {
    points(archive.entries().iter().map(|entry| [entry.point.costs()[0], entry.point.costs()[1]]))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// The same front as that of all recodings, and with few evaluations bounds that hold.
    #[test]
    fn fronts_are_whole_and_bounds_hold(case in cases()) {
        let (table, settings) = case.table();
        let problem = catalog::problem(&settings, &table).unwrap();
        prop_assert_eq!(why_not(&table, problem.as_ref()), None);
        let truth = costs(&truth(&table, problem.as_ref()).archive);
        let layout = Layout::of(&table);
        let pool = Pool::new(&table, problem.as_ref(), &layout, &Unwatched);
        let ground = Ground::new(&pool);
        let run = SearchRun { seed: 1, evaluations: None, watch: &Unwatched };
        for spans in [u64::MAX, 1, 7, 40] {
            let mut archive = Archive::new();
            let top = Genome::zeros(layout.bits);
            for outcome in pool.evaluate_one(&top, &archive).outcomes {
                archive.insert(&outcome, &layout.decode(&table, &top));
            }
            let mut ladder = Ladder::new(&ground, &run, archive, 0, spans);
            let proven = ladder.climb();
            let own = costs(&ladder.archive);
            if proven {
                prop_assert_eq!(own.len(), truth.len(), "{:?} and {:?}", own, truth);
                for (own, all) in own.iter().zip(&truth) {
                    prop_assert!(own.0 == all.0 && (own.1 - all.1).abs() < 1e-9, "{:?} and {:?}", own, all);
                }
            }
            prop_assert!(proven || spans < u64::MAX);
            for ((level, loss), bound) in own.iter().zip(ladder.bounds_of_front()) {
                let reaching = truth.iter().filter(|(other, _)| other >= level);
                let least = reaching.map(|(_, loss)| *loss).fold(f64::INFINITY, f64::min);
                prop_assert!(bound <= least + 1e-9 && bound <= *loss, "{} above {} at {}", bound, least, level);
            }
        }
    }

    /// The bound of a span is no larger than what any of its recodings loses, and no question is answered that one of those that
    /// lose less than the limit answers otherwise.
    #[test]
    fn no_recoding_of_a_span_is_ruled_out_that_could_matter(case in cases(), wanted in 1u64..12, answers in any::<[u64; 4]>()) {
        let (table, settings) = case.table();
        let problem = catalog::problem(&settings, &table).unwrap();
        let layout = Layout::of(&table);
        let pool = Pool::new(&table, problem.as_ref(), &layout, &Unwatched);
        let ground = Ground::new(&pool);
        let rows = table.rows as f64;
        // Every recoding that reaches the level within the budget, whatever the rule says, and what it loses.
        let all: Vec<(Genome, f64)> = all(&layout)
            .into_iter()
            .filter_map(|genome| {
                let (lost, loss) = naive(&table, &ground, &layout, &genome, wanted);
                (lost <= ground.budget).then_some((genome, loss))
            })
            .collect();
        let mut span = Span::whole(&layout);
        let mut sheet = ground.sheet.clone();
        let mut bounder = Bounder::new(&ground, wanted);
        let mut price = 0.0;
        for answer in answers {
            let within: Vec<&(Genome, f64)> = all
                .iter()
                .filter(|(genome, _)| span.coarsest.is_coarser(genome) && genome.is_coarser(&span.finest))
                .collect();
            let least = within.iter().map(|(_, loss)| *loss).fold(f64::INFINITY, f64::min);
            let limit = (least.min(rows) * [1.0, 1.02, 1.3][answer as usize % 3]) + 1e-6;
            let Some(insight) = bounder.look(&mut span, &mut sheet, price, limit) else {
                prop_assert!(least >= limit - 1e-9, "{} was ruled out below {}", least, limit);
                return Ok(());
            };
            prop_assert!(insight.bound <= least + 1e-9, "{} above {}", insight.bound, least);
            for (genome, loss) in within {
                let stays = span.coarsest.is_coarser(genome) && genome.is_coarser(&span.finest);
                prop_assert!(stays || *loss >= limit - 1e-9, "{:?} loses {} below {}", genome, loss, limit);
            }
            sheet = bounder.rolled_up(&sheet);
            price = insight.price;
            let Some(next) = insight.next else { return Ok(()) };
            match answer >> 32 & 1 == 1 {
                true => span.demand(&layout, next.asked()),
                false => span.forbid(&layout, next.asked()),
            }
        }
    }
}

/// Every valid chromosome: the patterns of each column, in every combination.
fn all(layout: &Layout) -> Vec<Genome> {
    let mut all = vec![Genome::zeros(layout.bits)];
    for segment in &layout.segments {
        let with = |genome: &Genome, pattern: u64| {
            let mut genome = genome.clone();
            let ones = segment.bits.clone().enumerate().filter(|(at, _)| pattern >> at & 1 == 1);
            ones.for_each(|(_, bit)| genome.set(bit, true));
            genome
        };
        let patterns: Vec<u64> = (0..1u64 << segment.bits.len())
            .filter(|pattern| segment.is_valid(&with(&Genome::zeros(layout.bits), *pattern)))
            .collect();
        all = all.iter().flat_map(|genome| patterns.iter().map(|pattern| with(genome, *pattern))).collect();
    }
    all
}

/// Rows suppressed and the loss in rows, counted row by row.
fn naive(table: &FrequencyTable, ground: &Ground, layout: &Layout, genome: &Genome, wanted: u64) -> (u64, f64) {
    let recoding = layout.decode(table, genome);
    let mut grouping = crate::group::Grouping::default();
    grouping.set_columns(table, &recoding);
    let tuples = &table.tuples;
    let shown = |tuple: usize| -> Vec<u32> {
        (0..table.columns.len()).map(|c| grouping.columns[c].set_of[table.leaf(tuples, tuple, c) as usize]).collect()
    };
    let mut sizes = std::collections::BTreeMap::new();
    (0..tuples.len()).for_each(|tuple| *sizes.entry(shown(tuple)).or_insert(0) += tuples.rows.get(tuple));
    let (mut lost, mut loss) = (0, 0.0);
    for (shown, rows) in sizes {
        if rows < wanted {
            lost += rows;
            loss += rows as f64;
            continue;
        }
        let leaves =
            |c: usize| (grouping.columns[c].first[shown[c] as usize], grouping.columns[c].first[shown[c] as usize + 1]);
        let cells = (0..shown.len()).map(|c| ground.cell(c, leaves(c).0 as usize, leaves(c).1 as usize));
        loss += rows as f64 * cells.sum::<f64>();
    }
    (lost, loss)
}

/// 400 people of 30 ages and 12 towns, all breaks: 2^40 recodings.
fn many() -> (FrequencyTable, SearchSettings) {
    let mut state = 7u64;
    let mut draw = |most: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    let rows: Vec<Vec<String>> = (0..400)
        .map(|_| {
            let (a, b) = (draw(30), draw(30));
            vec![a.min(b).to_string(), (draw(12).min(draw(12) + a / 6) + 100).to_string()]
        })
        .collect();
    let study = r#"
        data = { path = "memory" }
        columns = [
            { name = "age", role = "quasi", kind = "numeric", recode = "breaks" },
            { name = "town", role = "quasi", kind = "numeric", recode = "breaks" },
        ]
        search = { eta = 0.05 }
    "#;
    let study = Study::from_toml(study, "study").unwrap();
    (count(&study, &Memory::new(["age", "town"], rows), &Unwatched).unwrap(), study.search)
}

#[test]
fn the_same_front_on_any_number_of_threads_within_any_budget() {
    let (table, settings) = many();
    let problem = catalog::problem(&settings, &table).unwrap();
    let search = |evaluations: Option<u64>| {
        super::search(&table, problem.as_ref(), &SearchRun { seed: 1, evaluations, watch: &Unwatched }).unwrap()
    };
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for evaluations in [1, 10, 400, 3000] {
        let (found, again) = (search(Some(evaluations)), alone.install(|| search(Some(evaluations))));
        assert!(found.evaluated <= evaluations, "{} of {evaluations}", found.evaluated);
        assert_eq!(found.archive.entries(), again.archive.entries());
        assert_eq!((&found.bounds, found.evaluated), (&again.bounds, again.evaluated));
        assert_eq!(found.exact, found.complete);
    }
    let whole = search(None);
    assert!(whole.exact && whole.space.is_some_and(|space| space > 1 << 30), "{:?}", whole.notes);
    let short = search(Some(400));
    for (entry, bound) in short.archive.entries().iter().zip(&short.bounds) {
        let as_private = whole.archive.entries().iter().filter(|own| own.point.costs()[0] <= entry.point.costs()[0]);
        let least = as_private.map(|own| own.point.costs()[1]).fold(f64::INFINITY, f64::min);
        assert!(*bound <= least + 1e-9, "{bound} above {least}");
    }
}
