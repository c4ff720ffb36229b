//! Where records and fields of separated text begin and end, whatever they hold: a quote opens a field only as its very
//! first byte, a doubled quote inside is a quote, text after the closing quote belongs to the field, and CR, LF and CRLF
//! all end a record. A test compares this with the `csv` crate.

use memchr::memchr;

use super::quotes::last_line;

/// What separates fields and starts comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Syntax {
    /// Between fields.
    pub delimiter: u8,
    /// At the start of a line to be skipped.
    pub comment: Option<u8>,
}

/// One record of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// Its first byte.
    pub start: usize,
    /// Just behind its last byte, the end of line not included.
    pub end: usize,
    /// Its fields.
    pub fields: usize,
}

/// How a field ends.
enum FieldEnd {
    Delimiter,
    Line,
    Text,
    Unclosed(usize),
}

/// One field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// Its position in the record.
    pub index: usize,
    /// Its first byte, a quote included.
    pub start: usize,
    /// What it says, where that stands in the text as it is; where quotes must be taken out, none.
    pub verbatim: Option<(usize, usize)>,
}

/// The records of a text, one after the other. Blank lines and comments are no records.
pub(crate) struct Records<'a> {
    bytes: &'a [u8],
    syntax: Syntax,
    position: usize,
    /// Up to here the text consists of whole lines: a cut here breaks nothing.
    pub boundary: usize,
    /// The quote that is still open at the end of the text.
    pub unclosed: Option<usize>,
}

impl<'a> Records<'a> {
    /// The records of a text that starts with one.
    pub fn new(bytes: &'a [u8], syntax: Syntax) -> Self {
        Records::from(bytes, syntax, 0)
    }

    /// The records of a text from a place on at which one starts.
    pub fn from(bytes: &'a [u8], syntax: Syntax, position: usize) -> Self {
        Records { bytes, syntax, position, boundary: position, unclosed: None }
    }

    /// Where the next record is looked for.
    pub fn position(&self) -> usize {
        self.position
    }

    /// Passes over blank lines and comments; whether text is left.
    fn skip_to_record(&mut self) -> bool {
        loop {
            let Some(byte) = self.bytes.get(self.position) else { return false };
            if matches!(byte, b'\r' | b'\n') {
                self.position += 1;
            } else if Some(*byte) == self.syntax.comment {
                // A comment ends at LF alone, as others have it.
                match memchr(b'\n', &self.bytes[self.position..]) {
                    Some(offset) => self.position += offset + 1,
                    None => {
                        self.position = self.bytes.len();
                        return false;
                    }
                }
            } else {
                return true;
            }
            self.boundary = self.position;
        }
    }
}

impl Records<'_> {
    /// The next record; each of its fields is handed to `take`.
    pub fn next_with(&mut self, mut take: impl FnMut(Field)) -> Option<Record> {
        if !self.skip_to_record() {
            return None;
        }
        let start = self.position;
        let mut fields = 0;
        loop {
            let (stop, end, verbatim) = self.syntax.field(self.bytes, self.position);
            take(Field { index: fields, start: self.position, verbatim });
            fields += 1;
            match stop {
                FieldEnd::Delimiter => self.position = end + 1,
                FieldEnd::Line => {
                    let crlf = self.bytes[end..].starts_with(b"\r\n");
                    self.position = end + 1 + usize::from(crlf);
                    self.boundary = self.position;
                    return Some(Record { start, end, fields });
                }
                FieldEnd::Text | FieldEnd::Unclosed(_) => {
                    if let FieldEnd::Unclosed(quote) = stop {
                        self.unclosed = Some(quote);
                    }
                    self.position = end;
                    return Some(Record { start, end, fields });
                }
            }
        }
    }
}

impl Iterator for Records<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        self.next_with(|_| {})
    }
}

impl Syntax {
    /// Passes over one field; how and where it ends, and what it says where that stands in the text as it is.
    fn field(&self, bytes: &[u8], start: usize) -> (FieldEnd, usize, Option<(usize, usize)>) {
        let mut position = start;
        let mut inside = None;
        let mut doubled_once = false;
        if bytes.get(position) == Some(&b'"') {
            position += 1;
            loop {
                let Some(offset) = memchr(b'"', &bytes[position..]) else {
                    let verbatim = (!doubled_once).then_some((start + 1, bytes.len()));
                    return (FieldEnd::Unclosed(start), bytes.len(), verbatim);
                };
                let quote = position + offset;
                let doubled = bytes.get(quote + 1) == Some(&b'"');
                position = quote + 1 + usize::from(doubled);
                doubled_once |= doubled;
                if !doubled {
                    inside = Some((start + 1, quote));
                    break;
                }
            }
        }
        let rest = &bytes[position..];
        let ends = |byte: &u8| *byte == self.delimiter || *byte == b'\n' || *byte == b'\r';
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        let stop = match rest.get(length) {
            None => FieldEnd::Text,
            Some(byte) if *byte == self.delimiter => FieldEnd::Delimiter,
            Some(_) => FieldEnd::Line,
        };
        let verbatim = match inside {
            None => Some((start, position + length)),
            Some(inside) => (length == 0 && !doubled_once).then_some(inside),
        };
        (stop, position + length, verbatim)
    }

