//! Instructions and terminators of the text form; the operands' form stands above each production.
//!
//! Invariant: a type inside an instruction is the type of its result.

use super::cursor::Cursor;
use super::lex::Tok;
use super::{Parse, Words};
use crate::ir::entities::Value;
use crate::ir::inst::*;
use crate::ir::types::{Elem, Type};

/// What stands on a line of a block.
pub enum Line {
    Inst(InstData),
    /// `None` for `unfinished`.
    Term(Option<Terminator>),
}

/// `inst = [ vN ":" type "=" ] opcode operands [ loc ] ;` from the opcode on; `ty` is the type of the result.
pub fn line(c: &mut Cursor, ty: Option<Type>) -> Parse<Line> {
    let opcode = c.word()?;
    if let Some(term) = terminator(c, &opcode)? {
        return Ok(Line::Term(term));
    }
    if let Some(data) = operator(c, &opcode, ty)? {
        return Ok(Line::Inst(data));
    }
    Ok(Line::Inst(other(c, &opcode, ty)?))
}

/// Opcodes that are the words of an operator: `word vN { "," vN }`.
fn operator(c: &mut Cursor, opcode: &str, ty: Option<Type>) -> Parse<Option<InstData>> {
    if let Some(op) = UnaryOp::from_word(opcode) {
        let arg = value(c)?;
        return Ok(Some(InstData::Unary { op, arg }));
    }
    if let Some(op) = BinaryOp::from_word(opcode) {
        let args = values(c)?;
        return Ok(Some(InstData::Binary { op, args }));
    }
    if let Some(op) = TernaryOp::from_word(opcode) {
        let args = values(c)?;
        return Ok(Some(InstData::Ternary { op, args }));
    }
    if let Some(op) = CastOp::from_word(opcode) {
        let to = typed(c, ty)?;
        let arg = value(c)?;
        return Ok(Some(InstData::Cast { op, arg, to }));
    }
    Ok(None)
}

/// Every other opcode.
fn other(c: &mut Cursor, opcode: &str, ty: Option<Type>) -> Parse<InstData> {
    Ok(match opcode {
        "iconst" => {
            let ty = typed(c, ty)?;
            let bits = int_const(c, ty)?;
            InstData::IConst { ty, bits }
        }
        "fconst" => {
            let ty = typed(c, ty)?;
            let bits = float_const(c, ty)?;
            InstData::FConst { ty, bits }
        }
        "undef" => InstData::Undef { ty: typed(c, ty)? },
        // cc vN "," vN
        "icmp" => InstData::ICmp {
            cc: c.variant("an integer comparison")?,
            args: values(c)?,
        },
        "fcmp" => InstData::FCmp {
            cc: c.variant("a floating-point comparison")?,
            args: values(c)?,
        },
        "select" => {
            let [cond, then, els] = values(c)?;
            InstData::Select { cond, then, els }
        }
        "splat" => InstData::Splat {
            lanes: typed(c, ty)?.lanes,
            arg: value(c)?,
        },
        "vector" => vector(c)?,
        // vN "," lane
        "extract" => {
            let vec = value(c)?;
            c.punct(',')?;
            let lane = c.int()?;
            InstData::Extract { vec, lane }
        }
        // vN "," vN "," lane
        "insert" => {
            let [vec, scalar] = values(c)?;
            c.punct(',')?;
            let lane = c.int()?;
            InstData::Insert { vec, scalar, lane }
        }
        "extract_dyn" => {
            let [vec, lane] = values(c)?;
            InstData::ExtractDyn { vec, lane }
        }
        "insert_dyn" => {
            let [vec, scalar, lane] = values(c)?;
            InstData::InsertDyn { vec, scalar, lane }
        }
        // vN "," vN "," "[" lane { "," lane } "]"
        "shuffle" => {
            let [a, b] = values(c)?;
            c.punct(',')?;
            c.punct('[')?;
            let mask = c.list(']', Cursor::int::<u16>)?;
            InstData::Shuffle { a, b, mask }
        }
        "work_item" => InstData::WorkItem {
            query: c.variant("a work-item query")?,
            dim: c.int()?,
        },
        // fnN [ name ] "(" args ")"
        "call" => {
            let func = c.id("fn")?;
            if let Tok::Name(_) = c.peek() {
                c.name()?;
            }
            let args = arguments(c)?;
            InstData::Call { func, args }
        }
        "printf" => InstData::Printf {
            format: c.id("g")?,
            args: arguments(c)?,
        },
        "clock" => InstData::Clock,
        "device" => InstData::Device {
            op: c.variant("an operation of the device")?,
            args: arguments(c)?,
        },
        "scratch_base" => InstData::ScratchBase,
        "report_divergence" => {
            let [a, b, c, d, next] = values(c)?;
            InstData::ReportDivergence(Divergent {
                lines: [a, b],
                regions: [c, d],
                next,
            })
        }
        _ => return memory(c, opcode, ty),
    })
}

