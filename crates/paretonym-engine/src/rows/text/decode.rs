//! Decodes a block of text into columns and says on which line of the file something is wrong with it.
//!
//! Most text is plain: whole cells in quotes or none, no blank lines, the same number of fields in every line. A window of such
//! text is cut by the positions of its separators alone; everything else is cut record by record. Either way a cell is a part of the
//! block, nothing is copied but cells with quotes inside.

use std::path::PathBuf;

use memchr::{memchr, memchr_iter, memrchr};
use paretonym::error::Error;

use super::blocks::Block;
use super::dialect::Dialect;
use super::files::TextFile;
use super::records::{Records, Syntax};
use super::separators::Separators;
use crate::rows::cells::{Cells, Span, TextCells};
use crate::rows::file::{at_line, newlines, not_utf8, zero_byte};
use crate::rows::pass::{Consumer, Trouble};

/// Bytes that are cut together: what a worker holds in its caches, with the cells that it finds there.
const WINDOW: usize = 128 << 10;

/// Rows that are handed over together at most, where rows are short.
const BATCH: usize = 8192;

/// A worker's decoder.
pub(crate) struct Decoder {
    /// The file that it decodes, by its number in the table.
    pub file: usize,
    path: PathBuf,
    syntax: Syntax,
    newline: u8,
    /// The place of each field among those that are wanted.
    place_of: Vec<Option<usize>>,
    separators: Separators,
    /// The cells of the wanted columns.
    columns: Vec<Vec<Span>>,
    /// A cell without its quotes.
    unquoted: Vec<u8>,
    /// Bytes that are cut together; tests make it tiny.
    window: usize,
}

/// Rows that were cut.
struct Batch {
    rows: usize,
    /// Where the text goes on.
    next: usize,
    /// What is wrong with the record behind them.
    trouble: Option<Trouble>,
}

impl Decoder {
    /// A decoder for a file, for some of the table's columns, in ascending order.
    pub fn new((number, file): (usize, &TextFile), dialect: &Dialect, projection: &[usize]) -> Self {
        let column = |field: usize| file.order.as_ref().map_or(field, |order| order[field]);
        let place = |field: usize| projection.binary_search(&column(field)).ok();
        Decoder {
            file: number,
            path: file.path.clone(),
            place_of: (0..dialect.names.len()).map(place).collect(),
            syntax: dialect.syntax,
            newline: file.newline,
            separators: Separators::default(),
            columns: vec![Vec::new(); projection.len()],
            unquoted: Vec::new(),
            window: WINDOW,
        }
    }

    /// Hands the rows of a block to a consumer. Of several faults the one on the first line is reported.
    pub fn decode(&mut self, block: &mut Block, consumer: &mut dyn Consumer) -> Result<(), Trouble> {
        let length = block.bytes.len();
        let zero = memchr(0, &block.bytes);
        let broken = match simdutf8::basic::from_utf8(&block.bytes) {
            Ok(_) => zero,
            Err(_) => {
                let broken = std::str::from_utf8(&block.bytes).err().map(|error| error.valid_up_to());
                zero.into_iter().chain(broken).min()
            }
        };
        // Rows before the broken one may have faults of their own, which come first.
        let end = broken.map_or(length, |broken| self.record_with(&block.bytes, broken));
        let (mut position, mut before) = (0, 0);
        while position < end {
            let batch = match self.plain(&block.bytes[..end], position) {
                Some(batch) => batch,
                None => self.records(block, position, end),
            };
            let cells: Vec<Cells> = self
                .columns
                .iter()
                .map(|spans| Cells::Slices(TextCells { bytes: &block.bytes, spans: &spans[..batch.rows] }))
                .collect();
            let taken = consumer.take(&cells, batch.rows);
            block.bytes.truncate(length);
            taken.map_err(|fault| {
                let line = self.line_of(block, before + fault.row);
                Trouble { file: self.file, line, error: fault.into_error(&self.path, line) }
            })?;
            if let Some(trouble) = batch.trouble {
                return Err(trouble);
            }
            (position, before) = (batch.next, before + batch.rows);
        }
        match broken {
            None => Ok(()),
            Some(broken) => {
                let line = self.line_at(block, broken);
                let error = if zero == Some(broken) { zero_byte(&self.path, line) } else { not_utf8(&self.path, line) };
                Err(Trouble { file: self.file, line, error })
            }
        }
    }

