//! The public files beside a release: its certificate, for programs and for people, and what it shows of its recoding.

use std::path::{Path, PathBuf};

use paretonym::error::{Error, Result};
use paretonym::release::{Certificate, PublicRecoding, markdown};

use crate::write_atomically;

/// The endings of the files beside a release.
const ENDINGS: [&str; 3] = [".certificate.json", ".certificate.md", ".recoding.json"];

/// The path of a file beside a release.
fn beside(release: &Path, ending: &str) -> PathBuf {
    let mut name = release.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// All paths beside a release.
pub(super) fn paths(release: &Path) -> Vec<PathBuf> {
    ENDINGS.iter().map(|ending| beside(release, ending)).collect()
}

/// The public recoding beside a release.
pub fn recoding_beside(release: &Path) -> PathBuf {
    beside(release, ENDINGS[2])
}

/// Writes all files beside a release that lies in a working folder.
pub(super) fn write(release: &Path, certificate: &Certificate, recoding: &PublicRecoding) -> Result<()> {
    let [json, text, shown] = ENDINGS.map(|ending| beside(release, ending));
    let broken = |error: serde_json::Error| Error::internal(format!("the certificate cannot be written: {error}"));
    let put = |path: &Path, text: String| write_atomically(path, |out| out.write_all(text.as_bytes()));
    put(&json, serde_json::to_string_pretty(certificate).map_err(broken)? + "\n")?;
    put(&text, markdown(certificate))?;
    put(&shown, serde_json::to_string_pretty(recoding).map_err(broken)? + "\n")
}
