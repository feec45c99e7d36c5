//! `#pragma` and `_Pragma` (C99 6.10.6 and 6.10.9; OpenCL C, "Preprocessor Directives and Macros"): what the parser
//! has to know becomes a token in the stream; what nobody knows is a warning.

use super::super::lex::{Lexer, PpKind, PpToken};
use super::super::literal;
use super::super::source::Loc;
use super::super::token::{Pragma, Punct, Unroll};
use super::Preprocessor;
use super::initial::BIT_FIELDS;

impl Preprocessor<'_> {
    /// `# pragma pp-tokens_opt new-line`
    pub(super) fn pragma_directive(&mut self, loc: Loc) {
        let line = self.line();
        self.pragma(&line, loc);
    }

    /// `_Pragma ( string-literal )`, the name being read: the literal's content is a pragma's line.
    pub(super) fn pragma_operator(&mut self, name: PpToken) {
        let open = self.next_expanded();
        let literal = self.next_expanded();
        let close = self.next_expanded();
        let is_right =
            open.is(Punct::LParen) && literal.kind == PpKind::Str && close.is(Punct::RParen);
        if !is_right {
            let text = "_Pragma takes a parenthesized string literal";
            self.session.diags.error(name.loc, text);
            return;
        }
        // 6.10.9: \" stands for " and \\ for \.
        let spelling = literal::body(self.session.names.name(literal.text));
        let text = spelling.replace("\\\"", "\"").replace("\\\\", "\\");
        let mut lexer = Lexer::scratch(&text);
        let mut line = Vec::new();
        while let Some(mut token) = lexer.next_in_line(&mut self.session.names) {
            token.loc = name.loc;
            line.push(token);
        }
        if self.spend(line.len(), name.loc) {
            self.pragma(&line, name.loc);
        }
    }

    fn pragma(&mut self, line: &[PpToken], loc: Loc) {
        let words: Vec<&str> = line
            .iter()
            .map(|token| self.session.names.name(token.text))
            .collect();
        let pragma = match words[..] {
            ["OPENCL", "EXTENSION", ..] => self.extension(&line[2..], loc),
            ["OPENCL" | "STDC", "FP_CONTRACT", ref rest @ ..] => {
                let switch = match rest {
                    ["ON"] => Some(Some(true)),
                    ["OFF"] => Some(Some(false)),
                    ["DEFAULT"] => Some(None),
                    _ => None,
                };
                if switch.is_none() {
                    let text = "expected 'ON' or 'OFF' or 'DEFAULT' in pragma";
                    self.session.diags.warning(loc, text);
                }
                switch.map(Pragma::FpContract)
            }
            ["unroll", ..] => self.unroll(&line[1..], loc),
            ["nounroll"] => Some(Pragma::Unroll(Unroll::Never)),
            ["once"] => {
                if let Some(file) = self.files.last() {
                    self.once.insert(file.name.clone());
                }
                None
            }
            [] => None,
            _ => {
                let text = "unknown pragma ignored";
                self.session.diags.warning(line[0].loc, text);
                None
            }
        };
        if let Some(pragma) = pragma {
            let index = self.pragmas.len() as u32;
            self.pragmas.push(pragma);
            let mut token = PpToken::end(&mut self.session.names);
            token.kind = PpKind::Pragma(index);
            token.loc = loc;
            self.pending.push(token);
        }
    }

    /// `#pragma OPENCL EXTENSION extension-name : behaviour`. No macros are replaced in it.
    fn extension(&mut self, rest: &[PpToken], loc: Loc) -> Option<Pragma> {
        let words: Vec<&str> = rest
            .iter()
            .map(|token| self.session.names.name(token.text))
            .collect();
        let problem = match words[..] {
            [name, ":", behaviour @ ("enable" | "disable")] => {
                let enable = behaviour == "enable";
                if name == "all" {
                    // "The all variant sets the behaviour for all extensions [...] only if it is set to disable."
                    if !enable {
                        let name = rest[0].text;
                        return Some(Pragma::Extension { name, enable });
                    }
                    "expected 'disable' - ignoring".to_string()
                } else if self.extensions.contains(&name) || name == BIT_FIELDS {
                    let name = rest[0].text;
                    return Some(Pragma::Extension { name, enable });
                } else {
                    // The specification asks for an error where a program enables what is not there. Every
                    // clang-based compiler warns, and programs rely on it.
                    format!("unsupported OpenCL extension '{name}' - ignoring")
                }
            }
            [_, ":", ..] => "expected 'enable' or 'disable' - ignoring".to_string(),
            [_, ..] => "missing ':' after the extension's name - ignoring".to_string(),
            [] => "expected an extension's name - ignoring".to_string(),
        };
        let loc = rest.first().map_or(loc, |token| token.loc);
        self.session.diags.warning(loc, problem);
        None
    }

    /// `#pragma unroll`, `#pragma unroll n`, `#pragma unroll (n)`: n is a constant expression after macro replacement.
    fn unroll(&mut self, rest: &[PpToken], loc: Loc) -> Option<Pragma> {
        if rest.is_empty() {
            return Some(Pragma::Unroll(Unroll::Full));
        }
        let count = self.evaluate(rest)?;
        match u32::try_from(count) {
            Ok(0 | 1) => Some(Pragma::Unroll(Unroll::Never)),
            Ok(count) => Some(Pragma::Unroll(Unroll::By(count))),
            Err(_) => {
                let text = "invalid value in pragma unroll - ignoring";
                self.session.diags.warning(loc, text);
                None
            }
        }
    }
}
