//! The files of the page, inside the program.

use std::borrow::Cow;

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use paretonym::report::MODULES;

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

/// Only names of the lists are ever served: the page's own files, and those that it shares with the report.
fn content(name: &str) -> Option<Cow<'static, [u8]>> {
    let own = FILES.iter().find(|(own, _)| *own == name).map(|(_, bytes)| *bytes);
    let shared = || MODULES.iter().find(|module| module.name == name).map(|module| module.text.as_bytes());
    let built_in = own.or_else(shared)?;
    Some(from_disk(name).map_or(Cow::Borrowed(built_in), Cow::Owned))
}

/// While the page is being written: the files of the folders that `PARETONYM_UI` names, without a build in between.
#[cfg(debug_assertions)]
fn from_disk(name: &str) -> Option<Vec<u8>> {
    let folders = std::env::var_os("PARETONYM_UI")?;
    std::env::split_paths(&folders).find_map(|folder| std::fs::read(folder.join(name)).ok())
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
        assert!(content("report.js").is_none(), "the report's own");
    }

    #[test]
    fn every_import_is_served_and_no_name_stands_twice() {
        let shared = MODULES.iter().map(|module| (module.name, module.text.as_bytes()));
        let mut names = Vec::new();
        for (name, bytes) in FILES.iter().copied().chain(shared) {
            assert!(!names.contains(&name), "{name} is in two folders");
            names.push(name);
            if name.ends_with(".js") {
                let text = std::str::from_utf8(bytes).unwrap();
                let imports = text.lines().filter(|line| !line.contains("/**") && !line.trim_start().starts_with('*'));
                let imports = imports.flat_map(|line| line.split("\"./").skip(1));
                for import in imports.filter_map(|rest| rest.split('"').next()).filter(|name| name.ends_with(".js")) {
                    assert!(content(import).is_some(), "{name} imports {import}");
                }
            }
        }
    }
}
