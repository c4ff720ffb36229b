//! What there is: tables, runs, and the catalogue.

use std::path::Path;
use std::sync::Arc;

use axum::extract::State;
use axum::response::IntoResponse;
use paretonym_engine::folder::{FRONT, STUDY, read_study};
use serde_json::{Map, Value, json};

use crate::App;
use crate::answer::{Json, Refusal, work};

/// `GET /api/state`
pub async fn state(State(app): State<Arc<App>>) -> Result<impl IntoResponse, Refusal> {
    work(move || {
        let tables = app.folder.table_list().into_iter().map(|(name, bytes)| json!({ "name": name, "bytes": bytes }));
        let runs = app.folder.run_list().into_iter().map(|name| {
            let dir = app.folder.run(&name)?;
            Ok(Value::Object(summary(&app, &name, &dir)))
        });
        Ok(Json(json!({
            "version": env!("CARGO_PKG_VERSION"),
            "folder": app.folder.path().display().to_string(),
            "upload_limit": app.max_upload,
            "tables": tables.collect::<Vec<Value>>(),
            "runs": runs.collect::<Result<Vec<Value>, Refusal>>()?,
        })))
    })
    .await
}

/// A run in a few words.
pub fn summary(app: &App, name: &str, dir: &Path) -> Map<String, Value> {
    let study = read_study(&dir.join(STUDY)).ok();
    let state = app.runs.state(name, dir, study.as_ref());
    let front = dir.join(FRONT).is_file().then(|| app.runs.front(dir).ok()).flatten();
    let table = study.as_ref().and_then(|study| study.data.path.file_name()).map(|name| name.to_string_lossy());
    let summary = json!({
        "name": name,
        "status": state.status,
        "message": state.message,
        "table": table,
        "optimizer": study.as_ref().map(|study| &study.search.optimizer),
        "problem": study.as_ref().map(|study| &study.search.problem),
        "solutions": front.as_ref().map(|front| front.solutions.len()),
        "exact": front.as_ref().map(|front| front.exact),
        "complete": front.as_ref().map(|front| front.complete),
    });
    match summary {
        Value::Object(summary) => summary,
        _ => Map::new(),
    }
}

/// `GET /api/catalog`
pub async fn catalog() -> impl IntoResponse {
    Json(paretonym::catalog::to_json())
}
