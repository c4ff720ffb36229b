//! Long work on a thread of its own, while the interpreter goes on: other threads of Python run, a bar is drawn, and Ctrl-C asks
//! the work to stop.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use paretonym::engine::Watch;
use paretonym::error::{Error, Result};
use pyo3::prelude::*;

use crate::errors::raised;

/// How often the interpreter is asked whether somebody wants to stop.
const LOOK: Duration = Duration::from_millis(50);

/// What the thread of the interpreter knows of the work.
#[derive(Default)]
struct Progress {
    phase: Mutex<(String, Option<u64>)>,
    steps: AtomicU64,
    cancelled: AtomicBool,
    done: Mutex<bool>,
    woken: Condvar,
    limit: Option<Duration>,
}

impl Progress {
    /// Waits a while; whether the work is done.
    fn wait(&self) -> bool {
        let done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.woken.wait_timeout_while(done, LOOK, |done| !*done);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Says how far the work is to a function of Python.
    fn tell(&self, py: Python<'_>, told: &Py<PyAny>) -> PyResult<()> {
        let (phase, steps) = self.phase.lock().unwrap_or_else(PoisonError::into_inner).clone();
        told.call1(py, (phase, self.steps.load(Ordering::Relaxed), steps)).map(drop)
    }
}

/// The work is done, however it ended.
struct Done<'a>(&'a Progress);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        *self.0.done.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.woken.notify_all();
    }
}

impl Watch for Progress {
    fn phase(&self, name: &str, steps: Option<u64>) {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = (name.to_owned(), steps);
        self.steps.store(0, Ordering::Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }

    fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn time_limit(&self) -> Option<Duration> {
        self.limit
    }
}

/// Does some work; `told` is a function of Python that hears how far it is. Ctrl-C stops it: what it has by then is its result,
/// and where it has nothing, the interruption goes on as an exception.
pub fn work<T: Send>(
    py: Python<'_>,
    told: Option<Py<PyAny>>,
    limit: Option<Duration>,
    work: impl FnOnce(&dyn Watch) -> Result<T> + Send,
) -> PyResult<T> {
    let progress = Progress { limit, ..Progress::default() };
    let (result, interrupted) = py.detach(|| {
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let _done = Done(&progress);
                work(&progress)
            });
            let mut interrupted = None;
            while !progress.wait() {
                let heard = Python::attach(|py| {
                    py.check_signals()?;
                    told.as_ref().filter(|_| interrupted.is_none()).map_or(Ok(()), |told| progress.tell(py, told))
                });
                if let Err(error) = heard {
                    progress.cancelled.store(true, Ordering::Relaxed);
                    interrupted.get_or_insert(error);
                }
            }
            (worker.join().unwrap_or_else(|panic| resume_unwind(panic)), interrupted)
        })
    });
    match (result, interrupted) {
        (Err(Error::Cancelled), Some(interruption)) => Err(interruption),
        (result, _) => result.map_err(raised),
    }
}
