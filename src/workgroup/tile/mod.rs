//! Tiles: so many rows of a chunk in one pass, where an access goes far from lane to lane but moves on by one element from row
//! to row. What a naive transpose stores is a column of the tile for each lane: the rows are transposed in registers, and a lane
//! stores, or loads, whole lines of memory instead of an element at a time.
//!
//! This works on the code of a chunk without loops as it stands in the group function, as `jam` does, and by the same leave:
//! between barriers items may run in any order. A tile takes the way through the code that full chunks take, in all rows.
//! It is asked at run time whether they do (bounds checks), and whether the addresses of rows are an element apart (what is computed
//! with 32 bits may wrap on the way); else the rows run one by one.
//!
//! Sources: Eklundh, "A Fast Computer Method for Matrix Transposing" (1972); Wolfe, "More Iteration Space Tiling" (1989).

mod code;

use std::collections::HashSet;

use crate::ir::abi::Tiles;
use crate::ir::{
    BinaryOp, Block, CastOp, Elem, Function, Inst, InstData, Terminator, Value, ValueDef,
};

use super::jam::{Body, Jam, may_run_in_lockstep};

/// More instructions on the way are left alone, as are more that differ by row.
const MAX_WAY: usize = 120;
const MAX_DIFFER: u64 = 40;

/// Lanes and rows of a tile at most.
const MOST_LANES: u16 = 32;
const MOST_ROWS: u64 = 64;

/// Bytes of a line of the cache, which lanes make whole: by more rows than there are lanes, up to so many instructions of all rows.
const LINE: u64 = 64;
const MOST_CODE: u64 = 1280;

/// Operands of operands are looked at so far.
const MAX_DEPTH: u32 = 16;

pub struct Tile {
    /// How many rows it has.
    pub rows: u64,
    lanes: u16,
    way: Vec<Step>,
    /// What depends on the row.
    variant: HashSet<Value>,
    /// What must hold in all rows.
    asks: Vec<Ask>,
    /// Masks of which all lanes are on then.
    full: HashSet<Value>,
    /// The accesses that lanes make for all rows.
    turned: HashSet<Inst>,
}

enum Step {
    Inst(Inst),
    /// A parameter of a block, and what is passed for it.
    Bind(Value, Value),
}

/// Something to be asked before a tile runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ask {
    /// It is true, in all lanes, whatever the row.
    True(Value),
    /// An integer that goes up (or down) by a constant from row to row does not wrap, in any lane.
    Monotone {
        value: Value,
        signed: bool,
        up: bool,
    },
}

impl Tile {
    /// `None` if no access of the code is one for tiles. `y` and `item` tell rows apart, `x` is the chunk's place in all of them;
    /// no other values of the blocks `around` are known.
    pub fn plan(
        body: &Body,
        (out, scratch): (&Function, Value),
        [x, y, item]: [Value; 3],
        around: &[Block],
        lanes: u64,
    ) -> Option<Tile> {
        let (way, conds) = way(out, body)?;
        let lanes = u16::try_from(lanes).ok()?;
        if lanes > MOST_LANES {
            return None;
        }
        let mut tile = Tile {
            rows: 0,
            lanes,
            variant: variant(out, &way, [y, item]),
            way,
            asks: Vec::new(),
            full: HashSet::new(),
            turned: HashSet::new(),
        };
        let differ = tile.may_run((out, scratch), [x, y, item], around)?;
        for cond in conds {
            tile.ask(Ask::True(match out.def_inst(cond) {
                Some(&InstData::AnyLane { mask }) => mask,
                _ => cond,
            }));
        }
        let rows = Rows {
            out,
            tile: &tile,
            y,
        };
        let mut found = Vec::new();
        for inst in tile.insts() {
            let mut asks = Vec::new();
            if let Some(bytes) = rows.is_turned(inst, &mut asks) {
                found.push((inst, bytes, asks));
            }
        }
        let least = found.iter().map(|(_, bytes, _)| *bytes).min()?;
        tile.rows = (LINE / least).clamp(lanes.into(), MOST_ROWS);
        while tile.rows > lanes.into() && tile.rows * differ > MOST_CODE {
            tile.rows /= 2;
        }
        for (inst, _, asks) in found {
            tile.turned.insert(inst);
            asks.into_iter().for_each(|ask| tile.ask(ask));
        }
        tile.full = (tile.asks.iter())
            .filter_map(|ask| match *ask {
                Ask::True(mask) if out.ty(mask).is_vector() => Some(mask),
                _ => None,
            })
            .collect();
        let computed = tile.asks.iter().all(|ask| match *ask {
            Ask::True(value) | Ask::Monotone { value, .. } => tile.is_computed(out, value),
        });
        computed.then_some(tile)
    }

    fn insts(&self) -> impl Iterator<Item = Inst> {
        self.way.iter().filter_map(|step| match step {
            Step::Inst(inst) => Some(*inst),
            Step::Bind(..) => None,
        })
    }

