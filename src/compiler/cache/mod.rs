//! The disk cache: what a build gave, for later processes.
//!
//! Entries are named by a hash of all that they depend on ([`super::key`]), so that they are never wrong, only old: there
//! is nothing to invalidate. An entry is written beside its place and moved there, and carries a checksum: readers see
//! whole entries or none, and what is damaged counts as not there and goes. Nothing here fails aloud: a cache that can't
//! be used is no cache. Several processes may use one folder. `bound` keeps it small, `folder` finds it.
//!
//! ```text
//! entry = "CLOTHO\0C" checksum:16 payload         FOLDER/ab/cdef...
//! ```

mod bound;
mod folder;
#[cfg(test)]
mod tests;

use super::key::Key;
use super::private_files;
use super::wire::{CHECKSUM, checksum};
use once_cell::sync::Lazy;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

const MAGIC: &[u8; 8] = b"CLOTHO\0C";

/// What stands before an entry's payload.
const HEAD: usize = MAGIC.len() + CHECKSUM;

/// A folder of entries.
pub struct Cache {
    folder: PathBuf,
    /// Bytes that all entries together may take.
    limit: u64,
    /// Bytes that this process wrote and has not entered in the folder's books yet.
    unbooked: AtomicU64,
}

/// The user's cache; the error says why there is none.
pub fn of_user() -> Result<&'static Cache, &'static str> {
    static CACHE: Lazy<Result<Cache, String>> =
        Lazy::new(|| folder::find().map(|(folder, limit)| Cache::new(folder, limit)));
    CACHE.as_ref().map_err(String::as_str)
}

impl Cache {
    fn new(folder: PathBuf, limit: u64) -> Cache {
        Cache {
            folder,
            limit,
            unbooked: AtomicU64::new(0),
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The payload of an entry, which counts as used now.
    pub(super) fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let path = self.path(key);
        let mut bytes = Vec::new();
        let mut file = open(&path)?;
        file.read_to_end(&mut bytes).ok()?;
        let whole = bytes.starts_with(MAGIC)
            && bytes.len() >= HEAD
            && checksum(&bytes[HEAD..]) == bytes[MAGIC.len()..HEAD];
        if !whole {
            let _ = fs::remove_file(&path);
            return None;
        }
        // Refused on a disk that can't be written; nothing is evicted there either.
        let _ = file.set_modified(SystemTime::now());
        bytes.drain(..HEAD);
        Some(bytes)
    }

    /// Stores an entry, if that can be done. Then makes room, should the folder have grown too big.
    pub(super) fn put(&self, key: &Key, payload: &[u8]) {
        let size = (HEAD + payload.len()) as u64;
        // One entry is not worth throwing out most of the others.
        if size <= self.limit / 4 && self.write(key, payload).is_ok() {
            // SeqCst: see `book`.
            self.unbooked.fetch_add(size, Ordering::SeqCst);
            self.book();
        }
    }

    fn write(&self, key: &Key, payload: &[u8]) -> io::Result<()> {
        let parts: [&[u8]; 3] = [MAGIC, &checksum(payload), payload];
        private_files::write(&self.folder, &self.path(key), &parts)
    }

    fn path(&self, key: &Key) -> PathBuf {
        let name = key.name();
        self.folder.join(&name[..2]).join(&name[2..])
    }
}

/// Opens a plain file of this user's.
fn open(path: &Path) -> Option<File> {
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
        .open(path)
        .ok()?;
    let meta = file.metadata().ok()?;
    (meta.is_file() && meta.uid() == private_files::user()).then_some(file)
}
