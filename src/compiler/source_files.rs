//! Files for debuggers: with `-g`, source that was given as text is put where a debugger finds it.
//!
//! The place is `clotho/source` in XDG_RUNTIME_DIR, else `clotho-UID/source` in TMPDIR or /tmp, in a folder named by a hash of the text: `program.cl` for the
//! program's source, and a header's own name. So a text has the same place in every process, and takes the space of one. The system empties
//! these folders; nothing here does.
//!
//! Invariants: folders and files are readable and writable for their user only, and nothing is written into a folder of somebody else. Where that can't be
//! done, debuggers see the line numbers all the same.

use super::private_files::{self, make_folder, user};
use super::unit::SourceUnit;
use crate::front::pp::MAIN_NAME;
use crate::front::source::SourceMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// What debuggers know a program's own text by.
const PROGRAM: &str = "program.cl";

/// Gives the files of a build, named as the log names them, the names under which a debugger can read them. Those from the disk have
/// them; the program and its headers get a file, unless `#line` says that lines count otherwise.
pub(super) fn provide(files: &mut [String], unit: &SourceUnit, sources: &SourceMap) {
    for file in files {
        let given = match file.as_str() {
            MAIN_NAME => Some((PROGRAM, &unit.source)),
            name => {
                let header = unit.headers.iter().find(|header| header.name == name);
                header.map(|header| (name, &header.source))
            }
        };
        if let Some((name, text)) = given
            && !sources.is_renumbered(file)
            && let Some(path) = write(name, text)
        {
            *file = path.to_string_lossy().into_owned();
        }
    }
}

/// The path of a file with this text.
fn write(name: &str, text: &str) -> Option<PathBuf> {
    let name = Path::new(name);
    let mut parts = name.components();
    if !parts.all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let hash = blake3::hash(text.as_bytes()).to_hex();
    let path = folder()?.join(&hash[..16]).join(name);
    if fs::read(&path).is_ok_and(|known| known == text.as_bytes()) {
        return Some(path);
    }
    let parent = path.parent()?;
    make_folder(parent).ok()?;
    private_files::write(parent, &path, &[text.as_bytes()]).ok()?;
    Some(path)
}

/// The folder for all texts of this user.
fn folder() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let own = match absolute("XDG_RUNTIME_DIR") {
        Some(folder) if folder.is_dir() => folder.join("clotho"),
        _ => {
            let folder = absolute("TMPDIR").unwrap_or_else(|| "/tmp".into());
            folder.join(format!("clotho-{}", user()))
        }
    };
    make_folder(&own).ok()?;
    let about = fs::symlink_metadata(&own).ok()?;
    let ours = about.is_dir() && about.uid() == user() && about.mode() & 0o022 == 0;
    ours.then(|| own.join("source"))
}
