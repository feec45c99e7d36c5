//! Random kernels in OpenCL C: the interpreter on the front end's IR is the oracle, and machine code of every width
//! must leave the same memory. `cargo test --test kernels` compares fixed seeds; `make random N=10000 SEED=0` any
//! others; seeds from 4294967296 on have tiles, and groups that can be joined. A kernel that fails is made small and printed as a run test, with the command that runs its seed again.
//!
//! `--seeds FIRST COUNT` runs those seeds, `--print SEED` prints one, `--case FILE` compares a run test of one launch.
//! `--on EXECUTOR FIRST COUNT` runs seeds on an executor of the run tests instead, such as `opencl:portable` (PoCL).

#[path = "support/kernels/mod.rs"]
mod kernels;
#[path = "support/random/rng.rs"]
mod rng;
#[path = "support/run/mod.rs"]
mod support;

use kernels::compare::Verdict;
use kernels::server::{Client, serve};
use kernels::tiles::FIRST as TILED;
use kernels::tree::Program;
use kernels::{r#gen, reduce};
use rng::Rng;
use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::by_name;
use support::runfile::RunFile;

/// Work-items in one pass.
const WIDTHS: [u16; 7] = [1, 2, 4, 8, 16, 32, 64];

const NAME: &str = "random_kernels_agree";

/// The fixed seeds: so many from 0 on, and of those whose groups can be joined.
const COUNT: u64 = 100;
const TILED_COUNT: u64 = 20;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let number = |n: usize| -> u64 {
        let word = words.get(n).and_then(|word| word.parse().ok());
        word.expect("a number after the option")
    };
    match words.first().map(String::as_str) {
        Some("--serve") => {
            serve();
            ExitCode::SUCCESS
        }
        Some("--seeds") => seeds((number(1)..number(1) + number(2)).collect()),
        Some("--print") => {
            print!("{}", r#gen::program(number(1)).text());
            ExitCode::SUCCESS
        }
        Some("--case") => case(words.get(1).expect("a file after --case")),
        Some("--on") => on(
            words.get(1).expect("an executor after --on"),
            number(2),
            number(3),
        ),
        Some("--list") => {
            println!("{NAME}: test");
            ExitCode::SUCCESS
        }
        Some(word) if !word.starts_with('-') && !NAME.contains(word) => ExitCode::SUCCESS,
        _ => seeds((0..COUNT).chain(TILED..TILED + TILED_COUNT).collect()),
    }
}

fn case(path: &str) -> ExitCode {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let verdict = Client::new().compare(&text, &WIDTHS);
    println!("{verdict:?}");
    ExitCode::from(u8::from(verdict != Ok(Verdict::Same)))
}

/// Seeds on one executor, in this process. A function of the library may be less exact there.
fn on(executor: &str, first: u64, count: u64) -> ExitCode {
    let run = |program: &Program| {
        let file = RunFile::parse(&program.text());
        file.and_then(|file| by_name::run(&file, executor)).err()
    };
    let differs = |error: &str| error.contains(", interpreted ");
    let mut failures = 0u64;
    for seed in first..first + count {
        let program = r#gen::program(seed);
        if let Some(error) = run(&program) {
            println!("seed {seed}: {error}");
            failures += 1;
            if differs(&error) {
                let small = reduce::run(program, &mut |p| run(p).is_some_and(|e| differs(&e)));
                println!("{}", small.text());
            }
        }
    }
    println!("{failures} of {count} fail on {executor}");
    ExitCode::from(u8::from(failures > 0))
}

/// One by one, and one or two others.
fn widths(seed: u64) -> Vec<u16> {
    let mut rng = Rng::new(!seed);
    if seed >= TILED {
        // Rows of chunks, so that groups are joined.
        return vec![
            rng.pick(&[4, 4, 8, 8, 16]),
            rng.pick(&[1, 2, 4, 16, 32, 64]),
        ];
    }
    let others = WIDTHS.len() - 1;
    let first = 1 + rng.below(others);
    let second = 1 + (first + rng.below(others - 1)) % others;
    let mut widths = vec![1, WIDTHS[first]];
    if rng.percent(25) {
        widths.push(WIDTHS[second]);
    }
    widths
}

/// What came of many seeds.
#[derive(Default)]
struct Tally {
    same: u64,
    invalid: u64,
    failures: Vec<String>,
    /// What the compiler said when it panicked, and the seed that showed it first.
    panics: HashMap<String, u64>,
}

fn seeds(list: Vec<u64>) -> ExitCode {
    let (count, next) = (list.len() as u64, AtomicUsize::new(0));
    let tally = Mutex::new(Tally::default());
    let workers = std::env::var("CLOTHO_WORKERS")
        .ok()
        .and_then(|n| n.parse().ok());
    let workers = workers
        .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |count| count.get()));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let mut client = Client::new();
                loop {
                    // Relaxed: the counter only hands out seeds; results are ordered by the mutex and the join.
                    let Some(&seed) = list.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        return;
                    };
                    one(seed, &mut client, &tally);
                }
            });
        }
    });
    let tally = tally.into_inner().expect("no panic under the lock");
    // A generator whose kernels don't run tests nothing.
    let usable = tally.invalid * 5 <= count;
    if !usable {
        println!("{} of {count} kernels can't be used", tally.invalid);
    }
    let ok = tally.failures.is_empty() && usable;
    println!(
        "\n{} kernels agree, {} can't be used",
        tally.same, tally.invalid
    );
    println!(
        "test result: {}. {} passed; {} failed; 0 ignored; 0 measured; 0 filtered out\n",
        if ok { "ok" } else { "FAILED" },
        u64::from(ok),
        u64::from(!ok)
    );
    ExitCode::from(if ok { 0 } else { 101 })
}

