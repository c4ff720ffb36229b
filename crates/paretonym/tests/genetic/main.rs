//! The genetic searches against spaces that can be enumerated: every formulation on tables of 31,590 to 44,928 recodings.

mod column_moves;
mod fronts;
mod rules;
mod shapes;

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
use shapes::{Shape, column, labels, table_of};

const SEEDS: u64 = 10;

/// Values are skewed and the columns depend on each other.
fn table(seed: u64) -> FrequencyTable {
    table_of(Shape::Mixed, seed)
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
