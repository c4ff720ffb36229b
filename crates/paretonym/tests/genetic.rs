//! The genetic searches against spaces that can be enumerated: every formulation on tables of 31,590 to 44,928 recodings.

use paretonym::catalog;
use paretonym::data::{AttributeCount, Domain, Kind};
use paretonym::engine::Unwatched;
use paretonym::front::{Archive, Cutoff, Point, Scale};
use paretonym::group::{Attribute, FrequencyTable, Grouping, Kept, Needs, Suppressed, Workspace};
use paretonym::measure::Measure;
use paretonym::privacy::{FrequencyL, K};
use paretonym::problem::Problem;
use paretonym::recode::{Family, QuasiColumn};
use paretonym::search::genetic::{Dice, Genome, Layout, Pool};
use paretonym::search::{Found, SearchRun};
use paretonym::settings::{CutoffRule, OneOrMore, SearchSettings};
use paretonym::taxonomy::{Hierarchy, Level};

const SEEDS: u64 = 10;

fn labels(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|value| format!("{prefix}{value}")).collect()
}

fn column(name: &str, leaves: usize, widths: &[usize], family: Family) -> QuasiColumn {
    let names = labels(name, leaves);
    let levels = widths.iter().map(|width| {
        let set_of: Vec<u32> = (0..leaves).map(|leaf| (leaf / width) as u32).collect();
        Level { set_of, labels: labels(&format!("{name}/{width}-"), leaves.div_ceil(*width)) }
    });
    let hierarchy = Hierarchy::from_partitions(name, &names, levels.collect()).unwrap();
    let domain = Domain::of_labels(Kind::Categorical, names);
    QuasiColumn { name: name.into(), domain, hierarchy, family, weight: 0.25 }
}

/// Which columns a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// 26 and 9 cuts, 64 break patterns, 3 levels: 44,928 recodings.
    Mixed,
    /// 26, 9, 9 and 5 cuts, 3 levels: 31,590 recodings.
    Cuts,
    /// 32, 32, 16 and 2 break patterns: 32,768 recodings.
    Breaks,
}

impl Shape {
    fn columns(self) -> Vec<QuasiColumn> {
        match self {
            Shape::Mixed => vec![
                column("a", 8, &[2, 4], Family::Cuts),
                column("b", 6, &[2], Family::Cuts),
                column("c", 7, &[], Family::Breaks),
                column("d", 4, &[2], Family::Levels),
            ],
            Shape::Cuts => vec![
                column("a", 12, &[3, 6], Family::Cuts),
                column("b", 6, &[2], Family::Cuts),
                column("c", 9, &[3], Family::Cuts),
                column("d", 4, &[2], Family::Cuts),
                column("e", 4, &[2], Family::Levels),
            ],
            Shape::Breaks => vec![
                column("a", 6, &[], Family::Breaks),
                column("b", 6, &[], Family::Breaks),
                column("c", 5, &[], Family::Breaks),
                column("d", 2, &[], Family::Breaks),
            ],
        }
    }
}

/// Values are skewed and the columns depend on each other.
fn table(seed: u64) -> FrequencyTable {
    table_of(Shape::Mixed, seed)
}

