//! Bins that hold equally many rows.

/// The share of a bin's rows by which an edge may move to become a rounder number.
const LEEWAY: f64 = 0.25;

/// The edges between at most `bins` bins that hold about equally many rows.
///
/// `values` are the distinct numbers, ascending, with their rows. The edges ascend strictly; bin i holds what lies from
/// edge i - 1 on and below edge i, the first bin all that lies below the first edge, and the last all from the last edge
/// on. Every bin holds a value. One distinct value, or none, has no edges.
///
/// An edge is the roundest number near its place, and no number of more than about three digits of the spread of the
/// values: it is shown to everybody, and must not be the value of a person. An edge that would need more digits is left
/// out.
pub fn equal_frequency_edges(values: &[(f64, u64)], bins: usize) -> Vec<f64> {
    let bins = bins.max(1);
    if values.len() < 2 || bins == 1 {
        return Vec::new();
    }
    let share = fair_share(values, bins);
    let finest = spread(values) / 1000.0;
    let last = values.len() - 1;
    let mut edges: Vec<f64> = Vec::new();
    // Each cut goes in front of the value where the rows before it come nearest to a multiple of the share.
    let (mut before, mut cut, mut taken) = (0.0, 0, 0);
    for bin in 1..bins {
        let goal = bin as f64 * share;
        while cut < last {
            let next = before + weight(values[cut].1, share);
            if cut > taken && (goal - before).abs() <= (next - goal).abs() {
                break;
            }
            before = next;
            cut += 1;
        }
        if cut <= taken {
            break;
        }
        // Moving the cut to an earlier or later value moves the rows in between.
        let near = |step: &dyn Fn(usize) -> Option<usize>| {
            let (mut at, mut moved) = (cut, 0.0);
            while let Some(next) = step(at) {
                moved += weight(values[at.min(next)].1, share);
                if moved > LEEWAY * share {
                    break;
                }
                at = next;
            }
            at
        };
        let first = near(&|at| (at > taken + 1).then(|| at - 1));
        let end = near(&|at| (at < last).then_some(at + 1));
        if let Some(edge) = roundest(values[first - 1].0, values[end].0, values[cut].0, finest) {
            edges.push(edge);
            taken = values.partition_point(|(value, _)| *value < edge);
            // A rounder edge may lie behind the cut; rows are counted from where it is.
            cut = cut.max(taken);
            before = values[..cut].iter().map(|(_, rows)| weight(*rows, share)).sum();
        }
    }
    // Values that are all but equal still need one edge to be told apart at all.
    if edges.is_empty() {
        edges.extend(roundest(values[0].0, values[last].0, values[last].0, 0.0));
    }
    edges
}

/// The range of the values without the twentieth of the rows at either end; the whole range where that is nothing.
fn spread(values: &[(f64, u64)]) -> f64 {
    let total: u64 = values.iter().map(|(_, rows)| rows).sum();
    let at = |place: u64| {
        let mut before = 0;
        values.iter().find(|(_, rows)| {
            before += rows;
            before > place
        })
    };
    let inner = match (at(total / 20), at(total - 1 - total / 20)) {
        (Some((low, _)), Some((high, _))) => high - low,
        _ => 0.0,
    };
    if inner > 0.0 { inner } else { values[values.len() - 1].0 - values[0].0 }
}

