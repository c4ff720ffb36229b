//! Digests of whole files.

use std::io::Read;
use std::path::Path;

use hmac::Mac;
use paretonym::engine::Watch;
use paretonym::error::{Error, FileAction, Result};
use sha2::{Digest, Sha256};

use super::key::Key;
use crate::hex::hex;
use crate::rows::listing::Listing;

/// Both digests of a table in one pass: the keyed one, the plain one, and its size.
pub(crate) fn both_digests(path: &Path, key: &Key, watch: &dyn Watch) -> Result<(String, String, u64)> {
    let (mut mac, mut hasher) = (key.mac(), Sha256::new());
    let bytes = each_part_of_table(path, watch, |part| {
        rayon::join(|| mac.update(part), || hasher.update(part));
    })?;
    Ok((hex(&mac.finalize().into_bytes()), hex(&hasher.finalize()), bytes))
}

/// The plain SHA-256 of a table: that of its file, or of all its files with their names.
pub(crate) fn sha256_table(path: &Path, watch: &dyn Watch) -> Result<String> {
    let mut hasher = Sha256::new();
    each_part_of_table(path, watch, |part| hasher.update(part))?;
    Ok(hex(&hasher.finalize()))
}

/// The plain SHA-256 of a file, which everybody can check, and its size.
pub(crate) fn sha256_file(path: &Path, watch: &dyn Watch) -> Result<(String, u64)> {
    let mut hasher = Sha256::new();
    let bytes = each_part(path, watch, |part| hasher.update(part))?;
    Ok((hex(&hasher.finalize()), bytes))
}

/// Hands a table to `take`, part by part; the bytes of its files. Of several files, each comes behind the length of its name,
/// its name inside their folder and its own length: no other files give the same bytes.
pub(super) fn each_part_of_table(path: &Path, watch: &dyn Watch, mut take: impl FnMut(&[u8])) -> Result<u64> {
    let listing = Listing::of(path)?;
    if listing.is_file() {
        return each_part(path, watch, take);
    }
    let mut bytes = 0;
    for (name, path) in listing.named_files() {
        let name = name.as_encoded_bytes();
        let length = crate::rows::file::size(path)?;
        take(&[&(name.len() as u64).to_le_bytes(), name, &length.to_le_bytes()].concat());
        bytes += each_part(path, watch, &mut take)?;
    }
    Ok(bytes)
}

/// Hands a file to `take`, part by part; its bytes.
pub(super) fn each_part(path: &Path, watch: &dyn Watch, mut take: impl FnMut(&[u8])) -> Result<u64> {
    let mut file = crate::rows::file::open(path)?;
    let mut bytes = 0;
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut buffer).map_err(|source| Error::File {
            action: FileAction::Read,
            path: path.to_owned(),
            source,
        })?;
        if read == 0 {
            return Ok(bytes);
        }
        if watch.cancelled() {
            return Err(Error::Cancelled);
        }
        take(&buffer[..read]);
        bytes += read as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use paretonym::engine::Unwatched;

    #[test]
    fn a_digest_of_files_knows_each_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let key = Key::random().unwrap();
        let digest = || both_digests(folder.path(), &key, &Unwatched).unwrap();
        std::fs::write(at("a.csv"), "x\n1\n").unwrap();
        std::fs::write(at("b.csv"), "x\n2\n").unwrap();
        let first = digest();
        assert_eq!(first.2, 8);
        assert_eq!(
            (&first.0, &first.1),
            (&key.digest_table(folder.path(), &Unwatched).unwrap(), &sha256_table(folder.path(), &Unwatched).unwrap())
        );
        let mut met = vec![first.clone()];
        let mut other = |change: &dyn Fn(), back: &dyn Fn()| {
            change();
            let now = digest();
            assert!(met.iter().all(|before| before.0 != now.0 && before.1 != now.1));
            met.push(now);
            back();
            assert_eq!(digest(), first);
        };
        let rename = |from: &str, to: &str| std::fs::rename(at(from), at(to)).unwrap();
        let write = |name: &str, text: &str| std::fs::write(at(name), text).unwrap();
        let remove = |name: &str| std::fs::remove_file(at(name)).unwrap();
        other(&|| rename("b.csv", "c.csv"), &|| rename("c.csv", "b.csv"));
        other(&|| write("b.csv", "x\n3\n"), &|| write("b.csv", "x\n2\n"));
        other(&|| write("c.csv", ""), &|| remove("c.csv"));
        other(&|| remove("a.csv"), &|| write("a.csv", "x\n1\n"));
        // The same bytes in all, cut elsewhere.
        other(
            &|| {
                write("a.csv", "x\n1\nx\n");
                write("b.csv", "2\n");
            },
            &|| {
                write("a.csv", "x\n1\n");
                write("b.csv", "x\n2\n");
            },
        );
        write("_SUCCESS", "");
        assert_eq!(digest(), first, "what is no part of the table does not count");
    }
}
