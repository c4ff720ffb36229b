//! One run as those who watch it see it: how far it is, and the front so far.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use paretonym::engine::{Glimpse, Watch};
use paretonym::view::LiveAxes;
use serde::Serialize;
use tokio::sync::watch;

/// The shortest time between two looks at the front.
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);

/// What a run is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It waits for another run.
    Waiting,
    /// It computes.
    Running,
    /// It was stopped, and can go on.
    Stopped,
    /// It has ended.
    Done,
    /// It could not be done.
    Failed,
}

/// Status with a sentence about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct State {
    /// What it is doing.
    pub status: Status,
    /// Why, where that is worth a word.
    pub message: Option<String>,
}

impl State {
    /// Without a word.
    pub fn of(status: Status) -> Self {
        State { status, message: None }
    }

    /// Whether it is waiting or computing.
    pub fn is_active(&self) -> bool {
        matches!(self.status, Status::Waiting | Status::Running)
    }
}

/// How far a run is.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Progress {
    /// What is being done.
    pub phase: String,
    /// Steps done.
    pub done: u64,
    /// All steps, where that is known.
    pub total: Option<u64>,
    /// Recodings evaluated.
    pub evaluated: u64,
    /// How much of all conceivable outcomes the front so far dominates.
    pub hypervolume: Option<f64>,
}

/// The front so far.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LiveFront {
    /// Names of the objectives, and of what comes behind them.
    pub objectives: Vec<String>,
    /// Per point the objectives and the share of suppressed rows, which is known at the end only.
    pub points: Vec<Vec<Option<f64>>>,
    /// How to plot them.
    pub axes: LiveAxes,
}

/// A run that waits, computes, or did so since the server started.
pub struct Live {
    state: watch::Sender<State>,
    stop: AtomicBool,
    done: AtomicU64,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    progress: Progress,
    front: Option<Glimpse>,
    /// Counts the looks at the front.
    version: u64,
    last_look: Option<Instant>,
}

impl Live {
    /// A run that waits.
    pub fn new() -> Self {
        let state = watch::Sender::new(State::of(Status::Waiting));
        let seen =
            Seen { progress: Progress { phase: "waiting".to_owned(), ..Progress::default() }, ..Seen::default() };
        Live { state, stop: AtomicBool::new(false), done: AtomicU64::new(0), seen: Mutex::new(seen) }
    }

    /// What it is doing.
    pub fn state(&self) -> State {
        self.state.borrow().clone()
    }

    /// Sees what it is doing from now on.
    pub fn subscribe(&self) -> watch::Receiver<State> {
        self.state.subscribe()
    }

    /// Goes to another state.
    pub fn enter(&self, state: State) {
        self.state.send_replace(state);
    }

    /// From waiting to computing, unless it was stopped meanwhile.
    pub fn start(&self) -> bool {
        self.state.send_if_modified(|state| {
            let starts = state.status == Status::Waiting;
            if starts {
                *state = State::of(Status::Running);
            }
            starts
        })
    }

    /// Asks it to stop at the next safe point; one that waits stops at once.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.state.send_if_modified(|state| {
            let waits = state.status == Status::Waiting;
            if waits {
                *state = State { status: Status::Stopped, message: Some("stopped before it began".to_owned()) };
            }
            waits
        });
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let mut progress = self.seen().progress.clone();
        progress.done = self.done.load(Ordering::Relaxed);
        progress
    }

    /// The front so far, if it is another than that of a version.
    pub fn front_after(&self, version: u64) -> Option<(u64, LiveFront)> {
        let seen = self.seen();
        let glimpse = seen.front.as_ref().filter(|_| seen.version != version)?;
        let points = glimpse.points.iter().map(|point| point.iter().copied().map(Some).chain([None]).collect());
        let objectives: Vec<String> = glimpse.objectives.iter().map(|(name, _)| name.clone()).collect();
        let axes = LiveAxes::new(&objectives, &glimpse.points);
        Some((seen.version, LiveFront { objectives, points: points.collect(), axes }))
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for Live {
    fn phase(&self, name: &str, steps: Option<u64>) {
        let mut seen = self.seen();
        self.done.store(0, Ordering::Relaxed);
        seen.progress.phase = name.to_owned();
        seen.progress.total = steps;
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    fn front(&self, look: &dyn Fn() -> Glimpse) {
        // Nobody looks, or somebody else is looking already: the search goes on.
        if self.state.receiver_count() == 0 {
            return;
        }
        let Ok(mut seen) = self.seen.try_lock() else { return };
        if seen.last_look.is_some_and(|last| last.elapsed() < BETWEEN_LOOKS) {
            return;
        }
        let glimpse = look();
        seen.progress.evaluated = glimpse.evaluated.unwrap_or_else(|| self.done.load(Ordering::Relaxed));
        seen.progress.hypervolume = glimpse.hypervolume;
        seen.front = match seen.front.take() {
            Some(known) if !glimpse.whole => Some(joined(known, glimpse)),
            _ => Some(glimpse),
        };
        seen.version += 1;
        seen.last_look = Some(Instant::now());
    }

    fn cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// The points of two parts of a search that no point of either dominates.
fn joined(known: Glimpse, part: Glimpse) -> Glimpse {
    let better = |one: f64, two: f64, larger: bool| if larger { one >= two } else { one <= two };
    let covers = |one: &[f64], two: &[f64]| {
        part.objectives.iter().zip(one.iter().zip(two)).all(|((_, larger), (one, two))| better(*one, *two, *larger))
    };
    let mut points = known.points;
    for point in &part.points {
        if !points.iter().any(|other| covers(other, point)) {
            points.retain(|other| !covers(point, other));
            points.push(point.clone());
        }
    }
    points.sort_by(|one, two| one.partial_cmp(two).unwrap_or(std::cmp::Ordering::Equal));
    Glimpse { points, ..known }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn glimpse(points: &[[f64; 2]], whole: bool) -> Glimpse {
        Glimpse {
            objectives: vec![("k".to_owned(), true), ("loss".to_owned(), false)],
            points: points.iter().map(|point| point.to_vec()).collect(),
            whole,
            evaluated: None,
            hypervolume: None,
        }
    }

    #[test]
    fn parts_are_joined_and_a_whole_replaces() {
        let known = glimpse(&[[5.0, 0.2], [9.0, 0.5]], false);
        let both = joined(known, glimpse(&[[6.0, 0.2], [9.0, 0.6], [2.0, 0.1]], false));
        assert_eq!(both.points, [[2.0, 0.1], [6.0, 0.2], [9.0, 0.5]]);
    }

    #[test]
    fn nobody_looks_unless_somebody_watches() {
        let live = Live::new();
        live.front(&|| panic!("nobody watches"));
        assert!(live.front_after(0).is_none());
        let watcher = live.subscribe();
        live.front(&|| glimpse(&[[5.0, 0.2]], true));
        live.front(&|| panic!("too soon"));
        let (version, front) = live.front_after(0).unwrap();
        assert_eq!(front.points, [[Some(5.0), Some(0.2), None]]);
        assert_eq!((front.axes.x.label.as_str(), front.axes.y.at), ("k, log scale", 1));
        assert!(live.front_after(version).is_none());
        drop(watcher);
    }

    #[test]
    fn a_run_that_waits_stops_at_once() {
        let live = Live::new();
        live.stop();
        assert_eq!(live.state().status, Status::Stopped);
        assert!(!live.start());
    }
}
