//! The files beside a release: certificate and recoding, each for programs and for people.

use std::path::{Path, PathBuf};

use paretonym::error::{Error, Result};
use paretonym::release::{
    Certificate, SavedRecoding, case_expression, markdown, region_query, region_table, value_table, values_of_labels,
};

use super::output::quote;
use crate::write::{private_folder, write_atomically};

/// The endings of the files beside a release. The last is a folder with one table per column.
const ENDINGS: [&str; 5] = [".certificate.json", ".certificate.md", ".recoding.json", ".recoding.sql", ".recoding"];

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

/// Whether a folder beside a release holds the tables of a recoding and nothing else, so that it can be replaced.
pub(super) fn holds_tables(path: &Path) -> bool {
    let is_table = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let numbered = name.bytes().take(2).all(|byte| byte.is_ascii_digit()) && name.get(2..3) == Some("-");
        numbered && name.ends_with(".csv") && entry.file_type().is_ok_and(|kind| kind.is_file())
    };
    let mut entries = std::fs::read_dir(path).ok().filter(|_| !path.is_symlink()).into_iter().flatten();
    path.is_dir() && entries.all(|entry| entry.is_ok_and(is_table))
}

/// Writes all files beside a release that lies in a working folder.
pub(super) fn write(release: &Path, certificate: &Certificate, saved: &SavedRecoding) -> Result<()> {
    let [json, text, recoding, sql, tables] = ENDINGS.map(|ending| beside(release, ending));
    let broken = |error: serde_json::Error| Error::study(format!("the certificate cannot be written: {error}"));
    let put = |path: &Path, text: String| write_atomically(path, |out| out.write_all(text.as_bytes()));
    put(&json, serde_json::to_string_pretty(certificate).map_err(broken)? + "\n")?;
    put(&text, markdown(certificate))?;
    put(&recoding, serde_json::to_string_pretty(saved).map_err(broken)? + "\n")?;
    private_folder(&tables)?;
    let name = |at: usize, name: &str| tables.join(format!("{at:02}-{}.csv", file_name(name)));
    match &saved.regions {
        None => {
            let mut all =
                "-- The recoding of each column. Rows of too small groups are suppressed besides.\n".to_owned();
            for (at, column) in saved.columns.iter().enumerate() {
                all += &format!("\n{}\n", case_expression(column));
                write_table(&name(at + 1, &column.name), &value_table(column))?;
            }
            put(&sql, all)
        }
        Some(regions) => {
            write_table(&name(0, "regions"), &region_table(saved, regions))?;
            for (at, column) in saved.columns.iter().enumerate() {
                write_table(&name(at + 1, &column.name), &values_of_labels(column))?;
            }
            put(&sql, region_query(saved, regions))
        }
    }
}

/// Writes rows of cells as separated text.
fn write_table(path: &Path, rows: &[Vec<String>]) -> Result<()> {
    let mut lines = Vec::new();
    for row in rows {
        for (cell, text) in row.iter().enumerate() {
            if cell > 0 {
                lines.push(b',');
            }
            quote(text, b',', &mut lines);
        }
        lines.push(b'\n');
    }
    write_atomically(path, |out| out.write_all(&lines))
}

/// A column's name as a part of a file's name.
fn file_name(column: &str) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() || "-_. ".contains(letter) { letter } else { '_' };
    column.chars().take(80).map(plain).collect()
}
