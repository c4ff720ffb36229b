//! Tables: uploading one, making one to try things on, and what a first look at one tells.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::response::IntoResponse;
use paretonym::data::{ColumnProfile, Kind, Source, TableProfile};
use paretonym::draft::draft;
use paretonym::engine::{Unwatched, Watch};
use paretonym::error::{Error, FileAction};
use paretonym::study::{ColumnSpec, Study, outline};
use paretonym_engine::{Embedded, census};
use serde::{Deserialize, Serialize};

use super::body;
use super::runs::Named;
use super::tree::Tree;
use crate::App;
use crate::answer::{Json, Refusal, work};
use crate::desk::compute;

/// The most values of a column that are shown.
const SHOWN_VALUES: usize = 200;
/// The synthetic table has at least and at most so many rows.
const DEMO_ROWS: std::ops::RangeInclusive<u64> = 2..=10_000_000;

/// A table in the working folder.
#[derive(Serialize)]
pub struct TableFile {
    /// What it is called.
    pub name: String,
    /// How large it is.
    pub bytes: u64,
}

/// What a first look at a table tells.
#[derive(Serialize)]
pub struct Profile {
    study: Study,
    rows: u64,
    columns: Vec<ProfiledColumn>,
}

/// What it tells of a column.
#[derive(Serialize)]
pub struct ProfiledColumn {
    name: String,
    kind: Option<Kind>,
    distinct: usize,
    /// Whether there are more values than were counted.
    more_values: bool,
    missing: u64,
    /// The most frequent values, with their rows.
    values: Vec<(String, u64)>,
    tree: Option<Tree>,
}

/// The name of the file to come.
#[derive(Deserialize)]
pub struct Upload {
    name: String,
}

/// `POST /api/tables?name=N`
pub async fn upload(
    State(app): State<Arc<App>>,
    upload: Result<Query<Upload>, QueryRejection>,
    body: Body,
) -> Result<impl IntoResponse, Refusal> {
    let Query(Upload { name }) = upload.map_err(|_| Refusal::wrong("say what the file is called: ?name=people.csv"))?;
    // Refused before anything is kept.
    app.folder.free_table(&name)?;
    let folder = app.folder.tables()?;
    let failed = |source| Error::File { action: FileAction::Write, path: folder.clone(), source };
    // Readable by its owner only, and gone if the upload is cut off.
    let draft = tempfile::Builder::new().prefix(".upload-").tempfile_in(&folder).map_err(failed)?;
    let mut file = tokio::fs::File::from_std(draft.reopen().map_err(failed)?);
    let bytes = body::file(body, app.max_upload, &mut file).await?;
    work(move || {
        if bytes == 0 {
            return Err(Refusal::wrong("the file is empty"));
        }
        let path = match app.folder.table(&name) {
            // The same file again is no other table.
            Ok(known) if same(&known, draft.path()) => known,
            _ => {
                let path = app.folder.free_table(&name)?;
                let kept = draft.persist_noclobber(&path);
                kept.map_err(|error| Error::File {
                    action: FileAction::Write,
                    path: path.clone(),
                    source: error.error,
                })?;
                path
            }
        };
        Ok(Json(TableFile { name: file_name(&path), bytes }))
    })
    .await
}

