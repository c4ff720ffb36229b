//! What comes with a request, within limits.

use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes};
use axum::http::StatusCode;
use futures_util::StreamExt;
use serde::de::DeserializeOwned;
use tokio::io::AsyncWriteExt;

use crate::answer::Refusal;

/// The largest study, with its taxonomies.
const LARGEST_TEXT: u64 = 32 << 20;
/// So much of a file that is too large is read and thrown away: a browser that is cut off shows no reason.
const LARGEST_WASTE: u64 = 1 << 30;

/// How long the next part of a request may take to come.
const SILENCE: Duration = Duration::from_secs(30);

/// What comes, part by part, up to a limit.
struct Limited {
    parts: BodyDataStream,
    bytes: u64,
    limit: u64,
}

impl Limited {
    fn new(body: Body, limit: u64) -> Self {
        Limited { parts: body.into_data_stream(), bytes: 0, limit }
    }

    /// The next part; none at the end, or where the limit is passed.
    async fn next(&mut self) -> Result<Option<Bytes>, Refusal> {
        let late = |_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request took too long to come");
        while let Some(part) = tokio::time::timeout(SILENCE, self.parts.next()).await.map_err(late)? {
            let part = part.map_err(|_| Refusal::wrong("the request was cut off"))?;
            self.bytes += part.len() as u64;
            if self.bytes <= self.limit {
                return Ok(Some(part));
            }
            if self.bytes > self.limit.saturating_add(LARGEST_WASTE) {
                break;
            }
        }
        Ok(None)
    }

    fn check(&self, message: impl FnOnce() -> String) -> Result<(), Refusal> {
        if self.bytes > self.limit { Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message())) } else { Ok(()) }
    }
}

/// A short text.
pub async fn text(body: Body) -> Result<String, Refusal> {
    let mut limited = Limited::new(body, LARGEST_TEXT);
    let mut bytes = Vec::new();
    while let Some(part) = limited.next().await? {
        bytes.extend_from_slice(&part);
    }
    limited.check(|| format!("the request is larger than {}", crate::size_text(LARGEST_TEXT)))?;
    String::from_utf8(bytes).map_err(|_| Refusal::wrong("the request is not UTF-8 text"))
}

/// JSON.
pub async fn json<T: DeserializeOwned>(body: Body) -> Result<T, Refusal> {
    let text = text(body).await?;
    serde_json::from_str(&text).map_err(|error| Refusal::wrong(format!("the request cannot be understood: {error}")))
}

/// Writes a file of at most so many bytes; how many it has.
pub async fn file(body: Body, limit: u64, out: &mut tokio::fs::File) -> Result<u64, Refusal> {
    let failed = |error: std::io::Error| {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, format!("the file cannot be kept: {error}"))
    };
    let mut limited = Limited::new(body, limit);
    while let Some(part) = limited.next().await? {
        out.write_all(&part).await.map_err(failed)?;
    }
    limited.check(|| {
        let largest = crate::size_text(limit);
        format!("the file is larger than {largest}; start `paretonym serve` with a larger --max-upload")
    })?;
    out.flush().await.map_err(failed)?;
    Ok(limited.bytes)
}
