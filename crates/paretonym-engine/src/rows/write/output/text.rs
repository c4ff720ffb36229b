//! A release as separated text.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray, UInt32Array};
use arrow_schema::ArrowError;

use super::{OutputColumn, STAR};
use crate::rows::cell_texts::cell_texts;

/// A text that is being written.
pub(crate) struct TextOutput {
    file: BufWriter<File>,
    delimiter: u8,
    columns: Vec<TextColumn>,
    line: Vec<u8>,
}

/// How a column becomes text.
enum TextColumn {
    /// The text of each set, quoted where that is needed.
    Sets(Vec<Vec<u8>>),
    Cells,
}

/// A column of a batch as it is written.
enum BatchColumn<'a> {
    Sets(&'a [Vec<u8>], UInt32Array),
    Cells(StringArray),
}

impl TextOutput {
    /// Begins a file with its line of names.
    pub fn new(file: File, delimiter: u8, columns: &[OutputColumn]) -> Result<Self, ArrowError> {
        let mut file = BufWriter::with_capacity(1 << 18, file);
        let mut line = Vec::new();
        for (at, column) in columns.iter().enumerate() {
            if at > 0 {
                line.push(delimiter);
            }
            quote(column.name(), delimiter, &mut line);
        }
        line.push(b'\n');
        file.write_all(&line)?;
        let quoted = |text: &String| {
            let mut bytes = Vec::new();
            quote(text, delimiter, &mut bytes);
            bytes
        };
        let columns = columns.iter().map(|column| match column {
            OutputColumn::Sets { shown, .. } => {
                TextColumn::Sets(shown.iter().map(quoted).chain([STAR.as_bytes().to_vec()]).collect())
            }
            OutputColumn::Cells(_) => TextColumn::Cells,
        });
        Ok(TextOutput { file, delimiter, columns: columns.collect(), line })
    }

    /// Appends rows.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        let TextOutput { file, delimiter, columns, line } = self;
        let columns = batch.columns().iter().zip(columns.iter()).map(|(array, column)| column.of_batch(array));
        let columns = columns.collect::<Result<Vec<BatchColumn>, ArrowError>>()?;
        for row in 0..batch.num_rows() {
            line.clear();
            for (at, shown) in columns.iter().enumerate() {
                if at > 0 {
                    line.push(*delimiter);
                }
                match shown {
                    BatchColumn::Sets(texts, codes) => line.extend_from_slice(&texts[codes.value(row) as usize]),
                    BatchColumn::Cells(texts) if texts.is_null(row) => {}
                    BatchColumn::Cells(texts) => quote(texts.value(row), *delimiter, line),
                }
            }
            if line.is_empty() {
                line.extend_from_slice(b"\"\"");
            }
            line.push(b'\n');
            file.write_all(line)?;
        }
        Ok(())
    }

    /// Ends the file.
    pub fn finish(self) -> Result<File, ArrowError> {
        Ok(self.file.into_inner().map_err(io::IntoInnerError::into_error)?)
    }
}

impl TextColumn {
    fn of_batch(&self, array: &ArrayRef) -> Result<BatchColumn<'_>, ArrowError> {
        Ok(match self {
            TextColumn::Sets(texts) => BatchColumn::Sets(texts, array.as_primitive::<UInt32Type>().clone()),
            TextColumn::Cells => BatchColumn::Cells(cell_texts(array.as_ref())?),
        })
    }
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
