//! Diagnostics: collected while the front end works, rendered once as the build log, in clang's form
//! (`file:line:col: error: text`, the source line, a caret, notes), because tools parse that.
//!
//! Invariants: a note belongs to the error or warning before it and vanishes with it; after a fatal error, or after
//! [`Diagnostics::ERROR_LIMIT`] errors, nothing more is collected, so the log's size is bounded.

use super::source::{Loc, SourceMap};
use super::warn::{Fate, Warning, Warnings};
use std::fmt::Write;

#[derive(Debug, Default)]
pub struct Diagnostics {
    warnings: Warnings,
    list: Vec<Diagnostic>,
    error_count: usize,
    warning_count: usize,
    /// Whether notes go nowhere, since what they belong to was not collected.
    muted: bool,
    stopped: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Warning,
    Error,
    Fatal,
}

#[derive(Debug)]
struct Diagnostic {
    level: Level,
    loc: Loc,
    text: String,
    notes: Vec<(Loc, String)>,
    /// The warning that it is, or was before an option made it an error.
    name: Option<Warning>,
    /// An error that is one because of `-Werror`.
    promoted: bool,
}

impl Diagnostics {
    /// clang's default of -ferror-limit.
    pub const ERROR_LIMIT: usize = 20;
    /// Warnings beyond this many are counted, not shown.
    pub const WARNING_LIMIT: usize = 200;
    const NOTE_LIMIT: usize = 50;

    pub fn new(warnings: Warnings) -> Diagnostics {
        Diagnostics {
            warnings,
            ..Diagnostics::default()
        }
    }

    pub fn error(&mut self, loc: Loc, text: impl Into<String>) {
        self.push(Level::Error, loc, text.into(), None, false);
    }

    /// An error after which it makes no sense to go on: [`Diagnostics::stopped`] is true from here.
    pub fn fatal(&mut self, loc: Loc, text: impl Into<String>) {
        self.push(Level::Fatal, loc, text.into(), None, false);
        self.stopped = true;
    }

    pub fn warning(&mut self, loc: Loc, text: impl Into<String>) {
        self.add_warning(None, loc, text.into());
    }

    /// A warning that has a name, by which options switch it on and off.
    pub fn warn(&mut self, name: Warning, loc: Loc, text: impl Into<String>) {
        self.add_warning(Some(name), loc, text.into());
    }

    /// Whether a warning of that name would be seen: what finds it out may cost time.
    pub fn wants(&self, name: Warning) -> bool {
        self.warnings.fate(Some(name)) != Fate::Hidden
    }

    fn add_warning(&mut self, name: Option<Warning>, loc: Loc, text: String) {
        match self.warnings.fate(name) {
            Fate::Shown => self.push(Level::Warning, loc, text, name, false),
            Fate::Hidden => self.muted = true,
            Fate::Error => self.push(Level::Error, loc, text, name, true),
        }
    }

    /// Adds to the error or warning that was reported last.
    pub fn note(&mut self, loc: Loc, text: impl Into<String>) {
        if self.muted {
            return;
        }
        if let Some(last) = self.list.last_mut()
            && last.notes.len() < Diagnostics::NOTE_LIMIT
        {
            last.notes.push((loc, clipped(&text.into())));
        }
    }

    pub fn has_errors(&self) -> bool {
        self.error_count > 0
    }

    /// Whether the front end should give up: a fatal error, or too many errors.
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// The build log: every diagnostic, and the count of errors and warnings. Empty if there is none.
    pub fn render(&self, sources: &SourceMap) -> String {
        let mut out = String::new();
        for diagnostic in &self.list {
            render_diagnostic(&mut out, sources, diagnostic);
        }
        out.push_str(&self.summary());
        out
    }

    fn push(
        &mut self,
        level: Level,
        loc: Loc,
        text: String,
        name: Option<Warning>,
        promoted: bool,
    ) {
        self.muted = self.stopped;
        if self.stopped {
            return;
        }
        if level == Level::Warning {
            self.warning_count += 1;
            if self.warning_count > Diagnostics::WARNING_LIMIT {
                self.muted = true;
                return;
            }
        } else {
            if self.error_count == Diagnostics::ERROR_LIMIT && level == Level::Error {
                self.stop_at_limit();
                return;
            }
            self.error_count += 1;
        }
        self.list.push(Diagnostic {
            level,
            loc,
            text: clipped(&text),
            notes: Vec::new(),
            name,
            promoted,
        });
    }