    /// Cuts the next window where it is plain.
    fn plain(&mut self, text: &[u8], start: usize) -> Option<Batch> {
        let window = &text[start..text.len().min(start + self.window)];
        let (fields, delimiter) = (self.place_of.len(), self.syntax.delimiter);
        let quoted = memchr(b'"', window).is_some();
        let (window, rows) = if quoted {
            let rows = self.separators.find_unquoted(window, delimiter).filter(|rows| *rows > 0)?;
            (&window[..self.separators.keep_lines(window)], rows)
        } else {
            let window = &window[..memrchr(b'\n', window)? + 1];
            (window, self.separators.find(window, delimiter))
        };
        // As many rows as are handed over together; the rest is the next window's.
        let rows = rows.min(BATCH);
        let positions = self.separators.positions();
        let (window, positions) = match positions.get(..rows * fields) {
            Some(some) if rows == BATCH => (&window[..*some.last()? as usize + 1], some),
            _ => (window, positions),
        };
        let returns = memchr_iter(b'\r', window).count();
        // As many separators as lines need, every last of which ends a line: then every line has its number of fields.
        if positions.len() != rows * fields || !(returns == 0 || returns == rows) {
            return None;
        }
        let returned = usize::from(returns > 0);
        let mut line = 0;
        for last in positions.iter().skip(fields - 1).step_by(fields) {
            let end = *last as usize;
            let first = window[line];
            let regular = window[end] == b'\n'
                && Some(first) != self.syntax.comment
                && (fields > 1 || end > line + returned)
                && (returned == 0 || (end > line && window[end - 1] == b'\r'));
            if !regular {
                return None;
            }
            line = end + 1;
        }
        for (field, place) in self.place_of.iter().enumerate() {
            let Some(place) = place else { continue };
            let shorter = if field + 1 == fields { returned as u32 } else { 0 };
            let base = start as u32;
            let spans = &mut self.columns[*place];
            spans.clear();
            let ends = positions.iter().skip(field).step_by(fields);
            match field {
                0 => {
                    let starts =
                        [0].into_iter().chain(positions[fields - 1..].iter().step_by(fields).map(|end| end + 1));
                    spans.extend(
                        starts.zip(ends).map(|(from, to)| Span { start: base + from, end: base + to - shorter }),
                    );
                }
                _ => {
                    let starts = positions.iter().skip(field - 1).step_by(fields);
                    let span = |(from, to): (&u32, &u32)| Span { start: base + from + 1, end: base + to - shorter };
                    spans.extend(starts.zip(ends).map(span));
                }
            }
            // A quote at the beginning has its other one at the end.
            for span in spans.iter_mut().filter(|span| quoted && text[span.start as usize] == b'"') {
                *span = Span { start: span.start + 1, end: span.end - 1 };
            }
        }
        Some(Batch { rows, next: start + window.len(), trouble: None })
    }

    /// Cuts some records, whatever they hold, up to the first that has too few or too many fields. Cells that must be
    /// changed are written behind the text of the block.
    fn records(&mut self, block: &mut Block, start: usize, end: usize) -> Batch {
        let Decoder { syntax, place_of, columns, unquoted, window, .. } = self;
        let expected = place_of.len();
        columns.iter_mut().for_each(Vec::clear);
        let mut quoted: Vec<(usize, usize, usize)> = Vec::new();
        let mut rows = 0;
        let mut wrong = None;
        let mut records = Records::from(&block.bytes[..end], *syntax, start);
        while rows < BATCH && records.position() < end.min(start + *window) {
            let record = records.next_with(|field| {
                let Some(place) = place_of.get(field.index).copied().flatten() else { return };
                let (start, end) = field.verbatim.unwrap_or_else(|| {
                    quoted.push((place, rows, field.start));
                    (0, 0)
                });
                columns[place].push(Span { start: start as u32, end: end as u32 });
            });
            let Some(record) = record else { break };
            if record.fields != expected {
                wrong = Some(record);
                break;
            }
            rows += 1;
        }
        let next = records.position();
        for (place, row, start) in quoted.into_iter().filter(|(_, row, _)| *row < rows) {
            unquoted.clear();
            syntax.unquote(&block.bytes[..end], start, unquoted);
            let from = block.bytes.len();
            block.bytes.extend_from_slice(unquoted);
            columns[place][row] = Span { start: from as u32, end: block.bytes.len() as u32 };
        }
        let trouble = wrong.map(|record| {
            let line = self.line_at(block, record.start);
            let text = &block.bytes[record.start..record.end];
            let problem = wrong_fields(text, self.syntax, record.fields, expected);
            Trouble { file: self.file, line, error: Error::Table { place: at_line(&self.path, line), problem } }
        });
        Batch { rows, next, trouble }
    }

    /// Where the record begins in which a byte is.
    fn record_with(&self, bytes: &[u8], offset: usize) -> usize {
        let mut records = Records::new(bytes, self.syntax);
        records.find(|record| record.end > offset).map_or(offset, |record| record.start)
    }

