//! `CLOTHO_LOG=info` or `debug`: one line for each event, on standard error.
//!
//! ```text
//! clotho 1.204711 info build kernels=3 result=ok ms=45.1
//! ```
//!
//! Seconds since the log began, the level, the event, and fields `name=value`; a value with blanks, quotes or `=` stands in
//! double quotes, with `\"`, `\\` and `\n` in it. Levels: `error` and `warn` are what went wrong in the application or its
//! kernels, `info` what happens a few times in a run, `debug` also what happens with each command.

use once_cell::sync::Lazy;
use std::fmt::{Display, Write as _};
use std::io::Write as _;
use std::sync::atomic::AtomicBool;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    Error,
    Warn,
    Info,
    Debug,
}

/// What is wanted; nothing if the variable is not set.
struct Log {
    most: Option<Level>,
    began: u64,
}

static LOG: Lazy<Log> = Lazy::new(|| {
    static TOLD: AtomicBool = AtomicBool::new(false);
    let most = super::setting(
        "CLOTHO_LOG",
        "'info' or 'debug'",
        &TOLD,
        |text| match text {
            "info" => Some(Some(Level::Info)),
            "debug" => Some(Some(Level::Debug)),
            "0" => Some(None),
            _ => None,
        },
    );
    Log {
        most: most.flatten(),
        began: super::now(),
    }
});

/// Whether anybody reads events of this level.
pub fn wants(level: Level) -> bool {
    LOG.most.is_some_and(|most| level <= most)
}

/// The fields of one line.
pub struct Fields(String);

impl Fields {
    /// Adds ` name=value`.
    pub fn add(&mut self, name: &str, value: impl Display) -> &mut Fields {
        let value = value.to_string();
        let plain = |c: char| !c.is_whitespace() && !c.is_control() && c != '"' && c != '=';
        if !value.is_empty() && value.chars().all(plain) {
            // Writing to a String can't fail.
            let _ = write!(self.0, " {name}={value}");
        } else {
            let value = value
                .replace('\\', "\\\\")
                .replace('"', "\\\"")
                .replace('\n', "\\n");
            let _ = write!(self.0, " {name}=\"{value}\"");
        }
        self
    }

    /// Adds a time in milliseconds.
    pub fn add_ms(&mut self, name: &str, nanoseconds: u64) -> &mut Fields {
        self.add(name, format_args!("{:.3}", nanoseconds as f64 / 1e6))
    }
}

/// Writes a line if anybody reads events of this level.
pub fn event(level: Level, name: &str, fields: impl FnOnce(&mut Fields)) {
    if wants(level) {
        let line = line(super::now() - LOG.began, level, name, fields);
        // One write, so that lines of several threads and processes do not mix. Nobody to tell when it fails.
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

fn line(time: u64, level: Level, name: &str, fields: impl FnOnce(&mut Fields)) -> String {
    let level = match level {
        Level::Error => "error",
        Level::Warn => "warn",
        Level::Info => "info",
        Level::Debug => "debug",
    };
    let mut out = Fields(format!("clotho {:.6} {level} {name}", time as f64 / 1e9));
    fields(&mut out);
    out.0.push('\n');
    out.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_can_be_taken_apart_again() {
        let line = line(1_500_000_000, Level::Info, "build", |f| {
            f.add("kernels", 3)
                .add("error", "a \"b\"\n=c")
                .add("none", "")
                .add_ms("ms", 1_234_567);
        });
        assert_eq!(
            line,
            "clotho 1.500000 info build kernels=3 error=\"a \\\"b\\\"\\n=c\" none=\"\" ms=1.235\n"
        );
    }
}
