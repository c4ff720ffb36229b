//! How a text table is written: its separator, whether its first line holds names, and the names. What the study
//! declares wins; the rest is guessed from the start of the file.

use std::collections::HashSet;
use std::path::Path;

use paretonym::data::{Decimal, Source};
use paretonym::error::{Error, Result};

use super::records::{Record, Records, Syntax};
use crate::rows::file::{BOM, at_line, newlines, not_utf8, refuse_utf16, table};

/// Bytes of the file's start that are looked at.
pub(crate) const SAMPLE: usize = 1 << 20;

/// Records that are looked at.
const SAMPLE_RECORDS: usize = 200;

/// How a text table is written.
#[derive(Clone, Debug)]
pub(crate) struct Dialect {
    /// Separator and comments.
    pub syntax: Syntax,
    /// Whether the first record holds names.
    pub header: bool,
    /// The names of the columns.
    pub names: Vec<String>,
    /// Bytes before the first record of data.
    pub skip: usize,
    /// The line on which the data starts.
    pub line: u64,
    /// The byte that lines are counted by: LF, or CR in files that have no other.
    pub newline: u8,
}

/// What the start of a text tells.
pub(crate) struct Look {
    /// How it is written.
    pub dialect: Dialect,
    /// Its first records, cells trimmed.
    pub rows: Vec<Vec<String>>,
    /// Whether there is more than a line of names.
    pub has_rows: bool,
}

/// Finds out how a text is written from its start, `whole` where the start is all of it; none where nothing is written in it.
pub(crate) fn look(source: &Source, sample: &[u8], whole: bool, tabs: bool) -> Result<Option<Look>> {
    let path = source.path.as_path();
    let start = Start::of(path, sample)?;
    let comment = source.comment.map(|comment| ascii(path, "comment", comment)).transpose()?;
    let delimiter = match source.delimiter {
        Some(delimiter) => ascii(path, "delimiter", delimiter)?,
        None => guess_delimiter(start.text, comment, whole, tabs),
    };
    if comment == Some(delimiter) {
        return Err(table(path, format!("`comment` and `delimiter` are both {:?}", char::from(delimiter))));
    }
    let syntax = Syntax { delimiter, comment };
    let Some((first, rows)) = start.records(path, syntax, whole)? else { return Ok(None) };
    let header = source.header.unwrap_or_else(|| source.columns.is_none() && looks_like_header(&rows, source));
    let names = names(source, delimiter, header, &rows[0], &at_line(path, start.line_of(first.start)))?;
    let has_rows = !(header && rows.len() == 1 && whole);
    let (skip, line) = start.behind(header.then_some(first));
    let dialect = Dialect { syntax, header, names, skip, line, newline: start.newline };
    Ok(Some(Look { dialect, rows, has_rows }))
}

/// The same where there must be rows.
pub(crate) fn detect(source: &Source, sample: &[u8], whole: bool, tabs: bool) -> Result<Dialect> {
    match look(source, sample, whole, tabs)? {
        None => Err(table(&source.path, "holds no rows")),
        Some(look) if !look.has_rows => Err(table(
            &source.path,
            "has a line of names but holds no rows; if that line is data, set `header = false`",
        )),
        Some(look) => Ok(look.dialect),
    }
}

/// The start of a text, behind the mark that some programs put before it.
pub(crate) struct Start<'a> {
    mark: usize,
    text: &'a [u8],
    /// The byte that lines are counted by.
    pub newline: u8,
}

impl<'a> Start<'a> {
    pub fn of(path: &Path, sample: &'a [u8]) -> Result<Self> {
        refuse_utf16(path, sample)?;
        let mark = if sample.starts_with(BOM) { BOM.len() } else { 0 };
        let text = &sample[mark..];
        let newline = if !text.contains(&b'\n') && text.contains(&b'\r') { b'\r' } else { b'\n' };
        Ok(Start { mark, text, newline })
    }

