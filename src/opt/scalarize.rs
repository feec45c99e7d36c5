//! Splits OpenCL vectors into scalars, so that vector lanes are free for work-items.
//!
//! Every value becomes as many scalars as it has lanes. Loads and stores become one for each lane, in order and next to
//! each other, with what is known of their alignment, so that the work-group compiler can bring them together again
//! across work-items. A lane that is chosen at run time becomes selects over all lanes. Vectors stay only where
//! something else fixes the form: parameters of the function, and operands of calls, printf and returns.

use smallvec::{SmallVec, smallvec};

use crate::ir::cfg::Cfg;
use crate::ir::types::{I32, I64};
use crate::ir::{
    BinaryOp, Block, BlockCall, Builder, CastOp, Elem, Function, Inst, InstData, IntCC, SrcLoc,
    Terminator, Type, Value,
};

pub fn run(func: &mut Function) {
    if has_vectors(func) {
        *func = Pass::new(func).run();
    }
}

/// Whether there is anything to split.
pub fn has_vectors(func: &Function) -> bool {
    let is_vector = |v: Value| func.ty(v).is_vector();
    func.layout().iter().any(|&block| {
        let data = func.block(block);
        data.params.iter().any(|&p| is_vector(p))
            || data
                .insts
                .iter()
                .any(|&i| func.result(i).is_some_and(is_vector))
    })
}

/// The lanes of a value; a scalar has one.
type Parts = SmallVec<[Value; 4]>;

struct Pass<'f> {
    func: &'f Function,
    out: Function,
    /// By value.
    parts: Vec<Parts>,
    /// By block, the start of its copy.
    blocks: Vec<Option<Block>>,
    /// Where code goes.
    here: Block,
    loc: SrcLoc,
}

impl<'f> Pass<'f> {
    fn new(func: &'f Function) -> Self {
        let mut out = func.head();
        let here = out.add_block();
        Self {
            func,
            out,
            parts: vec![Parts::new(); func.num_values()],
            blocks: vec![None; func.num_blocks()],
            here,
            loc: SrcLoc::default(),
        }
    }

    /// In reverse post-order, so that definitions come before uses.
    fn run(mut self) -> Function {
        let func = self.func;
        let cfg = Cfg::compute(func);
        self.make_blocks(&cfg);
        for block in cfg.reverse_postorder() {
            self.here = self.block(block);
            if block == func.entry() {
                self.split_params();
            }
            for &inst in &func.block(block).insts {
                self.loc = func.loc(inst);
                self.inst(inst);
            }
            self.loc = func.block(block).term_loc;
            self.terminate(func.term(block));
        }
        let layout = func.layout().iter();
        let layout = layout.filter_map(|b| self.blocks[b.index()]).collect();
        self.out.set_layout(layout);
        self.out
    }

    fn make_blocks(&mut self, cfg: &Cfg) {
        let func = self.func;
        for block in cfg.reverse_postorder() {
            let entry = block == func.entry();
            let copy = if entry {
                self.here
            } else {
                self.out.add_block()
            };
            self.out.block_mut(copy).unroll = func.block(block).unroll;
            self.blocks[block.index()] = Some(copy);
            for &param in &func.block(block).params {
                let ty = func.ty(param);
                let parts = if entry {
                    smallvec![self.out.add_param(copy, ty)]
                } else {
                    let lanes = 0..ty.lanes;
                    lanes.map(|_| self.out.add_param(copy, ty.lane())).collect()
                };
                self.parts[param.index()] = parts;
            }
        }
    }

    /// The function's own parameters keep their types; their lanes are taken at the start.
    fn split_params(&mut self) {
        let func = self.func;
        for &param in func.param_values() {
            let whole = self.parts[param.index()][0];
            if func.ty(param).is_vector() {
                self.parts[param.index()] = self.extract_all(whole);
            }
        }
    }

    fn block(&self, block: Block) -> Block {
        self.blocks[block.index()].expect("a reachable block")
    }

