//! The front of cuts and breaks, worked out from a skeleton of recodings, against the evaluation of every recoding: for
//! every model, loss and problem.

mod support;

use paretonym::catalog;
use paretonym::engine::Unwatched;
use paretonym::group::FrequencyTable;
use paretonym::recode::Family;
use paretonym::search::genetic::Layout;
use paretonym::search::{Found, SearchRun};
use paretonym::settings::{CutoffRule, OneOrMore, SearchSettings};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use support::{LOSS_FORMS, PRIVACY_FORMS, Sample, check, class_costs, samples, series};

/// Spaces of more recodings take too long to be evaluated whole, again and again.
const LARGEST: u64 = 5000;

fn search(table: &FrequencyTable, settings: &SearchSettings, optimizer: &str, evaluations: Option<u64>) -> Found {
    let problem = catalog::problem(settings, table).unwrap();
    let settings = SearchSettings { optimizer: optimizer.into(), ..settings.clone() };
    let run = SearchRun { seed: 1, evaluations, watch: &Unwatched };
    catalog::optimizer(&settings).unwrap().search(table, problem.as_ref(), &run).unwrap()
}

/// A sample whose columns are recoded by cuts and breaks, and here and there by levels.
fn table(sample: &Sample, families: &[u8]) -> FrequencyTable {
    let mut study = sample.study(SearchSettings::default());
    for (column, pick) in study.columns[..sample.quasi.len()].iter_mut().zip(families) {
        column.recode =
            Some([Family::Cuts, Family::Breaks, Family::Cuts, Family::Breaks, Family::Levels][*pick as usize]);
    }
    paretonym::study::count(&study, &sample.engine(), &Unwatched).unwrap()
}

fn all_settings(sample: &Sample, number: usize) -> Vec<SearchSettings> {
    let mut all = Vec::new();
    for (at, loss) in LOSS_FORMS.iter().enumerate().filter(|(_, loss)| loss.name != "precision") {
        for (model_at, model) in PRIVACY_FORMS.iter().enumerate() {
            // Every pair of model and loss meets every problem in some series.
            let kind = (at + model_at + number) % 7;
            let (problem, eta) = [
                ("zero-suppression", 0.0),
                ("max-suppression", 0.2),
                ("max-suppression", 0.5),
                ("any-suppression", 0.0),
                ("kl-safety", 0.2),
                ("kl-safety", 0.4),
                ("preference", 0.0),
            ][kind];
            let mut settings = SearchSettings {
                problem: problem.into(),
                loss: loss.name.into(),
                eta,
                cutoffs: if at % 2 == 0 { CutoffRule::All } else { CutoffRule::Budget },
                privacy: OneOrMore::One((*model).to_owned()),
                costs: if loss.costs { class_costs(&sample.classes()) } else { Vec::new() },
                ..SearchSettings::default()
            }
            .with("form", if kind == 5 { "ordered" } else { "joint" });
            if problem == "kl-safety" && *model == "k" {
                settings.privacy = OneOrMore::More(["k", "t"].map(String::from).to_vec());
            }
            all.push(settings);
        }
        all.push(
            SearchSettings {
                problem: "single".into(),
                loss: loss.name.into(),
                costs: if loss.costs { class_costs(&sample.classes()) } else { Vec::new() },
                ..SearchSettings::default()
            }
            .with("k", 2),
        );
    }
    all
}

/// Points, recodings and the number of alternatives; losses that are sums of many terms may differ in the last bits.
fn assert_equal(exact: &Found, truth: &Found, what: &dyn Fn() -> String) -> TestCaseResult {
    prop_assert!(exact.exact && exact.complete && truth.exact, "{} is not proven", what());
    let (own, all) = (exact.archive.entries(), truth.archive.entries());
    prop_assert_eq!(own.len(), all.len(), "{}: {:?} and {:?}", what(), own, all);
    for (own, all) in own.iter().zip(all) {
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-9 * a.abs().max(1.0);
        prop_assert!(own.point.costs().iter().zip(all.point.costs()).all(near), "{}: {:?} {:?}", what(), own, all);
        prop_assert_eq!((&own.recoding, own.alternatives), (&all.recoding, all.alternatives), "{}", what());
    }
    Ok(())
}

#[test]
fn whatever_is_measured() {
    for number in 0..7 {
        let values = (samples(3, 1..=2), prop::collection::vec(0u8..5, 3));
        check(series(4, number), values, |(sample, families)| {
            let table = table(&sample, &families);
            let space = Layout::of(&table).size().unwrap();
            if space > LARGEST || table.is_lattice() {
                return Err(TestCaseError::reject("not a small space of cuts and breaks"));
            }
            for settings in all_settings(&sample, number as usize) {
                // A sensitive column of one value, a k above the number of rows: not what is tested here.
                if catalog::problem(&settings, &table).and_then(|problem| problem.check(&table)).is_err() {
                    continue;
                }
                let (exact, truth) =
                    (search(&table, &settings, "exact", None), search(&table, &settings, "exhaustive", None));
                prop_assert_eq!((truth.evaluated, truth.space), (space, Some(space)));
                prop_assert!(exact.evaluated <= space);
                let what = || format!("{} {:?} {}", settings.problem, settings.privacy, settings.loss);
                assert_equal(&exact, &truth, &what)?;
            }
            Ok(())
        });
    }
}

/// With too few evaluations nothing is claimed, and what is reported was evaluated.
#[test]
fn a_proof_that_does_not_fit_its_budget_claims_nothing() {
    let values = (samples(3, 1..=1), prop::collection::vec(0u8..4, 3), 0.0..1.0f64);
    check(series(20, 20), values, |(sample, families, share)| {
        let table = table(&sample, &families);
        let space = Layout::of(&table).size().unwrap();
        prop_assume!(space <= LARGEST);
        let settings = SearchSettings { problem: "max-suppression".into(), eta: 0.2, ..SearchSettings::default() };
        let truth = search(&table, &settings, "exhaustive", None);
        let budget = (share * space as f64) as u64 + 1;
        for optimizer in ["exact", "exhaustive", "nsga2"] {
            let found = search(&table, &settings, optimizer, Some(budget));
            prop_assert!(found.evaluated <= budget);
            prop_assert_eq!(found.exact, found.complete);
            if found.exact {
                assert_equal(&found, &truth, &|| optimizer.to_owned())?;
            } else {
                // nsga2 keeps some back to move the columns of what it finds last, which may not take them all.
                let kept_back = if optimizer == "nsga2" { 100.min(budget / 50) } else { 0 };
                prop_assert!(found.evaluated + kept_back >= budget, "{} left evaluations unused", optimizer);
                prop_assert!(found.notes.iter().any(|note| note.contains("evaluations")), "{:?}", found.notes);
            }
            let known = |entry| truth.archive.covers(entry);
            prop_assert!(found.archive.entries().iter().all(|entry| known(&entry.point)));
        }
        Ok(())
    });
}
