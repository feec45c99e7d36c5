//! Resolves generic pointers: where all that a pointer can come from lies in one address space, it becomes a pointer to
//! that space, so that alias facts, private variables laid out by element and promotion to values know it again.
//!
//! A pointer's space is that of the named pointers which it was cast from, through additions, choices, vectors and
//! block parameters; a null pointer and an undefined one are of any space. What comes from memory, integers, calls and
//! parameters of the function stays generic. A question after the space of a resolved pointer is answered.
//!
//! Invariant: where a resolved pointer is an operand that has to be generic (what is stored, passed on or returned), a
//! cast stands before; `fold` drops those that name the same space.

use crate::ir::cfg::Cfg;
use crate::ir::types::I1;
use crate::ir::{
    AddrSpace, Block, Builder, CastOp, Elem, Function, Inst, InstData, Terminator, Type, Value,
};

/// True if some pointer was resolved.
pub fn run(func: &mut Function) -> bool {
    let spaces = Spaces::find(func);
    if !spaces.resolve_any(func) {
        return false;
    }
    Resolver { func, spaces }.run();
    true
}

/// What is known of where a pointer leads; grows from `Nothing` up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// No root yet, or null.
    Nothing,
    One(AddrSpace),
    Generic,
}

impl Known {
    fn join(self, other: Known) -> Known {
        match (self, other) {
            (Known::Nothing, known) | (known, Known::Nothing) => known,
            (a, b) if a == b => a,
            _ => Known::Generic,
        }
    }
}

struct Spaces {
    /// By value.
    known: Vec<Known>,
}

impl Spaces {
    fn find(func: &Function) -> Self {
        let generic = |v: &Value| is_generic(func.ty(*v));
        let mut spaces = Self {
            known: vec![Known::Nothing; func.num_values()],
        };
        if !(0..func.num_values()).map(Value::new).any(|v| generic(&v)) {
            return spaces;
        }
        for &param in func.param_values() {
            spaces.known[param.index()] = Known::Generic;
        }
        let order: Vec<Block> = Cfg::compute(func).reverse_postorder().collect();
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for &block in &order {
                for &inst in &func.block(block).insts {
                    if let Some(result) = func.result(inst).filter(generic) {
                        changed |= spaces.add(result, spaces.of_inst(func, func.inst(inst)));
                    }
                }
                func.term(block).for_each_call(|call| {
                    for (param, &arg) in func.block(call.block).params.iter().zip(&call.args) {
                        if generic(param) {
                            changed |= spaces.add(*param, spaces.of(func, arg));
                        }
                    }
                });
            }
        }
        spaces
    }

    fn add(&mut self, value: Value, known: Known) -> bool {
        let before = self.known[value.index()];
        let after = before.join(known);
        self.known[value.index()] = after;
        before != after
    }

    fn of(&self, func: &Function, value: Value) -> Known {
        match func.ty(value).addr_space() {
            Some(AddrSpace::Generic) => self.known[value.index()],
            Some(space) => Known::One(space),
            None => Known::Generic,
        }
    }

    fn of_inst(&self, func: &Function, data: &InstData) -> Known {
        let of = |v: &Value| self.of(func, *v);
        match data {
            InstData::IConst { bits: 0, .. } | InstData::Undef { .. } => Known::Nothing,
            InstData::Cast {
                op: CastOp::AddrSpaceCast,
                arg,
                ..
            }
            | InstData::Splat { arg, .. } => of(arg),
            InstData::PtrAdd { ptr, .. } => of(ptr),
            InstData::Select { then, els, .. } => of(then).join(of(els)),
            InstData::Extract { vec, .. } | InstData::ExtractDyn { vec, .. } => of(vec),
            InstData::Insert { vec, scalar, .. } | InstData::InsertDyn { vec, scalar, .. } => {
                of(vec).join(of(scalar))
            }
            InstData::BuildVector { args } => args
                .iter()
                .fold(Known::Nothing, |known, arg| known.join(of(arg))),
            InstData::Shuffle { a, b, .. } => of(a).join(of(b)),
            _ => Known::Generic,
        }
    }

    /// The type that a value gets.
    fn resolved(&self, func: &Function, value: Value) -> Type {
        let ty = func.ty(value);
        match self.known[value.index()] {
            Known::One(space) if is_generic(ty) => ty.with_elem(Elem::Ptr(space)),
            _ => ty,
        }
    }

    fn resolve_any(&self, func: &Function) -> bool {
        (0..func.num_values())
            .map(Value::new)
            .any(|v| self.resolved(func, v) != func.ty(v))
    }
}

fn is_generic(ty: Type) -> bool {
    ty.addr_space() == Some(AddrSpace::Generic)
}

struct Resolver<'f> {
    func: &'f mut Function,
    spaces: Spaces,
}

