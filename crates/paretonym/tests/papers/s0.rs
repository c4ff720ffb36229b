//! S0's Table 1, its two recodings of Table 2, and what sections 4 and 5 make of them.

use paretonym::data::Role;
use paretonym::front::Outcome;
use paretonym::group::{FrequencyTable, Grouping, Suppressed};
use paretonym::measure::{Grouped, weighted_level};
use paretonym::privacy::K;
use paretonym::problem::{Scratch, budget_rows};
use paretonym::recode::{ColumnRecoding, Recoding};
use paretonym::settings::{CutoffRule, SearchSettings};
use paretonym::study::ColumnSpec;

use super::{assert_close, loss, runs};
use crate::support::{counted, grouped};

/// Table 1.
const ROWS: [[&str; 2]; 7] = [
    ["15", "Never Married"],
    ["17", "Never Married"],
    ["20", "Civ-Spouse"],
    ["26", "AF-Spouse"],
    ["28", "AF-Spouse"],
    ["30", "Civ-Spouse"],
    ["30", "AF-Spouse"],
];

/// Figure 2.
const MARITAL: &str = r#"
    "Not Married"."Never Married" = []
    "Not Married"."Once Married" = ["Divorced", "Widowed", "Separated"]
    "Married" = ["Spouse Absent", "Civ-Spouse", "AF-Spouse"]
"#;

fn table_1() -> FrequencyTable {
    let mut age = ColumnSpec::new("age", Role::Quasi);
    age.widths = Some(vec![10.0, 20.0]);
    let mut marital = ColumnSpec::new("marital status", Role::Quasi);
    marital.taxonomy = Some(toml::Value::Table(toml::from_str(MARITAL).unwrap()));
    counted(vec![age, marital], &ROWS.each_ref().map(|row| row.as_slice()))
}

/// Table 2: ages in twenties (T1) or tens (T2), marital status as Married or Not Married.
fn t1(table: &FrequencyTable) -> Grouping {
    grouped(table, &Recoding::of_levels(&[2, 2]))
}

fn t2(table: &FrequencyTable) -> Grouping {
    grouped(table, &Recoding::of_levels(&[1, 2]))
}

fn sizes(grouping: &Grouping) -> Vec<u64> {
    let mut sizes: Vec<u64> = grouping.groups.rows.iter().collect();
    sizes.sort_unstable();
    sizes
}

fn nothing(grouping: &Grouping) -> Suppressed {
    Suppressed::none(grouping.len())
}

/// The objectives of a problem's outcomes, as costs.
fn outcomes(table: &FrequencyTable, grouping: &Grouping, settings: &SearchSettings) -> Vec<Vec<f64>> {
    let mut points = Vec::new();
    let mut take = |outcome: Outcome| points.push(outcome.point.costs().to_vec());
    let problem = paretonym::catalog::problem(settings, table).unwrap();
    problem.outcomes(&Grouped { table, grouping }, &mut Scratch::default(), &mut take);
    points
}

fn settings(problem: &str, cutoffs: CutoffRule) -> SearchSettings {
    SearchSettings { problem: problem.into(), eta: 0.3, cutoffs, ..SearchSettings::default() }
}

fn assert_points(found: Vec<Vec<f64>>, expected: &[&[f64]], what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}: {found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.len(), expected.len(), "{what}");
        // Points are rounded to twelve digits.
        found.iter().zip(*expected).for_each(|(a, b)| assert!((a - b).abs() < 1e-11, "{what}: {a}, not {b}"));
    }
}

#[test]
fn domains_of_table_1_and_figure_2() {
    let table = table_1();
    assert_eq!(table.rows, 7, "Table 1");
    assert_eq!(table.columns[0].domain.labels, ["15", "17", "20", "26", "28", "30"], "Table 1: six ages");
    assert_eq!(table.columns[1].domain.len(), 7, "Figure 2: seven leaves");
    assert_eq!(table.columns[1].hierarchy.height(), 3, "Figure 2");
}

#[test]
fn table_2_groups_and_k() {
    let table = table_1();
    assert_eq!(sizes(&t1(&table)), [2, 5], "Table 2, T1");
    assert_eq!(sizes(&t2(&table)), [2, 2, 3], "Table 2, T2");
    for (grouping, name) in [(t1(&table), "T1"), (t2(&table), "T2")] {
        assert_eq!(sizes(&grouping)[0], 2, "5.4: {name} is 2-anonymous");
    }
}

#[test]
fn table_2_weighted_k() {
    let table = table_1();
    assert_close(weighted_level(&K, &t1(&table)), 29.0 / 7.0, "5.4, weighted-k of T1");
    assert_close(weighted_level(&K, &t2(&table)), 17.0 / 7.0, "5.4, weighted-k of T2");
}

#[test]
fn table_2_losses() {
    let table = table_1();
    for (grouping, gl, squares, name) in [(t1(&table), 13.0 / 30.0, 29.0, "T1"), (t2(&table), 32.0 / 105.0, 17.0, "T2")]
    {
        let general = loss("general", &table, &grouping, &nothing(&grouping));
        assert_close(general.kept, gl, &format!("eq. 3 and 4, GL of {name}"));
        assert_close(general.suppressed, 0.0, &format!("eq. 5, SL of {name}"));
        let discernibility = loss("discernibility", &table, &grouping, &nothing(&grouping)).total();
        assert_close(discernibility, squares, &format!("discernibility of {name}"));
        // The weights of S1 are equal where nothing is said, and the loss is then the general one.
        assert_close(loss("weighted", &table, &grouping, &nothing(&grouping)).total(), gl, &format!("NWP of {name}"));
    }
}

