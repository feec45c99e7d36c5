//! The text form of modules and functions; [`super::parse`] reads it back.
//!
//! Invariants: ids are printed as they are (never renumbered), so that a message about `v17` can be looked up in the
//! text; printing a module, parsing it and printing it again gives the same text; printing does not panic on a
//! function that the verifier would refuse, as long as its ids are in its tables.
//!
//! The grammar (`//` comments run to the end of the line; white space separates words and is otherwise free):
//!
//! ```text
//! module   = { file | type | global | declare | function } ;
//! file     = "file" number string ;                                     // numbers count up from 0
//! type     = "type" number debug_type ;                                  // of variables; see `parse/debug.rs`
//! global   = "global" gN space string [ "external" | "undefined" ] "align" number "=" { string | "zero" number }
//!            { "reloc" number gN ( "+" | "-" ) number } ;               // offset, target, addend
//! declare  = "declare" fnN name ;                                       // a slot without a body
//! function = ( "kernel" | "func" ) fnN name "(" [ param { "," param } ] ")" [ "->" type ] { attr }
//!            [ loc ] "{" { local } [ debug ] { block } "}" ;              // debug: see `parse/debug.rs`
//! name     = "@" ( word | string ) ;
//! param    = ( vN ":" type | "_" ) { "noalias" | "readonly" | "by_value" "(" size "," align ")" | "noattrs" } [ string ] ;
//! attr     = "always_inline" | "noinline" | "group" | "reqd_size" "(" x "," y "," z ")"
//!          | "size_hint" "(" x "," y "," z ")" | ( "number_bits" | "reqd_sub_group" ) number ;
//! local    = "local" lN ":" number "align" number string ;              // size in bytes
//! block    = blockN [ "(" vN ":" type { "," vN ":" type } ")" ] [ unroll ] ":" { inst } terminator ;
//! unroll   = "unroll" ( "full" | "never" | number ) ;
//! inst     = [ vN ":" type "=" ] opcode operands [ loc ] ;
//! loc      = "!" [ file ":" ] line ":" column [ "!" ] [ "+" scope ] ;
//! type     = ( "i1" | "i8" | "i16" | "i32" | "i64" | "f16" | "f32" | "f64" | "ptr." space ) [ "x" lanes ] ;
//! string   = '"' { printable | "\" hex hex } '"' ;
//! ```
//!
//! The first block is the entry; its parameters stand in the function's head. `iconst` takes a signed or hexadecimal
//! number, `fconst` a decimal number that stands for exactly one value, or the bits in hexadecimal. The operands of
//! each opcode are listed at `Printer::inst` (a gather or scatter of a scale other than 1 ends in `scale N`); the words for operators are in `names.rs`.

mod debug;
mod words;

use std::fmt::{self, Display, Formatter};

use super::entities::{Block, FuncId, GlobalId, Inst, LocalId, Value};
use super::function::{Function, ParamAttrs, SrcLoc, Unroll};
use super::inst::{InstData, Terminator};
use super::module::{Global, Linkage, Module};
use super::types::I64;
use words::{Call, Flags, FloatBits, IntBits, List, Name, Quoted, TeamWord};

/// Zero bytes in a row from which an initialiser is shortened to `zero N`.
const ZERO_RUN: usize = 16;

/// The text with source locations behind each instruction.
pub fn with_locations(module: &Module) -> impl Display + '_ {
    ModuleText { module, locs: true }
}

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        ModuleText {
            module: self,
            locs: false,
        }
        .fmt(f)
    }
}

/// The function as `fn0`; calls are shown by id alone.
impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Printer::alone(self).function(FuncId::new(0), f)
    }
}

/// One instruction without its location, for messages.
pub fn inst_text(func: &Function, inst: Inst) -> String {
    FromFn(|f: &mut Formatter<'_>| Printer::alone(func).inst(inst, f)).to_string()
}

/// The terminator of `block`, for messages.
pub fn term_text(func: &Function, block: Block) -> String {
    let write = |f: &mut Formatter<'_>| match &func.block(block).term {
        Some(term) => Printer::alone(func).terminator(term, f),
        None => f.write_str("unfinished"),
    };
    FromFn(write).to_string()
}

