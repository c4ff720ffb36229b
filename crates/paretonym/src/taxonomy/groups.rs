//! Levels of an ordered column as runs of equally many neighbouring leaves.

use super::{Hierarchy, Level};
use crate::data::interval_label;
use crate::error::{Error, Result};

/// Level i joins each `sizes[i]` neighbouring leaves, counted from the first; the last run may be shorter.
///
/// A run is called `first … last`, or by its interval where `bounds` gives those of the leaves; a lone leaf keeps its
/// name. The result has one level per size, and a top level `*` where the last size still leaves several sets.
///
/// Fails unless the sizes are at least 2, growing, and each a multiple of the one before.
pub fn from_groups(
    place: &str,
    labels: &[String],
    bounds: Option<&[(f64, f64)]>,
    sizes: &[usize],
) -> Result<Hierarchy> {
    let mut below = 1;
    for &size in sizes {
        if size <= below || size % below != 0 {
            let problem = if below == 1 {
                format!("the group size {size} joins nothing; the smallest is 2")
            } else {
                format!("the group size {size} is not a multiple of {below} before it; write, for example, [2, 4, 8]")
            };
            return Err(Error::taxonomy(place, problem));
        }
        below = size;
    }
    if bounds.is_some_and(|bounds| bounds.len() != labels.len()) {
        return Err(Error::taxonomy(place, "there are more or fewer intervals than values"));
    }
    if labels.is_empty() {
        return Ok(Hierarchy::flat(labels));
    }
    let levels = sizes
        .iter()
        .map(|&size| Level {
            set_of: (0..labels.len()).map(|leaf| (leaf / size) as u32).collect(),
            labels: (0..labels.len()).step_by(size).map(|first| run_label(labels, bounds, first, size)).collect(),
        })
        .collect();
    Hierarchy::from_partitions(place, labels, levels)
}

/// Groups of 2, 4, 8, … leaves, as long as that leaves more than one group; then the top.
pub fn doubling(labels: &[String], bounds: Option<&[(f64, f64)]>) -> Hierarchy {
    let sizes: Vec<usize> = std::iter::successors(Some(2usize), |size| size.checked_mul(2))
        .take_while(|size| *size < labels.len())
        .collect();
    let bounds = bounds.filter(|bounds| bounds.len() == labels.len());
    from_groups("groups", labels, bounds, &sizes).expect("powers of two nest")
}

fn run_label(labels: &[String], bounds: Option<&[(f64, f64)]>, first: usize, size: usize) -> String {
    let last = first.saturating_add(size).min(labels.len()) - 1;
    if first == last {
        return labels[first].clone();
    }
    match bounds {
        Some(bounds) => {
            let ((from, _), (single, to)) = (bounds[first], bounds[last]);
            interval_label(from, to, single == to)
        }
        None => format!("{} … {}", labels[first], labels[last]),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::data::Domain;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| name.to_string()).collect()
    }

    #[test]
    fn neighbours_join() {
        let hierarchy = from_groups("x", &names(&["a", "b", "c", "d", "e"]), None, &[2, 4]).unwrap();
        assert_eq!(hierarchy.level(1).labels, ["a … b", "c … d", "e"]);
        assert_eq!(hierarchy.level(2).labels, ["a … d", "e"]);
        assert_eq!(hierarchy.level(3).labels, ["*"]);
    }

    #[test]
    fn intervals_name_numeric_groups() {
        let bins = Domain::of_bins(&[0.0, 1.5, 4.0, 10.0]);
        let hierarchy = from_groups("x", &bins.labels, bins.bounds.as_deref(), &[2]).unwrap();
        assert_eq!(hierarchy.level(1).labels, ["[0, 4)", "[4, 10)"]);
        let numbers = Domain::of_numbers(&[1.0, 2.0, 3.0]);
        let hierarchy = from_groups("x", &numbers.labels, numbers.bounds.as_deref(), &[2]).unwrap();
        assert_eq!(hierarchy.level(1).labels, ["[1, 2]", "3"]);
    }

    #[test]
    fn sizes_must_nest() {
        let labels = names(&["a", "b", "c"]);
        for sizes in [vec![0], vec![1], vec![2, 3], vec![2, 2], vec![4, 2]] {
            assert!(from_groups("x", &labels, None, &sizes).is_err(), "{sizes:?}");
        }
        assert!(from_groups("x", &labels, Some(&[(0.0, 1.0)]), &[2]).is_err());
    }

    #[test]
    fn doubling_stops_below_the_number_of_leaves() {
        assert_eq!(doubling(&names(&["a", "b"]), None).height(), 1);
        let eight = doubling(&names(&["a", "b", "c", "d", "e", "f", "g", "h"]), None);
        assert_eq!(eight.height(), 3);
        assert_eq!(eight.level(3).labels, ["*"]);
        assert_eq!(doubling(&[], None).leaves(), 0);
    }

    proptest! {
        #[test]
        fn nested_sizes_give_a_hierarchy(leaves in 0usize..100, factors in prop::collection::vec(2usize..6, 0..6)) {
            let labels: Vec<String> = (0..leaves).map(|leaf| leaf.to_string()).collect();
            let mut sizes: Vec<usize> = Vec::new();
            for factor in factors {
                sizes.push(factor * sizes.last().copied().unwrap_or(1));
            }
            let hierarchy = from_groups("x", &labels, None, &sizes).unwrap();
            prop_assert_eq!(hierarchy.leaves(), leaves);
            prop_assert!(doubling(&labels, None).height() >= 1);
        }
    }
}