    /// Appends what the field that starts at `start` says, without its quotes.
    pub fn unquote(&self, bytes: &[u8], start: usize, text: &mut Vec<u8>) {
        let (_, end, verbatim) = self.field(bytes, start);
        if let Some((from, to)) = verbatim {
            text.extend_from_slice(&bytes[from..to]);
            return;
        }
        // Quoted: from quote to quote, of which a doubled one stays once; what stands behind the closing one stays too.
        let mut position = start + 1;
        while let Some(offset) = memchr(b'"', &bytes[position..end]) {
            let doubled = bytes[..end].get(position + offset + 1) == Some(&b'"');
            text.extend_from_slice(&bytes[position..position + offset + usize::from(doubled)]);
            position += offset + 1 + usize::from(doubled);
            if !doubled {
                break;
            }
        }
        text.extend_from_slice(&bytes[position..end]);
    }

    /// The fields of one record as bytes, without their quotes.
    pub fn split(&self, record: &[u8]) -> Vec<Vec<u8>> {
        let mut fields = Vec::new();
        let mut position = 0;
        loop {
            let (stop, end, _) = self.field(record, position);
            let mut text = Vec::new();
            self.unquote(record, position, &mut text);
            fields.push(text);
            match stop {
                FieldEnd::Delimiter => position = end + 1,
                _ => return fields,
            }
        }
    }

    /// Where the whole lines of a text end, and the quote that is open behind them. 0 where no line is whole.
    pub fn whole_lines(&self, bytes: &[u8]) -> (usize, Option<usize>) {
        if memchr(b'"', bytes).is_none()
            && let Some(last) = memchr::memrchr(b'\n', bytes)
        {
            return (last + 1, None);
        }
        // Quotes of a comment quote nothing.
        let comments = self.comment.is_some_and(|comment| memchr(comment, bytes).is_some());
        let lines = if comments { None } else { last_line(bytes, self.delimiter) };
        if let Some((end, false)) = lines {
            return (end, None);
        }
        let mut boundary = lines.map_or(0, |(end, _)| end);
        let mut records = Records::from(bytes, *self, boundary);
        loop {
            let more = records.next().is_some();
            // A CR at the very end may be half of a CRLF: the line is whole only when the next byte is known.
            if records.boundary < bytes.len() || bytes.ends_with(b"\n") {
                boundary = records.boundary;
            }
            if !more {
                return (boundary, records.unclosed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const COMMA: Syntax = Syntax { delimiter: b',', comment: None };

    fn ours(text: &[u8], syntax: Syntax) -> Vec<Vec<Vec<u8>>> {
        Records::new(text, syntax).map(|record| syntax.split(&text[record.start..record.end])).collect()
    }

    fn decoders(text: &[u8], syntax: Syntax) -> Vec<Vec<Vec<u8>>> {
        csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(syntax.delimiter)
            .comment(syntax.comment)
            .from_reader(text)
            .byte_records()
            .map(|record| record.unwrap().iter().map(<[u8]>::to_vec).collect())
            .collect()
    }

    #[test]
    fn a_quote_inside_an_unquoted_cell_is_just_a_quote() {
        let text = b"5\" pipe,\"a,\"\"b\"\"\nc\"d\n\n2,3";
        let records = ours(text, COMMA);
        assert_eq!(records, [[b"5\" pipe".to_vec(), b"a,\"b\"\ncd".to_vec()], [b"2".to_vec(), b"3".to_vec()]]);
        assert_eq!(COMMA.whole_lines(text).0, text.len() - 3);
    }

    #[test]
    fn an_open_quote_is_found() {
        assert_eq!(COMMA.whole_lines(b"a,b\nc,\"d\n"), (4, Some(6)));
        assert_eq!(COMMA.whole_lines(b"a,\"\"\"\n"), (0, Some(2)));
        assert_eq!(COMMA.whole_lines(b"a,b\r"), (0, None));
        assert_eq!(COMMA.whole_lines(b"a,b\rc"), (4, None));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn records_agree_with_the_decoder(text in "[ab,\" \n\r#]{0,40}", comment in any::<bool>()) {
            // Blocks always end with a newline; at the end of a comment without one the decoder invents a record.
            let text = text + "\n";
            let syntax = Syntax { delimiter: b',', comment: comment.then_some(b'#') };
            prop_assert_eq!(ours(text.as_bytes(), syntax), decoders(text.as_bytes(), syntax));
        }

        #[test]
        fn a_cut_changes_nothing(
            text in prop_oneof![
                "[ab,\" \n\r#]{0,40}",
                prop::collection::vec("(\"([ab#,\n]|\"\"){0,20}\"|[a#]{0,2}),\"[a\n]{0,4}\"(\r|\r?\n)", 0..9).prop_map(|rows| rows.concat()),
            ],
            at in prop_oneof![0usize..40, 0usize..300],
            comment in any::<bool>(),
        ) {
            let syntax = Syntax { delimiter: b',', comment: comment.then_some(b'#') };
            let text = text.as_bytes();
            let (cut, _) = syntax.whole_lines(&text[..at.min(text.len())]);
            let mut parts = decoders(&text[..cut], syntax);
            parts.extend(decoders(&text[cut..], syntax));
            prop_assert_eq!(parts, decoders(text, syntax));
        }
    }
}
