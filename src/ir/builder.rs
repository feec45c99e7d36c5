//! The builder: appends instructions to a function, giving each result its type.
//!
//! Invariants: one block is current; a finished block takes no more instructions. Result types follow from the
//! operands, so that a caller can't state a wrong one. No folding here: passes do that.

use super::device::DeviceOp;
use super::entities::{Block, FuncId, GlobalId, Inst, LocalId, Value};
use super::eval;
use super::function::{Function, SrcLoc, Unroll};
use super::inst::*;
use super::types::{AddrSpace, Elem, I1, I32, I64, Type};

pub struct Builder<'f> {
    pub func: &'f mut Function,
    current: Option<Block>,
    loc: SrcLoc,
}

impl<'f> Builder<'f> {
    pub fn new(func: &'f mut Function) -> Self {
        Self {
            func,
            current: None,
            loc: SrcLoc::default(),
        }
    }

    /// Goes over the instructions of `block`, in order, and has `answer` say what each becomes (nothing: what it is); what that takes is
    /// built in front of it. The instruction keeps its result and position.
    pub fn rewrite(
        func: &'f mut Function,
        block: Block,
        mut answer: impl FnMut(&mut Builder, &InstData) -> Option<InstData>,
    ) {
        let mut b = Builder::new(func);
        b.switch_to(block);
        for inst in std::mem::take(&mut b.func.block_mut(block).insts) {
            let data = b.func.inst(inst).clone();
            if let Some(new) = answer(&mut b, &data) {
                *b.func.inst_mut(inst) = new;
            }
            b.func.append_inst(block, inst);
        }
    }

    /// Further instructions stand at this source position.
    pub fn set_loc(&mut self, loc: SrcLoc) {
        self.loc = loc;
    }

    pub fn loc(&self) -> SrcLoc {
        self.loc
    }

    pub fn add_block(&mut self) -> Block {
        self.func.add_block()
    }

    pub fn add_param(&mut self, block: Block, ty: Type) -> Value {
        self.func.add_param(block, ty)
    }

    pub fn switch_to(&mut self, block: Block) {
        self.current = Some(block);
    }

    /// The current block; `None` after a terminator until the next `switch_to`.
    pub fn current(&self) -> Option<Block> {
        self.current
    }

    pub fn is_terminated(&self) -> bool {
        self.current.is_none()
    }

    /// Appends any instruction. Its result has the type `ty`.
    pub fn push(&mut self, data: InstData, ty: Option<Type>) -> Inst {
        let block = self.current.expect("no current block");
        let inst = self.func.make_inst(data, ty, self.loc);
        self.func.append_inst(block, inst);
        inst
    }

    fn value(&mut self, data: InstData, ty: Type) -> Value {
        let inst = self.push(data, Some(ty));
        self.func.result(inst).expect("a result was asked for")
    }

    fn effect(&mut self, data: InstData) {
        self.push(data, None);
    }

    /// What the source wishes of the loop that the current block heads.
    pub fn set_unroll(&mut self, unroll: Option<Unroll>) {
        let block = self.current.expect("a current block");
        self.func.block_mut(block).unroll = unroll;
    }

    /// Ends the current block.
    pub fn terminate(&mut self, term: Terminator) {
        let block = self.current.take().expect("no current block");
        let loc = self.loc;
        let data = self.func.block_mut(block);
        data.term = Some(term);
        data.term_loc = loc;
    }

    // Constants.

    pub fn iconst(&mut self, ty: Type, bits: u64) -> Value {
        let bits = match ty.elem.bits() {
            64 => bits,
            n => bits & ((1u64 << n) - 1),
        };
        self.value(InstData::IConst { ty, bits }, ty)
    }

    pub fn fconst_bits(&mut self, ty: Type, bits: u64) -> Value {
        self.value(InstData::FConst { ty, bits }, ty)
    }

    /// `x` rounded to the element of `ty`.
    pub fn fconst(&mut self, ty: Type, x: f64) -> Value {
        let bits = eval::from_f64(ty.elem, x);
        self.fconst_bits(ty, bits)
    }

    pub fn undef(&mut self, ty: Type) -> Value {
        self.value(InstData::Undef { ty }, ty)
    }

    // Arithmetic.

