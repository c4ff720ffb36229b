//! What the sets of a recoded column are called in a release.

use super::{ColumnRecoding, ColumnSets, QuasiColumn};
use crate::data::format_number;

/// The name of each set, in order. Taxonomy nodes have names of their own; runs of leaves become intervals of numbers
/// or lists of names.
pub fn set_labels(column: &QuasiColumn, recoding: &ColumnRecoding, sets: &ColumnSets) -> Vec<String> {
    match recoding {
        ColumnRecoding::Level(level) => column.hierarchy.level(*level as usize).labels.clone(),
        ColumnRecoding::Cut(shown) => {
            shown.iter().map(|node| column.hierarchy.nodes()[*node as usize].label.clone()).collect()
        }
        ColumnRecoding::Breaks(_) => (0..sets.len())
            .map(|set| run_label(column, sets.first[set] as usize, sets.first[set + 1] as usize))
            .collect(),
    }
}

/// The name of a run of leaves.
pub(super) fn run_label(column: &QuasiColumn, start: usize, end: usize) -> String {
    let domain = &column.domain;
    if end - start == 1 {
        return domain.labels[start].clone();
    }
    if let Some(bounds) = &domain.bounds {
        let run = &bounds[start..end];
        if run.iter().all(|(low, _)| !low.is_nan()) {
            let (low, (last, high)) = (run[0].0, run[run.len() - 1]);
            // Bins are half open; single numbers make a closed interval.
            return if last < high {
                format!("[{}, {})", format_number(low), format_number(high))
            } else {
                format!("[{}, {}]", format_number(low), format_number(high))
            };
        }
    }
    format!("{{{}}}", domain.labels[start..end].join(", "))
}
