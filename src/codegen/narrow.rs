//! Loops that LLVM's loop vectoriser must leave alone.
//!
//! Why: in LLVM 22 `SCEVWrapPredicate::implies` takes "an index of 32 bits does not wrap" for "one of 2 bits does not
//! wrap", so that a loop with indices of two widths loses the check of the narrower one: `out[base + i] = table[i & 3]`
//! with 32-bit `base + i` then reads past `table[3]`. A loop is at risk if integers of two widths below 64 bits that
//! may grow from round to round are extended in it (or cut by a mask, which is the same to LLVM).

use crate::ir::loops::{Loop, LoopForest};
use crate::ir::{BinaryOp, CastOp, Function, InstData, LoopId, Value};

/// Loops nested deeper are held to be at risk unseen, so that the work stays linear.
const MAX_DEPTH: u32 = 8;

/// What a value can be in a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Made outside.
    Fixed,
    /// Made of block parameters by integer arithmetic.
    Growing,
    /// Loaded, chosen, floating point...
    Other,
}

/// The loops at risk.
pub fn loops(func: &Function, forest: &LoopForest) -> Vec<LoopId> {
    let mut kinds = vec![Kind::Fixed; func.num_values()];
    let at_risk = |id: &LoopId| {
        let natural = forest.get(*id);
        natural.depth > MAX_DEPTH || at_risk(func, natural, &mut kinds)
    };
    forest.ids().filter(at_risk).collect()
}

/// `kinds` is [`Kind::Fixed`] throughout before and after.
fn at_risk(func: &Function, natural: &Loop, kinds: &mut [Kind]) -> bool {
    let mut widths = 0u64;
    let mut defined: Vec<Value> = Vec::new();
    for &block in &natural.blocks {
        for &param in &func.block(block).params {
            let scalar = func.ty(param).elem.is_int() && !func.ty(param).is_vector();
            kinds[param.index()] = if scalar { Kind::Growing } else { Kind::Other };
            defined.push(param);
        }
        for &inst in &func.block(block).insts {
            let data = func.inst(inst);
            if matches!(data, InstData::Call { .. }) {
                // Its body may come to stand here.
                widths |= 0b11;
            }
            if let Some(width) = narrow_width(func, data, kinds) {
                widths |= 1 << width;
            }
            if let Some(result) = func.result(inst) {
                kinds[result.index()] = kind(data, kinds);
                defined.push(result);
            }
        }
    }
    for value in defined {
        kinds[value.index()] = Kind::Fixed;
    }
    widths.count_ones() > 1
}

fn kind(data: &InstData, kinds: &[Kind]) -> Kind {
    match data {
        InstData::IConst { .. } | InstData::WorkItem { .. } => Kind::Fixed,
        InstData::Binary { .. } | InstData::Cast { .. } => {
            let mut all = Kind::Fixed;
            data.for_each_use(|v| match kinds[v.index()] {
                Kind::Other => all = Kind::Other,
                Kind::Growing if all == Kind::Fixed => all = Kind::Growing,
                _ => {}
            });
            all
        }
        _ => Kind::Other,
    }
}

/// The width of a growing integer that the instruction extends, or keeps of a wider one.
fn narrow_width(func: &Function, data: &InstData, kinds: &[Kind]) -> Option<u32> {
    let growing = |v: Value| kinds[v.index()] == Kind::Growing;
    let width = match *data {
        InstData::Cast {
            op: CastOp::ZExt | CastOp::SExt,
            arg,
            ..
        } if growing(arg) => func.ty(arg).elem.bits(),
        InstData::Binary {
            op: BinaryOp::And,
            args: [a, b],
        } if growing(a) || growing(b) => {
            let mask = func.const_bits(a).or_else(|| func.const_bits(b))?;
            64 - mask.leading_zeros()
        }
        InstData::Binary {
            op: BinaryOp::URem,
            args: [a, b],
        } if growing(a) => func.const_bits(b)?.checked_ilog2()?,
        _ => return None,
    };
    (1..64).contains(&width).then_some(width)
}
