//! The tests of the IR that are text: `tests/filetests/ir/*.ir`.
//!
//! A file holds cases, each under a line `// ---- name`. What a case expects stands in its comments:
//! `// error: TEXT` is one error of the verifier as it prints it (all of them, in order); without such a line the
//! case must be valid. Every case must also round-trip: printed, parsed and printed again it is the same text.

use std::fs;
use std::path::Path;

use clotho::ir::print::with_locations;
use clotho::ir::{parse_module, verify};

/// (name, text) of every case of every file.
fn cases() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests/ir");
    let mut files: Vec<_> = fs::read_dir(&folder)
        .expect("the folder of filetests")
        .map(|entry| entry.expect("a folder entry").path())
        .collect();
    files.sort();
    let mut out = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a readable filetest");
        let stem = file.file_stem().expect("a file name").to_string_lossy();
        for (n, part) in text.split("// ---- ").enumerate() {
            let (name, body) = part.split_once('\n').unwrap_or((part, ""));
            if n > 0 {
                out.push((format!("{stem}: {name}"), body.to_string()));
            } else if part.lines().any(|l| !l.starts_with("//") && !l.is_empty()) {
                out.push((stem.to_string(), part.to_string()));
            }
        }
    }
    out
}

fn expectations<'a>(text: &'a str, key: &str) -> Vec<&'a str> {
    let prefix = format!("// {key}: ");
    text.lines()
        .filter_map(|line| line.trim().strip_prefix(prefix.as_str()))
        .collect()
}

#[test]
fn every_case_round_trips() {
    for (name, text) in cases() {
        let module = parse_module(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let printed = with_locations(&module).to_string();
        let again = parse_module(&printed).unwrap_or_else(|e| panic!("{name}: {e}\n{printed}"));
        assert_eq!(with_locations(&again).to_string(), printed, "{name}");
    }
}

#[test]
fn the_verifier_finds_exactly_what_is_wrong() {
    let mut failures = String::new();
    for (name, text) in cases() {
        if name == "everything" {
            continue;
        }
        let module = parse_module(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
        let errors = verify(&module).err().unwrap_or_default();
        let found: Vec<String> = errors.iter().map(|e| e.to_string()).collect();
        let expected = expectations(&text, "error");
        if found != expected {
            failures += &format!("{name}\n");
            found
                .iter()
                .for_each(|e| failures += &format!("// error: {e}\n"));
        }
    }
    assert!(failures.is_empty(), "the verifier found:\n{failures}");
}
