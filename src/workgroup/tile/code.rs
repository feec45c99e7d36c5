//! The code of a tile: what is asked, then the way of a chunk for all of its rows in lockstep, and the accesses that are turned.

use std::collections::HashMap;

use crate::ir::types::I64;
use crate::ir::{
    BinaryOp, Block, Builder, CastOp, Function, Inst, InstData, IntCC, SrcLoc, Type, UnaryOp, Value,
};

use super::{Ask, Step, Tile};

impl Tile {
    /// Emits a tile between `from` and `to`: `seeds` tells for `y`, `item` and `x` what they are in each row. `one_by_one` takes
    /// a block from which the rows run that way.
    pub fn emit(
        &self,
        out: &mut Function,
        seeds: &[(Value, Vec<Value>)],
        (from, to): (Block, Block),
        one_by_one: Block,
    ) {
        let mut maps: Vec<HashMap<Value, Value>> = vec![HashMap::new(); self.rows as usize];
        for (seed, values) in seeds {
            for (map, &value) in maps.iter_mut().zip(values) {
                map.insert(*seed, value);
            }
        }
        let tile = out.add_block();
        match self.emit_asks(out, &maps, from) {
            Some(ok) => at(out, from).branch(ok, (tile, Vec::new()), (one_by_one, Vec::new())),
            None => at(out, from).jump(tile, Vec::new()),
        }
        for step in &self.way {
            match *step {
                Step::Inst(inst) => self.emit_inst(out, &mut maps, tile, inst),
                Step::Bind(param, arg) => {
                    for map in &mut maps {
                        map.insert(param, of(map, arg));
                    }
                }
            }
        }
        at(out, tile).jump(to, Vec::new());
    }

    /// Whether all that is asked holds.
    fn emit_asks(
        &self,
        out: &mut Function,
        maps: &[HashMap<Value, Value>],
        here: Block,
    ) -> Option<Value> {
        let mut maps = maps.to_vec();
        let last = maps.len() - 1;
        let mut all: Option<Value> = None;
        for ask in &self.asks {
            let mut holds: Option<Value> = None;
            match *ask {
                Ask::True(value) => {
                    let count = match self.variant.contains(&value) {
                        true => maps.len(),
                        false => 1,
                    };
                    for map in &mut maps[..count] {
                        let value = self.emit_value(out, map, here, value);
                        holds = Some(match holds {
                            None => value,
                            Some(before) => at(out, here).binary(BinaryOp::And, before, value),
                        });
                    }
                }
                Ask::Monotone { value, signed, up } => {
                    let first = self.emit_value(out, &mut maps[0], here, value);
                    let last = self.emit_value(out, &mut maps[last], here, value);
                    let cc = match (signed, up) {
                        (true, true) => IntCC::Sle,
                        (true, false) => IntCC::Sge,
                        (false, true) => IntCC::Ule,
                        (false, false) => IntCC::Uge,
                    };
                    holds = Some(at(out, here).icmp(cc, first, last));
                }
            }
            let mut holds = holds.expect("there is a row");
            if out.ty(holds).is_vector() {
                let mut b = at(out, here);
                let not = b.unary(UnaryOp::Not, holds);
                let any = b.any_lane(not);
                holds = b.unary(UnaryOp::Not, any);
            }
            all = Some(match all {
                None => holds,
                Some(before) => at(out, here).binary(BinaryOp::And, before, holds),
            });
        }
        all
    }

    /// Computes a value ahead of the tile.
    fn emit_value(
        &self,
        out: &mut Function,
        map: &mut HashMap<Value, Value>,
        here: Block,
        value: Value,
    ) -> Value {
        if let Some(&known) = map.get(&value) {
            return known;
        }
        let step = self.way.iter().find(|step| match **step {
            Step::Inst(inst) => out.result(inst) == Some(value),
            Step::Bind(param, _) => param == value,
        });
        let new = match step {
            None => value,
            Some(&Step::Bind(_, arg)) => self.emit_value(out, map, here, arg),
            Some(&Step::Inst(inst)) => {
                let mut data = out.inst(inst).clone();
                let (loc, ty) = (out.loc(inst), out.ty(value));
                let mut uses = Vec::new();
                data.for_each_use(|v| uses.push(v));
                for v in uses {
                    self.emit_value(out, map, here, v);
                }
                data.for_each_use_mut(|v| *v = of(map, *v));
                push(out, here, loc, data, Some(ty)).expect("it has a result")
            }
        };
        map.insert(value, new);
        new
    }

    fn emit_inst(
        &self,
        out: &mut Function,
        maps: &mut [HashMap<Value, Value>],
        here: Block,
        inst: Inst,
    ) {
        let result = out.result(inst);
        if let Some(mask) = result.filter(|mask| self.full.contains(mask)) {
            let ty = out.ty(mask);
            let ones = at(out, here).iconst(ty, 1);
            maps.iter_mut().for_each(|map| _ = map.insert(mask, ones));
            return;
        }
        if self.turned.contains(&inst) {
            self.emit_turned(out, maps, here, inst);
            return;
        }
        let data = self.without_mask(out.inst(inst).clone());
        let loc = out.loc(inst);
        let ty = result.map(|r| out.ty(r));
        let mut differs = false;
        data.for_each_use(|v| differs |= self.variant.contains(&v));
        let count = if differs { maps.len() } else { 1 };
        for n in 0..count {
            let mut data = data.clone();
            data.for_each_use_mut(|v| *v = of(&maps[n], *v));
            let new = push(out, here, loc, data, ty);
            if let (Some(old), Some(new)) = (result, new) {
                if differs {
                    maps[n].insert(old, new);
                } else {
                    maps.iter_mut().for_each(|map| _ = map.insert(old, new));
                }
            }
        }
    }