/// The number above `low` and up to `high` that is a multiple of the largest 1, 2 or 5 with zeros before or behind; of
/// several the one nearest to `wanted`. None where that step would be below `finest`.
fn roundest(low: f64, high: f64, wanted: f64, finest: f64) -> Option<f64> {
    if low < 0.0 && high >= 0.0 {
        return Some(0.0);
    }
    let largest = low.abs().max(high.abs()).log10().floor() as i32;
    for exponent in (largest - 17..=largest + 1).rev() {
        for digit in [5.0, 2.0, 1.0] {
            // Powers of ten up to 22 are exact, and a division by one rounds once: 3 / 10 is the 0.3 that people write.
            let scaled = |multiple: f64| match exponent {
                0.. => multiple * digit * 10f64.powi(exponent),
                _ => multiple * digit / 10f64.powi(-exponent),
            };
            if scaled(1.0) < finest {
                return None;
            }
            let nearest = (wanted / scaled(1.0)).round();
            let inside =
                (-3..=3).map(|step| scaled(nearest + f64::from(step))).filter(|edge| low < *edge && *edge <= high);
            let best = inside.min_by(|a, b| (a - wanted).abs().total_cmp(&(b - wanted).abs()));
            if best.is_some() {
                return best;
            }
        }
    }
    Some(high)
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
        let mut rows = vec![0; edges.len() + 1];
        for (value, count) in values {
            rows[edges.partition_point(|edge| edge <= value)] += count;
        }
        rows
    }

    #[test]
    fn rows_are_shared_equally_up_to_rounding() {
        let values: Vec<(f64, u64)> = (0..100).map(|value| (f64::from(value), 1)).collect();
        assert_eq!(equal_frequency_edges(&values, 4), [20.0, 50.0, 80.0]);
        let rows = rows_per_bin(&values, &equal_frequency_edges(&values, 8));
        assert!(rows.len() == 8 && rows.iter().all(|rows| (8..=18).contains(rows)), "{rows:?}");
    }

    #[test]
    fn a_frequent_value_takes_one_bin_not_all() {
        let mut values = vec![(0.0, 900)];
        values.extend((1..=100).map(|value| (f64::from(value), 1)));
        let rows = rows_per_bin(&values, &equal_frequency_edges(&values, 5));
        assert!((900..910).contains(&rows[0]) && rows[1..].iter().all(|rows| (15..=40).contains(rows)), "{rows:?}");
    }

    #[test]
    fn no_edge_is_the_value_of_a_person() {
        // 400 measured numbers and an outlier: none of them is an edge, and no edge has more than a few digits.
        let mut values: Vec<(f64, u64)> =
            (0..400).map(|at| ((f64::from(at) * 0.618_033_988_7).fract() * 1.3 + 0.001_234_5, 1)).collect();
        values.push((7777.777777, 1));
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        let edges = equal_frequency_edges(&values, 32);
        assert!(edges.len() >= 20, "{edges:?}");
        for edge in &edges {
            assert!(!values.iter().any(|(value, _)| value == edge), "{edge}");
            assert!(edge.to_string().len() <= 5, "{edge}");
        }
        assert!(edges[edges.len() - 1] < 2.0);
    }

    #[test]
    fn few_values_give_few_bins() {
        assert_eq!(equal_frequency_edges(&[], 8), Vec::<f64>::new());
        assert_eq!(equal_frequency_edges(&[(5.0, 9)], 8), Vec::<f64>::new());
        assert_eq!(equal_frequency_edges(&[(1.0, 9), (2.0, 1), (7.0, 1)], 8), [5.0]);
        assert_eq!(equal_frequency_edges(&[(1.0, 9), (2.0, 1), (7.0, 1)], 1), Vec::<f64>::new());
    }

    proptest! {
        #[test]
        fn edges_ascend_and_every_bin_holds_a_value(
            values in prop::collection::btree_map(-500i32..500, 1u64..1000, 2..200),
            scale in prop::sample::select(vec![1.0, 0.001, 1e9, 0.3]),
            bins in 2usize..40,
        ) {
            let values: Vec<(f64, u64)> =
                values.into_iter().map(|(value, rows)| (f64::from(value) * scale, rows)).collect();
            let edges = equal_frequency_edges(&values, bins);
            prop_assert!(!edges.is_empty() && edges.len() < bins);
            prop_assert!(edges.windows(2).all(|pair| pair[0] < pair[1]));
            prop_assert!(rows_per_bin(&values, &edges).iter().all(|rows| *rows > 0));
        }

        #[test]
        fn edges_are_round(numbers in prop::collection::vec(0.0f64..1.0, 100..300), bins in 2usize..=32) {
            let mut numbers = numbers;
            numbers.sort_by(f64::total_cmp);
            numbers.dedup();
            let values: Vec<(f64, u64)> = numbers.iter().map(|number| (*number, 1)).collect();
            for edge in equal_frequency_edges(&values, bins) {
                prop_assert!(edge.to_string().len() <= 6, "{}", edge);
            }
        }
    }
}
