//! Macro replacement (C99 6.10.3.1 to 6.10.3.4), by Prosser's algorithm: a token's hide set names the macros that may
//! not replace it, and what a macro yields is put back in front of the input and read again.
//!
//! Invariants: replaced tokens go to `pending`, a stack whose top is read next; an argument is expanded with a
//! `pending` of its own, and only then does the host's stack grow, to at most [`MAX_ARGUMENT_DEPTH`] levels. Every
//! token made costs one unit of the budget, so that no chain of definitions can use unbounded time or memory.

use super::super::lex::{Lexer, PpKind, PpToken};
use super::super::literal;
use super::super::source::{ExpansionId, Loc};
use super::super::token::Punct;
use super::Preprocessor;
use super::hide::HideSet;
use super::macros::{BodyItem, BodyKind, Macro, Params};
use std::rc::Rc;

/// How deep macro calls may nest in each other's arguments.
const MAX_ARGUMENT_DEPTH: u32 = 256;
/// The longest token that `#` and `##` may make, in bytes.
const MAX_MADE_TOKEN: usize = 1 << 16;
/// So many bytes of a token's spelling cost one more unit of the budget.
const BYTES_PER_TOKEN: usize = 16;

/// One argument of a macro call, as written and (when first needed) macro-expanded.
struct Argument {
    raw: Vec<PpToken>,
    expanded: Option<Vec<PpToken>>,
}