/// Opcodes that touch memory or make addresses.
fn memory(c: &mut Cursor, opcode: &str, ty: Option<Type>) -> Parse<InstData> {
    Ok(match opcode {
        "alloca" => {
            let size = c.int()?;
            let align = align(c)?;
            InstData::Alloca { size, align }
        }
        "load" => InstData::Load {
            ty: typed(c, ty)?,
            ptr: value(c)?,
            align: align(c)?,
            volatile: c.accept_keyword("volatile"),
        },
        "store" => {
            let [value, ptr] = values(c)?;
            InstData::Store {
                value,
                ptr,
                align: align(c)?,
                volatile: c.accept_keyword("volatile"),
            }
        }
        "masked_load" => {
            let ty = typed(c, ty)?;
            let [ptr, mask] = values(c)?;
            InstData::MaskedLoad {
                ty,
                ptr,
                mask,
                align: align(c)?,
            }
        }
        "masked_store" => {
            let [value, ptr, mask] = values(c)?;
            InstData::MaskedStore {
                value,
                ptr,
                mask,
                align: align(c)?,
            }
        }
        "gather" => {
            let ty = typed(c, ty)?;
            let [base, offsets, mask] = values(c)?;
            let align = align(c)?;
            InstData::Gather {
                ty,
                base,
                offsets,
                scale: scale(c)?,
                mask,
                align,
            }
        }
        "scatter" => {
            let [value, base, offsets, mask] = values(c)?;
            let align = align(c)?;
            InstData::Scatter {
                value,
                base,
                offsets,
                scale: scale(c)?,
                mask,
                align,
            }
        }
        // vN space
        "in_space" => InstData::InSpace {
            ptr: value(c)?,
            space: c.variant("an address space")?,
        },
        "any_lane" => InstData::AnyLane { mask: value(c)? },
        "mask_bits" => InstData::MaskBits { mask: value(c)? },
        // vN "," vN "," size "align" number
        "memcpy" => {
            let [dst, src] = values(c)?;
            c.punct(',')?;
            let size = c.int()?;
            let align = align(c)?;
            InstData::MemCpy {
                dst,
                src,
                size,
                align,
            }
        }
        "memset" => {
            let [dst, byte] = values(c)?;
            c.punct(',')?;
            let size = c.int()?;
            let align = align(c)?;
            InstData::MemSet {
                dst,
                byte,
                size,
                align,
            }
        }
        "ptr_add" => {
            let [ptr, offset] = values(c)?;
            InstData::PtrAdd { ptr, offset }
        }
        "global_addr" => InstData::GlobalAddr { global: c.id("g")? },
        "local_addr" => InstData::LocalAddr { local: c.id("l")? },
        "atomic_load" => InstData::AtomicLoad {
            ty: typed(c, ty)?,
            ptr: value(c)?,
            order: order(c)?,
            scope: scope(c)?,
        },
        "atomic_store" => {
            let [value, ptr] = values(c)?;
            InstData::AtomicStore {
                value,
                ptr,
                order: order(c)?,
                scope: scope(c)?,
            }
        }
        // op vN "," vN order scope
        "atomic_rmw" => {
            let op = c.variant("an atomic operator")?;
            let [ptr, value] = values(c)?;
            InstData::AtomicRmw {
                op,
                ptr,
                value,
                order: order(c)?,
                scope: scope(c)?,
            }
        }
        "cmpxchg" => {
            let [ptr, expected, new] = values(c)?;
            InstData::AtomicCmpXchg {
                ptr,
                expected,
                new,
                success: order(c)?,
                failure: order(c)?,
                scope: scope(c)?,
            }
        }
        "fence" => InstData::Fence {
            order: order(c)?,
            scope: scope(c)?,
            flags: flags(c)?,
        },
        "prefetch" => InstData::Prefetch { ptr: value(c)? },
        _ => return c.error_before(format!("unknown opcode '{opcode}'")),
    })
}

