//! A run as it goes on: server-sent events.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream;
use paretonym_engine::folder::{STUDY, read_study};
use serde::Serialize;
use tokio::sync::watch;

use crate::App;
use crate::answer::{Refusal, work};
use crate::live::{self, Live, Progress};

/// The shortest time between two events of a kind.
const PAUSE: Duration = Duration::from_millis(250);

/// `GET /api/runs/RUN/events`
pub async fn events(State(app): State<Arc<App>>, Path(run): Path<String>) -> Result<impl IntoResponse, Refusal> {
    let (live, state) = work(move || {
        let dir = app.folder.run(&run)?;
        let study = read_study(&dir.join(STUDY)).ok();
        Ok((app.runs.live(&run), app.runs.state(&run, &dir, study.as_ref())))
    })
    .await?;
    let follower = match live {
        Some(live) => Follower::new(live),
        None => Follower { pending: VecDeque::from([event("end", &state)]), source: None },
    };
    let events = stream::unfold(follower, |mut follower| async move {
        let event = follower.next().await?;
        Some((Ok::<Event, Infallible>(event), follower))
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()))
}

fn event(name: &str, data: &impl Serialize) -> Event {
    Event::default().event(name).data(serde_json::to_string(data).unwrap_or_default())
}

/// Somebody who watches a run.
struct Follower {
    /// Events to be sent before anything else is looked at.
    pending: VecDeque<Event>,
    /// None after the last event.
    source: Option<Followed>,
}

struct Followed {
    live: Arc<Live>,
    state: watch::Receiver<live::State>,
    progress: Option<Progress>,
    version: u64,
}

impl Follower {
    fn new(live: Arc<Live>) -> Self {
        let source = Followed { state: live.subscribe(), live, progress: None, version: 0 };
        let mut follower = Follower { pending: VecDeque::new(), source: Some(source) };
        follower.look();
        follower
    }

    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.pending.pop_front() {
                return Some(event);
            }
            let source = self.source.as_mut()?;
            // The end is told at once, everything else now and then.
            let _ = tokio::time::timeout(PAUSE, source.state.changed()).await;
            self.look();
        }
    }

    /// Queues whatever is new.
    fn look(&mut self) {
        let Some(source) = self.source.as_mut() else { return };
        // The state first: what belongs to the end is there by then.
        let state = source.state.borrow_and_update().clone();
        let progress = source.live.progress();
        if source.progress.as_ref() != Some(&progress) {
            self.pending.push_back(event("progress", &progress));
            source.progress = Some(progress);
        }
        if let Some((version, front)) = source.live.front_after(source.version) {
            self.pending.push_back(event("front", &front));
            source.version = version;
        }
        if !state.is_active() {
            self.pending.push_back(event("end", &state));
            self.source = None;
        }
    }
}
