//! What kind of table a file holds.

use std::io::Read;
use std::path::Path;

use paretonym::error::Result;

use crate::rows::file::{open, table, unreadable};

/// What a file holds, and how it is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Separated text.
    Text {
        /// Whether it is compressed.
        gzip: bool,
        /// Whether the file's name promises tabs.
        tabs: bool,
    },
    /// Apache Parquet.
    Parquet,
}

const GZIP: &[u8] = &[0x1f, 0x8b];
const PARQUET: &[u8] = b"PAR1";
const ZIP: &[u8] = b"PK\x03\x04";

/// The format of a file by its extension, and by its first bytes where the extension says nothing; none of an empty file.
pub(crate) fn format(path: &Path) -> Result<Option<Format>> {
    let mut file = open(path)?;
    let mut magic = Vec::new();
    file.by_ref().take(4).read_to_end(&mut magic).map_err(|error| unreadable(path, error))?;

    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let inner = name.strip_suffix(".gz").unwrap_or(&name);
    let extension = Path::new(inner).extension().map(|extension| extension.to_string_lossy().into_owned());
    let gzip = magic.starts_with(GZIP);
    let extension = extension.unwrap_or_default();
    let parquet = matches!(extension.as_str(), "parquet" | "pq");
    let text = matches!(extension.as_str(), "csv" | "tsv" | "tab" | "txt" | "data" | "dat");
    if magic.is_empty() {
        return Ok(None);
    }
    if gzip && parquet {
        return Err(table(path, "is gzip-compressed; decompress it first (gunzip): Parquet compresses on its own"));
    }
    if parquet && !magic.starts_with(PARQUET) {
        return Err(table(path, "is named like a Parquet file but is none; give a text table the extension .csv"));
    }
    if inner != name && !gzip {
        return Err(table(path, "is named .gz but is not gzip-compressed; rename it without .gz"));
    }
    if magic.starts_with(ZIP) {
        return Err(table(path, "is a zip archive or an Excel workbook; extract it, or save the sheet as CSV (UTF-8)"));
    }
    if parquet || (!text && magic.starts_with(PARQUET)) {
        return Ok(Some(Format::Parquet));
    }
    Ok(Some(Format::Text { gzip, tabs: matches!(extension.as_str(), "tsv" | "tab") }))
}
