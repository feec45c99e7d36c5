//! `CLOTHO_PERF=1`: kernels by name in `perf report`, by a map of this process's code in `/tmp/perf-PID.map`.
//!
//! A line is `START SIZE NAME`, the numbers in hexadecimal (Linux, tools/perf/Documentation/jit-interface.txt). A kernel's
//! functions are listed when it is loaded; code that is unloaded stays listed, as perf wants it. The file is made anew
//! by each process, with permissions for its user only, and only if nobody has put something else there.

use super::lines;
use crate::ir::abi::GroupFn;
use crate::observe;
use object::{Object, ObjectSymbol, SymbolKind};
use once_cell::sync::Lazy;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};

static MAP: Lazy<Option<File>> = Lazy::new(|| {
    if !std::env::var("CLOTHO_PERF").is_ok_and(|v| v == "1") {
        return None;
    }
    let name = format!("/tmp/perf-{}.map", std::process::id());
    match open(&name) {
        Ok(file) => Some(file),
        Err(error) => {
            observe::complain(&format!("CLOTHO_PERF: {name}: {error}"));
            None
        }
    }
});

fn open(name: &str) -> std::io::Result<File> {
    // Perf reads only what belongs to the user; what an earlier process of the same number left goes.
    if let Ok(old) = std::fs::symlink_metadata(name) {
        // SAFETY: asks who we are.
        if old.uid() == unsafe { libc::geteuid() } {
            std::fs::remove_file(name)?;
        }
    }
    let mut options = OpenOptions::new();
    options.append(true).create_new(true).mode(0o600);
    options.open(name)
}

/// Lists the functions of an object that has been loaded: the one of `kernel` is at `entry`.
pub fn list(object: &[u8], kernel: &str, entry: GroupFn) {
    let Some(mut file) = MAP.as_ref() else { return };
    let lines = lines(object, kernel, entry).unwrap_or_default();
    // One write: lines of several threads do not mix. A full disk is no reason to stop.
    let _ = file.write_all(lines.as_bytes());
}

fn lines(object: &[u8], kernel: &str, entry: GroupFn) -> Option<String> {
    let file = object::File::parse(object).ok()?;
    let placed = lines::place(&file, kernel, entry)?;
    let functions = file.symbols().filter(|s| s.kind() == SymbolKind::Text);
    let mut out = String::new();
    for function in functions.filter(|s| s.section_index() == Some(placed.section)) {
        let name = function.name().ok()?;
        let start = placed.address.wrapping_add(function.address());
        let length = function.size().min(placed.size);
        // Writing to a String can't fail.
        let _ = writeln!(out, "{start:x} {length:x} clotho:{name}");
    }
    Some(out)
}
