//! Keyed digests: what a digest was made of can be checked by whoever holds the key, and guessed by nobody else.

use std::io;
use std::path::{Path, PathBuf};

use hmac::{Hmac, KeyInit, Mac};
use paretonym::engine::Watch;
use paretonym::error::{Error, FileAction, Result};
use sha2::Sha256;
use subtle::ConstantTimeEq;

use super::PRIVATE;
use super::digest::{each_part, each_part_of_table};
use crate::hex::hex;
use crate::rows::frame::Frame;
use crate::{private_folder, write_atomically};

/// The file of a key inside [`PRIVATE`], and inside the private part of a release.
pub(crate) const KEY: &str = "key";

/// Where a key is kept in the folder of a run.
fn place(dir: &Path) -> PathBuf {
    dir.join(PRIVATE).join(KEY)
}

/// A secret of 32 random bytes.
#[derive(Clone)]
pub(crate) struct Key([u8; 32]);

impl Key {
    /// A new one, from the system's source of randomness.
    pub fn random() -> Result<Self> {
        random_bytes().map(Key)
    }

    /// That of the folder of a run; none where it has none.
    pub fn of(dir: &Path) -> Result<Option<Self>> {
        let path = place(dir);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(Error::File { action: FileAction::Read, path, source }),
        };
        let wrong = || Error::Table {
            place: path.display().to_string(),
            problem: "this is not a key; explore again into a new folder".to_owned(),
        };
        bytes_of(text.trim()).map(|bytes| Some(Key(bytes))).ok_or_else(wrong)
    }

    /// Keeps it in the folder of a run.
    pub fn keep(&self, dir: &Path) -> Result<()> {
        private_folder(&dir.join(PRIVATE))?;
        self.write(&place(dir))
    }

    /// Writes it into a file that only its owner may read.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = self.text() + "\n";
        write_atomically(path, |file| file.write_all(text.as_bytes()))
    }

    /// That of a text of 64 digits.
    pub fn read(text: &str) -> Result<Self> {
        bytes_of(text).map(Key).ok_or_else(|| Error::study("a key has 64 hexadecimal digits"))
    }

    /// Its 64 digits.
    pub fn text(&self) -> String {
        hex(&self.0)
    }

    pub(super) fn mac(&self) -> Hmac<Sha256> {
        // HMAC takes keys of any length.
        Hmac::new_from_slice(&self.0).unwrap_or_else(|_| unreachable!("a key of any length is allowed"))
    }

    /// The digest of some bytes.
    pub fn digest(&self, bytes: &[u8]) -> String {
        let mut mac = self.mac();
        mac.update(bytes);
        hex(&mac.finalize().into_bytes())
    }

    /// The digest of a table, in whatever files it is.
    pub fn digest_table(&self, path: &Path, watch: &dyn Watch) -> Result<String> {
        let mut mac = self.mac();
        each_part_of_table(path, watch, |part| mac.update(part))?;
        Ok(hex(&mac.finalize().into_bytes()))
    }

    /// The digest of a table in memory.
    pub fn digest_frame(&self, frame: &Frame) -> Result<String> {
        let mut mac = self.mac();
        let (seed, _) = self.0.as_chunks::<8>();
        frame.each_part(u64::from_le_bytes(seed[0]), |part| mac.update(part))?;
        Ok(hex(&mac.finalize().into_bytes()))
    }

    /// The digest of a file.
    pub fn digest_file(&self, path: &Path, watch: &dyn Watch) -> Result<String> {
        let mut mac = self.mac();
        each_part(path, watch, |part| mac.update(part))?;
        Ok(hex(&mac.finalize().into_bytes()))
    }
}

/// A digest of all that a table in memory holds, by a key of 64 digits: whoever keeps both knows the table again.
pub fn frame_digest(frame: &Frame, key: &str) -> Result<String> {
    Key::read(key)?.digest_frame(frame)
}

/// Random bytes of the system.
pub(crate) fn random_bytes<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(|error| Error::File {
        action: FileAction::Read,
        path: "the system's source of randomness".into(),
        source: io::Error::other(error.to_string()),
    })?;
    Ok(bytes)
}

/// Whether two digests are one; takes the same time wherever they differ.
pub(crate) fn same(one: &str, other: &str) -> bool {
    one.as_bytes().ct_eq(other.as_bytes()).into()
}

fn bytes_of(text: &str) -> Option<[u8; 32]> {
    let digits: Vec<u8> = text.chars().map(|digit| digit.to_digit(16).map(|half| half as u8)).collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
    (digits.len() == 64).then(|| bytes.try_into().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_an_hmac() {
        // RFC 4231, test case 1, with its key filled up to our length: HMAC pads keys with zeros.
        let mut key = [0; 32];
        key[..20].fill(0x0b);
        let digest = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7";
        assert_eq!(Key(key).digest(b"Hi There"), digest);
    }

    #[test]
    fn a_key_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Key::of(folder.path()).unwrap().is_none());
        let key = Key::random().unwrap();
        key.keep(folder.path()).unwrap();
        assert_eq!(Key::of(folder.path()).unwrap().unwrap().0, key.0);
        assert_ne!(Key::random().unwrap().0, key.0);
        std::fs::write(place(folder.path()), "nonsense").unwrap();
        assert!(Key::of(folder.path()).is_err());
    }
}
