//! Where records and fields of separated text begin and end. This must agree byte by byte with the decoder that turns
//! blocks into columns (csv-core behind arrow-csv), because it decides where blocks are cut and which line an error is
//! on: a quote opens a field only as its very first byte, a doubled quote inside is a quote, text after the closing
//! quote belongs to the field, and CR, LF and CRLF all end a record. A test compares the two.

use memchr::memchr;

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
        Records { bytes, syntax, position: 0, boundary: 0, unclosed: None }
    }

    /// Passes over blank lines and comments; whether text is left.
    fn skip_to_record(&mut self) -> bool {
        loop {
            let Some(byte) = self.bytes.get(self.position) else { return false };
            if matches!(byte, b'\r' | b'\n') {
                self.position += 1;
            } else if Some(*byte) == self.syntax.comment {
                // The decoder ends a comment at LF alone.
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

impl Iterator for Records<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        if !self.skip_to_record() {
            return None;
        }
        let start = self.position;
        let mut fields = 0;
        loop {
            let (stop, end) = self.syntax.field(self.bytes, self.position, None);
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

impl Syntax {
    /// Passes over one field; how and where it ends. Its text, without quotes, is appended to `text`.
    fn field(&self, bytes: &[u8], start: usize, mut text: Option<&mut Vec<u8>>) -> (FieldEnd, usize) {
        let mut position = start;
        if bytes.get(position) == Some(&b'"') {
            position += 1;
            loop {
                let Some(offset) = memchr(b'"', &bytes[position..]) else {
                    if let Some(text) = &mut text {
                        text.extend_from_slice(&bytes[position..]);
                    }
                    return (FieldEnd::Unclosed(start), bytes.len());
                };
                let doubled = bytes.get(position + offset + 1) == Some(&b'"');
                if let Some(text) = &mut text {
                    text.extend_from_slice(&bytes[position..position + offset + usize::from(doubled)]);
                }
                position += offset + 1 + usize::from(doubled);
                if !doubled {
                    break;
                }
            }
        }
        let rest = &bytes[position..];
        let ends = |byte: &u8| *byte == self.delimiter || *byte == b'\n' || *byte == b'\r';
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        if let Some(text) = text {
            text.extend_from_slice(&rest[..length]);
        }
        let stop = match rest.get(length) {
            None => FieldEnd::Text,
            Some(byte) if *byte == self.delimiter => FieldEnd::Delimiter,
            Some(_) => FieldEnd::Line,
        };
        (stop, position + length)
    }

    /// The fields of one record as bytes, without their quotes.
    pub fn split(&self, record: &[u8]) -> Vec<Vec<u8>> {
        let mut fields = Vec::new();
        let mut position = 0;
        loop {
            let mut text = Vec::new();
            let (stop, end) = self.field(record, position, Some(&mut text));
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
        let mut records = Records::new(bytes, *self);
        let mut boundary = 0;
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
        fn a_cut_changes_nothing(text in "[ab,\" \n\r#]{0,40}", at in 0usize..40, comment in any::<bool>()) {
            let syntax = Syntax { delimiter: b',', comment: comment.then_some(b'#') };
            let text = text.as_bytes();
            let (cut, _) = syntax.whole_lines(&text[..at.min(text.len())]);
            let mut parts = decoders(&text[..cut], syntax);
            parts.extend(decoders(&text[cut..], syntax));
            prop_assert_eq!(parts, decoders(text, syntax));
        }
    }
}
