//! `CLOTHO_TIMINGS=1`: where the time of a build goes, as one table on standard error when its last kernel is done (just
//! before it can be called), when nobody needs the rest any more, or when the process ends before.
//!
//! Stages are those of the whole program; the table of kernels has a column for each stage that works on one kernel.
//! Times are wall-clock times in milliseconds; those of kernels overlap where several threads make machine code.

use crate::observe::log::{self, Level};
use crate::observe::trace;
use crate::sync::Mutex;
use crate::sync::fork::HeldOverFork;
use once_cell::sync::Lazy;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// The stages that work on one kernel, in their order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// The work-group compiler.
    Group,
    /// IR to LLVM's IR.
    Lower,
    /// LLVM's passes.
    Passes,
    /// LLVM's machine code.
    Code,
    /// Into the disk cache.
    Store,
    /// Linking it into the process.
    Load,
}

const STEPS: [&str; 6] = [
    "group",
    "to LLVM",
    "LLVM passes",
    "LLVM code",
    "store",
    "load",
];

/// The clock of one build, if anybody wants to know. Clones count into the same table, which is printed when the last of
/// them is dropped.
#[derive(Clone)]
pub(super) struct Timings(Option<Arc<Table>>);

struct Table {
    start: Instant,
    /// The process that builds; the child of a fork has nothing to say of it.
    process: u32,
    rows: Mutex<Rows>,
}

#[derive(Default)]
struct Rows {
    title: String,
    /// When the program was there, its machine code not counted.
    ready: Duration,
    stages: Vec<(&'static str, Duration)>,
    kernels: Vec<(String, [Duration; STEPS.len()])>,
    /// Kernels without machine code.
    missing: usize,
    printed: bool,
    notes: Vec<String>,
}

/// The tables that may still be unprinted.
static OPEN: Mutex<Vec<Weak<Table>>> = Mutex::new(Vec::new());

/// The lock of the tables that may be unprinted.
pub fn lock() -> &'static dyn HeldOverFork {
    &OPEN
}

/// Prints what is unprinted when the process ends. Threads that still make code write to their tables meanwhile.
extern "C" fn print_the_rest() {
    // The thread that ends the process may have been stopped in here: nothing that is printed is worth a hang.
    let Some(open) = OPEN.try_lock() else { return };
    let process = std::process::id();
    let ours = open.iter().filter_map(Weak::upgrade);
    for table in ours.filter(|table| table.process == process) {
        let total = table.start.elapsed();
        if let Some(mut rows) = table.rows.try_lock_for(Duration::from_millis(100)) {
            rows.print_once(total);
        }
    }
}

/// `atexit` would come to our own `__cxa_atexit` (`codegen/at_exit.rs`), which forgets.
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_EXIT: extern "C" fn() = print_the_rest;

impl Timings {
    /// Starts the clock of a build.
    pub fn start() -> Timings {
        static WANTED: Lazy<bool> =
            Lazy::new(|| std::env::var("CLOTHO_TIMINGS").is_ok_and(|v| v == "1"));
        let table = || {
            let table = Arc::new(Table {
                start: Instant::now(),
                process: std::process::id(),
                rows: Mutex::default(),
            });
            let mut open = OPEN.lock();
            open.retain(|known| known.strong_count() > 0);
            open.push(Arc::downgrade(&table));
            table
        };
        Timings(WANTED.then(table))
    }

    /// A clock that nobody reads.
    pub fn none() -> Timings {
        Timings(None)
    }

    /// Says what is being built.
    pub fn title(&self, text: impl FnOnce() -> String) {
        self.change(|rows| rows.title = text());
    }

    /// A line below the table.
    pub fn note(&self, text: impl FnOnce() -> String) {
        self.change(|rows| rows.notes.push(text()));
    }

    /// Does `work`, which is a stage of the whole program.
    pub fn stage<R>(&self, name: &'static str, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let told = trace::span("build", name);
        let result = work();
        drop(told);
        let time = start.elapsed();
        self.change(|rows| match rows.stages.iter_mut().find(|s| s.0 == name) {
            Some(stage) => stage.1 += time,
            None => rows.stages.push((name, time)),
        });
        result
    }