/// Terminators; `None` where the opcode is not one, `Some(None)` for `unfinished`.
fn terminator(c: &mut Cursor, opcode: &str) -> Parse<Option<Option<Terminator>>> {
    let term = match opcode {
        "jump" => Terminator::Jump(block_call(c)?),
        // vN "," call "," call
        "br" => {
            let cond = value(c)?;
            c.punct(',')?;
            let then = block_call(c)?;
            c.punct(',')?;
            let els = block_call(c)?;
            Terminator::Branch { cond, then, els }
        }
        // vN "," call "," "[" [ number ":" call { "," number ":" call } ] "]"
        "switch" => {
            let value = value(c)?;
            c.punct(',')?;
            let default = block_call(c)?;
            c.punct(',')?;
            c.punct('[')?;
            let cases = c.list(']', |c| {
                let bits = c.int_bits()?;
                c.punct(':')?;
                Ok((bits, block_call(c)?))
            })?;
            Terminator::Switch {
                value,
                cases,
                default,
            }
        }
        "return" => {
            // A result on the next line looks like a value too, but has its type behind it.
            let has_value = c.is_id(0, "v") && *c.peek_ahead(1) != Tok::Punct(':');
            Terminator::Return(if has_value { Some(value(c)?) } else { None })
        }
        "unreachable" => Terminator::Unreachable,
        "unfinished" => return Ok(Some(None)),
        // [ team ] flags scope "line" number "," call
        "barrier" => Terminator::Barrier {
            team: team(c)?,
            flags: flags(c)?,
            scope: scope(c)?,
            line: source_line(c)?,
            next: block_call(c)?,
        },
        // [ team ] operation "[" args "]" "line" number "," call
        "collective" => {
            let (team, op) = (team(c)?, collective(c)?);
            c.punct('[')?;
            let args = c.list(']', value)?;
            Terminator::Collective {
                team,
                op,
                args,
                line: source_line(c)?,
                next: block_call(c)?,
            }
        }
        _ => return Ok(None),
    };
    Ok(Some(Some(term)))
}

/// `team = "sub_group" | "cluster" n ;`
fn team(c: &mut Cursor) -> Parse<Team> {
    if c.accept_keyword("sub_group") {
        return Ok(Team::SubGroup);
    }
    if c.accept_keyword("cluster") {
        return Ok(Team::Cluster(c.int()?));
    }
    Ok(Team::Group)
}

/// `operation = "all" | "any" | "ballot" | "broadcast" | "shuffle"`
/// `          | ( "reduce" | "scan_inclusive" | "scan_exclusive" ) binary ;`
fn collective(c: &mut Cursor) -> Parse<Collective> {
    let word = c.word()?;
    Ok(match &*word {
        "all" => Collective::All,
        "any" => Collective::Any,
        "ballot" => Collective::Ballot,
        "broadcast" => Collective::Broadcast,
        "shuffle" => Collective::Shuffle,
        "reduce" => Collective::Reduce(c.variant("an operation")?),
        "scan_inclusive" => Collective::ScanInclusive(c.variant("an operation")?),
        "scan_exclusive" => Collective::ScanExclusive(c.variant("an operation")?),
        _ => return c.error_before("expected a collective operation"),
    })
}