fn one(seed: u64, client: &mut Client, tally: &Mutex<Tally>) {
    let program = r#gen::program(seed);
    let verdict = client.compare(&program.text(), &widths(seed));
    let failure = match verdict {
        Ok(Verdict::Same) => None,
        Ok(Verdict::Invalid(why)) => {
            if std::env::var_os("CLOTHO_VERBOSE").is_some() {
                println!("seed {seed} can't be used: {why}");
            }
            tally.lock().expect("no panic under the lock").invalid += 1;
            return;
        }
        Ok(Verdict::Differs(stage, why)) => match known(seed, &why, tally) {
            Some(first) => Some(format!("==== seed {seed} panics as seed {first} does")),
            None => Some(explain(seed, program, &stage, &why, client)),
        },
        Err(error) => Some(format!("seed {seed}: {error}")),
    };
    let mut tally = tally.lock().expect("no panic under the lock");
    match failure {
        None => tally.same += 1,
        Some(text) => {
            println!("{text}");
            tally.failures.push(text);
        }
    }
    let done = tally.same + tally.invalid + tally.failures.len() as u64;
    if done.is_multiple_of(100) {
        println!("{done} done, {} failed", tally.failures.len());
    }
}

/// The seed that showed the same panic before, which need not be made small again.
fn known(seed: u64, why: &str, tally: &Mutex<Tally>) -> Option<u64> {
    let place = why.lines().next()?.strip_prefix("panicked: ")?;
    let mut tally = tally.lock().expect("no panic under the lock");
    let first = *tally.panics.entry(place.to_string()).or_insert(seed);
    Some(first).filter(|&first| first != seed)
}

/// The kernel made small, and how to see it again.
fn explain(seed: u64, program: Program, stage: &str, why: &str, client: &mut Client) -> String {
    let width = stage.trim_start_matches("by ");
    let width = width.split(',').next().and_then(|w| w.parse().ok());
    let widths = width.map_or(WIDTHS.to_vec(), |w| vec![w]);
    let panics = why.starts_with("panicked");
    let small = reduce::run(program, &mut |candidate| match client
        .compare(&candidate.text(), &widths)
    {
        Ok(Verdict::Differs(_, why)) => why.starts_with("panicked") == panics,
        _ => false,
    });
    let now = match client.compare(&small.text(), &widths) {
        Ok(Verdict::Differs(stage, why)) => format!("{stage}: {why}"),
        other => format!("{other:?}"),
    };
    format!(
        "==== seed {seed}, {stage}: {why}\nMade small, {now}\n{}\
         Again: cargo test --test kernels -- --seeds {seed} 1\n",
        small.text()
    )
}
