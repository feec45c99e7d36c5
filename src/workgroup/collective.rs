//! Work-group collectives (OpenCL C 3.0, 6.15.16), folded between two regions: the items have stored their operands;
//! a loop over the items in linear order combines them and stores the results where the next region reads them.
//!
//! Items that do not take part (they returned, or wait elsewhere) are left out, and their places are left alone.

use crate::ir::types::{I1, I64};
use crate::ir::{BinaryOp, Block, CastOp, Collective, Elem, IntCC, Terminator, Type, Value};

use super::crossing::Home;
use super::group::Group;
use super::layout::SlotId;

/// Emits the fold at the start of `region`, which follows the collective at the end of `block`; returns the block
/// where the region goes on.
pub fn run(group: &mut Group, region: usize, block: Block) -> Block {
    let Terminator::Collective {
        op, signed, args, ..
    } = group.func.term(block)
    else {
        panic!("{block} does not end in a collective");
    };
    let head = group.regions.list[region].graph.block(0);
    let pass = Pass {
        region,
        op: *op,
        signed: *signed,
        ty: group.func.ty(args[0]),
        result: *group
            .func
            .block(head)
            .params
            .last()
            .expect("a collective gives a result"),
        operands: group.operands[&region].clone(),
    };
    let start = group.starts[region];
    match op {
        Collective::Broadcast => pass.broadcast(group, start),
        _ => pass.fold(group, start),
    }
}

struct Pass {
    region: usize,
    op: Collective,
    signed: bool,
    /// The type of the operand.
    ty: Type,
    /// The parameter of the region's head.
    result: Value,
    operands: Vec<SlotId>,
}

/// A loop over all items that carries one value.
struct ItemLoop {
    body: Block,
    item: Value,
    carried: Value,
    /// The item takes part; `None` when all do.
    takes_part: Option<Value>,
}

impl Pass {
    fn fold(&self, group: &mut Group, start: Block) -> Block {
        let operand = group.slot_start(start, self.operands[0]);
        let first = self.identity(group, start);
        let results = self.result_slot(group, start);
        let each = self.begin_loop(group, start, first);
        let address = group.slot_item(each.body, self.operands[0], operand, each.item);
        let mut x = group.fetch(each.body, self.ty, address);
        if matches!(self.op, Collective::All | Collective::Any) {
            let mut b = group.at(each.body);
            let zero = b.iconst(self.ty, 0);
            x = b.icmp(IntCC::Ne, x, zero);
        }
        let op = self.operation();
        let sum = group.at(each.body).binary(op, each.carried, x);
        let sum = choose(group, each.body, each.takes_part, sum, each.carried);
        let scan = match self.op {
            Collective::ScanInclusiveAdd
            | Collective::ScanInclusiveMin
            | Collective::ScanInclusiveMax => Some(sum),
            Collective::ScanExclusiveAdd
            | Collective::ScanExclusiveMin
            | Collective::ScanExclusiveMax => Some(each.carried),
            _ => None,
        };
        if let (Some(value), Some(results)) = (scan, results) {
            self.store_for(group, &each, results, value);
        }
        let after = end_loop(group, &each, sum);
        if scan.is_some() {
            return after;
        }
        self.give_all(group, after, sum, results)
    }

    fn broadcast(&self, group: &mut Group, start: Block) -> Block {
        let results = self.result_slot(group, start);
        // The last item that takes part says which local id is meant; they all say the same.
        let zero = group.at(start).iconst(I64, 0);
        let each = self.begin_loop(group, start, zero);
        let last = choose(group, each.body, each.takes_part, each.item, each.carried);
        let after = end_loop(group, &each, last);
        let ids: Vec<Value> = self.operands[1..]
            .iter()
            .map(|&slot| {
                let base = group.slot_start(after, slot);
                let address = group.slot_item(after, slot, base, last);
                group.fetch(after, I64, address)
            })
            .collect();
        let [sx, sy, _] = group.sizes;
        let items = group.items;
        let base = group.slot_start(after, self.operands[0]);
        let from = {
            let mut b = group.at(after);
            let row = b.binary(BinaryOp::Mul, ids[2], sy);
            let row = b.binary(BinaryOp::Add, row, ids[1]);
            let row = b.binary(BinaryOp::Mul, row, sx);
            let at = b.binary(BinaryOp::Add, row, ids[0]);
            let inside = b.icmp(IntCC::Ult, at, items);
            b.select(inside, at, zero)
        };
        let address = group.slot_item(after, self.operands[0], base, from);
        let value = group.fetch(after, self.ty, address);
        self.give_all(group, after, value, results)
    }

    /// Gives the one result to all items; returns the block to go on in.
    fn give_all(
        &self,
        group: &mut Group,
        here: Block,
        value: Value,
        results: Option<Value>,
    ) -> Block {
        let to = group.func.ty(self.result);
        let value = if group.out.ty(value) == to {
            value
        } else {
            group.at(here).cast(CastOp::ZExt, value, to)
        };
        match (group.home(self.result), results) {
            (Home::Group, _) => {
                group.set_incoming(self.region, self.result, value);
                here
            }
            (Home::Shared(offset), _) => {
                let address = group.fixed_place(here, offset);
                group.keep(here, value, address);
                here
            }
            (_, Some(results)) => {
                let each = self.begin_loop(group, here, value);
                self.store_for(group, &each, results, value);
                end_loop(group, &each, value)
            }
            _ => here,
        }
    }

