//! One function: its parameters, its variables, its blocks.

use super::super::hir::{self, LabelId, VarId};
use super::super::source::Loc;
use super::super::types::{TypeId, TypeKind, Types};
use super::ModuleLowerer;
use super::reach::drop_unreachable;
use crate::ir::{
    AddrSpace, Block, Builder, Function, KernelAttrs, LocalId, LocalVar, ParamAttrs, SrcLoc,
    Terminator, Type, Value,
};

/// Where a variable lives.
#[derive(Clone, Copy)]
pub(super) enum Home {
    Private(Value),
    Local(LocalId),
}

/// What `break` and `continue` mean at this place.
#[derive(Clone, Copy)]
pub(super) struct Exits {
    pub break_to: Option<Block>,
    pub continue_to: Option<Block>,
}

pub(super) struct FunctionLowerer<'a, 'm> {
    pub cx: &'a mut ModuleLowerer<'m>,
    pub types: &'m Types,
    pub source: &'m hir::Function,
    pub b: Builder<'a>,
    homes: Vec<Option<Home>>,
    labels: Vec<Option<Block>>,
    pub exits: Exits,
    /// Where an aggregate result goes.
    pub result_ptr: Option<Value>,
    /// The scope of the source that statements are in, in the function's list.
    pub scope: u16,
}

/// `as_kernel` decides about the conventions for parameters.
pub(super) fn lower_function<'m>(
    cx: &mut ModuleLowerer<'m>,
    source: &'m hir::Function,
    body: &'m [hir::Stmt],
    as_kernel: bool,
) -> Function {
    let types = cx.types;
    let mut func = Function::new(&source.name, types.ir(source.ret));
    if as_kernel && let Some(kernel) = &source.kernel {
        func.kernel = Some(KernelAttrs {
            reqd_work_group_size: kernel.reqd_work_group_size,
            work_group_size_hint: kernel.work_group_size_hint,
            number_bits: kernel.number_bits,
            sub_group_size: kernel.sub_group_size,
        });
    }
    func.always_inline = source.always_inline;
    func.noinline = source.noinline;
    func.loc = cx.src_loc(source.loc);
    func.debug = cx.debug.as_ref().map(|_| Default::default());
    let mut this = FunctionLowerer {
        cx,
        types,
        source,
        b: Builder::new(&mut func),
        homes: vec![None; source.vars.len()],
        labels: vec![None; source.num_labels as usize],
        exits: Exits {
            break_to: None,
            continue_to: None,
        },
        result_ptr: None,
        scope: 0,
    };
    this.params(as_kernel);
    this.tell_local_memory();
    this.stmts(body);
    this.finish();
    drop_unreachable(&mut func);
    func
}

