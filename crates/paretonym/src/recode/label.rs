//! What the sets of a recoded column are called in a release.

use super::{ColumnRecoding, ColumnSets, QuasiColumn};
use crate::data::{Kind, interval_label};

/// The name of each set, in order. Taxonomy nodes have names of their own; runs of leaves become intervals where the
/// column has an order, and lists of names where it has none.
pub fn set_labels(column: &QuasiColumn, recoding: &ColumnRecoding, sets: &ColumnSets) -> Vec<String> {
    match recoding {
        ColumnRecoding::Level(level) => column.hierarchy.level(*level as usize).labels.clone(),
        ColumnRecoding::Cut(shown) => {
            shown.iter().map(|node| column.hierarchy.nodes()[*node as usize].label.clone()).collect()
        }
        ColumnRecoding::Breaks(_) => (0..sets.len())
            .map(|set| {
                let leaves: Vec<usize> = (sets.first[set] as usize..sets.first[set + 1] as usize).collect();
                leaves_label(column, &leaves)
            })
            .collect(),
    }
}

/// The name of an interval of leaves in a local recoding: as [`leaves_label`] has it, or between the sets of the level that
/// intervals of the column end with.
pub fn interval_of_leaves(column: &QuasiColumn, leaves: &[usize]) -> String {
    let domain = &column.domain;
    let missing = leaves.last().copied().filter(|last| domain.missing == Some(*last as u32));
    let placed = &leaves[..leaves.len() - usize::from(missing.is_some())];
    let (level, [first, .., last]) = (domain.interval_level, placed) else { return leaves_label(column, leaves) };
    if level == 0 {
        return leaves_label(column, leaves);
    }
    let level = column.hierarchy.level(level);
    let name = |leaf: usize| level.labels[level.set_of[leaf] as usize].as_str();
    let label = match name(*first) == name(*last) {
        true => name(*first).to_owned(),
        false => format!("[{}, {}]", name(*first), name(*last)),
    };
    missing.map_or(label.clone(), |missing| format!("{label} or {}", domain.labels[missing]))
}

/// The name of some leaves, which ascend. Those between the first and the last need not be among them where the column has
/// an order: an interval tells its ends only.
pub fn leaves_label(column: &QuasiColumn, leaves: &[usize]) -> String {
    let domain = &column.domain;
    let (placed, missing) = match leaves {
        [placed @ .., last] if domain.missing == Some(*last as u32) => (placed, Some(*last)),
        placed => (placed, None),
    };
    let name = |leaf: usize| domain.labels[leaf].as_str();
    let label = match (placed, &domain.bounds) {
        ([], _) => None,
        ([only], _) => Some(name(*only).to_owned()),
        ([first, .., last], Some(bounds)) => {
            let (single, high) = bounds[*last];
            // Bins are half open; single numbers make a closed interval. A star would be everything, missing cells too.
            let label = interval_label(bounds[*first].0, high, single == high);
            let but_missing = label == "*" && domain.missing.is_some() && missing.is_none();
            Some(if but_missing { "any number".to_owned() } else { label })
        }
        ([first, .., last], None) if domain.kind != Kind::Categorical => {
            Some(format!("[{}, {}]", name(*first), name(*last)))
        }
        (some, None) => Some(format!("{{{}}}", some.iter().map(|leaf| name(*leaf)).collect::<Vec<_>>().join(", "))),
    };
    match (label, missing) {
        (Some(label), Some(_)) if label == "*" => label,
        (Some(label), Some(missing)) => format!("{label} or {}", name(missing)),
        (Some(label), None) => label,
        (None, missing) => missing.map(name).unwrap_or_default().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Domain;
    use crate::recode::Family;
    use crate::taxonomy::Hierarchy;

    fn column(mut domain: Domain, missing: bool) -> QuasiColumn {
        if missing {
            domain.push_missing("?");
        }
        let hierarchy = Hierarchy::flat(&domain.labels);
        QuasiColumn { name: "x".into(), domain, hierarchy, family: Family::Breaks, weight: 1.0 }
    }

    #[test]
    fn a_star_is_everything_and_nothing_less() {
        let values: Vec<(f64, u64)> = (0..40).map(|value| (f64::from(value), 1)).collect();
        let bins = || Domain::of_values_between(&[10.0, 20.0], &values);
        let (plain, with_missing) = (column(bins(), false), column(bins(), true));
        assert_eq!(leaves_label(&plain, &[0, 1, 2]), "*");
        assert_eq!(leaves_label(&with_missing, &[0, 1, 2]), "any number");
        assert_eq!(leaves_label(&with_missing, &[0, 1, 2, 3]), "*");
        assert_eq!(leaves_label(&with_missing, &[1, 2, 3]), ">= 10 or ?");
        assert_eq!(leaves_label(&with_missing, &[0, 1]), "< 20");
        assert_eq!(leaves_label(&with_missing, &[3]), "?");
    }

    #[test]
    fn what_has_an_order_is_an_interval() {
        let names: Vec<String> = ["a", "b", "c", "d"].map(String::from).to_vec();
        let ordered = column(Domain::of_labels(Kind::Ordinal, names.clone()), true);
        assert_eq!(leaves_label(&ordered, &[0, 1, 2]), "[a, c]");
        assert_eq!(leaves_label(&ordered, &[0, 2, 4]), "[a, c] or ?");
        let named = column(Domain::of_labels(Kind::Categorical, names), false);
        assert_eq!(leaves_label(&named, &[0, 2]), "{a, c}");
        let numbers = column(Domain::of_numbers(&[1.0, 2.5, 7.0]), false);
        assert_eq!(leaves_label(&numbers, &[0, 2]), "[1, 7]");
    }
}