/// Whether two files hold the same bytes.
fn same(one: &Path, two: &Path) -> bool {
    use std::io::{BufRead, BufReader};
    let (Ok(one), Ok(two)) = (std::fs::File::open(one), std::fs::File::open(two)) else { return false };
    let (mut one, mut two) = (BufReader::new(one), BufReader::new(two));
    loop {
        let (Ok(left), Ok(right)) = (one.fill_buf(), two.fill_buf()) else { return false };
        let length = left.len().min(right.len());
        if length == 0 {
            return left.is_empty() && right.is_empty();
        }
        if left[..length] != right[..length] {
            return false;
        }
        one.consume(length);
        two.consume(length);
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// How many people the synthetic table has.
#[derive(Deserialize)]
pub struct Demo {
    rows: Option<u64>,
}

/// `POST /api/demo`
pub async fn demo(State(app): State<Arc<App>>, body: Body) -> Result<impl IntoResponse, Refusal> {
    let rows = body::json::<Demo>(body).await?.rows.unwrap_or(30_000);
    if !DEMO_ROWS.contains(&rows) {
        return Err(Refusal::wrong("a synthetic table has from 2 to 10,000,000 rows"));
    }
    compute(app, move |app, watch| {
        // The same number of rows gives the same table.
        let name = format!("census-{rows}.csv");
        if app.folder.table(&name).is_err() {
            let path = app.folder.tables()?.join(&name);
            census::write_census_file(rows, 1, &path, watch)?;
        }
        Ok(Json(Named { name }))
    })
    .await
}

/// Which table.
#[derive(Deserialize)]
pub struct OfTable {
    table: String,
}

/// `POST /api/profile`
pub async fn profile(State(app): State<Arc<App>>, body: Body) -> Result<impl IntoResponse, Refusal> {
    let OfTable { table } = body::json(body).await?;
    compute(app, move |app, watch| {
        let path = app.folder.table(&table)?;
        let profile = profile_of(app, &path, watch)?;
        // The study says what the table is called; where it lies is the server's business.
        let study = first_study(&table, &profile)?;
        let mut source = study.data.clone();
        source.locate(&path);
        let columns = profile
            .columns
            .iter()
            .map(|column| {
                let spec = study.columns.iter().find(|spec| spec.name == column.name);
                profiled_column(spec, column, &source)
            })
            .collect();
        Ok(Json(Profile { study, rows: profile.rows, columns }))
    })
    .await
}

/// The study that a table starts with: the one that comes with it, or a draft.
pub fn first_study(table: &str, profile: &TableProfile) -> Result<Study, Error> {
    match known_study(table) {
        Some(study) => Ok(study),
        None => Study::from_toml(&draft(&Source::at(table), profile), table),
    }
}

/// The study that comes with the synthetic table.
fn known_study(table: &str) -> Option<Study> {
    let rows = table.strip_prefix("census-")?.strip_suffix(".csv")?;
    rows.parse::<u64>().ok().filter(|rows| DEMO_ROWS.contains(rows))?;
    Study::from_toml(&census::census_study(table), table).ok()
}

/// What a look at a table tells.
pub fn profile_of(app: &App, path: &PathBuf, watch: &dyn Watch) -> Result<Arc<TableProfile>, Error> {
    app.profiles.get(&[path], || paretonym_engine::profile(&Source::at(path), watch))
}

/// The values of a column that are not missing.
pub fn present_values(column: &ColumnProfile, source: &Source) -> Vec<String> {
    let present = |(value, _): &&(String, u64)| !source.is_missing(value);
    column.values.iter().filter(present).map(|(value, _)| value.clone()).collect()
}

fn profiled_column(spec: Option<&ColumnSpec>, column: &ColumnProfile, source: &Source) -> ProfiledColumn {
    let present = present_values(column, source);
    let is_missing = |value: &String| source.is_missing(value);
    let signs: u64 = column.values.iter().filter(|(value, _)| is_missing(value)).map(|(_, count)| count).sum();
    let mut values: Vec<&(String, u64)> = column.values.iter().filter(|(value, _)| !is_missing(value)).collect();
    values.sort_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(&two.0)));
    values.truncate(SHOWN_VALUES);
    let tree = spec
        .filter(|spec| spec.kind() != Kind::Numeric && !column.more_values)
        .and_then(|spec| outline(spec, source, &present, &Embedded, &Unwatched).ok())
        .and_then(|(_, hierarchy)| Tree::drawn(&hierarchy));
    ProfiledColumn {
        name: column.name.clone(),
        kind: spec.map(ColumnSpec::kind),
        distinct: present.len(),
        more_values: column.more_values,
        missing: column.missing + signs,
        values: values.into_iter().cloned().collect(),
        tree,
    }
}