    fn stop_at_limit(&mut self) {
        self.stopped = true;
        self.muted = true;
        self.list.push(Diagnostic {
            level: Level::Fatal,
            loc: Loc::NONE,
            text: "too many errors emitted, stopping now".into(),
            notes: Vec::new(),
            name: None,
            promoted: false,
        });
    }

    fn summary(&self) -> String {
        let count = |n: usize, what: &str| match n {
            0 => None,
            1 => Some(format!("1 {what}")),
            _ => Some(format!("{n} {what}s")),
        };
        match (
            count(self.warning_count, "warning"),
            count(self.error_count, "error"),
        ) {
            (None, None) => String::new(),
            (Some(only), None) | (None, Some(only)) => format!("{only} generated.\n"),
            (Some(warnings), Some(errors)) => format!("{warnings} and {errors} generated.\n"),
        }
    }
}

fn render_diagnostic(out: &mut String, sources: &SourceMap, diagnostic: &Diagnostic) {
    for include in sources.include_stack(diagnostic.loc).iter().rev() {
        if let Some(at) = sources.position(*include) {
            let file = clipped(&at.file);
            let _ = writeln!(out, "In file included from {file}:{}:", at.line);
        }
    }
    let level = match diagnostic.level {
        Level::Warning => "warning",
        Level::Error => "error",
        Level::Fatal => "fatal error",
    };
    let suffix = match (diagnostic.promoted, diagnostic.name) {
        (true, Some(name)) => format!(" [-Werror,-W{}]", name.name()),
        (true, None) => " [-Werror]".into(),
        (false, Some(name)) => format!(" [-W{}]", name.name()),
        (false, None) => String::new(),
    };
    render_message(
        out,
        sources,
        diagnostic.loc,
        level,
        &diagnostic.text,
        &suffix,
    );
    render_backtrace(out, sources, diagnostic.loc);
    for (loc, text) in &diagnostic.notes {
        render_message(out, sources, *loc, "note", text, "");
        render_backtrace(out, sources, *loc);
    }
}

fn render_message(
    out: &mut String,
    sources: &SourceMap,
    loc: Loc,
    level: &str,
    text: &str,
    suffix: &str,
) {
    if let Some(at) = sources.position(loc) {
        let _ = write!(out, "{}:{}:{}: ", clipped(&at.file), at.line, at.column);
    }
    let _ = writeln!(out, "{level}: {text}{suffix}");
    if let Some((line, offset)) = sources.line_text(loc) {
        render_line(out, line, offset);
    }
}

/// How many notes about macros one location may bring (clang's -fmacro-backtrace-limit).
const BACKTRACE_LIMIT: usize = 6;

/// A token that came out of macros: one note for each, the outermost first, at the token's place in the macro's body.
fn render_backtrace(out: &mut String, sources: &SourceMap, mut loc: Loc) {
    let mut steps = Vec::new();
    while let Some((spelling, name, site)) = sources.expanded_from(loc) {
        steps.push((spelling, name));
        loc = site;
    }
    let skipped = steps.len().saturating_sub(BACKTRACE_LIMIT);
    let kept_first = BACKTRACE_LIMIT / 2 + BACKTRACE_LIMIT % 2;
    for (i, (spelling, name)) in steps.iter().rev().enumerate() {
        if skipped > 0 && i == kept_first {
            let _ = writeln!(out, "note: (skipping {skipped} expansions in backtrace)");
        }
        if skipped == 0 || i < kept_first || i >= kept_first + skipped {
            let text = format!("expanded from macro '{}'", clipped(name));
            render_message(out, sources, *spelling, "note", &text, "");
        }
    }
}

/// A line longer than this many columns is cut to a window of so many around the caret.
const MAX_COLUMNS: usize = 160;
const TAB_STOP: usize = 8;
/// The longest message, name or file name that is shown, in bytes.
const MAX_TEXT: usize = 1000;

