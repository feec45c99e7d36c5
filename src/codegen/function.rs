//! One IR function to one LLVM function: blocks, parameters, control flow, and what the group gives.
//!
//! Invariants: blocks are lowered in reverse postorder, so that every operand is there before its use; block parameters
//! become phis. A block of our own, the prologue, comes first: all stack slots and all loads from the argument block
//! and from `abi::Group` stand in it, so that LLVM sees them as constants of the call. Unreachable blocks are dropped.

use std::collections::HashMap;
use std::mem::offset_of;

use super::alias::{Scopes, mark_invariant};
use super::debug::FunctionDebug;
use super::llvm::{Bb, FastMath, IntPredicate, Llvm, Md, Opcode, Val};
use super::loops::loop_nodes;
use super::module::ModuleGen;
use super::streaming;
use crate::ir::{
    AddrSpace, Block, BlockCall, FuncId, Function, InstData, LIBRARY_FILE, Terminator, Type, Value,
    WorkItemQuery, abi,
};

pub struct FuncGen<'a, 'm> {
    pub unit: &'a ModuleGen<'m>,
    pub llvm: &'m Llvm,
    pub func: &'a Function,
    pub scopes: Scopes,
    /// Of a function that streams.
    pub streams: streaming::Plan,
    function: Val,
    /// The `abi::Group` of this call.
    group: Val,
    pub prologue: Bb,
    values: Vec<Option<Val>>,
    blocks: Vec<Option<Bb>>,
    /// The phis of each block's parameters.
    phis: Vec<Vec<Val>>,
    /// Loads that stand in the prologue, by their offset from `group` (`false`) or from its launch (`true`).
    fields: HashMap<(bool, usize), Val>,
    local_offsets: Vec<u64>,
    /// The fast-math flags of the instruction at hand.
    pub flags: FastMath,
    /// Whether it may be an approximate square root.
    pub near_sqrt: bool,
    /// One buffer for the arguments of every printf.
    pub printf_slots: Option<Val>,
    /// See `by_lane`: stack memory for the addresses and the values of an access that is a loop over lanes.
    pub lane_rooms: Option<(Val, Val)>,
    /// What LLVM is told of a loop, where the block at hand ends with an edge back to its head.
    back_edge: Option<Md>,
    pub debug: Option<FunctionDebug>,
}

/// Lowers the body of a declared function.
pub fn lower(unit: &ModuleGen, id: FuncId) -> Result<(), String> {
    let (llvm, func) = (unit.llvm, unit.body(id));
    let function = unit.callee(id).value;
    let order = reverse_postorder(func);
    let prologue = llvm.add_block(function, "prologue");
    let group = llvm.param(function, u32::from(func.group));
    let mut this = FuncGen {
        unit,
        llvm,
        func,
        scopes: Scopes::new(llvm, func, &order),
        streams: streaming::plan(unit, func, &order),
        function,
        group,
        prologue,
        values: vec![None; func.num_values()],
        blocks: vec![None; func.num_blocks()],
        phis: vec![Vec::new(); func.num_blocks()],
        fields: HashMap::new(),
        local_offsets: func.local_layout().0,
        flags: unit.flags,
        near_sqrt: false,
        printf_slots: None,
        lane_rooms: None,
        back_edge: None,
        debug: unit
            .debug
            .as_ref()
            .and_then(|debug| debug.function(llvm, function, func)),
    };
    this.stand_at_head();
    let loops = loop_nodes(llvm, func);
    this.make_blocks(&order);
    this.take_params();
    for &block in &order {
        llvm.at_end(this.bb(block));
        if let (Some(own), Some(debug)) = (&mut this.debug, &unit.debug) {
            own.begin_block(debug, llvm, func.start_loc(block));
        }
        for &inst in &func.block(block).insts {
            (this.flags, this.near_sqrt) = match func.loc(inst).file {
                LIBRARY_FILE => (FastMath::default(), false),
                _ => (unit.flags, unit.near_sqrt),
            };
            this.stand_at(func.loc(inst));
            let result = this.inst(func.inst(inst), func.result(inst))?;
            if let (Some(value), Some(lowered)) = (func.result(inst), result) {
                this.define(value, lowered);
            }
        }
        this.back_edge = loops.get(&block).copied();
        this.stand_at(func.block(block).term_loc);
        this.terminator(func.term(block))?;
        this.mark_back_edge(llvm.current_block());
    }
    llvm.at_end(prologue);
    this.stand_at_head();
    this.declare_variables();
    llvm.br(this.bb(func.entry()));
    Ok(())
}

