//! `CLOTHO_TRACE=file.json`: a timeline of the process, as Perfetto and chrome://tracing open it.
//!
//! Spans on threads: the stages of builds and the steps of kernels' machine code (`build`), the runs of work-groups and
//! copies that each thread takes (`chunk`), calls of the API that wait (`api`). Spans beside threads: each command from
//! when it begins to its end (`command`), in a track for each queue. `%p` in the file's name stands for the
//! process's number. Source: "Trace Event Format" (Chromium), the JSON array form, in which the closing bracket may
//! be missing: what a process that is killed has written can be read.
//!
//! Invariants: the child of a fork writes nothing, the file is its parent's. Times are CLOCK_MONOTONIC.

use crate::sync::Mutex;
use crate::sync::fork::HeldOverFork;
use once_cell::sync::Lazy;
use std::cell::Cell;
use std::fmt::{Display, Write as _};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::time::Duration;

/// Events between two moments at which all is in the file.
const FLUSH: u32 = 512;

struct Trace {
    process: u32,
    out: Mutex<Out>,
}

struct Out {
    /// None when it has been closed, or can't be written.
    file: Option<BufWriter<File>>,
    events: u32,
}

static TRACE: Lazy<Option<Trace>> = Lazy::new(|| {
    let name = std::env::var("CLOTHO_TRACE")
        .ok()
        .filter(|n| !n.is_empty())?;
    let process = std::process::id();
    let name = name.replace("%p", &process.to_string());
    match File::create(&name) {
        Ok(file) => {
            let mut file = BufWriter::with_capacity(1 << 16, file);
            // A full disk ends the trace with the first event.
            let _ = file.write_all(b"[");
            Some(Trace {
                process,
                out: Mutex::new(Out {
                    file: Some(file),
                    events: 0,
                }),
            })
        }
        Err(error) => {
            super::complain(&format!("CLOTHO_TRACE: {name}: {error}"));
            None
        }
    }
});

/// Whether a timeline is wanted.
pub fn is_on() -> bool {
    TRACE.is_some()
}

/// Details of an event, shown beside it.
#[derive(Default)]
pub struct Args(String);

impl Args {
    pub fn text(&mut self, name: &str, value: impl Display) -> &mut Args {
        let value = value.to_string();
        self.put(name, format_args!("\"{}\"", escape(&value)))
    }

    pub fn number(&mut self, name: &str, value: u64) -> &mut Args {
        self.put(name, value)
    }

    fn put(&mut self, name: &str, value: impl Display) -> &mut Args {
        let comma = if self.0.is_empty() { "" } else { "," };
        // Writing to a String can't fail.
        let _ = write!(self.0, "{comma}\"{}\":{value}", escape(name));
        self
    }
}

/// A span on this thread that begins now and ends when this is dropped. Nothing where no timeline is wanted.
pub struct Span<'a> {
    category: &'static str,
    name: &'a str,
    start: u64,
    args: Args,
}

/// Begins a span.
pub fn span<'a>(category: &'static str, name: &'a str) -> Option<Span<'a>> {
    is_on().then(|| Span {
        category,
        name,
        start: super::now(),
        args: Args::default(),
    })
}

impl Span<'_> {
    pub fn args(&mut self) -> &mut Args {
        &mut self.args
    }
}

impl Drop for Span<'_> {
    fn drop(&mut self) {
        let time = super::now().saturating_sub(self.start);
        let thread = this_thread();
        emit(format_args!(
            "{{\"ph\":\"X\",\"cat\":\"{}\",\"name\":\"{}\",\"pid\":{},\"tid\":{thread},\"ts\":{},\"dur\":{},\"args\":{{{}}}}}",
            self.category,
            escape(self.name),
            std::process::id(),
            Micros(self.start),
            Micros(time),
            self.args.0,
        ));
    }
}

/// A span beside the threads, in a track named `track`: from `start` to `end`, in nanoseconds. Told at its end. Spans of
/// one track that overlap get rows of their own.
pub fn beside(
    category: &'static str,
    track: &str,
    name: &str,
    [start, end]: [u64; 2],
    args: impl FnOnce(&mut Args),
) {
    if !is_on() {
        return;
    }
    let (row, is_new) = ROWS.lock().place(track, start, end);
    let process = std::process::id();
    if is_new {
        name_thread(row, track);
    }
    let mut more = Args::default();
    args(&mut more);
    emit(format_args!(
        "{{\"ph\":\"X\",\"cat\":\"{category}\",\"name\":\"{}\",\"pid\":{process},\"tid\":{row},\"ts\":{},\"dur\":{},\"args\":{{{}}}}}",
        escape(name),
        Micros(start),
        Micros(end.saturating_sub(start)),
        more.0,
    ));
}

