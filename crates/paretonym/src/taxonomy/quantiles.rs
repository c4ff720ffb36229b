//! Bins that hold equally many rows.

/// Edges of at most `bins` bins that hold as equal numbers of rows as the values allow.
///
/// `values` are the distinct numbers, ascending, with their rows. The edges ascend strictly, start with the minimum and
/// end with the maximum; bin i is `[edges[i], edges[i + 1])`, the last one includes its upper edge. As each edge but
/// the last starts a bin, the last bin always holds at least the two largest values: for a column of few values one
/// leaf per value is better than bins.
///
/// Two special cases: one distinct value `v` gives `[v, v]`, one bin that holds just it; no values give no edges.
pub fn equal_frequency_edges(values: &[(f64, u64)], bins: usize) -> Vec<f64> {
    let bins = bins.max(1);
    match values {
        [] => return Vec::new(),
        [(only, _)] => return vec![*only, *only],
        _ if values.len() <= bins + 1 => return values.iter().map(|(value, _)| *value).collect(),
        _ => {}
    }
    let share = fair_share(values, bins);
    let last = values.len() - 1;
    let mut edges = vec![values[0].0];
    // Each cut goes in front of the value where the rows before it come nearest to a multiple of the share.
    let (mut before, mut cut) = (0.0, 0);
    for bin in 1..bins {
        let goal = bin as f64 * share;
        let start = cut;
        while cut + 1 < last {
            let next = before + weight(values[cut].1, share);
            if cut > start && (goal - before).abs() <= (next - goal).abs() {
                break;
            }
            // A cut that is already past its goal stays where it is: the bin would be empty.
            if cut == start && before >= goal {
                break;
            }
            before = next;
            cut += 1;
        }
        if cut > start {
            edges.push(values[cut].0);
        }
    }
    edges.push(values[last].0);
    edges
}

/// A value with more rows than a bin should have counts as one full bin, so that the others share the rest fairly.
fn weight(rows: u64, share: f64) -> f64 {
    (rows as f64).min(share)
}

/// The rows per bin once every value with more rows than that has got a bin of its own.
fn fair_share(values: &[(f64, u64)], bins: usize) -> f64 {
    let mut rows: Vec<u64> = values.iter().map(|(_, rows)| *rows).collect();
    rows.sort_unstable_by(|a, b| b.cmp(a));
    let mut rest: f64 = rows.iter().map(|rows| *rows as f64).sum();
    for (heavy, rows) in rows.iter().take(bins - 1).enumerate() {
        let share = rest / (bins - heavy) as f64;
        if *rows as f64 <= share {
            return share;
        }
        rest -= *rows as f64;
    }
    rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows_per_bin(values: &[(f64, u64)], edges: &[f64]) -> Vec<u64> {
        let mut rows = vec![0; edges.len() - 1];
        for (value, count) in values {
            let bin = edges.partition_point(|edge| edge <= value) - 1;
            rows[bin.min(edges.len() - 2)] += count;
        }
        rows
    }

    #[test]
    fn rows_are_shared_equally() {
        let values: Vec<(f64, u64)> = (0..100).map(|value| (f64::from(value), 1)).collect();
        assert_eq!(equal_frequency_edges(&values, 4), [0.0, 25.0, 50.0, 75.0, 99.0]);
        assert_eq!(rows_per_bin(&values, &equal_frequency_edges(&values, 8)), [12, 13, 12, 13, 12, 13, 12, 13]);
    }

    #[test]
    fn a_frequent_value_takes_one_bin_not_all() {
        let mut values = vec![(0.0, 900)];
        values.extend((1..=100).map(|value| (f64::from(value), 1)));
        let edges = equal_frequency_edges(&values, 5);
        assert_eq!(rows_per_bin(&values, &edges), [900, 25, 25, 25, 25]);
        values.reverse();
        let values: Vec<(f64, u64)> = values.into_iter().map(|(value, rows)| (-value, rows)).collect();
        let rows = rows_per_bin(&values, &equal_frequency_edges(&values, 5));
        assert_eq!(rows, [25, 25, 25, 24, 901]);
    }

    #[test]
    fn few_values_give_few_bins() {
        assert_eq!(equal_frequency_edges(&[], 8), Vec::<f64>::new());
        assert_eq!(equal_frequency_edges(&[(5.0, 9)], 8), [5.0, 5.0]);
        assert_eq!(equal_frequency_edges(&[(1.0, 9), (2.0, 1), (7.0, 1)], 8), [1.0, 2.0, 7.0]);
        assert_eq!(equal_frequency_edges(&[(1.0, 9), (2.0, 1), (7.0, 1)], 0), [1.0, 7.0]);
    }

    proptest! {
        #[test]
        fn edges_ascend_and_cover(
            values in prop::collection::btree_map(-500i32..500, 0u64..1000, 2..200),
            bins in 0usize..40,
        ) {
            let values: Vec<(f64, u64)> = values.into_iter().map(|(value, rows)| (f64::from(value), rows)).collect();
            let edges = equal_frequency_edges(&values, bins);
            prop_assert!(edges.len() >= 2 && edges.len() <= bins.max(1) + 1);
            prop_assert!(edges.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert_eq!(edges[0], values[0].0);
            prop_assert_eq!(edges[edges.len() - 1], values[values.len() - 1].0);
        }

        #[test]
        fn bins_of_single_rows_differ_by_one(distinct in 40usize..500, bins in 1usize..=20) {
            let values: Vec<(f64, u64)> = (0..distinct).map(|value| (value as f64, 1)).collect();
            let rows = rows_per_bin(&values, &equal_frequency_edges(&values, bins));
            prop_assert_eq!(rows.len(), bins);
            prop_assert!(rows.iter().max().unwrap() - rows.iter().min().unwrap() <= 1);
        }
    }
}