/// The source line and the caret under byte `offset`: tabs become spaces, control characters are spelled out.
fn render_line(out: &mut String, line: &str, offset: usize) {
    // Far from the caret nothing is shown, so a line of megabytes costs no more than a short one.
    let reach = MAX_COLUMNS * 4;
    let from = floor_boundary(line, offset.saturating_sub(reach));
    let to = floor_boundary(line, (offset + reach).min(line.len()));
    let mut cells: Vec<String> = Vec::new();
    let mut caret = None;
    for (i, c) in line[from..to].char_indices() {
        if from + i >= offset && caret.is_none() {
            caret = Some(cells.len());
        }
        match c {
            '\t' => {
                let width = TAB_STOP - cells.len() % TAB_STOP;
                cells.extend(std::iter::repeat_n(" ".to_string(), width));
            }
            c if c.is_control() => {
                let spelled = format!("<U+{:04X}>", c as u32);
                cells.extend(spelled.chars().map(String::from));
            }
            c => cells.push(c.into()),
        }
    }
    let mut caret = caret.unwrap_or(cells.len());
    let (mut start, mut end) = (0, cells.len());
    if from > 0 || to < line.len() || cells.len() > MAX_COLUMNS {
        start = caret.saturating_sub(MAX_COLUMNS / 2);
        end = (start + MAX_COLUMNS).min(end);
        caret -= start;
    }
    let head = if from > 0 || start > 0 { "..." } else { "" };
    let tail = if to < line.len() || end < cells.len() {
        "..."
    } else {
        ""
    };
    let shown = format!("{head}{}{tail}", cells[start..end].concat());
    let _ = writeln!(out, "{}", shown.trim_end());
    let _ = writeln!(out, "{}^", " ".repeat(head.len() + caret));
}

/// At most [`MAX_TEXT`] bytes of a text: names can be as long as the source.
fn clipped(text: &str) -> String {
    if text.len() <= MAX_TEXT {
        return text.to_string();
    }
    format!("{}...", &text[..floor_boundary(text, MAX_TEXT)])
}

fn floor_boundary(line: &str, mut at: usize) -> usize {
    while !line.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> (SourceMap, super::super::source::BufferId) {
        let mut sources = SourceMap::new();
        let buffer = sources
            .add_buffer("<source>", text.into(), Loc::NONE)
            .unwrap();
        (sources, buffer)
    }

    #[test]
    fn an_error_shows_its_line_and_a_caret_behind_tabs() {
        let (sources, buffer) = source("int a;\n\tb = 1;\n");
        let mut diags = Diagnostics::new(Warnings::default());
        diags.error(sources.loc(buffer, 8), "unknown");
        diags.note(sources.loc(buffer, 4), "declared here");
        assert_eq!(
            diags.render(&sources),
            "<source>:2:2: error: unknown\n        b = 1;\n        ^\n<source>:1:5: note: declared here\nint a;\n    ^\n1 error generated.\n"
        );
    }

    #[test]
    fn errors_stop_at_the_limit() {
        let (sources, _) = source("");
        let mut diags = Diagnostics::new(Warnings::default());
        for _ in 0..100 {
            diags.error(Loc::NONE, "x");
            diags.note(Loc::NONE, "y");
        }
        assert!(diags.stopped());
        let log = diags.render(&sources);
        assert_eq!(log.matches("note: y").count(), 20);
        assert!(log.ends_with(
            "fatal error: too many errors emitted, stopping now\n20 errors generated.\n"
        ));
    }

    #[test]
    fn warnings_can_be_hidden_or_made_errors() {
        let (sources, _) = source("");
        let render = |option: &str, name: Option<Warning>| {
            let mut warnings = Warnings::default();
            warnings.set(option);
            let mut diags = Diagnostics::new(warnings);
            diags.add_warning(name, Loc::NONE, "x".into());
            diags.note(Loc::NONE, "y");
            (diags.has_errors(), diags.render(&sources))
        };
        let shown = "warning: x\nnote: y\n1 warning generated.\n";
        assert_eq!(render("", None), (false, shown.into()));
        assert_eq!(render("-w", None), (false, String::new()));
        let promoted = "error: x [-Werror]\nnote: y\n1 error generated.\n";
        assert_eq!(render("-Werror", None), (true, promoted.into()));
        let name = Some(Warning::ReturnType);
        let shown = "warning: x [-Wreturn-type]\nnote: y\n1 warning generated.\n";
        assert_eq!(render("", name), (false, shown.into()));
        assert_eq!(render("-Wno-return-type", name), (false, String::new()));
        let promoted = "error: x [-Werror,-Wreturn-type]\nnote: y\n1 error generated.\n";
        assert_eq!(render("-Werror=return-type", name), (true, promoted.into()));
    }

    #[test]
    fn a_very_long_line_is_cut_around_the_caret() {
        let text = "é".repeat(1_000_000);
        let (sources, buffer) = source(&text);
        let mut diags = Diagnostics::new(Warnings::default());
        for offset in [0, 1, 400, 1_000_001, 2_000_000] {
            diags.error(sources.loc(buffer, offset), "x");
        }
        assert!(diags.render(&sources).len() < 5 * 600);
    }
}
