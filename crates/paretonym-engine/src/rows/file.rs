//! Opening files: their bytes with or without gzip, and text that must be UTF-8.

use std::fs::{File, Metadata};
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;
use paretonym::error::{Error, FileAction, Result};

/// The most bytes of a file that is read as a whole.
const LARGEST_TEXT: u64 = 2 << 30;

/// A file for reading. Anything else is refused before it is opened: opening a pipe waits for its writer, and opening a
/// folder succeeds and only reading it fails.
pub(crate) fn open(path: &Path) -> Result<File> {
    let failed = |source| Error::File { action: FileAction::Read, path: path.to_owned(), source };
    refuse_unless_file(path, &std::fs::metadata(path).map_err(failed)?)?;
    let file = File::open(path).map_err(failed)?;
    // What was a file a moment ago need not be one now.
    refuse_unless_file(path, &file.metadata().map_err(failed)?)?;
    Ok(file)
}

fn refuse_unless_file(path: &Path, found: &Metadata) -> Result<()> {
    if found.is_dir() {
        return Err(table(path, "is a folder, not a file; name the file inside it"));
    }
    // Tables are read more than once, first to find out what they are; a pipe gives its bytes only once.
    if !found.is_file() {
        return Err(table(path, "is a pipe or a device; save its content to a file first, and name that file"));
    }
    Ok(())
}

/// The text of a file, decompressed, together with a counter of the bytes taken from the disk so far.
pub(crate) fn stream(path: &Path, gzip: bool) -> Result<(Box<dyn Read + Send>, Arc<AtomicU64>)> {
    let taken = Arc::new(AtomicU64::new(0));
    let raw = Metered { inner: open(path)?, taken: Arc::clone(&taken) };
    let bytes: Box<dyn Read + Send> = match gzip {
        true => Box::new(MultiGzDecoder::new(BufReader::with_capacity(1 << 18, raw))),
        false => Box::new(raw),
    };
    Ok((bytes, taken))
}

/// The size of a file on the disk.
pub(crate) fn size(path: &Path) -> Result<u64> {
    Ok(open(path)?.metadata().map_err(|error| unreadable(path, error))?.len())
}

/// A small text file as a whole.
pub(crate) fn read_text(path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    open(path)?.take(LARGEST_TEXT + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, error))?;
    if bytes.len() as u64 > LARGEST_TEXT {
        return Err(table(path, "has more than 2 GiB, too much for a file of this kind; is it the right one?"));
    }
    refuse_utf16(path, &bytes)?;
    if bytes.starts_with(BOM) {
        bytes.drain(..BOM.len());
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        not_utf8(path, 1 + newlines(&error.as_bytes()[..valid], b'\n'))
    })
}

/// The mark some programs put before UTF-8 text.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// UTF-16 is recognized by its mark, or by the zero bytes that ASCII text has in it.
pub(crate) fn refuse_utf16(path: &Path, start: &[u8]) -> Result<()> {
    if start.starts_with(b"\xff\xfe") || start.starts_with(b"\xfe\xff") {
        let name = path.display();
        return Err(table(
            path,
            format!(
                "is UTF-16 text from line 1 on, not UTF-8; convert it: \
                 iconv -f UTF-16 -t UTF-8 {name:?} > converted.csv"
            ),
        ));
    }
    if let Some(zero) = memchr::memchr(0, start) {
        return Err(zero_byte(path, 1 + newlines(&start[..zero], b'\n')));
    }
    Ok(())
}

/// The error for a line with a zero byte.
pub(crate) fn zero_byte(path: &Path, line: u64) -> Error {
    let problem = "holds zero bytes: it is binary, or UTF-16 text without its mark, not UTF-8; convert text with: \
                   iconv -f UTF-16LE -t UTF-8, and take zero bytes out of UTF-8 text with: tr -d '\\000'";
    Error::Table { place: at_line(path, line), problem: problem.to_owned() }
}

/// The error for a line that is not UTF-8.
pub(crate) fn not_utf8(path: &Path, line: u64) -> Error {
    let name = path.display();
    let problem = format!(
        "the text is not UTF-8; if it comes from Windows, convert it: \
         iconv -f WINDOWS-1252 -t UTF-8 {name:?} > converted.csv"
    );
    Error::Table { place: at_line(path, line), problem }
}

/// An error of the system, or of decompression: damaged input is the input's fault, not the machine's.
pub(crate) fn unreadable(path: &Path, source: io::Error) -> Error {
    match source.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput | io::ErrorKind::UnexpectedEof => {
            table(path, format!("cannot be decompressed ({source}); is the file complete?"))
        }
        _ => Error::File { action: FileAction::Read, path: path.to_owned(), source },
    }
}

/// The error for a file that cannot be read as a table.
pub(crate) fn table(path: &Path, problem: impl Into<String>) -> Error {
    Error::Table { place: path.display().to_string(), problem: problem.into() }
}

/// The last part of a path, for progress bars.
pub(crate) fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// What is being done while a table is read, for progress bars: which table, and how many files it is in.
pub(crate) fn reading(path: &Path, files: usize) -> String {
    match files {
        1 => format!("reading {}", file_name(path)),
        many => format!("reading {} ({many} files)", file_name(path)),
    }
}

/// File and line, as errors name them.
pub(crate) fn at_line(path: &Path, line: u64) -> String {
    format!("{}, line {line}", path.display())
}

/// File and row, for files without lines.
pub(crate) fn at_row(path: &Path, row: u64) -> String {
    format!("{}, row {row}", path.display())
}

/// How often a byte that ends lines occurs.
pub(crate) fn newlines(bytes: &[u8], newline: u8) -> u64 {
    memchr::memchr_iter(newline, bytes).count() as u64
}

/// Counts what passes through.
struct Metered<R> {
    inner: R,
    taken: Arc<AtomicU64>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.taken.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
