//! The preprocessor: from the program's source to the tokens that the parser reads (C99 5.1.1.2, phases 1 to 6; 6.10).
//!
//! In reading order: this file (the input: files and what macros put in front of them), [`macros`] (definitions),
//! [`expand`] and [`hide`] (macro replacement), [`directives`], [`condition`] (`#if`), [`include`], [`pragma`],
//! [`initial`] (what is defined at the start), [`emit`] (preprocessing tokens to tokens).
//!
//! Invariants: the preprocessor recurses only in macro arguments and `#if` expressions, both to a fixed depth; every
//! token that is read or made costs one unit of [`MAX_TOKENS`], and all text counts against
//! [`super::source::SourceMap::MAX_TEXT`], so that time and memory are bounded whatever the source says. Once the
//! diagnostics have stopped, the input is at its end.

mod condition;
mod directives;
mod emit;
mod expand;
pub(super) mod hide;
mod include;
mod initial;
mod macros;
mod pragma;
#[cfg(test)]
mod tests;

pub use include::{Header, Includes};
pub use initial::BIT_FIELDS;

use self::directives::{Conditional, Directive};
use self::hide::HideSets;
use self::macros::{DynamicMacros, MacroTable};
use super::lex::{Lexer, PpKind, PpToken};
use super::options::{FrontOptions, Target};
use super::session::Session;
use super::source::{Loc, SourceMap};
use super::symbol::{Interner, Symbol};
use super::token::{Pragma, Punct, TokenStream};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

/// The name of the main source in diagnostics and in `__FILE__`.
pub const MAIN_NAME: &str = "<program source>";

/// How many tokens a build may read and make.
const MAX_TOKENS: usize = 1 << 22;

/// Preprocesses a program. What is wrong with it goes to the session's diagnostics.
pub fn preprocess(
    source: &str,
    includes: &Includes,
    options: &FrontOptions,
    target: &Target,
    session: &mut Session,
) -> TokenStream {
    let mut pp = Preprocessor::new(*includes, options, target, session);
    // The last that is entered is read first.
    for (name, text) in [
        (MAIN_NAME, source.into()),
        ("<command line>", initial::command_line(options)),
        (initial::NAME, initial::built_in(options, target)),
    ] {
        pp.enter(name, text, None, Loc::NONE);
    }
    pp.run()
}

struct Preprocessor<'a> {
    session: &'a mut Session,
    options: &'a FrontOptions,
    includes: Includes<'a>,
    extensions: &'a [&'a str],
    /// The files being read, the innermost last.
    files: Vec<File>,
    /// Tokens to read before the files: the top is next.
    pending: Vec<PpToken>,
    /// Whether `pending` is the whole input.
    isolated: bool,
    macros: MacroTable,
    dynamic: DynamicMacros,
    hide_sets: HideSets,
    directives: HashMap<Symbol, Directive>,
    words: Words,
    pragmas: Vec<Pragma>,
    /// Names of the files that said `#pragma once`.
    once: HashSet<Arc<str>>,
    include_count: u32,
    /// Where the directive that is being obeyed begins.
    directive_loc: Loc,
    counter: u32,
    argument_depth: u32,
    budget: usize,
}

/// A file being read.
struct File {
    lexer: Lexer,
    name: Arc<str>,
    /// The folder it came from, if it came from the disk.
    dir: Option<PathBuf>,
    conditionals: Vec<Conditional>,
}

/// Identifiers with a meaning to the preprocessor.
struct Words {
    defined: Symbol,
    va_args: Symbol,
    pragma_operator: Symbol,
    truth: Symbol,
}

impl<'a> Preprocessor<'a> {
    fn new(
        includes: Includes<'a>,
        options: &'a FrontOptions,
        target: &'a Target<'a>,
        session: &'a mut Session,
    ) -> Preprocessor<'a> {
        let names: &mut Interner = &mut session.names;
        Preprocessor {
            options,
            includes,
            extensions: target.extensions,
            files: Vec::new(),
            pending: Vec::new(),
            isolated: false,
            macros: MacroTable::default(),
            dynamic: DynamicMacros::new(names),
            hide_sets: HideSets::new(),
            directives: directives::table(names),
            words: Words {
                defined: names.intern("defined"),
                va_args: names.intern("__VA_ARGS__"),
                pragma_operator: names.intern("_Pragma"),
                truth: names.intern("true"),
            },
            pragmas: Vec::new(),
            once: HashSet::new(),
            include_count: 0,
            directive_loc: Loc::NONE,
            counter: 0,
            argument_depth: 0,
            budget: MAX_TOKENS,
            session,
        }
    }

    /// Starts to read a text.
    fn enter(&mut self, name: &str, text: Arc<str>, dir: Option<PathBuf>, included_from: Loc) {
        let sources = &mut self.session.sources;
        let Ok(buffer) = sources.add_buffer(name, text.clone(), included_from) else {
            let limit = SourceMap::MAX_TEXT >> 20;
            let text = format!("the program's text is longer than {limit} MiB");
            self.session.diags.fatal(included_from, text);
            return;
        };
        if dir.is_some() {
            sources.note_file(buffer);
        }
        self.files.push(File {
            lexer: Lexer::new(text, sources.loc(buffer, 0)),
            name: name.into(),
            dir,
            conditionals: Vec::new(),
        });
    }

    /// The next token, not macro-replaced; directives on the way are obeyed. The end of an included file is a token
    /// of kind [`PpKind::EndOfFile`] too: no macro call goes beyond it.
    fn next_token(&mut self) -> PpToken {
        if self.stopped() {
            self.pending.clear();
            self.files.clear();
        }
        loop {
            if let Some(token) = self.pending.pop() {
                return token;
            }
            let Some(file) = self.files.last_mut().filter(|_| !self.isolated) else {
                return PpToken::end(&mut self.session.names);
            };
            let token = file.lexer.next(&mut self.session.names);
            if token.kind == PpKind::EndOfFile {
                self.leave_file();
                return token;
            }
            if !self.spend(1, token.loc) {
                return PpToken::end(&mut self.session.names);
            }
            if token.line_start && token.is(Punct::Hash) {
                self.directive(token.loc);
            } else {
                return token;
            }
        }
    }

    fn leave_file(&mut self) {
        let Some(file) = self.files.pop() else {
            return;
        };
        if let Some(loc) = file.lexer.unterminated_comment {
            self.session.diags.error(loc, "unterminated /* comment");
        }
        for conditional in file.conditionals.iter().rev() {
            let text = "unterminated conditional directive";
            self.session.diags.error(conditional.loc, text);
        }
    }

    /// Whether the input is read to its end (and not just an included file).
    fn at_end(&self) -> bool {
        self.files.is_empty() && self.pending.is_empty()
    }

    fn stopped(&self) -> bool {
        self.session.diags.stopped()
    }

    /// Takes `tokens` from the budget; a fatal error if there is too little left.
    fn spend(&mut self, tokens: usize, loc: Loc) -> bool {
        match self.budget.checked_sub(tokens) {
            Some(rest) => self.budget = rest,
            None => {
                let text = format!("the program expands to more than {MAX_TOKENS} tokens");
                self.session.diags.fatal(loc, text);
            }
        }
        !self.stopped()
    }
}
