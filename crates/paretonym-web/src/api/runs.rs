//! Runs: starting, stopping, and what they found.

use std::path::Path as FilePath;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::{HeaderName, header};
use axum::response::IntoResponse;
use paretonym::engine::Engine;
use paretonym::error::{Error, FileAction};
use paretonym::front::Limits;
use paretonym::study::{Study, check_columns};
use paretonym::view::View;
use paretonym_engine::folder::{CHECKPOINT, FRONT, REPORT, STUDY, read_checkpoint, read_study, study_text};
use paretonym_engine::{Embedded, write_atomically};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{body, state};
use crate::App;
use crate::answer::{Json, Refusal, work};
use crate::live::Status;

/// A run or a table that was made.
#[derive(Serialize)]
pub struct Named {
    /// What it is called from now on.
    pub name: String,
}

/// A run that goes on.
#[derive(Serialize)]
pub struct Resumed {
    name: String,
    /// Whether it goes on where it was; it starts again otherwise.
    from_checkpoint: bool,
}

/// What is to be run.
#[derive(Deserialize)]
pub struct NewRun {
    name: Option<String>,
    table: String,
    study: Value,
}

/// `POST /api/runs`
pub async fn create(State(app): State<Arc<App>>, body: Body) -> Result<impl IntoResponse, Refusal> {
    let wish: NewRun = body::json(body).await?;
    work(move || {
        let study = study_of(wish.study, app.folder.table(&wish.table)?)?;
        let (name, dir) = app.folder.new_run(wish.name.as_deref(), &wish.table)?;
        let text = study_text(&study)?;
        write_atomically(&dir.join(STUDY), |file| file.write_all(text.as_bytes()))?;
        app.runs.start(&name, dir, study, None)?;
        Ok(Json(Named { name }))
    })
    .await
}

/// A study that came from the page, checked as far as that is possible before the table is read.
fn study_of(mut study: Value, table: std::path::PathBuf) -> Result<Study, Refusal> {
    let wrong = |error: serde_json::Error| Refusal::wrong(format!("the study cannot be understood: {error}"));
    // Whatever path the page gives, the table is the one that was uploaded.
    let data = study.as_object_mut().map(|study| study.entry("data").or_insert_with(|| json!({})));
    let data = data.and_then(Value::as_object_mut);
    let data = data.ok_or_else(|| Refusal::wrong("a study is an object with data, columns and search"))?;
    // Nor does the page say what databases are asked, or how they are reached.
    for key in ["database", "table", "query", "connections", "counts"] {
        data.remove(key);
    }
    data.insert("path".to_owned(), json!(table.display().to_string()));
    let mut study: Study = serde_json::from_value(study).map_err(wrong)?;
    study.data.locate(&table);
    if let Some(column) = study.columns.iter().find(|one| one.taxonomy.as_ref().is_some_and(|tree| tree.is_str())) {
        let message = format!("column {:?}: a taxonomy must be in the study itself, not in a file", column.name);
        return Err(Refusal::wrong(message));
    }
    study.validate()?;
    check_columns(&study, &Embedded.columns(&study.data)?)?;
    Ok(study)
}

/// `GET /api/runs/RUN`
pub async fn info(State(app): State<Arc<App>>, Path(run): Path<String>) -> Result<impl IntoResponse, Refusal> {
    work(move || {
        let dir = app.folder.run(&run)?;
        Ok(Json(state::with_study(&app, &run, &dir)))
    })
    .await
}

/// `POST /api/runs/RUN/stop`
pub async fn stop(State(app): State<Arc<App>>, Path(run): Path<String>) -> Result<impl IntoResponse, Refusal> {
    app.folder.run(&run)?;
    let live = app.runs.live(&run).filter(|live| live.state().is_active());
    live.ok_or_else(|| Refusal::conflict(format!("{run} is not running")))?.stop();
    Ok(Json(Named { name: run }))
}