    /// The first record, and the cells of it and of those behind it, trimmed; none where there is none.
    pub fn records(&self, path: &Path, syntax: Syntax, whole: bool) -> Result<Option<(Record, Vec<Vec<String>>)>> {
        let records = sample_records(self.text, syntax, whole);
        let mut rows = Vec::with_capacity(records.len());
        for record in &records {
            let bytes = &self.text[record.start..record.end];
            // A sample ends anywhere, but its records are whole, so bad UTF-8 in one is the file's fault.
            let bad = |valid: usize| not_utf8(path, self.line_of(record.start + valid));
            std::str::from_utf8(bytes).map_err(|error| bad(error.valid_up_to()))?;
            rows.push(syntax.split(bytes).iter().map(|cell| String::from_utf8_lossy(cell).trim().to_owned()).collect());
        }
        match records.into_iter().next() {
            Some(first) => Ok(Some((first, rows))),
            None if whole => Ok(None),
            None => Err(table(
                path,
                format!("its first line is longer than {SAMPLE} bytes; is this a table, and is a quote left open?"),
            )),
        }
    }

    /// The bytes before the first record of data, which comes behind a line of names or at once, and its line.
    pub fn behind(&self, names: Option<Record>) -> (usize, u64) {
        let skip = names.map_or(0, |names| line_end(self.text, names.end));
        (self.mark + skip, self.line_of(skip))
    }

    /// The line on which a byte is.
    pub fn line_of(&self, offset: usize) -> u64 {
        1 + newlines(&self.text[..offset], self.newline)
    }
}

/// A separator or comment sign must be one byte, and none that text tables already use.
fn ascii(path: &Path, what: &str, sign: char) -> Result<u8> {
    match u8::try_from(sign) {
        Ok(byte) if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => Ok(byte),
        _ => {
            Err(table(path, format!("`{what} = {sign:?}` cannot be used: give one ASCII character other than a quote")))
        }
    }
}

/// The whole records at the start of a text.
fn sample_records(text: &[u8], syntax: Syntax, whole: bool) -> Vec<Record> {
    let end = if whole { text.len() } else { syntax.whole_lines(text).0 };
    Records::new(&text[..end], syntax).take(SAMPLE_RECORDS).collect()
}

/// Just behind the end of the line that ends at `end`.
fn line_end(text: &[u8], end: usize) -> usize {
    match &text[end..] {
        [b'\r', b'\n', ..] => end + 2,
        [] => end,
        _ => end + 1,
    }
}

/// The candidate by which the records have most often the same number of fields, and at least two.
pub(crate) fn guess_delimiter(text: &[u8], comment: Option<u8>, whole: bool, tabs: bool) -> u8 {
    let mut best = (0, 0);
    let mut found = b',';
    for delimiter in *b"\t;|," {
        let records = sample_records(text, Syntax { delimiter, comment }, whole);
        let Some(fields) = records.first().map(|record| record.fields) else { continue };
        let alike = records.iter().filter(|record| record.fields == fields).count();
        if fields < 2 {
            continue;
        }
        if delimiter == b'\t' && tabs {
            return delimiter;
        }
        let share = alike * 100 / records.len();
        // Decimal commas make one more field than there are columns: a comma must find more than that.
        let rank = (share, if delimiter == b',' { fields.saturating_sub(1) } else { fields });
        if rank > best {
            best = rank;
            found = delimiter;
        }
    }
    if tabs && best == (0, 0) { b'\t' } else { found }
}

/// Whether the first row holds names rather than values: texts none of which is a number or a missing cell, and none of
/// which comes back below. A name given twice is still a name where it stands above numbers: the error then names it.
pub(crate) fn looks_like_header(rows: &[Vec<String>], source: &Source) -> bool {
    let Some((first, below)) = rows.split_first() else { return false };
    let numeric = |cell: &str| cell.parse::<f64>().is_ok() || Decimal::Comma.read(cell).is_some();
    let mut seen = HashSet::new();
    let (mut doubled, mut above_numbers) = (false, false);
    for (column, cell) in first.iter().enumerate() {
        // Some programs leave the name of a leading column of row numbers empty, others end each line with a separator.
        let column_is = |test: &dyn Fn(&str) -> bool| {
            !below.is_empty() && below.iter().all(|row| row.get(column).is_some_and(|cell| test(cell)))
        };
        let row_numbers = column == 0 && column_is(&numeric);
        if cell.is_empty() && first.len() > 1 && (row_numbers || column_is(&str::is_empty)) {
            continue;
        }
        let missing = cell.is_empty() || source.is_missing(cell);
        if missing || numeric(cell) {
            return false;
        }
        doubled |= !seen.insert(cell);
        above_numbers |= column_is(&numeric);
        if below.iter().any(|row| row.get(column) == Some(cell)) {
            return false;
        }
    }
    !doubled || above_numbers
}

