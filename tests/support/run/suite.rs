//! A test loop that survives its tests: each one runs in a child process of its own, with a time limit, so that a
//! crash or a hang in machine code fails one test and names it. Prints what libtest prints, and takes the same
//! filter words; `--exact NAME` runs one test in this process (that is what the child is).

use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub struct Case {
    pub name: String,
    pub run: Box<dyn Fn() -> Result<(), String> + Sync>,
}

const TIME_LIMIT: Duration = Duration::from_secs(300);

/// Runs the cases that the command line asks for.
pub fn main(cases: Vec<Case>) -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Some(at) = words.iter().position(|word| word == "--exact") {
        return run_one(&cases, words.get(at + 1).map_or("", |name| name));
    }
    let filters: Vec<&String> = words.iter().filter(|word| !word.starts_with('-')).collect();
    let chosen =
        |case: &&Case| filters.is_empty() || filters.iter().any(|word| case.name.contains(*word));
    let chosen: Vec<&Case> = cases.iter().filter(chosen).collect();
    if words.iter().any(|word| word == "--list") {
        chosen
            .iter()
            .for_each(|case| println!("{}: test", case.name));
        return ExitCode::SUCCESS;
    }
    println!("\nrunning {} tests", chosen.len());
    let start = Instant::now();
    let failures = run_children(&chosen);
    if !failures.is_empty() {
        println!("\nfailures:\n");
        failures
            .iter()
            .for_each(|(name, text)| println!("---- {name} ----\n{text}\n"));
        println!("failures:");
        failures.iter().for_each(|(name, _)| println!("    {name}"));
    }
    println!(
        "\ntest result: {}. {} passed; {} failed; 0 ignored; 0 measured; {} filtered out; finished in {:.2}s\n",
        if failures.is_empty() { "ok" } else { "FAILED" },
        chosen.len() - failures.len(),
        failures.len(),
        cases.len() - chosen.len(),
        start.elapsed().as_secs_f64()
    );
    if failures.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(101)
    }
}

fn run_one(cases: &[Case], name: &str) -> ExitCode {
    let Some(case) = cases.iter().find(|case| case.name == name) else {
        eprintln!("no test `{name}`");
        return ExitCode::FAILURE;
    };
    match (case.run)() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run_children(chosen: &[&Case]) -> Vec<(String, String)> {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                // Relaxed: the counter only hands out indices; results are ordered by the mutex and the join.
                while let Some(case) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = run_child(&case.name);
                    println!(
                        "test {} ... {}",
                        case.name,
                        if result.is_ok() { "ok" } else { "FAILED" }
                    );
                    if let Err(text) = result {
                        failures
                            .lock()
                            .expect("no panic under the lock")
                            .push((case.name.clone(), text));
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no panic under the lock");
    failures.sort();
    failures
}

fn run_child(name: &str) -> Result<(), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    // Output goes to a file, so that a child that prints much never waits for us.
    let log = std::env::temp_dir().join(format!(
        "clotho-run-{}-{}",
        std::process::id(),
        name.replace('/', "-")
    ));
    let output = std::fs::File::create(&log).map_err(|error| error.to_string())?;
    let errors = output.try_clone().map_err(|error| error.to_string())?;
    let mut child = Command::new(program)
        .args(["--exact", name])
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors)
        .spawn()
        .map_err(|error| error.to_string())?;
    let start = Instant::now();
    let status = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break Ok(status),
            None if start.elapsed() > TIME_LIMIT => {
                child
                    .kill()
                    .and_then(|()| child.wait())
                    .map_err(|error| error.to_string())?;
                break Err(format!("no end within {} s", TIME_LIMIT.as_secs()));
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let text = std::fs::read(&log).unwrap_or_default();
    std::fs::remove_file(&log).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&text);
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{status}\n{text}")),
        Err(error) => Err(format!("{error}\n{text}")),
    }
}
