//! Work that a request asks for and that takes more than a moment: profiles, solutions from near, comparisons, releases. Each
//! has threads of its own, so that neither a search nor another request makes it wait for theirs, and what is answered at
//! once never waits for any of them. When the server ends, it stops at the next safe point and cleans up.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use paretonym::engine::Watch;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tokio::sync::Semaphore;

use crate::App;
use crate::answer::{Refusal, work};

/// The most such requests side by side; others wait for their turn.
const SIDE_BY_SIDE: usize = 4;

/// Where such work is done.
pub struct Desk {
    places: Semaphore,
    ending: AtomicBool,
}

impl Desk {
    /// With nothing to do.
    pub fn new() -> Self {
        Desk { places: Semaphore::new(SIDE_BY_SIDE), ending: AtomicBool::new(false) }
    }

    /// Stops what is being done, and takes nothing new.
    pub fn end(&self) {
        self.ending.store(true, Ordering::Relaxed);
        self.places.close();
    }
}

impl Watch for Desk {
    fn cancelled(&self) -> bool {
        self.ending.load(Ordering::Relaxed)
    }
}

/// Does work on threads of its own. It is given who watches it.
pub async fn compute<T: Send + 'static>(
    app: Arc<App>,
    job: impl FnOnce(&App, &dyn Watch) -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let held = Arc::clone(&app);
    let _place = held.desk.places.acquire().await.map_err(|_| Refusal::conflict("the server is ending"))?;
    work(move || threads().map_err(|_| Refusal::broken())?.install(|| job(&app, &app.desk))).await
}

/// Threads for one piece of work, one per core.
pub fn threads() -> Result<ThreadPool, rayon::ThreadPoolBuildError> {
    ThreadPoolBuilder::new().build()
}
