//! Directives (C99 6.10): which is which, the conditional ones, `#line`, `#error`, `#warning`.

use super::super::lex::{PpKind, PpToken};
use super::super::literal;
use super::super::source::Loc;
use super::super::symbol::{Interner, Symbol};
use super::Preprocessor;
use std::collections::HashMap;

/// How deep conditional directives may nest in one file.
const MAX_CONDITIONALS: usize = 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directive {
    Define,
    Undef,
    Include,
    If,
    Ifdef,
    Ifndef,
    Elif,
    Else,
    Endif,
    Line,
    Error,
    Warning,
    Pragma,
}

/// An `#if` that has no `#endif` yet.
pub struct Conditional {
    pub loc: Loc,
    /// Whether one of its groups was read.
    taken: bool,
    seen_else: bool,
}

pub fn table(names: &mut Interner) -> HashMap<Symbol, Directive> {
    [
        ("define", Directive::Define),
        ("undef", Directive::Undef),
        ("include", Directive::Include),
        ("if", Directive::If),
        ("ifdef", Directive::Ifdef),
        ("ifndef", Directive::Ifndef),
        ("elif", Directive::Elif),
        ("else", Directive::Else),
        ("endif", Directive::Endif),
        ("line", Directive::Line),
        ("error", Directive::Error),
        ("warning", Directive::Warning),
        ("pragma", Directive::Pragma),
    ]
    .into_iter()
    .map(|(name, directive)| (names.intern(name), directive))
    .collect()
}

