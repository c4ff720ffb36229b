//! Lattices too large to enumerate: on small ones, where the whole front is known, and on one of which nobody knows it.

mod support;

use paretonym::catalog;
use paretonym::engine::Unwatched;
use paretonym::group::{FrequencyTable, Grouping};
use paretonym::problem::Problem;
use paretonym::recode::Recoding;
use paretonym::search::{Evaluator, Exact, Exhaustive, Found, Optimizer, SearchRun};
use paretonym::settings::{CutoffRule, OneOrMore, SearchSettings};
use paretonym::study::Study;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use support::{LOSS_FORMS, LossForm, Memory, PRIVACY_FORMS, Sample, check, class_costs, config, samples};

/// Nothing is enumerated, however small it is.
const NEVER: Exact = Exact { enumerable: 0 };

fn settings(problem: &str, privacy: &[&str], loss: &str, eta: f64, cutoffs: CutoffRule) -> SearchSettings {
    SearchSettings {
        problem: problem.into(),
        privacy: OneOrMore::More(privacy.iter().map(|name| (*name).to_owned()).collect()),
        loss: loss.into(),
        eta,
        cutoffs,
        ..SearchSettings::default()
    }
}

fn with_loss(sample: &Sample, form: LossForm, settings: SearchSettings) -> SearchSettings {
    let costs = if form.costs { class_costs(&sample.classes()) } else { Vec::new() };
    SearchSettings { loss: form.name.into(), costs, ..settings }
}

fn run(evaluations: Option<u64>) -> SearchRun<'static> {
    SearchRun { seed: 1, evaluations, watch: &Unwatched }
}

/// The least loss of an entry that is at least as private.
fn least_loss<'a>(entries: impl Iterator<Item = &'a [f64]>, privacy: &[f64]) -> f64 {
    let reached = |costs: &&[f64]| costs.iter().zip(privacy).all(|(own, wanted)| own <= wanted);
    entries.filter(reached).filter_map(|costs| costs.last().copied()).fold(f64::INFINITY, f64::min)
}

/// Whether a front is the whole one, or one whose bounds hold.
fn assert_right(found: &Found, truth: &Found, what: &str) {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
    let costs = |found: &Found| found.archive.entries().iter().map(|e| e.point.costs().to_vec()).collect::<Vec<_>>();
    let (own, all) = (costs(found), costs(truth));
    if found.exact {
        assert_eq!(own.len(), all.len(), "{what}: {own:?} and {all:?}");
        for (own, all) in found.archive.entries().iter().zip(truth.archive.entries()) {
            assert!(own.point.costs().iter().zip(all.point.costs()).all(|(a, b)| near(*a, *b)), "{what}");
            let same = (&own.recoding, own.alternatives) == (&all.recoding, all.alternatives);
            assert!(same || !found.complete, "{what}: {own:?} and {all:?}");
        }
        return;
    }
    assert_eq!(found.bounds.len(), own.len(), "{what}");
    for (own, bound) in own.iter().zip(&found.bounds) {
        let (loss, privacy) = own.split_last().expect("a loss");
        let least = least_loss(all.iter().map(Vec::as_slice), privacy);
        let slack = 1e-9 * least.abs().max(1.0);
        assert!(*bound <= least + slack && bound <= loss, "{what}: {bound} above {least} at {own:?}");
        assert!(*loss >= least - slack, "{what}: better than the truth");
    }
}

/// Every model, loss and rule, with and without a budget of rows: the same front as that of all nodes.
#[test]
fn fronts_are_whole_whatever_is_measured() {
    let seen = std::cell::Cell::new(0u32);
    check(config(40), samples(4, 1..=1), |sample| {
        let table = sample.table();
        let case = seen.get() as usize;
        seen.set(seen.get() + 1);
        for (at, form) in LOSS_FORMS.iter().enumerate() {
            let model = PRIVACY_FORMS[(case + at) % PRIVACY_FORMS.len()];
            let eta = [0.0, 0.1, 0.3][(case / 2 + at) % 3];
            let rule = [CutoffRule::All, CutoffRule::Budget][(case + at / 2) % 2];
            let settings = with_loss(&sample, *form, settings("max-suppression", &[model], "general", eta, rule));
            let Ok(problem) = catalog::problem(&settings, &table) else { continue };
            if problem.prunable().is_err() {
                continue;
            }
            let what = format!("{model} {form:?} {eta} {rule:?}");
            let truth = Exhaustive.search(&table, problem.as_ref(), &run(None)).unwrap();
            let found = NEVER.search(&table, problem.as_ref(), &run(None)).unwrap();
            prop_assert!(found.exact && found.complete, "{what}");
            assert_right(&found, &truth, &what);
            for evaluations in [1, 5, 30] {
                let short = NEVER.search(&table, problem.as_ref(), &run(Some(evaluations))).unwrap();
                prop_assert!(short.evaluated <= evaluations, "{what}");
                assert_right(&short, &truth, &format!("{what}, {evaluations} evaluations"));
            }
        }
        Ok(())
    });
}

/// Weighted levels, and several models together: the bounds hold, though not all such fronts are proven.
#[test]
fn bounds_hold_for_other_problems() {
    check(config(40), samples(4, 1..=1), |sample| {
        let table = sample.table();
        for (problem, models, eta) in [
            ("zero-suppression", &["k"][..], 0.0),
            ("zero-suppression", &["distinct-l"], 0.0),
            ("kl-safety", &["k", "distinct-l"], 0.0),
            ("kl-safety", &["k", "distinct-l"], 0.2),
            ("kl-safety", &["k", "frequency-l"], 0.0),
            ("kl-safety", &["k", "t"], 0.0),
        ] {
            for loss in ["general", "discernibility", "classification"] {
                let settings = settings(problem, models, loss, eta, CutoffRule::All);
                let Ok(problem) = catalog::problem(&settings, &table) else { continue };
                prop_assert!(problem.prunable().is_ok(), "{models:?} {loss}");
                let truth = Exhaustive.search(&table, problem.as_ref(), &run(None)).unwrap();
                for evaluations in [None, Some(4), Some(25)] {
                    let found = NEVER.search(&table, problem.as_ref(), &run(evaluations)).unwrap();
                    assert_right(&found, &truth, &format!("{models:?} {loss} {eta} {evaluations:?}"));
                }
            }
        }
        Ok(())
    });
}

