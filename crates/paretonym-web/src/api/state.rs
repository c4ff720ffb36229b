//! What there is: tables, runs, and the catalogue.

use std::path::Path;
use std::sync::Arc;

use axum::extract::State;
use axum::response::IntoResponse;
use paretonym::data::Source;
use paretonym::study::Study;
use paretonym_engine::folder::{FRONT, STUDY, read_study};
use serde::Serialize;

use super::tables::TableFile;
use crate::App;
use crate::answer::{Json, Refusal, work};
use crate::live::Status;

/// Everything that there is.
#[derive(Serialize)]
pub struct ServerState {
    version: &'static str,
    folder: String,
    /// The largest file that is taken, in bytes.
    upload_limit: u64,
    tables: Vec<TableFile>,
    runs: Vec<RunInfo>,
}

/// A run in a few words. What its study or its front tell is not known where they cannot be read.
#[derive(Serialize)]
pub struct RunInfo {
    name: String,
    status: Status,
    message: Option<String>,
    table: Option<String>,
    optimizer: Option<String>,
    problem: Option<String>,
    solutions: Option<usize>,
    exact: Option<bool>,
    complete: Option<bool>,
    /// Only where one run is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    study: Option<Study>,
}

/// `GET /api/state`
pub async fn state(State(app): State<Arc<App>>) -> Result<impl IntoResponse, Refusal> {
    work(move || {
        let tables = app.folder.table_list().into_iter().map(|(name, bytes)| TableFile { name, bytes });
        let runs = app.folder.run_list().into_iter().map(|name| Ok(summary(&app, &name, &app.folder.run(&name)?)));
        Ok(Json(ServerState {
            version: env!("CARGO_PKG_VERSION"),
            folder: app.folder.path().display().to_string(),
            upload_limit: app.max_upload,
            tables: tables.collect(),
            runs: runs.collect::<Result<Vec<RunInfo>, Refusal>>()?,
        }))
    })
    .await
}

/// A run without its study.
pub fn summary(app: &App, name: &str, dir: &Path) -> RunInfo {
    RunInfo { study: None, ..with_study(app, name, dir) }
}

/// A run with its study.
pub fn with_study(app: &App, name: &str, dir: &Path) -> RunInfo {
    let study = read_study(&dir.join(STUDY)).ok();
    let state = app.runs.state(name, dir, study.as_ref());
    let front = dir.join(FRONT).is_file().then(|| app.runs.front(dir).ok()).flatten();
    let table = study.as_ref().map(|study| study.data.name());
    let table = table.map(|name| match Source::is_database_name(&name) {
        true => name.to_string_lossy().into_owned(),
        false => name.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    });
    // Where the description of the connections lies is nothing that the page must know.
    let shown = study.clone().map(|mut study| {
        study.data.connections = None;
        study
    });
    RunInfo {
        name: name.to_owned(),
        status: state.status,
        message: state.message,
        table,
        optimizer: study.as_ref().map(|study| study.search.optimizer.clone()),
        problem: study.as_ref().map(|study| study.search.problem.clone()),
        solutions: front.as_ref().map(|front| front.solutions.len()),
        exact: front.as_ref().map(|front| front.exact),
        complete: front.as_ref().map(|front| front.complete),
        study: shown,
    }
}

/// `GET /api/catalog`
pub async fn catalog() -> impl IntoResponse {
    Json(paretonym::catalog::to_json())
}