    fn ask(&mut self, ask: Ask) {
        if !self.asks.contains(&ask) {
            self.asks.push(ask);
        }
    }

    /// How many instructions differ by row; `None` if rows may not run in lockstep, or are too long for that.
    fn may_run(
        &self,
        (out, scratch): (&Function, Value),
        known: [Value; 3],
        around: &[Block],
    ) -> Option<u64> {
        let mut given: HashSet<Value> = HashSet::new();
        for &block in around {
            let data = out.block(block);
            let results = data.insts.iter().filter_map(|&i| out.result(i));
            given.extend(data.params.iter().copied().chain(results));
        }
        given.retain(|v| !known.contains(v));
        let mut differ = 0;
        for step in &self.way {
            let mut strange = false;
            match *step {
                Step::Inst(inst) => {
                    let data = out.inst(inst);
                    may_run_in_lockstep((out, scratch), &self.variant, data)?;
                    data.for_each_use(|v| strange |= given.contains(&v));
                    let varies = |v: Value| self.variant.contains(&v);
                    differ += u64::from(out.result(inst).is_none_or(varies));
                }
                Step::Bind(_, arg) => strange = given.contains(&arg),
            }
            if strange {
                return None;
            }
        }
        (self.way.len() <= MAX_WAY && differ <= MAX_DIFFER).then_some(differ)
    }

    /// The value can be found out without looking at memory.
    fn is_computed(&self, out: &Function, value: Value) -> bool {
        let mut seen = HashSet::new();
        let mut list = vec![value];
        let inside: HashSet<Inst> = self.insts().collect();
        while let Some(value) = list.pop() {
            if !seen.insert(value) {
                continue;
            }
            let bound = self.way.iter().find_map(|step| match step {
                Step::Bind(param, arg) if *param == value => Some(*arg),
                _ => None,
            });
            list.extend(bound);
            let ValueDef::Result(inst) = out.value(value).def else {
                continue;
            };
            if !inside.contains(&inst) {
                continue;
            }
            let data = out.inst(inst);
            if reads_memory(data) {
                return false;
            }
            data.for_each_use(|v| list.push(v));
        }
        true
    }

    /// Whether rows may have to run one by one.
    pub fn asks(&self) -> bool {
        !self.asks.is_empty()
    }

    /// What a launch should know of it.
    pub fn tiles(&self, out: &Function) -> Tiles {
        let mut turned = self.turned.iter().map(|&inst| out.inst(inst));
        Tiles {
            rows: self.rows as u32,
            down: turned.all(|data| matches!(data, InstData::Gather { .. })),
        }
    }

    /// One row by itself, as a plan for the code that there is.
    pub fn one_row(&self) -> Jam {
        Jam {
            variant: self.variant.clone(),
            copies: 1,
            abreast: 1,
        }
    }
}

/// The way that a chunk takes whose lanes are all on, and whose lanes are a step apart wherever that is asked; and the conditions on it.
fn way(out: &Function, body: &Body) -> Option<(Vec<Step>, Vec<Value>)> {
    let (mut way, mut conds) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    let mut block = body.start;
    while block != body.latch {
        if !seen.insert(block) {
            return None;
        }
        way.extend(out.block(block).insts.iter().copied().map(Step::Inst));
        let call = match out.term(block) {
            Terminator::Jump(call) => call,
            Terminator::Branch { cond, then, .. } => {
                conds.push(*cond);
                then
            }
            _ => return None,
        };
        let params = out.block(call.block).params.iter().copied();
        way.extend(params.zip(&call.args).map(|(p, &arg)| Step::Bind(p, arg)));
        block = call.block;
    }
    Some((way, conds))
}

/// The seeds, and what is computed from them on the way.
fn variant(out: &Function, way: &[Step], seeds: [Value; 2]) -> HashSet<Value> {
    let mut variant = HashSet::from(seeds);
    for step in way {
        match *step {
            Step::Bind(param, arg) if variant.contains(&arg) => _ = variant.insert(param),
            Step::Bind(..) => {}
            Step::Inst(inst) => {
                let mut differs = false;
                out.inst(inst)
                    .for_each_use(|v| differs |= variant.contains(&v));
                variant.extend(out.result(inst).filter(|_| differs));
            }
        }
    }
    variant
}

/// How values change from row to row.
struct Rows<'a> {
    out: &'a Function,
    tile: &'a Tile,
    y: Value,
}

