//! Semantic analysis: the syntax tree becomes the typed tree, or diagnostics.
//!
//! Every name is resolved, every implicit conversion made explicit, every constraint of OpenCL C checked. Analysis
//! never stops at an error: what failed becomes an expression of the error type, about which later checks are silent.
//! Recursion follows the tree, whose depth the parser bounds.
//!
//! Sources: OpenCL C 3.0 specification, chapters 6.2 to 6.14; C99, 6.2 to 6.9; wording of messages after clang.

mod assign;
mod attr;
mod block;
mod builtin;
mod call;
mod callgraph;
mod candidate;
mod capture;
mod conditional;
mod convert;
mod decl;
mod divergence;
mod enqueue;
mod eval;
mod expr;
mod function;
mod init;
mod missing;
mod operator;
mod pipe;
mod place;
mod pointer;
mod record;

mod scope;
mod stmt;
mod typename;
mod unary;
mod uninit;
mod unused;

use super::ast::{self, Ast};
use super::diag::Diagnostics;
use super::hir;
use super::options::FrontOptions;
use super::pp::BIT_FIELDS;
use super::source::Loc;
use super::symbol::{Interner, Symbol};
use super::token::{Pragma, TokenStream};
use super::types::{QualType, TypeId, Types};
use super::warn::Warning;
use scope::Scopes;
use std::collections::{HashMap, HashSet};

/// The typed program and its types. Only meaningful when no error was reported.
pub struct Analysis {
    pub program: hir::Program,
    pub types: Types,
}

/// Analyses a translation unit. Errors go to `diags`.
pub fn analyze(
    ast: &Ast,
    tokens: &TokenStream,
    names: &Interner,
    options: &FrontOptions,
    diags: &mut Diagnostics,
) -> Analysis {
    let mut sema = Sema {
        ast,
        tokens,
        names,
        options,
        diags,
        types: Types::new(),
        program: hir::Program::default(),
        scopes: Scopes::new(),
        signatures: Vec::new(),
        calls: Vec::new(),
        strings: HashMap::new(),
        shared: HashMap::new(),
        initialised: HashSet::new(),
        static_bytes: 0,
        bit_fields: false,
        contract: true,
        func: None,
        outer: Vec::new(),
        blocks: Vec::new(),
        ndrange: None,
    };
    sema.translation_unit();
    Analysis {
        program: sema.program,
        types: sema.types,
    }
}

struct Sema<'a> {
    ast: &'a Ast,
    tokens: &'a TokenStream,
    names: &'a Interner,
    options: &'a FrontOptions,
    diags: &'a mut Diagnostics,
    types: Types,
    program: hir::Program,
    scopes: Scopes,
    /// For each function of the program, its type; the side table of `program.functions`.
    signatures: Vec<Signature>,
    /// (caller, callee, where), for the check against recursion.
    calls: Vec<(hir::FuncId, hir::FuncId, Loc)>,
    /// String literals by their bytes.
    strings: HashMap<Vec<u8>, hir::GlobalId>,
    /// Variables at program scope and `extern` ones: wherever they are declared, they are the same.
    shared: HashMap<Symbol, (hir::GlobalId, Loc)>,
    /// Those that have an initialiser.
    initialised: HashSet<hir::GlobalId>,
    /// The bytes of all constants so far.
    static_bytes: u64,
    /// Bit-fields are allowed at this place.
    bit_fields: bool,
    /// FP_CONTRACT at this place (OpenCL C 3.0, 6.14): on unless a pragma says otherwise.
    contract: bool,
    /// The function whose body is being analysed.
    func: Option<FuncState>,
    /// Those around it, if it is a block's: the outermost first.
    outer: Vec<FuncState>,
    blocks: Vec<block::Block>,
    /// `ndrange_t`, once it has been named.
    ndrange: Option<TypeId>,
}

#[derive(Clone)]
struct Signature {
    name: Symbol,
    ret: TypeId,
    params: Vec<QualType>,
    is_kernel: bool,
    overloadable: bool,
    /// A `static` function that is not `inline`, nor marked `unused`: nobody defines one for nothing.
    is_for_here: bool,
    loc: Loc,
}