struct FromFn<F>(F);

impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for FromFn<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (self.0)(f)
    }
}

struct ModuleText<'a> {
    module: &'a Module,
    locs: bool,
}

impl Display for ModuleText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let module = self.module;
        for (n, file) in module.files.iter().enumerate() {
            writeln!(f, "file {n} {}", Quoted(file.as_bytes()))?;
        }
        for (n, ty) in module.debug_types.iter().enumerate().filter(|_| self.locs) {
            write!(f, "type {n} ")?;
            debug::debug_type(ty, f)?;
            f.write_str("\n")?;
        }
        for (n, global) in module.globals.iter().enumerate() {
            print_global(GlobalId::new(n), global, f)?;
        }
        for (n, slot) in module.functions.iter().enumerate() {
            let id = FuncId::new(n);
            match &slot.body {
                None => writeln!(f, "declare {id} {}", Name(&slot.name))?,
                Some(func) => Printer {
                    module: Some(module),
                    func,
                    locs: self.locs,
                }
                .function(id, f)?,
            }
        }
        Ok(())
    }
}

fn print_global(id: GlobalId, global: &Global, f: &mut Formatter<'_>) -> fmt::Result {
    let name = Quoted(global.name.as_bytes());
    let linkage = match global.linkage {
        Linkage::Internal => "",
        Linkage::External => " external",
        Linkage::Undefined => " undefined",
    };
    write!(
        f,
        "global {id} {} {name}{linkage} align {} =",
        global.space, global.align
    )?;
    print_bytes(&global.init, f)?;
    for (offset, target, addend) in &global.relocs {
        let sign = if *addend < 0 { '-' } else { '+' };
        write!(
            f,
            " reloc {offset} {target} {sign} {}",
            addend.unsigned_abs()
        )?;
    }
    writeln!(f)
}

/// Strings, and `zero N` for long runs of zeros.
fn print_bytes(bytes: &[u8], f: &mut Formatter<'_>) -> fmt::Result {
    let mut rest = bytes;
    let mut text_len = 0;
    while text_len < rest.len() {
        let zeros = rest[text_len..].iter().take_while(|&&b| b == 0).count();
        if zeros < ZERO_RUN {
            text_len += zeros.max(1);
            continue;
        }
        if text_len > 0 {
            write!(f, " {}", Quoted(&rest[..text_len]))?;
        }
        write!(f, " zero {zeros}")?;
        rest = &rest[text_len + zeros..];
        text_len = 0;
    }
    if text_len > 0 {
        write!(f, " {}", Quoted(rest))?;
    }
    Ok(())
}

struct Printer<'a> {
    module: Option<&'a Module>,
    func: &'a Function,
    locs: bool,
}

impl<'a> Printer<'a> {
    fn alone(func: &'a Function) -> Self {
        Self {
            module: None,
            func,
            locs: false,
        }
    }