/// `POST /api/runs/RUN/resume`
pub async fn resume(State(app): State<Arc<App>>, Path(run): Path<String>) -> Result<impl IntoResponse, Refusal> {
    work(move || {
        let dir = app.folder.run(&run)?;
        let study = read_study(&dir.join(STUDY))?;
        match app.runs.state(&run, &dir, Some(&study)).status {
            Status::Done => return Err(Refusal::conflict(format!("{run} has ended; there is nothing to go on with"))),
            Status::Waiting | Status::Running => return Err(Refusal::conflict(format!("{run} is running"))),
            Status::Stopped | Status::Failed => {}
        }
        let saved = if dir.join(CHECKPOINT).is_file() { Some(read_checkpoint(&dir)?) } else { None };
        let from_checkpoint = saved.is_some();
        app.runs.start(&run, dir, study, saved)?;
        Ok(Json(Resumed { name: run, from_checkpoint }))
    })
    .await
}

/// `DELETE /api/runs/RUN`
pub async fn remove(State(app): State<Arc<App>>, Path(run): Path<String>) -> Result<impl IntoResponse, Refusal> {
    work(move || {
        app.folder.run(&run)?;
        if app.runs.live(&run).is_some_and(|live| live.state().is_active()) {
            return Err(Refusal::conflict(format!("{run} is running; stop it first")));
        }
        app.folder.remove_run(&run)?;
        app.runs.forget(&run);
        Ok(Json(Named { name: run }))
    })
    .await
}

/// A file of a run, as it is on the disk.
fn read_file(dir: &FilePath, name: &str) -> Result<Vec<u8>, Refusal> {
    let path = dir.join(name);
    match std::fs::read(&path) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(Refusal::not_found(format!("the run has no {name} yet")))
        }
        Err(source) => Err(Error::File { action: FileAction::Read, path, source }.into()),
    }
}

/// `GET /api/runs/RUN/front`
pub async fn front(State(app): State<Arc<App>>, Path(run): Path<String>) -> Result<impl IntoResponse, Refusal> {
    let bytes = work(move || read_file(&app.folder.run(&run)?, FRONT)).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], bytes))
}

/// `GET /api/runs/RUN/view`: the front as it is shown.
pub async fn view(State(app): State<Arc<App>>, Path(run): Path<String>) -> Result<impl IntoResponse, Refusal> {
    work(move || Ok(Json(View::new(&*front_of(&app, &app.folder.run(&run)?)?)))).await
}

/// `GET /api/runs/RUN/report`
pub async fn report(State(app): State<Arc<App>>, Path(run): Path<String>) -> Result<impl IntoResponse, Refusal> {
    let headers = attachment(&format!("{run}-report.html"), "text/html; charset=utf-8");
    let bytes = work(move || read_file(&app.folder.run(&run)?, REPORT)).await?;
    Ok((headers, bytes))
}

/// What makes a browser save an answer. Names have no letter that would end the quotes.
pub fn attachment(name: &str, kind: &'static str) -> [(HeaderName, String); 2] {
    let disposition = format!("attachment; filename=\"{name}\"");
    [(header::CONTENT_TYPE, kind.to_owned()), (header::CONTENT_DISPOSITION, disposition)]
}

/// `POST /api/runs/RUN/choose`
pub async fn choose(
    State(app): State<Arc<App>>,
    Path(run): Path<String>,
    body: Body,
) -> Result<impl IntoResponse, Refusal> {
    let limits: Limits = body::json(body).await?;
    work(move || {
        let front = front_of(&app, &app.folder.run(&run)?)?;
        Ok(Json(paretonym::front::choose(&front, &limits)?))
    })
    .await
}

/// The front of a run that has one.
pub fn front_of(app: &App, dir: &FilePath) -> Result<Arc<paretonym::front::FrontFile>, Refusal> {
    if !dir.join(FRONT).is_file() {
        return Err(Refusal::not_found("the run has no front yet"));
    }
    Ok(app.runs.front(dir)?)
}