/// The rows of spans beside threads. They stand as threads with numbers that no thread has (PID_MAX_LIMIT is 2^22).
#[derive(Default)]
struct Rows(Vec<Row>);

struct Row {
    track: String,
    /// When its last span ends.
    end: u64,
}

static ROWS: Mutex<Rows> = Mutex::new(Rows(Vec::new()));

/// The lock of the rows.
pub fn lock() -> &'static dyn HeldOverFork {
    &ROWS
}

const FIRST_ROW: i64 = 1 << 23;

impl Rows {
    /// The number of a row of the track that is free from `start` on, and whether it is new. Spans come in the order of
    /// their ends.
    fn place(&mut self, track: &str, start: u64, end: u64) -> (i64, bool) {
        let free = |row: &Row| row.track == track && row.end <= start;
        let known = self.0.iter().position(free);
        let at = known.unwrap_or_else(|| {
            let track = track.to_string();
            self.0.push(Row { track, end });
            self.0.len() - 1
        });
        self.0[at].end = end;
        (FIRST_ROW + at as i64, known.is_none())
    }
}

/// Nanoseconds, printed as microseconds.
struct Micros(u64);

impl Display for Micros {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{:03}", self.0 / 1000, self.0 % 1000)
    }
}

/// The number of this thread; the first time, its name goes out as well.
fn this_thread() -> i64 {
    thread_local! {
        static KNOWN: Cell<i64> = const { Cell::new(0) };
    }
    if KNOWN.get() == 0 {
        // SAFETY: asks for a number.
        let number: i64 = unsafe { libc::syscall(libc::SYS_gettid) };
        KNOWN.set(number);
        let mut name = [0u8; 16];
        // SAFETY: the call fills up to 16 bytes, the last of which is 0.
        unsafe { libc::prctl(libc::PR_GET_NAME, name.as_mut_ptr()) };
        let end = name.iter().position(|&c| c == 0).unwrap_or(name.len());
        name_thread(number, &String::from_utf8_lossy(&name[..end]));
    }
    KNOWN.get()
}

fn name_thread(number: i64, name: &str) {
    emit(format_args!(
        "{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{},\"tid\":{number},\"args\":{{\"name\":\"{}\"}}}}",
        std::process::id(),
        escape(name),
    ));
}

fn emit(event: std::fmt::Arguments) {
    let Some(trace) = TRACE.as_ref().filter(|t| t.process == std::process::id()) else {
        return;
    };
    let mut out = trace.out.lock();
    let first = out.events == 0;
    let Some(file) = &mut out.file else { return };
    let comma = if first { "\n" } else { ",\n" };
    let written = file
        .write_all(comma.as_bytes())
        .and_then(|()| file.write_fmt(event));
    let written = written.and_then(|()| match (out.events + 1).is_multiple_of(FLUSH) {
        true => out.file.as_mut().map_or(Ok(()), |file| file.flush()),
        false => Ok(()),
    });
    out.events += 1;
    if written.is_err() {
        out.file = None;
    }
}

/// As the inside of a JSON string.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            // Writing to a String can't fail.
            c if c < ' ' => drop(write!(out, "\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out
}

/// Closes the file when the process ends; what other threads still do is not in it.
extern "C" fn close() {
    let Some(trace) = Lazy::get(&TRACE).and_then(Option::as_ref) else {
        return;
    };
    if trace.process != std::process::id() {
        return;
    }
    // A thread that was stopped while it wrote keeps the lock: nothing that is printed is worth a hang.
    if let Some(mut out) = trace.out.try_lock_for(Duration::from_millis(100))
        && let Some(mut file) = out.file.take()
    {
        // Nobody to tell.
        let _ = file.write_all(b"\n]\n").and_then(|()| file.flush());
    }
}

/// At the end of the process. (`atexit` would come to our own `__cxa_atexit`, see `codegen/at_exit.rs`.)
#[used]
#[unsafe(link_section = ".fini_array")]
static AT_EXIT: extern "C" fn() = close;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_are_json() {
        let mut args = Args::default();
        args.text("kernel", "a\"b\\\n").number("groups", 7);
        assert_eq!(args.0, "\"kernel\":\"a\\\"b\\\\\\u000a\",\"groups\":7");
        assert_eq!(Micros(1_234_567).to_string(), "1234.567");
    }

    #[test]
    fn spans_that_overlap_stand_in_rows_of_their_own() {
        let mut rows = Rows::default();
        let first = FIRST_ROW;
        assert_eq!(rows.place("a", 10, 20), (first, true));
        assert_eq!(rows.place("a", 20, 30), (first, false));
        assert_eq!(rows.place("a", 25, 35), (first + 1, true));
        assert_eq!(rows.place("b", 40, 50), (first + 2, true));
        assert_eq!(rows.place("a", 32, 60), (first, false));
    }
}
