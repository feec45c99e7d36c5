//! Runs every file below `tests/run/` on each executor. `CLOTHO_RUN` names the executors, with commas between:
//! `interp` interprets the front end's IR work-item by work-item (the oracle), `group` the group functions that the
//! work-group compiler makes of it; `code` calls their machine code, of the width that the compiler chooses and then of
//! each width; `opencl:NAME` is the platform with NAME in its name, through the system's loader. Without the variable:
//! `interp` and `code`.
//! `cargo test --test run -- barrier/loop` runs the files whose names contain that.

#[path = "support/run/suite.rs"]
mod suite;
#[path = "support/run/mod.rs"]
mod support;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use suite::Case;
use support::by_name;
use support::runfile::RunFile;

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run");
    let executors = std::env::var("CLOTHO_RUN").unwrap_or_else(|_| "interp,code".to_string());
    let all = files(&root);
    let mut cases = vec![headers(&all)];
    for path in all {
        let name = path
            .strip_prefix(&root)
            .expect("below the root")
            .with_extension("");
        let name = name.to_string_lossy();
        for executor in executors.split(',').filter(|executor| !executor.is_empty()) {
            let (executor, path) = (executor.to_string(), path.clone());
            cases.push(Case {
                name: format!("{name}/{executor}"),
                run: Box::new(move || run(&path, &executor)),
            });
        }
    }
    suite::main(cases)
}

/// The check that every file says what it runs and what it expects.
fn headers(files: &[PathBuf]) -> Case {
    let files = files.to_vec();
    let run = move || {
        let errors = files
            .iter()
            .filter_map(|path| Some(format!("{}: {}", path.display(), read(path).err()?)));
        let errors: Vec<String> = errors.collect();
        if errors.is_empty() {
            Ok(())
        } else {
            Err(errors.join("\n"))
        }
    };
    Case {
        name: "headers".into(),
        run: Box::new(run),
    }
}

fn files(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).expect("the folder is part of the repository");
        for path in entries.map(|entry| entry.expect("readable").path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cl") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn read(path: &Path) -> Result<RunFile, String> {
    let source = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    RunFile::parse(&source)
}

fn run(path: &Path, executor: &str) -> Result<(), String> {
    by_name::run(&read(path)?, executor)
}
