//! Declarations of variables and typedefs, at program scope and in functions (OpenCL C 3.0, 6.7 and 6.9; C99, 6.7).

use super::scope::Entity;
use super::typename::Declared;
use super::{Sema, ast, hir};
use crate::front::source::Loc;
use crate::front::symbol::Symbol;
use crate::front::types::{QualType, TypeId, TypeKind};
use crate::ir::AddrSpace;

/// The most bytes that the constants of a program may take together; they are held in memory while it is built.
const MAX_STATIC_BYTES: u64 = 256 << 20;

impl Sema<'_> {
    /// A declaration outside functions.
    pub(super) fn global_declaration(&mut self, decl: &ast::Declaration) {
        self.declaration(decl, |this, item, name, declared| {
            this.global_variable(decl, item, name, declared);
        });
    }

    /// A declaration in a function; gives the statements that initialise what it declares.
    pub(super) fn local_declaration(&mut self, decl: &ast::Declaration, out: &mut Vec<hir::Stmt>) {
        self.declaration(decl, |this, item, name, declared| {
            this.local_variable(decl, item, name, declared, out);
        });
    }

    /// Typedefs and functions are declared alike everywhere; what is neither goes to `variable`.
    fn declaration(
        &mut self,
        decl: &ast::Declaration,
        mut variable: impl FnMut(&mut Self, &ast::InitDeclarator, Symbol, Declared),
    ) {
        let base = self.specifier_type(&decl.specs);
        for item in &decl.items {
            let declared = self.declarator_type(base, &item.declarator);
            let Some(name) = item.declarator.name else {
                continue;
            };
            let loc = item.declarator.loc;
            if decl.specs.storage == Some(ast::Storage::Typedef) {
                self.typedef(name, declared, &item.declarator, loc);
            } else if matches!(self.types.kind(declared.ty.ty), TypeKind::Function(_)) {
                self.declare_function(&decl.specs, &item.declarator, declared.ty.ty, false);
            } else if declared.ty.ty == self.types.basics.sampler {
                self.sampler(item, name, declared);
            } else if self.types.as_image(declared.ty.ty).is_some() {
                // OpenCL C 3.0, 6.11.b
                let text = format!(
                    "type {} can only be used as a function parameter",
                    self.quoted(declared.ty.ty)
                );
                self.error(loc, text);
                self.scopes.declare(name, Entity::Error, loc);
            } else {
                variable(self, item, name, declared);
            }
        }
    }

    /// `const sampler_t s = CLK_...;` (OpenCL C 3.0, 6.15.15.1): a constant, at program scope or in a function.
    fn sampler(&mut self, item: &ast::InitDeclarator, name: Symbol, declared: Declared) {
        let loc = item.declarator.loc;
        if let Some((_, previous)) = self.scopes.here(name) {
            let previous = *previous;
            self.redefinition(name, loc, previous);
            return;
        }
        let entity = match self.sampler_bits(item, declared) {
            Some(bits) => Entity::Sampler(bits),
            None => Entity::Error,
        };
        self.scopes.declare(name, entity, loc);
    }

    fn sampler_bits(&mut self, item: &ast::InitDeclarator, declared: Declared) -> Option<u64> {
        let loc = item.declarator.loc;
        if matches!(declared.ty.space, AddrSpace::Global | AddrSpace::Local) {
            // 6.11.b
            self.error(
                loc,
                "sampler type cannot be used with the __local and __global address space qualifiers",
            );
            return None;
        }
        let init = match &item.init {
            Some(ast::Init::Expr(expr)) => *expr,
            Some(ast::Init::List(ast::InitList { items, .. })) => match &items[..] {
                [(designators, ast::Init::Expr(expr))] if designators.is_empty() => *expr,
                _ => {
                    self.error(loc, "initializer list of a sampler must hold one constant");
                    return None;
                }
            },
            None => {
                self.error(loc, "sampler variable must be initialized with a constant");
                return None;
            }
        };
        // A sampler may be a copy of another constant one.
        let value = self.rvalue(init);
        if let (true, hir::ExprKind::Int(bits)) =
            (value.ty == self.types.basics.sampler, &value.kind)
        {
            return Some(*bits);
        }
        let bits = self.constant_of(&value, self.ast.expr(init).loc)?;
        self.check_sampler(bits, loc);
        Some(bits as u32 as u64)
    }

    /// What a sampler's constants must be (OpenCL C 3.0, table 38): one addressing mode, one filter mode.
    fn check_sampler(&mut self, bits: i64, loc: Loc) {
        let addressing = matches!(bits & 0xe, 0 | 2 | 4 | 6 | 8);
        let filter = matches!(bits & 0x30, 0 | 0x10 | 0x20);
        if !addressing || !filter || bits & !0x3f != 0 {
            let text = format!("sampler initializer has invalid bits (0x{bits:x})");
            self.warning(loc, text);
        }
    }

    fn typedef(
        &mut self,
        name: Symbol,
        declared: Declared,
        declarator: &ast::Declarator,
        loc: Loc,
    ) {
        if let Some((entity, previous)) = self.scopes.here(name) {
            let previous = *previous;
            // C11 lets a typedef be repeated with the same type; so do all compilers.
            let same = matches!(entity, Entity::Typedef(ty) if *ty == declared.ty);
            if !same && !self.types.is_error(declared.ty.ty) {
                let text = format!(
                    "typedef redefinition of '{}' with a different type",
                    self.name(name)
                );
                self.error(loc, text);
                self.note(previous, "previous definition is here");
            }
        }
        // `typedef float4 __attribute__((aligned(8))) T;`: alignment of a typedef is not tracked.
        let _ = self.aligned_attr(&declarator.attrs);
        self.scopes.declare(name, Entity::Typedef(declared.ty), loc);
    }

    fn global_variable(
        &mut self,
        decl: &ast::Declaration,
        item: &ast::InitDeclarator,
        name: Symbol,
        declared: Declared,
    ) {
        let loc = item.declarator.loc;
        let mut ty = declared.ty;
        if self.types.is_error(ty.ty) {
            self.scopes.declare(name, Entity::Error, loc);
            return;
        }
        // OpenCL C 3.0, 6.9.2: program scope variables live in constant memory (in global memory only with
        // __opencl_c_program_scope_global_variables, which this device does not have).
        if ty.space != AddrSpace::Constant {
            let text = if ty.space == AddrSpace::Local || ty.space == AddrSpace::Global {
                "program scope variable must reside in constant address space \
                 (missing feature '__opencl_c_program_scope_global_variables')"
            } else {
                "program scope variable must reside in constant address space"
            };
            self.error(loc, text);
            ty.space = AddrSpace::Constant;
        }
        if let Some((entity, previous)) = self.scopes.here(name) {
            let previous = *previous;
            let repeats = matches!(entity, Entity::Global(_))
                && (decl.specs.storage == Some(ast::Storage::Extern) || item.init.is_none());
            if repeats {
                return;
            }
            let is_extern_before = matches!(entity, Entity::Global(id)
                if self.program.globals[id.0 as usize].init.is_empty());
            if !is_extern_before {
                self.redefinition(name, loc, previous);
                return;
            }
        }
        self.static_variable(
            name,
            ty,
            item,
            decl.specs.storage == Some(ast::Storage::Extern),
        );
    }

    /// A variable in constant memory, at program scope or in a function.
    fn static_variable(
        &mut self,
        name: Symbol,
        mut ty: QualType,
        item: &ast::InitDeclarator,
        is_extern: bool,
    ) {
        let loc = item.declarator.loc;
        if item.init.is_none() {
            if !is_extern {
                self.error(
                    loc,
                    "variable in constant address space must be initialized",
                );
            } else {
                let text = format!("undefined external variable '{}'", self.name(name));
                self.error(loc, text);
            }
            self.scopes.declare(name, Entity::Error, loc);
            return;
        }
        ty.is_const = true;
        let align = self
            .aligned_attr(&item.declarator.attrs)
            .unwrap_or(1)
            .max(self.types.align(ty.ty));
        let id = hir::GlobalId(self.program.globals.len() as u32);
        self.program.globals.push(hir::Global {
            name: self.name(name).to_string(),
            ty,
            align,
            init: Vec::new(),
            relocs: Vec::new(),
        });
        self.scopes.declare(name, Entity::Global(id), loc);
        if let Some(init) = &item.init {
            let (init, full) = self.initializer(ty, init);
            ty.ty = full;
            let size = self.types.size(full);
            let total = self.static_bytes.saturating_add(size);
            if total > MAX_STATIC_BYTES {
                let text = format!("constants take more than {MAX_STATIC_BYTES} bytes");
                self.error(loc, text);
                return;
            }
            self.static_bytes = total;
            let (bytes, relocs) = self.static_init(init, size as usize);
            let global = &mut self.program.globals[id.0 as usize];
            global.ty = ty;
            global.init = bytes;
            global.relocs = relocs;
        }
    }

    fn local_variable(
        &mut self,
        decl: &ast::Declaration,
        item: &ast::InitDeclarator,
        name: Symbol,
        declared: Declared,
        out: &mut Vec<hir::Stmt>,
    ) {
        let loc = item.declarator.loc;
        let mut ty = declared.ty;
        if let Some((_, previous)) = self.scopes.here(name) {
            let previous = *previous;
            self.redefinition(name, loc, previous);
            return;
        }
        if self.types.is_error(ty.ty) {
            self.scopes.declare(name, Entity::Error, loc);
            return;
        }
        if decl.specs.storage == Some(ast::Storage::Static) && ty.space != AddrSpace::Constant {
            // OpenCL C 3.0, 6.8: static needs program-scope variables in global memory.
            self.error(
                loc,
                "variables in function scope cannot be declared static \
                 (missing feature '__opencl_c_program_scope_global_variables')",
            );
            self.scopes.declare(name, Entity::Error, loc);
            return;
        }
        match ty.space {
            AddrSpace::Constant => {
                self.static_variable(
                    name,
                    ty,
                    item,
                    decl.specs.storage == Some(ast::Storage::Extern),
                );
                return;
            }
            AddrSpace::Local => {
                if !self.may_declare_local(loc, item.init.is_some()) {
                    self.scopes.declare(name, Entity::Error, loc);
                    return;
                }
            }
            AddrSpace::Global | AddrSpace::Generic => {
                let text = format!(
                    "function scope variable cannot be declared in {} address space",
                    ty.space
                );
                self.error(loc, text);
                self.scopes.declare(name, Entity::Error, loc);
                return;
            }
            AddrSpace::Private => {}
        }
        if decl.specs.storage == Some(ast::Storage::Extern) {
            self.error(loc, "function scope variable cannot be declared extern");
        }
        // The name is in scope in its own initialiser (C99, 6.2.1).
        let align = self.aligned_attr(&item.declarator.attrs).unwrap_or(1);
        self.check_shadow(name, loc);
        let var = self.new_var(name, ty, align, loc);
        if self.has_attr(&item.declarator.attrs, "unused")
            || self.has_attr(&decl.specs.attrs, "unused")
        {
            self.mark_used(var);
        }
        self.scopes.declare(name, Entity::Var(var), loc);
        let init = item.init.as_ref().map(|init| {
            let (init, full) = self.initializer(ty, init);
            ty.ty = full;
            init
        });
        if !self.check_object_type(ty.ty, loc) {
            self.scopes.declare(name, Entity::Error, loc);
            return;
        }
        let align = align.max(self.types.align(ty.ty));
        let constant = match &init {
            Some(hir::Init::Value(value)) if ty.is_const && !ty.is_volatile => self.eval(value),
            _ => None,
        };
        if let Some(func) = &mut self.func {
            if let Some(constant) = constant {
                func.constants.insert(var, constant);
            }
            let data = &mut func.vars[var.0 as usize];
            data.ty = ty;
            data.align = align;
        }
        if ty.space == AddrSpace::Private {
            out.push(hir::Stmt {
                loc,
                kind: hir::StmtKind::Decl { var, init },
            });
        }
    }

    /// OpenCL C 3.0, 6.7.2: `__local` variables stand in a kernel's outermost scope and have no initialiser.
    fn may_declare_local(&mut self, loc: Loc, has_init: bool) -> bool {
        let Some(func) = &self.func else {
            return false;
        };
        if !func.is_kernel {
            self.error(
                loc,
                "non-kernel function variable cannot be declared in local address space",
            );
            return false;
        }
        if self.scopes.depth() > 2 {
            self.error(
                loc,
                "variables in the local address space can only be declared in the outermost scope of a kernel function",
            );
            return false;
        }
        if has_init {
            self.error(loc, "'__local' variable cannot have an initializer");
            return false;
        }
        true
    }

    /// An object must have a complete type that may be declared.
    pub(super) fn check_object_type(&mut self, ty: TypeId, loc: Loc) -> bool {
        if self.types.is_error(ty) {
            return false;
        }
        if !self.types.is_complete(ty) {
            let text = format!("variable has incomplete type {}", self.quoted(ty));
            self.error(loc, text);
            return false;
        }
        true
    }

    pub(super) fn redefinition(&mut self, name: Symbol, loc: Loc, previous: Loc) {
        let text = format!("redefinition of '{}'", self.name(name));
        self.error(loc, text);
        self.note(previous, "previous definition is here");
    }

    /// A new variable of the function being analysed.
    pub(super) fn new_var(
        &mut self,
        name: Symbol,
        ty: QualType,
        align: u64,
        loc: Loc,
    ) -> hir::VarId {
        let name = self.name(name).to_string();
        self.new_named_var(name, ty, align, loc)
    }

    pub(super) fn new_named_var(
        &mut self,
        name: String,
        ty: QualType,
        align: u64,
        loc: Loc,
    ) -> hir::VarId {
        let align = align.max(self.types.align(ty.ty));
        let func = self.func.as_mut().expect("variables live in functions");
        let id = hir::VarId(func.vars.len() as u32);
        func.vars.push(hir::Var {
            name,
            loc,
            ty,
            align,
        });
        id
    }
}
