//! Rows that wait for their place in the release. A worker puts them aside in chunks, each in the order of the buckets that
//! its rows went to; a bucket is taken back from all chunks.
//!
//! What does not fit into memory goes into files without a name inside the release's working folder: they hold recoded rows
//! only, and vanish with the process, however it ends.

use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use tempfile::SpooledTempFile;

/// What each worker holds in memory before it goes to the disk.
const IN_MEMORY: usize = 8 << 20;

/// Where in the table a chunk was read: the block or row group, and which chunk of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub part: usize,
    pub chunk: u32,
}

/// A chunk that was put aside.
pub(super) struct SpilledChunk {
    pub place: Place,
    /// Rows of the table that it was read from, whether they stay or not.
    pub read: u32,
    /// Per bucket: the rows in it, and where its bytes end.
    pub buckets: Vec<(u32, u32)>,
    /// Where its bytes start.
    start: u64,
    /// Whose file they are in.
    worker: usize,
}

/// What one worker puts aside.
pub(super) struct Spill {
    file: SpooledTempFile,
    length: u64,
    chunks: Vec<SpilledChunk>,
}

impl Spill {
    /// Empty; files are made inside a folder, and none where there is no folder.
    pub fn new(folder: Option<&Path>) -> Self {
        let file = match folder {
            Some(folder) => SpooledTempFile::new_in(IN_MEMORY, folder),
            None => SpooledTempFile::new(usize::MAX),
        };
        Spill { file, length: 0, chunks: Vec::new() }
    }

    /// Puts a chunk aside.
    pub fn put(&mut self, place: Place, read: u32, bytes: &[u8], buckets: Vec<(u32, u32)>) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.chunks.push(SpilledChunk { place, read, buckets, start: self.length, worker: 0 });
        self.length += bytes.len() as u64;
        Ok(())
    }
}

/// What all workers have put aside, in the order of the table.
pub(super) struct Spilled {
    files: Vec<Mutex<SpooledTempFile>>,
    pub chunks: Vec<SpilledChunk>,
    /// The number of the first row of each chunk in the table.
    pub first_rows: Vec<u64>,
}

impl Spilled {
    /// When everybody has finished.
    pub fn new(spills: Vec<Spill>) -> Self {
        let mut files = Vec::new();
        let mut chunks = Vec::new();
        for (worker, spill) in spills.into_iter().enumerate() {
            files.push(Mutex::new(spill.file));
            chunks.extend(spill.chunks.into_iter().map(|chunk| SpilledChunk { worker, ..chunk }));
        }
        chunks.sort_unstable_by_key(|chunk| chunk.place);
        let mut next = 0;
        let first_rows = chunks.iter().map(|chunk| {
            let first = next;
            next += u64::from(chunk.read);
            first
        });
        Spilled { first_rows: first_rows.collect(), files, chunks }
    }

    /// Takes the rows of a bucket back from a chunk, into a buffer that is overwritten.
    pub fn take(&self, chunk: usize, bucket: usize, bytes: &mut Vec<u8>) -> io::Result<()> {
        let SpilledChunk { buckets, start, worker, .. } = &self.chunks[chunk];
        let first = if bucket == 0 { 0 } else { buckets[bucket - 1].1 };
        bytes.resize((buckets[bucket].1 - first) as usize, 0);
        let mut file = self.files[*worker].lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(start + u64::from(first)))?;
        file.read_exact(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_come_back_in_the_order_of_the_table_and_leave_no_name() {
        let folder = tempfile::tempdir().unwrap();
        let mut spills = [Spill::new(Some(folder.path())), Spill::new(Some(folder.path()))];
        let large = vec![7; IN_MEMORY];
        let place = |part, chunk| Place { part, chunk };
        spills[0].put(place(1, 0), 10, b"abcde", vec![(1, 2), (1, 5)]).unwrap();
        spills[0].put(place(1, 1), 5, &large, vec![(3, 1), (4, large.len() as u32)]).unwrap();
        spills[1].put(place(0, 0), 7, b"xyz", vec![(0, 0), (3, 3)]).unwrap();
        assert!(spills[0].file.is_rolled() && !spills[1].file.is_rolled());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let spilled = Spilled::new(spills.into());
        assert_eq!(spilled.first_rows, [0, 7, 17]);
        let mut bytes = Vec::new();
        let mut took = |chunk, bucket| {
            spilled.take(chunk, bucket, &mut bytes).unwrap();
            bytes.clone()
        };
        assert_eq!([took(0, 0), took(0, 1), took(1, 0), took(1, 1)], [&b""[..], b"xyz", b"ab", b"cde"]);
        assert_eq!(took(2, 1).len(), large.len() - 1);
    }
}