fn table_of(shape: Shape, seed: u64) -> FrequencyTable {
    let mut dice = Dice::new(seed);
    let columns = shape.columns();
    let mut rows: Vec<(Vec<u32>, u32)> = (0..1500)
        .map(|_| {
            let kind = dice.share();
            let leaves: Vec<u32> = columns
                .iter()
                .map(|column| {
                    let place = (0.5 * kind + 0.5 * dice.share() * dice.share()) * column.domain.len() as f64;
                    place as u32
                })
                .collect();
            let sensitive = ((0.3 * kind + 0.7 * dice.share()) * 6.0) as u32;
            (leaves, sensitive)
        })
        .collect();
    rows.sort();
    let (mut leaves, mut counts, mut sensitive): (Vec<u32>, Vec<u64>, Vec<AttributeCount>) = Default::default();
    let mut last: Option<&(Vec<u32>, u32)> = None;
    for row in &rows {
        if last.is_none_or(|last| last.0 != row.0) {
            leaves.extend(&row.0);
            counts.push(0);
        }
        let tuple = counts.len() as u32 - 1;
        *counts.last_mut().unwrap() += 1;
        match sensitive.last_mut().filter(|entry| entry.tuple == tuple && entry.value == row.1) {
            Some(entry) => entry.count += 1,
            None => sensitive.push(AttributeCount { tuple, value: row.1, count: 1 }),
        }
        last = Some(row);
    }
    let attribute = Attribute {
        name: "s".into(),
        sensitive: true,
        target: true,
        domain: Domain::of_labels(Kind::Categorical, labels("s", 6)),
        hierarchy: None,
        totals: Vec::new(),
    };
    FrequencyTable::new(columns, vec![attribute], &leaves, &counts, &[sensitive], 0).unwrap()
}

/// Every valid chromosome: whatever steps reach from everything joined.
fn everything(layout: &Layout) -> Vec<Genome> {
    let mut reached = vec![Genome::zeros(layout.bits)];
    let mut known: std::collections::HashSet<Genome> = reached.iter().cloned().collect();
    let mut at = 0;
    while at < reached.len() {
        for step in layout.neighbours(&reached[at], false) {
            let to = step.to(&reached[at]);
            if known.insert(to.clone()) {
                reached.push(to);
            }
        }
        at += 1;
    }
    reached
}

/// The true front, and the box that holds whatever can be reached.
fn truth(table: &FrequencyTable, problem: &dyn Problem) -> (Archive, Scale) {
    let layout = Layout::of(table);
    let genomes = everything(&layout);
    assert_eq!(layout.size(), Some(genomes.len() as u64));
    assert!(genomes.len() >= 20_000);
    let pool = Pool::new(table, problem, &layout, &Unwatched);
    let mut archive = Archive::new();
    let mut met: Vec<Point> = Vec::new();
    for part in genomes.chunks(4096) {
        for (genome, judged) in part.iter().zip(pool.evaluate(part, &archive)) {
            let judged = judged.unwrap();
            let recoding = layout.decode(table, genome);
            judged.outcomes.iter().for_each(|outcome| archive.insert(outcome, &recoding));
            met.extend(judged.ranked);
        }
    }
    let scale = Scale::new(&problem.objectives(), table.rows, met.iter());
    (archive, scale)
}

fn points<P>(archive: &Archive<P>) -> Vec<Point> {
    archive.entries().iter().map(|entry| entry.point).collect()
}

fn search(table: &FrequencyTable, problem: &dyn Problem, settings: &SearchSettings, seed: u64) -> Found {
    let run = SearchRun { seed, evaluations: settings.evaluations, watch: &Unwatched };
    catalog::optimizer(settings).unwrap().search(table, problem, &run).unwrap()
}

/// 95 % of the hypervolume within 2,000 evaluations, and the whole front within 10,000, for 9 of 10 seeds on the first
/// table and for all of fewer on the others.
fn finds_the_front(settings: SearchSettings) {
    for (shape, seed, seeds) in [(Shape::Mixed, 5, SEEDS), (Shape::Cuts, 6, 3), (Shape::Breaks, 7, 3)] {
        let table = table_of(shape, seed);
        let (near, whole) = search_many(&table, settings.clone(), seeds);
        let enough = seeds - seeds / 10;
        assert!(near >= enough, "{shape:?}: 95 % of the hypervolume for {near} of {seeds} seeds");
        assert!(whole >= enough, "{shape:?}: the whole front for {whole} of {seeds} seeds");
    }
}