/// T1 as breaks of both columns, and as a cut of the tree: the same groups, the same loss.
#[test]
fn table_2_in_other_families() {
    let table = table_1();
    let node = |label: &str| {
        let nodes = table.columns[1].hierarchy.nodes();
        nodes.iter().position(|node| node.label == label).unwrap_or_else(|| panic!("no node {label}")) as u32
    };
    let ages = runs(&table, 0, &["20"]);
    let marital = [
        runs(&table, 1, &["Spouse Absent"]),
        ColumnRecoding::Cut(vec![node("Not Married"), node("Married")]),
        ColumnRecoding::Level(2),
    ];
    for marital in marital {
        let grouping = grouped(&table, &Recoding { columns: vec![ages.clone(), marital.clone()] });
        assert_eq!(sizes(&grouping), [2, 5], "T1 as {marital:?}");
        let gl = loss("general", &table, &grouping, &nothing(&grouping)).total();
        assert_close(gl, 13.0 / 30.0, &format!("GL of T1 as {marital:?}"));
    }
}

#[test]
fn problem_1_on_table_2() {
    let table = table_1();
    let settings = settings("zero-suppression", CutoffRule::All);
    assert_points(outcomes(&table, &t1(&table), &settings), &[&[-29.0 / 7.0, 13.0 / 30.0]], "5.3.1, T1");
    assert_points(outcomes(&table, &t2(&table), &settings), &[&[-17.0 / 7.0, 32.0 / 105.0]], "5.3.1, T2");
}

#[test]
fn problem_2_on_table_2() {
    let table = table_1();
    assert_eq!(budget_rows(0.3, 7), 2, "eq. 7, eta = 0.3: B = 2");
    let budget = settings("max-suppression", CutoffRule::Budget);
    let (small, large): (&[f64], &[f64]) = (&[-2.0, 13.0 / 30.0], &[-5.0, 13.0 / 21.0]);
    assert_points(outcomes(&table, &t1(&table), &budget), &[large], "eq. 7, T1");
    assert_points(outcomes(&table, &t2(&table), &budget), &[&[-2.0, 32.0 / 105.0]], "eq. 7, T2: nothing fits");
    let all = settings("max-suppression", CutoffRule::All);
    assert_points(outcomes(&table, &t1(&table), &all), &[small, large], "T1 at every cut-off");

    let grouping = t1(&table);
    let suppressed = Suppressed::by(&grouping, |group| grouping.groups.rows.get(group) < 5);
    assert_eq!(suppressed.rows, 2, "eq. 7, T1: two rows go");
    let parts = loss("general", &table, &grouping, &suppressed);
    assert_close(parts.kept, 1.0 / 3.0, "eq. 4, GL of T1 at the budget");
    assert_close(parts.suppressed, 2.0 / 7.0, "eq. 5, SL of T1 at the budget");
    assert_close(parts.total(), 13.0 / 21.0, "eq. 6, loss of T1 at the budget");
}

#[test]
fn problem_3_on_table_2() {
    let table = table_1();
    let settings = settings("any-suppression", CutoffRule::All);
    // 29/7 lies above the group of 2: it goes, as at the budget of problem 2, and k = 5 >= 29/7.
    let found = outcomes(&table, &t1(&table), &settings);
    assert_points(found, &[&[-29.0 / 7.0, 1.0 / 3.0, 2.0 / 7.0]], "5.3.3, T1");
    // 17/7 lies above both groups of 2: three rows stay, each with 3 of 6 ages and 3 of 7 statuses.
    let found = outcomes(&table, &t2(&table), &settings);
    let kept = 3.0 * (2.0 / 5.0 + 2.0 / 6.0) / 14.0;
    assert_points(found, &[&[-17.0 / 7.0, kept, 4.0 / 7.0]], "5.3.3, T2");
}

/// Where marital status is the sensitive column, both recodings of age have the group {Never Married, Never Married}.
#[test]
fn marital_status_as_a_sensitive_column() {
    let age = ColumnSpec { widths: Some(vec![10.0, 20.0]), ..ColumnSpec::new("age", Role::Quasi) };
    let marital = ColumnSpec::new("marital status", Role::Sensitive);
    let table = counted(vec![age, marital], &ROWS.each_ref().map(|row| row.as_slice()));
    for (level, sizes) in [(2, [2, 5].as_slice()), (1, &[2, 2, 3])] {
        let grouping = grouped(&table, &Recoding::of_levels(&[level]));
        let mut found: Vec<(u64, f64)> = (0..grouping.len())
            .map(|group| {
                let view = grouping.groups.view(group);
                (view.rows(), paretonym::catalog::privacy("frequency-l", &table).unwrap().level(view))
            })
            .collect();
        found.sort_by_key(|(rows, _)| *rows);
        assert_eq!(found.iter().map(|(rows, _)| *rows).collect::<Vec<_>>(), sizes, "Table 2");
        assert!(found.iter().any(|(_, l)| *l == 1.0), "Def. 4: Never Married twice is 1-diverse");
    }
}
