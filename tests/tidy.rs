//! The house rules that a machine can check: imports run one way, files open with what they are, and stay short.

use std::fs;
use std::path::{Path, PathBuf};

/// What each room of `src/` may import, besides itself.
const ROOMS: &[(&str, &[&str])] = &[
    ("cl", &[]),
    ("sync", &[]),
    ("reserve", &["sync"]),
    ("observe", &["sync"]),
    ("ir", &[]),
    ("builtins", &["ir"]),
    ("front", &["ir", "builtins"]),
    ("opt", &["ir"]),
    ("workgroup", &["ir"]),
    ("codegen", &["ir", "observe", "reserve", "sync"]),
    (
        "compiler",
        &[
            "codegen",
            "workgroup",
            "opt",
            "front",
            "builtins",
            "ir",
            "observe",
            "sync",
        ],
    ),
    ("runtime", &["cl", "compiler", "observe", "reserve", "sync"]),
    ("api", &["cl", "runtime", "compiler", "observe", "reserve"]),
];

/// Lines of the longest file that is still easy to read.
const LONGEST: usize = 560;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).expect("the folder is readable");
    for entry in entries {
        let path = entry.expect("the folder is readable").path();
        if path.is_dir() {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            out.push(path);
        }
    }
}

/// Each file below `src/` with its path from there and its text.
fn sources() -> Vec<(String, String)> {
    let root = root();
    let mut files = Vec::new();
    rust_files(&root, &mut files);
    files.sort();
    let read = |path: PathBuf| {
        let name = path
            .strip_prefix(&root)
            .expect("it is below the root")
            .to_string_lossy()
            .into_owned();
        (name, fs::read_to_string(&path).expect("sources are UTF-8"))
    };
    files.into_iter().map(read).collect()
}

/// The rooms that a line names by `crate::room`, also in a list of `use crate::{a, b::c}`.
fn imports(line: &str) -> Vec<String> {
    let code = line.split("//").next().unwrap_or_default();
    let mut found = Vec::new();
    for part in code.split("crate::").skip(1) {
        let names = part
            .strip_prefix('{')
            .map(top_level_names)
            .unwrap_or_else(|| vec![first_name(part)]);
        found.extend(names);
    }
    found
}

fn first_name(text: &str) -> String {
    text.chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

fn top_level_names(list: &str) -> Vec<String> {
    let mut depth = 0;
    let mut names = vec![String::new()];
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(String::new()),
            c if depth == 0 => names.last_mut().expect("never empty").push(c),
            _ => {}
        }
        if depth < 0 {
            break;
        }
    }
    names.iter().map(|name| first_name(name.trim())).collect()
}

#[test]
fn imports_run_one_way() {
    let mut wrong = Vec::new();
    for (file, text) in sources() {
        let Some((room, _)) = file.split_once('/') else {
            continue;
        };
        let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == room) else {
            continue;
        };
        // A list that goes over several lines is one line here.
        let joined = text.replace("{\n", "{").replace(",\n", ",");
        for line in joined.lines() {
            for other in imports(line) {
                let is_room = ROOMS.iter().any(|(name, _)| *name == other);
                if is_room && other != room && !allowed.contains(&other.as_str()) {
                    wrong.push(format!(
                        "src/{file}: {room} must not see {other}: {}",
                        line.trim()
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_room_is_known() {
    let rooms: Vec<String> = fs::read_dir(root())
        .expect("src is readable")
        .map(|entry| entry.expect("src is readable").path())
        .filter(|path| path.is_dir())
        .map(|path| {
            path.file_name()
                .expect("it has a name")
                .to_string_lossy()
                .into_owned()
        })
        .filter(|name| name != "bin" && !ROOMS.iter().any(|(room, _)| room == name))
        .collect();
    assert!(
        rooms.is_empty(),
        "rooms without a place in the order: {rooms:?}"
    );
}

#[test]
fn files_open_with_what_they_are() {
    let silent: Vec<String> = sources()
        .into_iter()
        .filter(|(_, text)| text.lines().count() > 3 && !text.starts_with("//!"))
        .map(|(file, _)| file)
        .collect();
    assert!(silent.is_empty(), "no `//!` at the top: {silent:?}");
}

#[test]
fn files_stay_short() {
    let long: Vec<String> = sources()
        .into_iter()
        .map(|(file, text)| (file, text.lines().count()))
        .filter(|(_, lines)| *lines > LONGEST)
        .map(|(file, lines)| format!("{file}: {lines} lines"))
        .collect();
    assert!(long.is_empty(), "over {LONGEST} lines: {long:?}");
}

#[test]
fn import_lists_are_read() {
    assert_eq!(imports("use crate::cl::Error;"), ["cl"]);
    assert_eq!(
        imports("use crate::{ir::{a, b}, front::c};"),
        ["ir", "front"]
    );
    assert_eq!(
        imports("let x = crate::opt::run(crate::ir::new()); // crate::cl"),
        ["opt", "ir"]
    );
}
