//! Expressions: one arm per form; the work is in the files for operators, places, calls and conversions.

use super::missing;
use super::scope::Entity;
use super::{Operand, Sema, ast, hir, value};
use crate::front::options::Version;
use crate::front::source::Loc;
use crate::front::symbol::Symbol;
use crate::front::token::{FloatSuffix, IntTy, StrId};
use crate::front::types::{QualType, Scalar, TypeId, TypeKind};
use crate::ir::{AddrSpace, Linkage};

impl Sema<'_> {
    /// Any expression: a value, an object, or a function.
    pub(super) fn operand(&mut self, id: ast::ExprId) -> Operand {
        let ast = self.ast;
        let expr = ast.expr(id);
        let loc = expr.loc;
        let basics = self.types.basics;
        let kind = match &expr.kind {
            ast::ExprKind::Paren(inner) => return self.operand(*inner),
            ast::ExprKind::Ident(name) => return self.ident(*name, loc),
            ast::ExprKind::Str(id) => return Operand::Place(self.string(*id, loc)),
            ast::ExprKind::Index { base, index } => return self.index(*base, *index, loc),
            ast::ExprKind::Member {
                base,
                name,
                name_loc,
                arrow,
            } => return self.member(*base, *name, *name_loc, *arrow),
            ast::ExprKind::Unary {
                op: ast::UnaryOp::Deref,
                arg,
            } => {
                let pointer = self.rvalue(*arg);
                return self.deref(pointer, loc);
            }
            ast::ExprKind::CompoundLit { ty, init } => {
                return self.compound_literal(ty, init, loc);
            }
            ast::ExprKind::Block(literal) => {
                self.block_literal(literal, loc);
                self.fail(loc, "a block can only be called or enqueued")
            }
            ast::ExprKind::Error => self.error_expr(loc),
            ast::ExprKind::Int { value: bits, ty } => {
                let ty = match ty {
                    IntTy::Int => basics.int,
                    IntTy::UInt => basics.uint,
                    IntTy::Long => basics.long,
                    IntTy::ULong => basics.ulong,
                };
                value(ty, loc, hir::ExprKind::Int(*bits))
            }
            ast::ExprKind::Char(c) => {
                value(basics.int, loc, hir::ExprKind::Int(u64::from(*c as u32)))
            }
            ast::ExprKind::Bool(b) => value(basics.int, loc, hir::ExprKind::Int(u64::from(*b))),
            ast::ExprKind::Float {
                value: double,
                single,
                suffix,
            } => self.float_literal(*double, *single, *suffix, loc),
            ast::ExprKind::Call { callee, args } => self.call(*callee, args, loc),
            ast::ExprKind::Unary { op, arg } => self.unary(*op, *arg, loc),
            ast::ExprKind::Binary { op, args } => self.binary(*op, *args, loc),
            ast::ExprKind::Assign { op, lhs, rhs } => self.assign(*op, *lhs, *rhs, loc),
            ast::ExprKind::Cond { cond, then, els } => self.conditional(*cond, *then, *els, loc),
            ast::ExprKind::Cast { ty, arg } => {
                let to = self.type_name(ty);
                let arg = self.rvalue(*arg);
                self.cast(arg, to, loc)
            }
            ast::ExprKind::VectorLit { ty, args } => self.vector_literal(ty, args, loc),
            ast::ExprKind::SizeofExpr(arg) => {
                let ty = self.type_of(*arg);
                self.size_of(ty, "sizeof", loc)
            }
            ast::ExprKind::SizeofType(ty) => {
                let ty = self.type_name(ty).ty;
                self.size_of(ty, "sizeof", loc)
            }
            ast::ExprKind::AlignofType(ty) => {
                let ty = self.type_name(ty);
                self.align_of(ty, loc)
            }
            // An extension of gcc and clang.
            ast::ExprKind::AlignofExpr(arg) => match self.unevaluated(*arg) {
                Operand::Value(v) => self.align_of(QualType::private(v.ty), loc),
                Operand::Place(place) => {
                    let ty = self.declared_align(&place);
                    self.align_of(ty, loc)
                }
                Operand::Function(..) => {
                    self.fail(loc, "invalid application of '_Alignof' to a function")
                }
            },
            ast::ExprKind::VecStepExpr(arg) => {
                let ty = self.type_of(*arg);
                self.vec_step(ty, loc)
            }
            ast::ExprKind::VecStepType(ty) => {
                let ty = self.type_name(ty).ty;
                self.vec_step(ty, loc)
            }
            ast::ExprKind::Comma([a, b]) => {
                let a = self.discarded(*a);
                let b = self.rvalue(*b);
                let ty = b.ty;
                value(ty, loc, hir::ExprKind::Comma(Box::new(a), Box::new(b)))
            }
            ast::ExprKind::StmtExpr(body) => self.statement_expr(*body, loc),
        };
        Operand::Value(kind)
    }

    fn ident(&mut self, name: Symbol, loc: Loc) -> Operand {
        let found = self.scopes.lookup_depth(name);
        let depth = found.map_or(0, |(depth, _)| depth);
        let known = found.map(|(_, entity)| entity.clone());
        match known {
            Some(Entity::Var(var)) if self.func.as_ref().is_some_and(|f| depth < f.scope_base) => {
                self.captured(var, depth, loc)
            }
            Some(Entity::Block(_)) => {
                let text = "a block can only be called or enqueued";
                Operand::Value(self.fail(loc, text))
            }
            Some(Entity::Var(var)) => {
                self.mark_used(var);
                let ty = self.func.as_ref().map(|f| f.vars[var.0 as usize].ty);
                match ty {
                    Some(ty) => Operand::Place(hir::Place {
                        ty,
                        loc,
                        kind: hir::PlaceKind::Var(var),
                    }),
                    None => Operand::Value(self.error_expr(loc)),
                }
            }
            Some(Entity::Global(id)) => Operand::Place(hir::Place {
                ty: self.program.globals[id.0 as usize].ty,
                loc,
                kind: hir::PlaceKind::Global(id),
            }),
            Some(Entity::Functions(_)) => Operand::Function(name),
            Some(Entity::EnumConstant(bits, ty)) => {
                Operand::Value(value(ty, loc, hir::ExprKind::Int(bits)))
            }
            Some(Entity::Sampler(bits)) => {
                let ty = self.types.basics.sampler;
                Operand::Value(value(ty, loc, hir::ExprKind::Int(bits)))
            }
            Some(Entity::Error) => Operand::Value(self.error_expr(loc)),
            Some(Entity::Typedef(_)) => {
                let text = format!(
                    "unexpected type name '{}': expected expression",
                    self.name(name)
                );
                Operand::Value(self.fail(loc, text))
            }
            None if matches!(self.name(name), "__func__" | "__FUNCTION__") => {
                self.function_name(name, loc)
            }
            None => Operand::Value(self.predefined_constant(name, loc)),
        }
    }

    /// `__func__` (C99, 6.4.2.2): a string in constant memory.
    fn function_name(&mut self, name: Symbol, loc: Loc) -> Operand {
        // OpenCL C 3.0, 6.11: predefined identifiers are not supported in OpenCL C 1.1 or below.
        if self.options.version < Version::Cl12 {
            let text = format!("'{}' needs OpenCL C 1.2 or newer", self.name(name));
            return Operand::Value(self.fail(loc, text));
        }
        let Some(func) = &self.func else {
            let text = format!(
                "'{}' is the name of a function, and here is none",
                self.name(name)
            );
            return Operand::Value(self.fail(loc, text));
        };
        let function = self.signatures[func.id.0 as usize].name;
        let bytes = self.name(function).as_bytes().to_vec();
        let id = self.string_global(bytes);
        Operand::Place(hir::Place {
            ty: self.program.globals[id.0 as usize].ty,
            loc,
            kind: hir::PlaceKind::Global(id),
        })
    }

    /// Enumeration constants of the specification (OpenCL C 3.0, 6.15.12.2 and 6.15.12.3).
    fn predefined_constant(&mut self, name: Symbol, loc: Loc) -> hir::Expr {
        let text = self.name(name);
        let bits = match text {
            "memory_order_relaxed" => 0,
            "memory_order_acquire" => 2,
            "memory_order_release" => 3,
            "memory_order_acq_rel" => 4,
            "memory_order_seq_cst" => 5,
            "memory_scope_work_item" => 0,
            "memory_scope_work_group" => 1,
            "memory_scope_device" => 2,
            "memory_scope_all_svm_devices" | "memory_scope_all_devices" => 3,
            "memory_scope_sub_group" => 4,
            _ => {
                if let Some(advice) = missing::advice(text) {
                    let text = format!("use of undeclared identifier '{text}': {advice}");
                    return self.fail(loc, text);
                }
                let hint = self.hint(text);
                return self.fail(loc, format!("use of undeclared identifier '{text}'{hint}"));
            }
        };
        value(self.types.basics.int, loc, hir::ExprKind::Int(bits))
    }

    fn float_literal(
        &mut self,
        double: f64,
        single: f32,
        suffix: FloatSuffix,
        loc: Loc,
    ) -> hir::Expr {
        let basics = self.types.basics;
        match suffix {
            FloatSuffix::F => value(basics.float, loc, hir::ExprKind::Float(double)),
            FloatSuffix::None if self.options.math.single_precision_constant => {
                value(basics.float, loc, hir::ExprKind::Float(f64::from(single)))
            }
            FloatSuffix::None => value(basics.double, loc, hir::ExprKind::Float(double)),
            FloatSuffix::H => value(basics.half, loc, hir::ExprKind::Float(double)),
        }
    }

    /// A string literal is an array of char in constant memory (OpenCL C 3.0, 6.3.1); equal ones share an object.
    pub(super) fn string(&mut self, id: StrId, loc: Loc) -> hir::Place {
        let bytes = self.tokens.string(id).to_vec();
        let global = self.string_global(bytes);
        hir::Place {
            ty: self.program.globals[global.0 as usize].ty,
            loc,
            kind: hir::PlaceKind::Global(global),
        }
    }

    pub(super) fn string_global(&mut self, mut bytes: Vec<u8>) -> hir::GlobalId {
        if let Some(&id) = self.strings.get(&bytes) {
            return id;
        }
        let id = hir::GlobalId(self.program.globals.len() as u32);
        self.strings.insert(bytes.clone(), id);
        bytes.push(0);
        let elem = QualType {
            is_const: true,
            ..QualType::in_space(self.types.basics.char, AddrSpace::Constant)
        };
        let ty = self.types.array(elem, Some(bytes.len() as u64));
        self.program.globals.push(hir::Global {
            name: format!(".str.{}", id.0),
            ty: elem.with_ty(ty),
            linkage: Linkage::Internal,
            align: 1,
            init: bytes,
            relocs: Vec::new(),
        });
        id
    }

    /// The type of an operand that is not evaluated; arrays don't decay.
    fn type_of(&mut self, id: ast::ExprId) -> TypeId {
        match self.unevaluated(id) {
            Operand::Value(v) => v.ty,
            Operand::Place(p) => {
                if matches!(p.kind, hir::PlaceKind::Field { bits: Some(_), .. }) {
                    let loc = p.loc;
                    self.error(loc, "invalid application of 'sizeof' to bit-field");
                }
                p.ty.ty
            }
            Operand::Function(..) => self.types.basics.void,
        }
    }

    /// The type of a place with the alignment that its variable was declared with.
    fn declared_align(&self, place: &hir::Place) -> QualType {
        let align = match &place.kind {
            hir::PlaceKind::Var(id) => self.func.as_ref().map(|f| f.vars[id.0 as usize].align),
            hir::PlaceKind::Global(id) => Some(self.program.globals[id.0 as usize].align),
            _ => None,
        };
        QualType {
            align: align.map_or(place.ty.align, |n| n as u32),
            ..place.ty
        }
    }

    fn align_of(&mut self, ty: QualType, loc: Loc) -> hir::Expr {
        if !self.require_complete(ty.ty, "_Alignof", loc) {
            return self.error_expr(loc);
        }
        let align = self.types.align_of(ty);
        value(self.types.basics.ulong, loc, hir::ExprKind::Int(align))
    }

    fn size_of(&mut self, ty: TypeId, what: &str, loc: Loc) -> hir::Expr {
        if !self.require_complete(ty, what, loc) {
            return self.error_expr(loc);
        }
        let size = self.types.size(ty);
        value(self.types.basics.ulong, loc, hir::ExprKind::Int(size))
    }

    /// OpenCL C 3.0, 6.15.13: 4 for 3-vectors, 1 for scalars and void.
    fn vec_step(&mut self, ty: TypeId, loc: Loc) -> hir::Expr {
        let n = match self.types.kind(ty) {
            TypeKind::Vector(_, 3) => 4,
            TypeKind::Vector(_, n) => u64::from(*n),
            _ => 1,
        };
        value(self.types.basics.int, loc, hir::ExprKind::Int(n))
    }

    /// `(type)(a, b, ...)` (OpenCL C 3.0, 6.3.2)
    fn vector_literal(&mut self, ty: &ast::TypeName, args: &[ast::ExprId], loc: Loc) -> hir::Expr {
        let to = self.type_name(ty);
        let Some((elem, lanes)) = self.types.as_vector(to.ty) else {
            // Any other type: a cast of a comma expression.
            let mut all: Vec<hir::Expr> = Vec::with_capacity(args.len());
            for (n, &arg) in args.iter().enumerate() {
                let last = n + 1 == args.len();
                all.push(if last {
                    self.rvalue(arg)
                } else {
                    self.discarded(arg)
                });
            }
            let mut rest = all.into_iter();
            let Some(first) = rest.next() else {
                return self.fail(loc, "expected expression");
            };
            let joined = rest.fold(first, |a, b| {
                let ty = b.ty;
                value(ty, loc, hir::ExprKind::Comma(Box::new(a), Box::new(b)))
            });
            return self.cast(joined, to, loc);
        };
        let elem_ty = self.types.scalar(elem);
        let mut parts = Vec::with_capacity(args.len());
        let mut total = 0u32;
        let mut bad = false;
        for &arg in args {
            let part = self.rvalue(arg);
            match self.types.arith(part.ty) {
                Some((_, 1)) => {
                    total += 1;
                    let part = self.convert(part, elem_ty);
                    parts.push(part);
                }
                Some((s, n)) if s == elem => {
                    total += u32::from(n);
                    parts.push(part);
                }
                _ if self.types.is_error(part.ty) => bad = true,
                _ => {
                    let text = format!(
                        "initializing {} with an expression of incompatible type {}",
                        self.quoted(to.ty),
                        self.quoted(part.ty)
                    );
                    self.error(part.loc, text);
                    bad = true;
                }
            }
        }
        if bad {
            return self.error_expr(loc);
        }
        // One scalar is replicated; a single vector must be of the same type.
        if parts.len() == 1 && total == 1 {
            let part = parts.remove(0);
            return self.splat(part, to.ty);
        }
        if total != u32::from(lanes) {
            let text = if total < u32::from(lanes) {
                "too few elements in vector initialization"
            } else {
                "excess elements in vector initialization"
            };
            return self.fail(
                loc,
                format!("{text} (expected {lanes} elements, have {total})"),
            );
        }
        if parts.len() == 1 {
            return parts.remove(0);
        }
        value(to.ty, loc, hir::ExprKind::VectorLit(parts))
    }

    /// `(type){ ... }`: an object of automatic storage.
    fn compound_literal(
        &mut self,
        name: &ast::TypeName,
        list: &ast::InitList,
        loc: Loc,
    ) -> Operand {
        let ty = self.type_name(name);
        if self.types.is_error(ty.ty) {
            return Operand::Value(self.error_expr(loc));
        }
        if self.func.is_none() {
            return Operand::Value(self.fail(
                loc,
                "compound literals are not allowed in program scope initializers",
            ));
        }
        let (init, full) = self.initializer_list(ty, list);
        let ty = ty.with_ty(full);
        if !self.check_object_type(full, loc) {
            return Operand::Value(self.error_expr(loc));
        }
        let var = self.new_named_var(".literal".into(), ty, 1, loc);
        Operand::Place(hir::Place {
            ty,
            loc,
            kind: hir::PlaceKind::Literal {
                var,
                init: Box::new(init),
            },
        })
    }

    /// GNU's `({ ...; value; })`
    fn statement_expr(&mut self, body: ast::StmtId, loc: Loc) -> hir::Expr {
        if self.func.is_none() {
            return self.fail(loc, "statement expression not allowed at file scope");
        }
        let ast = self.ast;
        let ast::StmtKind::Compound { items, .. } = &ast.stmt(body).kind else {
            return self.error_expr(loc);
        };
        self.scopes.push();
        let mut stmts = Vec::new();
        let mut result = None;
        for (n, &item) in items.iter().enumerate() {
            if n + 1 == items.len()
                && let ast::StmtKind::Expr(Some(expr)) = ast.stmt(item).kind
            {
                result = Some(Box::new(self.rvalue(expr)));
            } else {
                self.statement(item, &mut stmts);
            }
        }
        self.scopes.pop();
        let ty = result.as_ref().map_or(self.types.basics.void, |r| r.ty);
        value(
            ty,
            loc,
            hir::ExprKind::StmtExpr {
                stmts,
                value: result,
            },
        )
    }

    /// The scalar that a boolean context of a vector compares with.
    pub(super) fn zero(&mut self, ty: TypeId, loc: Loc) -> hir::Expr {
        match self.types.arith(ty) {
            Some((s, 1)) if s.is_float() => value(ty, loc, hir::ExprKind::Float(0.0)),
            Some((s, n)) if n > 1 => {
                let elem = self.types.scalar(s);
                let zero = self.zero(elem, loc);
                value(ty, loc, hir::ExprKind::Splat(Box::new(zero)))
            }
            _ => value(ty, loc, hir::ExprKind::Int(0)),
        }
    }

    /// Whether the type is an integer scalar.
    pub(super) fn is_int_scalar(&self, ty: TypeId) -> bool {
        self.types.as_scalar(ty).is_some_and(Scalar::is_int)
    }
}
