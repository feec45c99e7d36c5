//! Keeps the cache's folder within its limit: the entries that were used longest ago go.
//!
//! A file in the folder says how many bytes the entries take, as far as anybody knows, so that neither starting up nor
//! storing has to look at all of them. It is changed under a lock that nobody waits for: who finds it taken books later.
//! When it is too big, missing, or has been added to often, the folder is counted anew, and cut to three quarters of the
//! limit if need be.

use super::Cache;
use crate::compiler::private_files::DRAFT;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

/// The name of the books: two numbers of 8 bytes, the bytes in the folder and how often they were added to.
const BOOKS: &str = "usage";

/// After so many additions the folder is counted anew, because some are never booked.
const RECOUNT: u64 = 4096;

/// A temporary file that is older was left by a process that died.
const STALE: Duration = Duration::from_secs(3600);

struct Entry {
    used: SystemTime,
    size: u64,
    path: PathBuf,
}

impl Cache {
    /// Enters what this process wrote in the books, and makes room.
    pub(super) fn book(&self) {
        // Another thread of this process may have found the lock taken, and gone, before it was given back.
        // SeqCst: what it added before it tried the lock is seen here after the lock was given back.
        while self.try_book().is_ok_and(|booked| booked) && self.unbooked.load(Ordering::SeqCst) > 0
        {
        }
    }

    /// False if somebody else has the books.
    fn try_book(&self) -> io::Result<bool> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .custom_flags(libc::O_NOFOLLOW)
            .open(self.folder.join(BOOKS))?;
        if !lock(&file) {
            return Ok(false);
        }
        let mut books = [0; 16];
        let known = file.read_exact_at(&mut books, 0).is_ok();
        let number = |n: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&books[8 * n..8 * n + 8]);
            u64::from_le_bytes(bytes)
        };
        // SeqCst: see `book`.
        let new = self.unbooked.swap(0, Ordering::SeqCst);
        let mut bytes = number(0).saturating_add(new);
        let mut times = number(1).saturating_add(1);
        if !known || bytes > self.limit || times > RECOUNT {
            bytes = self.recount();
            times = 0;
        }
        let mut books = bytes.to_le_bytes().to_vec();
        books.extend(times.to_le_bytes());
        file.write_all_at(&books, 0)?;
        Ok(true)
    }

    /// Counts all entries; evicts some if they are too many bytes. Returns the bytes that are left.
    fn recount(&self) -> u64 {
        let mut entries = Vec::new();
        for file in files(&self.folder) {
            remove_stale(&file);
        }
        for folder in files(&self.folder) {
            entries.extend(files(&folder).filter_map(entry));
        }
        let mut total: u64 = entries.iter().map(|entry| entry.size).sum();
        if total > self.limit {
            entries.sort_by_key(|entry| entry.used);
            for entry in entries {
                if total <= self.limit / 4 * 3 {
                    break;
                }
                if fs::remove_file(&entry.path).is_ok() {
                    total -= entry.size;
                }
            }
        }
        total
    }
}

fn lock(file: &File) -> bool {
    // SAFETY: an open file; the lock goes with it.
    unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) == 0 }
}

/// What is in a folder; nothing if it is none.
fn files(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    let list = fs::read_dir(folder).ok();
    list.into_iter().flatten().flatten().map(|file| file.path())
}

fn entry(path: PathBuf) -> Option<Entry> {
    let meta = fs::symlink_metadata(&path).ok()?;
    meta.is_file().then_some(Entry {
        used: meta.modified().ok()?,
        size: meta.len(),
        path,
    })
}

fn remove_stale(path: &Path) {
    let is_temporary = |name: &std::ffi::OsStr| name.to_string_lossy().starts_with(DRAFT);
    if path.file_name().is_some_and(is_temporary)
        && let Some(entry) = entry(path.to_path_buf())
        && entry.used.elapsed().is_ok_and(|age| age > STALE)
    {
        let _ = fs::remove_file(path);
    }
}
