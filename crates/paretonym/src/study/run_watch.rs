//! Who watches a run for somebody else: stops its search when the time is up, and counts what travelled.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::engine::{Glimpse, Keeper, Watch};
use crate::front::Moved;
use crate::group::DistantNodes;

/// Watches a run for somebody else.
pub(super) struct RunWatch<'a> {
    watch: &'a dyn Watch,
    limit: Option<Duration>,
    searching: OnceLock<Instant>,
    rows: AtomicU64,
    bytes: AtomicU64,
    distant: OnceLock<Arc<DistantNodes>>,
}

impl<'a> RunWatch<'a> {
    /// The run begins.
    pub fn new(watch: &'a dyn Watch) -> Self {
        let limit = watch.time_limit();
        RunWatch {
            watch,
            limit,
            searching: OnceLock::new(),
            rows: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            distant: OnceLock::new(),
        }
    }

    /// Its nodes are asked for elsewhere; where nobody answers any more, the search stops.
    pub fn attend(&self, distant: &Arc<DistantNodes>) {
        let _ = self.distant.set(Arc::clone(distant));
    }

    /// Its search begins, and with it the time that it may take.
    pub fn search(&self) {
        let _ = self.searching.set(Instant::now());
    }

    /// The limit, once it is reached. Whoever stopped the search before did not wait for it.
    pub fn reached(&self) -> Option<Duration> {
        self.limit.filter(|_| self.is_over() && !self.watch.cancelled())
    }

    /// What travelled so far; none where the table is here.
    pub fn travelled(&self) -> Option<Moved> {
        let moved = Moved { rows: self.rows.load(Ordering::Relaxed), bytes: self.bytes.load(Ordering::Relaxed) };
        (moved.rows > 0).then_some(moved)
    }

    fn is_over(&self) -> bool {
        let elapsed = self.searching.get().map(Instant::elapsed);
        self.limit.zip(elapsed).is_some_and(|(limit, elapsed)| elapsed >= limit)
    }
}

impl Watch for RunWatch<'_> {
    fn phase(&self, name: &str, steps: Option<u64>) {
        self.watch.phase(name, steps);
    }

    fn advance(&self, steps: u64) {
        self.watch.advance(steps);
    }

    fn note(&self, text: &str) {
        self.watch.note(text);
    }

    fn moved(&self, rows: u64, bytes: u64) {
        self.rows.fetch_add(rows, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.watch.moved(rows, bytes);
    }

    fn front(&self, look: &dyn Fn() -> Glimpse) {
        self.watch.front(look);
    }

    fn cancelled(&self) -> bool {
        self.watch.cancelled() || self.is_over() || self.distant.get().is_some_and(|distant| distant.has_failed())
    }

    fn time_limit(&self) -> Option<Duration> {
        self.limit
    }

    fn keeper(&self) -> Option<&dyn Keeper> {
        self.watch.keeper()
    }
}