    fn function(&self, id: FuncId, f: &mut Formatter<'_>) -> fmt::Result {
        let func = self.func;
        let word = if func.kernel.is_some() {
            "kernel"
        } else {
            "func"
        };
        write!(f, "{word} {id} {}(", Name(&func.name))?;
        let values: &[Value] = match func.layout().first() {
            Some(&entry) => &func.block(entry).params,
            None => &[],
        };
        for n in 0..values.len().max(func.params.len()) {
            if n > 0 {
                f.write_str(", ")?;
            }
            self.param(values.get(n).copied(), func.params.get(n), f)?;
        }
        f.write_str(")")?;
        if let Some(ty) = func.ret {
            write!(f, " -> {ty}")?;
        }
        if func.always_inline {
            f.write_str(" always_inline")?;
        }
        if func.noinline {
            f.write_str(" noinline")?;
        }
        if func.group {
            f.write_str(" group")?;
        }
        if let Some(attrs) = &func.kernel {
            for (word, size) in [
                ("reqd_size", attrs.reqd_work_group_size),
                ("size_hint", attrs.work_group_size_hint),
            ] {
                if let Some([x, y, z]) = size {
                    write!(f, " {word}({x}, {y}, {z})")?;
                }
            }
            for (word, n) in [
                ("number_bits", attrs.number_bits),
                ("sub_group", attrs.sub_group_size),
            ] {
                if let Some(n) = n {
                    write!(f, " {word} {n}")?;
                }
            }
        }
        self.loc(func.loc, f)?;
        f.write_str(" {\n")?;
        for (n, var) in func.locals.iter().enumerate() {
            let (id, name) = (LocalId::new(n), Quoted(var.name.as_bytes()));
            writeln!(f, "    local {id}: {} align {} {name}", var.size, var.align)?;
        }
        if let Some(debug) = func.debug.as_deref().filter(|_| self.locs) {
            debug::function_debug(debug, f)?;
        }
        for (n, &block) in func.layout().iter().enumerate() {
            self.block(block, n == 0, f)?;
        }
        f.write_str("}\n")
    }

    /// A value without attributes, or attributes without a value, are errors that the verifier names.
    fn param(
        &self,
        value: Option<Value>,
        attrs: Option<&ParamAttrs>,
        f: &mut Formatter<'_>,
    ) -> fmt::Result {
        match value {
            Some(v) => write!(f, "{v}: {}", self.func.ty(v))?,
            None => f.write_str("_")?,
        }
        let Some(attrs) = attrs else {
            return f.write_str(" noattrs");
        };
        if attrs.noalias {
            f.write_str(" noalias")?;
        }
        if attrs.readonly {
            f.write_str(" readonly")?;
        }
        if let Some((size, align)) = attrs.by_value {
            write!(f, " by_value({size}, {align})")?;
        }
        if !attrs.name.is_empty() {
            write!(f, " {}", Quoted(attrs.name.as_bytes()))?;
        }
        Ok(())
    }

    fn block(&self, block: Block, entry: bool, f: &mut Formatter<'_>) -> fmt::Result {
        let data = self.func.block(block);
        write!(f, "{block}")?;
        if !entry && !data.params.is_empty() {
            f.write_str("(")?;
            for (n, &v) in data.params.iter().enumerate() {
                let comma = if n > 0 { ", " } else { "" };
                write!(f, "{comma}{v}: {}", self.func.ty(v))?;
            }
            f.write_str(")")?;
        }
        match data.unroll {
            None => {}
            Some(Unroll::Full) => f.write_str(" unroll full")?,
            Some(Unroll::Never) => f.write_str(" unroll never")?,
            Some(Unroll::By(n)) => write!(f, " unroll {n}")?,
        }
        f.write_str(":\n")?;
        for &inst in &data.insts {
            f.write_str("    ")?;
            self.inst(inst, f)?;
            self.loc(self.func.loc(inst), f)?;
            f.write_str("\n")?;
        }
        f.write_str("    ")?;
        match &data.term {
            Some(term) => self.terminator(term, f)?,
            None => f.write_str("unfinished")?,
        }
        self.loc(data.term_loc, f)?;
        f.write_str("\n")
    }

    fn loc(&self, loc: SrcLoc, f: &mut Formatter<'_>) -> fmt::Result {
        if !self.locs || loc == SrcLoc::default() {
            return Ok(());
        }
        debug::loc_text(loc, f)
    }

