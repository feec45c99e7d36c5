//! Splits private variables (structs, small arrays) that are only accessed at constant offsets into one variable for
//! each part, so that `mem2reg` can promote the parts.
//!
//! A variable is split if every use of its address is a load, store, fill or copy at a constant offset, none of them
//! volatile, and any two accesses touch either the same bytes or none in common. Copies become loads and stores of the
//! parts; bytes that no part covers are never looked at, so that what a copy brings there is dropped.

use std::collections::BTreeMap;

use crate::ir::types::I64;
use crate::ir::{Block, Builder, CastOp, Elem, Function, Inst, InstData, Type, Value};

/// Copies between two variables are resolved one variable a round.
const ROUNDS: usize = 4;

/// A variable is not split in more parts than this.
const MOST_PARTS: usize = 64;

pub fn run(func: &mut Function) {
    for _ in 0..ROUNDS {
        let plan = Plan::make(func);
        if plan.variables.iter().all(Option::is_none) {
            return;
        }
        Splitter { func, plan }.run();
    }
}

/// A variable that is split: its parts by offset, and the new variable of each.
struct Variable {
    parts: BTreeMap<u64, (Type, Value)>,
}

struct Plan {
    /// By value: the variable that it points into, and how many bytes behind its start.
    at: Vec<Option<(usize, u64)>>,
    variables: Vec<Option<Variable>>,
}

impl Plan {
    fn make(func: &mut Function) -> Self {
        let mut scan = Scan::new(func);
        for block in func.layout().to_vec() {
            scan.block(func, block);
        }
        scan.check_copies();
        let Scan {
            at,
            parts,
            refused,
            direct,
            ..
        } = scan;
        let mut variables = Vec::new();
        for (n, parts) in parts.into_iter().enumerate() {
            // What is accessed directly and whole needs no split.
            let whole = direct[n] && parts.len() <= 1;
            if refused[n] || whole || parts.len() > MOST_PARTS {
                variables.push(None);
                continue;
            }
            let mut b = Builder::new(func);
            let parts = parts
                .into_iter()
                .map(|(offset, ty)| {
                    let address = b.alloca(ty.bytes(), ty.align() as u32);
                    (offset, (ty, address))
                })
                .collect();
            variables.push(Some(Variable { parts }));
        }
        Self { at, variables }
    }

    /// The split variable that an address points into, and the offset.
    fn split(&self, address: Value) -> Option<(&Variable, u64)> {
        let (n, offset) = self.at.get(address.index()).copied().flatten()?;
        Some((self.variables[n].as_ref()?, offset))
    }
}

/// Collects the accesses.
struct Scan {
    at: Vec<Option<(usize, u64)>>,
    sizes: Vec<u64>,
    /// By variable: the type of each part, by offset.
    parts: Vec<BTreeMap<u64, Type>>,
    refused: Vec<bool>,
    /// Every access is by the alloca's own address.
    direct: Vec<bool>,
    /// Copies: (variable, offset, size, whether it is the source).
    ranges: Vec<(usize, u64, u64, bool)>,
    /// Copies between two variables.
    between: Vec<(usize, usize)>,
}

impl Scan {
    fn new(func: &Function) -> Self {
        let mut at = vec![None; func.num_values()];
        let mut sizes = Vec::new();
        for &inst in &func.block(func.entry()).insts {
            if let (&InstData::Alloca { size, .. }, Some(v)) = (func.inst(inst), func.result(inst))
            {
                at[v.index()] = Some((sizes.len(), 0));
                sizes.push(size);
            }
        }
        let n = sizes.len();
        let mut scan = Self {
            at,
            sizes,
            parts: vec![BTreeMap::new(); n],
            refused: vec![false; n],
            direct: vec![true; n],
            ranges: Vec::new(),
            between: Vec::new(),
        };
        scan.find_addresses(func);
        scan
    }

    /// Addresses are made before they are used in dominance order, but blocks may stand in any order.
    fn find_addresses(&mut self, func: &Function) {
        let cfg = crate::ir::cfg::Cfg::compute(func);
        for block in cfg.reverse_postorder() {
            for &inst in &func.block(block).insts {
                let from = match *func.inst(inst) {
                    InstData::PtrAdd { ptr, offset } => {
                        let Some(bits) = func.const_bits(offset) else {
                            continue;
                        };
                        self.at[ptr.index()].map(|(n, o)| (n, o.wrapping_add(bits)))
                    }
                    InstData::Cast {
                        op: CastOp::AddrSpaceCast,
                        arg,
                        ..
                    } if !func.ty(arg).is_vector() => self.at[arg.index()],
                    _ => continue,
                };
                if let (Some((n, offset)), Some(result)) = (from, func.result(inst)) {
                    self.at[result.index()] = Some((n, offset));
                    self.direct[n] = false;
                }
            }
        }
    }

