//! The worked examples of S2 (comparing disclosure control algorithms, EDBT 2009), row by row, and comparisons at scale.

use std::cmp::Ordering;

use paretonym::catalog;
use paretonym::compare::{
    Coded, Comparator, Comparators, Comparison, Coverage, Dominance, Goal, Hypervolume, Known, Lexicographic, Matched,
    Minimum, Original, Property, PropertyKind, Rank, Release, SetComparator, Spread, Vectors, WeightedSum, dominance,
    dominance_of_sets, released, verdict,
};

/// Table 1: zip code, age, marital status.
const ROWS: [[&str; 3]; 10] = [
    ["13053", "28", "CF-Spouse"],
    ["13268", "41", "Separated"],
    ["13268", "39", "Never Married"],
    ["13053", "26", "CF-Spouse"],
    ["13253", "50", "Divorced"],
    ["13253", "55", "Spouse Absent"],
    ["13250", "49", "Divorced"],
    ["13052", "31", "Spouse Present"],
    ["13269", "42", "Separated"],
    ["13250", "47", "Separated"],
];

const A: [&str; 3] = ["1305*", "(25,35]", "Married"];
const B: [&str; 3] = ["1326*", "(35,45]", "Not Married"];
const C: [&str; 3] = ["1325*", "(45,55]", "Not Married"];
/// Table 2, left.
const T3A: [[&str; 3]; 10] = [A, B, B, A, C, C, C, A, B, C];
const D: [&str; 3] = ["130**", "(15,35]", "Married"];
const E: [&str; 3] = ["132**", "(35,55]", "Not Married"];
/// Table 2, right.
const T3B: [[&str; 3]; 10] = [D, E, E, D, E, E, E, D, E, E];
const F: [&str; 3] = ["13***", "(20,40]", "*"];
const G: [&str; 3] = ["13***", "(40,60]", "*"];
/// Table 3.
const T4: [[&str; 3]; 10] = [F, G, F, F, G, G, G, F, G, G];

const SIZES_3A: [f64; 10] = [3., 3., 3., 3., 4., 4., 4., 3., 3., 4.];
const SIZES_3B: [f64; 10] = [3., 7., 7., 3., 7., 7., 7., 3., 7., 7.];
const SIZES_4: [f64; 10] = [4., 6., 4., 4., 6., 6., 6., 4., 6., 6.];
const UTILITY_3A: [f64; 10] = [2.03, 1.7, 1.7, 2.03, 1.6, 1.6, 1.6, 2.03, 1.7, 1.6];
const UTILITY_3B: [f64; 10] = [2.03, 0.97, 0.97, 2.03, 0.97, 0.97, 0.97, 2.03, 0.97, 0.97];

fn coded(name: &str, cells: impl Iterator<Item = &'static str>) -> Coded {
    let mut column = Coded { name: name.into(), ..Coded::default() };
    for cell in cells {
        let known = column.texts.iter().position(|text| text == cell);
        let code = known.unwrap_or_else(|| {
            column.texts.push(cell.to_owned());
            column.texts.len() - 1
        });
        column.codes.push(code as u32);
    }
    column
}

fn columns(rows: &'static [[&'static str; 3]; 10]) -> Vec<Coded> {
    ["zip", "age", "marital"]
        .iter()
        .enumerate()
        .map(|(at, name)| coded(name, rows.iter().map(move |r| r[at])))
        .collect()
}

fn original() -> Original {
    let mut quasi = columns(&ROWS);
    let sensitive = vec![quasi[2].clone()];
    quasi.truncate(3);
    Original { rows: 10, quasi, sensitive }
}

fn release(name: &str, rows: &'static [[&'static str; 3]; 10]) -> Release {
    released(name, &original(), &columns(rows), &[true; 10], Matched::Position, &Known::default())
}

fn values<'a>(release: &'a Release, property: &str) -> &'a [f64] {
    &release.properties.iter().find(|own| own.kind.name() == property).expect(property).values
}

fn pair<'a>(one: &'a [f64], other: &'a [f64]) -> Vectors<'a> {
    Vectors::of_rows(one, other)
}

fn close(left: f64, right: f64) {
    assert!((left - right).abs() < 1e-9, "{left} is not {right}");
}

