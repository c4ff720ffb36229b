//! Tickets: what the page needs to have a file saved.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};

use super::body;
use crate::App;
use crate::answer::{Json, Refusal};

/// What is to be downloaded.
#[derive(Deserialize)]
pub struct TicketWish {
    path: String,
}

/// What lets a file be downloaded once.
#[derive(Serialize)]
pub struct Ticket {
    ticket: String,
}

/// `POST /api/tickets`
pub async fn give(State(app): State<Arc<App>>, body: Body) -> Result<impl IntoResponse, Refusal> {
    let TicketWish { path } = body::json(body).await?;
    if !is_download(&path) {
        return Err(Refusal::wrong("a ticket is for a report or a file of a release"));
    }
    let ticket = app.tickets.give(&path).map_err(|_| Refusal::broken())?;
    Ok(Json(Ticket { ticket }))
}

/// Whether a path is one of those that answer with a file to save.
fn is_download(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        ["", "api", "runs", run, "report"] => !run.is_empty(),
        ["", "api", "runs", run, "releases", file] => !run.is_empty() && !file.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_download;

    #[test]
    fn tickets_are_for_files() {
        assert!(is_download("/api/runs/x/report") && is_download("/api/runs/x/releases/y.csv"));
        for path in ["/api/state", "/api/runs/x/front", "/api/runs//report", "/api/runs/x/releases/", "report", ""] {
            assert!(!is_download(path), "{path}");
        }
    }
}
