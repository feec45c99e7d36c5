//! Function declarations and definitions, and what a kernel may take (OpenCL C 3.0, 6.9.1 and 6.11; C99, 6.9.1).

use super::scope::Entity;
use super::typename::{arg_quals, arg_type_name};
use super::{FuncState, Sema, Signature, ast, hir};
use crate::front::options::Version;
use crate::front::source::Loc;
use crate::front::symbol::Symbol;
use crate::front::types::{FunctionType, Opaque, QualType, Scalar, TypeId, TypeKind};
use crate::front::warn::Warning;
use crate::ir::AddrSpace;

impl Sema<'_> {
    /// function-definition
    pub(super) fn function_def(&mut self, def: &ast::FunctionDef) {
        let declared = self.declared_type(&def.specs, &def.declarator);
        if !matches!(self.types.kind(declared.ty.ty), TypeKind::Function(_)) {
            return;
        }
        let Some(id) = self.declare_function(&def.specs, &def.declarator, declared.ty.ty, true)
        else {
            return;
        };
        if self.signatures[id.0 as usize].is_kernel {
            self.check_param_names(def);
            let info = self.kernel_info(def, id);
            self.program.functions[id.0 as usize].kernel = Some(info);
        }
        self.function_body(id, def);
    }

    /// Declares a function or finds its earlier declaration; an overload where the attribute allows it.
    pub(super) fn declare_function(
        &mut self,
        specs: &ast::DeclSpecs,
        declarator: &ast::Declarator,
        ty: TypeId,
        defines: bool,
    ) -> Option<hir::FuncId> {
        let name = declarator.name?;
        let loc = declarator.loc;
        let TypeKind::Function(FunctionType { ret, params, .. }) = self.types.kind(ty).clone()
        else {
            return None;
        };
        let overloadable = self.has_attr(&specs.attrs, "overloadable")
            || self.has_attr(&declarator.attrs, "overloadable");
        let mut overloads = match self.scopes.lookup(name) {
            Some((Entity::Functions(ids), _)) => ids.clone(),
            Some((Entity::Error, _)) | None => Vec::new(),
            Some((_, previous)) => {
                let previous = *previous;
                let text = format!(
                    "redefinition of '{}' as different kind of symbol",
                    self.name(name)
                );
                self.error(loc, text);
                self.note(previous, "previous definition is here");
                return None;
            }
        };
        let same = overloads.iter().copied().find(|id| {
            let known = &self.signatures[id.0 as usize].params;
            let mut pairs = known.iter().zip(&params);
            known.len() == params.len() && pairs.all(|(a, b)| self.types.same(a.ty, b.ty))
        });
        if let Some(id) = same {
            return self.redeclare(id, specs, ret, defines, loc);
        }
        if let Some(&other) = overloads.first()
            && !(overloadable || self.signatures[other.0 as usize].overloadable)
        {
            let previous = self.signatures[other.0 as usize].loc;
            let text = format!("conflicting types for '{}'", self.name(name));
            self.error(loc, text);
            self.note(previous, "previous declaration is here");
            return None;
        }
        let id = self.new_function(name, ret, params, specs.is_kernel, overloadable, loc);
        let internal = specs.storage == Some(ast::Storage::Static) || specs.is_inline;
        let always_inline = self.has_attr(&specs.attrs, "always_inline");
        let noinline = self.has_attr(&specs.attrs, "noinline");
        self.signatures[id.0 as usize].is_for_here = specs.storage == Some(ast::Storage::Static)
            && !specs.is_inline
            && !specs.is_kernel
            && !self.has_attr(&specs.attrs, "unused")
            && !self.has_attr(&declarator.attrs, "unused");
        let function = &mut self.program.functions[id.0 as usize];
        function.internal = internal;
        function.always_inline = always_inline;
        function.noinline = noinline;
        if specs.is_kernel {
            self.check_kernel(id, loc);
        }
        overloads.push(id);
        self.scopes.declare(name, Entity::Functions(overloads), loc);
        Some(id)
    }

    fn redeclare(
        &mut self,
        id: hir::FuncId,
        specs: &ast::DeclSpecs,
        ret: TypeId,
        defines: bool,
        loc: Loc,
    ) -> Option<hir::FuncId> {
        let known = self.signatures[id.0 as usize].clone();
        if !self.types.same(known.ret, ret) {
            let text = format!("conflicting types for '{}'", self.name(known.name));
            self.error(loc, text);
            self.note(known.loc, "previous declaration is here");
            return None;
        }
        if defines && self.program.functions[id.0 as usize].body.is_some() {
            self.redefinition(known.name, loc, known.loc);
            return None;
        }
        if specs.is_kernel && !known.is_kernel {
            self.signatures[id.0 as usize].is_kernel = true;
            self.check_kernel(id, loc);
        }
        self.program.functions[id.0 as usize].loc = loc;
        Some(id)
    }

    pub(super) fn new_function(
        &mut self,
        name: Symbol,
        ret: TypeId,
        params: Vec<QualType>,
        is_kernel: bool,
        overloadable: bool,
        loc: Loc,
    ) -> hir::FuncId {
        let id = hir::FuncId(self.program.functions.len() as u32);
        let mut unique = self.name(name).to_string();
        if overloadable {
            let types: Vec<String> = params.iter().map(|p| self.types.display(p.ty)).collect();
            unique = format!("{unique}({})", types.join(","));
        }
        self.program.functions.push(hir::Function {
            name: unique,
            loc,
            ret,
            params: Vec::new(),
            vars: Vec::new(),
            num_labels: 0,
            kernel: None,
            always_inline: false,
            noinline: false,
            internal: false,
            body: None,
        });
        self.signatures.push(Signature {
            name,
            ret,
            params,
            is_kernel,
            overloadable,
            is_for_here: false,
            loc,
        });
        id
    }

    /// Restrictions on kernels (OpenCL C 3.0, 6.11).
    fn check_kernel(&mut self, id: hir::FuncId, loc: Loc) {
        let signature = self.signatures[id.0 as usize].clone();
        if !self.types.is_void(signature.ret) && !self.types.is_error(signature.ret) {
            self.error(loc, "kernel must have void return type");
        }
        if self.name(signature.name) == "main" {
            self.error(loc, "kernel cannot be called 'main'");
        }
        if signature.overloadable {
            self.error(loc, "kernel functions cannot be overloaded");
        }
        for param in signature.params {
            if let Some(text) = self.bad_kernel_param(param.ty) {
                self.error(loc, text);
            }
        }
    }

    /// OpenCL C 3.0, 6.11: the integers whose size may differ between host and device cannot be arguments.
    fn check_param_names(&mut self, def: &ast::FunctionDef) {
        for param in params_of(&def.declarator) {
            let ast::TypeSpec::Named(symbol) = param.specs.ty else {
                continue;
            };
            let name = self.name(symbol);
            if param.declarator.chunks.is_empty()
                && matches!(name, "size_t" | "ptrdiff_t" | "intptr_t" | "uintptr_t")
                && self.scopes.lookup(symbol).is_none()
            {
                let text = format!("'{name}' cannot be used as the type of a kernel parameter");
                self.error(param.declarator.loc, text);
            }
        }
    }

    fn bad_kernel_param(&self, ty: TypeId) -> Option<String> {
        let cannot = |this: &Self| {
            Some(format!(
                "'{}' cannot be used as the type of a kernel parameter",
                this.types.display(ty)
            ))
        };
        match self.types.kind(ty) {
            TypeKind::Scalar(Scalar::Bool)
            | TypeKind::Opaque(Opaque::Event | Opaque::ReserveId | Opaque::ClkEvent)
            | TypeKind::Atomic(_) => cannot(self),
            TypeKind::Pointer(pointee) => {
                if matches!(pointee.space, AddrSpace::Private | AddrSpace::Generic) {
                    return Some("pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space".into());
                }
                match self.types.kind(pointee.ty) {
                    // "This restriction only applies to OpenCL C 1.2 or below."
                    TypeKind::Pointer(_) if self.options.version < Version::Cl20 => {
                        Some("kernel parameter cannot be declared as a pointer to a pointer".into())
                    }
                    TypeKind::Opaque(_) => cannot(self),
                    _ => None,
                }
            }
            TypeKind::Record(id) => {
                let record = self.types.record(*id);
                if !record.complete {
                    return Some(format!(
                        "kernel parameter has incomplete type '{}'",
                        self.types.display(ty)
                    ));
                }
                if record.fields.iter().any(|f| self.holds_bool(f.ty.ty)) {
                    return cannot(self);
                }
                let bad = record.fields.iter().any(|f| self.holds_pointer(f.ty.ty));
                bad.then(|| {
                    format!(
                        "struct kernel parameters may not contain pointers ('{}')",
                        self.types.display(ty)
                    )
                })
            }
            TypeKind::Void => cannot(self),
            _ => None,
        }
    }

    fn holds_pointer(&self, ty: TypeId) -> bool {
        match self.types.kind(ty) {
            TypeKind::Pointer(_) | TypeKind::Opaque(_) => true,
            TypeKind::Array(elem, _) => self.holds_pointer(elem.ty),
            TypeKind::Record(id) => {
                let fields = &self.types.record(*id).fields;
                fields.iter().any(|f| self.holds_pointer(f.ty.ty))
            }
            _ => false,
        }
    }

    fn holds_bool(&self, ty: TypeId) -> bool {
        match self.types.kind(ty) {
            TypeKind::Scalar(Scalar::Bool) => true,
            TypeKind::Array(elem, _) => self.holds_bool(elem.ty),
            TypeKind::Record(id) => {
                let fields = &self.types.record(*id).fields;
                fields.iter().any(|f| self.holds_bool(f.ty.ty))
            }
            _ => false,
        }
    }

    fn kernel_info(&mut self, def: &ast::FunctionDef, id: hir::FuncId) -> hir::KernelInfo {
        let attrs: Vec<&ast::Attribute> = def
            .specs
            .attrs
            .iter()
            .chain(&def.declarator.attrs)
            .collect();
        let mut info = self.kernel_attrs(&attrs);
        let types = self.signatures[id.0 as usize].params.clone();
        for (param, ty) in params_of(&def.declarator).iter().zip(types) {
            let mut quals = arg_quals(self, ty);
            quals.name = param
                .declarator
                .name
                .map_or(String::new(), |n| self.name(n).to_string());
            quals.type_name = arg_type_name(self, &param.specs, ty);
            info.params.push(quals);
        }
        info
    }

    /// Analyses the body; its first variables are the parameters.
    fn function_body(&mut self, id: hir::FuncId, def: &ast::FunctionDef) {
        let signature = self.signatures[id.0 as usize].clone();
        let scope = self.scopes.depth();
        let state = FuncState::new(id, signature.ret, signature.is_kernel, scope);
        self.func = Some(state);
        self.scopes.push();
        let mut params = Vec::new();
        let decls = params_of(&def.declarator);
        for (n, &ty) in signature.params.iter().enumerate() {
            let declarator = decls.get(n).map(|d| &d.declarator);
            let loc = declarator.map_or(signature.loc, |d| d.loc);
            if !self.types.is_error(ty.ty) && !self.types.is_complete(ty.ty) {
                let text = format!("variable has incomplete type {}", self.quoted(ty.ty));
                self.error(loc, text);
            }
            let name = declarator.and_then(|d| d.name);
            let text = name.map_or(format!("arg{n}"), |s| self.name(s).to_string());
            let var = self.new_named_var(text, ty, 1, loc);
            params.push(var);
            if declarator.is_none_or(|d| d.name.is_none() || self.has_attr(&d.attrs, "unused")) {
                self.mark_used(var);
            }
            if let Some(name) = name {
                if let Some((_, previous)) = self.scopes.here(name) {
                    let previous = *previous;
                    let text = format!("redefinition of parameter '{}'", self.name(name));
                    self.error(loc, text);
                    self.note(previous, "previous declaration is here");
                }
                let entity = if self.types.is_error(ty.ty) {
                    Entity::Error
                } else {
                    Entity::Var(var)
                };
                self.scopes.declare(name, entity, loc);
            }
        }
        let mut body = Vec::new();
        if let ast::StmtKind::Compound { items, end } = &self.ast.stmt(def.body).kind {
            let end = *end;
            let contract = self.contract;
            for &item in items {
                self.statement(item, &mut body);
            }
            self.contract = contract;
            self.check_falls_off(&body, signature.ret, end);
        }
        self.scopes.pop();
        self.finish_body(id, params, body);
    }

    pub(super) fn finish_body(
        &mut self,
        id: hir::FuncId,
        params: Vec<hir::VarId>,
        body: Vec<hir::Stmt>,
    ) {
        let Some(state) = self.func.take() else {
            return;
        };
        let mut undefined: Vec<(Symbol, Loc)> = state
            .labels
            .iter()
            .filter(|(_, label)| !label.defined)
            .map(|(&name, label)| (name, label.loc))
            .collect();
        undefined.sort_by_key(|u| u.1);
        for (name, loc) in undefined {
            let text = format!("use of undeclared label '{}'", self.name(name));
            self.error(loc, text);
        }
        self.check_unused(&state, params.len());
        let func = &mut self.program.functions[id.0 as usize];
        func.params = params;
        func.vars = state.vars;
        func.num_labels = state.num_labels;
        func.body = Some(body);
    }

    fn check_falls_off(&mut self, body: &[hir::Stmt], ret: TypeId, end: Loc) {
        if self.types.is_void(ret) || self.types.is_error(ret) {
            return;
        }
        // A last statement that can be seen not to go on needs no warning; the rest is left to the reader.
        let goes_on = !matches!(
            body.last().map(|s| &s.kind),
            Some(
                hir::StmtKind::Return(_)
                    | hir::StmtKind::Goto(_)
                    | hir::StmtKind::While { .. }
                    | hir::StmtKind::For { .. }
                    | hir::StmtKind::Do { .. }
                    | hir::StmtKind::If { els: Some(_), .. }
                    | hir::StmtKind::Switch { .. }
                    | hir::StmtKind::Block(_)
            )
        );
        if goes_on {
            self.warn(
                Warning::ReturnType,
                end,
                "non-void function does not return a value",
            );
        }
    }
}

/// The parameter declarations of a function's declarator.
pub(super) fn params_of(declarator: &ast::Declarator) -> &[ast::ParamDecl] {
    match declarator.chunks.first() {
        Some(ast::DeclChunk::Function { params, .. }) => params,
        _ => &[],
    }
}
