//! Specifiers and declarators to types (C99, 6.7.2 to 6.7.6; OpenCL C 3.0, 6.3 and 6.7).

use super::scope::Entity;
use super::{Sema, ast, hir};
use crate::front::image::Access;
use crate::front::options::Version;
use crate::front::predefined;
use crate::front::source::Loc;
use crate::front::symbol::Symbol;
use crate::front::types::{FunctionType, Opaque, QualType, Scalar, TypeId, TypeKind};
use crate::ir::AddrSpace;

/// No array may be larger than this, in bytes.
const MAX_OBJECT: u64 = 1 << 40;

/// A declared type before its address space is settled.
#[derive(Clone, Copy)]
pub(super) struct Declared {
    pub ty: QualType,
    /// The address space was written, so that the default of the place does not apply.
    pub explicit_space: bool,
}

impl Sema<'_> {
    pub(super) fn type_name(&mut self, name: &ast::TypeName) -> QualType {
        self.declared_type(&name.specs, &name.declarator).ty
    }

    /// The type of a declared name: the specifiers' type with the declarator around it.
    pub(super) fn declared_type(
        &mut self,
        specs: &ast::DeclSpecs,
        declarator: &ast::Declarator,
    ) -> Declared {
        let base = self.specifier_type(specs);
        self.declarator_type(base, declarator)
    }

    /// declaration-specifiers
    pub(super) fn specifier_type(&mut self, specs: &ast::DeclSpecs) -> Declared {
        let loc = specs.loc;
        let basics = self.types.basics;
        let mut base = match &specs.ty {
            ast::TypeSpec::Basic(basic) => QualType::private(self.basic_type(*basic)),
            ast::TypeSpec::Named(name) => self.named_type(*name, loc),
            ast::TypeSpec::Record(spec) => QualType::private(self.record_spec(spec)),
            ast::TypeSpec::Enum(spec) => QualType::private(self.enum_spec(spec)),
            ast::TypeSpec::TypeofExpr(expr) => match self.unevaluated(*expr) {
                super::Operand::Value(v) => QualType::private(v.ty),
                super::Operand::Place(p) => p.ty,
                super::Operand::Function(..) => {
                    self.error(loc, "'typeof' of a function is not supported");
                    QualType::private(basics.error)
                }
            },
            ast::TypeSpec::TypeofType(name) => self.type_name(name),
            ast::TypeSpec::Error => QualType::private(basics.error),
        };
        if specs.pipe {
            base.ty = self.pipe_type(base, specs);
        } else if let Some(access) = specs.access {
            base.ty = self.with_access(base.ty, access, specs);
        }
        self.vector_attr(&mut base, &specs.attrs);
        self.apply_quals(base, specs.quals, loc)
    }

    /// An image type with the access that a declaration asks for.
    fn with_access(&mut self, ty: TypeId, access: Access, specs: &ast::DeclSpecs) -> TypeId {
        let Some((kind, _)) = self.types.as_image(ty) else {
            if !self.types.is_error(ty) {
                let text = "access qualifier can only be used for pipe and image type";
                self.error(specs.loc, text);
            }
            return ty;
        };
        // OpenCL C 3.0, 6.8: read_write needs OpenCL C 2.0, or __opencl_c_read_write_images.
        if access == Access::ReadWrite && self.options.version <= Version::Cl12 {
            let text = format!(
                "access qualifier 'read_write' cannot be used for '{}' prior to OpenCL C version 2.0 \
                 (build with -cl-std=CL3.0)",
                kind.name()
            );
            self.error(specs.loc, text);
        }
        self.types.image(kind, access)
    }

    fn apply_quals(&mut self, base: QualType, quals: ast::Quals, loc: Loc) -> Declared {
        let mut ty = base;
        let mut explicit = ty.space != AddrSpace::Private;
        // Qualifiers of an array belong to its elements (C99, 6.7.3).
        if let TypeKind::Array(mut elem, len) = *self.types.kind(ty.ty)
            && (quals.is_const || quals.is_volatile)
        {
            elem.is_const |= quals.is_const;
            elem.is_volatile |= quals.is_volatile;
            ty.ty = self.types.array(elem, len);
        }
        ty.is_const |= quals.is_const;
        ty.is_volatile |= quals.is_volatile;
        if quals.is_restrict && self.types.pointee(ty.ty).is_none() && !self.types.is_error(ty.ty) {
            let text = format!(
                "restrict requires a pointer or reference ({} is invalid)",
                self.quoted(ty.ty)
            );
            self.error(loc, text);
        }
        ty.is_restrict |= quals.is_restrict;
        if let Some(space) = quals.addr_space {
            if explicit && ty.space != space {
                self.error(loc, "multiple address spaces specified for type");
            }
            ty.space = space;
            explicit = true;
        }
        Declared {
            ty,
            explicit_space: explicit,
        }
    }

    fn basic_type(&mut self, basic: ast::BasicType) -> TypeId {
        use ast::BasicType as B;
        let scalar = match basic {
            B::Void => return self.types.basics.void,
            B::Bool => Scalar::Bool,
            B::Char => Scalar::Char,
            B::UChar => Scalar::UChar,
            B::Short => Scalar::Short,
            B::UShort => Scalar::UShort,
            B::Int => Scalar::Int,
            B::UInt => Scalar::UInt,
            B::Long => Scalar::Long,
            B::ULong => Scalar::ULong,
            B::Half => Scalar::Half,
            B::Float => Scalar::Float,
            B::Double => Scalar::Double,
        };
        self.types.scalar(scalar)
    }

    fn named_type(&mut self, name: Symbol, loc: Loc) -> QualType {
        let error = QualType::private(self.types.basics.error);
        match self.scopes.lookup(name) {
            Some((Entity::Typedef(ty), _)) => return *ty,
            Some((Entity::Error, _)) => return error,
            Some(_) => {
                let text = format!("'{}' does not name a type here", self.name(name));
                self.error(loc, text);
                return error;
            }
            None => {}
        }
        match predefined::lookup(self.name(name)) {
            Some(predefined::Predefined::Arith(scalar, lanes)) => {
                QualType::private(self.types.vector(scalar, lanes))
            }
            Some(predefined::Predefined::Atomic(scalar)) => {
                QualType::private(self.types.intern(TypeKind::Atomic(scalar)))
            }
            Some(predefined::Predefined::Event) => QualType::private(self.types.basics.event),
            Some(predefined::Predefined::Sampler) => QualType::private(self.types.basics.sampler),
            Some(predefined::Predefined::ReserveId) => {
                QualType::private(self.types.basics.reserve_id)
            }
            Some(predefined::Predefined::Queue) => QualType::private(self.types.basics.queue),
            Some(predefined::Predefined::ClkEvent) => {
                QualType::private(self.types.basics.clk_event)
            }
            Some(predefined::Predefined::NdRange) => QualType::private(self.ndrange_type()),
            // OpenCL C 3.0, 6.8: "The default qualifier is read_only."
            Some(predefined::Predefined::Image(kind)) => {
                QualType::private(self.types.image(kind, Access::ReadOnly))
            }
            Some(predefined::Predefined::Unsupported(why)) => {
                let text = format!("type '{}' is not supported: {why}", self.name(name));
                self.error(loc, text);
                error
            }
            None => {
                let text = format!("unknown type name '{}'", self.name(name));
                self.error(loc, text);
                error
            }
        }
    }

    /// Applies a declarator's chunks, outermost first.
    pub(super) fn declarator_type(
        &mut self,
        base: Declared,
        declarator: &ast::Declarator,
    ) -> Declared {
        let mut declared = base;
        for chunk in declarator.chunks.iter().rev() {
            declared = match chunk {
                ast::DeclChunk::Pointer(quals) => {
                    if matches!(self.types.kind(declared.ty.ty), TypeKind::Function(_)) {
                        // OpenCL C 3.0, 6.11.a: no pointers to functions.
                        self.error(declarator.loc, "pointers to functions are not allowed");
                    }
                    self.no_derived_images(declared.ty.ty, "pointers to", declarator.loc);
                    let pointee = self.pointee_of(declared);
                    let ty = self.types.pointer(pointee);
                    let ty = QualType::private(if self.types.is_error(declared.ty.ty) {
                        self.types.basics.error
                    } else {
                        ty
                    });
                    self.apply_quals(ty, *quals, declarator.loc)
                }
                ast::DeclChunk::Array { size, loc } => self.array_type(declared, *size, *loc),
                ast::DeclChunk::Function {
                    params, variadic, ..
                } => {
                    let ty = self.function_type(declared, params, *variadic, declarator.loc);
                    Declared {
                        ty: QualType::private(ty),
                        explicit_space: false,
                    }
                }
                ast::DeclChunk::Block(loc) => {
                    let ty = self.block_type(declared.ty.ty, *loc);
                    Declared {
                        ty: QualType::private(ty),
                        explicit_space: false,
                    }
                }
            };
        }
        declared
    }

    /// What a pointer leads to that is declared so: without an address space, to the generic one where there is such
    /// (OpenCL C 3.0, 6.7.8).
    fn pointee_of(&self, declared: Declared) -> QualType {
        let inferred = !declared.explicit_space && declared.ty.space == AddrSpace::Private;
        let mut ty = declared.ty;
        if inferred && self.options.has_generic_space() {
            ty.space = AddrSpace::Generic;
        }
        ty
    }

    fn array_type(&mut self, elem: Declared, size: Option<ast::ExprId>, loc: Loc) -> Declared {
        let error = self.types.basics.error;
        if self.types.is_error(elem.ty.ty) {
            return elem;
        }
        let fail = |ty| Declared {
            ty: QualType::private(ty),
            explicit_space: false,
        };
        if self.no_derived_images(elem.ty.ty, "arrays of", loc) {
            return fail(error);
        }
        if !self.types.is_complete(elem.ty.ty) {
            let text = format!(
                "array has incomplete element type {}",
                self.quoted(elem.ty.ty)
            );
            self.error(loc, text);
            return fail(error);
        }
        let len = match size {
            None => None,
            Some(expr) => {
                let loc = self.ast.expr(expr).loc;
                match self.array_bound(expr) {
                    Some(n) if n < 0 => {
                        self.error(loc, "array size is negative");
                        return fail(error);
                    }
                    Some(n) => Some(n as u64),
                    None => return fail(error),
                }
            }
        };
        let bytes = self.types.size(elem.ty.ty).saturating_mul(len.unwrap_or(0));
        if bytes > MAX_OBJECT {
            self.error(loc, "array is too large");
            return fail(error);
        }
        // The space is that of the array as a whole.
        let ty = self.types.array(
            QualType {
                space: AddrSpace::Private,
                ..elem.ty
            },
            len,
        );
        Declared {
            ty: elem.ty.with_ty(ty),
            explicit_space: elem.explicit_space,
        }
    }

    /// OpenCL C 3.0, 6.11.b and 6.15.13: no arrays of images, samplers and pipes, nor pointers to them. Whether it is one.
    fn no_derived_images(&mut self, ty: TypeId, what: &str, loc: Loc) -> bool {
        let found = self.is_object(ty);
        if found {
            let text = format!("{what} {} are not allowed", self.quoted(ty));
            self.error(loc, text);
        }
        found
    }

    /// Whether its values only stand for themselves: images, samplers, pipes, blocks.
    pub(super) fn is_object(&self, ty: TypeId) -> bool {
        matches!(
            self.types.kind(ty),
            TypeKind::Opaque(Opaque::Image(..) | Opaque::Sampler | Opaque::Pipe(..))
                | TypeKind::Block(_)
        )
    }

    /// An array's bound is a constant: OpenCL C 3.0, 6.11: "Variable length arrays and structures with flexible (or
    /// unsized) arrays are not supported."
    fn array_bound(&mut self, id: ast::ExprId) -> Option<i64> {
        let bound = self.rvalue(id);
        let is_int = self.types.as_scalar(bound.ty).is_some_and(Scalar::is_int);
        if is_int && self.eval(&bound).is_none() {
            let loc = self.ast.expr(id).loc;
            self.error(loc, "variable length arrays are not supported in OpenCL");
            return None;
        }
        self.constant_of(&bound, self.ast.expr(id).loc)
    }

    fn function_type(
        &mut self,
        ret: Declared,
        params: &[ast::ParamDecl],
        variadic: bool,
        loc: Loc,
    ) -> TypeId {
        let basics = self.types.basics;
        if matches!(
            self.types.kind(ret.ty.ty),
            TypeKind::Array(..) | TypeKind::Function(_)
        ) {
            self.error(loc, "function cannot return array or function type");
            return basics.error;
        }
        // OpenCL C 3.0, 6.11.b and 6.15.13: images, samplers and pipes are no results of functions.
        if self.is_object(ret.ty.ty) {
            let text = format!(
                "declaring function return value of type {} is not allowed",
                self.quoted(ret.ty.ty)
            );
            self.error(loc, text);
            return basics.error;
        }
        // OpenCL C 3.0, 6.11.f: variadic functions are not supported, save printf.
        if variadic {
            self.error(
                loc,
                "invalid prototype, variadic arguments are not allowed in OpenCL",
            );
        }
        let mut types = Vec::with_capacity(params.len());
        for param in params {
            let ty = self.param_type(param);
            // `(void)` is an empty list.
            if self.types.is_void(ty.ty) && params.len() == 1 && param.declarator.name.is_none() {
                break;
            }
            // OpenCL C 3.0, 6.14: "A block cannot be a return value or a parameter of a function."
            if matches!(self.types.kind(ty.ty), TypeKind::Block(_)) {
                let text = format!("a block cannot be a parameter ({})", self.quoted(ty.ty));
                self.error(param.declarator.loc, text);
            }
            types.push(ty);
        }
        self.types.intern(TypeKind::Function(FunctionType {
            ret: ret.ty.ty,
            params: types,
            variadic: false,
        }))
    }

    /// A parameter's type: arrays become pointers (C99, 6.7.5.3).
    pub(super) fn param_type(&mut self, param: &ast::ParamDecl) -> QualType {
        let declared = self.declared_type(&param.specs, &param.declarator);
        let mut ty = declared.ty;
        if let TypeKind::Array(elem, _) = *self.types.kind(ty.ty) {
            let space = self.pointee_of(declared).space;
            let elem = QualType { space, ..elem };
            ty = QualType::private(self.types.pointer(elem));
        } else if declared.explicit_space && ty.space != AddrSpace::Private {
            // OpenCL C 3.0, 6.7: parameters live in the private address space.
            let loc = param.declarator.loc;
            self.error(loc, "parameter may not be qualified with an address space");
            ty.space = AddrSpace::Private;
        }
        // A parameter is passed as its type is, whatever a typedef says.
        ty.align = 0;
        ty
    }

    /// Analyses an operand that is not evaluated (sizeof, typeof).
    pub(super) fn unevaluated(&mut self, expr: ast::ExprId) -> super::Operand {
        self.operand(expr)
    }

    /// sizeof, alignof and vec_step need a complete type.
    pub(super) fn require_complete(&mut self, ty: TypeId, what: &str, loc: Loc) -> bool {
        if self.types.is_error(ty) {
            return false;
        }
        if self.types.is_complete(ty) {
            return true;
        }
        let text = format!(
            "invalid application of '{what}' to an incomplete type {}",
            self.quoted(ty)
        );
        self.error(loc, text);
        false
    }
}

