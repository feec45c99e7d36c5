//! Tokens to the syntax tree: recursive descent, one function for each production of the grammar (C99, 6.5 to 6.9,
//! with OpenCL C's and GNU's additions), the production above the function.
//!
//! Invariants: a function that returns [`Failed`] has reported an error; the caller resynchronises or passes it on.
//! Every loop over items takes at least one token a turn. Recursion is bounded by [`MAX_NESTING`], the depth of the
//! tree by [`MAX_DEPTH`]; beyond either, one fatal error moves the cursor to the end of the text, which ends all loops.

mod attr;
mod cursor;
mod decl;
mod declarator;
mod expr;
mod init;
mod node;
mod primary;
mod record;
mod scope;
mod specs;
mod stmt;

use super::ast::{Ast, ExternalDecl};
use super::diag::Diagnostics;
use super::session::Session;
use super::source::{Loc, SourceMap};
use super::symbol::Interner;
use super::token::{Pragma, Token, TokenStream, Unroll};
use scope::Scopes;

/// The deepest nesting of brackets, statements, declarators and prefix operators.
pub const MAX_NESTING: u32 = 256;

/// Parses a whole translation unit. The tree is complete even after errors, which are in the session's diagnostics.
pub fn parse(tokens: &TokenStream, session: &mut Session) -> Ast {
    let mut parser = Parser {
        tokens: &tokens.tokens,
        strings: tokens,
        pos: 0,
        pragmas: Vec::new(),
        unroll: None,
        sources: &session.sources,
        interner: &mut session.names,
        diags: &mut session.diags,
        ast: Ast::default(),
        expr_depth: Vec::new(),
        stmt_depth: Vec::new(),
        scopes: Scopes::new(),
        nesting: 0,
        in_function: false,
    };
    parser.skip_pragmas();
    parser.translation_unit();
    parser.ast
}

/// An error was reported.
struct Failed;

type Parsed<T> = Result<T, Failed>;

struct Parser<'a> {
    tokens: &'a [Token],
    strings: &'a TokenStream,
    /// The current token; never a pragma.
    pos: usize,
    /// Pragmas that the cursor passed and no statement or declaration has taken yet.
    pragmas: Vec<(Pragma, Loc)>,
    /// `#pragma unroll` in front of the statement that comes next.
    unroll: Option<Unroll>,
    sources: &'a SourceMap,
    interner: &'a mut Interner,
    diags: &'a mut Diagnostics,
    ast: Ast,
    /// The depth of the tree under each node of the two arenas.
    expr_depth: Vec<u32>,
    stmt_depth: Vec<u32>,
    scopes: Scopes,
    nesting: u32,
    in_function: bool,
}

impl Parser<'_> {
    // translation-unit: external-declaration*
    fn translation_unit(&mut self) {
        loop {
            for (pragma, loc) in std::mem::take(&mut self.pragmas) {
                if !matches!(pragma, Pragma::Unroll(_)) {
                    self.ast.decls.push(ExternalDecl::Pragma(pragma, loc));
                }
            }
            if self.at_eof() {
                return;
            }
            let start = self.pos;
            if self.external_declaration().is_err() {
                self.skip_external();
            }
            if self.pos == start {
                self.advance();
            }
        }
    }
}
