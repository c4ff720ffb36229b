//! Cuts a stream of text into blocks of whole records that can be decoded apart from each other.

use std::io::{self, Read};
use std::sync::mpsc::Receiver;

use super::records::Syntax;
use crate::rows::file::newlines;

/// Bytes per block: large enough that handing one over costs nothing, small enough that many fit into memory.
pub(crate) const BLOCK: usize = 4 << 20;

/// A record longer than this is taken for a quote that somebody forgot to close.
const LONGEST_RECORD: usize = 64 << 20;

/// Whole records, each ended by a newline.
pub(crate) struct Block {
    /// The file it is of, by its number in the table.
    pub file: usize,
    /// Position among the blocks of the table.
    pub index: usize,
    /// The line of the file on which it starts, counted from 1.
    pub line: u64,
    /// Its text.
    pub bytes: Vec<u8>,
}

/// Why there is no next block.
#[derive(Debug)]
pub(crate) enum NoBlock {
    /// The system, or the decompression, failed.
    Read(io::Error),
    /// A quote opened on this line is not closed.
    Unclosed(u64),
    /// This line is longer than anything sensible.
    Endless(u64),
}

/// The blocks of a stream.
pub(crate) struct Blocks<'a, R> {
    stream: R,
    file: usize,
    syntax: Syntax,
    newline: u8,
    size: usize,
    index: usize,
    line: u64,
    rest: Vec<u8>,
    ended: bool,
    /// Memory of blocks that are done with: fresh memory costs as much as reading into it does.
    spare: &'a Receiver<Vec<u8>>,
}

impl<'a, R: Read> Blocks<'a, R> {
    /// Blocks of about `size` bytes from the stream of a file that stands at the start of a record on `line`, numbered
    /// from `index` on.
    pub fn new(
        stream: R,
        (syntax, newline): (Syntax, u8),
        (file, index, line): (usize, usize, u64),
        size: usize,
        spare: &'a Receiver<Vec<u8>>,
    ) -> Self {
        Blocks { stream, file, syntax, newline, size, index, line, rest: Vec::new(), ended: false, spare }
    }

    /// The number of the next block.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The next block, or nothing at the end of the stream.
    pub fn next(&mut self) -> Result<Option<Block>, NoBlock> {
        let mut bytes = self.spare.try_recv().unwrap_or_default();
        // What the memory held is written over; only what it lacks is filled with zeros.
        let mut filled = self.rest.len();
        bytes.resize(self.size.max(filled), 0);
        bytes[..filled].copy_from_slice(&self.rest);
        self.rest.clear();
        let mut wanted = self.size;
        loop {
            self.fill(&mut bytes, &mut filled, wanted)?;
            bytes.truncate(filled);
            if self.ended {
                return self.last(bytes);
            }
            let (cut, unclosed) = self.syntax.whole_lines(&bytes);
            if cut > 0 {
                self.rest.extend_from_slice(&bytes[cut..]);
                bytes.truncate(cut);
                return Ok(Some(self.hand_over(bytes)));
            }
            if bytes.len() >= LONGEST_RECORD.max(self.size) {
                return Err(match unclosed {
                    Some(quote) => NoBlock::Unclosed(self.line + newlines(&bytes[..quote], self.newline)),
                    None => NoBlock::Endless(self.line),
                });
            }
            wanted = bytes.len() * 2;
        }
    }

    fn fill(&mut self, bytes: &mut Vec<u8>, filled: &mut usize, wanted: usize) -> Result<(), NoBlock> {
        bytes.resize(wanted.max(*filled), 0);
        while *filled < wanted && !self.ended {
            match self.stream.read(&mut bytes[*filled..wanted]) {
                Ok(0) => self.ended = true,
                Ok(read) => *filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(NoBlock::Read(error)),
            }
        }
        Ok(())
    }

    fn last(&mut self, mut bytes: Vec<u8>) -> Result<Option<Block>, NoBlock> {
        if bytes.is_empty() {
            return Ok(None);
        }
        if !bytes.ends_with(b"\n") {
            bytes.push(b'\n');
        }
        match self.syntax.whole_lines(&bytes) {
            (_, Some(quote)) => Err(NoBlock::Unclosed(self.line + newlines(&bytes[..quote], self.newline))),
            _ => Ok(Some(self.hand_over(bytes))),
        }
    }

    fn hand_over(&mut self, bytes: Vec<u8>) -> Block {
        let block = Block { file: self.file, index: self.index, line: self.line, bytes };
        self.index += 1;
        self.line += newlines(&block.bytes, self.newline);
        block
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMA: Syntax = Syntax { delimiter: b',', comment: None };

    fn blocks(text: &str, size: usize) -> Result<Vec<(u64, String)>, NoBlock> {
        let (sender, spare) = std::sync::mpsc::channel();
        let mut blocks = Blocks::new(text.as_bytes(), (COMMA, b'\n'), (0, 0, 1), size, &spare);
        let mut found = Vec::new();
        while let Some(block) = blocks.next()? {
            found.push((block.line, String::from_utf8(block.bytes.clone()).unwrap()));
            sender.send(block.bytes).unwrap();
        }
        Ok(found)
    }

    #[test]
    fn every_size_gives_the_same_text_and_right_lines() {
        let text = "a,\"b\nc\",d\r\n\n\"x\"\"y\n\"\"\",5\" pipe,z\nlast,one,here";
        for size in 1..80 {
            let blocks = blocks(text, size).unwrap();
            let joined: String = blocks.iter().map(|(_, text)| text.as_str()).collect();
            assert_eq!(joined, format!("{text}\n"), "size {size}");
            let mut line = 1;
            for (start, text) in &blocks {
                assert_eq!(*start, line, "size {size}");
                line += text.matches('\n').count() as u64;
            }
        }
        assert!(blocks(text, 1).unwrap().len() > 1);
    }

    #[test]
    fn a_quote_that_never_closes_is_found_where_it_opens() {
        for size in [1, 4, 100] {
            assert!(matches!(blocks("a,b\nc,\"d\ne,f\n", size), Err(NoBlock::Unclosed(2))), "size {size}");
        }
    }
}