/// The spelling of a parameter's type for CL_KERNEL_ARG_TYPE_NAME (OpenCL API 3.0, table 41): as declared, without
/// qualifiers and blanks, unsigned scalars as `uint`; of a pipe its packet's type.
pub(super) fn arg_type_name(sema: &Sema, specs: &ast::DeclSpecs, ty: QualType) -> String {
    let mut stars = String::new();
    let mut at = ty.ty;
    while let Some(pointee) = sema.types.pointee(at) {
        stars.push('*');
        at = pointee.ty;
    }
    let base = match &specs.ty {
        ast::TypeSpec::Named(name) => {
            // A typedef of a pointer has its stars inside.
            if let Some((Entity::Typedef(alias), _)) = sema.scopes.lookup(*name) {
                let mut inner = alias.ty;
                while let Some(pointee) = sema.types.pointee(inner) {
                    stars.pop();
                    inner = pointee.ty;
                }
            }
            sema.name(*name).to_string()
        }
        _ => match sema.types.as_pipe(at) {
            Some((packet, _)) => sema.types.display(packet),
            None => sema.types.display(at),
        },
    };
    base + &stars
}

/// The kernel argument qualifiers that clGetKernelArgInfo tells: of the pointee for pointers.
pub(super) fn arg_quals(sema: &Sema, ty: QualType) -> hir::KernelParam {
    let pointee = sema.types.pointee(ty.ty);
    hir::KernelParam {
        name: String::new(),
        type_name: String::new(),
        object: match *sema.types.kind(ty.ty) {
            TypeKind::Opaque(Opaque::Sampler) => Some(hir::ParamObject::Sampler),
            TypeKind::Opaque(Opaque::Image(kind, access)) => {
                Some(hir::ParamObject::Image(kind, access))
            }
            TypeKind::Opaque(Opaque::Queue) => Some(hir::ParamObject::Queue),
            TypeKind::Opaque(Opaque::Pipe(packet, access)) => {
                let packet = sema.types.size(packet) as u32;
                Some(hir::ParamObject::Pipe { access, packet })
            }
            _ => None,
        },
        is_const: pointee.is_some_and(|p| p.is_const || p.space == AddrSpace::Constant),
        is_restrict: ty.is_restrict,
        is_volatile: pointee.is_some_and(|p| p.is_volatile),
    }
}