    /// `[vN: type =] opcode operands`; a type inside the instruction is that of its result.
    fn inst(&self, inst: Inst, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(v) = self.func.result(inst) {
            write!(f, "{v}: {} = ", self.func.ty(v))?;
        }
        match self.func.inst(inst) {
            InstData::IConst { ty, bits } => write!(f, "iconst {}", IntBits(*bits, *ty)),
            InstData::FConst { ty, bits } => write!(f, "fconst {}", FloatBits(*bits, *ty)),
            InstData::Undef { .. } => f.write_str("undef"),
            InstData::Unary { op, arg } => write!(f, "{} {arg}", op.name()),
            InstData::Binary { op, args } => write!(f, "{} {}", op.name(), List(args)),
            InstData::Ternary { op, args } => write!(f, "{} {}", op.name(), List(args)),
            InstData::ICmp { cc, args } => write!(f, "icmp {} {}", cc.name(), List(args)),
            InstData::FCmp { cc, args } => write!(f, "fcmp {} {}", cc.name(), List(args)),
            InstData::Select { cond, then, els } => write!(f, "select {cond}, {then}, {els}"),
            InstData::Cast { op, arg, .. } => write!(f, "{} {arg}", op.name()),
            InstData::Splat { arg, .. } => write!(f, "splat {arg}"),
            InstData::BuildVector { args } => write!(f, "vector {}", List(args)),
            InstData::Extract { vec, lane } => write!(f, "extract {vec}, {lane}"),
            InstData::Insert { vec, scalar, lane } => {
                write!(f, "insert {vec}, {scalar}, {lane}")
            }
            InstData::ExtractDyn { vec, lane } => write!(f, "extract_dyn {vec}, {lane}"),
            InstData::InsertDyn { vec, scalar, lane } => {
                write!(f, "insert_dyn {vec}, {scalar}, {lane}")
            }
            InstData::Shuffle { a, b, mask } => write!(f, "shuffle {a}, {b}, [{}]", List(mask)),
            InstData::Alloca { size, align } => write!(f, "alloca {size} align {align}"),
            InstData::Load {
                ptr,
                align,
                volatile,
                ..
            } => write!(f, "load {ptr} align {align}{}", volatile_word(*volatile)),
            InstData::Store {
                value,
                ptr,
                align,
                volatile,
            } => {
                let word = volatile_word(*volatile);
                write!(f, "store {value}, {ptr} align {align}{word}")
            }
            InstData::MemCpy {
                dst,
                src,
                size,
                align,
            } => write!(f, "memcpy {dst}, {src}, {size} align {align}"),
            InstData::MemSet {
                dst,
                byte,
                size,
                align,
            } => write!(f, "memset {dst}, {byte}, {size} align {align}"),
            InstData::MaskedLoad {
                ptr, mask, align, ..
            } => write!(f, "masked_load {ptr}, {mask} align {align}"),
            InstData::MaskedStore {
                value,
                ptr,
                mask,
                align,
            } => write!(f, "masked_store {value}, {ptr}, {mask} align {align}"),
            InstData::Gather {
                base,
                offsets,
                scale,
                mask,
                align,
                ..
            } => {
                write!(f, "gather {base}, {offsets}, {mask} align {align}")?;
                scaled(f, *scale)
            }
            InstData::Scatter {
                value,
                base,
                offsets,
                scale,
                mask,
                align,
            } => {
                write!(
                    f,
                    "scatter {value}, {base}, {offsets}, {mask} align {align}"
                )?;
                scaled(f, *scale)
            }
            InstData::InSpace { ptr, space } => write!(f, "in_space {ptr} {space}"),
            InstData::AnyLane { mask } => write!(f, "any_lane {mask}"),
            InstData::MaskBits { mask } => write!(f, "mask_bits {mask}"),
            InstData::PtrAdd { ptr, offset } => write!(f, "ptr_add {ptr}, {offset}"),
            InstData::GlobalAddr { global } => write!(f, "global_addr {global}"),
            InstData::LocalAddr { local } => write!(f, "local_addr {local}"),
            InstData::AtomicLoad {
                ptr, order, scope, ..
            } => write!(f, "atomic_load {ptr} {} {}", order.name(), scope.name()),
            InstData::AtomicStore {
                value,
                ptr,
                order,
                scope,
            } => {
                let (order, scope) = (order.name(), scope.name());
                write!(f, "atomic_store {value}, {ptr} {order} {scope}")
            }
            InstData::AtomicRmw {
                op,
                ptr,
                value,
                order,
                scope,
            } => {
                let (op, order, scope) = (op.name(), order.name(), scope.name());
                write!(f, "atomic_rmw {op} {ptr}, {value} {order} {scope}")
            }
            InstData::AtomicCmpXchg {
                ptr,
                expected,
                new,
                success,
                failure,
                scope,
            } => {
                let (success, failure) = (success.name(), failure.name());
                let scope = scope.name();
                write!(
                    f,
                    "cmpxchg {ptr}, {expected}, {new} {success} {failure} {scope}"
                )
            }
            InstData::Fence {
                order,
                scope,
                flags,
            } => write!(
                f,
                "fence {} {} {}",
                order.name(),
                scope.name(),
                Flags(*flags)
            ),
            InstData::Prefetch { ptr } => write!(f, "prefetch {ptr}"),
            InstData::WorkItem { query, dim } => write!(f, "work_item {} {dim}", query.name()),
            InstData::Call { func, args } => {
                write!(f, "call {func}")?;
                let slot = self.module.and_then(|m| m.functions.get(func.index()));
                if let Some(slot) = slot {
                    write!(f, " {}", Name(&slot.name))?;
                }
                write!(f, "({})", List(args))
            }
            InstData::Printf { format, args } => write!(f, "printf {format}({})", List(args)),
            InstData::Clock => f.write_str("clock"),
            InstData::Device { op, args } => write!(f, "device {}({})", op.name(), List(args)),
            InstData::ScratchBase => f.write_str("scratch_base"),
            InstData::ReportDivergence(divergent) => {
                write!(f, "report_divergence {}", List(&divergent.operands()))
            }
        }
    }

