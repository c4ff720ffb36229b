//! Releases: written, verified, and downloaded.

use std::path::Path as FilePath;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::IntoResponse;
use paretonym::error::{Error, FileAction};
use paretonym::front::LeftOut;
use paretonym::release::{Certificate, Shown};
use paretonym_engine::folder::OpenRun;
use paretonym_engine::release::{ReleaseOptions, Released, release as write_release};
use serde::{Deserialize, Serialize};

use super::body;
use super::runs::{attachment, front_of};
use crate::App;
use crate::answer::{Json, Refusal};
use crate::desk::compute;

/// What is to be released.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseWish {
    solution: u32,
    /// The file's name; its extension is the format.
    name: String,
    #[serde(default)]
    tokens: bool,
    #[serde(default)]
    suppressed_rows: SuppressedRows,
    #[serde(default)]
    representative: Representative,
    /// Whether rows that are alone in their group may be released.
    #[serde(default)]
    allow_k1: bool,
}

/// What becomes of rows in too small groups.
#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum SuppressedRows {
    #[default]
    Drop,
    Star,
}

/// What a recoded number shows.
#[derive(Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Representative {
    #[default]
    Label,
    Median,
}

/// A release that was written and verified.
#[derive(Serialize)]
pub struct ReleaseAnswer {
    /// Its files, the release first.
    files: Vec<String>,
    /// What may be published.
    certificate: Certificate,
    /// The same without rounding, for the publisher alone.
    exact: Certificate,
    /// The rows that are left out, in words.
    left_out: String,
}

/// `POST /api/runs/RUN/release`
pub async fn release(
    State(app): State<Arc<App>>,
    Path(run): Path<String>,
    body: Body,
) -> Result<impl IntoResponse, Refusal> {
    let wish: ReleaseWish = body::json(body).await?;
    compute(app, move |app, watch| {
        let dir = app.folder.run(&run)?;
        front_of(app, &dir)?;
        let open = OpenRun::open(&dir)?;
        let out = app.folder.new_release(&run, &wish.name)?;
        if out.exists() {
            return Err(Refusal::conflict(format!("there is a release {:?} already; choose another name", wish.name)));
        }
        let options = ReleaseOptions {
            tokens: wish.tokens,
            allow_k1: wish.allow_k1,
            stars: matches!(wish.suppressed_rows, SuppressedRows::Star),
            shown: match wish.representative {
                Representative::Label => Shown::Labels,
                Representative::Median => Shown::Median,
            },
            ..ReleaseOptions::default()
        };
        let Released { certificate, exact, files, .. } = write_release(&open, wish.solution, &out, &options, watch)?;
        let name = |path: &FilePath| path.file_name().map(|name| name.to_string_lossy().into_owned());
        // The release first.
        let names: Vec<String> = files.iter().rev().filter_map(|path| name(path)).collect();
        let left_out = left_out(&exact).words();
        Ok(Json(ReleaseAnswer { files: names, certificate, exact, left_out }))
    })
    .await
}

/// What a certified release leaves out.
fn left_out(exact: &Certificate) -> LeftOut {
    // Rows of stars are in the file.
    let absent = if exact.suppressed_rows == "star" { 0 } else { exact.suppressed };
    let rows = exact.output.rows + absent + exact.dropped_for_missing;
    LeftOut { suppressed: exact.suppressed, dropped: exact.dropped_for_missing, rows }
}

/// `GET /api/runs/RUN/releases/FILE`
pub async fn download(
    State(app): State<Arc<App>>,
    Path((run, file)): Path<(String, String)>,
) -> Result<impl IntoResponse, Refusal> {
    let headers = attachment(&file, "application/octet-stream");
    let path = app.folder.release(&run, &file)?;
    let failed = |source| Refusal::from(Error::File { action: FileAction::Read, path: path.clone(), source });
    let reader = tokio::fs::File::open(&path).await.map_err(failed)?;
    Ok((headers, Body::from_stream(parts(reader))))
}

/// A file piece by piece, so that a large one does not fill the memory.
fn parts(file: tokio::fs::File) -> impl futures_util::Stream<Item = std::io::Result<Vec<u8>>> {
    use tokio::io::AsyncReadExt;
    futures_util::stream::unfold(Some(file), |file| async move {
        let mut file = file?;
        let mut part = vec![0; 1 << 16];
        match file.read(&mut part).await {
            Ok(0) => None,
            Ok(length) => {
                part.truncate(length);
                Some((Ok(part), Some(file)))
            }
            Err(error) => Some((Err(error), None)),
        }
    })
}