/// What is known while a body is being analysed.
struct FuncState {
    id: hir::FuncId,
    ret: TypeId,
    is_kernel: bool,
    vars: Vec<hir::Var>,
    /// Values of `const` variables that were initialised with constants: they may be array bounds.
    constants: HashMap<hir::VarId, Vec<eval::Const>>,
    labels: HashMap<Symbol, LabelState>,
    /// Variables and parameters whose names were read or written.
    used: HashSet<hir::VarId>,
    num_labels: u32,
    /// Open switch statements, innermost last.
    switches: Vec<SwitchState>,
    /// The depth of its first scope.
    scope_base: usize,
    /// Of a block: what it captures.
    captures: Option<capture::Captures>,
    /// Of a block: the first `return` says what type its result has.
    infers_result: bool,
    /// Open loops, and open loops or switches.
    continuable: u32,
    breakable: u32,
}

impl FuncState {
    /// At the start of a function's body, or of a block's.
    fn new(id: hir::FuncId, ret: TypeId, is_kernel: bool, scope_base: usize) -> FuncState {
        FuncState {
            id,
            ret,
            is_kernel,
            vars: Vec::new(),
            constants: HashMap::new(),
            labels: HashMap::new(),
            used: HashSet::new(),
            num_labels: 0,
            switches: Vec::new(),
            scope_base,
            captures: None,
            infers_result: false,
            continuable: 0,
            breakable: 0,
        }
    }
}

struct LabelState {
    id: hir::LabelId,
    defined: bool,
    used: bool,
    loc: Loc,
}

struct SwitchState {
    ty: TypeId,
    cases: Vec<(u64, hir::LabelId)>,
    seen: HashSet<u64>,
    default: Option<hir::LabelId>,
}

/// What an expression designates.
enum Operand {
    Value(hir::Expr),
    Place(hir::Place),
    /// A function of the source.
    Function(Symbol),
}

impl<'a> Sema<'a> {
    fn translation_unit(&mut self) {
        let ast = self.ast;
        for decl in &ast.decls {
            if self.diags.stopped() {
                return;
            }
            match decl {
                ast::ExternalDecl::Function(def) => self.function_def(def),
                ast::ExternalDecl::Declaration(decl) => self.global_declaration(decl),
                ast::ExternalDecl::Pragma(pragma, _) => self.pragma(*pragma),
            }
        }
        self.check_recursion();
        self.check_called_kernels();
        self.check_unused_functions();
        self.check_flow();
    }

    /// Warnings that need whole bodies; of a program with errors nobody asks them.
    fn check_flow(&mut self) {
        if self.diags.has_errors() {
            return;
        }
        if self.diags.wants(Warning::Uninitialized) {
            for func in &self.program.functions {
                if let Some(body) = &func.body {
                    uninit::check(body, &func.vars, self.diags);
                }
            }
        }
        if self.diags.wants(Warning::DivergentBarrier) {
            divergence::check(&self.program, &self.calls, self.diags);
        }
    }

    fn pragma(&mut self, pragma: Pragma) {
        match pragma {
            Pragma::FpContract(on) => self.contract = on.unwrap_or(true),
            Pragma::Extension { name, enable } if self.name(name) == BIT_FIELDS => {
                self.bit_fields = enable;
            }
            _ => {}
        }
    }

    fn name(&self, symbol: Symbol) -> &'a str {
        self.names.name(symbol)
    }

    fn error(&mut self, loc: Loc, text: impl Into<String>) {
        self.diags.error(loc, text);
    }

    fn warning(&mut self, loc: Loc, text: impl Into<String>) {
        self.diags.warning(loc, text);
    }

    fn warn(&mut self, name: Warning, loc: Loc, text: impl Into<String>) {
        self.diags.warn(name, loc, text);
    }

    fn note(&mut self, loc: Loc, text: impl Into<String>) {
        self.diags.note(loc, text);
    }

    /// Reports and gives the expression that stands for what failed.
    fn fail(&mut self, loc: Loc, text: impl Into<String>) -> hir::Expr {
        self.error(loc, text);
        self.error_expr(loc)
    }

    fn error_expr(&self, loc: Loc) -> hir::Expr {
        hir::Expr {
            ty: self.types.basics.error,
            loc,
            kind: hir::ExprKind::Int(0),
        }
    }

    /// 'float4' as it stands in a message.
    fn quoted(&self, ty: TypeId) -> String {
        let name = self.types.display(ty);
        match self.types.as_vector(ty) {
            Some((scalar, lanes)) => {
                format!("'{name}' (vector of {lanes} '{}' values)", scalar.name())
            }
            None => format!("'{name}'"),
        }
    }
}

/// A value of the typed tree.
fn value(ty: TypeId, loc: Loc, kind: hir::ExprKind) -> hir::Expr {
    hir::Expr { ty, loc, kind }
}