    /// The start of the result's slot, if it has one for each item.
    fn result_slot(&self, group: &mut Group, here: Block) -> Option<Value> {
        match group.home(self.result) {
            Home::Item(slot) | Home::ItemAtDef(slot) => Some(group.slot_start(here, slot)),
            _ => None,
        }
    }

    /// Stores the item's result; an item that takes no part may still need what is there.
    fn store_for(&self, group: &mut Group, each: &ItemLoop, results: Value, value: Value) {
        let (Home::Item(slot) | Home::ItemAtDef(slot)) = group.home(self.result) else {
            return;
        };
        let address = group.slot_item(each.body, slot, results, each.item);
        let value = match each.takes_part {
            None => value,
            part => {
                let ty = group.out.ty(value);
                let old = group.fetch(each.body, ty, address);
                choose(group, each.body, part, value, old)
            }
        };
        group.keep(each.body, value, address);
    }

    fn begin_loop(&self, group: &mut Group, from: Block, first: Value) -> ItemLoop {
        let body = group.out.add_block();
        let item = group.out.add_param(body, I64);
        let ty = group.out.ty(first);
        let carried = group.out.add_param(body, ty);
        let next = group
            .next
            .filter(|_| group.flow.masked[self.region])
            .map(|slot| group.slot_start(from, slot));
        let zero = group.at(from).iconst(I64, 0);
        group.at(from).jump(body, vec![zero, first]);
        let takes_part = next.map(|base| group.takes_part(body, self.region, base, item));
        ItemLoop {
            body,
            item,
            carried,
            takes_part,
        }
    }

    fn operation(&self) -> BinaryOp {
        let float = self.ty.elem.is_float();
        match self.op {
            Collective::All => BinaryOp::And,
            Collective::Any => BinaryOp::Or,
            Collective::Broadcast
            | Collective::ReduceAdd
            | Collective::ScanInclusiveAdd
            | Collective::ScanExclusiveAdd => {
                if float {
                    BinaryOp::FAdd
                } else {
                    BinaryOp::Add
                }
            }
            Collective::ReduceMin | Collective::ScanInclusiveMin | Collective::ScanExclusiveMin => {
                match (float, self.signed) {
                    (true, _) => BinaryOp::FMin,
                    (_, true) => BinaryOp::SMin,
                    _ => BinaryOp::UMin,
                }
            }
            Collective::ReduceMax | Collective::ScanInclusiveMax | Collective::ScanExclusiveMax => {
                match (float, self.signed) {
                    (true, _) => BinaryOp::FMax,
                    (_, true) => BinaryOp::SMax,
                    _ => BinaryOp::UMax,
                }
            }
        }
    }

    /// OpenCL C 3.0, 6.15.16: the identity is 0 for add; for min the greatest value (INF), for max the least (-INF).
    fn identity(&self, group: &mut Group, here: Block) -> Value {
        let ty = self.ty;
        let bits = ty.elem.bits();
        let ones = u64::MAX >> (64 - bits);
        let top = 1u64 << (bits - 1);
        let infinity = match ty.elem {
            Elem::F16 => 0x7c00,
            Elem::F32 => 0x7f80_0000,
            _ => 0x7ff0_0000_0000_0000,
        };
        let mut b = group.at(here);
        let (kind, float) = (self.operation(), ty.elem.is_float());
        match kind {
            BinaryOp::And => b.iconst(I1, 1),
            BinaryOp::Or => b.iconst(I1, 0),
            BinaryOp::FMin => b.fconst_bits(ty, infinity),
            BinaryOp::FMax => b.fconst_bits(ty, infinity | top),
            BinaryOp::UMin => b.iconst(ty, ones),
            BinaryOp::SMin => b.iconst(ty, ones ^ top),
            BinaryOp::SMax => b.iconst(ty, top),
            _ if float => b.fconst_bits(ty, 0),
            _ => b.iconst(ty, 0),
        }
    }
}

fn choose(group: &mut Group, here: Block, cond: Option<Value>, then: Value, els: Value) -> Value {
    match cond {
        Some(cond) => group.at(here).select(cond, then, els),
        None => then,
    }
}

/// Returns the block after the loop.
fn end_loop(group: &mut Group, each: &ItemLoop, carried: Value) -> Block {
    let after = group.out.add_block();
    let items = group.items;
    let mut b = group.at(each.body);
    let one = b.iconst(I64, 1);
    let next = b.binary(BinaryOp::Add, each.item, one);
    let more = b.icmp(IntCC::Ult, next, items);
    b.branch(more, (each.body, vec![next, carried]), (after, Vec::new()));
    after
}
