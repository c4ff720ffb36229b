//! What the page can ask for: one file per group of requests.

mod body;
mod compare;
mod events;
mod release;
mod runs;
mod solution;
mod state;
mod tables;
mod taxonomy;
mod tickets;
mod tree;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

use crate::App;

pub use solution::CountedRun;

/// Everything below `/api`.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/state", get(state::state))
        .route("/api/catalog", get(state::catalog))
        .route("/api/tickets", post(tickets::give))
        .route("/api/tables", post(tables::upload))
        .route("/api/demo", post(tables::demo))
        .route("/api/profile", post(tables::profile))
        .route("/api/taxonomy", get(taxonomy::methods).post(taxonomy::generate))
        .route("/api/taxonomy/read", post(taxonomy::read))
        .route("/api/runs", post(runs::create))
        .route("/api/runs/{run}", get(runs::info).delete(runs::remove))
        .route("/api/runs/{run}/events", get(events::events))
        .route("/api/runs/{run}/stop", post(runs::stop))
        .route("/api/runs/{run}/resume", post(runs::resume))
        .route("/api/runs/{run}/front", get(runs::front))
        .route("/api/runs/{run}/view", get(runs::view))
        .route("/api/runs/{run}/report", get(runs::report))
        .route("/api/runs/{run}/choose", post(runs::choose))
        .route("/api/runs/{run}/solutions/{id}", get(solution::details))
        .route("/api/runs/{run}/compare", post(compare::compare))
        .route("/api/runs/{run}/release", post(release::release))
        .route("/api/runs/{run}/releases/{file}", get(release::download))
        // Each request has its own limit.
        .layer(DefaultBodyLimit::disable())
}
