//! Runs: one computes, the others wait. What a run has found lies in its folder, so that it outlives page and server.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use paretonym::error::Error;
use paretonym::front::FrontFile;
use paretonym::study::Study;
use paretonym_engine::folder::{CHECKPOINT, FRONT, SavedSearch, describe_rest, explore, read_front};

use crate::answer::Refusal;
use crate::cache::Cache;
use crate::live::{Live, State, Status};

const CACHED_FRONTS: usize = 8;

/// One run to be computed.
struct Job {
    live: Arc<Live>,
    study: Study,
    dir: PathBuf,
    saved: Option<SavedSearch>,
}

/// All runs since the server started.
pub struct Runs {
    live: Mutex<BTreeMap<String, Arc<Live>>>,
    queue: Mutex<Option<Sender<Job>>>,
    worker: Mutex<Option<JoinHandle<()>>>,
    /// Fronts that were read, so that a question about a large one is answered at once.
    fronts: Cache<FrontFile>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Runs {
    /// Starts the thread that computes.
    pub fn new() -> std::io::Result<Self> {
        let (queue, jobs) = channel();
        let worker = std::thread::Builder::new().name("runs".to_owned()).spawn(move || compute_all(&jobs))?;
        Ok(Runs {
            live: Mutex::default(),
            queue: Mutex::new(Some(queue)),
            worker: Mutex::new(Some(worker)),
            fronts: Cache::new(CACHED_FRONTS),
        })
    }

    /// Puts a run into the queue. `saved` is the search that it goes on with.
    pub fn start(&self, name: &str, dir: PathBuf, study: Study, saved: Option<SavedSearch>) -> Result<(), Refusal> {
        let live = Arc::new(Live::new());
        {
            let mut all = lock(&self.live);
            if all.get(name).is_some_and(|live| live.state().is_active()) {
                return Err(Refusal::conflict(format!("{name} is running; stop it first")));
            }
            all.insert(name.to_owned(), Arc::clone(&live));
        }
        let queue = lock(&self.queue);
        let queue = queue.as_ref().ok_or_else(|| Refusal::conflict("the server is ending"))?;
        queue.send(Job { live, study, dir, saved }).map_err(|_| Refusal::broken())
    }

    /// A run that was started since the server was.
    pub fn live(&self, name: &str) -> Option<Arc<Live>> {
        lock(&self.live).get(name).cloned()
    }

    /// Forgets a run whose folder is gone.
    pub fn forget(&self, name: &str) {
        lock(&self.live).remove(name);
    }

    /// What a run is doing; what its folder says where nothing is known of it.
    pub fn state(&self, name: &str, dir: &Path, study: Option<&Study>) -> State {
        self.live(name).map_or_else(|| self.state_of_folder(dir, study), |live| live.state())
    }

    fn state_of_folder(&self, dir: &Path, study: Option<&Study>) -> State {
        if !dir.join(FRONT).is_file() {
            let message = match dir.join(CHECKPOINT).is_file() {
                true => "stopped before it had written a front; it can go on from its checkpoint",
                false => "stopped before it had written a front; it can start again",
            };
            return State { status: Status::Stopped, message: Some(message.to_owned()) };
        }
        match self.front(dir) {
            Err(_) => State { status: Status::Failed, message: Some("its front.json cannot be read".to_owned()) },
            Ok(front) => {
                // A search that has spent its evaluations has ended, though it may not have seen everything.
                let budget = study.and_then(|study| study.search.evaluations);
                // A genetic search keeps a few of them back for last moves that may not be needed.
                let enough = |budget: u64| front.evaluated >= budget - budget / 50;
                let spent = budget.is_some_and(enough) && !dir.join(CHECKPOINT).is_file();
                if front.complete || spent { state_of(&front) } else { State::of(Status::Stopped) }
            }
        }
    }

    /// The front in the folder of a run.
    pub fn front(&self, dir: &Path) -> Result<Arc<FrontFile>, Error> {
        self.fronts.get(&[&dir.join(FRONT)], || read_front(dir))
    }

    /// Stops everything and waits until the run that computes has written what it has.
    pub fn end(&self) {
        lock(&self.live).values().for_each(|live| live.stop());
        lock(&self.queue).take();
        let worker = lock(&self.worker).take();
        if let Some(worker) = worker {
            let _ = worker.join();
        }
    }
}

fn compute_all(jobs: &Receiver<Job>) {
    while let Ok(job) = jobs.recv() {
        let live = Arc::clone(&job.live);
        if live.start() {
            // A run that fails must not take the server with it.
            let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| compute(job)));
            live.enter(outcome.unwrap_or_else(|_| failed("the program has failed at this run; please report it")));
        }
    }
}

/// The state of a search that has ended: done, unless it was stopped before its solutions were measured.
fn state_of(front: &FrontFile) -> State {
    match front.solutions.iter().filter(|solution| !solution.described).count() {
        0 => State::of(Status::Done),
        left => {
            let message = format!("stopped before {left} of {} solutions were measured", front.solutions.len());
            State { status: Status::Stopped, message: Some(message) }
        }
    }
}

fn failed(message: impl Into<String>) -> State {
    State { status: Status::Failed, message: Some(message.into()) }
}

fn compute(job: Job) -> State {
    // A search has threads of its own: what is answered at once never waits for them.
    let threads = match crate::desk::threads() {
        Ok(threads) => threads,
        Err(error) => return failed(error.to_string()),
    };
    // A front that was found as a whole is not searched again to be measured.
    let is_found = |front: FrontFile| front.complete && front.solutions.iter().any(|solution| !solution.described);
    let Job { live, study, dir, saved } = job;
    let live = &*live;
    let work = || match saved.is_none() && read_front(&dir).is_ok_and(is_found) {
        true => describe_rest(&dir, &[], live),
        false => explore(&study, &dir, saved, &[], live),
    };
    match threads.install(work) {
        Ok(explored) if explored.stopped && !explored.front.complete => {
            let message =
                format!("stopped early; the best {} solutions so far are kept", explored.front.solutions.len());
            State { status: Status::Stopped, message: Some(message) }
        }
        Ok(explored) => state_of(&explored.front),
        Err(error @ Error::Cancelled) => State { status: Status::Stopped, message: Some(error.to_string()) },
        Err(error) => failed(error.to_string()),
    }
}