    fn block(&mut self, func: &Function, block: Block) {
        for &inst in &func.block(block).insts {
            self.inst(func, inst);
        }
        func.term(block).for_each_use(|v| self.refuse(v));
    }

    fn inst(&mut self, func: &Function, inst: Inst) {
        match *func.inst(inst) {
            InstData::Load {
                ty,
                ptr,
                volatile: false,
                ..
            } => self.access(ptr, ty),
            InstData::Store {
                value,
                ptr,
                volatile: false,
                ..
            } => {
                self.access(ptr, func.ty(value));
                self.refuse(value);
            }
            InstData::MemSet {
                dst, byte, size, ..
            } => match func.const_bits(byte) {
                Some(_) => self.range(dst, size, false),
                _ => self.refuse(dst),
            },
            InstData::MemCpy { dst, src, size, .. } => {
                self.range(dst, size, false);
                self.range(src, size, true);
                if let (Some((d, _)), Some((s, _))) = (self.at[dst.index()], self.at[src.index()]) {
                    self.between.push((d, s));
                }
            }
            // Making an address is no access, if it is one that we follow.
            InstData::PtrAdd { ptr, .. } | InstData::Cast { arg: ptr, .. } => {
                let followed = func
                    .result(inst)
                    .is_some_and(|r| self.at[r.index()].is_some());
                if !followed {
                    self.refuse(ptr);
                }
            }
            ref other => other.for_each_use(|v| self.refuse(v)),
        }
    }

    fn refuse(&mut self, value: Value) {
        if let Some((n, _)) = self.at[value.index()] {
            self.refused[n] = true;
        }
    }

    fn access(&mut self, ptr: Value, ty: Type) {
        let Some((n, offset)) = self.at[ptr.index()] else {
            return;
        };
        let fits = offset.checked_add(ty.bytes()) <= Some(self.sizes[n])
            && offset.checked_add(ty.bytes()).is_some();
        if !fits {
            self.refused[n] = true;
            return;
        }
        let parts = &mut self.parts[n];
        let before = parts.range(..=offset).next_back();
        let ok = match before {
            Some((&at, &old)) if at == offset => can_stand_for(old, ty),
            Some((&at, &old)) if at + old.bytes() > offset => false,
            _ => parts
                .range(offset + 1..)
                .next()
                .is_none_or(|(&at, _)| offset + ty.bytes() <= at),
        };
        if ok {
            parts.entry(offset).or_insert(ty);
        } else {
            self.refused[n] = true;
        }
    }

    fn range(&mut self, ptr: Value, size: u64, source: bool) {
        if let Some((n, offset)) = self.at[ptr.index()] {
            self.ranges.push((n, offset, size, source));
            self.direct[n] = false;
        }
    }

    /// A copy or fill must not cut a part; a copy from a variable must find parts everywhere.
    fn check_copies(&mut self) {
        for &(n, offset, size, source) in &self.ranges {
            let Some(end) = offset.checked_add(size).filter(|&e| e <= self.sizes[n]) else {
                self.refused[n] = true;
                continue;
            };
            let mut covered = 0;
            for (&at, ty) in &self.parts[n] {
                let part_end = at + ty.bytes();
                if part_end <= offset || end <= at {
                    continue;
                }
                if at < offset || end < part_end {
                    self.refused[n] = true;
                }
                covered += ty.bytes();
            }
            if source && covered != size {
                self.refused[n] = true;
            }
        }
        // One of two is enough for a round.
        for &(dst, src) in &self.between {
            if !self.refused[dst] && !self.refused[src] {
                self.refused[src] = true;
            }
            if dst == src {
                self.refused[dst] = true;
            }
        }
    }
}

/// A part of type `old` can be accessed as `ty`.
fn can_stand_for(old: Type, ty: Type) -> bool {
    old == ty
        || (old.bytes() == ty.bytes()
            && [old, ty]
                .iter()
                .all(|t| !t.elem.is_ptr() && t.elem != Elem::I1 && t.lanes != 3))
}

struct Splitter<'f> {
    func: &'f mut Function,
    plan: Plan,
}