impl FuncGen<'_, '_> {
    /// The LLVM value of an operand.
    pub fn val(&self, value: Value) -> Val {
        self.values[value.index()].expect("an operand dominates its use")
    }

    pub fn ty(&self, value: Value) -> Type {
        self.func.ty(value)
    }

    fn define(&mut self, value: Value, lowered: Val) {
        self.values[value.index()] = Some(lowered);
        if self.unit.names {
            self.llvm.set_name(lowered, &value.to_string());
        }
    }

    fn bb(&self, block: Block) -> Bb {
        self.blocks[block.index()].expect("a reachable block")
    }

    /// Emits into the prologue, then goes back to where the builder stood.
    pub fn in_prologue<R>(&self, emit: impl FnOnce(&Llvm) -> R) -> R {
        let here = self.llvm.current_block();
        let stood = self.llvm.current_debug_location();
        self.llvm.at_end(self.prologue);
        self.stand_at_head();
        let result = emit(self.llvm);
        self.llvm.at_end(here);
        self.llvm.set_debug_location(stood);
        result
    }

    /// A block inside of an instruction's code.
    pub fn new_block(&self, name: &str) -> Bb {
        self.llvm.add_block(self.function, name)
    }

    fn make_blocks(&mut self, order: &[Block]) {
        let entry_is_target = order
            .iter()
            .any(|&b| self.func.successors(b).contains(&self.func.entry()));
        for &block in order {
            let bb = self.llvm.add_block(self.function, &block.to_string());
            self.blocks[block.index()] = Some(bb);
            if block == self.func.entry() && !entry_is_target {
                continue;
            }
            self.llvm.at_end(bb);
            for &param in &self.func.block(block).params {
                let phi = self.llvm.phi(self.unit.ty(self.ty(param)));
                self.phis[block.index()].push(phi);
                self.define(param, phi);
            }
        }
    }

    /// Gives the function's parameters their values: arguments, or loads from the argument block.
    fn take_params(&mut self) {
        let llvm = self.llvm;
        llvm.at_end(self.prologue);
        let entry = self.func.entry();
        let incoming: Vec<Val> = if self.func.group {
            let (offsets, _) = abi::args_layout(self.func);
            (0..offsets.len())
                .map(|n| self.load_arg(n, offsets[n]))
                .collect()
        } else {
            (0..self.func.param_values().len())
                .map(|n| llvm.param(self.function, n as u32 + 1))
                .collect()
        };
        let phis = self.phis[entry.index()].clone();
        for (n, value) in incoming.into_iter().enumerate() {
            match phis.get(n) {
                Some(&phi) => llvm.add_incoming(phi, value, self.prologue),
                None => self.define(self.func.param_values()[n], value),
            }
        }
    }

    /// Kernel parameter `n` from its place in the argument block; the builder stands in the prologue.
    fn load_arg(&mut self, n: usize, offset: u64) -> Val {
        let llvm = self.llvm;
        let ty = self.ty(self.func.param_values()[n]);
        let place = llvm.field(llvm.param(self.function, 0), offset);
        if self.func.params[n].by_value.is_some() {
            return place;
        }
        let align = ty.align() as u32;
        if ty.addr_space() == Some(AddrSpace::Local) {
            let offset = llvm.load(llvm.int(64), place, align);
            mark_invariant(llvm, &self.unit.tags, offset);
            return llvm.ptr_add(self.local_base(), offset);
        }
        let stored = self.unit.ty(self.memory_type(ty));
        let value = llvm.load(stored, place, align);
        mark_invariant(llvm, &self.unit.tags, value);
        self.as_register(value, ty)
    }