    /// Does `work`, which is a step of one kernel.
    pub fn step<R>(&self, kernel: &str, step: Step, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let mut told = trace::span("build", STEPS[step as usize]);
        if let Some(told) = &mut told {
            told.args().text("kernel", kernel);
        }
        let result = work();
        drop(told);
        let time = start.elapsed();
        log::event(Level::Debug, "machine_code", |f| {
            f.add("kernel", kernel)
                .add("step", STEPS[step as usize])
                .add_ms("ms", time.as_nanos() as u64);
        });
        self.add(kernel, step, time);
        result
    }

    pub fn add(&self, kernel: &str, step: Step, time: Duration) {
        self.change(|rows| {
            let known = rows.kernels.iter().position(|k| k.0 == kernel);
            let row = known.unwrap_or_else(|| {
                rows.kernels.push((kernel.to_string(), Default::default()));
                rows.kernels.len() - 1
            });
            rows.kernels[row].1[step as usize] += time;
        });
    }

    /// The program is there; what follows is the machine code of its kernels.
    pub fn ready(&self, kernels: usize) {
        if let Some(table) = &self.0 {
            let mut rows = table.rows.lock();
            rows.ready = table.start.elapsed();
            rows.missing = kernels;
        }
        if kernels == 0 {
            self.print();
        }
    }

    /// One more kernel has its machine code, or will never have any.
    pub fn kernel_done(&self) {
        let mut last = false;
        self.change(|rows| {
            rows.missing = rows.missing.saturating_sub(1);
            last = rows.missing == 0;
        });
        if last {
            self.print();
        }
    }

    fn print(&self) {
        if let Some(table) = &self.0 {
            let total = table.start.elapsed();
            table.rows.lock().print_once(total);
        }
    }

    fn change(&self, change: impl FnOnce(&mut Rows)) {
        if let Some(table) = &self.0 {
            change(&mut table.rows.lock());
        }
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let total = self.start.elapsed();
        self.rows.get_mut().print_once(total);
    }
}

impl Rows {
    fn print_once(&mut self, total: Duration) {
        if !std::mem::replace(&mut self.printed, true) {
            // Nobody to tell when standard error is closed.
            let _ = std::io::stderr().write_all(self.print(total).as_bytes());
        }
    }

    fn print(&self, total: Duration) -> String {
        let mut out = format!(
            "clotho: {}: built after {} ms, all machine code after {} ms\n",
            self.title,
            ms(self.ready),
            ms(total)
        );
        for (name, time) in &self.stages {
            line(&mut out, name, &[*time]);
        }
        if !self.kernels.is_empty() {
            let mut head = format!("  {:<24}", "kernel");
            for step in STEPS {
                let _ = write!(head, "{step:>12}");
            }
            let _ = writeln!(out, "{head}{:>12}", "sum");
        }
        let mut sums = [Duration::ZERO; STEPS.len()];
        for (name, times) in &self.kernels {
            with_sum(&mut out, name, times);
            sums.iter_mut()
                .zip(times)
                .for_each(|(sum, time)| *sum += *time);
        }
        if self.kernels.len() > 1 {
            with_sum(&mut out, "all kernels", &sums);
        }
        for note in &self.notes {
            let _ = writeln!(out, "  {note}");
        }
        out
    }
}

fn with_sum(out: &mut String, name: &str, times: &[Duration]) {
    let mut times = times.to_vec();
    times.push(times.iter().sum());
    line(out, name, &times);
}

fn line(out: &mut String, name: &str, times: &[Duration]) {
    let _ = write!(out, "  {name:<24}");
    for &time in times {
        let _ = write!(out, "{:>12}", ms(time));
    }
    out.push('\n');
}

fn ms(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64() * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_line_for_each_stage_and_kernel() {
        let one = Duration::from_millis(1);
        let rows = Rows {
            title: "2 kernels".into(),
            ready: one,
            stages: vec![("parse", one)],
            kernels: vec![("a".into(), [one; 6]), ("b".into(), [one; 6])],
            notes: vec!["cache: off".into()],
            ..Rows::default()
        };
        let text = rows.print(3 * one);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(
            lines[0],
            "clotho: 2 kernels: built after 1.000 ms, all machine code after 3.000 ms"
        );
        assert!(lines[1].starts_with("parse") && lines[1].ends_with("1.000"));
        assert!(lines[3].starts_with('a') && lines[3].ends_with("6.000"));
        assert!(lines[5].starts_with("all kernels") && lines[5].ends_with("12.000"));
        assert_eq!(lines[6], "cache: off");
    }
}
