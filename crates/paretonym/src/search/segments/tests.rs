//! A column of four leaves beside one of two, by hand.

use super::*;
use crate::data::{Domain, Kind};
use crate::group::{FrequencyTable, Workspace};
use crate::loss::General;
use crate::recode::{BreakBits, ColumnRecoding, Family, QuasiColumn, Recoding};
use crate::taxonomy::Hierarchy;

/// Rows of the first value of b by a: 2, 1, 0, 3; of the second: 1, 1, 2, 0.
fn table() -> FrequencyTable {
    let column = |name: &str, leaves: usize| {
        let labels: Vec<String> = (0..leaves).map(|leaf| format!("{name}{leaf}")).collect();
        let hierarchy = Hierarchy::flat(&labels);
        let domain = Domain::of_labels(Kind::Categorical, labels);
        QuasiColumn { name: name.to_owned(), domain, hierarchy, family: Family::Breaks, weight: 0.5 }
    };
    let tuples = [[0u32, 0], [0, 1], [1, 0], [1, 1], [2, 1], [3, 0]];
    let columns = vec![column("a", 4), column("b", 2)];
    FrequencyTable::new(columns, Vec::new(), &tuples.concat(), &[2, 1, 1, 1, 2, 3], &[], 0).unwrap()
}

fn runs_and_prices(size: u32) -> (Runs, Prices) {
    let (table, loss) = (table(), General::default());
    let breaks = |flags: &[bool]| ColumnRecoding::Breaks(BreakBits::from_flags(flags.iter().copied()));
    let with = |a: &[bool]| Recoding { columns: vec![breaks(a), breaks(&[true])] };
    let (mut counts, mut prices) = (ColumnCounts::default(), Prices::default());
    counts.fill(&table, &mut Workspace::default(), &loss, 0, [&with(&[true; 3]), &with(&[false; 3])]);
    assert_eq!(counts.contexts(), 2, "the values of b");
    let runs = Runs::of(&table, 0, &loss).unwrap();
    prices.at_size(&table, &loss, &counts, &runs, size);
    (runs, prices)
}

#[test]
fn runs_cost_what_is_kept_and_lost() {
    let (runs, prices) = runs_and_prices(3);
    let place = |first: usize, end: u32| runs.from(first).find(|run| runs.ends[*run] == end).unwrap();
    // A cell of two leaves costs 1/3, and a is one of two columns.
    for (first, end, cost, lost) in [
        (0, 2, 3.0 / 6.0 + 2.0, 2.0),
        (0, 3, 7.0 * 2.0 / 6.0, 0.0),
        (0, 4, 10.0 * 3.0 / 6.0, 0.0),
        (2, 4, 3.0 / 6.0 + 2.0, 2.0),
        (3, 4, 0.0, 0.0),
    ] {
        let run = place(first, end);
        assert!((prices.cost[run] - cost).abs() < 1e-12, "{first} to {end}: {}", prices.cost[run]);
        assert_eq!(prices.weight[run], lost, "{first} to {end}");
    }
}

#[test]
fn the_budget_decides() {
    let (runs, prices) = runs_and_prices(3);
    let within = |most: f64| Route::cheapest_within(&runs, &prices, most, f64::INFINITY).unwrap();
    assert_eq!(within(0.0).ends, [3, 4], "three leaves together, the last alone");
    assert!((within(0.0).cost - 7.0 / 3.0).abs() < 1e-12);
    let all: Vec<f64> = (0..=10).map(|most| within(f64::from(most)).cost).collect();
    assert!(all.is_sorted_by(|a, b| a >= b), "more rows to lose never cost more: {all:?}");
    assert_eq!(Route::cheapest_within(&runs, &prices, 0.0, 7.0 / 3.0), None, "none is better than the best");
}
