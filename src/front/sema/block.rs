//! Blocks (OpenCL C 3.0, 6.14): a literal becomes a function and a record of what it captures.
//!
//! A block has no value at run time: "Block variables must be defined and used in a way that allows them to be statically
//! determinable". So a variable is only a name for a literal, and a call of it is a call of the literal's function, whose
//! first parameter leads to the record (`capture.rs`).

use super::capture::{Capture, Captures};
use super::convert::Context;
use super::function::params_of;
use super::scope::Entity;
use super::{FuncState, Sema, ast, hir, value};
use crate::front::options::Version;
use crate::front::source::Loc;
use crate::front::symbol::Symbol;
use crate::front::types::{FunctionType, QualType, Record, TypeId, TypeKind};
use crate::ir::BLOCK_PREFIX;

const NEEDS_CL20: &str = "blocks need OpenCL C 2.0 or newer (build with -cl-std=CL3.0)";

/// A block literal.
#[derive(Clone)]
pub(super) struct Block {
    pub func: hir::FuncId,
    /// Its type: of a function without the record.
    pub ty: TypeId,
    pub ret: TypeId,
    pub params: Vec<QualType>,
    pub captures: TypeId,
    /// What is in the record, in order.
    pub captured: Vec<Capture>,
    /// The variable that holds the record, and how many functions are around the one that has it; none at program scope.
    pub record: Option<(hir::VarId, usize)>,
    /// The name of the kernel that it is when it is enqueued, once it has been.
    pub kernel: Option<hir::GlobalId>,
}

/// A use of a block: its number, and what must be done first if it is a literal that stands there.
pub(super) struct Used {
    pub block: usize,
    pub setup: Vec<hir::Expr>,
}

