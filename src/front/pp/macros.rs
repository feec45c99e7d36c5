//! Macro definitions: the table, and the `#define` and `#undef` directives (C99 6.10.3).

use super::super::lex::{PpKind, PpToken};
use super::super::source::Loc;
use super::super::symbol::{Interner, Symbol};
use super::super::token::Punct;
use super::Preprocessor;
use std::rc::Rc;

/// The most parameters a macro may have.
const MAX_PARAMS: usize = 1024;

pub struct Macro {
    pub name: Symbol,
    /// Where the name stands in the `#define`.
    pub loc: Loc,
    /// `None` for an object-like macro.
    pub params: Option<Params>,
    pub body: Vec<BodyItem>,
}

#[derive(PartialEq, Eq)]
pub struct Params {
    /// For a variadic macro, the last stands for the variable arguments.
    pub names: Vec<Symbol>,
    pub variadic: bool,
}

/// One piece of a macro's body.
pub struct BodyItem {
    pub kind: BodyKind,
    pub token: PpToken,
    /// Whether `##` joins it to the next item.
    pub paste_next: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    Token,
    /// The argument of the parameter with this index.
    Param(usize),
    /// `#` and the parameter.
    Stringize(usize),
}

/// The macros that are defined now, by name.
#[derive(Default)]
pub struct MacroTable {
    macros: Vec<Option<Rc<Macro>>>,
}

impl MacroTable {
    pub fn get(&self, name: Symbol) -> Option<&Rc<Macro>> {
        self.macros.get(name.index())?.as_ref()
    }

    fn set(&mut self, name: Symbol, value: Option<Rc<Macro>>) {
        if self.macros.len() <= name.index() {
            self.macros.resize(name.index() + 1, None);
        }
        self.macros[name.index()] = value;
    }
}