/// S2 section 3: group sizes of T3a, T3b, T4 from the cells of the tables.
#[test]
fn group_sizes_of_tables_2_and_3() {
    assert_eq!(values(&release("T3a", &T3A), "group-size"), SIZES_3A);
    assert_eq!(values(&release("T3b", &T3B), "group-size"), SIZES_3B);
    assert_eq!(values(&release("T4", &T4), "group-size"), SIZES_4);
    close(SIZES_3A.iter().sum::<f64>() / 10.0, 3.4);
}

/// S2 section 3: how often a row's own marital status occurs in its group, in T3a; and the l level beside it.
#[test]
fn sensitive_counts_of_t3a() {
    let release = release("T3a", &T3A);
    assert_eq!(values(&release, "sensitive-count:marital"), [2., 2., 1., 2., 2., 1., 2., 1., 2., 1.]);
    assert_eq!(values(&release, "l"), [1., 1., 1., 1., 2., 2., 2., 1., 1., 2.]);
}

/// S2 5.5: its utility vectors come from |set| / |domain| with distinct values; ours charges (|set| - 1) / (|domain| - 1).
#[test]
fn utility_of_t3a_and_t3b() {
    for (rows, printed) in [(&T3A, UTILITY_3A), (&T3B, UTILITY_3B)] {
        let own = release("x", rows);
        for row in 0..10 {
            let (mut papers, mut ours) = (0.0, 0.0);
            for (column, domain) in [6.0, 10.0, 6.0].into_iter().enumerate() {
                let mut set: Vec<&str> =
                    (0..10).filter(|r| rows[*r][column] == rows[row][column]).map(|r| ROWS[r][column]).collect();
                set.sort_unstable();
                set.dedup();
                papers += 1.0 - set.len() as f64 / domain;
                ours += 1.0 - (set.len() as f64 - 1.0) / (domain - 1.0);
            }
            assert!((papers - printed[row]).abs() < 0.005, "row {row}: {papers} printed as {}", printed[row]);
            close(values(&own, "utility")[row], ours);
        }
    }
}

/// S2 5.2.
#[test]
fn coverage() {
    close(Coverage.index(pair(&SIZES_3A, &SIZES_3B)), 0.3);
    close(Coverage.index(pair(&SIZES_3B, &SIZES_3A)), 1.0);
    assert_eq!(Coverage.prefers(pair(&SIZES_4, &SIZES_3A)), Ordering::Greater, "T4 is cov-better than T3a");
    assert_eq!(Coverage.prefers(pair(&SIZES_3B, &SIZES_4)), Ordering::Greater, "T3b is cov-better than T4");
    let (one, other) = ([2., 2., 3., 4., 5.], [3., 2., 4., 2., 3.]);
    close(Coverage.index(pair(&one, &other)), 0.6);
    close(Coverage.index(pair(&other, &one)), 0.6);
    assert_eq!(Coverage.prefers(pair(&one, &other)), Ordering::Equal);
}

/// S2 5.3, with the erratum: S2 prints 2 and 8 for the vectors of fifteen rows, its formula gives 2 and 10.
#[test]
fn spread() {
    close(Spread.index(pair(&SIZES_3B, &SIZES_3A)), 24.0);
    close(Spread.index(pair(&SIZES_3A, &SIZES_3B)), 0.0);
    let (one, other) = ([2., 2., 3., 4., 5.], [3., 2., 4., 2., 3.]);
    close(Spread.index(pair(&one, &other)), 4.0);
    close(Spread.index(pair(&other, &one)), 2.0);
    let three = [3., 3., 3., 5., 5., 5., 5., 3., 3., 3., 3., 4., 4., 4., 4.];
    let two = [2., 2., 6., 6., 6., 6., 6., 6., 3., 3., 3., 4., 4., 4., 4.];
    close(Spread.index(pair(&three, &two)), 2.0);
    close(Spread.index(pair(&two, &three)), 10.0);
}

/// S2 5.4: 84375 against 65536 before the common part is taken off.
#[test]
fn hypervolume() {
    let (s, t) = ([3., 3., 3., 5., 5., 5., 5., 5.], [4.; 8]);
    let common: f64 = s.iter().zip(&t).map(|(s, t): (&f64, &f64)| s.min(*t)).product();
    close(Hypervolume.index(pair(&s, &t)).exp() * common, 84375.0);
    close(Hypervolume.index(pair(&t, &s)).exp() * common, 65536.0);
    assert_eq!(Hypervolume.prefers(pair(&s, &t)), Ordering::Greater);
    assert_eq!(Hypervolume.note(pair(&s, &t)), None);
    assert!(Hypervolume.note(pair(&[0.0, 2.0], &[1.0, 1.0])).expect("a note").contains("1 rows"));
    close(Hypervolume.index(pair(&[0.0, 2.0], &[1.0, 1.0])), 2f64.ln());
}

