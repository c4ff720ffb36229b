//! Counts what travels from a database for somebody else who watches.

use std::sync::atomic::{AtomicU64, Ordering};

use paretonym::engine::Watch;
use paretonym::front::Moved;

/// Watches, and counts what travels.
pub(super) struct Meter<'a> {
    watch: &'a dyn Watch,
    rows: AtomicU64,
    bytes: AtomicU64,
}

impl<'a> Meter<'a> {
    /// Nothing has come yet.
    pub fn new(watch: &'a dyn Watch) -> Self {
        Meter { watch, rows: AtomicU64::new(0), bytes: AtomicU64::new(0) }
    }

    /// What came, and what else came: none where nothing did.
    pub fn with(&self, other: Option<Moved>) -> Option<Moved> {
        let other = other.unwrap_or_default();
        let rows = self.rows.load(Ordering::Relaxed) + other.rows;
        (rows > 0).then(|| Moved { rows, bytes: self.bytes.load(Ordering::Relaxed) + other.bytes })
    }
}

impl Watch for Meter<'_> {
    fn phase(&self, name: &str, steps: Option<u64>) {
        self.watch.phase(name, steps);
    }

    fn advance(&self, steps: u64) {
        self.watch.advance(steps);
    }

    fn moved(&self, rows: u64, bytes: u64) {
        self.rows.fetch_add(rows, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.watch.moved(rows, bytes);
    }

    fn cancelled(&self) -> bool {
        self.watch.cancelled()
    }
}
