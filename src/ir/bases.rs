//! What pointers are based on (C99 6.7.3.1): of which parameters, say, a pointer is made.
//!
//! Invariants: the least fixed point over the function; a pointer that comes out of memory or an integer can be based on
//! anything. All that is known and no root is one base more: what leads to a root or to a variable is not of the root
//! alone.

use super::{AddrSpace, Block, CastOp, Function, InstData, Value};

/// A set of roots as bits, and whether there may be bases that nobody knows.
pub type Bases = u64;
pub const UNKNOWN: Bases = 1 << 63;
/// Parameters that are no roots, variables, and addresses that are constants; null leads nowhere.
pub const OTHER: Bases = 1 << 62;
/// More have no bits.
pub const MAX_ROOTS: usize = 62;

/// The parameters of a kernel that point to global memory; `None` if they are too many to be roots.
pub fn global_params(func: &Function) -> Option<Vec<Value>> {
    let params = func.param_values().iter().copied();
    let roots: Vec<Value> = params
        .filter(|&v| func.ty(v).addr_space() == Some(AddrSpace::Global))
        .collect();
    (roots.len() <= MAX_ROOTS).then_some(roots)
}

/// The bases of each value among `roots`, by value. `order`: the reachable blocks in reverse postorder.
pub fn of_values(func: &Function, order: &[Block], roots: &[Value]) -> Vec<Bases> {
    let mut bases: Vec<Bases> = vec![0; func.num_values()];
    for value in func.param_values() {
        bases[value.index()] = OTHER;
    }
    for (n, value) in roots.iter().enumerate() {
        bases[value.index()] = 1 << n;
    }
    loop {
        let before = bases.clone();
        for &block in order {
            for &inst in &func.block(block).insts {
                if let Some(result) = func.result(inst)
                    && func.ty(result).elem.is_ptr()
                {
                    bases[result.index()] |= of_inst(func.inst(inst), &bases);
                }
            }
            func.term(block).for_each_call(|call| {
                for (&param, arg) in func.block(call.block).params.iter().zip(&call.args) {
                    bases[param.index()] |= bases[arg.index()];
                }
            });
        }
        if bases == before {
            return bases;
        }
    }
}

fn of_inst(data: &InstData, bases: &[Bases]) -> Bases {
    let of = |value: &Value| bases[value.index()];
    match data {
        InstData::PtrAdd { ptr, .. } => of(ptr),
        InstData::Cast {
            op: CastOp::AddrSpaceCast,
            arg,
            ..
        } => of(arg),
        InstData::Select { then, els, .. } => of(then) | of(els),
        InstData::Splat { arg, .. } => of(arg),
        InstData::Extract { vec, .. } | InstData::ExtractDyn { vec, .. } => of(vec),
        InstData::Insert { vec, scalar, .. } | InstData::InsertDyn { vec, scalar, .. } => {
            of(vec) | of(scalar)
        }
        InstData::BuildVector { args } => args.iter().fold(0, |all, arg| all | of(arg)),
        InstData::Shuffle { a, b, .. } => of(a) | of(b),
        InstData::Alloca { .. }
        | InstData::GlobalAddr { .. }
        | InstData::LocalAddr { .. }
        | InstData::ScratchBase
        | InstData::IConst { bits: 1.., .. } => OTHER,
        InstData::IConst { bits: 0, .. } | InstData::Undef { .. } => 0,
        _ => UNKNOWN,
    }
}