    /// A field of `abi::Group`, or of its launch, loaded once.
    pub fn field(&mut self, of_launch: bool, offset: usize, bits: u32) -> Val {
        if let Some(&value) = self.fields.get(&(of_launch, offset)) {
            return value;
        }
        let base = if of_launch {
            self.field(false, offset_of!(abi::Group, launch), 0)
        } else {
            self.group
        };
        let value = self.in_prologue(|llvm| {
            let ty = if bits == 0 {
                llvm.ptr()
            } else {
                llvm.int(bits)
            };
            let value = llvm.load(ty, llvm.field(base, offset as u64), 8);
            mark_invariant(llvm, &self.unit.tags, value);
            value
        });
        self.fields.insert((of_launch, offset), value);
        value
    }

    /// A pointer field whose target has `abi::BASE_ALIGN`.
    fn aligned_base(&mut self, offset: usize) -> Val {
        let value = self.field(false, offset, 0);
        let llvm = self.llvm;
        let align = llvm.md_node(&[llvm.md_int(abi::BASE_ALIGN as u64)]);
        llvm.set_metadata(value, "align", align);
        value
    }

    pub fn scratch_base(&mut self) -> Val {
        self.aligned_base(offset_of!(abi::Group, scratch))
    }

    fn local_base(&mut self) -> Val {
        self.aligned_base(offset_of!(abi::Group, local))
    }

    /// The address of the kernel's n-th `__local` variable.
    pub fn local_address(&mut self, n: usize) -> Result<Val, String> {
        if !self.func.group {
            return Err("a __local variable outside of a kernel".into());
        }
        let base = self.local_base();
        Ok(self.llvm.field(base, self.local_offsets[n]))
    }

    pub fn group_ptr(&self) -> Val {
        self.group
    }

    pub fn launch_ptr(&mut self) -> Val {
        self.field(false, offset_of!(abi::Group, launch), 0)
    }

    /// A function pointer of the launch.
    pub fn launch_hook(&mut self, offset: usize) -> Val {
        self.field(true, offset, 0)
    }

    pub fn work_item(&mut self, query: WorkItemQuery, dim: u8) -> Result<Val, String> {
        use WorkItemQuery::*;
        let llvm = self.llvm;
        if dim > 2 {
            return Err(format!("a work-item query of dimension {dim}"));
        }
        let (of_launch, offset) = match query {
            GroupId => (false, offset_of!(abi::Group, group_id)),
            LocalSize => (false, offset_of!(abi::Group, local_size)),
            GlobalSize => (true, offset_of!(abi::Launch, global_size)),
            EnqueuedLocalSize => (true, offset_of!(abi::Launch, local_size)),
            NumGroups => (true, offset_of!(abi::Launch, num_groups)),
            GlobalOffset => (true, offset_of!(abi::Launch, global_offset)),
            WorkDim => {
                let value = self.field(true, offset_of!(abi::Launch, work_dim), 64);
                return Ok(llvm.cast(Opcode::LLVMTrunc, value, llvm.int(32)));
            }
            GlobalId | LocalId | GlobalLinearId | LocalLinearId | SubGroupId | SubGroupLocalId
            | SubGroupSize | MaxSubGroupSize | NumSubGroups | EnqueuedNumSubGroups => {
                return Err(format!("{query:?} in a function for a whole group"));
            }
        };
        let value = self.field(of_launch, offset + 8 * usize::from(dim), 64);
        if matches!(query, LocalSize | EnqueuedLocalSize) {
            // A group has items, and never so many.
            let range = llvm.md_node(&[llvm.md_int(1), llvm.md_int(1 << 32)]);
            llvm.set_metadata(value, "range", range);
        }
        Ok(value)
    }

    /// A call of a function of this module.
    pub fn call(&mut self, func: FuncId, args: &[Value]) -> Val {
        let callee = self.unit.callee(func);
        let mut all = vec![self.group];
        all.extend(args.iter().map(|&a| self.val(a)));
        let call = self.llvm.call(callee.ty, callee.value, &all);
        self.llvm.set_fast_call_site(call);
        call
    }