/// The names of the columns, each of which must be there once.
pub(crate) fn names(
    source: &Source,
    delimiter: u8,
    header: bool,
    first: &[String],
    place: &str,
) -> Result<Vec<String>> {
    let names: Vec<String> = match &source.columns {
        Some(columns) if columns.len() != first.len() => {
            let problem = format!(
                "`columns` names {} columns but the file has {} fields separated by {:?}; \
                 name every field, or set `delimiter`",
                columns.len(),
                first.len(),
                char::from(delimiter)
            );
            return Err(Error::Table { place: place.to_owned(), problem });
        }
        Some(columns) => columns.iter().map(|name| name.trim().to_owned()).collect(),
        None if header => names_in(first),
        None => (0..first.len()).map(numbered).collect(),
    };
    check_names(&names, place)?;
    Ok(names)
}

fn numbered(position: usize) -> String {
    format!("column_{}", position + 1)
}

/// The names in a line of names, some of which may be empty.
pub(crate) fn names_in(line: &[String]) -> Vec<String> {
    let named = |(at, name): (usize, &String)| if name.is_empty() { numbered(at) } else { name.clone() };
    line.iter().enumerate().map(named).collect()
}

/// The most columns of a table.
const MOST_COLUMNS: usize = 10_000;

/// Two columns of one name cannot be told apart, and of too many each takes memory.
pub(crate) fn check_names(names: &[String], place: &str) -> Result<()> {
    if names.len() > MOST_COLUMNS {
        let problem = format!(
            "{} columns are more than the {MOST_COLUMNS} that a table may have; is the separator right, and does each line \
             hold one row?",
            names.len()
        );
        return Err(Error::Table { place: place.to_owned(), problem });
    }
    let mut seen = HashSet::new();
    match names.iter().find(|name| !seen.insert(name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let problem = format!("two columns are called {name:?}; rename one, or name all of them with `columns`");
            Err(Error::Table { place: place.to_owned(), problem })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialect(text: &str) -> Dialect {
        detect(&Source::at("t.csv"), text.as_bytes(), true, false).unwrap()
    }

    #[test]
    fn a_line_of_separators_is_no_table() {
        let text = format!("{}\n", ",".repeat(20_000)).repeat(3);
        let error = detect(&Source::at("t.csv"), text.as_bytes(), true, false).unwrap_err();
        assert!(error.to_string().contains("20001 columns"), "{error}");
    }

    #[test]
    fn separators_are_guessed() {
        assert_eq!(dialect("a;b;c\n1,5;2,5;x\n").syntax.delimiter, b';');
        assert_eq!(dialect("1,5;2,5;3,5\n1,5;2,5;3,5\n").syntax.delimiter, b';');
        assert_eq!(dialect("a\tb\n1,5\t2\n").syntax.delimiter, b'\t');
        assert_eq!(dialect("a|b\n1|2\n").syntax.delimiter, b'|');
        assert_eq!(dialect("a,b,c\n\"x;y;z\",2,3\n").syntax.delimiter, b',');
        assert_eq!(dialect("a,b,c\nx;y,2|2,3\n").syntax.delimiter, b',');
        assert_eq!(dialect("name\nx\ny\n").syntax.delimiter, b',');
    }

    #[test]
    fn headers_are_guessed() {
        assert!(dialect("age,sex\n39,Male\n").header);
        assert!(!dialect("39, State-gov, 77516\n50, Private, 83311\n").header);
        assert!(dialect("sex,race\nMale,White\nFemale,Black\n").header);
        assert!(!dialect("Male,White\nFemale,White\n").header);
        assert!(!dialect("a,a\nb,c\n").header);
        let indexed = dialect(",age\n0,39\n1,50\n");
        assert!(indexed.header);
        assert_eq!(indexed.names, ["column_1", "age"]);
        assert_eq!(dialect("age,sex,\n39,Male,\n").names, ["age", "sex", "column_3"]);
        assert_eq!(dialect("1,2\n3,4\n").names, ["column_1", "column_2"]);
    }

    #[test]
    fn data_starts_behind_marks_comments_and_names() {
        let mut source = Source::at("t.csv");
        source.comment = Some('#');
        let dialect = detect(&source, b"\xef\xbb\xbf# note, with comma\r\n\r\na,b\r\n1,2\r\n", true, false).unwrap();
        assert_eq!(dialect.names, ["a", "b"]);
        assert_eq!((dialect.line, dialect.skip), (4, 3 + 20 + 2 + 5));
    }
}