    fn parts(&self, value: Value) -> Parts {
        self.parts[value.index()].clone()
    }

    /// The only lane of a scalar.
    fn one(&self, value: Value) -> Value {
        self.parts[value.index()][0]
    }

    fn at(&mut self) -> Builder<'_> {
        let mut b = Builder::new(&mut self.out);
        b.set_loc(self.loc);
        b.switch_to(self.here);
        b
    }

    /// The value in its own type.
    fn whole(&mut self, value: Value) -> Value {
        let parts = self.parts(value);
        if self.func.ty(value).is_vector() {
            self.at().build_vector(parts.to_vec())
        } else {
            parts[0]
        }
    }

    fn extract_all(&mut self, whole: Value) -> Parts {
        let lanes = 0..self.out.ty(whole).lanes;
        lanes.map(|lane| self.at().extract(whole, lane)).collect()
    }

    fn push(&mut self, data: InstData, ty: Option<Type>) -> Option<Value> {
        let inst = self.at().push(data, ty);
        self.out.result(inst)
    }

    fn inst(&mut self, inst: Inst) {
        let func = self.func;
        let data = func.inst(inst);
        let result = func.result(inst);
        let ty = result.map(|r| func.ty(r));
        let mut vectors = ty.is_some_and(Type::is_vector);
        data.for_each_use(|v| vectors |= func.ty(v).is_vector());
        let parts = match ty {
            _ if !vectors => {
                let mut data = data.clone();
                data.for_each_use_mut(|v| *v = self.one(*v));
                self.push(data, ty).into_iter().collect()
            }
            Some(ty) => self.vector(data, ty),
            None => {
                self.effect(data);
                return;
            }
        };
        if let Some(result) = result {
            self.parts[result.index()] = parts;
        }
    }

    /// An instruction without a result that takes a vector.
    fn effect(&mut self, data: &InstData) {
        match *data {
            InstData::Store {
                value,
                ptr,
                align,
                volatile,
            } => {
                let ptr = self.one(ptr);
                let ty = self.func.ty(value).lane();
                for (lane, part) in self.parts(value).into_iter().enumerate() {
                    let (place, align) = self.lane_at(ptr, lane, ty, align);
                    self.at().store(part, place, align, volatile);
                }
            }
            _ => {
                self.keep(data, None);
            }
        }
    }

    /// The lanes of the result, whose type is `ty`, of an instruction that has to do with vectors.
    fn vector(&mut self, data: &InstData, ty: Type) -> Parts {
        let lanes = usize::from(ty.lanes);
        match *data {
            InstData::IConst { bits, .. } => {
                smallvec![self.at().iconst(ty.lane(), bits); lanes]
            }
            InstData::FConst { bits, .. } => {
                smallvec![self.at().fconst_bits(ty.lane(), bits); lanes]
            }
            InstData::Undef { .. } => smallvec![self.at().undef(ty.lane()); lanes],
            InstData::Splat { arg, .. } => smallvec![self.one(arg); lanes],
            InstData::BuildVector { ref args } => args.iter().map(|&arg| self.one(arg)).collect(),
            InstData::Extract { vec, lane } => smallvec![self.parts(vec)[usize::from(lane)]],
            InstData::Insert { vec, scalar, lane } => {
                let mut parts = self.parts(vec);
                parts[usize::from(lane)] = self.one(scalar);
                parts
            }
            InstData::Shuffle { a, b, ref mask } => {
                let mut both = self.parts(a);
                both.extend(self.parts(b));
                mask.iter().map(|&lane| both[usize::from(lane)]).collect()
            }
            InstData::ExtractDyn { vec, lane } => {
                let (parts, lane) = (self.parts(vec), self.one(lane));
                smallvec![self.choose(&parts, lane)]
            }
            InstData::InsertDyn { vec, scalar, lane } => {
                let (parts, lane) = (self.parts(vec), self.one(lane));
                let scalar = self.one(scalar);
                self.replace(parts, scalar, lane)
            }
            InstData::Load {
                ptr,
                align,
                volatile,
                ..
            } => {
                let ptr = self.one(ptr);
                let mut load = |lane| {
                    let (place, align) = self.lane_at(ptr, lane, ty.lane(), align);
                    self.at().load(ty.lane(), place, align, volatile)
                };
                (0..lanes).map(&mut load).collect()
            }
            InstData::Cast {
                op: CastOp::Bitcast,
                arg,
                ..
            } if self.func.ty(arg).lanes != ty.lanes => self.bitcast(data, arg, ty),
            InstData::Unary { .. }
            | InstData::Binary { .. }
            | InstData::Ternary { .. }
            | InstData::ICmp { .. }
            | InstData::FCmp { .. }
            | InstData::Select { .. }
            | InstData::Cast { .. } => (0..lanes).map(|n| self.lane_of(data, n, ty)).collect(),
            _ => self.keep(data, Some(ty)),
        }
    }

    /// One lane of an element-wise instruction; scalar operands serve every lane.
    fn lane_of(&mut self, data: &InstData, lane: usize, ty: Type) -> Value {
        let mut data = data.clone();
        data.for_each_use_mut(|v| {
            let parts = &self.parts[v.index()];
            *v = parts[lane.min(parts.len() - 1)];
        });
        if let InstData::Cast { to, .. } = &mut data {
            *to = ty.lane();
        }
        let value = self.push(data, Some(ty.lane()));
        value.expect("a result was asked for")
    }

    /// The instruction as it is, on vectors.
    fn keep(&mut self, data: &InstData, ty: Option<Type>) -> Parts {
        let mut args = Vec::new();
        data.for_each_use(|v| args.push(v));
        let args = args.into_iter().map(|v| self.whole(v)).collect::<Vec<_>>();
        match self.push(data.with_uses(args), ty) {
            Some(whole) if self.out.ty(whole).is_vector() => self.extract_all(whole),
            result => result.into_iter().collect(),
        }
    }

    /// The address of a lane, and how it is aligned.
    fn lane_at(&mut self, ptr: Value, lane: usize, ty: Type, align: u32) -> (Value, u32) {
        if lane == 0 {
            return (ptr, align);
        }
        let offset = lane as u64 * ty.bytes();
        let mut b = self.at();
        let by = b.iconst(I64, offset);
        let align = align.min(1 << offset.trailing_zeros().min(31));
        (b.ptr_add(ptr, by), align)
    }

    /// The lane with the number `lane`, modulo a power of two: by halves. What is not there may be anything.
    fn choose(&mut self, parts: &[Value], lane: Value) -> Value {
        if let Some(bits) = self.out.const_bits(lane) {
            let n = bits as usize & (parts.len().next_power_of_two() - 1);
            return parts[n.min(parts.len() - 1)];
        }
        let mut left = parts.to_vec();
        let mut bit = 1;
        while left.len() > 1 {
            let mut b = self.at();
            let mask = b.iconst(I32, bit);
            let zero = b.iconst(I32, 0);
            let masked = b.binary(BinaryOp::And, lane, mask);
            let upper = b.icmp(IntCC::Ne, masked, zero);
            left = left
                .chunks(2)
                .map(|pair| match *pair {
                    [low, high] if low != high => b.select(upper, high, low),
                    _ => pair[0],
                })
                .collect();
            bit <<= 1;
        }
        left[0]
    }

    fn replace(&mut self, mut parts: Parts, scalar: Value, lane: Value) -> Parts {
        let last = parts.len().next_power_of_two() - 1;
        if let Some(bits) = self.out.const_bits(lane) {
            if let Some(part) = parts.get_mut(bits as usize & last) {
                *part = scalar;
            }
            return parts;
        }
        let mut b = self.at();
        let last = b.iconst(I32, last as u64);
        let lane = b.binary(BinaryOp::And, lane, last);
        for (n, part) in parts.iter_mut().enumerate() {
            let number = b.iconst(I32, n as u64);
            let here = b.icmp(IntCC::Eq, lane, number);
            *part = b.select(here, scalar, *part);
        }
        parts
    }

    /// The same bits in another number of lanes, by shifts of integers; the first lane has the lowest bits.
    fn bitcast(&mut self, data: &InstData, arg: Value, ty: Type) -> Parts {
        let from = self.func.ty(arg);
        let (Some(narrow), Some(wide)) = (int_like(from.elem), int_like(ty.elem)) else {
            return self.keep(data, Some(ty));
        };
        let ints: Parts = self.parts(arg);
        let ints: Parts = ints.iter().map(|&v| self.as_type(v, narrow)).collect();
        let (have, want) = (from.elem.bits(), ty.elem.bits());
        let made: Parts = if have < want {
            let each = (want / have) as usize;
            ints.chunks(each)
                .map(|lanes| self.join(lanes, narrow, wide))
                .collect()
        } else {
            let each = have / want;
            let cut = |v: Value| (0..each).map(move |n| (v, n * want));
            ints.into_iter()
                .flat_map(cut)
                .map(|(v, by)| self.cut(v, by, narrow, wide))
                .collect()
        };
        made.iter().map(|&v| self.as_type(v, ty.lane())).collect()
    }

    fn as_type(&mut self, value: Value, ty: Type) -> Value {
        if self.out.ty(value) == ty {
            value
        } else {
            self.at().cast(CastOp::Bitcast, value, ty)
        }
    }

    fn join(&mut self, lanes: &[Value], narrow: Type, wide: Type) -> Value {
        let mut b = self.at();
        let mut sum = None;
        for (n, &lane) in (0u64..).zip(lanes) {
            let mut value = b.cast(CastOp::ZExt, lane, wide);
            if n > 0 {
                let by = b.iconst(wide, n * u64::from(narrow.elem.bits()));
                value = b.binary(BinaryOp::Shl, value, by);
            }
            sum = Some(match sum {
                None => value,
                Some(sum) => b.binary(BinaryOp::Or, sum, value),
            });
        }
        sum.expect("a chunk is not empty")
    }

    /// The bits from `by` on.
    fn cut(&mut self, mut value: Value, by: u32, from: Type, to: Type) -> Value {
        let mut b = self.at();
        if by > 0 {
            let by = b.iconst(from, u64::from(by));
            value = b.binary(BinaryOp::LShr, value, by);
        }
        b.cast(CastOp::Trunc, value, to)
    }

    fn terminate(&mut self, term: &Terminator) {
        let mut term = term.clone();
        if let Terminator::Return(Some(value)) = &mut term {
            *value = self.whole(*value);
            self.at().terminate(term);
            return;
        }
        let mut calls: Vec<BlockCall> = Vec::new();
        term.for_each_call(|call| calls.push(call.clone()));
        let mut calls = calls
            .into_iter()
            .map(|call| self.call(&call))
            .rev()
            .collect::<Vec<_>>();
        term.for_each_call_mut(|call| call.args.clear());
        // What is left are conditions and operands of collectives.
        term.for_each_use_mut(|v| *v = self.one(*v));
        term.for_each_call_mut(|call| *call = calls.pop().expect("as many as before"));
        self.at().terminate(term);
    }

    fn call(&mut self, call: &BlockCall) -> BlockCall {
        let mut args = Vec::new();
        for &arg in &call.args {
            if call.block == self.func.entry() {
                args.push(self.whole(arg));
            } else {
                args.extend(self.parts(arg));
            }
        }
        BlockCall {
            block: self.block(call.block),
            args,
        }
    }
}

/// The integer of the element's size; none for truth values and pointers, whose bits can't be shifted.
fn int_like(elem: Elem) -> Option<Type> {
    match elem {
        Elem::I8 => Some(Type::scalar(Elem::I8)),
        Elem::I16 | Elem::F16 => Some(Type::scalar(Elem::I16)),
        Elem::I32 | Elem::F32 => Some(I32),
        Elem::I64 | Elem::F64 => Some(I64),
        Elem::I1 | Elem::Ptr(_) => None,
    }
}