impl Sema<'_> {
    /// `^` around a function type.
    pub(super) fn block_type(&mut self, function: TypeId, loc: Loc) -> TypeId {
        if self.types.is_error(function) {
            return function;
        }
        if self.options.version <= Version::Cl12 {
            self.error(loc, NEEDS_CL20);
            return self.types.basics.error;
        }
        if !matches!(self.types.kind(function), TypeKind::Function(_)) {
            self.error(loc, "block pointer to non-function type is invalid");
            return self.types.basics.error;
        }
        self.types.intern(TypeKind::Block(function))
    }

    /// The block that an expression is; none if it is none, and inside that none if it is a wrong one.
    pub(super) fn block_operand(&mut self, id: ast::ExprId) -> Option<Option<Used>> {
        let ast = self.ast;
        match &ast.expr(id).kind {
            ast::ExprKind::Paren(inner) => self.block_operand(*inner),
            ast::ExprKind::Ident(name) => match self.scopes.lookup(*name) {
                Some((Entity::Block(block), _)) => Some(Some(Used {
                    block: *block,
                    setup: Vec::new(),
                })),
                _ => None,
            },
            ast::ExprKind::Block(literal) => Some(self.block_literal(literal, ast.expr(id).loc)),
            _ => None,
        }
    }

    /// Whether an expression is a block, without looking into it.
    pub(super) fn is_block(&self, id: ast::ExprId) -> bool {
        match &self.ast.expr(id).kind {
            ast::ExprKind::Paren(inner) => self.is_block(*inner),
            ast::ExprKind::Ident(name) => {
                matches!(self.scopes.lookup(*name), Some((Entity::Block(_), _)))
            }
            ast::ExprKind::Block(_) => true,
            _ => false,
        }
    }

    /// Declares a variable of block type; what must be done for its literal.
    pub(super) fn block_variable(
        &mut self,
        item: &ast::InitDeclarator,
        name: Symbol,
        ty: TypeId,
        storage: Option<ast::Storage>,
    ) -> Vec<hir::Expr> {
        let loc = item.declarator.loc;
        if let Some((_, previous)) = self.scopes.here(name) {
            let previous = *previous;
            self.redefinition(name, loc, previous);
            return Vec::new();
        }
        self.scopes.declare(name, Entity::Error, loc);
        // "The extern storage-class specified cannot be used with program scope block variables."
        if storage == Some(ast::Storage::Extern) {
            self.error(loc, "a block variable cannot be extern");
            return Vec::new();
        }
        // "all block variables must be initialized at declaration time".
        let Some(ast::Init::Expr(init)) = &item.init else {
            let text = "a block variable must be initialized with a block";
            self.error(loc, text);
            return Vec::new();
        };
        let used = match self.block_operand(*init) {
            Some(Some(used)) => used,
            Some(None) => return Vec::new(),
            None => {
                let text = format!("{} must be initialized with a block", self.quoted(ty));
                self.error(self.ast.expr(*init).loc, text);
                return Vec::new();
            }
        };
        let (found, ret) = (self.blocks[used.block].ty, self.blocks[used.block].ret);
        if self.types.is_error(ret) {
            return Vec::new();
        }
        let found = self.types.intern(TypeKind::Block(found));
        if found != ty {
            let text = format!(
                "incompatible block pointer types initializing {} with an expression of type {}",
                self.quoted(ty),
                self.quoted(found)
            );
            self.error(loc, text);
            return Vec::new();
        }
        self.scopes.declare(name, Entity::Block(used.block), loc);
        used.setup
    }

    /// A literal: its function, and what fills its record.
    pub(super) fn block_literal(&mut self, literal: &ast::BlockLiteral, loc: Loc) -> Option<Used> {
        if self.options.version <= Version::Cl12 {
            self.error(loc, NEEDS_CL20);
            return None;
        }
        let (ret, params) = match &literal.specs {
            Some(specs) => {
                let declared = self.declared_type(specs, &literal.declarator).ty.ty;
                match self.types.kind(declared).clone() {
                    TypeKind::Function(FunctionType { ret, params, .. }) => (Some(ret), params),
                    TypeKind::Error => return None,
                    _ => (Some(declared), Vec::new()),
                }
            }
            None => {
                let decls = params_of(&literal.declarator);
                (None, decls.iter().map(|p| self.param_type(p)).collect())
            }
        };
        let variadic = matches!(
            literal.declarator.chunks.first(),
            Some(ast::DeclChunk::Function { variadic: true, .. })
        );
        if variadic {
            self.error(loc, "blocks with variadic arguments are not supported");
        }
        let record = self.types.new_record(Record {
            name: "(captures)".into(),
            is_union: false,
            complete: true,
            fields: Vec::new(),
            size: 0,
            align: 1,
        });
        let captures = self.types.intern(TypeKind::Record(record));
        let leads = self.types.pointer(QualType {
            is_const: true,
            ..QualType::private(captures)
        });
        let void = self.types.basics.void;
        let mut all = vec![QualType::private(leads)];
        all.extend(&params);
        let around = self.func.take();
        let is_inside = around.is_some();
        let symbol = around
            .as_ref()
            .map(|f| self.signatures[f.id.0 as usize].name);
        self.outer.extend(around);
        let symbol = symbol.or_else(|| self.signatures.first().map(|s| s.name));
        let symbol = symbol.unwrap_or_default();
        let func = self.new_function(symbol, ret.unwrap_or(void), all.clone(), false, false, loc);
        let function = &mut self.program.functions[func.0 as usize];
        function.name = format!("{BLOCK_PREFIX}{}", func.0);
        function.internal = true;
        self.func = Some(FuncState {
            captures: Some(Captures::new(record)),
            infers_result: ret.is_none(),
            ..FuncState::new(func, ret.unwrap_or(void), false, self.scopes.depth())
        });
        let vars = self.block_params(literal, &all, loc);
        let mut body = Vec::new();
        if let ast::StmtKind::Compound { items, .. } = &self.ast.stmt(literal.body).kind {
            for &item in items {
                self.statement(item, &mut body);
            }
        }
        self.scopes.pop();
        let state = self.func.as_mut().expect("set above");
        let ret = state.ret;
        let found = state.captures.take().map_or(Vec::new(), Captures::found);
        self.finish_body(func, vars, body);
        self.signatures[func.0 as usize].ret = ret;
        self.program.functions[func.0 as usize].ret = ret;
        self.func = match is_inside {
            true => self.outer.pop(),
            false => None,
        };
        let ty = self.types.intern(TypeKind::Function(FunctionType {
            ret,
            params: params.clone(),
            variadic: false,
        }));
        let (record, setup) = self.fill_record(captures, &found, loc);
        self.blocks.push(Block {
            func,
            ty,
            ret,
            params,
            captures,
            captured: found,
            record,
            kernel: None,
        });
        Some(Used {
            block: self.blocks.len() - 1,
            setup,
        })
    }

    /// Declares the parameters in the scope of the body; the first leads to the record.
    fn block_params(
        &mut self,
        literal: &ast::BlockLiteral,
        types: &[QualType],
        loc: Loc,
    ) -> Vec<hir::VarId> {
        self.scopes.push();
        let record = self.new_named_var("captures".into(), types[0], 1, loc);
        self.mark_used(record);
        let mut vars = vec![record];
        let decls = params_of(&literal.declarator);
        for (n, &ty) in types[1..].iter().enumerate() {
            let declarator = decls.get(n).map(|d| &d.declarator);
            let loc = declarator.map_or(loc, |d| d.loc);
            let name = declarator.and_then(|d| d.name);
            let text = name.map_or(format!("arg{n}"), |s| self.name(s).to_string());
            let var = self.new_named_var(text, ty, 1, loc);
            vars.push(var);
            self.mark_used(var);
            if let Some(name) = name {
                let entity = match self.types.is_error(ty.ty) {
                    true => Entity::Error,
                    false => Entity::Var(var),
                };
                self.scopes.declare(name, entity, loc);
            }
        }
        vars
    }

    /// The address of a block's record, for its function.
    pub(super) fn record_address(&mut self, block: usize, loc: Loc) -> hir::Expr {
        let Block {
            captures, record, ..
        } = self.blocks[block];
        let leads = self.types.pointer(QualType {
            is_const: true,
            ..QualType::private(captures)
        });
        match record {
            None => value(leads, loc, hir::ExprKind::Int(0)),
            // "A Block cannot capture another Block variable declared in the outer scope".
            Some((_, level)) if level != self.outer.len() => {
                self.fail(loc, "a block cannot capture another block")
            }
            Some((var, _)) => {
                let place = hir::Place {
                    ty: QualType::private(captures),
                    loc,
                    kind: hir::PlaceKind::Var(var),
                };
                value(leads, loc, hir::ExprKind::AddrOf(Box::new(place)))
            }
        }
    }

    pub(super) fn call_block(&mut self, used: Used, args: Vec<hir::Expr>, loc: Loc) -> hir::Expr {
        let block = self.blocks[used.block].clone();
        if args.len() != block.params.len() {
            let many = if args.len() < block.params.len() {
                "few"
            } else {
                "many"
            };
            let text = format!(
                "too {many} arguments to block call, expected {}, have {}",
                block.params.len(),
                args.len()
            );
            return self.fail(loc, text);
        }
        let mut all = vec![self.record_address(used.block, loc)];
        for (arg, param) in args.into_iter().zip(&block.params) {
            all.push(self.coerce(arg, param.ty, Context::Argument));
        }
        if all.iter().any(|arg| self.types.is_error(arg.ty)) {
            return self.error_expr(loc);
        }
        match self.func.as_ref().map(|f| f.id) {
            Some(caller) => self.calls.push((caller, block.func, loc)),
            None => return self.fail(loc, "initializer element is not a compile-time constant"),
        }
        let call = hir::ExprKind::Call {
            func: block.func,
            args: all,
        };
        after(used.setup, value(block.ret, loc, call))
    }
}

/// An expression behind others that are evaluated first.
pub(super) fn after(first: Vec<hir::Expr>, last: hir::Expr) -> hir::Expr {
    first.into_iter().rev().fold(last, |last, first| {
        let (ty, loc) = (last.ty, last.loc);
        value(
            ty,
            loc,
            hir::ExprKind::Comma(Box::new(first), Box::new(last)),
        )
    })
}