impl Resolver<'_> {
    fn run(mut self) {
        let before: Vec<Type> = (0..self.func.num_values())
            .map(|n| self.func.ty(Value::new(n)))
            .collect();
        for n in 0..before.len() {
            let value = Value::new(n);
            let ty = self.spaces.resolved(self.func, value);
            self.func.set_ty(value, ty);
        }
        for block in self.func.layout().to_vec() {
            let insts = std::mem::take(&mut self.func.block_mut(block).insts);
            for inst in insts {
                self.inst(block, inst, &before);
                self.func.append_inst(block, inst);
            }
            self.terminator(block, &before);
        }
    }

    /// Makes the operands fit, by casts at the end of `block`, where the instruction will stand.
    fn inst(&mut self, block: Block, inst: Inst, before: &[Type]) {
        let mut data = self.func.inst(inst).clone();
        let loc = self.func.loc(inst);
        let mut b = Builder::new(self.func);
        b.set_loc(loc);
        b.switch_to(block);
        let result = b.func.result(inst).map(|v| b.func.ty(v));
        match &mut data {
            // Through these pointers memory is read or written.
            InstData::Load { .. }
            | InstData::MaskedLoad { .. }
            | InstData::Gather { .. }
            | InstData::MemCpy { .. }
            | InstData::MemSet { .. }
            | InstData::AtomicLoad { .. }
            | InstData::Cast {
                op: CastOp::PtrToInt,
                ..
            } => return,
            InstData::Store { value, .. }
            | InstData::MaskedStore { value, .. }
            | InstData::Scatter { value, .. }
            | InstData::AtomicStore { value, .. }
            | InstData::AtomicRmw { value, .. } => *value = as_before(&mut b, *value, before),
            InstData::AtomicCmpXchg { expected, new, .. } => {
                *expected = as_before(&mut b, *expected, before);
                *new = as_before(&mut b, *new, before);
            }
            InstData::Cast {
                op: CastOp::AddrSpaceCast,
                to,
                ..
            } => *to = result.unwrap_or(*to),
            InstData::InSpace { ptr, space } => {
                let ty = b.func.ty(*ptr);
                if let Some(known) = ty.addr_space().filter(|s| *s != AddrSpace::Generic) {
                    data = InstData::IConst {
                        ty: ty.with_elem(I1.elem),
                        bits: u64::from(known == *space),
                    };
                }
            }
            InstData::ICmp { args: [x, y], .. } => {
                if b.func.ty(*x) != b.func.ty(*y) {
                    *x = as_before(&mut b, *x, before);
                    *y = as_before(&mut b, *y, before);
                }
            }
            InstData::IConst { ty, .. } | InstData::Undef { ty } => *ty = result.unwrap_or(*ty),
            InstData::PtrAdd { .. }
            | InstData::Select { .. }
            | InstData::Splat { .. }
            | InstData::BuildVector { .. }
            | InstData::Extract { .. }
            | InstData::ExtractDyn { .. }
            | InstData::Insert { .. }
            | InstData::InsertDyn { .. }
            | InstData::Shuffle { .. } => {
                if let Some(elem) = result.map(|ty| ty.elem).filter(|e| e.is_ptr()) {
                    data.for_each_use_mut(|v| *v = in_space_of(&mut b, *v, elem));
                }
            }
            other => other.for_each_use_mut(|v| *v = as_before(&mut b, *v, before)),
        }
        *self.func.inst_mut(inst) = data;
    }

    fn terminator(&mut self, block: Block, before: &[Type]) {
        let mut term = self.func.term(block).clone();
        let mut params = Vec::new();
        term.for_each_call(|call| {
            let block = self.func.block(call.block);
            params.push(block.params.clone());
        });
        let mut b = Builder::new(self.func);
        b.switch_to(block);
        if let Terminator::Return(Some(value)) = &mut term {
            *value = as_before(&mut b, *value, before);
        }
        let mut params = params.into_iter();
        term.for_each_call_mut(|call| {
            let params = params.next().expect("as many calls as before");
            for (arg, &param) in call.args.iter_mut().zip(&params) {
                let elem = b.func.ty(param).elem;
                *arg = in_space_of(&mut b, *arg, elem);
            }
        });
        self.func.block_mut(block).term = Some(term);
    }
}

/// The value as its users knew it before.
fn as_before(b: &mut Builder, value: Value, before: &[Type]) -> Value {
    match before.get(value.index()) {
        Some(ty) => in_space_of(b, value, ty.elem),
        None => value,
    }
}

/// A pointer as one of the space of `elem`; anything else as it is.
fn in_space_of(b: &mut Builder, value: Value, elem: Elem) -> Value {
    let ty = b.func.ty(value);
    if !ty.elem.is_ptr() || !elem.is_ptr() || ty.elem == elem {
        return value;
    }
    b.cast(CastOp::AddrSpaceCast, value, ty.with_elem(elem))
}
