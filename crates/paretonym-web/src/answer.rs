//! What the server answers: JSON, and refusals that say what is wrong and what to do.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use paretonym::error::Error;
use serde::Serialize;
use serde_json::json;

/// An answer that is not what was asked for.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    message: String,
}

impl Refusal {
    /// With any status.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Refusal { status, message: message.into() }
    }

    /// The request is wrong.
    pub fn wrong(message: impl Into<String>) -> Self {
        Refusal::new(StatusCode::BAD_REQUEST, message)
    }

    /// There is no such thing.
    pub fn not_found(message: impl Into<String>) -> Self {
        Refusal::new(StatusCode::NOT_FOUND, message)
    }

    /// It cannot be done now.
    pub fn conflict(message: impl Into<String>) -> Self {
        Refusal::new(StatusCode::CONFLICT, message)
    }

    /// The program is at fault.
    pub fn broken() -> Self {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "the program has failed at this; please report it")
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let status = match &error {
            Error::Cancelled => StatusCode::CONFLICT,
            error if error.is_input() => StatusCode::BAD_REQUEST,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        Refusal::new(status, error.to_string())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let body = json!({ "error": self.message }).to_string();
        (self.status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
    }
}

/// JSON as an answer.
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_string(&self.0) {
            Ok(body) => ([(header::CONTENT_TYPE, "application/json")], body).into_response(),
            Err(_) => Refusal::broken().into_response(),
        }
    }
}

/// Does work that takes a while, away from the threads that answer.
pub async fn work<T: Send + 'static>(work: impl FnOnce() -> Result<T, Refusal> + Send + 'static) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Refusal::broken()))
}
