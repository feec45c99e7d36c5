//! Files and folders for their user only. A file is whole as soon as it has its name: others may be reading it.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the names of drafts begin with.
pub(super) const DRAFT: &str = "tmp.";

/// Writes `parts`, one behind the other, to a draft in the folder `drafts`, which is there, and moves it to `path` in the same file
/// system. The folder of `path` is made if need be.
pub(super) fn write(drafts: &Path, path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    // Relaxed: the numbers only have to differ.
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let draft = drafts.join(format!("{DRAFT}{}.{number}", std::process::id()));
    let written = write_draft(&draft, parts).and_then(|()| put(&draft, path));
    if written.is_err() {
        let _ = fs::remove_file(&draft);
    }
    written
}

/// Makes a folder, and those that it is in.
pub(super) fn make_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Whose rights this process has.
pub(super) fn user() -> u32 {
    // SAFETY: always succeeds.
    unsafe { libc::geteuid() }
}

fn write_draft(draft: &Path, parts: &[&[u8]]) -> io::Result<()> {
    // What is there under this name is left over from a process that is gone.
    let _ = fs::remove_file(draft);
    let mut options = OpenOptions::new();
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(draft)?;
    parts.iter().try_for_each(|part| file.write_all(part))
}

fn put(draft: &Path, path: &Path) -> io::Result<()> {
    match fs::rename(draft, path) {
        // The first of its folder.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), make_folder)?;
            fs::rename(draft, path)
        }
        done => done,
    }
}
