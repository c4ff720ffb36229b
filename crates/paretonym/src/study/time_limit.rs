//! A search that may take so long and no longer.

use std::time::{Duration, Instant};

use crate::engine::{Glimpse, Keeper, Watch};

/// Watches a search for somebody else, and stops it when its time is up.
pub(super) struct TimeLimit<'a> {
    watch: &'a dyn Watch,
    limit: Option<Duration>,
    started: Instant,
}

impl<'a> TimeLimit<'a> {
    /// From now on, for as long as the watcher allows.
    pub fn start(watch: &'a dyn Watch) -> Self {
        TimeLimit { watch, limit: watch.time_limit(), started: Instant::now() }
    }

    /// The limit, once it is reached. Whoever stopped the search before did not wait for it.
    pub fn reached(&self) -> Option<Duration> {
        self.limit.filter(|limit| self.started.elapsed() >= *limit && !self.watch.cancelled())
    }
}

impl Watch for TimeLimit<'_> {
    fn phase(&self, name: &str, steps: Option<u64>) {
        self.watch.phase(name, steps);
    }

    fn advance(&self, steps: u64) {
        self.watch.advance(steps);
    }

    fn note(&self, text: &str) {
        self.watch.note(text);
    }

    fn front(&self, look: &dyn Fn() -> Glimpse) {
        self.watch.front(look);
    }

    fn cancelled(&self) -> bool {
        self.watch.cancelled() || self.limit.is_some_and(|limit| self.started.elapsed() >= limit)
    }

    fn time_limit(&self) -> Option<Duration> {
        self.limit
    }

    fn keeper(&self) -> Option<&dyn Keeper> {
        self.watch.keeper()
    }
}