    fn mark_back_edge(&self, latch: Bb) {
        if let Some(node) = self.back_edge {
            self.llvm.mark_terminator(latch, "llvm.loop", node);
        }
    }

    fn terminator(&mut self, term: &Terminator) -> Result<(), String> {
        let llvm = self.llvm;
        let mut used = Vec::new();
        match term {
            Terminator::Jump(call) => {
                let to = self.edge(call, &mut used);
                llvm.br(to);
            }
            Terminator::Branch { cond, then, els } => {
                let then = self.edge(then, &mut used);
                let els = self.edge(els, &mut used);
                llvm.cond_br(self.val(*cond), then, els);
            }
            Terminator::Switch {
                value,
                cases,
                default,
            } => {
                let ty = self.unit.ty(self.ty(*value));
                let default = self.edge(default, &mut used);
                let cases: Vec<_> = cases
                    .iter()
                    .map(|(bits, call)| (llvm.const_int(ty, *bits), self.edge(call, &mut used)))
                    .collect();
                llvm.switch(self.val(*value), &cases, default);
            }
            Terminator::Return(value) => llvm.ret(value.map(|v| self.val(v))),
            // Acts as a return of undef.
            Terminator::Unreachable => {
                let value = if self.func.group { None } else { self.func.ret };
                llvm.ret(value.map(|ty| llvm.null(self.unit.ty(ty))));
            }
            Terminator::Barrier { .. } | Terminator::Collective { .. } => {
                return Err("a barrier in a function for a whole group".into());
            }
        }
        Ok(())
    }

