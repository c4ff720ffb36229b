//! Keeping the number of recodings within what an exact search can look at.

use super::column::{ColumnDraft, Levels};

/// The number of recodings that an exact search gets through without a wait.
pub(super) const LIMIT: f64 = 1e6;

/// What an optimizer has to look through.
pub(super) struct Space {
    /// The number of recodings.
    pub recodings: f64,
    /// Levels that were left out to make them fewer.
    pub dropped: usize,
}

/// Drops levels of numeric columns, one at a time from the column with the most, until the recodings are at most
/// [`LIMIT`] or nothing is left to drop. What remains still nests.
pub(super) fn shrink(columns: &mut [ColumnDraft]) -> Space {
    let mut dropped = 0;
    loop {
        let levels = columns.iter().filter_map(|column| column.levels.as_ref());
        let recodings = levels.map(|levels| levels.height() as f64 + 1.0).product();
        if recodings <= LIMIT {
            return Space { recodings, dropped };
        }
        let levels = columns.iter_mut().filter_map(|column| column.levels.as_mut());
        // Of equals the last goes: the first columns of a table tend to be those that people care for.
        match levels.filter(|levels| droppable(levels)).max_by_key(|levels| levels.height()) {
            Some(levels) => drop_one(levels),
            None => return Space { recodings, dropped },
        }
        dropped += 1;
    }
}

fn droppable(levels: &Levels) -> bool {
    matches!(levels, Levels::Widths(_) | Levels::Bins(_)) && levels.height() > 2
}

/// The finest goes, but of two the coarser, so that the one that remains is of middling size.
fn drop_one(levels: &mut Levels) {
    let which = |levels: usize| if levels > 2 { 0 } else { levels - 1 };
    match levels {
        Levels::Widths(widths) => drop(widths.remove(which(widths.len()))),
        Levels::Bins(groups) => drop(groups.remove(which(groups.len()))),
        Levels::Flat | Levels::Prefix(_) | Levels::Dates { .. } => {}
    }
}