impl Preprocessor<'_> {
    /// Obeys the directive whose `#` was read last.
    pub(super) fn directive(&mut self, hash: Loc) {
        self.directive_loc = hash;
        // `# new-line` does nothing.
        let Some(name) = self.next_in_line() else {
            return;
        };
        match self.directives.get(&name.text).copied() {
            Some(Directive::Define) => {
                let line = self.line();
                self.define_directive(&line);
            }
            Some(Directive::Undef) => {
                let line = self.line();
                self.undef_directive(&line);
            }
            Some(Directive::Include) => self.include_directive(),
            Some(Directive::If) => {
                let is_true = self.condition();
                self.enter_conditional(is_true);
            }
            Some(Directive::Ifdef) => {
                let is_defined = self.defined_condition("ifdef");
                self.enter_conditional(is_defined == Some(true));
            }
            Some(Directive::Ifndef) => {
                let is_defined = self.defined_condition("ifndef");
                self.enter_conditional(is_defined == Some(false));
            }
            // One of these ends the group that is being read.
            Some(Directive::Elif) => {
                if self.check_elif() {
                    self.skip_rest_of_line();
                    self.skip_group();
                }
            }
            Some(Directive::Else) => {
                if self.check_else() {
                    self.skip_group();
                }
            }
            Some(Directive::Endif) => self.endif_directive(),
            Some(Directive::Line) => {
                let line = self.expanded_line();
                self.line_directive(&line, false);
            }
            Some(Directive::Error) => {
                let text = self.rest_of_line();
                self.session.diags.error(name.loc, text);
            }
            Some(Directive::Warning) => {
                let text = self.rest_of_line();
                self.session.diags.warning(name.loc, text);
            }
            Some(Directive::Pragma) => self.pragma_directive(name.loc),
            None if name.kind == PpKind::Number => {
                // GNU's line marker: `# 33 "file" flags`.
                let mut line = vec![name];
                line.extend(self.line());
                self.line_directive(&line, true);
            }
            None => {
                let text = "invalid preprocessing directive";
                self.session.diags.error(name.loc, text);
                self.skip_rest_of_line();
            }
        }
    }

    /// The tokens up to the end of the line.
    pub(super) fn line(&mut self) -> Vec<PpToken> {
        let mut line = Vec::new();
        while let Some(token) = self.next_in_line() {
            if !self.spend(1, token.loc) {
                break;
            }
            line.push(token);
        }
        line
    }

    /// The same, macros replaced.
    pub(super) fn expanded_line(&mut self) -> Vec<PpToken> {
        let line = self.line();
        self.expand_all(&line)
    }

    pub(super) fn expand_all(&mut self, tokens: &[PpToken]) -> Vec<PpToken> {
        let outer = self.isolate(tokens);
        let mut expanded = Vec::new();
        loop {
            let token = self.next_expanded();
            if token.kind == PpKind::EndOfFile {
                break;
            }
            expanded.push(token);
        }
        self.restore(outer);
        expanded
    }

    pub(super) fn extra_tokens(&mut self, rest: &[PpToken], directive: &str) {
        if let Some(token) = rest.first() {
            let text = format!("extra tokens at end of #{directive} directive");
            self.session.diags.warning(token.loc, text);
        }
    }

    pub(super) fn is_defined(&self, name: Symbol) -> bool {
        self.macros.get(name).is_some() || self.dynamic.contains(name)
    }

    fn next_in_line(&mut self) -> Option<PpToken> {
        let file = self.files.last_mut()?;
        file.lexer.next_in_line(&mut self.session.names)
    }

    fn rest_of_line(&mut self) -> String {
        let file = self.files.last_mut();
        file.map(|f| f.lexer.rest_of_line()).unwrap_or_default()
    }

    fn skip_rest_of_line(&mut self) {
        while self.next_in_line().is_some() {}
    }

    fn defined_condition(&mut self, directive: &str) -> Option<bool> {
        let line = self.line();
        let name = self.macro_name(line.first())?;
        self.extra_tokens(&line[1..], directive);
        Some(self.is_defined(name.text))
    }

    fn enter_conditional(&mut self, is_true: bool) {
        let loc = self.directive_loc;
        let Some(file) = self.files.last_mut() else {
            return;
        };
        if file.conditionals.len() == MAX_CONDITIONALS {
            let text = "conditional directives are nested too deeply";
            self.session.diags.fatal(loc, text);
            return;
        }
        file.conditionals.push(Conditional {
            loc,
            taken: is_true,
            seen_else: false,
        });
        if !is_true {
            self.skip_group();
        }
    }

    /// Skips text until a group of the innermost `#if` is to be read, or its `#endif`.
    fn skip_group(&mut self) {
        let mut depth = 0u32;
        loop {
            let found = self
                .files
                .last_mut()
                .and_then(|f| f.lexer.skip_to_directive());
            let Some(hash) = found else {
                return;
            };
            self.directive_loc = hash;
            let Some(name) = self.next_in_line() else {
                continue;
            };
            match self.directives.get(&name.text).copied() {
                Some(Directive::If | Directive::Ifdef | Directive::Ifndef) => depth += 1,
                Some(Directive::Endif) if depth > 0 => depth -= 1,
                Some(Directive::Endif) => {
                    self.endif_directive();
                    return;
                }
                // The condition of a group that can't be read any more is not looked at.
                Some(Directive::Elif)
                    if depth == 0 && self.check_elif() && !self.is_taken() && self.condition() =>
                {
                    self.take();
                    return;
                }
                Some(Directive::Else) if depth == 0 && self.check_else() && !self.is_taken() => {
                    self.take();
                    return;
                }
                _ => {}
            }
        }
    }

    fn innermost(&mut self) -> Option<&mut Conditional> {
        self.files.last_mut()?.conditionals.last_mut()
    }

    fn is_taken(&mut self) -> bool {
        self.innermost().is_some_and(|c| c.taken)
    }

    fn take(&mut self) {
        if let Some(conditional) = self.innermost() {
            conditional.taken = true;
        }
    }

    /// Whether an `#elif` may stand here.
    fn check_elif(&mut self) -> bool {
        let error = match self.innermost() {
            None => "#elif without #if",
            Some(conditional) if conditional.seen_else => "#elif after #else",
            Some(_) => return true,
        };
        self.session.diags.error(self.directive_loc, error);
        self.skip_rest_of_line();
        false
    }

    /// Whether an `#else` may stand here; marks it.
    fn check_else(&mut self) -> bool {
        let error = match self.innermost() {
            None => "#else without #if",
            Some(conditional) if conditional.seen_else => "#else after #else",
            Some(conditional) => {
                conditional.seen_else = true;
                let line = self.line();
                self.extra_tokens(&line, "else");
                return true;
            }
        };
        self.session.diags.error(self.directive_loc, error);
        self.skip_rest_of_line();
        false
    }

    fn endif_directive(&mut self) {
        let line = self.line();
        self.extra_tokens(&line, "endif");
        let closed = self.files.last_mut().and_then(|f| f.conditionals.pop());
        if closed.is_none() {
            let text = "#endif without #if";
            self.session.diags.error(self.directive_loc, text);
        }
    }

    /// `# line digit-sequence "s-char-sequence_opt"_opt new-line`
    fn line_directive(&mut self, line: &[PpToken], is_marker: bool) {
        let loc = line.first().map_or(self.directive_loc, |t| t.loc);
        let digits = line.first().filter(|t| t.kind == PpKind::Number);
        let digits = digits.map(|t| self.session.names.name(t.text));
        // 6.10.4: the digit sequence is decimal, even with a zero in front.
        let is_decimal = |d: &&str| d.bytes().all(|b| b.is_ascii_digit());
        let number = digits
            .filter(is_decimal)
            .and_then(|d| d.parse::<u32>().ok());
        let Some(number) = number.filter(|&n| n <= i32::MAX as u32) else {
            let text = "#line directive requires a positive integer argument";
            self.session.diags.error(loc, text);
            return;
        };
        let name = match line.get(1) {
            None => None,
            Some(token) if token.kind == PpKind::Str => {
                let spelling = self.session.names.name(token.text);
                let decoded = literal::decode_string(spelling).bytes;
                Some(String::from_utf8_lossy(&decoded).into_owned())
            }
            Some(token) => {
                let text = "invalid filename for #line directive";
                self.session.diags.error(token.loc, text);
                return;
            }
        };
        if !is_marker {
            self.extra_tokens(line.get(2..).unwrap_or_default(), "line");
        }
        if let Some(file) = self.files.last() {
            let end = file.lexer.loc();
            self.session.sources.set_line(end, number, name.as_deref());
        }
    }
}