/// S2 5.1.
#[test]
fn minimum_and_rank() {
    close(Minimum.index(pair(&SIZES_3B, &SIZES_4)), 3.0);
    assert_eq!(Minimum.prefers(pair(&SIZES_4, &SIZES_3B)), Ordering::Greater);
    let rank = Rank { wished: vec![6.0, 8.0], tolerance: 0.0 };
    close(rank.index(pair(&[3.0, 4.0], &[0.0, 0.0])), 5.0);
    let wished = catalog::comparator("rank(wished=7, tolerance=1.5)").expect("a comparator");
    let (near, far) = (wished.index(pair(&SIZES_3B, &SIZES_4)), wished.index(pair(&SIZES_4, &SIZES_3B)));
    close(near, 48f64.sqrt());
    close(far, 42f64.sqrt());
    assert_eq!(wished.prefers(pair(&SIZES_3B, &SIZES_4)), Ordering::Equal, "within the tolerance");
    let strict = catalog::comparator("rank(wished=7)").expect("a comparator");
    assert_eq!(strict.prefers(pair(&SIZES_3B, &SIZES_4)), Ordering::Less);
}

/// S2 Table 4.
#[test]
fn dominance_of_vectors_and_sets() {
    assert_eq!(dominance(pair(&SIZES_3B, &SIZES_3A)), Dominance::Strong);
    assert_eq!(dominance(pair(&SIZES_3A, &SIZES_3B)), Dominance::Dominated);
    assert_eq!(dominance(pair(&SIZES_3A, &SIZES_3A)), Dominance::Weak);
    assert_eq!(dominance(pair(&SIZES_3B, &SIZES_4)), Dominance::Incomparable);
    let sizes = pair(&SIZES_3A, &SIZES_3B);
    let utility = pair(&UTILITY_3A, &UTILITY_3B);
    assert_eq!(dominance_of_sets(&[sizes, utility]), Dominance::Incomparable);
    assert_eq!(dominance_of_sets(&[utility, pair(&SIZES_4, &SIZES_4)]), Dominance::Strong);
    let weak = |name: &str, vectors| catalog::comparator(name).expect(name).index(vectors);
    assert_eq!(weak("weak-dominance", pair(&SIZES_3A, &SIZES_3A)), 1.0);
    assert_eq!(weak("strong-dominance", pair(&SIZES_3A, &SIZES_3A)), 0.0);
    assert_eq!(weak("strong-dominance", pair(&SIZES_3B, &SIZES_3A)), 1.0);
}

/// S2 5.5 to 5.7.
#[test]
fn sets_of_properties() {
    let sets = [pair(&SIZES_3A, &SIZES_3B), pair(&UTILITY_3A, &UTILITY_3B)];
    let equal = WeightedSum { weights: Vec::new(), by: Box::new(Coverage) };
    close(equal.index(&sets), (0.3 + 1.0) / 2.0);
    assert_eq!(equal.prefers(&sets), Ordering::Equal, "T3a and T3b tie");
    let privacy_first = catalog::set_comparator("wtd(weights=2/1)", Box::new(Coverage)).expect("wtd");
    assert_eq!(privacy_first.prefers(&sets), Ordering::Less);

    let lex = Lexicographic { epsilons: vec![0.1], by: Box::new(Coverage) };
    assert_eq!((lex.index(&sets), lex.prefers(&sets)), (2.0, Ordering::Less));
    let tolerant = catalog::set_comparator("lex(epsilons=0.8/0.1)", Box::new(Coverage)).expect("lex");
    assert_eq!(tolerant.prefers(&sets), Ordering::Greater, "a difference of 0.7 does not count in the first");

    let goal = Goal { goals: vec![1.0, 1.0], by: Box::new(Coverage) };
    close(goal.index(&sets), 0.49);
    assert_eq!(goal.prefers(&sets), Ordering::Equal);
    let private = Goal { goals: vec![1.0, 0.3], by: Box::new(Coverage) };
    assert_eq!(private.prefers(&sets), Ordering::Less);
    let wished = Goal::of_vectors(Box::new(Minimum), &[&[3.0; 10], &[1.6; 10]]);
    assert_eq!(wished.goals, [3.0, 1.6]);
    assert_eq!(wished.prefers(&sets), Ordering::Greater, "both are 3-anonymous, T3a keeps more for its worst row");
}

