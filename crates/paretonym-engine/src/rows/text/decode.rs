//! Decodes a block of text into columns and says on which line of the file something is wrong with it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_csv::ReaderBuilder;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use paretonym::error::Error;

use super::blocks::Block;
use super::dialect::Dialect;
use super::records::{Records, Syntax};
use crate::rows::cells::Cells;
use crate::rows::file::{at_line, newlines, not_utf8};
use crate::rows::pass::{Consumer, Trouble};

/// Rows per batch: what a worker holds in its caches at a time, and cells per batch, since room for all is made beforehand.
const BATCH: usize = 4096;
const BATCH_CELLS: usize = 1 << 20;

/// A worker's decoder.
pub(crate) struct Decoder {
    path: PathBuf,
    dialect: Dialect,
    projection: Vec<usize>,
    arrow: arrow_csv::reader::Decoder,
}

impl Decoder {
    /// A decoder for some of a table's columns, in ascending order.
    pub fn new(path: &Path, dialect: &Dialect, projection: &[usize]) -> Self {
        let projection = projection.to_vec();
        let arrow = arrow_decoder(dialect, &projection);
        Decoder { path: path.to_owned(), dialect: dialect.clone(), projection, arrow }
    }

    /// Hands the rows of a block to a consumer. Of several faults the one on the first line is reported.
    pub fn decode(&mut self, block: &Block, consumer: &mut impl Consumer) -> Result<(), Trouble> {
        // The decoder checks cells without their separators, which would let halves of a character in two
        // neighbouring cells pass for a whole one; so the text is checked before.
        let broken = match std::str::from_utf8(&block.bytes) {
            Ok(_) => match self.rows(block, &block.bytes, consumer)? {
                Ok(()) => return Ok(()),
                Err(_) => None,
            },
            Err(error) => Some(error.valid_up_to()),
        };
        // Something is wrong with the text itself. This worker's counts will be thrown away, so it does not matter
        // that rows before the fault are consumed twice: only whether one of them has an earlier fault.
        self.arrow = arrow_decoder(&self.dialect, &self.projection);
        let (start, trouble) = self.diagnose(block, broken);
        let _ = self.rows(block, &block.bytes[..start], consumer)?;
        Err(trouble)
    }

    /// Decodes text of a block; the outer error is the consumer's, the inner one the decoder's.
    fn rows(
        &mut self,
        block: &Block,
        mut text: &[u8],
        consumer: &mut impl Consumer,
    ) -> Result<Result<(), ArrowError>, Trouble> {
        let mut before = 0;
        while !text.is_empty() {
            match self.arrow.decode(text) {
                Ok(read) => text = &text[read..],
                Err(error) => return Ok(Err(error)),
            }
            if !text.is_empty() && self.arrow.capacity() > 0 {
                continue;
            }
            let batch = match self.arrow.flush() {
                Ok(Some(batch)) => batch,
                Ok(None) => continue,
                Err(error) => return Ok(Err(error)),
            };
            let cells: Vec<Cells> =
                batch.columns().iter().map(|column| Cells::Text(column.as_string::<i32>().clone())).collect();
            consumer.take(&cells, batch.num_rows()).map_err(|fault| {
                let line = self.line_of(block, before + fault.row);
                Trouble { line, error: fault.into_error(&self.path, line) }
            })?;
            before += batch.num_rows();
        }
        Ok(Ok(()))
    }

    /// What is wrong with the text of a block, and where the record starts in which it is.
    fn diagnose(&self, block: &Block, broken: Option<usize>) -> (usize, Trouble) {
        let expected = self.dialect.names.len();
        let bytes = &block.bytes;
        let line_at = |offset: usize| block.line + newlines(&bytes[..offset], self.dialect.newline);
        let mut start = 0;
        for record in Records::new(bytes, self.dialect.syntax) {
            start = record.start;
            if broken.is_some_and(|broken| broken < record.end) {
                break;
            }
            if record.fields != expected {
                let line = line_at(record.start);
                let text = &bytes[record.start..record.end];
                return (
                    record.start,
                    self.trouble(line, wrong_fields(text, self.dialect.syntax, record.fields, expected)),
                );
            }
        }
        let line = line_at(broken.unwrap_or(start));
        let error = match broken {
            Some(_) => not_utf8(&self.path, line),
            None => return (start, self.trouble(line, "the text cannot be read as a table".to_owned())),
        };
        (start, Trouble { line, error })
    }

    /// The line of the file on which a row of a block starts.
    fn line_of(&self, block: &Block, row: usize) -> u64 {
        let start = Records::new(&block.bytes, self.dialect.syntax).nth(row).map_or(0, |record| record.start);
        block.line + newlines(&block.bytes[..start], self.dialect.newline)
    }

    fn trouble(&self, line: u64, problem: String) -> Trouble {
        Trouble { line, error: Error::Table { place: at_line(&self.path, line), problem } }
    }
}

/// What to say about a record with too few or too many fields.
fn wrong_fields(text: &[u8], syntax: Syntax, fields: usize, expected: usize) -> String {
    let plural = if fields == 1 { "" } else { "s" };
    // Spaces are part of a cell, so a quote behind them quotes nothing: the likeliest cause where there is one.
    let spaced = [syntax.delimiter, b' ', b'"'];
    let advice = match memchr::memmem::find(text, &spaced) {
        Some(_) => "remove the space before the quote, which has no effect there",
        None => "quote cells that hold the separator, or set `delimiter`",
    };
    format!("this row has {fields} field{plural}, the table has {expected}; {advice}")
}

fn arrow_decoder(dialect: &Dialect, projection: &[usize]) -> arrow_csv::reader::Decoder {
    let fields: Vec<Field> = dialect.names.iter().map(|name| Field::new(name, DataType::Utf8, true)).collect();
    let mut builder = ReaderBuilder::new(Arc::new(Schema::new(fields)))
        .with_delimiter(dialect.syntax.delimiter)
        .with_batch_size((BATCH_CELLS / dialect.names.len().max(1)).clamp(16, BATCH))
        .with_projection(projection.to_vec());
    if let Some(comment) = dialect.syntax.comment {
        builder = builder.with_comment(comment);
    }
    let mut decoder = builder.build_decoder();
    // The decoder drops a byte-order mark from the first text it sees, which here may be any block of the file. An
    // empty line makes it believe that the start is over.
    let _ = decoder.decode(b"\n");
    decoder
}