    pub fn unary(&mut self, op: UnaryOp, arg: Value) -> Value {
        let ty = self.func.ty(arg);
        self.value(InstData::Unary { op, arg }, ty)
    }

    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value) -> Value {
        let ty = self.func.ty(a);
        self.value(InstData::Binary { op, args: [a, b] }, ty)
    }

    pub fn ternary(&mut self, op: TernaryOp, a: Value, b: Value, c: Value) -> Value {
        let ty = self.func.ty(a);
        self.value(
            InstData::Ternary {
                op,
                args: [a, b, c],
            },
            ty,
        )
    }

    pub fn icmp(&mut self, cc: IntCC, a: Value, b: Value) -> Value {
        let ty = self.func.ty(a).with_elem(Elem::I1);
        self.value(InstData::ICmp { cc, args: [a, b] }, ty)
    }

    pub fn fcmp(&mut self, cc: FloatCC, a: Value, b: Value) -> Value {
        let ty = self.func.ty(a).with_elem(Elem::I1);
        self.value(InstData::FCmp { cc, args: [a, b] }, ty)
    }

    pub fn select(&mut self, cond: Value, then: Value, els: Value) -> Value {
        let ty = self.func.ty(then);
        self.value(InstData::Select { cond, then, els }, ty)
    }

    pub fn cast(&mut self, op: CastOp, arg: Value, to: Type) -> Value {
        self.value(InstData::Cast { op, arg, to }, to)
    }

    // Vectors.

    pub fn splat(&mut self, arg: Value, lanes: u16) -> Value {
        let ty = Type::vector(self.func.ty(arg).elem, lanes);
        self.value(InstData::Splat { arg, lanes }, ty)
    }

    pub fn build_vector(&mut self, args: Vec<Value>) -> Value {
        let ty = Type::vector(self.func.ty(args[0]).elem, args.len() as u16);
        self.value(InstData::BuildVector { args }, ty)
    }

    pub fn extract(&mut self, vec: Value, lane: u16) -> Value {
        let ty = self.func.ty(vec).lane();
        self.value(InstData::Extract { vec, lane }, ty)
    }

    pub fn insert(&mut self, vec: Value, scalar: Value, lane: u16) -> Value {
        let ty = self.func.ty(vec);
        self.value(InstData::Insert { vec, scalar, lane }, ty)
    }

    pub fn extract_dyn(&mut self, vec: Value, lane: Value) -> Value {
        let ty = self.func.ty(vec).lane();
        self.value(InstData::ExtractDyn { vec, lane }, ty)
    }

    pub fn insert_dyn(&mut self, vec: Value, scalar: Value, lane: Value) -> Value {
        let ty = self.func.ty(vec);
        self.value(InstData::InsertDyn { vec, scalar, lane }, ty)
    }

    pub fn shuffle(&mut self, a: Value, b: Value, mask: Vec<u16>) -> Value {
        let ty = Type::vector(self.func.ty(a).elem, mask.len() as u16);
        self.value(InstData::Shuffle { a, b, mask }, ty)
    }

    // Memory.

    /// Goes to the end of the entry block's leading allocas, wherever the builder stands.
    pub fn alloca(&mut self, size: u64, align: u32) -> Value {
        let inst = self.func.make_inst(
            InstData::Alloca { size, align },
            Some(Type::ptr(AddrSpace::Private)),
            self.loc,
        );
        let entry = self.func.entry();
        // Allocas stand first, so the place is found by halving: functions with 100,000 of them are made in no time.
        let insts = &self.func.block(entry).insts;
        let at = insts.partition_point(|&i| matches!(self.func.inst(i), InstData::Alloca { .. }));
        self.func.block_mut(entry).insts.insert(at, inst);
        self.func.result(inst).expect("an alloca has a result")
    }

    pub fn load(&mut self, ty: Type, ptr: Value, align: u32, volatile: bool) -> Value {
        self.value(
            InstData::Load {
                ty,
                ptr,
                align,
                volatile,
            },
            ty,
        )
    }

    pub fn store(&mut self, value: Value, ptr: Value, align: u32, volatile: bool) {
        self.effect(InstData::Store {
            value,
            ptr,
            align,
            volatile,
        });
    }

    pub fn masked_load(&mut self, ty: Type, ptr: Value, mask: Value, align: u32) -> Value {
        self.value(
            InstData::MaskedLoad {
                ty,
                ptr,
                mask,
                align,
            },
            ty,
        )
    }

    pub fn masked_store(&mut self, value: Value, ptr: Value, mask: Value, align: u32) {
        self.effect(InstData::MaskedStore {
            value,
            ptr,
            mask,
            align,
        });
    }

    /// `place`: the base, the offsets and their scale.
    pub fn gather(
        &mut self,
        ty: Type,
        place: (Value, Value, u32),
        mask: Value,
        align: u32,
    ) -> Value {
        let (base, offsets, scale) = place;
        self.value(
            InstData::Gather {
                ty,
                base,
                offsets,
                scale,
                mask,
                align,
            },
            ty,
        )
    }

    pub fn scatter(&mut self, value: Value, place: (Value, Value, u32), mask: Value, align: u32) {
        let (base, offsets, scale) = place;
        self.effect(InstData::Scatter {
            value,
            base,
            offsets,
            scale,
            mask,
            align,
        });
    }

    /// Whether a generic pointer leads into this space.
    pub fn in_space(&mut self, ptr: Value, space: AddrSpace) -> Value {
        let ty = self.func.ty(ptr).with_elem(Elem::I1);
        self.value(InstData::InSpace { ptr, space }, ty)
    }

    pub fn any_lane(&mut self, mask: Value) -> Value {
        self.value(InstData::AnyLane { mask }, I1)
    }

    pub fn mask_bits(&mut self, mask: Value) -> Value {
        self.value(InstData::MaskBits { mask }, I64)
    }

    pub fn memcpy(&mut self, dst: Value, src: Value, size: u64, align: u32) {
        self.effect(InstData::MemCpy {
            dst,
            src,
            size,
            align,
        });
    }

    pub fn memset(&mut self, dst: Value, byte: Value, size: u64, align: u32) {
        self.effect(InstData::MemSet {
            dst,
            byte,
            size,
            align,
        });
    }

    pub fn ptr_add(&mut self, ptr: Value, offset: Value) -> Value {
        let ty = self.func.ty(ptr);
        self.value(InstData::PtrAdd { ptr, offset }, ty)
    }

    pub fn global_addr(&mut self, global: GlobalId, space: AddrSpace) -> Value {
        self.value(InstData::GlobalAddr { global }, Type::ptr(space))
    }

    pub fn local_addr(&mut self, local: LocalId) -> Value {
        self.value(InstData::LocalAddr { local }, Type::ptr(AddrSpace::Local))
    }

    // Atomics.

    pub fn atomic_load(&mut self, ty: Type, ptr: Value, order: MemOrder, scope: MemScope) -> Value {
        self.value(
            InstData::AtomicLoad {
                ty,
                ptr,
                order,
                scope,
            },
            ty,
        )
    }

    pub fn atomic_store(&mut self, value: Value, ptr: Value, order: MemOrder, scope: MemScope) {
        self.effect(InstData::AtomicStore {
            value,
            ptr,
            order,
            scope,
        });
    }

    pub fn atomic_rmw(
        &mut self,
        op: AtomicOp,
        ptr: Value,
        value: Value,
        order: MemOrder,
        scope: MemScope,
    ) -> Value {
        let ty = self.func.ty(value);
        self.value(
            InstData::AtomicRmw {
                op,
                ptr,
                value,
                order,
                scope,
            },
            ty,
        )
    }

    pub fn atomic_cmpxchg(
        &mut self,
        ptr: Value,
        expected: Value,
        new: Value,
        orders: (MemOrder, MemOrder),
        scope: MemScope,
    ) -> Value {
        let ty = self.func.ty(new);
        self.value(
            InstData::AtomicCmpXchg {
                ptr,
                expected,
                new,
                success: orders.0,
                failure: orders.1,
                scope,
            },
            ty,
        )
    }

    pub fn fence(&mut self, order: MemOrder, scope: MemScope, flags: FenceFlags) {
        self.effect(InstData::Fence {
            order,
            scope,
            flags,
        });
    }

    pub fn prefetch(&mut self, ptr: Value) {
        self.effect(InstData::Prefetch { ptr });
    }

    // The rest.

    pub fn work_item(&mut self, query: WorkItemQuery, dim: u8) -> Value {
        let ty = if query == WorkItemQuery::WorkDim {
            I32
        } else {
            I64
        };
        self.value(InstData::WorkItem { query, dim }, ty)
    }

    pub fn device(&mut self, op: DeviceOp, args: Vec<Value>) -> Value {
        self.value(InstData::Device { op, args }, I64)
    }

    pub fn clock(&mut self) -> Value {
        self.value(InstData::Clock, I64)
    }

    /// `ret` is the callee's result type.
    pub fn call(&mut self, func: FuncId, args: Vec<Value>, ret: Option<Type>) -> Option<Value> {
        let inst = self.push(InstData::Call { func, args }, ret);
        self.func.result(inst)
    }

    pub fn printf(&mut self, format: GlobalId, args: Vec<Value>) -> Value {
        self.value(InstData::Printf { format, args }, I32)
    }

    // Terminators.

    pub fn jump(&mut self, block: Block, args: Vec<Value>) {
        self.terminate(Terminator::Jump(BlockCall { block, args }));
    }

    pub fn branch(&mut self, cond: Value, then: (Block, Vec<Value>), els: (Block, Vec<Value>)) {
        debug_assert_eq!(self.func.ty(cond), I1);
        self.terminate(Terminator::Branch {
            cond,
            then: BlockCall {
                block: then.0,
                args: then.1,
            },
            els: BlockCall {
                block: els.0,
                args: els.1,
            },
        });
    }

    pub fn ret(&mut self, value: Option<Value>) {
        self.terminate(Terminator::Return(value));
    }
}
