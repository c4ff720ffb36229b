//! Packed tuples with their rows, one after the other in a file without a name.
//!
//! Such a file holds values of people. It lies in the folder that it is made for, nobody else can open it, and it vanishes with
//! the process, however that ends.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Bytes of an entry: the packed tuple, and its rows.
const ENTRY: usize = 12;

/// Entries that are read at once.
const AT_ONCE: usize = 1 << 13;

/// Entries in the order in which they were written.
pub(super) struct Entries {
    file: Mutex<File>,
    pub len: u64,
}

/// Writes entries.
pub(super) struct EntryWriter {
    out: BufWriter<File>,
    pub len: u64,
}

impl EntryWriter {
    /// Into a new file in a folder.
    pub fn new(folder: &Path) -> io::Result<Self> {
        Ok(EntryWriter { out: BufWriter::with_capacity(AT_ONCE * ENTRY, tempfile::tempfile_in(folder)?), len: 0 })
    }

    /// Appends a tuple. One with more rows than an entry can hold gets several.
    pub fn put(&mut self, key: u64, mut rows: u64) -> io::Result<()> {
        while rows > 0 {
            let some = u32::try_from(rows).unwrap_or(u32::MAX);
            let mut entry = [0; ENTRY];
            entry[..8].copy_from_slice(&key.to_le_bytes());
            entry[8..].copy_from_slice(&some.to_le_bytes());
            self.out.write_all(&entry)?;
            self.len += 1;
            rows -= u64::from(some);
        }
        Ok(())
    }

    /// What was written, to be read.
    pub fn finish(self) -> io::Result<Entries> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Entries { file: Mutex::new(file), len: self.len })
    }
}

/// Reads a range of entries.
pub(super) struct EntryReader<'a> {
    entries: &'a Entries,
    /// The next entries, and how many of them have been taken.
    buffer: Vec<u8>,
    taken: usize,
    /// The number of the entry behind the buffer, and of that behind the range.
    next: u64,
    end: u64,
}

impl<'a> EntryReader<'a> {
    /// From one entry to before another.
    pub fn new(entries: &'a Entries, from: u64, end: u64) -> Self {
        EntryReader { entries, buffer: Vec::new(), taken: 0, next: from, end }
    }

    /// The number of the next entry.
    pub fn position(&self) -> u64 {
        self.next - ((self.buffer.len() - self.taken) / ENTRY) as u64
    }

    /// Goes on from another entry.
    pub fn turn_to(&mut self, entry: u64) {
        let first = self.next - (self.buffer.len() / ENTRY) as u64;
        if (first..=self.next).contains(&entry) {
            self.taken = (entry - first) as usize * ENTRY;
        } else {
            self.buffer.clear();
            (self.taken, self.next) = (0, entry);
        }
    }

    /// The entries that are here, reading more where there are none; none at the end. Take them by [`EntryReader::took`].
    pub fn some(&mut self) -> io::Result<&[u8]> {
        if self.taken == self.buffer.len() {
            let wanted = (self.end - self.next).min(AT_ONCE as u64);
            self.buffer.resize(wanted as usize * ENTRY, 0);
            self.taken = 0;
            let mut file = self.entries.file.lock().unwrap_or_else(PoisonError::into_inner);
            file.seek(SeekFrom::Start(self.next * ENTRY as u64))?;
            file.read_exact(&mut self.buffer)?;
            self.next += wanted;
        }
        Ok(&self.buffer[self.taken..])
    }

    /// So many of the entries were taken.
    pub fn took(&mut self, entries: usize) {
        self.taken += entries * ENTRY;
    }

    /// The next entry.
    pub fn next(&mut self) -> io::Result<Option<(u64, u64)>> {
        let entry = decoded(self.some()?).next();
        self.took(usize::from(entry.is_some()));
        Ok(entry)
    }
}

/// Tuples and their rows from the bytes of entries.
pub(super) fn decoded(bytes: &[u8]) -> impl Iterator<Item = (u64, u64)> + '_ {
    bytes.as_chunks::<ENTRY>().0.iter().map(|entry| {
        let [a, b, c, d, e, f, g, h, rows @ ..] = *entry;
        (u64::from_le_bytes([a, b, c, d, e, f, g, h]), u64::from(u32::from_le_bytes(rows)))
    })
}