    fn terminator(&self, term: &Terminator, f: &mut Formatter<'_>) -> fmt::Result {
        match term {
            Terminator::Jump(call) => write!(f, "jump {}", Call(call)),
            Terminator::Branch { cond, then, els } => {
                write!(f, "br {cond}, {}, {}", Call(then), Call(els))
            }
            Terminator::Switch {
                value,
                cases,
                default,
            } => {
                let known = value.index() < self.func.num_values();
                let ty = known.then(|| self.func.ty(*value));
                write!(f, "switch {value}, {}, [", Call(default))?;
                for (n, (bits, call)) in cases.iter().enumerate() {
                    let comma = if n > 0 { ", " } else { "" };
                    let bits = IntBits(*bits, ty.unwrap_or(I64));
                    write!(f, "{comma}{bits}: {}", Call(call))?;
                }
                f.write_str("]")
            }
            Terminator::Return(None) => f.write_str("return"),
            Terminator::Return(Some(v)) => write!(f, "return {v}"),
            Terminator::Unreachable => f.write_str("unreachable"),
            Terminator::Barrier {
                team,
                flags,
                scope,
                line,
                next,
            } => {
                let (flags, scope) = (Flags(*flags), scope.name());
                let team = TeamWord(*team);
                write!(
                    f,
                    "barrier {team}{flags} {scope} line {line}, {}",
                    Call(next)
                )
            }
            Terminator::Collective {
                team,
                op,
                args,
                line,
                next,
            } => {
                let (team, args) = (TeamWord(*team), List(args));
                write!(
                    f,
                    "collective {team}{op} [{args}] line {line}, {}",
                    Call(next)
                )
            }
        }
    }
}

fn volatile_word(volatile: bool) -> &'static str {
    if volatile { " volatile" } else { "" }
}

/// What a place's offsets are multiplied by.
fn scaled(f: &mut Formatter<'_>, scale: u32) -> fmt::Result {
    match scale {
        1 => Ok(()),
        _ => write!(f, " scale {scale}"),
    }
}