impl<'m> FunctionLowerer<'_, 'm> {
    fn params(&mut self, as_kernel: bool) {
        let entry = self.b.add_block();
        self.b.switch_to(entry);
        self.set_loc(self.source.loc);
        if self.types.is_aggregate(self.source.ret) {
            let ptr = self.param("result", Type::ptr(AddrSpace::Private));
            self.result_ptr = Some(ptr);
        }
        // All parameters stand before the first instruction.
        let values: Vec<(VarId, Value)> = self
            .source
            .params
            .iter()
            .map(|&id| (id, self.declare_param(id, as_kernel)))
            .collect();
        for (id, value) in values {
            let ty = self.var(id).ty.ty;
            if !self.types.is_aggregate(ty) {
                let home = self.private_home(id);
                let align = self.var_align(id);
                self.b.store(value, home, align, false);
            } else if as_kernel || self.var(id).align > self.types.align(ty) {
                let home = self.private_home(id);
                let align = self.align32(self.types.align(ty));
                self.b.memcpy(home, value, self.types.size(ty), align);
            } else {
                self.homes[id.0 as usize] = Some(Home::Private(value));
                self.tell_variable(id, value);
            }
        }
    }

    fn param(&mut self, name: &str, ty: Type) -> Value {
        self.b.func.params.push(ParamAttrs {
            name: name.to_string(),
            noalias: false,
            readonly: false,
            by_value: None,
        });
        let entry = self.b.func.entry();
        self.b.add_param(entry, ty)
    }

    fn declare_param(&mut self, id: VarId, as_kernel: bool) -> Value {
        let var = self.var(id);
        let aggregate = self.types.is_aggregate(var.ty.ty);
        let ty = match self.types.ir(var.ty.ty) {
            Some(ty) => ty,
            None if as_kernel => Type::ptr(AddrSpace::Constant),
            None => Type::ptr(AddrSpace::Private),
        };
        let value = self.param(&var.name, ty);
        let (size, align) = (self.types.size(var.ty.ty), self.types.align(var.ty.ty));
        let align = self.align32(align);
        let readonly = match self.types.kind(var.ty.ty) {
            TypeKind::Pointer(to) => to.is_const,
            _ => false,
        };
        if let Some(attrs) = self.b.func.params.last_mut() {
            attrs.noalias = var.ty.is_restrict;
            attrs.readonly = readonly;
            attrs.by_value = (aggregate && as_kernel).then_some((size, align));
        }
        value
    }

    /// The end of the body: falls off it, or was never reached.
    fn finish(&mut self) {
        if !self.b.is_terminated() {
            match self.b.func.ret {
                None => self.b.ret(None),
                // Using the value is undefined (C99, 6.9.1 p12).
                Some(_) => self.b.terminate(Terminator::Unreachable),
            }
        }
    }

    pub fn var(&self, id: VarId) -> &'m hir::Var {
        &self.source.vars[id.0 as usize]
    }

    pub fn align32(&self, align: u64) -> u32 {
        u32::try_from(align).unwrap_or(1 << 31).max(1)
    }

    pub fn var_align(&self, id: VarId) -> u32 {
        let var = self.var(id);
        self.align32(var.align.max(1))
    }

    /// The address of a private variable.
    fn private_home(&mut self, id: VarId) -> Value {
        let size = self.types.size(self.var(id).ty.ty).max(1);
        let align = self.var_align(id);
        let home = self.b.alloca(size, align);
        self.homes[id.0 as usize] = Some(Home::Private(home));
        self.tell_variable(id, home);
        home
    }

    pub fn var_addr(&mut self, id: VarId) -> Value {
        match self.homes[id.0 as usize] {
            Some(Home::Private(home)) => home,
            Some(Home::Local(local)) => self.b.local_addr(local),
            None if self.var(id).is_local_memory() => {
                let var = self.var(id);
                let local = LocalVar {
                    name: var.name.clone(),
                    size: self.types.size(var.ty.ty).max(1),
                    align: self.var_align(id),
                };
                let local = self.b.func.add_local(local);
                self.homes[id.0 as usize] = Some(Home::Local(local));
                let address = self.b.local_addr(local);
                self.tell_variable(id, address);
                address
            }
            None => self.private_home(id),
        }
    }

    /// Private memory for a value of this type.
    pub fn temp(&mut self, ty: TypeId) -> Value {
        let align = self.align32(self.types.align(ty));
        self.b.alloca(self.types.size(ty).max(1), align)
    }

    pub fn label(&mut self, id: LabelId) -> Block {
        if let Some(block) = self.labels[id.0 as usize] {
            return block;
        }
        let block = self.b.add_block();
        self.labels[id.0 as usize] = Some(block);
        block
    }

    /// Makes sure that there is a current block. After a jump it is one that nothing leads to, dropped at the end.
    pub fn revive(&mut self) {
        if self.b.is_terminated() {
            let block = self.b.add_block();
            self.b.switch_to(block);
        }
    }

    /// Goes on in `block`, which the current one falls into.
    pub fn fall_into(&mut self, block: Block) {
        if !self.b.is_terminated() {
            self.b.jump(block, Vec::new());
        }
        self.b.switch_to(block);
    }

    pub fn set_loc(&mut self, loc: Loc) {
        if loc != Loc::NONE {
            let loc = self.at(loc);
            self.b.set_loc(loc);
        }
    }

    /// The position, in the current scope.
    pub fn at(&mut self, loc: Loc) -> SrcLoc {
        SrcLoc {
            scope: self.scope,
            ..self.cx.src_loc(loc)
        }
    }
}
