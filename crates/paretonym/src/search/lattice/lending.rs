//! Buffers lent to whoever works: there are as many as threads that work at the same time, and they go on to the next.

use std::sync::{Arc, Mutex, PoisonError};

use crate::group::{Grouping, Workspace};
use crate::problem::Scratch;

/// Lists of more bytes are not waited with.
const LARGE: usize = 16 << 20;

/// What a worker fills: each buffer can grow as large as the table.
#[derive(Default)]
pub(crate) struct Buffers {
    /// For grouping.
    pub workspace: Workspace,
    /// The groups made last.
    pub grouping: Grouping,
    /// For judging them.
    pub scratch: Scratch,
}

impl Buffers {
    /// Gives back what is large: most work needs far less, and all that waits is memory that nobody uses.
    fn release_large(&mut self) {
        if self.grouping.groups.bytes() > LARGE {
            self.grouping.groups = Arc::default();
        }
        self.workspace.release_large(LARGE);
    }
}

/// Those that nobody works with.
#[derive(Default)]
pub(crate) struct Lender {
    idle: Mutex<Vec<Buffers>>,
}

impl Lender {
    /// Does some work with buffers of its own. What they hold from before must not matter.
    pub fn lend<R>(&self, work: impl FnOnce(&mut Buffers) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = idle().pop();
        let mut buffers = waiting.unwrap_or_default();
        let result = work(&mut buffers);
        buffers.release_large();
        idle().push(buffers);
        result
    }
}