fn search(table: &FrequencyTable, settings: &SearchSettings, evaluations: u64) -> Found {
    let problem = catalog::problem(settings, table).unwrap();
    Exact::default().search(table, problem.as_ref(), &run(Some(evaluations))).unwrap()
}

/// 500 rows of columns of heights 1 and 2, in turn.
fn wide_table(width: u32, random: &mut ChaCha8Rng) -> FrequencyTable {
    let rows: Vec<Vec<String>> = (0..500)
        .map(|_| {
            let kind = random.random_range(0..6u32);
            (0..width)
                .map(|column| ((kind * (column + 3) + random.random_range(0..3)) % (3 + column % 3)).to_string())
                .collect()
        })
        .collect();
    let columns: String = (0..width)
        .map(|column| {
            let order: Vec<String> = (0..3 + column % 3).map(|value| format!("\"{value}\"")).collect();
            let groups = if column % 2 == 0 { ", groups = [2]" } else { "" };
            format!(
                "{{ name = \"c{column}\", role = \"quasi\", kind = \"ordinal\", order = [{}]{groups} }},",
                order.join(", ")
            )
        })
        .collect();
    let study =
        Study::from_toml(&format!("data = {{ path = \"memory\" }}\ncolumns = [{columns}]"), "study.toml").unwrap();
    let names = study.columns.iter().map(|column| column.name.clone());
    paretonym::study::count(&study, &Memory::new(names, rows), &Unwatched).unwrap()
}

/// 7,776 nodes, searched as if they were too many: bounds hold however often a hunt is cut short and goes on, and with enough
/// evaluations the front is the whole one.
#[test]
fn hunts_that_are_cut_short_go_on() {
    let table = wide_table(10, &mut ChaCha8Rng::seed_from_u64(11));
    for (loss, eta) in [("general", 0.02), ("general", 0.2), ("entropy", 0.1), ("discernibility", 0.05)] {
        let settings = settings("max-suppression", &["k"], loss, eta, CutoffRule::All);
        let problem = catalog::problem(&settings, &table).unwrap();
        let truth = Exhaustive.search(&table, problem.as_ref(), &run(None)).unwrap();
        for evaluations in [100, 300, 1000, 3000] {
            let found = NEVER.search(&table, problem.as_ref(), &run(Some(evaluations))).unwrap();
            assert_right(&found, &truth, &format!("{loss} {eta}, {evaluations} evaluations"));
        }
        let whole = NEVER.search(&table, problem.as_ref(), &run(None)).unwrap();
        assert!(whole.exact && whole.complete && whole.evaluated < truth.evaluated, "{loss} {eta}");
        assert_right(&whole, &truth, &format!("{loss} {eta}"));
    }
}

/// 24 columns: 2 * 10^9 nodes and more.
#[test]
fn a_lattice_of_24_columns_has_a_front_with_bounds() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let table = wide_table(24, &mut random);
    let settings = settings("max-suppression", &["k"], "general", 0.05, CutoffRule::All);
    let found = search(&table, &settings, 1000);
    assert!(found.space.is_some_and(|space| space > 1 << 30) && found.evaluated <= 1000);
    assert!(!found.exact && !found.complete && found.archive.entries().len() > 5);

    // No recoding met at random may lose less than the bound at its privacy.
    let problem = catalog::problem(&settings, &table).unwrap();
    let losses = random_outcomes(&table, problem.as_ref(), &mut random);
    let informative = found.archive.entries().iter().zip(&found.bounds).filter(|(entry, bound)| {
        let (cost, loss) = (entry.point.costs()[0], entry.point.costs()[1]);
        let least = least_loss(losses.iter().map(|costs| costs.as_slice()), &[cost]);
        assert!(**bound <= least.min(loss) + 1e-9, "{bound} is not below {least}");
        **bound > loss / 4.0
    });
    assert!(informative.count() * 2 > found.bounds.len(), "{:?}", found.bounds);

    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let again = alone.install(|| search(&table, &settings, 1000));
    let points = |found: &Found| found.archive.entries().iter().map(|e| e.point.costs().to_vec()).collect::<Vec<_>>();
    assert_eq!((points(&found), &found.bounds), (points(&again), &again.bounds), "one thread and several");
}

/// Outcomes of nodes met at random, most of them coarse.
fn random_outcomes(table: &FrequencyTable, problem: &dyn Problem, random: &mut ChaCha8Rng) -> Vec<Vec<f64>> {
    let (mut evaluator, mut grouping) = (Evaluator::new(table, problem), Grouping::default());
    let mut outcomes = Vec::new();
    for at in 0..800 {
        let coarse = f64::from(at) / 800.0;
        let levels: Vec<u32> = table
            .heights()
            .iter()
            .map(|height| if random.random_bool(coarse) { *height } else { random.random_range(0..=*height) })
            .collect();
        evaluator.group(&table.tuples, &Recoding::of_levels(&levels), &mut grouping);
        evaluator.judge(&grouping, &mut |outcome| outcomes.push(outcome.point.costs().to_vec()));
    }
    outcomes
}
