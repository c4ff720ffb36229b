//! A release as separated text: every row that stays becomes its line as soon as it is read, and lines are what is mixed.

use arrow_array::{Array, Int32Array, StringArray};
use arrow_schema::ArrowError;

use super::{OutputColumn, STAR, SetNumbers, Shown};
use crate::rows::cell_texts::cell_texts;
use crate::rows::write::store::{Picked, Store};
use crate::rows::write::texts::same;

/// What the lines of a text look like.
pub(crate) struct TextSheet {
    delimiter: u8,
    /// The text of each set, quoted where that is needed; none for cells.
    columns: Vec<Option<Vec<Vec<u8>>>>,
}

/// Makes lines on one thread.
pub(crate) struct LineMaker<'a> {
    sheet: &'a TextSheet,
    /// Per column the last list of texts, and each of them quoted where that is needed.
    quoted: Vec<Option<(StringArray, Vec<Vec<u8>>)>>,
}

/// A column of a batch as it is written.
enum BatchColumn<'a> {
    Sets(&'a [Vec<u8>], SetNumbers<'a>),
    Listed(&'a [Vec<u8>], &'a Int32Array),
    /// Cells, and whether one of them may need quotes.
    Cells(StringArray, bool),
}

impl TextSheet {
    /// For columns in this order.
    pub fn new(delimiter: u8, columns: &[OutputColumn]) -> Self {
        let columns = columns.iter().map(|column| match column {
            OutputColumn::Sets { shown, .. } => {
                let star = Some(STAR.to_owned());
                let texts =
                    shown.iter().chain([&star]).map(|text| quoted(text.as_deref().unwrap_or_default(), delimiter));
                Some(texts.collect())
            }
            _ => None,
        });
        TextSheet { delimiter, columns: columns.collect() }
    }

    /// The line of names.
    pub fn header(&self, columns: &[OutputColumn]) -> Vec<u8> {
        let names: Vec<Vec<u8>> = columns.iter().map(|column| quoted(column.name(), self.delimiter)).collect();
        let mut line = names.join(&self.delimiter);
        line.push(b'\n');
        line
    }

    /// What a worker needs for making lines.
    pub fn line_maker(&self) -> LineMaker<'_> {
        LineMaker { sheet: self, quoted: self.columns.iter().map(|_| None).collect() }
    }
}

impl LineMaker<'_> {
    /// Appends the lines of picked rows.
    pub fn append(&mut self, shown: &[Shown], picked: Picked, lines: &mut Store) -> Result<(), ArrowError> {
        let Store::Text { lengths, bytes } = lines else { return Ok(()) };
        let delimiter = self.sheet.delimiter;
        for (shown, quoted_texts) in shown.iter().zip(&mut self.quoted) {
            if let Shown::Texts(_, texts) = shown
                && !quoted_texts.as_ref().is_some_and(|(last, _)| same(last, texts))
            {
                let text = |text: Option<&str>| quoted(text.unwrap_or_default(), delimiter);
                *quoted_texts = Some(((*texts).clone(), texts.iter().map(text).collect()));
            }
        }
        let column = |((shown, sets), listed)| batch_column(shown, sets, listed, delimiter);
        let columns = shown.iter().zip(&self.sheet.columns).zip(&self.quoted).map(column);
        let columns = columns.collect::<Result<Vec<BatchColumn>, ArrowError>>()?;
        for (at, &row) in picked.rows.iter().enumerate() {
            let (row, start) = (row as usize, bytes.len());
            let star = picked.stars.is_some_and(|stars| stars[at]);
            for (position, column) in columns.iter().enumerate() {
                if position > 0 {
                    bytes.push(delimiter);
                }
                match column {
                    BatchColumn::Sets(texts, sets) => bytes.extend_from_slice(&texts[sets.get(row, star) as usize]),
                    _ if star => {}
                    BatchColumn::Listed(texts, keys) if !keys.is_null(row) => {
                        bytes.extend_from_slice(&texts[keys.value(row) as usize]);
                    }
                    BatchColumn::Cells(texts, special) if !texts.is_null(row) => match special {
                        true => quote(texts.value(row), delimiter, bytes),
                        false => bytes.extend_from_slice(texts.value(row).as_bytes()),
                    },
                    _ => {}
                }
            }
            if bytes.len() == start {
                bytes.extend_from_slice(b"\"\"");
            }
            bytes.push(b'\n');
            let length = u32::try_from(bytes.len() - start).ok().filter(|length| *length < u32::MAX);
            lengths.push(length.ok_or_else(|| ArrowError::InvalidArgumentError("a line of 4 GiB".to_owned()))?);
        }
        Ok(())
    }
}

fn batch_column<'a>(
    shown: &'a Shown,
    sets: &'a Option<Vec<Vec<u8>>>,
    listed: &'a Option<(StringArray, Vec<Vec<u8>>)>,
    delimiter: u8,
) -> Result<BatchColumn<'a>, ArrowError> {
    Ok(match (shown, sets, listed) {
        (Shown::Sets(numbers), Some(texts), _) => BatchColumn::Sets(texts, *numbers),
        (Shown::Texts(keys, _), _, Some((_, texts))) => BatchColumn::Listed(texts, keys),
        (Shown::Cells(array), ..) => {
            let texts = cell_texts(array.as_ref())?;
            let special = has_special(&texts, delimiter);
            BatchColumn::Cells(texts, special)
        }
        _ => return Err(ArrowError::InvalidArgumentError("a column is none of those announced".to_owned())),
    })
}

/// Whether a byte occurs anywhere in the cells that would need quotes: mostly none does, and no cell need be looked at.
fn has_special(texts: &StringArray, delimiter: u8) -> bool {
    let bytes = texts.value_data();
    memchr::memchr3(b'"', b'\n', b'\r', bytes).is_some() || memchr::memchr(delimiter, bytes).is_some()
}

fn quoted(text: &str, delimiter: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    quote(text, delimiter, &mut bytes);
    bytes
}

/// Appends a cell, in quotes where it needs them.
pub(crate) fn quote(text: &str, delimiter: u8, line: &mut Vec<u8>) {
    let special = |byte: &u8| *byte == delimiter || matches!(byte, b'"' | b'\n' | b'\r');
    if !text.as_bytes().iter().any(special) {
        line.extend_from_slice(text.as_bytes());
        return;
    }
    line.push(b'"');
    for byte in text.bytes() {
        if byte == b'"' {
            line.push(b'"');
        }
        line.push(byte);
    }
    line.push(b'"');
}
