//! Who is connected. A connection that asks for nothing costs a file all the same, and there are only so many: one that does
//! not send its request in time is closed, and where there are too many, the one that has been silent for longest makes room
//! for the next.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// How long a connection may take for the head of a request, and stay open between two of them.
const SILENCE: Duration = Duration::from_secs(10);
/// The most connections; a browser opens six or so.
const MOST: usize = 256;
/// Open files that the work itself may need.
const RESERVED: usize = 48;
/// How long to wait where the system gives out no more files.
const BREATH: Duration = Duration::from_millis(20);

/// Answers whoever connects, for ever.
pub async fn answer_all(listener: &TcpListener, router: Router) {
    let room = Arc::new(Room { open: Mutex::default(), most: most(open_files()) });
    let mut number = 0u64;
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // It may be that there are no more files: somebody goes, and the next one gets in.
            Err(_) => {
                room.make_room(0);
                tokio::time::sleep(BREATH).await;
                continue;
            }
        };
        if room.make_room(1) {
            number += 1;
            tokio::spawn(serve(stream, router.clone(), room.enter(number)));
        }
    }
}

async fn serve(stream: TcpStream, router: Router, place: Place) {
    let service = TowerToHyperService::new(router);
    let seat = Arc::clone(&place.seat);
    let answer = service_fn(move |request: hyper::Request<Incoming>| {
        let busy = Busy::new(&seat);
        let answer = service.call(request);
        async move {
            let answer = answer.await?;
            Ok::<_, Infallible>(answer.map(|body| Body::new(Held { body, _busy: busy })))
        }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(SILENCE);
    tokio::select! {
        _ = builder.serve_connection(TokioIo::new(stream), answer) => (),
        () = place.seat.go.notified() => (),
    }
}

/// All connections in the order in which they came.
struct Room {
    open: Mutex<BTreeMap<u64, Arc<Seat>>>,
    most: usize,
}

impl Room {
    fn seats(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Seat>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there is room for so many more, once the oldest that ask for nothing have gone. For none more, one goes.
    fn make_room(&self, more: usize) -> bool {
        let mut seats = self.seats();
        let most = if more == 0 { seats.len().saturating_sub(1) } else { self.most };
        while seats.len() + more > most {
            let silent = seats.iter().find(|(_, seat)| seat.requests.load(Ordering::Relaxed) == 0);
            let Some(number) = silent.map(|(number, _)| *number) else { return false };
            if let Some(seat) = seats.remove(&number) {
                seat.go.notify_one();
            }
        }
        true
    }

    fn enter(self: &Arc<Self>, number: u64) -> Place {
        let seat = Arc::new(Seat::default());
        self.seats().insert(number, Arc::clone(&seat));
        Place { room: Arc::clone(self), number, seat }
    }
}

/// One connection.
#[derive(Default)]
struct Seat {
    /// Requests that are not answered to the end.
    requests: AtomicUsize,
    /// Told when it must go.
    go: Notify,
}

/// A connection's place among the others, given up when it ends.
struct Place {
    room: Arc<Room>,
    number: u64,
    seat: Arc<Seat>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.room.seats().remove(&self.number);
    }
}

/// A request that is being answered.
struct Busy(Arc<Seat>);

impl Busy {
    fn new(seat: &Arc<Seat>) -> Self {
        seat.requests.fetch_add(1, Ordering::Relaxed);
        Busy(Arc::clone(seat))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The body of an answer; until it has gone out, its connection is busy.
struct Held {
    body: Body,
    _busy: Busy,
}

impl HttpBody for Held {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// How many connections there may be where so many files may be open: half of what the work does not need.
fn most(files: Option<usize>) -> usize {
    files.map_or(MOST, |files| (files.saturating_sub(RESERVED) / 2).clamp(8, MOST))
}

/// How many files may be open at once, where the system tells.
fn open_files() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_silent_connection_makes_room() {
        let room = Arc::new(Room { open: Mutex::default(), most: 3 });
        let places: Vec<Place> = (0..3).map(|number| room.enter(number)).collect();
        let busy = Busy::new(&places[0].seat);
        assert!(room.make_room(1));
        let left = |room: &Room| room.seats().keys().copied().collect::<Vec<u64>>();
        assert_eq!(left(&room), [0, 2], "the busy one stays");
        let next = room.enter(3);
        let all_busy = [Busy::new(&places[2].seat), Busy::new(&next.seat)];
        assert!(!room.make_room(1), "nobody is silent");
        drop(busy);
        assert!(room.make_room(0), "one goes where there are no files");
        assert_eq!(left(&room), [2, 3]);
        drop(all_busy);
        drop((places, next));
        assert!(left(&room).is_empty());
    }

    #[test]
    fn few_files_are_few_connections() {
        assert_eq!((most(None), most(Some(1024)), most(Some(128)), most(Some(10))), (256, 256, 40, 8));
    }
}
