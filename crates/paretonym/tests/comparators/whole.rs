//! Whole comparisons: in words, at scale, with comparators of users, with mistakes.

use super::*;

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
    for wrong in ["wtd(weights=-1/2)", "wtd(by=covv)", "lex(epsilons=a)", "gaol"] {
        assert!(catalog::set_comparator(wrong).is_err_and(|error| error.is_input()), "{wrong}");
    }
}
