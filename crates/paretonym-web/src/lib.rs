//! The server behind `paretonym serve`: the page, and the work that it asks for, on this machine and for one person.
//!
//! connection → guard (host, origin, token) → api → the same library that the commands use, on threads of their own
//!
//! [`serve`] runs until its [`Stop`] says so. It listens on this machine alone, and answers nobody who does not bring the
//! token that its address holds.
//!
//! ```no_run
//! use paretonym_web::{Options, Stop, serve};
//!
//! let options = Options { dir: "work".into(), port: None, max_upload: 1 << 30, tables: Vec::new() };
//! serve(&options, &Stop::default(), |address| {
//!     println!("{address}");
//!     Ok(())
//! })?;
//! # Ok::<(), paretonym::error::Error>(())
//! ```

// What is to be told goes into answers; only the program prints.
#![warn(clippy::print_stdout, clippy::print_stderr, clippy::cast_possible_truncation)]

mod answer;
mod api;
mod assets;
mod cache;
mod connections;
mod desk;
mod folder;
mod guard;
mod live;
mod runs;
mod secret;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use paretonym::data::TableProfile;
use paretonym::error::{Error, FileAction};
use tokio::net::TcpListener;
use tokio::sync::Notify;

use cache::Cache;
use desk::Desk;
use folder::Folder;
use guard::Guard;
use runs::Runs;
use secret::Tickets;

/// The port that is tried first where none is asked for.
const USUAL_PORT: u16 = 8765;

/// Profiles are small; counted tables may be large, and people look at one front for a while.
const CACHED_PROFILES: usize = 4;
const CACHED_TABLES: usize = 1;

/// How long the work of requests may take to stop.
const LAST_WORK: Duration = Duration::from_secs(20);

/// What can be chosen about the server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The working folder.
    pub dir: PathBuf,
    /// The port; the usual one or any free one where none is given.
    pub port: Option<u16>,
    /// The largest file that may be uploaded, in bytes.
    pub max_upload: u64,
    /// Tables in databases that the page may ask: `NAME/TABLE`.
    pub tables: Vec<String>,
}

/// Everything that answers need.
struct App {
    folder: Folder,
    runs: Runs,
    desk: Desk,
    tickets: Arc<Tickets>,
    max_upload: u64,
    profiles: Cache<TableProfile>,
    counted: Cache<api::CountedRun>,
}

/// Asks a server to end, from anywhere.
#[derive(Clone, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    /// Asks.
    pub fn ask(&self) {
        self.0.notify_one();
    }
}

/// Serves until it is asked to end; a search that runs then writes what it has. `listening` gets the address to open, once.
pub fn serve(options: &Options, stop: &Stop, listening: impl FnOnce(&str) -> io::Result<()>) -> Result<(), Error> {
    let failed = |source: io::Error| Error::File { action: FileAction::Serve, path: "127.0.0.1".into(), source };
    let folder = Folder::open(&options.dir)?.with_databases(&options.tables);
    let app = Arc::new(App {
        folder,
        runs: Runs::new().map_err(failed)?,
        desk: Desk::new(),
        tickets: Arc::default(),
        max_upload: options.max_upload,
        profiles: Cache::new(CACHED_PROFILES),
        counted: Cache::new(CACHED_TABLES),
    });
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(failed)?;
    let outcome = runtime.block_on(async {
        let listener = listen(options.port).await?;
        let guard = Guard::new(listener.local_addr()?.port(), Arc::clone(&app.tickets))?;
        listening(&guard.address())?;
        tokio::select! {
            () = connections::answer_all(&listener, router(Arc::clone(&app), guard)) => (),
            () = stop.0.notified() => (),
        }
        Ok(())
    });
    app.desk.end();
    app.runs.end();
    // What requests have begun takes away its drafts before it ends.
    runtime.shutdown_timeout(LAST_WORK);
    outcome.map_err(failed)
}

/// This machine only. The usual port, so that an address can be guessed by its owner; another where it is taken.
async fn listen(port: Option<u16>) -> io::Result<TcpListener> {
    let at = |port: u16| TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    match port {
        Some(port) => at(port).await,
        None => match at(USUAL_PORT).await {
            Ok(listener) => Ok(listener),
            Err(_) => at(0).await,
        },
    }
}

fn router(app: Arc<App>, guard: Guard) -> Router {
    Router::new()
        .route("/", get(assets::page))
        .route("/assets/{name}", get(assets::asset))
        .merge(api::routes())
        .fallback(|| async { answer::Refusal::not_found("there is nothing here") })
        .method_not_allowed_fallback(|| async {
            answer::Refusal::new(axum::http::StatusCode::METHOD_NOT_ALLOWED, "this cannot be asked for in this way")
        })
        .layer(axum::middleware::from_fn_with_state(guard, guard::guard))
        .with_state(app)
}

/// A number of bytes as people say it.
fn size_text(bytes: u64) -> String {
    let units = [(1u64 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.iter().find(|(unit, _)| bytes >= *unit && bytes.is_multiple_of(*unit)) {
        Some((unit, name)) => format!("{} {name}", bytes / unit),
        None => format!("{bytes} bytes"),
    }
}