#[test]
fn a_comparison_in_words_and_in_json() {
    let mut releases = [release("A", &T3A), release("B", &T3B)];
    releases.iter_mut().for_each(|release| release.properties.truncate(2));
    let comparison = Comparison::new(&releases, &Comparators::default()).expect("a comparison");
    let said = verdict(&comparison);
    assert_eq!(
        said,
        [
            "B gives 7 of 10 people a larger group; A keeps more detail for 7 of 10 people; equal weights: a tie; neither is better for everybody."
        ]
    );
    let json = comparison.to_json();
    assert_eq!(json["properties"]["group-size"]["cov"], serde_json::json!([[1.0, 0.3], [1.0, 1.0]]));
    assert_eq!(json["properties"]["group-size"]["spr"][1][0], 24.0);
    assert_eq!(json["properties"]["group-size"]["dominance"][1][0], "strong");
    assert_eq!(json["properties"]["group-size"]["rank"][1], 0.0);
    assert!(json["sets"]["wtd"][0][1] == json["sets"]["wtd"][1][0]);
}

/// Suppressed rows stay in the vectors as one fully generalized group.
#[test]
fn suppressed_rows_are_one_group() {
    let mut present = [true; 10];
    for row in [0, 3, 7] {
        present[row] = false;
    }
    let release = released("x", &original(), &columns(&T3A), &present, Matched::Id, &Known::default());
    assert_eq!(values(&release, "group-size")[0], 3.0);
    assert_eq!(values(&release, "utility")[0], 0.0);
    assert!(values(&release, "utility")[1] > 0.0);
}

/// A comparator of one's own: the share of rows that hide among at least five.
struct HidesAmongFive;

impl Comparator for HidesAmongFive {
    fn name(&self) -> String {
        "five".into()
    }
    fn is_unary(&self) -> bool {
        true
    }
    fn index(&self, vectors: Vectors) -> f64 {
        vectors.each().filter(|(one, _, _)| *one >= 5.0).map(|(_, _, rows)| rows).sum::<f64>() / vectors.total()
    }
}

#[test]
fn users_register_comparators() {
    let mut comparators = Comparators::default();
    comparators.register(Box::new(HidesAmongFive));
    let releases = [release("T3b", &T3B), release("T4", &T4)];
    let json = Comparison::new(&releases, &comparators).expect("a comparison").to_json();
    assert_eq!(json["properties"]["group-size"]["five"], serde_json::json!([0.7, 0.6]));
}

/// A million rows: the products of hv would overflow after a few hundred.
#[test]
fn a_million_rows() {
    let vector = |step: u64| -> Vec<f64> { (0..1_000_000u64).map(|row| ((row * step) % 9973 + 2) as f64).collect() };
    let property = |step| Property { kind: PropertyKind::GroupSize, values: vector(step), rows: None };
    let release = |name: &str, step| Release::new(name, vec![property(step)], Matched::Solution);
    let comparison = Comparison::new(&[release("A", 7), release("B", 11)], &Comparators::default()).expect("it");
    for (name, matrix) in &comparison.properties[0].indices {
        assert!(matrix.iter().flatten().all(|index| index.is_finite()), "{name}");
    }
    let huge = vec![1e300; 1_000_000];
    assert!(Hypervolume.index(pair(&huge, &vector(3))).is_finite());
}

/// Values that stand for many rows count as many.
#[test]
fn shared_values_count_by_rows() {
    let vectors = Vectors { one: &[3.0, 5.0], other: &[4.0, 4.0], rows: Some(&[3, 5]) };
    close(Coverage.index(vectors), 5.0 / 8.0);
    close(Spread.index(vectors.swapped()), 3.0);
    close(Hypervolume.index(vectors), 5.0 * 1.25f64.ln());
}

#[test]
fn misspelt_parameters_are_errors() {
    for wrong in ["covv", "cov(x=1)", "rank(wished=many)", "rank(tolerance=-1)"] {
        assert!(catalog::comparator(wrong).is_err_and(|error| error.is_input()), "{wrong}");
    }
    for wrong in ["wtd(weights=-1/2)", "lex(epsilons=a)", "gaol"] {
        assert!(catalog::set_comparator(wrong, Box::new(Coverage)).is_err_and(|error| error.is_input()), "{wrong}");
    }
}
