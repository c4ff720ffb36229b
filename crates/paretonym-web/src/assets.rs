//! The files of the page, inside the program.

use std::borrow::Cow;

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::answer::Refusal;

/// Name and content of each file of `ui/` that a browser asks for.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// `GET /`
pub async fn page() -> Response {
    file("index.html").unwrap_or_else(IntoResponse::into_response)
}

/// `GET /assets/NAME`
pub async fn asset(Path(name): Path<String>) -> Result<Response, Refusal> {
    file(&name)
}

fn file(name: &str) -> Result<Response, Refusal> {
    let content = content(name).ok_or_else(|| Refusal::not_found("the page has no such file"))?;
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    Ok(([(header::CONTENT_TYPE, kind)], content.into_owned()).into_response())
}

/// Only names of the list are ever served.
fn content(name: &str) -> Option<Cow<'static, [u8]>> {
    let (_, built_in) = FILES.iter().find(|(own, _)| *own == name)?;
    Some(from_disk(name).map_or(Cow::Borrowed(*built_in), Cow::Owned))
}

/// While the page is being written: the files of the folder that `PARETONYM_UI` names, without a build in between.
#[cfg(debug_assertions)]
fn from_disk(name: &str) -> Option<Vec<u8>> {
    std::fs::read(std::path::Path::new(&std::env::var_os("PARETONYM_UI")?).join(name)).ok()
}

#[cfg(not(debug_assertions))]
fn from_disk(_name: &str) -> Option<Vec<u8>> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_and_what_it_asks_for_are_inside() {
        let page = String::from_utf8(content("index.html").unwrap().into_owned()).unwrap();
        let asked: Vec<&str> = page.split("/assets/").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(!asked.is_empty());
        for name in asked {
            assert!(content(name).is_some(), "{name}");
        }
        assert!(content("types.d.ts").is_none() && content("../Cargo.toml").is_none());
    }
}
