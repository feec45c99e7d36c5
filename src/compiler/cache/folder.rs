//! Where the cache is, and how big it may be: from the environment.
//!
//! What comes out of the folder is run as machine code, so it must be the user's own, and nobody else may write to it.

use crate::compiler::private_files::{make_folder, user};
use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

const DEFAULT_LIMIT: u64 = 512 << 20;

/// The folder and the limit in bytes. The error says why there is no cache.
pub(super) fn find() -> Result<(PathBuf, u64), String> {
    if env::var_os("CLOTHO_CACHE").is_some_and(|v| v == "0") {
        return Err("CLOTHO_CACHE=0".into());
    }
    // SAFETY: reads a number that the kernel gave the process.
    if unsafe { libc::getauxval(libc::AT_SECURE) } != 0 {
        return Err("the process has other rights than its user".into());
    }
    let limit = match env::var("CLOTHO_CACHE_SIZE") {
        Ok(text) => parse_size(&text).ok_or("CLOTHO_CACHE_SIZE is no size")?,
        Err(_) => DEFAULT_LIMIT,
    };
    let folder = place(|name| env::var_os(name).map(PathBuf::from))
        .ok_or("neither XDG_CACHE_HOME nor HOME is set")?;
    prepare(&folder)?;
    Ok((folder, limit))
}

/// XDG Base Directory Specification: a relative path is invalid and to be ignored.
fn place(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let absolute = |name: &str| variable(name).filter(|path| path.is_absolute());
    absolute("CLOTHO_CACHE_DIR")
        .or_else(|| absolute("XDG_CACHE_HOME").map(|path| path.join("clotho")))
        .or_else(|| absolute("HOME").map(|path| path.join(".cache/clotho")))
}

/// Makes the folder if need be, and checks whose it is.
pub(super) fn prepare(folder: &Path) -> Result<(), String> {
    let named = |what: &dyn std::fmt::Display| format!("{}: {what}", folder.display());
    if !folder.exists() {
        make_folder(folder).map_err(|error| named(&error))?;
    }
    let meta = fs::metadata(folder).map_err(|error| named(&error))?;
    if !meta.is_dir() {
        Err(named(&"not a folder"))
    } else if meta.uid() != user() {
        Err(named(&"belongs to somebody else"))
    } else if meta.mode() & 0o022 != 0 {
        Err(named(&"others may write to it"))
    } else {
        Ok(())
    }
}

/// A number of bytes, or of KiB, MiB or GiB with a `K`, `M` or `G` behind it.
fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let shift = match text.chars().last()?.to_ascii_uppercase() {
        'K' => 10,
        'M' => 20,
        'G' => 30,
        _ => 0,
    };
    let digits = if shift == 0 {
        text
    } else {
        &text[..text.len() - 1]
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("1000"), Some(1000));
        assert_eq!(parse_size("2k"), Some(2048));
        assert_eq!(parse_size("3M"), Some(3 << 20));
        assert_eq!(parse_size("1G"), Some(1 << 30));
        for wrong in ["", "M", "-1", "1T", "99999999999G"] {
            assert_eq!(parse_size(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_folder_comes_from_the_environment() {
        let with = |list: &[(&str, &str)]| {
            place(|name| {
                let found = list.iter().find(|(n, _)| *n == name);
                found.map(|(_, value)| PathBuf::from(value))
            })
        };
        let path = |text: &str| Some(PathBuf::from(text));
        assert_eq!(with(&[]), None);
        assert_eq!(with(&[("HOME", "/h")]), path("/h/.cache/clotho"));
        let both = [("HOME", "/h"), ("XDG_CACHE_HOME", "/x")];
        assert_eq!(with(&both), path("/x/clotho"));
        let relative = [("HOME", "/h"), ("XDG_CACHE_HOME", "x")];
        assert_eq!(with(&relative), path("/h/.cache/clotho"));
        let own = [("HOME", "/h"), ("CLOTHO_CACHE_DIR", "/own")];
        assert_eq!(with(&own), path("/own"));
    }
}