    /// An access of which all lanes are on.
    fn without_mask(&self, data: InstData) -> InstData {
        let volatile = false;
        match data {
            InstData::MaskedLoad {
                ty,
                ptr,
                mask,
                align,
            } if self.full.contains(&mask) => InstData::Load {
                ty,
                ptr,
                align,
                volatile,
            },
            InstData::MaskedStore {
                value,
                ptr,
                mask,
                align,
            } if self.full.contains(&mask) => InstData::Store {
                value,
                ptr,
                align,
                volatile,
            },
            other => other,
        }
    }

    /// Each lane accesses the elements of all rows, which are one behind the other.
    fn emit_turned(
        &self,
        out: &mut Function,
        maps: &mut [HashMap<Value, Value>],
        here: Block,
        inst: Inst,
    ) {
        let loc = out.loc(inst);
        let (data, result) = (out.inst(inst).clone(), out.result(inst));
        let (ty, base, offsets, scale, align) = match data {
            InstData::Gather {
                ty,
                base,
                offsets,
                scale,
                align,
                ..
            } => (ty, base, offsets, scale, align),
            InstData::Scatter {
                value,
                base,
                offsets,
                scale,
                align,
                ..
            } => (out.ty(value), base, offsets, scale, align),
            _ => panic!("only these are turned"),
        };
        let (lanes, first) = (self.lanes, &maps[0]);
        let (base, offsets) = (of(first, base), of(first, offsets));
        let mut b = at(out, here);
        b.set_loc(loc);
        let scale = b.iconst(I64, scale.into());
        let mut places = Vec::new();
        for lane in 0..lanes {
            let offset = b.extract(offsets, lane);
            let offset = match b.func.ty(offset) {
                I64 => offset,
                _ => b.cast(CastOp::SExt, offset, I64),
            };
            let offset = b.binary(BinaryOp::Mul, offset, scale);
            places.push(b.ptr_add(base, offset));
        }
        let pieces = self.rows as usize / usize::from(lanes);
        let size = ty.bytes();
        let place = |b: &mut Builder, lane: usize, piece: usize| {
            let behind = b.iconst(I64, piece as u64 * size);
            b.ptr_add(places[lane], behind)
        };
        match data {
            InstData::Gather { .. } => {
                let mut columns = vec![Vec::new(); pieces];
                for lane in 0..usize::from(lanes) {
                    for (piece, columns) in columns.iter_mut().enumerate() {
                        let ptr = place(&mut b, lane, piece);
                        columns.push(b.load(ty, ptr, align, false));
                    }
                }
                let result = result.expect("it loads");
                let rows = columns.into_iter().flat_map(|c| transposed(&mut b, c));
                let rows: Vec<Value> = rows.collect();
                for (map, row) in maps.iter_mut().zip(rows) {
                    map.insert(result, row);
                }
            }
            InstData::Scatter { value, .. } => {
                let rows: Vec<Value> = maps.iter().map(|map| of(map, value)).collect();
                let columns: Vec<Vec<Value>> = rows
                    .chunks(lanes.into())
                    .map(|rows| transposed(&mut b, rows.to_vec()))
                    .collect();
                for lane in 0..usize::from(lanes) {
                    for (piece, columns) in columns.iter().enumerate() {
                        let ptr = place(&mut b, lane, piece);
                        b.store(columns[lane], ptr, align, false);
                    }
                }
            }
            _ => panic!("only these are turned"),
        }
    }
}

/// The columns of as many rows as a row has elements: blocks off the diagonal change places, larger ones in each round.
fn transposed(b: &mut Builder, mut rows: Vec<Value>) -> Vec<Value> {
    let count = rows.len() as u16;
    let mut side = 1;
    while side < count {
        let pick = |high: bool| {
            (0..count).map(move |n| match (n & side == 0, high) {
                (true, false) => n,
                (true, true) => n + side,
                (false, false) => count + n - side,
                (false, true) => count + n,
            })
        };
        for n in (0..count).filter(|n| n & side == 0) {
            let (upper, lower) = (usize::from(n), usize::from(n + side));
            let pair = (rows[upper], rows[lower]);
            rows[upper] = b.shuffle(pair.0, pair.1, pick(false).collect());
            rows[lower] = b.shuffle(pair.0, pair.1, pick(true).collect());
        }
        side *= 2;
    }
    rows
}

fn of(map: &HashMap<Value, Value>, value: Value) -> Value {
    map.get(&value).copied().unwrap_or(value)
}

fn at(out: &mut Function, block: Block) -> Builder<'_> {
    let mut b = Builder::new(out);
    b.switch_to(block);
    b
}

fn push(
    out: &mut Function,
    here: Block,
    loc: SrcLoc,
    data: InstData,
    ty: Option<Type>,
) -> Option<Value> {
    let mut b = at(out, here);
    b.set_loc(loc);
    let inst = b.push(data, ty);
    out.result(inst)
}