impl Preprocessor<'_> {
    /// `# define identifier replacement-list new-line`, or with `( identifier-list_opt )`, `( ... )` or
    /// `( identifier-list , ... )` directly behind the name.
    pub(super) fn define_directive(&mut self, line: &[PpToken]) {
        let Some(name) = self.macro_name(line.first()) else {
            return;
        };
        let mut rest = &line[1..];
        let mut params = None;
        match rest.first() {
            Some(paren) if paren.is(Punct::LParen) && !paren.space => {
                let Some((list, after)) = self.macro_params(&rest[1..], name.loc) else {
                    return;
                };
                params = Some(list);
                rest = after;
            }
            Some(token) if !token.space && token.kind != PpKind::Other => {
                let text = "whitespace is required after the macro name";
                self.session.diags.warning(token.loc, text);
            }
            _ => {}
        }
        let Some(body) = self.macro_body(rest, params.as_ref()) else {
            return;
        };
        let new = Macro {
            name: name.text,
            loc: name.loc,
            params,
            body,
        };
        self.check_redefinition(&new);
        self.macros.set(name.text, Some(Rc::new(new)));
    }

    /// `# undef identifier new-line`
    pub(super) fn undef_directive(&mut self, line: &[PpToken]) {
        if let Some(name) = self.macro_name(line.first()) {
            self.extra_tokens(&line[1..], "undef");
            if self.dynamic.contains(name.text) {
                let text = "undefining builtin macro";
                self.session.diags.warning(name.loc, text);
            }
            self.dynamic.remove(name.text);
            self.macros.set(name.text, None);
        }
    }

    /// The name that a directive is about. 6.10.8: `defined` can't be one.
    pub(super) fn macro_name(&mut self, token: Option<&PpToken>) -> Option<PpToken> {
        let (loc, text) = match token {
            None => (self.directive_loc, "macro name missing"),
            Some(token) if token.kind != PpKind::Ident => {
                (token.loc, "macro name must be an identifier")
            }
            Some(token) if token.text == self.words.defined => {
                (token.loc, "'defined' cannot be used as a macro name")
            }
            Some(&token) => return Some(token),
        };
        self.session.diags.error(loc, text);
        None
    }

    fn macro_params<'t>(
        &mut self,
        tokens: &'t [PpToken],
        at: Loc,
    ) -> Option<(Params, &'t [PpToken])> {
        let mut params = Params {
            names: Vec::new(),
            variadic: false,
        };
        if let [close, rest @ ..] = tokens
            && close.is(Punct::RParen)
        {
            return Some((params, rest));
        }
        let mut rest = tokens;
        loop {
            let Some((token, after)) = rest.split_first() else {
                let text = "missing ')' in macro parameter list";
                self.session.diags.error(at, text);
                return None;
            };
            rest = after;
            if token.is(Punct::Ellipsis) {
                params.names.push(self.words.va_args);
                params.variadic = true;
            } else if token.kind != PpKind::Ident {
                let text = "invalid token in macro parameter list";
                self.session.diags.error(token.loc, text);
                return None;
            } else {
                if token.text == self.words.va_args {
                    let text =
                        "__VA_ARGS__ can only appear in the expansion of a C99 variadic macro";
                    self.session.diags.error(token.loc, text);
                    return None;
                }
                if params.names.contains(&token.text) {
                    let name = self.session.names.name(token.text);
                    let text = format!("duplicate macro parameter name '{name}'");
                    self.session.diags.error(token.loc, text);
                    return None;
                }
                params.names.push(token.text);
                // GNU's named variadic parameter: `args...`.
                if let Some((dots, after)) = rest.split_first()
                    && dots.is(Punct::Ellipsis)
                {
                    params.variadic = true;
                    rest = after;
                }
            }
            if params.names.len() > MAX_PARAMS {
                let text = format!("macro has more than {MAX_PARAMS} parameters");
                self.session.diags.fatal(token.loc, text);
                return None;
            }
            match rest.split_first() {
                Some((close, after)) if close.is(Punct::RParen) => return Some((params, after)),
                Some((comma, after)) if comma.is(Punct::Comma) && !params.variadic => rest = after,
                Some((token, _)) => {
                    let text = if params.variadic {
                        "missing ')' in macro parameter list"
                    } else {
                        "expected comma in macro parameter list"
                    };
                    self.session.diags.error(token.loc, text);
                    return None;
                }
                None => {}
            }
        }
    }

    fn macro_body(&mut self, tokens: &[PpToken], params: Option<&Params>) -> Option<Vec<BodyItem>> {
        let find = |token: &PpToken| {
            let params = params?;
            let is_name = token.kind == PpKind::Ident;
            params
                .names
                .iter()
                .position(|&n| is_name && n == token.text)
        };
        let mut body: Vec<BodyItem> = Vec::with_capacity(tokens.len());
        let mut rest = tokens.iter();
        while let Some(token) = rest.next() {
            let mut kind = match find(token) {
                Some(index) => BodyKind::Param(index),
                None => BodyKind::Token,
            };
            let mut token = *token;
            if token.is(Punct::HashHash) {
                // 6.10.3.3: ## shall stand neither at the beginning nor at the end of a body.
                match body.last_mut() {
                    None => {
                        let text = "'##' cannot appear at start of macro expansion";
                        self.session.diags.error(token.loc, text);
                        return None;
                    }
                    Some(_) if rest.len() == 0 => {
                        let text = "'##' cannot appear at end of macro expansion";
                        self.session.diags.error(token.loc, text);
                        return None;
                    }
                    Some(left) => left.paste_next = true,
                }
                continue;
            }
            if token.is(Punct::Hash) && params.is_some() {
                // 6.10.3.2: in a function-like macro, a parameter shall follow #.
                let Some((param, index)) = rest.next().and_then(|t| Some((t, find(t)?))) else {
                    let text = "'#' is not followed by a macro parameter";
                    self.session.diags.error(token.loc, text);
                    return None;
                };
                kind = BodyKind::Stringize(index);
                token.text = param.text;
            }
            if kind == BodyKind::Token && token.text == self.words.va_args {
                let text = "__VA_ARGS__ can only appear in the expansion of a C99 variadic macro";
                self.session.diags.warning(token.loc, text);
            }
            body.push(BodyItem {
                kind,
                token,
                paste_next: false,
            });
        }
        Some(body)
    }

    /// 6.10.3: a macro may be defined again only with the same parameters and the same body.
    fn check_redefinition(&mut self, new: &Macro) {
        if self.dynamic.contains(new.name) {
            let text = "redefining builtin macro";
            self.session.diags.warning(new.loc, text);
            self.dynamic.remove(new.name);
            return;
        }
        let Some(old) = self.macros.get(new.name) else {
            return;
        };
        let name = self.session.names.name(new.name);
        // Kernels bring their own M_PI or INT_MAX: no reason to warn. The names of the language itself are reserved.
        let is_constant = self.is_predefined(old.loc) && !name.starts_with("__");
        if !is_constant && !same_definition(old, new) {
            let text = format!("'{name}' macro redefined");
            let old_loc = old.loc;
            self.session.diags.warning(new.loc, text);
            if !self.is_predefined(old_loc) {
                let text = "previous definition is here";
                self.session.diags.note(old_loc, text);
            }
        }
    }
}

fn same_definition(a: &Macro, b: &Macro) -> bool {
    let same_space =
        |i: usize, x: &BodyItem, y: &BodyItem| i == 0 || x.token.space == y.token.space;
    a.params == b.params
        && a.body.len() == b.body.len()
        && a.body.iter().zip(&b.body).enumerate().all(|(i, (x, y))| {
            x.kind == y.kind
                && x.token.kind == y.token.kind
                && x.token.text == y.token.text
                && x.paste_next == y.paste_next
                && same_space(i, x, y)
        })
}

/// The macros whose value is made at each use: `__FILE__`, `__LINE__`, and GNU's `__COUNTER__`.
pub struct DynamicMacros {
    pub file: Symbol,
    pub line: Symbol,
    /// Those that the program has not undefined or redefined.
    live: Vec<Symbol>,
}

impl DynamicMacros {
    pub fn new(names: &mut Interner) -> DynamicMacros {
        let live = ["__FILE__", "__LINE__", "__COUNTER__"].map(|name| names.intern(name));
        DynamicMacros {
            file: live[0],
            line: live[1],
            live: live.to_vec(),
        }
    }

    pub fn contains(&self, name: Symbol) -> bool {
        self.live.contains(&name)
    }

    fn remove(&mut self, name: Symbol) {
        self.live.retain(|&n| n != name);
    }
}