    /// The line of the file on which a row of a block starts.
    fn line_of(&self, block: &Block, row: usize) -> u64 {
        let start = Records::new(&block.bytes, self.syntax).nth(row).map_or(0, |record| record.start);
        self.line_at(block, start)
    }

    /// The line of the file on which a byte of a block is.
    fn line_at(&self, block: &Block, offset: usize) -> u64 {
        block.line + newlines(&block.bytes[..offset], self.newline)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::pass::Fault;
    use proptest::prelude::*;

    /// Takes cells as they come, and refuses one that holds a `!`.
    #[derive(Default)]
    struct Taken(Vec<Vec<String>>);

    impl Consumer for Taken {
        fn take(&mut self, cells: &[Cells], rows: usize) -> Result<(), Fault> {
            for row in 0..rows {
                let cell = |cells: &Cells| match cells {
                    Cells::Slices(cells) => cells.at(cells.spans[row]).to_owned(),
                    _ => unreachable!(),
                };
                let cells: Vec<String> = cells.iter().map(cell).collect();
                if cells.iter().any(|cell| cell.contains('!')) {
                    return Err(Fault {
                        row,
                        column: "a".into(),
                        value: "!".into(),
                        problem: "refused".into(),
                        too_many: None,
                    });
                }
                self.0.push(cells);
            }
            Ok(())
        }
    }

    fn dialect(fields: usize, comment: bool) -> Dialect {
        let names = (0..fields).map(|field| field.to_string()).collect();
        let syntax = Syntax { delimiter: b',', comment: comment.then_some(b'#') };
        Dialect { syntax, header: false, names, skip: 0, line: 1, newline: b'\n' }
    }

    /// What another library makes of a text: the rows before the first fault, and whether there is one.
    fn expected(text: &[u8], dialect: &Dialect, wanted: &[usize]) -> (Vec<Vec<String>>, bool) {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .comment(dialect.syntax.comment)
            .from_reader(text);
        let mut rows = Vec::new();
        for record in reader.byte_records() {
            let record = record.unwrap();
            let cells: Option<Vec<String>> =
                wanted.iter().map(|field| Some(std::str::from_utf8(record.get(*field)?).ok()?.to_owned())).collect();
            let cells = cells.filter(|_| record.len() == dialect.names.len());
            let utf8 = record.iter().all(|cell| std::str::from_utf8(cell).is_ok());
            match cells.filter(|cells| utf8 && !cells.iter().any(|cell| cell.contains('!'))) {
                Some(cells) => rows.push(cells),
                None => return (rows, true),
            }
        }
        (rows, false)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn cells_are_what_another_library_reads(
            rows in prop::collection::vec("([ab é\"]{0,3},){0,2}[ab#\"!]{0,2}(\r?\n){1,2}", 0..12),
            plain in prop::collection::vec("[a #]{0,3},[é]{0,18},[b]{0,34}\n", 0..12),
            quoted in prop::collection::vec("\"[a,\n #é]{0,9}\",(\"[b,\n]{0,60}\"|[b]{0,3}),\"([a,]|\"\"){0,3}\"\r?\n", 0..12),
            fields in 1usize..4,
            comment in any::<bool>(),
            broken in any::<bool>(),
            window in prop_oneof![1usize..60, 60usize..900],
        ) {
            let mut text = plain.concat().into_bytes();
            text.extend(quoted.concat().into_bytes());
            text.extend(rows.concat().into_bytes());
            if broken {
                text.extend(b"a,b,\xc3,\xa9\n");
            }
            text.extend(plain.concat().into_bytes());
            text.push(b'\n');
            let dialect = dialect(fields, comment);
            // A quote that stays open is found before a block is cut.
            if dialect.syntax.whole_lines(&text).1.is_some() {
                text.extend(b"\"\n");
            }
            let wanted: Vec<usize> = (0..fields).filter(|field| *field != 1).collect();
            let file = TextFile { path: "t.csv".into(), gzip: false, skip: 0, line: 1, newline: b'\n', order: None };
            let mut decoder = Decoder::new((0, &file), &dialect, &wanted);
            decoder.window = window;
            let mut taken = Taken::default();
            let mut block = Block { file: 0, index: 0, line: 1, bytes: text.clone() };
            let done = decoder.decode(&mut block, &mut taken);
            let (rows, fault) = expected(&text, &dialect, &wanted);
            prop_assert_eq!(&taken.0[..rows.len().min(taken.0.len())], rows.as_slice());
            prop_assert_eq!(done.is_err(), fault);
            prop_assert_eq!(block.bytes, text);
        }
    }
}