impl Rows<'_> {
    /// The bytes of an element, if the access goes on by that many from row to row while all lanes are on: where what is
    /// asked holds.
    fn is_turned(&self, inst: Inst, asks: &mut Vec<Ask>) -> Option<u64> {
        let (ty, base, offsets, scale, mask) = match *self.out.inst(inst) {
            InstData::Gather {
                ty,
                base,
                offsets,
                scale,
                mask,
                ..
            } => (ty, base, offsets, scale, mask),
            InstData::Scatter {
                value,
                base,
                offsets,
                scale,
                mask,
                ..
            } => (self.out.ty(value), base, offsets, scale, mask),
            _ => return None,
        };
        if self.out.const_bits(mask) != Some(1) {
            asks.push(Ask::True(mask));
        }
        if ty.lanes != self.tile.lanes
            || self.out.ty(base).is_vector()
            || !(ty.elem.is_int() || ty.elem.is_float())
            || ty.elem == Elem::I1
        {
            return None;
        }
        let by_offset = self.step(offsets, asks, 0)?;
        if self.out.ty(offsets).elem != Elem::I64 {
            self.must_not_wrap(offsets, true, by_offset, asks)?;
        }
        let by_base = self.step(base, asks, 0)?;
        let step = by_base.wrapping_add(by_offset.wrapping_mul(scale.into()));
        (step == ty.elem.bytes() as i64).then_some(step as u64)
    }

    /// By how much a value goes on from row to row, modulo its width; `None` if that is not known.
    fn step(&self, value: Value, asks: &mut Vec<Ask>, depth: u32) -> Option<i64> {
        if value == self.y {
            return Some(1);
        }
        if !self.tile.variant.contains(&value) {
            return Some(0);
        }
        if depth == MAX_DEPTH {
            return None;
        }
        let out = self.out;
        let mut of = |v: Value| self.step(v, asks, depth + 1);
        let bound = self.tile.way.iter().find_map(|step| match step {
            Step::Bind(param, arg) if *param == value => Some(*arg),
            _ => None,
        });
        if let Some(arg) = bound {
            return of(arg);
        }
        match *out.def_inst(value)? {
            InstData::Binary { op, args: [a, b] } => match op {
                BinaryOp::Add => Some(of(a)?.wrapping_add(of(b)?)),
                BinaryOp::Sub => Some(of(a)?.wrapping_sub(of(b)?)),
                BinaryOp::Mul => match (out.const_int(a), out.const_int(b)) {
                    (Some(c), _) => Some(of(b)?.wrapping_mul(c)),
                    (_, Some(c)) => Some(of(a)?.wrapping_mul(c)),
                    _ => None,
                },
                BinaryOp::Shl => match out.const_bits(b)? {
                    c @ 0..=30 => Some(of(a)?.wrapping_shl(c as u32)),
                    _ => None,
                },
                // The highest bit alone: a sum as well.
                BinaryOp::Xor => {
                    let highest = 1 << (out.ty(value).elem.bits() - 1);
                    let is_highest = |v: Value| out.const_bits(v) == Some(highest);
                    match (is_highest(a), is_highest(b)) {
                        (true, _) => of(b),
                        (_, true) => of(a),
                        _ => None,
                    }
                }
                _ => None,
            },
            InstData::Cast {
                op: CastOp::Trunc,
                arg,
                ..
            } => of(arg),
            InstData::Cast {
                op: op @ (CastOp::SExt | CastOp::ZExt),
                arg,
                ..
            } => {
                let step = of(arg)?;
                self.must_not_wrap(arg, op == CastOp::SExt, step, asks)?;
                Some(step)
            }
            InstData::Splat { arg, .. } => of(arg),
            InstData::PtrAdd { ptr, offset } => Some(of(ptr)?.wrapping_add(of(offset)?)),
            _ => None,
        }
    }

    /// Asks that a value which goes on by `step` does not wrap. `None` if it goes far.
    fn must_not_wrap(
        &self,
        value: Value,
        signed: bool,
        step: i64,
        asks: &mut Vec<Ask>,
    ) -> Option<()> {
        let bits = self.out.ty(value).elem.bits();
        let far = step.unsigned_abs().checked_mul(MOST_ROWS)?;
        if far >> (bits - 1) != 0 {
            return None;
        }
        if step != 0 {
            let up = step > 0;
            asks.push(Ask::Monotone { value, signed, up });
        }
        Some(())
    }
}

fn reads_memory(data: &InstData) -> bool {
    !matches!(
        data,
        InstData::IConst { .. }
            | InstData::FConst { .. }
            | InstData::Unary { .. }
            | InstData::Binary { .. }
            | InstData::Ternary { .. }
            | InstData::ICmp { .. }
            | InstData::FCmp { .. }
            | InstData::Select { .. }
            | InstData::Cast { .. }
            | InstData::Splat { .. }
            | InstData::BuildVector { .. }
            | InstData::Extract { .. }
            | InstData::Insert { .. }
            | InstData::Shuffle { .. }
            | InstData::PtrAdd { .. }
            | InstData::AnyLane { .. }
            | InstData::MaskBits { .. }
            | InstData::WorkItem { .. }
    )
}