/// `vN`
fn value(c: &mut Cursor) -> Parse<Value> {
    c.id("v")
}

/// `vN { "," vN }`, as many as the opcode takes.
fn values<const N: usize>(c: &mut Cursor) -> Parse<[Value; N]> {
    let mut out = [Value::new(0); N];
    for (n, slot) in out.iter_mut().enumerate() {
        if n > 0 {
            c.punct(',')?;
        }
        *slot = value(c)?;
    }
    Ok(out)
}

/// `vN { "," vN }`, any number.
fn vector(c: &mut Cursor) -> Parse<InstData> {
    let mut args = vec![value(c)?];
    while c.accept(',') {
        args.push(value(c)?);
    }
    Ok(InstData::BuildVector { args })
}

/// `"(" [ vN { "," vN } ] ")"`
fn arguments(c: &mut Cursor) -> Parse<Vec<Value>> {
    c.punct('(')?;
    c.list(')', value)
}

/// `call = blockN [ "(" vN { "," vN } ")" ] ;`
fn block_call(c: &mut Cursor) -> Parse<BlockCall> {
    let block = c.id("block")?;
    let args = if c.accept('(') {
        c.list(')', value)?
    } else {
        Vec::new()
    };
    Ok(BlockCall { block, args })
}

/// `"align" number`
fn align(c: &mut Cursor) -> Parse<u32> {
    c.keyword("align")?;
    c.int()
}

/// `["scale" number]`
fn scale(c: &mut Cursor) -> Parse<u32> {
    if c.accept_keyword("scale") {
        return c.int();
    }
    Ok(1)
}

/// `"line" number ","`
fn source_line(c: &mut Cursor) -> Parse<u32> {
    c.keyword("line")?;
    let line = c.int()?;
    c.punct(',')?;
    Ok(line)
}

fn order(c: &mut Cursor) -> Parse<MemOrder> {
    c.variant("a memory order")
}

fn scope(c: &mut Cursor) -> Parse<MemScope> {
    c.variant("a memory scope")
}

/// `flags = "[" [ flag { "," flag } ] "]" ;` with `flag = "local" | "global" | "image" ;`
fn flags(c: &mut Cursor) -> Parse<FenceFlags> {
    c.punct('[')?;
    let words = c.list(']', Cursor::word)?;
    let mut flags = FenceFlags::default();
    for word in words {
        match word.as_str() {
            "local" => flags.local = true,
            "global" => flags.global = true,
            "image" => flags.image = true,
            _ => return c.error_before("expected local, global or image"),
        }
    }
    Ok(flags)
}

/// The type of the result, which this opcode must have.
fn typed(c: &Cursor, ty: Option<Type>) -> Parse<Type> {
    match ty {
        Some(ty) => Ok(ty),
        None => c.error_before("this instruction has a result: vN: type = ..."),
    }
}

/// Negative numbers lose the bits above the width; larger ones than fit are only written in hexadecimal.
fn int_const(c: &mut Cursor, ty: Type) -> Parse<u64> {
    let hex = matches!(c.peek(), Tok::Number(text) if text.starts_with("0x"));
    let bits = c.int_bits()?;
    let width = ty.elem.bits();
    if hex || width == 64 {
        return Ok(bits);
    }
    let signed = bits as i64;
    let low = -1i64 << (width - 1);
    if signed < low || (signed >= 0 && bits >> width != 0) {
        return c.error_before("the number does not fit the type");
    }
    Ok(bits & ((1 << width) - 1))
}

fn float_const(c: &mut Cursor, ty: Type) -> Parse<u64> {
    if matches!(c.peek(), Tok::Number(text) if text.starts_with("0x")) {
        return c.int_bits();
    }
    Ok(match ty.elem {
        Elem::F16 => u64::from(half::f16::from_f32(c.int()?).to_bits()),
        Elem::F32 => u64::from(c.int::<f32>()?.to_bits()),
        Elem::F64 => c.int::<f64>()?.to_bits(),
        _ => return c.error_before("fconst has a floating-point type"),
    })
}
