//! What holds of every genetic search: threads, budgets, the faithful form, mistakes.

use super::*;

/// The same seed gives the same front on any number of threads; another seed gives another search.
#[test]
fn threads_do_not_matter() {
    let table = table(7);
    for (problem, optimizer, faithful) in [
        ("max-suppression", "nsga2", false),
        ("max-suppression", "nsga2", true),
        ("kl-safety", "nsga2", false),
        ("single", "genitor", false),
        ("single", "genitor", true),
    ] {
        let mut own =
            SearchSettings { optimizer: optimizer.into(), ..settings(problem) }.with("faithful", faithful).with("k", 5);
        own.evaluations = Some(1_500);
        let problem = catalog::problem(&own, &table).unwrap();
        let on = |threads: usize, seed: u64| {
            let threads = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            threads.install(|| search(&table, problem.as_ref(), &own, seed))
        };
        let (one, four, other) = (on(1, 3), on(4, 3), on(1, 4));
        assert_eq!(one.archive.entries(), four.archive.entries());
        assert_eq!(one.evaluated, four.evaluated);
        if problem.objectives().len() > 1 {
            assert_ne!(one.archive.entries(), other.archive.entries());
        }
    }
}

/// The faithful form counts every offspring and stays within its budget.
#[test]
fn the_faithful_form_counts_every_offspring() {
    let table = table(5);
    let own = SearchSettings { cutoffs: CutoffRule::Budget, ..settings("max-suppression") }
        .with("faithful", true)
        .with("population", 30)
        .with("generations", 20);
    let problem = catalog::problem(&own, &table).unwrap();
    let found = search(&table, problem.as_ref(), &own, 1);
    assert_eq!(found.evaluated, 600);
    assert!(found.complete && !found.exact);
    let (front, scale) = truth(&table, problem.as_ref());
    assert!(scale.hypervolume(points(&found.archive).iter()) <= scale.hypervolume(points(&front).iter()) + 1e-12);
}

/// A search that has evaluated everything says that its front is proven.
#[test]
fn a_small_space_is_searched_to_its_end() {
    let full = table(5);
    let columns: Vec<QuasiColumn> = full.columns[1..2].to_vec();
    let small = FrequencyTable::new(columns, Vec::new(), &[0, 1, 2, 3, 4, 5], &[3, 1, 4, 1, 5, 9], &[], 0).unwrap();
    let own = settings("max-suppression");
    let problem = catalog::problem(&own, &small).unwrap();
    let found = search(&small, problem.as_ref(), &own, 1);
    assert_eq!((found.evaluated, found.space), (9, Some(9)));
    assert!(found.exact && found.complete);
}

/// A large group of low diversity stays under S0's order: what is reported is what is measured.
#[test]
fn the_order_of_classes_does_not_promise_safety() {
    let columns = vec![column("b", 6, &[2], Family::Cuts)];
    let attribute = Attribute {
        name: "s".into(),
        sensitive: true,
        target: false,
        domain: Domain::of_labels(Kind::Categorical, labels("s", 3)),
        hierarchy: None,
        totals: Vec::new(),
    };
    // Groups (rows, l): (2, 2), (3, 1), (9, 1), (9, 3).
    let count = |tuple, value, count| AttributeCount { tuple, value, count };
    let counts = vec![
        count(0, 0, 1),
        count(0, 1, 1),
        count(1, 0, 3),
        count(2, 0, 9),
        count(3, 0, 3),
        count(3, 1, 3),
        count(3, 2, 3),
    ];
    let table = FrequencyTable::new(columns, vec![attribute], &[0, 1, 2, 3], &[2, 3, 9, 9], &[counts], 0).unwrap();
    let layout = Layout::of(&table);
    let leaves = layout.of_levels(&[0]);
    let outcomes = |form: &str, prefer: &str, cutoffs: CutoffRule, eta: f64| {
        let own = SearchSettings { cutoffs, eta, ..settings("kl-safety") }.with("form", form).with("prefer", prefer);
        let problem = catalog::problem(&own, &table).unwrap();
        let pool = Pool::new(&table, problem.as_ref(), &layout, &Unwatched);
        let judged = pool.evaluate_one(&leaves, &Archive::new());
        judged.outcomes.iter().map(|outcome| (-outcome.point.costs()[0], -outcome.point.costs()[1])).collect::<Vec<_>>()
    };
    // The example at the head of kl_safety.rs: a budget of 3 rows.
    assert_eq!(outcomes("joint", "l", CutoffRule::All, 3.0 / 23.0), [(2.0, 1.0), (3.0, 1.0)]);
    // k << l with a budget of 5 rows: E(2,2) and E(3,1) go; d = (9,1), and that is what is measured.
    assert_eq!(outcomes("ordered", "l", CutoffRule::Budget, 5.0 / 23.0), [(9.0, 1.0)]);
    // l << k: E(3,1) goes, E(9,1) does not fit. The first class that stays is (9,1), yet a group of 2 rows is left.
    assert_eq!(outcomes("ordered", "k", CutoffRule::Budget, 5.0 / 23.0), [(2.0, 1.0)]);
    // With 12 rows joint reaches l = 2; with 14 also without the group of 2.
    assert!(outcomes("joint", "l", CutoffRule::All, 12.0 / 23.0).contains(&(2.0, 2.0)));
    assert!(outcomes("joint", "l", CutoffRule::All, 14.0 / 23.0).contains(&(9.0, 3.0)));
}

#[test]
fn wrong_settings_are_explained() {
    let table = table(5);
    let says = |own: SearchSettings, words: &str| {
        let error = catalog::problem(&own, &table).and_then(|problem| {
            let run = SearchRun { seed: 1, evaluations: Some(10), watch: &Unwatched };
            catalog::optimizer(&own)?.search(&table, problem.as_ref(), &run)
        });
        let error = error.expect_err(words);
        assert!(error.is_input() && error.to_string().contains(words), "{error}");
    };
    says(SearchSettings { optimizer: "genitor".into(), ..settings("max-suppression") }, "minimises one metric");
    says(settings("single"), "write k = 10");
    says(settings("single").with("k", 2_000), "more than the table has rows");
    says(settings("kl-safety").with("form", "jiont"), "did you mean \"joint\"?");
    let more = OneOrMore::More(["k", "l", "t", "alpha", "entropy-l", "distinct-l"].map(String::from).into());
    says(SearchSettings { privacy: more, ..settings("kl-safety") }, "two to 5 privacy models");
    says(settings("preference").with("k_pref", 0.0), "k_pref must be");
    says(settings("max-suppression").with("crossover", 1.5), "share from 0 to 1");
    says(settings("max-suppression").with("population", 1), "population must be");
}
