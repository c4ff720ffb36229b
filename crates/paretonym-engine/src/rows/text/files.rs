//! The files of a text table. How they are written is found out from the first that has rows; the others must be written alike.

use std::io::Read;
use std::path::{Path, PathBuf};

use paretonym::data::Source;
use paretonym::error::Result;
use rayon::prelude::*;

use super::dialect::{
    Dialect, Look, SAMPLE, Start, check_names, guess_delimiter, look, looks_like_header, names, names_in,
};
use crate::rows::alike::order_of;
use crate::rows::file::{self, at_line};

/// Bytes that are looked at of files behind the first, where these hold a record.
const SMALL_SAMPLE: usize = 1 << 16;

/// One file of a text table.
pub(crate) struct TextFile {
    pub path: PathBuf,
    pub gzip: bool,
    /// Bytes before the first record of data.
    pub skip: usize,
    /// The line on which the data starts.
    pub line: u64,
    /// The byte that lines are counted by.
    pub newline: u8,
    /// The column of the table that each of its fields is; none where they stand in the order of the table.
    pub order: Option<Vec<usize>>,
}

/// A file that is not looked at yet.
pub(crate) struct Unread {
    pub path: PathBuf,
    pub gzip: bool,
    /// Whether its name promises tabs.
    pub tabs: bool,
}

impl TextFile {
    /// The file that a table's dialect was found in.
    pub fn first(file: &Unread, dialect: &Dialect) -> Self {
        let Dialect { skip, line, newline, .. } = *dialect;
        TextFile { path: file.path.clone(), gzip: file.gzip, skip, line, newline, order: None }
    }
}

/// The start of a file, and whether it is all of it.
pub(crate) fn sample(file: &Unread, bytes: usize) -> Result<(Vec<u8>, bool)> {
    let (stream, _) = file::stream(&file.path, file.gzip)?;
    let mut sample = Vec::new();
    stream.take(bytes as u64).read_to_end(&mut sample).map_err(|error| file::unreadable(&file.path, error))?;
    let whole = sample.len() < bytes;
    Ok((sample, whole))
}

/// How the files of a table are written, and those of them that hold rows.
pub(crate) fn look_at_all(source: &Source, unread: &[Unread]) -> Result<(Dialect, Vec<TextFile>)> {
    let mut reference = None;
    for (number, file) in unread.iter().enumerate() {
        let (sample, whole) = sample(file, SAMPLE)?;
        let own = Source { path: file.path.clone(), ..source.clone() };
        if let Some(look) = look(&own, &sample, whole, file.tabs)?.filter(|look| look.has_rows) {
            reference = Some((number, look));
            break;
        }
    }
    let Some((first, look)) = reference else {
        let problem = "holds no rows: its files are empty, or hold a line of names and nothing else";
        return Err(file::table(&source.path, problem));
    };
    let one = |(number, file): (usize, &Unread)| match number == first {
        true => Ok(Some(TextFile::first(file, &look.dialect))),
        false => alike(source, file, (&unread[first].path, &look)),
    };
    // The first error is that of the first file, whoever is faster.
    let files: Vec<Result<Option<TextFile>>> = unread.par_iter().enumerate().map(one).collect();
    let files: Vec<Option<TextFile>> = files.into_iter().collect::<Result<_>>()?;
    Ok((look.dialect, files.into_iter().flatten().collect()))
}

/// A file that must be written like the first one; none where it holds no rows.
fn alike(source: &Source, file: &Unread, (first, look): (&Path, &Look)) -> Result<Option<TextFile>> {
    let Unread { path, gzip, .. } = file;
    let dialect = &look.dialect;
    let (mut bytes, mut whole) = sample(file, SMALL_SAMPLE)?;
    if !whole && dialect.syntax.whole_lines(&bytes).0 == 0 {
        (bytes, whole) = sample(file, SAMPLE)?;
    }
    let start = Start::of(path, &bytes)?;
    let Some((record, rows)) = start.records(path, dialect.syntax, whole)? else { return Ok(None) };
    let line = at_line(path, start.line_of(record.start));
    let mut order = None;
    if source.columns.is_some() {
        names(source, dialect.syntax.delimiter, dialect.header, &rows[0], &line)?;
    } else if dialect.header {
        order = Some(order_in(source, file, &bytes, &rows, (first, look))?);
    } else {
        check_no_names(source, path, &rows, (first, look))?;
    }
    if dialect.header && rows.len() == 1 && whole {
        return Ok(None);
    }
    let (skip, line) = start.behind(dialect.header.then_some(record));
    let order = order.filter(|order| !order.is_sorted());
    Ok(Some(TextFile { path: path.clone(), gzip: *gzip, skip, line, newline: start.newline, order }))
}

/// The columns that the first line of a file names.
fn order_in(
    source: &Source,
    file: &Unread,
    bytes: &[u8],
    rows: &[Vec<String>],
    (first, look): (&Path, &Look),
) -> Result<Vec<usize>> {
    let (path, dialect) = (&file.path, &look.dialect);
    let own = names_in(&rows[0]);
    let order = order_of((path, &own), (first, &dialect.names));
    if order.is_ok() {
        check_names(&own, &path.display().to_string())?;
        return order;
    }
    let shown = |delimiter: u8| format!("{:?}", char::from(delimiter));
    let separator = guess_delimiter(bytes, dialect.syntax.comment, true, file.tabs);
    let problem = if source.delimiter.is_none() && own.len() == 1 && separator != dialect.syntax.delimiter {
        let (own, other) = (shown(separator), shown(dialect.syntax.delimiter));
        format!("is separated by {own}, and {} by {other}", first.display())
    } else if source.header.is_none() && !looks_like_header(&pooled(rows, look), source) {
        format!("has no line of names, and {} seems to have one: {}", first.display(), dialect.names.join(", "))
    } else {
        return order;
    };
    Err(file::table(path, format!("{problem}; all files of a table are written alike")))
}

/// Where no file has a line of names, none may have one.
fn check_no_names(source: &Source, path: &Path, rows: &[Vec<String>], (first, look): (&Path, &Look)) -> Result<()> {
    let (own, other) = (rows[0].len(), look.dialect.names.len());
    if own != other {
        let problem = format!("has {own} columns, and {} has {other}", first.display());
        return Err(file::table(path, format!("{problem}; all files of a table need the same columns")));
    }
    if source.header.is_none() && looks_like_header(&pooled(rows, look), source) {
        let problem = format!(
            "seems to begin with a line of names ({}), which {} lacks; say `header = false` where it is data",
            rows[0].join(", "),
            first.display()
        );
        return Err(file::table(path, problem));
    }
    Ok(())
}

/// A first line with all that is known to stand below such lines: the more there is, the surer it is whether it has names.
fn pooled(rows: &[Vec<String>], look: &Look) -> Vec<Vec<String>> {
    let below = look.rows.iter().skip(usize::from(look.dialect.header));
    rows.iter().take(1).chain(below).chain(rows.iter().skip(1)).cloned().collect()
}
