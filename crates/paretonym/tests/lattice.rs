//! Searches of the lattice on tables large enough for rolling up: `exact` against `exhaustive`, and proofs that are stopped.

mod support;

use paretonym::catalog;
use paretonym::engine::Unwatched;
use paretonym::group::FrequencyTable;
use paretonym::search::{Exact, Found, Optimizer, SearchRun};
use paretonym::settings::{CutoffRule, OneOrMore, SearchSettings};
use paretonym::study::Study;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use support::{LOSS_FORMS, Memory, PRIVACY_FORMS, class_costs};

/// Four thousand people of whom about half have a tuple of their own: 240 nodes.
fn people() -> FrequencyTable {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let rows = (0..4000).map(|_| {
        let age = 20 + random.random_range(0..70);
        let town = random.random_range(0..12) * random.random_range(1..4) / 3;
        let work = (age / 13 + random.random_range(0..3)) % 6;
        let kin = ["f", "m"][usize::from(random.random_bool(0.4))];
        let ill = ["flu", "gout", "measles", "none"][random.random_range(0..4usize).max(random.random_range(0..4))];
        let pay = age * 10 + 7 * work + random.random_range(0..90);
        let class = if pay > 420 { "high" } else { "low" };
        [
            age.to_string(),
            format!("t{town:02}"),
            format!("w{work}"),
            kin.into(),
            ill.into(),
            class.into(),
            pay.to_string(),
        ]
        .to_vec()
    });
    let text = r#"
        data = { path = "memory" }
        columns = [
          { name = "age", role = "quasi", kind = "numeric", widths = [5, 10, 20] },
          { name = "town", role = "quasi", kind = "ordinal", order = ["t00", "t01", "t02", "t03", "t04", "t05", "t06", "t07", "t08", "t09", "t10", "t11"], groups = [2, 6] },
          { name = "work", role = "quasi", kind = "ordinal", order = ["w0", "w1", "w2", "w3", "w4", "w5"], groups = [3], weight = 2.0 },
          { name = "kin", role = "quasi" },
          { name = "ill", role = "sensitive" },
          { name = "class", role = "target" },
          { name = "pay", role = "target", kind = "numeric" },
        ]
    "#;
    let study = Study::from_toml(text, "study.toml").unwrap();
    let names = study.columns.iter().map(|column| column.name.clone());
    let table = paretonym::study::count(&study, &Memory::new(names, rows), &Unwatched).unwrap();
    assert!(table.tuples.len() > 2000, "too few tuples for rolling up: {}", table.tuples.len());
    table
}

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

fn search(table: &FrequencyTable, settings: &SearchSettings, optimizer: &str, evaluations: Option<u64>) -> Found {
    let problem = catalog::problem(settings, table).unwrap();
    let settings = SearchSettings { optimizer: optimizer.into(), ..settings.clone() };
    let run = SearchRun { seed: 1, evaluations, watch: &Unwatched };
    catalog::optimizer(&settings).unwrap().search(table, problem.as_ref(), &run).unwrap()
}

/// Points, alternatives and recodings; losses that are sums of many terms may differ in the last bits.
fn assert_equal(a: &Found, b: &Found, what: &str) {
    assert_eq!(a.archive.entries().len(), b.archive.entries().len(), "{what}");
    for (a, b) in a.archive.entries().iter().zip(b.archive.entries()) {
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
        assert!(a.point.costs().iter().zip(b.point.costs()).all(near), "{what}: {a:?} and {b:?}");
        assert_eq!((&a.recoding, a.alternatives), (&b.recoding, b.alternatives), "{what}");
    }
}

#[test]
fn exact_equals_exhaustive_whatever_is_measured() {
    let table = people();
    let classes = ["high".to_owned(), "low".to_owned()];
    let mut fallen_back = 0;
    for (at, loss) in LOSS_FORMS.iter().enumerate() {
        for (model_at, model) in PRIVACY_FORMS.iter().enumerate() {
            for (eta_at, eta) in [0.0, 0.01, 0.1].into_iter().enumerate() {
                // Both rules for every loss and every model, though not for every pair.
                let rule = if (at + model_at + eta_at) % 2 == 0 { CutoffRule::All } else { CutoffRule::Budget };
                let mut settings = settings("max-suppression", &[model], loss.name, eta, rule);
                settings.costs = if loss.costs { class_costs(&classes) } else { Vec::new() };
                let exact = search(&table, &settings, "exact", None);
                assert!(exact.exact && exact.complete);
                if exact.notes.iter().any(|note| note.contains("fell back")) {
                    fallen_back += 1;
                    continue;
                }
                let truth = search(&table, &settings, "exhaustive", None);
                assert_equal(&exact, &truth, &format!("{} {model} {eta} {rule:?}", loss.name));
                assert!(exact.evaluated < truth.evaluated, "{} {model}: every node", loss.name);
            }
        }
    }
    let all = LOSS_FORMS.len() * PRIVACY_FORMS.len() * 3;
    assert!(fallen_back < all * 2 / 3, "{fallen_back} of {all} have no bound");
}

#[test]
fn three_objectives_are_proven_too() {
    let table = people();
    for (eta, loss) in [(0.0, "general"), (0.05, "general"), (0.05, "discernibility")] {
        let settings = settings("kl-safety", &["k", "distinct-l"], loss, eta, CutoffRule::All);
        let (exact, truth) = (search(&table, &settings, "exact", None), search(&table, &settings, "exhaustive", None));
        assert!(exact.notes.is_empty() && exact.exact, "{:?}", exact.notes);
        assert_equal(&exact, &truth, &format!("{loss} {eta}"));
        assert!(exact.evaluated <= truth.evaluated);
    }
}

/// The least loss of an entry that is at least as private.
fn least_loss<'a>(entries: impl Iterator<Item = &'a [f64]>, privacy: f64) -> f64 {
    entries.filter(|costs| costs[0] <= privacy).map(|costs| costs[1]).fold(f64::INFINITY, f64::min)
}

#[test]
fn bounds_of_stopped_proofs_hold() {
    let table = people();
    for loss in ["general", "discernibility", "regression"] {
        for eta in [0.0, 0.05] {
            let settings = settings("max-suppression", &["k"], loss, eta, CutoffRule::All);
            let problem = catalog::problem(&settings, &table).unwrap();
            let truth = search(&table, &settings, "exhaustive", None);
            for (enumerable, evaluations) in [(1 << 20, 20), (1 << 20, 60), (0, 1), (0, 20), (0, 100), (0, 10_000)] {
                let run = SearchRun { seed: 1, evaluations: Some(evaluations), watch: &Unwatched };
                let found = Exact { enumerable }.search(&table, problem.as_ref(), &run).unwrap();
                assert!(found.evaluated <= evaluations);
                if found.exact {
                    continue;
                }
                assert_eq!(found.bounds.len(), found.archive.entries().len());
                for (entry, bound) in found.archive.entries().iter().zip(&found.bounds) {
                    let costs = entry.point.costs();
                    let least = least_loss(truth.archive.entries().iter().map(|entry| entry.point.costs()), costs[0]);
                    let slack = 1e-9 * least.abs().max(1.0);
                    assert!(
                        *bound <= least + slack && *bound <= costs[1],
                        "{loss} {eta} {evaluations}: {bound} {least}"
                    );
                    assert!(costs[1] >= least - slack, "better than the truth");
                }
            }
        }
    }
}
