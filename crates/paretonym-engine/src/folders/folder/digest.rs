//! Digests of whole files.

use std::io::Read;
use std::path::Path;

use hmac::Mac;
use paretonym::engine::Watch;
use paretonym::error::{Error, FileAction, Result};
use sha2::{Digest, Sha256};

use super::key::Key;
use crate::hex::hex;

/// Both digests of a file in one pass: the keyed one, the plain one, and its size.
pub(crate) fn both_digests(path: &Path, key: &Key, watch: &dyn Watch) -> Result<(String, String, u64)> {
    let (mut mac, mut hasher, mut bytes) = (key.mac(), Sha256::new(), 0);
    each_part(path, watch, |part| {
        rayon::join(|| mac.update(part), || hasher.update(part));
        bytes += part.len() as u64;
    })?;
    Ok((hex(&mac.finalize().into_bytes()), hex(&hasher.finalize()), bytes))
}

/// The plain SHA-256 of a file, which everybody can check, and its size.
pub(crate) fn sha256_file(path: &Path, watch: &dyn Watch) -> Result<(String, u64)> {
    let (mut hasher, mut bytes) = (Sha256::new(), 0);
    each_part(path, watch, |part| {
        hasher.update(part);
        bytes += part.len() as u64;
    })?;
    Ok((hex(&hasher.finalize()), bytes))
}

/// Hands a file to `take`, part by part.
pub(super) fn each_part(path: &Path, watch: &dyn Watch, mut take: impl FnMut(&[u8])) -> Result<()> {
    let mut file = crate::rows::file::open(path)?;
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut buffer).map_err(|source| Error::File {
            action: FileAction::Read,
            path: path.to_owned(),
            source,
        })?;
        if read == 0 {
            return Ok(());
        }
        if watch.cancelled() {
            return Err(Error::Cancelled);
        }
        take(&buffer[..read]);
    }
}