/// For how many seeds a search comes near, and for how many it finds the whole front.
fn search_many(table: &FrequencyTable, mut settings: SearchSettings, seeds: u64) -> (u64, u64) {
    let problem = catalog::problem(&settings, table).unwrap();
    let (front, scale) = truth(table, problem.as_ref());
    let best = scale.hypervolume(points(&front).iter());
    let (mut near, mut whole) = (0, 0);
    for seed in 1..=seeds {
        settings.evaluations = Some(2_000);
        let found = search(table, problem.as_ref(), &settings, seed);
        assert!(found.evaluated <= 2_000 && !found.exact);
        let volume = scale.hypervolume(points(&found.archive).iter());
        assert!(volume <= best * (1.0 + 1e-12), "better than the truth: {volume} > {best}");
        near += u64::from(volume >= 0.95 * best);

        settings.evaluations = Some(10_000);
        let found = search(table, problem.as_ref(), &settings, seed);
        assert!(found.evaluated <= 10_000);
        assert!(!found.exact || points(&front) == points(&found.archive), "what is called exact is not the front");
        whole += u64::from(points(&front).iter().all(|point| points(&found.archive).contains(point)));
        recount(table, problem.as_ref(), &found);
    }
    println!("{} points: near {near}, whole {whole} of {seeds}", front.entries().len());
    (near, whole)
}

/// Every reported point holds when the release is counted again from the tuples.
fn recount(table: &FrequencyTable, problem: &dyn Problem, found: &Found) {
    let mut grouping = Grouping::default();
    for entry in found.archive.entries() {
        Workspace::default().group(
            table,
            &table.tuples,
            entry.recoding.table_wide().unwrap(),
            Needs::ALL,
            &mut grouping,
        );
        let gone = Suppressed::by(&grouping, |group| problem.suppresses(&entry.cutoff, grouping.groups.view(group)));
        let kept = Kept { table, grouping: &grouping, suppressed: &gone };
        if problem.name() == "kl-safety" {
            let counted = [-K.score(&kept), -FrequencyL::new(table).unwrap().score(&kept), problem.loss().score(&kept)];
            for (counted, reported) in counted.iter().zip(entry.point.costs()) {
                assert!((counted - reported).abs() < 1e-9, "{counted} counted, {reported} reported");
            }
            assert!(gone.rows <= 150, "{} rows suppressed of a budget of 150", gone.rows);
        }
        if problem.name() == "single" {
            assert!(K.score(&kept) >= 10.0);
        }
        assert_eq!(entry.cutoff == Cutoff::Nothing, gone.rows == 0);
    }
}

fn settings(problem: &str) -> SearchSettings {
    SearchSettings { problem: problem.into(), optimizer: "nsga2".into(), eta: 0.1, ..SearchSettings::default() }
}

#[test]
fn zero_suppression() {
    finds_the_front(settings("zero-suppression"));
}

#[test]
fn max_suppression_with_every_cutoff() {
    finds_the_front(settings("max-suppression"));
}

#[test]
fn max_suppression_with_the_budget_rule() {
    finds_the_front(SearchSettings { cutoffs: CutoffRule::Budget, ..settings("max-suppression") });
}

#[test]
fn max_suppression_with_t_closeness() {
    finds_the_front(SearchSettings { privacy: OneOrMore::One("t".into()), ..settings("max-suppression") });
}

#[test]
fn any_suppression() {
    finds_the_front(settings("any-suppression"));
}

#[test]
fn kl_safety_joint() {
    finds_the_front(settings("kl-safety"));
}

#[test]
fn kl_safety_ordered() {
    for (prefer, cutoffs) in [("l", CutoffRule::Budget), ("k", CutoffRule::All)] {
        finds_the_front(
            SearchSettings { cutoffs, ..settings("kl-safety") }.with("form", "ordered").with("prefer", prefer),
        );
    }
}

#[test]
fn preference() {
    finds_the_front(settings("preference").with("necd_pref", 0.1));
}

#[test]
fn single_with_nsga2_and_genitor() {
    for (optimizer, loss) in [("nsga2", "general"), ("genitor", "general"), ("genitor", "classification")] {
        let own = SearchSettings { optimizer: optimizer.into(), loss: loss.into(), ..settings("single") }.with("k", 10);
        finds_the_front(own);
    }
}

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
