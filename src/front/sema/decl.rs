//! Declarations of variables and typedefs, at program scope and in functions (OpenCL C 3.0, 6.7 and 6.9; C99, 6.7).

use super::scope::Entity;
use super::typename::Declared;
use super::{Sema, ast, hir};
use crate::front::source::Loc;
use crate::front::symbol::Symbol;
use crate::front::types::{QualType, TypeId, TypeKind};
use crate::ir::{AddrSpace, Linkage};

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
            let mut declared = self.declarator_type(base, &item.declarator);
            self.vector_attr(&mut declared.ty, &item.declarator.attrs);
            let Some(name) = item.declarator.name else {
                continue;
            };
            let loc = item.declarator.loc;
            if decl.specs.storage == Some(ast::Storage::Typedef) {
                if let Some(align) = self.asked_align(&decl.specs, &item.declarator) {
                    declared.ty.align = align as u32;
                }
                self.typedef(name, declared, loc);
            } else if matches!(self.types.kind(declared.ty.ty), TypeKind::Function(_)) {
                self.declare_function(&decl.specs, &item.declarator, declared.ty.ty, false);
            } else if declared.ty.ty == self.types.basics.sampler {
                self.sampler(item, name, declared);
            } else if self.is_object(declared.ty.ty)
                && !matches!(self.types.kind(declared.ty.ty), TypeKind::Block(_))
            {
                // OpenCL C 3.0, 6.11.b and 6.15.13
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

    fn typedef(&mut self, name: Symbol, declared: Declared, loc: Loc) {
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
        if matches!(self.types.kind(ty.ty), TypeKind::Block(_)) {
            // At program scope it captures nothing.
            self.block_variable(item, name, ty.ty, decl.specs.storage);
            return;
        }
        if self.types.is_error(ty.ty) {
            self.scopes.declare(name, Entity::Error, loc);
            return;
        }
        if self.static_space(&mut ty, loc) {
            self.static_variable(name, ty, &decl.specs, item);
        } else {
            self.scopes.declare(name, Entity::Error, loc);
        }
    }

    /// The address space of a variable with static storage (OpenCL C 3.0, 6.7.6, 6.7.8): constant, or global where such
    /// variables may be, which is the default there. Reports others.
    fn static_space(&mut self, ty: &mut QualType, loc: Loc) -> bool {
        let has_global = self.options.has_global_variables();
        let place = if self.func.is_some() {
            "static local"
        } else {
            "program scope"
        };
        match ty.space {
            AddrSpace::Constant => return true,
            AddrSpace::Private | AddrSpace::Global if has_global => {
                ty.space = AddrSpace::Global;
                return true;
            }
            _ => {}
        }
        let text = match ty.space {
            _ if has_global => {
                format!("{place} variable must reside in global or constant address space")
            }
            _ => format!(
                "{place} variable must reside in constant address space \
                 (in global memory from OpenCL C 2.0 on: build with -cl-std=CL3.0)"
            ),
        };
        self.error(loc, text);
        false
    }

    /// A variable in constant or global memory, at program scope or in a function.
    fn static_variable(
        &mut self,
        name: Symbol,
        mut ty: QualType,
        specs: &ast::DeclSpecs,
        item: &ast::InitDeclarator,
    ) {
        let (loc, storage) = (item.declarator.loc, specs.storage);
        let is_extern = storage == Some(ast::Storage::Extern);
        let is_constant = ty.space == AddrSpace::Constant;
        ty.is_const |= is_constant;
        let declares_only = is_extern && item.init.is_none();
        if is_constant && item.init.is_none() && !is_extern {
            self.error(
                loc,
                "variable in constant address space must be initialized",
            );
            self.scopes.declare(name, Entity::Error, loc);
            return;
        }
        // OpenCL C 3.0, 6.11: "The event type cannot be used to declare a program scope variable."
        if matches!(self.types.kind(ty.ty), TypeKind::Opaque(_)) {
            let text = format!(
                "the {} type cannot be used to declare a program scope variable",
                self.quoted(ty.ty)
            );
            self.error(loc, text);
            self.scopes.declare(name, Entity::Error, loc);
            return;
        }
        let align = self
            .asked_align(specs, &item.declarator)
            .unwrap_or(1)
            .max(self.types.align_of(ty));
        // C99, 6.2.2: at program scope, and where it says extern, a name is the same variable everywhere.
        let is_shared = is_extern || self.func.is_none();
        let Ok(known) = self.known_variable(name, ty, is_shared, item.init.is_some(), loc) else {
            return;
        };
        // A variable of a function is known there alone, unless it is extern.
        let linkage = match storage {
            _ if declares_only => Linkage::Undefined,
            Some(ast::Storage::Static) => Linkage::Internal,
            _ if self.func.is_some() && !is_extern => Linkage::Internal,
            _ => Linkage::External,
        };
        let id = known.unwrap_or_else(|| {
            let id = hir::GlobalId(self.program.globals.len() as u32);
            self.program.globals.push(hir::Global {
                name: self.name(name).to_string(),
                ty,
                linkage,
                align,
                init: Vec::new(),
                relocs: Vec::new(),
            });
            id
        });
        self.scopes.declare(name, Entity::Global(id), loc);
        if is_shared {
            self.shared.entry(name).or_insert((id, loc));
        }
        if declares_only {
            return;
        }
        if item.init.is_some() {
            self.initialised.insert(id);
        }
        let global = &mut self.program.globals[id.0 as usize];
        global.align = global.align.max(align);
        if global.linkage == Linkage::Undefined {
            global.linkage = linkage;
        }
        let (init, full) = match &item.init {
            Some(init) => {
                let (init, full) = self.initializer(ty, init);
                (Some(init), full)
            }
            None => (None, ty.ty),
        };
        ty.ty = full;
        if !self.check_object_type(full, loc) {
            self.scopes.declare(name, Entity::Error, loc);
            return;
        }
        let size = self.types.size(full);
        let total = self.static_bytes.saturating_add(size);
        if total > MAX_STATIC_BYTES {
            let text =
                format!("variables in static memory take more than {MAX_STATIC_BYTES} bytes");
            self.error(loc, text);
            return;
        }
        self.static_bytes = total;
        let (bytes, relocs) = match init {
            Some(init) => self.static_init(init, size as usize),
            // "Program scope and static variables in the global address space are zero initialized by default."
            None => (vec![0; size as usize], Vec::new()),
        };
        let global = &mut self.program.globals[id.0 as usize];
        global.ty = ty;
        global.init = bytes;
        global.relocs = relocs;
    }

    /// The earlier declaration of the same variable (C99, 6.2.2 and 6.9.2), if there is one. `Err` when nothing is left
    /// to do for this one.
    fn known_variable(
        &mut self,
        name: Symbol,
        ty: QualType,
        is_shared: bool,
        has_init: bool,
        loc: Loc,
    ) -> Result<Option<hir::GlobalId>, ()> {
        match self.scopes.here(name) {
            None => {}
            Some((Entity::Global(_), _)) if is_shared => {}
            Some((Entity::Error, _)) => return Err(()),
            Some((_, previous)) => {
                let previous = *previous;
                self.redefinition(name, loc, previous);
                return Err(());
            }
        }
        let Some(&(id, previous)) = self.shared.get(&name).filter(|_| is_shared) else {
            return Ok(None);
        };
        let known = &self.program.globals[id.0 as usize];
        if known.ty.space != ty.space || !self.same_object_type(known.ty.ty, ty.ty) {
            let text = format!(
                "redefinition of '{}' with a different type: '{}' vs '{}'",
                self.name(name),
                self.types.display_qual(ty),
                self.types.display_qual(known.ty)
            );
            self.error(loc, text);
            self.note(previous, "previous definition is here");
            return Err(());
        }
        let is_defined = known.linkage != Linkage::Undefined;
        if has_init && !self.initialised.insert(id) {
            self.redefinition(name, loc, previous);
            return Err(());
        }
        if is_defined && !has_init {
            // It says nothing new.
            self.scopes.declare(name, Entity::Global(id), previous);
            return Err(());
        }
        Ok(Some(id))
    }

    /// One type, where an array may leave its bound to the other.
    fn same_object_type(&self, a: TypeId, b: TypeId) -> bool {
        match (self.types.kind(a), self.types.kind(b)) {
            (TypeKind::Array(x, n), TypeKind::Array(y, m)) => {
                x.ty == y.ty && (n == m || n.is_none() || m.is_none())
            }
            _ => a == b,
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
        if matches!(self.types.kind(ty.ty), TypeKind::Block(_)) {
            let setup = self.block_variable(item, name, ty.ty, decl.specs.storage);
            out.extend(setup.into_iter().map(|expr| hir::Stmt {
                loc,
                kind: hir::StmtKind::Expr(expr),
            }));
            return;
        }
        if decl.specs.storage != Some(ast::Storage::Extern)
            && let Some((_, previous)) = self.scopes.here(name)
        {
            let previous = *previous;
            self.redefinition(name, loc, previous);
            return;
        }
        if self.types.is_error(ty.ty) {
            self.scopes.declare(name, Entity::Error, loc);
            return;
        }
        // A static or extern variable, or one in constant memory, is no variable of this call.
        let is_static = matches!(
            decl.specs.storage,
            Some(ast::Storage::Static | ast::Storage::Extern)
        );
        if is_static || ty.space == AddrSpace::Constant {
            if self.static_space(&mut ty, loc) {
                self.static_variable(name, ty, &decl.specs, item);
            } else {
                self.scopes.declare(name, Entity::Error, loc);
            }
            return;
        }
        match ty.space {
            AddrSpace::Local => {
                if !self.may_declare_local(loc, item.init.is_some()) {
                    self.scopes.declare(name, Entity::Error, loc);
                    return;
                }
            }
            AddrSpace::Global | AddrSpace::Constant | AddrSpace::Generic => {
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
        // The name is in scope in its own initialiser (C99, 6.2.1).
        let align = self.asked_align(&decl.specs, &item.declarator);
        let align = align.unwrap_or(1);
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
        let align = align.max(self.types.align_of(ty));
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
        // No less than the type's, whatever a typedef says: values of it are moved as they are.
        let align = align
            .max(self.types.align_of(ty))
            .max(self.types.align(ty.ty));
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