impl Preprocessor<'_> {
    /// The next token after macro replacement.
    pub(super) fn next_expanded(&mut self) -> PpToken {
        loop {
            let token = self.next_token();
            if token.kind != PpKind::Ident || !self.try_expand(token) {
                return token;
            }
        }
    }

    /// If the identifier is a macro to be replaced here, puts the replacement in front of the input.
    fn try_expand(&mut self, token: PpToken) -> bool {
        if self.dynamic.contains(token.text) {
            let value = self.dynamic_value(token);
            self.pending.push(value);
            return true;
        }
        let Some(macro_) = self.macros.get(token.text).cloned() else {
            return false;
        };
        if self.hide_sets.contains(token.hide, token.text) {
            return false;
        }
        match &macro_.params {
            None => {
                let hide = token.hide;
                self.replace(&macro_, token, hide, &mut []);
                true
            }
            Some(params) => self.expand_call(&macro_, params, token),
        }
    }

    /// A function-like macro's name: it is replaced only if `(` is the next token.
    fn expand_call(&mut self, macro_: &Rc<Macro>, params: &Params, name: PpToken) -> bool {
        let next = self.next_token();
        if !next.is(Punct::LParen) {
            self.pending.push(next);
            return false;
        }
        let Some((mut arguments, close)) = self.arguments(macro_, params, name) else {
            return true;
        };
        match self.hide_sets.intersection(name.hide, close.hide) {
            Ok(hide) => self.replace(macro_, name, hide, &mut arguments),
            Err(_) => self.too_deep(name.loc),
        }
        true
    }

    /// Reads the arguments up to the closing parenthesis. `None` after an error.
    fn arguments(
        &mut self,
        macro_: &Macro,
        params: &Params,
        name: PpToken,
    ) -> Option<(Vec<Argument>, PpToken)> {
        let mut arguments = vec![Vec::new()];
        let mut depth = 0u32;
        let close = loop {
            let mut token = self.next_token();
            // A line's end inside a call is white space like any other.
            token.space |= token.line_start;
            token.line_start = false;
            let separates = depth == 0
                && token.is(Punct::Comma)
                && !(params.variadic && arguments.len() == params.names.len());
            match token.kind {
                PpKind::EndOfFile => {
                    let text = "unterminated function-like macro invocation";
                    self.session.diags.error(name.loc, text);
                    self.note_definition(macro_);
                    self.pending.push(token);
                    return None;
                }
                PpKind::Punct(Punct::RParen) if depth == 0 => break token,
                PpKind::Punct(Punct::RParen) => depth -= 1,
                PpKind::Punct(Punct::LParen) => depth += 1,
                _ => {}
            }
            if separates {
                arguments.push(Vec::new());
            } else if let Some(last) = arguments.last_mut() {
                last.push(token);
            }
        };
        // 6.10.3: as many arguments as parameters; `f()` calls a macro without parameters, or with one empty argument.
        let wanted = params.names.len();
        if wanted == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if params.variadic && arguments.len() + 1 == wanted {
            arguments.push(Vec::new());
        }
        if arguments.len() != wanted {
            let text = if arguments.len() < wanted {
                "too few arguments provided to function-like macro invocation"
            } else {
                "too many arguments provided to function-like macro invocation"
            };
            self.session.diags.error(close.loc, text);
            self.note_definition(macro_);
            return None;
        }
        let arguments = arguments.into_iter().map(|raw| Argument {
            raw,
            expanded: None,
        });
        Some((arguments.collect(), close))
    }

    fn note_definition(&mut self, macro_: &Macro) {
        let name = self.session.names.name(macro_.name);
        let text = format!("macro '{name}' defined here");
        self.session.diags.note(macro_.loc, text);
    }

    /// Puts the body, with the arguments in it, in front of the input. `hide` is what Prosser's algorithm adds
    /// besides the macro's own name.
    fn replace(
        &mut self,
        macro_: &Rc<Macro>,
        name: PpToken,
        hide: HideSet,
        arguments: &mut [Argument],
    ) {
        let Ok(hide) = self.hide_sets.with(hide, macro_.name) else {
            self.too_deep(name.loc);
            return;
        };
        let mut tokens = self.substitute(macro_, name.loc, arguments);
        tokens.retain(|token| token.kind != PpKind::Placemarker);
        if let Some(first) = tokens.first_mut() {
            first.space = name.space;
            first.line_start = name.line_start;
        }
        for token in &mut tokens {
            match self.hide_sets.union(token.hide, hide) {
                Ok(union) => token.hide = union,
                Err(_) => {
                    self.too_deep(name.loc);
                    return;
                }
            }
        }
        if self.spend(tokens.len() + 1, name.loc) {
            self.pending.extend(tokens.into_iter().rev());
        }
    }

    fn substitute(
        &mut self,
        macro_: &Rc<Macro>,
        site: Loc,
        arguments: &mut [Argument],
    ) -> Vec<PpToken> {
        let mut out: Vec<PpToken> = Vec::new();
        let mut expansion = None;
        for (i, item) in macro_.body.iter().enumerate() {
            if self.stopped() {
                break;
            }
            let left = i.checked_sub(1).map(|i| &macro_.body[i]);
            let pasted = left.filter(|item| item.paste_next);
            let piece = self.piece(
                macro_,
                item,
                pasted.is_some(),
                site,
                &mut expansion,
                arguments,
            );
            if !self.spend(piece.len(), site) {
                break;
            }
            let Some(left) = pasted else {
                out.extend(piece);
                continue;
            };
            if is_gnu_comma(macro_, left, item) {
                // GNU: `, ## __VA_ARGS__` drops the comma if there is no variable argument, and joins nothing.
                if piece.iter().all(|t| t.kind == PpKind::Placemarker) {
                    out.pop();
                } else {
                    out.extend(piece);
                }
                continue;
            }
            let mut piece = piece.into_iter();
            if let (Some(a), Some(b)) = (out.pop(), piece.next()) {
                self.paste(a, b, &mut out);
            }
            out.extend(piece);
        }
        out
    }

    /// What one item of a body stands for; at least one token if it is an operand of `##`.
    fn piece(
        &mut self,
        macro_: &Rc<Macro>,
        item: &BodyItem,
        pasted: bool,
        site: Loc,
        expansion: &mut Option<ExpansionId>,
        arguments: &mut [Argument],
    ) -> Vec<PpToken> {
        let sources = &mut self.session.sources;
        let expansion = *expansion.get_or_insert_with(|| sources.add_expansion(macro_.loc, site));
        let mut own = item.token;
        match item.kind {
            BodyKind::Token => {
                own.loc = sources.expanded_loc(own.loc, expansion);
                vec![own]
            }
            BodyKind::Stringize(index) => {
                own.loc = sources.expanded_loc(own.loc, expansion);
                vec![self.stringize(own, &arguments[index].raw)]
            }
            BodyKind::Param(index) => {
                let argument = &mut arguments[index];
                let mut piece = if pasted || item.paste_next {
                    argument.raw.clone()
                } else {
                    if argument.expanded.is_none() {
                        argument.expanded = Some(self.expand_argument(&argument.raw, site));
                    }
                    argument.expanded.clone().unwrap_or_default()
                };
                match piece.first_mut() {
                    Some(first) => first.space = own.space,
                    None if pasted || item.paste_next => {
                        own.kind = PpKind::Placemarker;
                        piece.push(own);
                    }
                    None => {}
                }
                piece
            }
        }
    }

    /// 6.10.3.1: an argument is completely macro-replaced as if it formed the rest of the file.
    fn expand_argument(&mut self, raw: &[PpToken], site: Loc) -> Vec<PpToken> {
        if raw.iter().all(|token| token.kind != PpKind::Ident) {
            return raw.to_vec();
        }
        if self.argument_depth == MAX_ARGUMENT_DEPTH {
            let text = "macro calls are nested too deeply in each other's arguments";
            self.session.diags.fatal(site, text);
            return Vec::new();
        }
        // Calls nested in each other copy their arguments at each level.
        if !self.spend(raw.len(), site) {
            return Vec::new();
        }
        self.argument_depth += 1;
        let out = self.expand_all(raw);
        self.argument_depth -= 1;
        out
    }

    /// Makes `tokens` the whole input, until [`Preprocessor::restore`].
    pub(super) fn isolate(&mut self, tokens: &[PpToken]) -> (Vec<PpToken>, bool) {
        let pending = tokens.iter().rev().copied().collect();
        (
            std::mem::replace(&mut self.pending, pending),
            std::mem::replace(&mut self.isolated, true),
        )
    }

    pub(super) fn restore(&mut self, outer: (Vec<PpToken>, bool)) {
        (self.pending, self.isolated) = outer;
    }

    /// 6.10.3.2: the spelling of the argument as a string literal; white space between tokens is one space.
    fn stringize(&mut self, at: PpToken, raw: &[PpToken]) -> PpToken {
        let mut text = String::from("\"");
        for (i, token) in raw.iter().enumerate() {
            if i > 0 && token.space {
                text.push(' ');
            }
            let spelling = self.session.names.name(token.text);
            if matches!(token.kind, PpKind::Str | PpKind::Char) {
                for c in spelling.chars() {
                    if matches!(c, '"' | '\\') {
                        text.push('\\');
                    }
                    text.push(c);
                }
            } else {
                text.push_str(spelling);
            }
            if text.len() > MAX_MADE_TOKEN {
                self.too_long(at.loc);
                break;
            }
        }
        text.push('"');
        self.spend(text.len() / BYTES_PER_TOKEN, at.loc);
        PpToken {
            kind: PpKind::Str,
            text: self.session.names.intern(&text),
            ..at
        }
    }

    /// 6.10.3.3: joins two tokens into one, which must be a valid token.
    fn paste(&mut self, left: PpToken, right: PpToken, out: &mut Vec<PpToken>) {
        if right.kind == PpKind::Placemarker {
            out.push(left);
            return;
        }
        if left.kind == PpKind::Placemarker {
            let space = left.space;
            out.push(PpToken { space, ..right });
            return;
        }
        let names = &mut self.session.names;
        let text = format!("{}{}", names.name(left.text), names.name(right.text));
        if text.len() > MAX_MADE_TOKEN {
            self.too_long(left.loc);
            return;
        }
        if !self.spend(text.len() / BYTES_PER_TOKEN, left.loc) {
            return;
        }
        let names = &mut self.session.names;
        let mut lexer = Lexer::scratch(&text);
        let made = lexer.next(names);
        let is_one = lexer.next(names).kind == PpKind::EndOfFile;
        let is_comment = lexer.unterminated_comment.is_some() || made.kind == PpKind::EndOfFile;
        if !is_one || is_comment || made.kind == PpKind::Other {
            let text = format!("pasting formed '{text}', an invalid preprocessing token");
            self.session.diags.error(left.loc, text);
            out.extend([left, right]);
            return;
        }
        match self.hide_sets.intersection(left.hide, right.hide) {
            Ok(hide) => out.push(PpToken {
                kind: made.kind,
                text: made.text,
                hide,
                ..left
            }),
            Err(_) => self.too_deep(left.loc),
        }
    }

    /// 6.10.8: the macros whose value depends on where they stand.
    fn dynamic_value(&mut self, token: PpToken) -> PpToken {
        let position = self.session.sources.position(token.loc);
        let (kind, text) = if token.text == self.dynamic.file {
            let name = position.map(|p| p.file.to_string()).unwrap_or_default();
            (PpKind::Str, literal::quoted(&name))
        } else if token.text == self.dynamic.line {
            let line = position.map_or(0, |p| p.line);
            (PpKind::Number, line.to_string())
        } else {
            self.counter += 1;
            (PpKind::Number, (self.counter - 1).to_string())
        };
        PpToken {
            kind,
            text: self.session.names.intern(&text),
            ..token
        }
    }

    fn too_deep(&mut self, loc: Loc) {
        let text = "macros are nested too deeply in each other";
        self.session.diags.fatal(loc, text);
    }

    fn too_long(&mut self, loc: Loc) {
        let text = format!("macro makes a token of more than {MAX_MADE_TOKEN} bytes");
        self.session.diags.fatal(loc, text);
    }
}

/// Whether `left ## item` is GNU's `, ## __VA_ARGS__`.
fn is_gnu_comma(macro_: &Macro, left: &BodyItem, item: &BodyItem) -> bool {
    let variadic = macro_.params.as_ref().filter(|params| params.variadic);
    let last = variadic.map(|params| params.names.len() - 1);
    left.kind == BodyKind::Token
        && left.token.is(Punct::Comma)
        && matches!((item.kind, last), (BodyKind::Param(i), Some(last)) if i == last)
}
