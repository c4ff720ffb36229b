//! What a release that has no folder knows of itself, as the private part of one in a folder does: for the publisher alone.

use std::fmt;

use paretonym::release::SavedRecoding;

use crate::rows::write::NumberList;

/// Where a release comes from.
pub struct Origin {
    /// A key, and the digest of the table that it gives: whoever has the table can tell that it is this one.
    pub(crate) seal: (String, String),
    /// The whole recoding.
    pub(crate) saved: SavedRecoding,
    /// For each row the number of its row in the table, counted from 0.
    rows: NumberList,
    /// Whether suppressed rows were left out.
    pub(crate) dropped: bool,
}

/// Nothing that is private.
impl fmt::Debug for Origin {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_struct("Origin").field("id", &self.saved.id).finish_non_exhaustive()
    }
}

impl Origin {
    /// Of a release.
    pub(crate) fn new(seal: (String, String), saved: &SavedRecoding, rows: NumberList, dropped: bool) -> Self {
        Origin { seal, saved: saved.clone(), rows, dropped }
    }

    /// For each row the number of its row in the table, counted from 0.
    pub(crate) fn rows(&self) -> Vec<u64> {
        self.rows.iter().collect()
    }
}