    /// Passes the arguments of an edge out of the current block; gives the block to branch to. LLVM wants all edges
    /// between two blocks to pass the same values: one that differs from those in `used` gets a block of its own.
    fn edge<'f>(&mut self, call: &'f BlockCall, used: &mut Vec<&'f BlockCall>) -> Bb {
        let llvm = self.llvm;
        let target = self.bb(call.block);
        let phis = &self.phis[call.block.index()];
        if phis.is_empty() {
            return target;
        }
        let here = llvm.current_block();
        let differs = used
            .iter()
            .any(|other| other.block == call.block && other.args != call.args);
        let from = if differs {
            let own = self.new_block("edge");
            llvm.at_end(own);
            llvm.br(target);
            self.mark_back_edge(own);
            llvm.at_end(here);
            own
        } else {
            used.push(call);
            here
        };
        for (&phi, &arg) in phis.iter().zip(&call.args) {
            llvm.add_incoming(phi, self.val(arg), from);
        }
        if differs { from } else { target }
    }

    fn inst(&mut self, data: &InstData, result: Option<Value>) -> Result<Option<Val>, String> {
        let llvm = self.llvm;
        Ok(Some(match data {
            InstData::IConst { ty, bits } => self.int_const(*ty, *bits),
            InstData::FConst { ty, bits } => {
                let one = llvm.const_float_bits(self.unit.elem(ty.elem), *bits);
                self.splat_const(one, ty.lanes)
            }
            InstData::Undef { ty } => llvm.freeze(llvm.poison(self.unit.ty(*ty))),
            InstData::Unary { op, arg } => self.unary(*op, *arg),
            InstData::Binary { op, args } => self.binary(*op, args[0], args[1]),
            InstData::Ternary { op, args } => self.ternary(*op, *args),
            InstData::ICmp { cc, args } => self.icmp(*cc, *args),
            InstData::FCmp { cc, args } => self.fcmp(*cc, *args),
            InstData::Select { cond, then, els } => {
                let value = llvm.select(self.val(*cond), self.val(*then), self.val(*els));
                llvm.with_fast_math(value, self.flags)
            }
            InstData::Cast { op, arg, to } => self.cast(*op, *arg, *to),
            InstData::Splat { arg, lanes } => self.splat(self.val(*arg), *lanes),
            InstData::BuildVector { args } => self.build_vector(args),
            InstData::Extract { vec, lane } => self.extract(*vec, *lane),
            InstData::Insert { vec, scalar, lane } => self.insert(*vec, *scalar, *lane),
            InstData::ExtractDyn { vec, lane } => self.extract_dyn(*vec, *lane),
            InstData::InsertDyn { vec, scalar, lane } => self.insert_dyn(*vec, *scalar, *lane),
            InstData::Shuffle { a, b, mask } => self.shuffle(*a, *b, mask),
            InstData::Alloca { size, align } => self.alloca(*size, *align),
            InstData::Load {
                ty,
                ptr,
                align,
                volatile,
            } => self.load(*ty, *ptr, *align, *volatile),
            InstData::Store { .. } => {
                self.store(data);
                return Ok(None);
            }
            InstData::MaskedLoad { .. }
            | InstData::MaskedStore { .. }
            | InstData::Gather { .. }
            | InstData::Scatter { .. }
            | InstData::AnyLane { .. }
            | InstData::MaskBits { .. } => return Ok(self.masked(data)),
            InstData::MemCpy {
                dst,
                src,
                size,
                align,
            } => {
                llvm.memcpy(self.val(*dst), self.val(*src), *size, (*align).max(1));
                return Ok(None);
            }
            InstData::MemSet {
                dst,
                byte,
                size,
                align,
            } => {
                llvm.memset(self.val(*dst), self.val(*byte), *size, (*align).max(1));
                return Ok(None);
            }
            InstData::PtrAdd { ptr, offset } => {
                let [to, by] = [ptr, offset].map(|&value| self.val(value));
                match self.ty(*ptr).lanes {
                    1 => llvm.ptr_add(to, by),
                    _ => llvm.binary(Opcode::LLVMAdd, to, by),
                }
            }
            InstData::InSpace { ptr, space } => self.in_space(*ptr, *space),
            InstData::GlobalAddr { global } => self.unit.global(*global),
            InstData::LocalAddr { local } => self.local_address(local.index())?,
            InstData::AtomicLoad {
                ty,
                ptr,
                order,
                scope,
            } => self.atomic_load(*ty, *ptr, *order, *scope),
            InstData::AtomicStore {
                value,
                ptr,
                order,
                scope,
            } => {
                self.atomic_store(*value, *ptr, *order, *scope);
                return Ok(None);
            }
            InstData::AtomicRmw {
                op,
                ptr,
                value,
                order,
                scope,
            } => self.atomic_rmw(*op, *ptr, *value, *order, *scope),
            InstData::AtomicCmpXchg {
                ptr,
                expected,
                new,
                success,
                failure,
                scope,
            } => self.atomic_cmpxchg(*ptr, (*expected, *new), (*success, *failure), *scope),
            InstData::Fence { order, scope, .. } => {
                self.fence(*order, *scope);
                return Ok(None);
            }
            InstData::Prefetch { ptr } => {
                self.prefetch(*ptr);
                return Ok(None);
            }
            InstData::WorkItem { query, dim } => self.work_item(*query, *dim)?,
            InstData::Call { func, args } => {
                let value = self.call(*func, args);
                return Ok(result.map(|_| value));
            }
            InstData::Printf { format, args } => self.printf(*format, args),
            InstData::Clock => self.clock(),
            InstData::Device { op, args } => self.device(*op, args),
            InstData::ScratchBase => self.scratch_base(),
            InstData::ReportDivergence(divergent) => {
                self.report_divergence(divergent);
                return Ok(None);
            }
        }))
    }

    /// `a == b` on lanes of integers, for the guards of other operations.
    pub fn equal(&self, a: Val, b: Val) -> Val {
        self.llvm.icmp(IntPredicate::LLVMIntEQ, a, b)
    }
}

/// The blocks that control can reach from the entry, each after its dominators.
fn reverse_postorder(func: &Function) -> Vec<Block> {
    let mut seen = vec![false; func.num_blocks()];
    let mut order = Vec::new();
    let mut stack = vec![(func.entry(), func.successors(func.entry()))];
    seen[func.entry().index()] = true;
    while let Some((block, todo)) = stack.last_mut() {
        match todo.pop() {
            Some(next) => {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    stack.push((next, func.successors(next)));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