impl Splitter<'_> {
    fn run(mut self) {
        for block in self.func.layout().to_vec() {
            let insts = std::mem::take(&mut self.func.block_mut(block).insts);
            for inst in insts {
                self.inst(block, inst);
            }
        }
    }

    /// Puts what stands for `inst` at the end of `block`.
    fn inst(&mut self, block: Block, inst: Inst) {
        let data = self.func.inst(inst).clone();
        let loc = self.func.loc(inst);
        let result = self.func.result(inst);
        if let Some(result) = result
            && let InstData::Alloca { .. } | InstData::PtrAdd { .. } | InstData::Cast { .. } = data
            && self.plan.split(result).is_some()
        {
            return;
        }
        let plan = &self.plan;
        let mut b = Builder::new(self.func);
        b.set_loc(loc);
        b.switch_to(block);
        match data {
            InstData::Load { ty, ptr, .. } => {
                if let Some((variable, offset)) = plan.split(ptr) {
                    let (part, address) = variable.parts[&offset];
                    if part == ty {
                        *b.func.inst_mut(inst) = load(part, address);
                    } else {
                        let value = b.load(part, address, part.align() as u32, false);
                        *b.func.inst_mut(inst) = InstData::Cast {
                            op: CastOp::Bitcast,
                            arg: value,
                            to: ty,
                        };
                    }
                }
                b.func.append_inst(block, inst);
            }
            InstData::Store { value, ptr, .. } => match plan.split(ptr) {
                Some((variable, offset)) => {
                    let (part, address) = variable.parts[&offset];
                    let value = if b.func.ty(value) == part {
                        value
                    } else {
                        b.cast(CastOp::Bitcast, value, part)
                    };
                    b.store(value, address, part.align() as u32, false);
                }
                None => b.func.append_inst(block, inst),
            },
            InstData::MemSet {
                dst, byte, size, ..
            } => match plan.split(dst) {
                Some((variable, offset)) => {
                    let Some(bits) = b.func.const_bits(byte) else {
                        panic!("the plan took a fill with an unknown byte");
                    };
                    for (_, &(ty, address)) in variable.parts.range(offset..offset + size) {
                        let value = filled(&mut b, ty, bits as u8);
                        b.store(value, address, ty.align() as u32, false);
                    }
                }
                None => b.func.append_inst(block, inst),
            },
            InstData::MemCpy {
                dst,
                src,
                size,
                align,
            } => match (plan.split(dst), plan.split(src)) {
                (Some((variable, offset)), _) => {
                    for (&at, &(ty, address)) in variable.parts.range(offset..offset + size) {
                        let from = moved(&mut b, src, at - offset);
                        let align = known_align(align, at - offset, ty);
                        let value = b.load(ty, from, align, false);
                        b.store(value, address, ty.align() as u32, false);
                    }
                }
                (None, Some((variable, offset))) => {
                    for (&at, &(ty, address)) in variable.parts.range(offset..offset + size) {
                        let value = b.load(ty, address, ty.align() as u32, false);
                        let to = moved(&mut b, dst, at - offset);
                        let align = known_align(align, at - offset, ty);
                        b.store(value, to, align, false);
                    }
                }
                (None, None) => b.func.append_inst(block, inst),
            },
            _ => b.func.append_inst(block, inst),
        }
    }
}

fn load(ty: Type, ptr: Value) -> InstData {
    InstData::Load {
        ty,
        ptr,
        align: ty.align() as u32,
        volatile: false,
    }
}

fn moved(b: &mut Builder, ptr: Value, by: u64) -> Value {
    if by == 0 {
        return ptr;
    }
    let by = b.iconst(I64, by);
    b.ptr_add(ptr, by)
}

/// What is known of the alignment `offset` bytes behind something aligned to `align`, up to that of `ty`.
fn known_align(align: u32, offset: u64, ty: Type) -> u32 {
    let of_offset = match offset {
        0 => u32::MAX,
        _ => 1 << offset.trailing_zeros().min(31),
    };
    align.min(of_offset).min(ty.align() as u32).max(1)
}

/// A value of which every byte is `byte`.
fn filled(b: &mut Builder, ty: Type, byte: u8) -> Value {
    let bits = u64::from_ne_bytes([byte; 8]);
    match ty.elem {
        Elem::F16 => b.fconst_bits(ty, bits & 0xffff),
        Elem::F32 => b.fconst_bits(ty, bits & 0xffff_ffff),
        Elem::F64 => b.fconst_bits(ty, bits),
        _ => b.iconst(ty, bits),
    }
}
